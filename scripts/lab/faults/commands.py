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
    # The file that is there only with all other outputs of the same run, if there is one.
    whole: str = None
    # Files that the command writes and replaces. A command without them has its own folder, and
    # locks it.
    files: tuple = ()
    # The earlier bytes of these files.
    bytes_before: bytes = b"what was here earlier\n"
    # Options for a folder that an earlier run of the command wrote to. The first one continues a
    # broken run. A command without them is repeated.
    flags: tuple = ("--resume", "--overwrite")
    # Options of an earlier run that --overwrite replaces.
    earlier: tuple = ()
    # Runs of the program that make further inputs in the folder of `in`, and functions of that
    # folder that do.
    prepare: tuple = ()
    # Inputs without which the command cannot begin: the exit status is 2 if one cannot be read.
    lists: tuple = ()
    # A folder made by them, whose files the command changes where they are.
    changes: str = None
    # A comparable form of the outcome: by default, the digests of all files.
    outcome: Callable[[Path, Path], dict] = lambda huller, place: digests(place, without="in")
    # The same command with rows to standard output, where that is possible.
    to_stdout: str = None
    # Names of inputs that the tests make fail, vanish, or grow by the content of another.
    inputs: tuple = ()

    def has_folder(self):
        return not self.files

    def can_resume(self):
        return self.has_folder() and "--resume" in self.flags


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


def write_links(folder):
    """Links between hosts, and lines that are none."""
    for number, name in enumerate(ROW_INPUTS):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(link(number * ROWS + n) for n in range(ROWS)) + "no row\n")


def link(number):
    made = {"parent_id": str(number // 3), "url": f"http://host{number // 3 % 17}.test/", "target": f"https://to{number % 41}.test/",
            "role": ("content", "footer")[number % 2], "kept": number % 5 == 0}
    return json.dumps(made) + "\n"


def write_labels(folder):
    """Labels for the escalated pages: every second block is content."""
    made = []
    for path in sorted((folder / "start" / "hard").iterdir()):
        for line in path.read_text().splitlines():
            page = json.loads(line)
            made.append({"id": page["id"], "content": list(range(0, len(page["blocks"]), 2))})
    assert made
    (folder / "in" / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in made))


def write_list(folder):
    """Addresses of some pages of the rows."""
    rows = (folder / "start" / "out" / "a.jsonl").read_text().splitlines()
    made = [json.loads(line)["url"] for line in rows[::7]]
    assert made
    (folder / "in" / "gone.txt").write_text("".join(url + "\n" for url in made))


def write_small_archives(folder):
    """Some pages in each of two archives, and the folder of a run over them."""
    (folder.parent / "start").mkdir()
    for name in ["a.warc.gz", "b.warc.gz"]:
        folder.mkdir(exist_ok=True)
        write_archive(folder / name, 600_000)


def write_sample(folder):
    """The bundled sample, with its gold."""
    folder.mkdir()
    for name in ["sample.warc.gz", "gold.jsonl"]:
        shutil.copy(ROOT / "data" / name, folder / name)


def without_times(huller, place):
    """The files, with tombstones of one time."""
    found = digests(place, without="in")
    for path in place.glob("*/_huller/run.withdrawals"):
        tombstones = [{**json.loads(line), "when": "then"} for line in path.read_text().splitlines()]
        found[path.relative_to(place).as_posix()] = json.dumps(tombstones)
    return found


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
    if payload:
        # The names of the files, and their number, differ from run to run.
        payload["tails"] = bool(payload.get("tails"))
    return {"payload": payload, "found": sorted(found.stdout.splitlines()),
            "files that no commit knows": strange, **others}


INDEX_FILES = ("meta.json", ".managed.json", ".tantivy-writer.lock", ".tantivy-meta.lock", "huller.lock")

# With these options a run writes all kinds of files: signatures beside each output, rejects, and
# rows that stages drop.
LOGS = "--rejects rejects.jsonl --dropped dropped --dropped-rows all"
ROW_INPUTS = ("a.jsonl", "b.jsonl", "deep/a.jsonl")
TABLES = "--links links --escalate hard --below 0.95"
START = f"extract in -o start/out -q -j2 --compress none --links start/links --escalate start/hard --below 0.95"
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
    "extract-links": Command(
        f"extract in -o out -q -j2 --rights {TABLES}", write_archives, done="out/_SUCCESS",
        inputs=("a.warc.gz", "b.warc.gz", "deep/c.warc.gz"),
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
    "links": Command(
        "links in -o out -q -j2", write_links, whole="out/vertices.txt.gz", flags=("--overwrite",), earlier=("--kept",),
        inputs=ROW_INPUTS,
    ),
    "site-lines": Command(
        "site-lines in -o out/lines.jsonl -q -j2 --overwrite", write_rows, files=("out/lines.jsonl",),
        bytes_before=b'{"host":"earlier.test","line":"earlier","pages":9}\n', inputs=ROW_INPUTS,
    ),
    "withdraw": Command(
        "withdraw out -q -j2 --list in/gone.txt --rejects rejects.jsonl --dropped dropped", write_small_archives, flags=(),
        changes="start", lists=("gone.txt",),
        prepare=(f"{START} --stages length,signature --set length.min_chars=900 --rejects start/rejects.jsonl"
                 " --dropped start/dropped --dropped-rows all --passages start/passages --passages-set tokenizer=characters",
                 write_list), outcome=without_times,
    ),
    "relabel": Command(
        "relabel out -q --labels in/labels.jsonl", write_small_archives, flags=(), changes="start", prepare=(START, write_labels),
    ),
    "index": Command("index in -o out -q -j2 --memory 256M", write_rows, outcome=answers, inputs=ROW_INPUTS),
    "index-join": Command(
        "index in/one in/two -o out -q -j2 --memory 256M", write_rows, outcome=answers, flags=("--overwrite",),
        prepare=("index in/a.jsonl -o in/one -q", "index in/b.jsonl -o in/two -q"),
    ),
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
