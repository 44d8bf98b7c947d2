#!/usr/bin/env python3
"""Kill runs at random moments, resume them, and compare with an unbroken run.

    kill-resume.py [WARC] [--huller PROGRAM] [-j N] [--trials N] [--seed N]

Runs `huller extract` over one archive to its end and measures how long that
takes. Then, trial after trial: starts the same run, kills it (SIGKILL) at a
random moment, resumes it, kills that too where the trial has several kills,
and lets the last one end. Outputs, journal, statistics and rejects must equal
those of the unbroken run byte for byte; lock and timing.jsonl are left out.

Without an archive it makes one of about 200 MB uncompressed from the bundled
sample, with a damaged member now and then. Exits with 1 if anything differs,
or if fewer than a third of the kills hit a run with a non-empty .part.

Python 3.9 or newer, standard library only.
"""

import argparse
import gzip
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_COMPARED = {"_huller/lock", "_huller/timing.jsonl"}
RAW_BYTES = 200_000_000


def sample_records():
    """The records of the sample, uncompressed."""
    data = (ROOT / "data" / "sample.warc.gz").read_bytes()
    records = []
    while data:
        member = zlib.decompressobj(31)
        records.append(member.decompress(data) + member.flush())
        data = member.unused_data
    return records


def write_corpus(path, raw_bytes):
    """The sample over and over, ids changed, a member in a thousand damaged."""
    field = b"\r\nWARC-Record-ID: <urn:uuid:"
    records = sample_records()
    written = number = 0
    with open(path, "wb") as file:
        while written < raw_bytes:
            copy, which = divmod(number, len(records))
            record = records[which]
            at = record.index(field) + len(field)
            record = record[:at] + b"%08x" % copy + record[at + 8 :]
            member = bytearray(gzip.compress(record, 1, mtime=0))
            if number % 1000 == 301:
                member[len(member) // 2] ^= 0xFF
            if number % 1000 == 801:
                del member[len(member) // 2 :]
            file.write(member)
            written += len(record)
            number += 1


def contents(folder):
    """Digest of every file that must be the same however a run went."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in NOT_COMPARED:
            files[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


class Run:
    """One output folder, with the rejects beside the outputs."""

    def __init__(self, args, archive, folder):
        self.folder = folder
        self.command = [args.huller, "extract", str(archive), "-o", str(folder), "-q"]
        self.command += ["-j%d" % args.jobs, "--rejects", str(folder / "rejects.jsonl")]

    def to_the_end(self, resume):
        """Lets it run; gives the seconds."""
        begun = time.monotonic()
        subprocess.run(self.command + ["--resume"] * resume, check=True)
        return time.monotonic() - begun

    def killed_after(self, seconds, resume):
        """Kills it after so many seconds; False if it ended before."""
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
        path = self.folder / "_huller" / "checkpoint.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0


def differences(expected, found):
    names = sorted(set(expected) | set(found))
    return [name for name in names if expected.get(name) != found.get(name)]


def trial(number, args, archive, work, expected, seconds, chance):
    """Kills and resumes one run; gives the number of kills, of those with a .part, and what differs."""
    folder = work / ("trial-%d" % number)
    run = Run(args, archive, folder)
    # Every third trial is killed again after it was resumed.
    kills = 3 if number % 3 == 2 else 1
    # Moments are spread over the run: each trial has a slice of it to itself.
    first = (number + chance.random()) / args.trials
    hits = parts = 0
    for kill in range(kills):
        moment = seconds * (first / kills if kill == 0 else chance.random() * (1 - first) / kills)
        while not run.killed_after(moment, resume=kill > 0):
            if kill > 0:
                break
            # The machine is faster now than when it was measured: once more, and earlier.
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
    wrong = differences(expected, contents(folder))
    print("  %s" % ("DIFFERS: " + ", ".join(wrong) if wrong else "same"), flush=True)
    shutil.rmtree(folder)
    return hits, parts, wrong


def main():
    parser = argparse.ArgumentParser(description="Kill runs at random moments, resume, compare.")
    parser.add_argument("archive", nargs="?", type=Path)
    parser.add_argument("--huller", default=str(ROOT / "target" / "release" / "huller"))
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="kill-resume-") as name:
        work = Path(name)
        archive = args.archive
        if archive is None:
            archive = work / "corpus.warc.gz"
            write_corpus(archive, RAW_BYTES)
        whole = Run(args, archive, work / "whole")
        seconds = whole.to_the_end(resume=False)
        expected = contents(whole.folder)
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


if __name__ == "__main__":
    sys.exit(main())
