"""Compares builds of huller pair by pair: ratio of CPU time, memory, and instructions if requested.

    bench compare A B... CORPUS [--pairs N] [--extractor NAME] [--profile NAME] [--instructions [valgrind|perf]] [--busy-ok]

Runs all programs in alternation with one worker, N times each (21). Prints the median CPU time and peak memory of each, and the ratio
of its CPU time to that of A: the median, least and greatest of the ratios of each pair. Fails if the programs write different rows.

--instructions counts the instructions of one run of each; other programs on the machine do not
change them. valgrind (minutes) emulates a processor with AVX2 and without SHA instructions, so
SHA-256 counts for more than it costs. perf counts the instructions of this processor, and needs the
right to read its counters.
"""

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from .. import huller_bench
from ..session import idle_machine


def add_arguments(parser):
    parser.add_argument("programs", nargs="+", type=Path, metavar="PROGRAM")
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--pairs", type=int, default=21, metavar="N", help="runs of each program (21)")
    parser.add_argument("--extractor", default="pvalue", metavar="NAME")
    parser.add_argument("--profile", default="tuned", choices=("tuned", "paper"))
    parser.add_argument(
        "--instructions", nargs="?", const="valgrind", choices=tuple(COUNTERS), metavar="BY",
        help="count instructions too, by valgrind (the default) or perf",
    )  # fmt: skip
    parser.add_argument("--busy-ok", action="store_true", help="run although the machine is busy")


def digest(folder):
    """A digest of all rows that a run wrote, as they are compressed."""
    outputs = sorted(folder.rglob("*.jsonl*"))
    found = hashlib.sha256()
    for path in outputs:
        if "_huller" not in path.parts:
            found.update(path.read_bytes())
    return found.hexdigest()


def by_valgrind(command, work):
    """Instructions of a run, as callgrind counts them."""
    counted = work / "counted"
    usage = huller_bench.timed(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", *command])
    if usage.fault:
        raise SystemExit(f"error: valgrind: {usage.fault}")
    return int(re.search(r"^(?:summary|totals): (\d+)", counted.read_text(), re.M)[1])


def by_perf(command, work):
    """Instructions of a run in user mode, as the processor counts them."""
    counted = work / "counted"
    perf = ["perf", "stat", "--event", "instructions:u", "--field-separator", ",", "--output", counted, "--"]
    done = subprocess.run([*perf, *command], capture_output=True, text=True, check=False)
    found = re.search(r"^(\d+),", counted.read_text(), re.M) if counted.exists() else None
    if done.returncode or found is None:
        raise SystemExit("error: perf cannot count instructions here\nhint: --instructions valgrind")
    return int(found[1])


COUNTERS = {"valgrind": by_valgrind, "perf": by_perf}


def measure(args, options, work):
    """The usage of each run by program, and all digests of rows."""
    usages, digests = [[] for _ in args.programs], set()
    numbered = list(enumerate(args.programs))
    for pair in range(args.pairs):
        for number, program in numbered if pair % 2 == 0 else reversed(numbered):
            usage, _ = huller_bench.extract(program, options, [args.corpus], work / "out")
            digests.add(digest(work / "out"))
            shutil.rmtree(work / "out")
            usages[number].append(usage)
    return usages, digests


def count(args, options, work):
    """Instructions of one run of each program."""
    for program in args.programs:
        command = [program, "extract", *options, "--quiet", "-o", work / "out", args.corpus]
        yield COUNTERS[args.instructions](command, work)
        shutil.rmtree(work / "out")


def table(programs, usages, counts):
    """One line per program; ratios are to the first."""
    lines = [
        "| program | CPU s | least – greatest | ratio of CPU, pair by pair | least – greatest | peak RSS MB | instructions, millions | ratio |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for number, program in enumerate(programs):
        cpu = [usage.cpu_s for usage in usages[number]]
        ratios = [own / first.cpu_s for own, first in zip(cpu, usages[0])]
        memory = median(usage.rss_mb for usage in usages[number])
        counted = f"{counts[number] / 1e6:,.1f} | {counts[number] / counts[0]:.4f}" if counts else "- | -"
        lines.append(
            f"| {program} | {median(cpu):.3f} | {min(cpu):.3f} – {max(cpu):.3f} | {median(ratios):.3f} "
            f"| {min(ratios):.3f} – {max(ratios):.3f} | {memory:.1f} | {counted} |"
        )
    return lines


def run(args):
    if len(args.programs) < 2:
        raise SystemExit("error: which programs?\nhint: bench compare A B CORPUS")
    machine = idle_machine(args.busy_ok)
    options = ["-j1", "--extractor", args.extractor, "--profile", args.profile]
    with tempfile.TemporaryDirectory(prefix="bench-compare-") as folder:
        usages, digests = measure(args, options, Path(folder))
        counts = list(count(args, options, Path(folder))) if args.instructions else []
    method = f"{args.extractor} ({args.profile})"
    others = median(usage.others_cores for column in usages for usage in column)
    print(f"{machine.processor}, {others:.2f} cores busy with other programs; {args.corpus.name}, {method}, {args.pairs} pairs\n")
    print("\n".join(table(args.programs, usages, counts)))
    if len(digests) > 1:
        raise SystemExit("error: the programs do not write the same rows")
