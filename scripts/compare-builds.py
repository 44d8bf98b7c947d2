#!/usr/bin/env python3
"""Builds of huller side by side: CPU time in pairs, and instructions where they are asked for.

    compare-builds.py CORPUS PROGRAM PROGRAM... [--runs N] [--extractor NAME] [--instructions] [--busy-ok]

Runs all programs in alternation with one worker and gives medians, and ratios to the first program round by round. Rows must be the
same bytes. With --instructions valgrind counts those of one run each, which a busy machine does not disturb (minutes; its processor
knows AVX2 and no SHA, so SHA-256 counts for more than it takes). scripts/build-optional.sh makes such builds.

Linux, Python 3.10 or newer, standard library only.
"""

import argparse
import hashlib
import re
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benches" / "peers"))
from bench import machine, process  # noqa: E402
from bench.session import MAX_LOAD  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("programs", nargs="+", type=Path, metavar="PROGRAM")
    parser.add_argument("--runs", type=int, default=9, metavar="N")
    parser.add_argument("--extractor", default="pvalue", metavar="NAME")
    parser.add_argument("--instructions", action="store_true", help="count instructions too (needs valgrind)")
    parser.add_argument("--busy-ok", action="store_true", help="run although the machine is busy")
    return parser.parse_args()


def digest(folder):
    """What was written."""
    outputs = sorted(folder.glob("*.jsonl*"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in outputs)).hexdigest()


def instructions(program, options, corpus, work):
    """Of a whole run, in millions."""
    counted = work / "counted"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}"]
    usage = process.timed([*valgrind, program, "extract", *options, "--quiet", "-o", work / "out", corpus])
    shutil.rmtree(work / "out", ignore_errors=True)
    if usage.fault:
        return None
    return int(re.search(r"^(?:summary|totals): (\d+)", counted.read_text(), re.M)[1]) / 1e6


def main():
    args = parse_arguments()
    load = machine.load()
    if load > MAX_LOAD and not args.busy_ok:
        raise SystemExit(f"error: the machine is busy, its load is {load:.2f}\nhint: --busy-ok")
    options = ["-j1", "--extractor", args.extractor]
    times, digests = {program: [] for program in args.programs}, set()
    with tempfile.TemporaryDirectory(prefix="compare-builds-") as work:
        work = Path(work)
        for round_ in range(args.runs):
            for program in args.programs if round_ % 2 == 0 else reversed(args.programs):
                usage, _ = process.extract(program, options, [args.corpus], work / "out")
                digests.add(digest(work / "out"))
                shutil.rmtree(work / "out")
                times[program].append(usage.cpu_s)
        counts = {}
        if args.instructions:
            counts = {program: instructions(program, options, args.corpus, work) for program in args.programs}

    base = args.programs[0]
    print(f"{machine.cpu_model()}, load {load:.2f} before, {machine.load():.2f} after; {args.corpus.name}, {args.extractor}\n")
    print("| program | CPU s | least – greatest | × the first, round by round | instructions, millions |")
    print("|---|---:|---:|---:|---:|")
    for program, own in times.items():
        ratios = [mine / first for mine, first in zip(own, times[base])]
        counted = f"{counts[program]:,.0f}" if counts.get(program) else "-"
        print(
            f"| {program} | {median(own):.3f} | {min(own):.3f} – {max(own):.3f} "
            f"| {median(ratios):.3f} ({min(ratios):.3f} – {max(ratios):.3f}) | {counted} |"
        )
    if len(digests) > 1:
        raise SystemExit("error: the programs do not write the same rows")


if __name__ == "__main__":
    main()
