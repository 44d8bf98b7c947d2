#!/usr/bin/env python3
"""Faults of disk, memory of disk and neighbours: nothing is lost or written twice, or the run says what it could not do.

    faults.py [--huller PROGRAM] [--only NAME] [--cuts N] [--seed N]

Runs `huller extract` over three small archives with damage in them, a C library before it that makes one chosen call go wrong
(scripts/faults/shim.c, built here), and then goes on without. Outputs, journal, statistics and rejects must equal those of an
unbroken run byte for byte.

  output   ENOSPC and EIO on open, write (whole and half), fsync, rename, unlink of every file a run writes: exit 5, and resumed
  kills    SIGKILL before, amid and after the same calls, resumed
  input    EIO on reading: exit 1, the others are done, resumed; inputs that vanish, grow, or are put back; rows to a pipe
  again    EIO when the remains of a run are read and put in order, kills amid that: exit 5, and resumed
  folder   read-only, or in use by another run: refused
  full     a small full tmpfs (needs the right to mount), given room, resumed
  power    the power is cut after any change; what was not synced is lost in part or wholly (scripts/faults/disk.py), resumed

Exits with 1 if anything differs. Linux with a C compiler, Python 3.9 or newer.
"""

import argparse
import errno
import hashlib
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts" / "faults"))
from disk import Disk, read_log  # noqa: E402

# Far longer than any run takes, but a busy disk may keep one waiting.
PATIENCE = 600
NOT_COMPARED = {"out/_huller/lock", "out/_huller/timing.jsonl"}
RUN_FILES = ["journal.jsonl", "journal.jsonl.new", "checkpoint.jsonl", "stats.json", "stats.csv"]
# Every call by which a run changes the disk: what, on a path that ends so (or holds what stands before a star).
CALLS = [("open", ".part"), ("write", ".part"), ("fsync", ".part"), ("rename", ".jsonl.zst"), ("fsync", "/out"), ("fsync", "/deep")]
CALLS += [(op, f"_huller/{name}") for name in RUN_FILES for op in ("open", "write")]
# A fresh run has nothing to write there; a resumed one has, see `again`.
CALLS.remove(("write", "_huller/journal.jsonl.new"))
CALLS += [("fsync", f"_huller/{name}") for name in RUN_FILES if name != "checkpoint.jsonl"]
CALLS += [("rename", "_huller/journal.jsonl"), ("unlink", "_huller/checkpoint.jsonl"), ("fsync", "/_huller")]
CALLS += [("open", "_SUCCESS"), ("fsync", "_SUCCESS"), ("write", "timing.jsonl"), ("open", "lock")]
CALLS += [(op, "rejects.jsonl") for op in ("open", "write", "fsync")]


class Bench:
    """A folder with inputs (`in`) and one run's outputs (`out`, `rejects.jsonl`)."""

    def __init__(self, args, work):
        self.huller, self.work, self.place = args.huller, work, work / "run"
        self.shim = work / "shim.so"
        command = ["cc", "-O1", "-shared", "-fPIC", "-o", self.shim, ROOT / "scripts" / "faults" / "shim.c", "-ldl", "-lpthread"]
        subprocess.run(command, check=True)
        self.write_inputs()
        self.failed = self.done = 0
        self.fresh()
        status, said = self.run()
        assert status == 0, said
        self.expected = self.contents()

    def write_inputs(self):
        spec = importlib.util.spec_from_file_location("kill_resume", ROOT / "scripts" / "kill-resume.py")
        corpus = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(corpus)
        (self.work / "in" / "deep").mkdir(parents=True)
        for name, size in [("a.warc.gz", 24_000_000), ("b.warc.gz", 9_000_000), ("deep/c.warc.gz", 12_000_000)]:
            corpus.write_corpus(self.work / "in" / name, size)

    def fresh(self):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        (self.place / "in").symlink_to(self.work / "in")

    def own_inputs(self):
        """Inputs that may be spoilt."""
        (self.place / "in").unlink()
        shutil.copytree(self.work / "in", self.place / "in")

    def start(self, *more, **environment):
        command = [self.huller, "extract", "in", "-o", "out", "-q", "-j2", "--rejects", "rejects.jsonl", *more]
        variables = {**os.environ, **environment}
        if environment:
            variables.update(LD_PRELOAD=str(self.shim), FAULT_ROOT=str(self.place))
        return subprocess.Popen(command, cwd=self.place, env=variables, stderr=subprocess.PIPE, text=True)

    def run(self, *more, **environment):
        process = self.start(*more, **environment)
        # Second by second: the clock goes on while this and the run are stopped, or the machine sleeps, and that is no hang.
        for _ in range(PATIENCE):
            try:
                _, said = process.communicate(timeout=1)
                return process.returncode, said
            except subprocess.TimeoutExpired:
                pass
        # Whether it waits for the disk, for a processor, or for itself.
        threads = [f"{task.joinpath('comm').read_text().strip()}: {task.joinpath('syscall').read_text().split()[0]}"
                   for task in Path(f"/proc/{process.pid}/task").iterdir()]
        process.kill()
        process.communicate()
        return "hung", f"after {PATIENCE} s, threads and their system calls: {', '.join(threads)}"

    def contents(self):
        files = {}
        for path in sorted(self.place.rglob("*")):
            name = path.relative_to(self.place).as_posix()
            if path.is_file() and not name.startswith("in/") and name not in NOT_COMPARED:
                files[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return files

    def unordered(self):
        """The same, but for the order in which inputs were done: an input that failed is done last."""
        files = self.contents()
        lines = (self.place / "out" / "_huller" / "journal.jsonl").read_text().splitlines()
        entries = [{**json.loads(line), "rejects_bytes": None} for line in lines]
        files["out/_huller/journal.jsonl"] = sorted(json.dumps(entry) for entry in entries)
        files["rejects.jsonl"] = sorted((self.place / "rejects.jsonl").read_text().splitlines())
        return files

    def count(self, op, name, *more):
        """How often a run makes that call."""
        path = self.work / "count"
        path.write_text("0")
        self.run(*more, FAULT=f"{op}:{name}:0:1", FAULT_COUNT=str(path))
        return int(path.read_text())

    def resumed(self, expected=None):
        """Goes on without faults; gives what is wrong."""
        expected = expected or self.expected
        status, said = self.run("--resume")
        if status != 0:
            return f"resume ended with {status}: {said.strip()}"
        found = self.contents()
        wrong = [name for name in sorted(set(expected) | set(found)) if expected.get(name) != found.get(name)]
        return f"differs after --resume: {', '.join(wrong)}" if wrong else ""

    def verdict(self, what, *faults):
        wrong = "; ".join(fault for fault in faults if fault)
        self.done += 1
        self.failed += bool(wrong)
        if wrong:
            print(f"  {what}: {wrong}", flush=True)


def ended(status, said, expected, *words):
    """What is wrong with how a run ended."""
    if status != expected:
        return f"exit status {status}, {expected} expected: {said.strip()[-300:]}"
    missing = [word for word in words if word not in said]
    return f"the message lacks {missing}: {said.strip()}" if missing or "panicked" in said else ""


def moments(times):
    return sorted({1, 2, times // 2, times - 1, times} & set(range(1, times + 1)))


def counted(bench):
    """Every call with the moments at which it is to be struck."""
    for op, name in CALLS:
        bench.fresh()
        times = bench.count(op, name)
        if times == 0:
            bench.verdict(f"{op} {name}", "a run does not make that call")
        for nth in moments(times):
            yield op, name, nth


def output(bench):
    for op, name, nth in counted(bench):
        for number in [errno.ENOSPC, errno.EIO] + [-errno.ENOSPC] * (op == "write"):
            bench.fresh()
            status, said = bench.run(FAULT=f"{op}:{name}:{nth}:{number}")
            cause = os.strerror(abs(number))
            bench.verdict(f"{op} {name} #{nth} {cause}", ended(status, said, 5, "error: cannot ", cause), bench.resumed())


def kills(bench):
    for op, name, nth in counted(bench):
        for act in ["kill", "killed"]:
            bench.fresh()
            status, said = bench.run(FAULT=f"{op}:{name}:{nth}:{act}")
            bench.verdict(f"{act} {op} {name} #{nth}", ended(status, said, -9), bench.resumed())


def inputs(bench):
    whole = None
    for name in ["a.warc.gz", "b.warc.gz", "c.warc.gz"]:
        bench.fresh()
        for nth in moments(bench.count("read", name)):
            bench.fresh()
            status, said = bench.run(FAULT=f"read:{name}:{nth}:{errno.EIO}")
            first = ended(status, said, 1, name, os.strerror(errno.EIO))
            unsettled = "_SUCCESS is there" if (bench.place / "out" / "_SUCCESS").exists() else ""
            bench.run("--resume")
            if whole is None:
                keep = bench.unordered()
                bench.fresh()
                bench.run()
                whole = bench.unordered()
                differs = "" if keep == whole else "differs after --resume"
            else:
                differs = "" if bench.unordered() == whole else "differs after --resume"
            bench.verdict(f"EIO on read #{nth} of {name}", first, unsettled, differs)
    gone_and_grown(bench, whole)
    to_stdout(bench)


def to_stdout(bench):
    """Rows that have gone to standard output cannot be taken back: they are in the account."""
    bench.fresh()
    times = bench.count("read", "a.warc.gz")
    variables = dict(LD_PRELOAD=str(bench.shim), FAULT_ROOT=str(bench.place), FAULT=f"read:a.warc.gz:{times * 2 // 3}:{errno.EIO}")
    command = [bench.huller, "extract", "in", "-o", "-", "-j2"]
    ran = subprocess.run(command, cwd=bench.place, env={**os.environ, **variables}, capture_output=True, check=False)
    said = ran.stderr.decode()
    rows = ran.stdout.count(b"\n")
    written = [int(line.split()[-1].replace(",", "")) for line in said.splitlines() if line.split()[:1] == ["written"]]
    counted = "" if written == [rows] and rows > 0 else f"{rows} rows, {written} in the account"
    bench.verdict("EIO on read with rows to standard output", ended(ran.returncode, said, 1, "a.warc.gz"), counted)


def gone_and_grown(bench, whole):
    original = bench.work / "in"
    for nth in [1, 3]:
        bench.fresh()
        bench.own_inputs()
        status, said = bench.run(FAULT=f"read:b.warc.gz:{nth}:vanish")
        # What is open is read to its end, unless damage makes it be opened again; what is not open is missed.
        fault = "" if status == 0 or not ended(status, said, 1, "b.warc.gz", os.strerror(errno.ENOENT)) else f"status {status}: {said}"
        shutil.copy(original / "b.warc.gz", bench.place / "in" / "b.warc.gz")
        again, said = bench.run("--resume")
        same = "" if bench.unordered() == whole else "differs after it was put back"
        bench.verdict(f"input vanishes at read #{nth}", fault, ended(again, said, 0), same)
    bench.fresh()
    bench.own_inputs()
    (bench.place / "in" / "b.warc.gz").unlink()
    status, said = bench.run("in/b.warc.gz")
    bench.verdict("input that was never there", ended(status, said, 1, "b.warc.gz", os.strerror(errno.ENOENT)))
    for nth in [1, 3]:
        bench.fresh()
        bench.own_inputs()
        more = original / "deep" / "c.warc.gz"
        status, said = bench.run(FAULT=f"read:b.warc.gz:{nth}:grow", FAULT_MORE=str(more))
        first = ended(status, said, 1, "b.warc.gz", "changed during the run")
        half = "it got its name" if (bench.place / "out" / "b.jsonl.zst").exists() else ""
        again, said = bench.run("--resume")
        resumed = bench.unordered()
        for name in ["out", "rejects.jsonl"]:
            path = bench.place / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        bench.run()
        same = "" if bench.unordered() == resumed else "differs from a run over the grown input"
        bench.verdict(f"input grows at read #{nth}", first, half, ended(again, said, 0), same)


def again(bench):
    """The remains of a run that was killed cannot be read."""
    for name in [".part", "journal.jsonl", "checkpoint.jsonl", "rejects.jsonl"]:
        bench.fresh()
        times = bench.count("write", ".part")
        bench.fresh()
        bench.run(FAULT=f"write:.part:{times * 2 // 3}:kill")
        status, said = bench.run("--resume", FAULT=f"read:{name}:1:{errno.EIO}")
        bench.verdict(f"EIO on reading {name} back", ended(status, said, 5, os.strerror(errno.EIO)), bench.resumed())
    bench.fresh()
    parts = bench.count("write", "a.jsonl.zst.part")
    calls = [("write", "journal.jsonl.new"), ("fsync", "journal.jsonl.new"), ("rename", "journal.jsonl")]
    calls += [("truncate", ".part"), ("truncate", "rejects.jsonl"), ("write", "checkpoint.jsonl"), ("unlink", "_SUCCESS")]
    for op, name in calls:
        for act, expected in [(str(errno.EIO), 5), ("kill", -9), ("killed", -9)]:
            bench.fresh()
            if name == ".part":
                bench.run(FAULT=f"write:a.jsonl.zst.part:{parts * 2 // 3}:kill")
            else:
                # Some of it is in the journal.
                bench.run(FAULT="write:b.jsonl.zst.part:2:kill")
            if name == "_SUCCESS":
                bench.run("--resume")
            status, said = bench.run("--resume", FAULT=f"{op}:{name}:1:{act}")
            bench.verdict(f"{act} at {op} {name} while resuming", ended(status, said, expected), bench.resumed())


def folder(bench):
    bench.fresh()
    status, said = bench.run(FAULT=f"open:/out/*:1+:{errno.EROFS}")
    bench.verdict("read-only output", ended(status, said, 5, os.strerror(errno.EROFS)), bench.resumed())
    bench.fresh()
    first = bench.start(FAULT="write:.part:2:stop")
    while os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
    before = bench.contents()
    for more in [[], ["--resume"], ["--overwrite"]]:
        status, said = bench.run(*more)
        touched = "" if bench.contents() == before else "it touched the folder"
        bench.verdict(f"second run {more}", ended(status, said, 4, "locked by another run"), touched)
    first.send_signal(signal.SIGCONT)
    _, said = first.communicate()
    same = "" if bench.contents() == bench.expected else "differs"
    bench.verdict("the first goes on", ended(first.returncode, said, 0), same)


def full(bench):
    for kilobytes in [64, 200, 900, 2500]:
        bench.fresh()
        (bench.place / "out").mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", bench.place / "out"]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            print("  skipped: no right to mount a tmpfs")
            return
        try:
            status, said = bench.run()
            first = ended(status, said, 5, os.strerror(errno.ENOSPC))
            subprocess.run(["mount", "-o", "remount,size=100m", bench.place / "out"], check=True)
            bench.verdict(f"tmpfs of {kilobytes} KB", first, bench.resumed())
        finally:
            subprocess.run(["umount", bench.place / "out"], check=True)


def power(bench, cuts, chance):
    bench.fresh()
    log = bench.work / "changes.log"
    bench.run(FAULT_LOG=str(log))
    changes = read_log(log)
    made = bench.contents()
    Disk(bench.place, changes).write("whole", chance, new_folder(bench))
    assert bench.contents() == made, "the model does not make what the run made"
    points = list(range(len(changes) + 1))
    chosen = sorted(chance.sample(points, min(cuts, len(points))))
    for kind in ["strict", "torn", "torn", "whole"]:
        for point in chosen:
            disk = Disk(bench.place, changes[:point])
            disk.write(kind, chance, new_folder(bench))
            fault = ""
            if (bench.place / "out" / "_SUCCESS").exists() and bench.contents() != bench.expected:
                fault = "_SUCCESS lasted and something else did not"
            bench.verdict(f"power cut after change {point} of {len(changes)}, {kind}", fault, bench.resumed())
    print(f"  {len(changes)} changes, cut at {len(chosen)} places", flush=True)


def new_folder(bench):
    bench.fresh()
    return bench.place


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--huller", type=Path, default=ROOT / "target" / "release" / "huller")
    parser.add_argument("--only", help="one kind of fault")
    parser.add_argument("--cuts", type=int, default=100, metavar="N", help="moments of a power cut (100), four disks each")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.huller = args.huller.resolve()
    chance = random.Random(args.seed)
    kinds = {"output": output, "kills": kills, "input": inputs, "again": again, "folder": folder, "full": full}
    kinds["power"] = lambda bench: power(bench, args.cuts, chance)
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        bench = Bench(args, Path(name))
        for kind, faults in kinds.items():
            if args.only in (None, kind):
                before = bench.done, bench.failed
                faults(bench)
                done, failed = bench.done - before[0], bench.failed - before[1]
                print(f"{kind}: {done - failed} of {done} right", flush=True)
    print(f"{bench.done - bench.failed} of {bench.done} right")
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
