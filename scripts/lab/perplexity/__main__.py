"""Trains models with SentencePiece and KenLM, and compares huller's pieces, scores and perplexities with theirs.

    scripts/lab/run models [ROWS...]

That command installs both programs into target/perplexity/venv, builds the example `perplexity` of
huller-models and the program, and runs this package as

    python3 -m perplexity EXAMPLE PROGRAM FOLDER [--tools BIN] [ROWS...]

ROWS are files of rows (JSON Lines, with a member `text`); without them it takes the bundled pages. Half of
the texts train the models, and the other half are compared. The programs `lmplz` and `build_binary` of KenLM
are in BIN, or are built from the source of the package `kenlm`, which needs a C++ compiler and Boost.

Exit status 1 if fewer than 99.8 % of the rounded perplexities or of the sequences of pieces are equal.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tarfile
import unicodedata
from pathlib import Path

import kenlm
import sentencepiece

LEAST_EQUAL = 0.998

# Options of each model of pieces, and the order of the model of n-grams over them.
KINDS: dict[str, tuple[dict, int, list[str]]] = {
    "ccnet": ({"vocab_size": 8000}, 5, []),
    "nfkc-bytes": ({"vocab_size": 3000, "normalization_rule_name": "nfkc_cf", "byte_fallback": True}, 3, ["--prune", "0", "1"]),
    "identity": ({"vocab_size": 2000, "normalization_rule_name": "identity", "remove_extra_whitespaces": False}, 2, []),
    "own-pieces": ({"vocab_size": 4000, "user_defined_symbols": ["the ", "<sep>", "00", "ing"], "control_symbols": ["<c>"]}, 4, []),
    "suffix": ({"vocab_size": 4000, "treat_whitespace_as_suffix": True, "add_dummy_prefix": False}, 6, ["--prune", "0", "0", "2"]),
}

# Signs that cc_net exchanges, with what it puts in their place.
SIGNS = dict(zip("，。、„”“«»１」「《》´∶：？！（）；–．～’━〈〉【】％►", ",.,\"\"\"\"\"\"\"\"\"\"'::?!();-\0~'-<>[]%-")) | {"．": ". ", "—": " - ", "…": "..."}


def normalise(text: str) -> str:
    """Normalises a text as cc_net does before it cuts the text into pieces."""
    letters = unicodedata.normalize("NFD", text.strip().lower())
    letters = "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")
    letters = re.sub(r"\d", "0", letters)
    letters = "".join(SIGNS.get(letter, letter) for letter in letters)
    return re.sub("[\0-\x1f\x7f-\x9f]", "", letters)


def build_tools(folder: Path) -> Path:
    """Builds the programs of KenLM from the source of its Python package, without running its set-up."""
    source = folder / "kenlm"
    if not (source / "build/bin/build_binary").exists():
        source.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "kenlm", "-d", str(source), "kenlm==0.3.0"]
        subprocess.run(pip, check=True)
        with tarfile.open(next(source.glob("kenlm-*.tar.gz"))) as archive:
            archive.extractall(source, filter="data")
        cmake = str(Path(sys.executable).with_name("cmake"))
        tree = str(next(path for path in source.glob("kenlm-*") if path.is_dir()))
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DKENLM_MAX_ORDER=6", "-DCMAKE_POLICY_VERSION_MINIMUM=3.5"]
        subprocess.run([cmake, "-S", tree, "-B", str(source / "build"), *options], check=True, stdout=subprocess.DEVNULL)
        make = [cmake, "--build", str(source / "build"), "--target", "lmplz", "build_binary"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    return source / "build/bin"


def train(name: str, texts: list[str], tools: Path, folder: Path) -> tuple[Path, Path]:
    """Trains both models of a kind on normalised texts."""
    options, order, pruning = KINDS[name]
    pieces, words = folder / f"{name}.sp.model", folder / f"{name}.arpa.bin"
    corpus, cut = folder / "train.txt", folder / "pieces.txt"
    # Texts of hundreds of thousands of characters would be skipped, so each gives a few lines.
    lines = [text[start : start + 2000] for text in texts for start in range(0, min(len(text), 8000), 2000)]
    corpus.write_text("".join(line + "\n" for line in lines))
    prefix = str(pieces).removesuffix(".model")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=prefix, model_type="unigram", character_coverage=0.9995,
        input_sentence_size=6000, num_threads=2, minloglevel=2, hard_vocab_limit=False, **options,
    )
    model = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    with cut.open("w") as file:
        for line in lines:
            found = (piece for piece in model.encode(line, out_type=str) if piece.split())
            file.write(" ".join(piece for piece in found if piece not in {"<unk>", "<s>", "</s>"}) + "\n")
    command = [tools / "lmplz", "-o", str(order), "-S", "20%", "--discount_fallback", "--skip_symbols", *pruning]
    with cut.open() as stdin, (folder / "model.arpa").open("w") as stdout:
        subprocess.run(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, check=True)
    command = [tools / "build_binary", "probing", folder / "model.arpa", words]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return pieces, words


def expected(models: tuple[Path, Path], texts: list[str]) -> list[tuple[float, str, float | None]]:
    """The score, the pieces and the rounded perplexity of each text by the original programs."""
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(models[0]))
    words = kenlm.Model(str(models[1]))
    found = []
    for text in texts:
        cut = " ".join(pieces.encode(text, out_type=str))
        score = words.score(cut)
        perplexity = round(10.0 ** (-score / (len(cut.split()) + 1)), 1) if cut else None
        found.append((score, cut, perplexity))
    return found


def of_example(example: str, models: tuple[Path, Path], texts: list[str]) -> list[tuple[float, str]]:
    """The score and the pieces of each text by the readers of huller."""
    import struct

    lines = "".join(text + "\n" for text in texts).encode()
    result = subprocess.run([example, *map(str, models)], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    print("   " + result.stderr.decode().strip())
    pairs = (line.split("\t", 1) for line in result.stdout.decode().split("\n")[:-1])
    return [(struct.unpack("<f", struct.pack("<I", int(bits)))[0], cut) for bits, cut in pairs]


def of_program(program: str, models: tuple[Path, Path], texts: list[str], folder: Path) -> list[float | None]:
    """The perplexity of each text by `huller refine`."""
    rows = folder / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts)))
    settings = {"pieces": models[0], "words": models[1]}
    options = [option for name, path in settings.items() for option in ("--set", f"perplexity.{name}={path}")]
    command = [program, "refine", str(rows), "-o", "-", "--stages", "perplexity", *options, "--quiet"]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [json.loads(line)["perplexity"] for line in result.stdout.decode().split("\n")[:-1]]


def compare(name: str, ours: list, theirs: list) -> bool:
    """Prints how many values are equal, and the first three that are not."""
    unequal = [at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
    print(f"   {name}: {len(ours) - len(unequal)} of {len(ours)} equal", flush=True)
    for at in unequal[:3]:
        print(f"      text {at}: {str(ours[at])[:300]!r}\n      instead of {str(theirs[at])[:300]!r}")
    return len(unequal) <= len(ours) * (1 - LEAST_EQUAL)


def read_texts(paths: list[str]) -> list[str]:
    """The texts of files of rows, or of the bundled pages. Texts over 100,000 characters are cut."""
    texts = []
    for path in paths or ["data/gold.jsonl"]:
        data = subprocess.run(["zstd", "-dcf", path], check=True, stdout=subprocess.PIPE).stdout
        rows = (json.loads(line) for line in data.decode().split("\n") if line)
        texts += [row["text"][:100_000] for row in rows if row.get("text")]
    return texts


def main() -> int:
    """Runs the comparison."""
    example, program, folder, *rest = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if rest[:1] == ["--tools"]:
        tools, rest = Path(rest[1]), rest[2:]
    else:
        tools = build_tools(folder)
    texts = read_texts(rest)
    random.Random(50).shuffle(texts)
    training, unseen = texts[::2], texts[1::2]
    # Places where readers go wrong.
    unseen += ["", " ", "\u2028", "<s> </s> <unk>", "x\u3000y", "a\u1680b c", "İstanbul ΑΣ", "①②", "ﷺ ﬁ", "𝟘٣๕", "e\u0301\u0327", "☃" * 50, "\ufffd\u0000a"]
    normalised = [normalise(text) for text in unseen]
    all_equal = True
    for name in KINDS:
        print(name, flush=True)
        models = train(name, [normalise(text) for text in training], tools, folder)
        theirs = expected(models, normalised)
        ours = of_example(example, models, normalised)
        all_equal &= compare("pieces", [cut for _, cut in ours], [cut for _, cut, _ in theirs])
        all_equal &= compare("scores", [score for score, _ in ours], [score for score, _, _ in theirs])
        rounded = of_program(program, models, unseen, folder)
        all_equal &= compare("perplexities by huller refine", rounded, [perplexity for _, _, perplexity in theirs])
    return 0 if all_equal else 1


if __name__ == "__main__":
    sys.exit(main())
