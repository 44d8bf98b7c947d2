"""The commands that write files, with their inputs and the way to read their outcomes."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from .archives import ROOT, write_archive
from .outputs import digests

# The number of rows in each file of rows.
ROWS = 200


@dataclass(frozen=True)
class Command:
    """How a command is run, in a folder that has its inputs in `in`."""

    arguments: str
    # A function that makes the folder of the inputs.
    write_inputs: Callable[[Path], None]
    # The file that shows that no work is left, if there is one.
    done: str = None
    # Files that the command writes and replaces. A command without them has its own folder, locks
    # it, and continues by --resume.
    files: tuple = ()
    # Runs of the program that make further inputs in the folder of `in`.
    prepare: tuple = ()
    # A comparable form of the outcome: by default, the digests of all files.
    outcome: Callable[[Path, Path], dict] = lambda huller, place: digests(place, without="in")
    # The same command with rows to standard output, where that is possible.
    to_stdout: str = None
    # Names of inputs that the tests make fail, vanish, or grow by the content of another.
    inputs: tuple = ()

    def has_folder(self):
        return not self.files


def write_archives(folder):
    """Of several batches, of one, and one in a folder. Some members are damaged."""
    for name, size in [("a.warc.gz", 5_000_000), ("b.warc.gz", 1_200_000), ("deep/c.warc.gz", 2_000_000)]:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_archive(place, size, damaged_every=150)


def write_rows(folder, damage="no row\n"):
    """Rows with lines that are none."""
    for number, name in enumerate(ROW_INPUTS):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(row(number * ROWS + n) for n in range(ROWS)) + damage)


def write_sound_rows(folder):
    write_rows(folder, damage="")


def row(number):
    """A row; one in five repeats the text of an earlier one, and all of a host share a line and a paragraph."""
    of, host = number // 5 if number % 5 == 4 else number, number % 9
    words = " ".join(f"word{of * 7 + n}" for n in range(12))
    shared = f"Host {host} sells tickets for its ferries on the quay from Easter to October."
    text = f"The ferry {of} runs: {words}\n\n{shared}"
    made = {"id": str(number), "url": f"http://host{host}.test/{number}", "text": text, "label": f"topic {of % 3}"}
    return json.dumps(made) + "\n"


def write_sample(folder):
    """The bundled sample, with its gold."""
    folder.mkdir()
    for name in ["sample.warc.gz", "gold.jsonl"]:
        shutil.copy(ROOT / "data" / name, folder / name)


def answers(huller, place):
    """What an index says of itself and answers: its files have random names. No file may be left that it does not know."""
    meta = place / "out" / "meta.json"
    if not meta.exists():
        return digests(place, without="in")
    search = [huller, "search", "out", "ferry", "--json", "--limit", "5000"]
    found = subprocess.run(search, cwd=place, capture_output=True, text=True, check=False)
    known = {*json.loads((place / "out" / ".managed.json").read_text()), *INDEX_FILES}
    strange = sorted(path.name for path in (place / "out").iterdir() if path.name not in known)
    others = {name: digest for name, digest in digests(place, without="in").items() if not name.startswith("out/")}
    # A run without a commit has no payload.
    payload = json.loads(json.loads(meta.read_text()).get("payload") or "null")
    return {"payload": payload, "found": sorted(found.stdout.splitlines()),
            "files that no commit knows": strange, **others}


INDEX_FILES = ("meta.json", ".managed.json", ".tantivy-writer.lock", ".tantivy-meta.lock", "huller.lock")

# With these options a run writes all kinds of files: signatures beside each output, rejects, and
# rows that stages drop.
LOGS = "--rejects rejects.jsonl --dropped dropped --dropped-rows all"
ROW_INPUTS = ("a.jsonl", "b.jsonl", "deep/a.jsonl")
DEDUP = "dedup in -o out -q -j2 --by url,text,near --verify 0.5"

COMMANDS = {
    "extract": Command(
        f"extract in -o out -q -j2 --stages length,signature --set length.min_chars=1500 {LOGS}",
        write_archives, done="out/_SUCCESS", to_stdout="extract in -o - -j2", inputs=("a.warc.gz", "b.warc.gz", "deep/c.warc.gz"),
    ),
    "extract-passages": Command(
        "extract in -o out -q -j2 --passages passages --passages-set tokenizer=characters --passages-set max_tokens=900",
        write_archives, done="out/_SUCCESS", inputs=("a.warc.gz", "b.warc.gz", "deep/c.warc.gz"),
    ),
    "refine-passages": Command(
        "refine in -o out -q -j2 --passages passages --format parquet --passages-set tokenizer=characters",
        write_rows, done="out/_SUCCESS", inputs=ROW_INPUTS,
    ),
    "refine": Command(
        f"refine in -o out -q -j2 --stages normalise,length,signature --set length.min_chars=190 {LOGS}",
        write_rows, done="out/_SUCCESS", to_stdout="refine in -o - -j2 --stages normalise", inputs=ROW_INPUTS,
    ),
    "dedup": Command(
        f"{DEDUP} --host-lines 5 --paragraphs 40", write_rows, done="out/_SUCCESS", inputs=ROW_INPUTS,
    ),
    "dedup-mark": Command(f"{DEDUP} --mark drop.jsonl", write_rows, done="out/_SUCCESS", inputs=ROW_INPUTS),
    "index": Command("index in -o out -q -j2 --memory 256M", write_rows, outcome=answers, inputs=ROW_INPUTS),
    "classify": Command(
        "classify in/a.jsonl --model in/topics.bin -o out/topics.jsonl.zst", write_sound_rows, files=("out/topics.jsonl.zst",),
        prepare=("train topics in/a.jsonl in/b.jsonl -o in/topics.bin",),
    ),
    "train-topics": Command("train topics in/a.jsonl in/b.jsonl -o out/topics.bin", write_sound_rows, files=("out/topics.bin",)),
    "report": Command(
        "report in/run -o out/report.html", write_sample, files=("out/report.html",),
        prepare=("extract in/sample.warc.gz -o in/run -q",),
    ),
    "eval": Command(
        "eval in/sample.warc.gz --gold in/gold.jsonl --extractors body --no-speed --format csv -o out/eval.csv"
        " --per-page out/pages.csv", write_sample, files=("out/eval.csv", "out/pages.csv"),
    ),
    "features": Command(
        "features in/sample.warc.gz --gold in/gold.jsonl -o out/blocks.npy", write_sample,
        files=("out/blocks.npy", "out/blocks.pages.jsonl"),
    ),
    "stats": Command(
        "stats in/run -q -o out", write_sample, files=("out/run.account", "out/run.account.csv", "out/run.journal"),
        prepare=("extract in/sample.warc.gz -o in/run -q",),
    ),
}
