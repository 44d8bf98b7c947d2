"""Kills runs at random moments, resumes them, and compares with an unbroken run.

    faults kill [WARC] [--huller PROGRAM] [-j N] [--trials N] [--seed N]

Runs `huller extract` over one archive to its end and measures the time. Then each trial starts the
same run, kills it (SIGKILL) at a random moment, and resumes it. Every third trial kills the resumed
run too, three times in all. The last run ends by itself. Outputs, journal, statistics and rejects
must equal those of the unbroken run byte for byte.

Without WARC the archive has 200 MB before compression, made from the bundled sample, with damaged members. Exits with 1 if a file
differs, or if fewer than a third of the kills hit a run with a non-empty .part.
"""

import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .archives import write_archive
from .outputs import digests, differences

RAW_BYTES = 200_000_000


def add_arguments(parser):
    parser.add_argument("archive", nargs="?", type=Path, metavar="WARC")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="workers (2)")
    parser.add_argument("--trials", type=int, default=20, metavar="N")


class Run:
    """One output folder, with the rejects beside the outputs."""

    def __init__(self, args, archive, folder):
        self.folder = folder
        self.command = [args.huller, "extract", str(archive), "-o", str(folder), "-q"]
        self.command += ["-j%d" % args.jobs, "--rejects", str(folder / "rejects.jsonl")]

    def to_the_end(self, resume):
        """Runs to the end; gives the seconds."""
        begun = time.monotonic()
        subprocess.run(self.command + ["--resume"] * resume, check=True)
        return time.monotonic() - begun

    def killed_after(self, seconds, resume):
        """Kills the run after so many seconds; False if it ended before."""
        process = subprocess.Popen(self.command + ["--resume"] * resume)
        try:
            process.wait(timeout=seconds)
            if process.returncode != 0:
                raise SystemExit("error: the run failed with %d" % process.returncode)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait() == -9

    def part_bytes(self):
        return sum(path.stat().st_size for path in self.folder.rglob("*.part"))

    def checkpoints(self):
        path = self.folder / "_huller" / "run.checkpoint"
        return path.read_bytes().count(b"\n") if path.exists() else 0


def trial(number, args, archive, work, expected, seconds, chance):
    """Kills and resumes one run; gives the number of kills, the number of kills with a .part, and the files that differ."""
    folder = work / ("trial-%d" % number)
    run = Run(args, archive, folder)
    kills = 3 if number % 3 == 2 else 1
    # The first kills of all trials are spread over the run: each trial has a slice of it.
    first = (number + chance.random()) / args.trials
    hits = parts = 0
    for kill in range(kills):
        moment = seconds * (first / kills if kill == 0 else chance.random() * (1 - first) / kills)
        while not run.killed_after(moment, resume=kill > 0):
            if kill > 0:
                break
            # The run ended before its kill, so the machine is faster now than in the unbroken run.
            # Try again, earlier.
            shutil.rmtree(folder)
            moment *= 0.5 + chance.random() / 2
        else:
            hits += 1
        if hits == kill:
            print("%5d %5d %9.3f  (had ended)" % (number + 1, kill + 1, moment), end="")
            break
        size, noted = run.part_bytes(), run.checkpoints()
        parts += size > 0
        line = (number + 1, kill + 1, moment, size, noted)
        print("%5d %5d %9.3f %12d %11d" % line, end="", flush=True)
        if kill + 1 < kills:
            print()
    run.to_the_end(resume=True)
    wrong = differences(expected, digests(folder))
    print("  %s" % ("DIFFERS: " + ", ".join(wrong) if wrong else "same"), flush=True)
    shutil.rmtree(folder)
    return hits, parts, wrong


def run(args):
    with tempfile.TemporaryDirectory(prefix="kill-resume-") as name:
        work = Path(name)
        archive = args.archive
        if archive is None:
            archive = work / "corpus.warc.gz"
            write_archive(archive, RAW_BYTES)
        whole = Run(args, archive, work / "whole")
        seconds = whole.to_the_end(resume=False)
        expected = digests(whole.folder)
        shutil.rmtree(whole.folder)
        about = (archive.name, archive.stat().st_size, seconds, args.jobs, args.seed)
        print("%s: %d bytes, unbroken run %.2f s with -j%d, seed %d" % about)
        print("trial  kill   seconds   .part bytes checkpoints  compared with the unbroken run")
        chance = random.Random(args.seed)
        results = [trial(n, args, archive, work, expected, seconds, chance) for n in range(args.trials)]

    hits = sum(hits for hits, _, _ in results)
    parts = sum(parts for _, parts, _ in results)
    wrong = sum(bool(wrong) for _, _, wrong in results)
    print("%d kills, %d with a non-empty .part; %d of %d trials differ" % (hits, parts, wrong, args.trials))
    return 1 if wrong or parts * 3 < hits or hits == 0 else 0

