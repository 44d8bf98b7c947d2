"""Measures the memory of runs over inputs with bombs of every kind.

    faults memory [--huller PROGRAM] [--copies N] [--only KIND,…]

Writes the attacks that expand most (`attacks write` of crates/testkit), and joins N (6) copies of
all to one archive: of gzip members, and plain. Also writes pages of a million blocks and the like
as JSON Lines, plain and as one gzip member. Runs `huller extract` over each with 1, 4 and 16
threads: with defaults, several extractors, all extractors, a limit, and to standard output. Each
runs with and without `--memory 512M`. The peak of each run must stay below the formula of
SECURITY.md, or below 512 MB. Every good page between the bombs must be in the output.

Exits with 1 if a run took more, or lost a page.
"""

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .archives import ROOT

BOMBS = [
    "http-gzip-bomb-1g", "http-gzip-bomb-html-1g", "http-deflate-bomb-1g", "http-nested-gzip", "http-br-bomb", "http-zstd-bomb",
    "http-header-100mb", "warc-gz-bomb-record", "warc-gz-bomb-nonhtml", "warc-header-100mb-gz", "html-one-text-10mb",
    "html-one-text-words-50mb", "html-million-blocks", "html-deep-div", "html-huge-attr",
]
LIMIT = 50
# Attacks whose record itself exceeds any limit. In a plain archive they would take gigabytes of
# disk.
LONG_RECORDS = {"warc-gz-bomb-record", "warc-gz-bomb-nonhtml", "warc-header-100mb-gz"}
WAYS = {
    "": [],
    "five extractors": ["--extractors", "hull,pvalue,readability,nb,body"],
    "all extractors": ["--extractors", "all"],
    f"limit {LIMIT}": ["--limit", str(LIMIT)],
    "standard output": [],
}
TEXTS = {"five extractors": 5, "all extractors": 18}
# The ways for each input. The first input has all of them, since gzip members can expand most.
KINDS = {"warc.gz": list(WAYS), "warc": ["", "all extractors"], "jsonl": ["", "all extractors"], "jsonl.gz": ["", "all extractors"]}
# Limits in bytes, as in SECURITY.md.
BASE, WORKER, RECORD, PAGE, LEAST = 32 << 20, 32 << 20, 128 << 20, 16 << 20, 512 << 20


def add_arguments(parser):
    parser.add_argument("--copies", type=int, default=6, metavar="N")
    parser.add_argument("--only", default=",".join(KINDS), metavar="KIND,…", help="of " + ", ".join(KINDS))


def formula(threads, texts):
    return BASE + WORKER * (threads + 1) + max(LEAST, 3 * RECORD + (27 + 5 * texts) * PAGE)


def write_attacks(work):
    program = ["cargo", "run", "--quiet", "--release", "--package", "huller-testkit", "--bin", "attacks", "--"]
    subprocess.run([*program, "write", work / "attacks", "--only", ",".join(BOMBS)], check=True, cwd=ROOT)


def write_archive(work, path, copies):
    """Writes the attacks to one archive, and gives the number of good pages in it."""
    names = BOMBS if path.suffix == ".gz" else [name for name in BOMBS if name not in LONG_RECORDS]
    opened = Path.open if path.suffix == ".gz" else gzip.open
    with path.open("wb") as archive:
        for _ in range(copies):
            for name in names:
                with opened(work / "attacks" / f"{name}.warc.gz", "rb") as attack:
                    shutil.copyfileobj(attack, archive, 1 << 20)
    return 2 * len(names) * copies


def giants():
    """Pages of just below the limit, by what a page can have most of; and one line that is longer than any page."""
    for piece in ("<p>a", "<div>", "word ", "<a href=x>y</a>", "<b>a</b>", "&amp;", "<td>1", "<li>é"):
        yield piece * ((PAGE - (1 << 16)) // len(piece.encode()))
    yield "<p title='" + "x" * (PAGE - (1 << 16)) + "'>a"
    yield "<p>a" * (6 * PAGE // 4)


def write_lines(path, copies):
    """Writes giants and good pages in turn as JSON Lines, and gives the number of good pages."""
    opened = gzip.open if path.suffix == ".gz" else Path.open
    good = 0
    with opened(path, "wb") as lines:
        for _ in range(copies):
            for giant in giants():
                page = "<p>GOODALPHA Rain fell all day, and the ferry stayed in the harbour.</p>"
                for html in (page, giant):
                    lines.write(json.dumps({"url": "http://a.example/", "html": html}, ensure_ascii=False).encode() + b"\n")
                good += 1
    return good


# The peak of a process includes the memory of its parent at the start. A small process therefore
# starts each run.
LAUNCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "wb"), stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
"""


def measured(command, rows):
    """Peak memory in bytes, and the exit code."""
    launched = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, rows, *command], check=True, stdout=subprocess.PIPE)
    peak, code = launched.stdout.split()
    return int(peak), int(code)


def good_pages(lines):
    return sum(b"GOODALPHA" in line or b"GOODOMEGA" in line for line in lines)


def execute(args, work):
    kinds = args.only.split(",")
    if any("warc" in kind for kind in kinds):
        write_attacks(work)
    faults = 0
    print("| input | run | threads | --memory | MB | bound | good pages |\n|---|---|---:|---|---:|---:|---:|")
    for kind in kinds:
        path = work / f"bombs.{kind}"
        good = write_lines(path, args.copies) if "jsonl" in kind else write_archive(work, path, args.copies)
        for way in KINDS[kind]:
            faults += tried(args.huller, work, path, way, good)
        path.unlink()
    print(f"{faults} runs took more than they may, or lost a page")
    return 1 if faults else 0


def tried(huller, work, path, way, good):
    """Runs in one way with all numbers of threads, and gives the number of runs that went wrong."""
    faults = 0
    for threads in (1, 4, 16):
        for memory in (None, 512 << 20):
            out, rows = work / "out", work / "rows"
            place = ["-o", "-"] if way == "standard output" else ["-o", out, "--compress", "gzip"]
            bounded = ["--memory", str(memory)] if memory else []
            command = [huller, "extract", path, "-q", "-j", str(threads), *place, *WAYS[way], *bounded]
            peak, code = measured(command, rows)
            found = good_pages(rows.open("rb") if "-" in place else gzip.open(out / "bombs.jsonl.gz"))
            wanted = good if not way.startswith("limit") else None
            bound = memory or formula(threads, TEXTS.get(way, 1))
            wrong = code != 0 or peak > bound or wanted is not None and found != wanted
            faults += wrong
            said = "512M" if memory else ""
            print(
                f"| {path.name.removeprefix('bombs.')} | {way} | {threads} | {said} | {peak >> 20} | {bound >> 20} | {found} |{' WRONG' if wrong else ''}",
                flush=True,
            )
            shutil.rmtree(out, ignore_errors=True)
    return faults


def run(args):
    with tempfile.TemporaryDirectory() as work:
        return execute(args, Path(work))
