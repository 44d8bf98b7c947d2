"""How `huller extract` scales to 64 cores: a model of its pipeline with measured costs, checked on 1 and 2 cores.

    bench scaling CORPUS... [--runs N] [--huller PROGRAM] [--extractor NAME] [--name NAME] [--busy-ok]

Runs -j1 on one core, -j1 on two and -j2 on two in alternation, reads the clock of every thread (reader, workers, writer) from
/proc, and takes medians. Batches share the workers' time by the bytes of their rows; all batches cost reader and writer the same.
The model (pipeline_model.py) gets the costs of -j1, and beside them those of -j2, which include the contention of two workers. The
report says which stage is the bottleneck, and from how many cores on.

A corpus needs its manifest (by `bench corpus`, describe-corpus or `bench forms`), which has its size before compression. Writes
benches/runs/DATE-NAME/README.md. Needs Linux.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from .. import stages
from ..pipeline_model import Costs, simulate
from ..session import Session, session_arguments

CORES = (1, 2, 4, 8, 16, 32, 64)
BATCHES_A_WORKER = 200  # at least; with fewer, start and end of the run weigh too much
GOAL = 220  # MB of raw WARC per second and core
EMPTY = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"


def add_arguments(parser):
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--extractor", default="pvalue", metavar="NAME")
    session_arguments(parser, "scaling")


class Measured:
    """The runs over one corpus in one setting."""

    def __init__(self, what, workers, cores):
        self.what, self.workers, self.cores = what, workers, cores
        self.runs = []

    def middle(self, name):
        """Median of a figure over the runs."""
        return median(getattr(run, name) for run in self.runs)


def settings():
    """The runs to measure, as many as the machine has cores for."""
    cores = sorted(os.sched_getaffinity(0))
    wanted = [("-j1 on one core", 1, 1), ("-j1 on two cores", 1, 2), ("-j2 on two cores", 2, 2)]
    return [Measured(what, workers, set(cores[:count])) for what, workers, count in wanted if count <= len(cores)]


def run_all(args, corpus, work):
    """All settings, round after round, and the start of the program."""

    def once(inputs, workers, cores):
        out = work / "out"
        options = [f"-j{workers}", "--extractor", args.extractor]
        run = stages.measure(args.huller, options, inputs, out, cores)
        shutil.rmtree(out)
        return run

    empty = work / "empty.warc"
    empty.write_bytes(EMPTY)
    measured = settings()
    start = Measured("start", 1, set(os.sched_getaffinity(0)))
    for round_ in range(args.runs):
        start.runs.append(once([empty], 1, start.cores))
        for setting in measured if round_ % 2 == 0 else reversed(measured):
            setting.runs.append(once([corpus], setting.workers, setting.cores))
            run = setting.runs[-1]
            print(f"{corpus.name}, round {round_ + 1}, {setting.what}: {run.wall_s:.3f} s, CPU {run.cpu_s:.3f} s", file=sys.stderr)
    return start, measured


def costs_of(start, measured, times=1):
    """The costs for the model, from one setting; its batches repeat `times` times."""
    rows = measured.runs[0].rows_a_batch
    batches, whole = len(rows), max(sum(rows), 1)
    worker = [measured.middle("workers_s") * size / whole for size in rows]
    reader = [measured.middle("reader_s") / batches] * batches
    # The main thread's work before the first batch and after the last is in `start`.
    writer = [max(measured.middle("writer_s") - start.middle("writer_s"), 0.0) / batches] * batches
    return Costs(reader * times, worker * times, writer * times, start.middle("wall_s"))


def validation(start, measured):
    """The model beside the settings that were measured."""
    by_what = {setting.what: setting for setting in measured}
    lines = [
        "| setting | CPU s | reader | workers | writer | wall s, median | least – greatest | by the model | off |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for what, setting in by_what.items():
        model = simulate(costs_of(start, setting), len(setting.cores), setting.workers)
        walls = [run.wall_s for run in setting.runs]
        lines.append(
            f"| {what} | {setting.middle('cpu_s'):.3f} | {setting.middle('reader_s'):.3f} | {setting.middle('workers_s'):.3f} "
            f"| {setting.middle('writer_s'):.3f} | {median(walls):.3f} | {min(walls):.3f} – {max(walls):.3f} "
            f"| {model.wall_s:.3f} | {100 * (model.wall_s / median(walls) - 1):+.1f} % |"
        )
    return lines


def speeds(costs, raw_mb, times):
    """MB per second at every number of cores, one worker per core, without start and end."""
    for cores in CORES:
        course = simulate(costs, cores, cores)
        yield cores, raw_mb * times / (course.wall_s - costs.fixed_s), course


def limits(start, setting, raw_mb):
    """MB per second of each serial stage alone, the slower stage, and the number of cores from which it is the bottleneck."""
    costs = costs_of(start, setting)
    reader, worker, writer = sum(costs.reader), sum(costs.worker), sum(costs.writer)
    serial = {"reader": reader, "writer": writer}
    name = max(serial, key=serial.get)
    alone = {stage: raw_mb / seconds if seconds else float("inf") for stage, seconds in serial.items()}
    return alone, name, (reader + worker + writer) / serial[name] if serial[name] else float("inf")


def extrapolation(start, measured, raw_mb):
    """From 1 to 64 cores, with the costs of one worker and with those of two."""
    one = next(setting for setting in measured if setting.workers == 1 and len(setting.cores) == min(2, len(os.sched_getaffinity(0))))
    two = next((setting for setting in measured if setting.workers == 2), one)
    times = -(-BATCHES_A_WORKER * CORES[-1] // one.runs[0].batches)
    lines = [
        "| cores | MB/s | a core | reader busy | workers | writer | MB/s at the costs of -j2 | a core |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows = zip(speeds(costs_of(start, one, times), raw_mb, times), speeds(costs_of(start, two, times), raw_mb, times))
    for (cores, rate, course), (_, crowded, _) in rows:
        lines.append(
            f"| {cores} | {rate:,.0f} | {rate / cores:,.0f} | {100 * course.reader:.0f} % | {100 * course.worker:.0f} % "
            f"| {100 * course.writer:.0f} % | {crowded:,.0f} | {crowded / cores:,.0f} |"
        )
    alone, name, cores = limits(start, one, raw_mb)
    last = crowded / CORES[-1]
    verdict = "reaches" if last >= GOAL else "misses"
    bound = f"the {name} is the bound from {cores:,.0f} cores on" if cores <= CORES[-1] else (
        f"the workers are the bound up to {CORES[-1]} cores and beyond: the {name} would be from {cores:,.0f} cores on"
    )  # fmt: skip
    return [
        *lines, "",
        f"Reader alone: {alone['reader']:,.0f} MB/s; writer alone: {alone['writer']:,.0f} MB/s; so {bound}. With the costs of -j2, "
        f"{last:,.0f} MB/s a core at {CORES[-1]} cores {verdict} the {GOAL} of the goal.",
    ]  # fmt: skip


def run(args):
    session = Session(args)
    sections, runs = [], []
    with tempfile.TemporaryDirectory(prefix="scaling-") as work:
        for corpus in args.corpora:
            known = json.loads(Path(f"{corpus}.json").read_text())
            raw_mb, packed = known["raw_bytes"] / 1e6, corpus.stat().st_size / 1e6
            corpus.read_bytes()  # into the page cache
            start, measured = run_all(args, corpus, Path(work))
            runs += [(corpus.name, setting, number, run) for setting in (start, *measured) for number, run in enumerate(setting.runs)]
            sections += [
                f"## {corpus.name}", "",
                f"{raw_mb:,.1f} MB before compression, {packed:,.1f} MB as it lies there, {measured[0].runs[0].batches} batches. "
                f"Start: {start.middle('wall_s'):.3f} s.", "",
                *validation(start, measured), "", *extrapolation(start, measured, raw_mb), "",
                f"64 cores at {GOAL} MB/s each read {64 * GOAL * packed / raw_mb:,.0f} MB/s from storage.", "",
            ]  # fmt: skip
    session.measured()
    lines = session.head(f"Scaling, {args.extractor}")
    lines += [
        f"* medians of {args.runs} runs; CPU seconds of the threads by the scheduler's clock",
        "* the model assumes that every further core is like the measured ones (no contention for caches or memory, no lower clock when all",
        "  are busy, two threads of one core count as one), that storage is never slower than the reader, and that channels and wake-ups",
        "  cost the same with many workers as with two; one worker per core, four parcels per worker",
        "* the columns at the costs of -j2 include the contention of a second worker here, not of 63 more",
        "",
        *sections,
    ]
    columns = ["corpus", "setting", "run", "wall_s", "cpu_s", "reader_s", "workers_s", "writer_s", "batches"]
    rows = (
        [name, setting.what, number]
        + [f"{value:.6f}" for value in (run.wall_s, run.cpu_s, run.reader_s, run.workers_s, run.writer_s)]
        + [run.batches]
        for name, setting, number, run in runs
    )
    session.record("\n".join(lines), "runs.csv", columns, rows)

