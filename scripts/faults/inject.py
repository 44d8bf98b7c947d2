"""Makes calls of a run fail, kills it there, cuts the power; resumes, and compares byte for byte.

    faults inject [--huller PROGRAM] [--only KIND] [--cuts N] [--seed N]

Runs `huller extract` over three small archives with damage, with a C library in front that makes a chosen call go wrong (shim.c,
compiled here), then resumes without it. Outputs, journal, statistics and rejects must equal those of an unbroken run byte for byte.

  output   ENOSPC and EIO on open, write (whole and half), fsync, rename, unlink of every file of a run: exit 5, then resumed
  kills    SIGKILL before, during and after the same calls, then resumed
  input    EIO on reading: exit 1, the other inputs are done, then resumed; inputs that vanish, grow, or come back; rows to a pipe
  again    EIO when a resumed run reads and repairs what the killed run left, kills during that: exit 5, then resumed
  folder   read-only, or in use by another run: refused
  full     a full tmpfs (needs the right to mount), enlarged, then resumed
  power    the power is cut after any change; unsynced data is lost in part or wholly (disk.py), then resumed
  refine, dedup, index
           these commands over rows: SIGKILL, ENOSPC and EIO at every change of the disk, then resumed (rows.py)

Exits with 1 if anything differs. Needs a C compiler.
"""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from . import rows
from .disk import Disk, read_log
from .testbed import Testbed

RUN_FILES = ["run.journal", "run.journal.new", "run.config.new", "run.checkpoint", "run.account", "run.account.csv"]
# Every call by which a run changes the disk, and the end of its path (or, before a star, any part of it).
CALLS = [("open", ".part"), ("write", ".part"), ("fsync", ".part"), ("rename", ".jsonl.zst"), ("fsync", "/out"), ("fsync", "/deep")]
CALLS += [(op, f"_huller/{name}") for name in RUN_FILES for op in ("open", "write")]
# Only a resumed run writes this file, see `again`.
CALLS.remove(("write", "_huller/run.journal.new"))
CALLS += [("fsync", f"_huller/{name}") for name in RUN_FILES if name != "run.checkpoint"]
CALLS += [("rename", "_huller/run.journal"), ("rename", "_huller/run.config"), ("unlink", "_huller/run.checkpoint"), ("fsync", "/_huller")]
CALLS += [("open", "_SUCCESS"), ("fsync", "_SUCCESS"), ("write", "run.timing"), ("open", "lock")]
CALLS += [(op, name) for name in ("rejects.jsonl", "dropped.jsonl", ".sig.part") for op in ("open", "write", "fsync")]
CALLS += [("rename", ".jsonl.zst.sig")]


def ended(status, said, expected, *words):
    """What is wrong with how a run ended."""
    if status != expected:
        return f"exit status {status}, {expected} expected: {said.strip()[-300:]}"
    missing = [word for word in words if word not in said]
    return f"the message lacks {missing}: {said.strip()}" if missing or "panicked" in said else ""


def moments(times):
    """Occurrences to strike of a call that happens so many times: the first, the last and some between."""
    return sorted({1, 2, times // 2, times - 1, times} & set(range(1, times + 1)))


def counted(bed):
    """Every call, and which of its occurrences to strike."""
    for op, name in CALLS:
        bed.fresh()
        times = bed.count(op, name)
        if times == 0:
            bed.verdict(f"{op} {name}", "a run does not make that call")
        for nth in moments(times):
            yield op, name, nth


def output(bed):
    for op, name, nth in counted(bed):
        for number in [errno.ENOSPC, errno.EIO] + [-errno.ENOSPC] * (op == "write"):
            bed.fresh()
            status, said = bed.run(FAULT=f"{op}:{name}:{nth}:{number}")
            cause = os.strerror(abs(number))
            bed.verdict(f"{op} {name} #{nth} {cause}", ended(status, said, 5, "error: cannot ", cause), bed.resumed())


def kills(bed):
    for op, name, nth in counted(bed):
        for act in ["kill", "killed"]:
            bed.fresh()
            status, said = bed.run(FAULT=f"{op}:{name}:{nth}:{act}")
            bed.verdict(f"{act} {op} {name} #{nth}", ended(status, said, -9), bed.resumed())


def inputs(bed):
    whole = None
    for name in ["a.warc.gz", "b.warc.gz", "c.warc.gz"]:
        bed.fresh()
        for nth in moments(bed.count("read", name)):
            bed.fresh()
            # A place with damage is read by a worker and, where that fails, again by the writer: one failure there costs nothing.
            status, said = bed.run(FAULT=f"read:{name}:{nth}:{errno.EIO}")
            is_mended = status == 0 and bed.contents() == bed.expected
            bed.verdict(f"EIO on read #{nth} of {name}", "" if is_mended else ended(status, said, 1, name, os.strerror(errno.EIO)))
            bed.fresh()
            status, said = bed.run(FAULT=f"read:{name}:{nth}+:{errno.EIO}")
            first = ended(status, said, 1, name, os.strerror(errno.EIO))
            unsettled = "_SUCCESS is there" if (bed.place / "out" / "_SUCCESS").exists() else ""
            bed.run("--resume")
            if whole is None:
                keep = bed.unordered()
                bed.fresh()
                bed.run()
                whole = bed.unordered()
                differs = "" if keep == whole else "differs after --resume"
            else:
                differs = "" if bed.unordered() == whole else "differs after --resume"
            bed.verdict(f"EIO on read #{nth} of {name} and all after it", first, unsettled, differs)
    gone_and_grown(bed, whole)
    to_stdout(bed)


def to_stdout(bed):
    """Rows that have gone to standard output cannot be taken back: they are in the account."""
    bed.fresh()
    times = bed.count("read", "a.warc.gz")
    variables = dict(LD_PRELOAD=str(bed.shim), FAULT_ROOT=str(bed.place), FAULT=f"read:a.warc.gz:{times // 3}+:{errno.EIO}")
    command = [bed.huller, "extract", "in", "-o", "-", "-j2"]
    ran = subprocess.run(command, cwd=bed.place, env={**os.environ, **variables}, capture_output=True, check=False)
    said = ran.stderr.decode()
    rows = ran.stdout.count(b"\n")
    written = [int(line.split()[-1].replace(",", "")) for line in said.splitlines() if line.split()[:1] == ["written"]]
    counted = "" if written == [rows] and rows > 0 else f"{rows} rows, {written} in the account"
    bed.verdict("EIO on read with rows to standard output", ended(ran.returncode, said, 1, "a.warc.gz"), counted)


def gone_and_grown(bed, whole):
    original = bed.work / "in"
    for nth in [1, 3]:
        bed.fresh()
        bed.own_inputs()
        status, said = bed.run(FAULT=f"read:b.warc.gz:{nth}:vanish")
        # What is open is read to its end, unless damage makes it be opened again; what is not open is missed.
        fault = "" if status == 0 or not ended(status, said, 1, "b.warc.gz", os.strerror(errno.ENOENT)) else f"status {status}: {said}"
        shutil.copy(original / "b.warc.gz", bed.place / "in" / "b.warc.gz")
        again, said = bed.run("--resume")
        same = "" if bed.unordered() == whole else "differs after it was put back"
        bed.verdict(f"input vanishes at read #{nth}", fault, ended(again, said, 0), same)
    bed.fresh()
    bed.own_inputs()
    (bed.place / "in" / "b.warc.gz").unlink()
    status, said = bed.run("in/b.warc.gz")
    bed.verdict("input that was never there", ended(status, said, 1, "b.warc.gz", os.strerror(errno.ENOENT)))
    for nth in [1, 3]:
        bed.fresh()
        bed.own_inputs()
        more = original / "deep" / "c.warc.gz"
        status, said = bed.run(FAULT=f"read:b.warc.gz:{nth}:grow", FAULT_MORE=str(more))
        first = ended(status, said, 1, "b.warc.gz", "changed during the run")
        half = "it got its name" if (bed.place / "out" / "b.jsonl.zst").exists() else ""
        again, said = bed.run("--resume")
        resumed = bed.unordered()
        for name in ["out", "rejects.jsonl", "dropped"]:
            path = bed.place / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        bed.run()
        same = "" if bed.unordered() == resumed else "differs from a run over the grown input"
        bed.verdict(f"input grows at read #{nth}", first, half, ended(again, said, 0), same)


def again(bed):
    """The remains of a run that was killed cannot be read."""
    for name in [".part", "run.journal", "run.checkpoint", "rejects.jsonl"]:
        bed.fresh()
        times = bed.count("write", ".part")
        bed.fresh()
        bed.run(FAULT=f"write:.part:{times * 2 // 3}:kill")
        status, said = bed.run("--resume", FAULT=f"read:{name}:1:{errno.EIO}")
        bed.verdict(f"EIO on reading {name} back", ended(status, said, 5, os.strerror(errno.EIO)), bed.resumed())
    bed.fresh()
    parts = bed.count("write", "a.jsonl.zst.part")
    calls = [("write", "run.journal.new"), ("fsync", "run.journal.new"), ("rename", "run.journal")]
    calls += [("truncate", ".part"), ("truncate", "rejects.jsonl"), ("write", "run.checkpoint"), ("unlink", "_SUCCESS")]
    for op, name in calls:
        for act, expected in [(str(errno.EIO), 5), ("kill", -9), ("killed", -9)]:
            bed.fresh()
            if name == ".part":
                bed.run(FAULT=f"write:a.jsonl.zst.part:{parts * 2 // 3}:kill")
            else:
                # Some of it is in the journal.
                bed.run(FAULT="write:b.jsonl.zst.part:2:kill")
            if name == "_SUCCESS":
                bed.run("--resume")
            status, said = bed.run("--resume", FAULT=f"{op}:{name}:1:{act}")
            bed.verdict(f"{act} at {op} {name} while resuming", ended(status, said, expected), bed.resumed())


def folder(bed):
    bed.fresh()
    status, said = bed.run(FAULT=f"open:/out/*:1+:{errno.EROFS}")
    bed.verdict("read-only output", ended(status, said, 5, os.strerror(errno.EROFS)), bed.resumed())
    bed.fresh()
    first = bed.start(FAULT="write:.part:2:stop")
    while os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
    before = bed.contents()
    for more in [[], ["--resume"], ["--overwrite"]]:
        status, said = bed.run(*more)
        touched = "" if bed.contents() == before else "it touched the folder"
        bed.verdict(f"second run {more}", ended(status, said, 4, "locked by another run"), touched)
    first.send_signal(signal.SIGCONT)
    _, said = first.communicate()
    same = "" if bed.contents() == bed.expected else "differs"
    bed.verdict("the first goes on", ended(first.returncode, said, 0), same)


def full(bed):
    for kilobytes in [64, 200, 900, 2500]:
        bed.fresh()
        (bed.place / "out").mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", bed.place / "out"]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            print("  skipped: no right to mount a tmpfs")
            return
        try:
            status, said = bed.run()
            first = ended(status, said, 5, os.strerror(errno.ENOSPC))
            subprocess.run(["mount", "-o", "remount,size=100m", bed.place / "out"], check=True)
            bed.verdict(f"tmpfs of {kilobytes} KB", first, bed.resumed())
        finally:
            subprocess.run(["umount", bed.place / "out"], check=True)


def power(bed, cuts, chance):
    bed.fresh()
    log = bed.work / "changes.log"
    bed.run(FAULT_LOG=str(log))
    changes = read_log(log)
    made = bed.contents()
    Disk(bed.place, changes).write("whole", chance, new_folder(bed))
    assert bed.contents() == made, "the model does not make what the run made"
    points = list(range(len(changes) + 1))
    chosen = sorted(chance.sample(points, min(cuts, len(points))))
    for kind in ["strict", "torn", "torn", "whole"]:
        for point in chosen:
            disk = Disk(bed.place, changes[:point])
            disk.write(kind, chance, new_folder(bed))
            fault = ""
            if (bed.place / "out" / "_SUCCESS").exists() and bed.contents() != bed.expected:
                fault = "_SUCCESS lasted and something else did not"
            bed.verdict(f"power cut after change {point} of {len(changes)}, {kind}", fault, bed.resumed())
    print(f"  {len(changes)} changes, cut at {len(chosen)} places", flush=True)


def new_folder(bed):
    bed.fresh()
    return bed.place


KINDS = {"output": output, "kills": kills, "input": inputs, "again": again, "folder": folder, "full": full}


def add_arguments(parser):
    parser.add_argument("--only", choices=(*KINDS, "power", *rows.COMMANDS), metavar="KIND",
                        help=f"one kind of fault: {', '.join((*KINDS, 'power', *rows.COMMANDS))}")
    parser.add_argument("--places", type=int, default=1000, metavar="N", help="changes of refine, dedup and index to strike (1000: all)")
    parser.add_argument("--cuts", type=int, default=100, metavar="N", help="moments of a power cut (100), four disks each")


def run(args):
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        bed = Testbed(args.huller, Path(name))
        kinds = {**KINDS, "power": lambda bed: power(bed, args.cuts, chance)}
        for command in rows.COMMANDS:
            kinds[command] = lambda bed, command=command: rows.strike(bed, command, args.places, chance)
        for kind, strike in kinds.items():
            if args.only in (None, kind):
                before = bed.done, bed.failed
                strike(bed)
                done, failed = bed.done - before[0], bed.failed - before[1]
                print(f"{kind}: {done - failed} of {done} right", flush=True)
    print(f"{bed.done - bed.failed} of {bed.done} right")
    return 1 if bed.failed else 0
