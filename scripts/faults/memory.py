"""Bombs of every kind in one archive, and the memory that runs over it take.

    faults memory [--huller PROGRAM] [--copies N]

Writes the attacks that inflate to most (`attacks write` of crates/testkit), joins them and N (6) copies of all to one archive, and runs
`huller extract` over it with 1, 4 and 16 threads: as it is, with several extractors, with a limit, to standard output; each with and
without `--memory 512M`. The peak of each run must stay below the formula of SECURITY.md, or below 512 MB, and every good page between the
bombs must be in the output.

Exits with 1 if a run took more, or lost a page.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .archives import ROOT

BOMBS = [
    "http-gzip-bomb-1g", "http-gzip-bomb-html-1g", "http-deflate-bomb-1g", "http-nested-gzip", "http-br-bomb", "http-zstd-bomb",
    "http-header-100mb", "warc-gz-bomb-record", "warc-gz-bomb-nonhtml", "warc-header-100mb-gz", "html-one-text-10mb",
    "html-one-text-words-50mb", "html-million-blocks", "html-deep-div", "html-huge-attr",
]
LIMIT = 50
WAYS = {
    "": [],
    "five extractors": ["--extractors", "hull,pvalue,readability,nb,body"],
    f"limit {LIMIT}": ["--limit", str(LIMIT)],
    "standard output": [],
}
# Bytes, as in SECURITY.md.
BASE, WORKER, RECORD, PAGE, LEAST = 32 << 20, 32 << 20, 128 << 20, 16 << 20, 512 << 20


def add_arguments(parser):
    parser.add_argument("--copies", type=int, default=6, metavar="N")


def formula(threads, texts):
    return BASE + WORKER * (threads + 1) + max(LEAST, 2 * RECORD + (27 + 5 * texts) * PAGE)


def make_archive(work, copies):
    """The archive, and how many good pages it has."""
    program = ["cargo", "run", "--quiet", "--release", "--package", "huller-testkit", "--bin", "attacks", "--"]
    subprocess.run([*program, "write", work / "attacks", "--only", ",".join(BOMBS)], check=True, cwd=ROOT)
    path = work / "bombs.warc.gz"
    with path.open("wb") as archive:
        for _ in range(copies):
            for name in BOMBS:
                archive.write((work / "attacks" / f"{name}.warc.gz").read_bytes())
    return path, 2 * len(BOMBS) * copies


def measured(command, rows):
    """Peak memory in bytes, and the exit code."""
    with rows.open("wb") as stdout:
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status)


def good_pages(lines):
    return sum(b"GOODALPHA" in line or b"GOODOMEGA" in line for line in lines)


def execute(args, work):
    archive, good = make_archive(work, args.copies)
    faults = 0
    print("| run | threads | --memory | MB | bound | good pages |\n|---|---:|---|---:|---:|---:|")
    for way, options in WAYS.items():
        for threads in (1, 4, 16):
            for memory in (None, 512 << 20):
                out, rows = work / "out", work / "rows"
                place = ["-o", "-"] if way == "standard output" else ["-o", out, "--compress", "gzip"]
                bounded = ["--memory", str(memory)] if memory else []
                command = [args.huller, "extract", archive, "-q", "-j", str(threads), *place, *options, *bounded]
                peak, code = measured(command, rows)
                found = good_pages(rows.open("rb") if "-" in place else gzip.open(out / "bombs.jsonl.gz"))
                wanted = good if not way.startswith("limit") else None
                bound = memory or formula(threads, 5 if way == "five extractors" else 1)
                wrong = code != 0 or peak > bound or wanted is not None and found != wanted
                faults += wrong
                said = "512M" if memory else ""
                print(f"| {way} | {threads} | {said} | {peak >> 20} | {bound >> 20} | {found} |{' WRONG' if wrong else ''}", flush=True)
                shutil.rmtree(out, ignore_errors=True)
    print(f"{faults} runs took more than they may, or lost a page")
    return 1 if faults else 0


def run(args):
    with tempfile.TemporaryDirectory() as work:
        return execute(args, Path(work))
