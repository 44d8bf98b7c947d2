"""Tests disks that are full, read-only, in use by another run, or without power."""

import errno
import os
import signal
import subprocess
import time

from .disk import Disk, read_log
from .outputs import differences
from .testbed import ended


def folder(bed, *_):
    """The disk can only be read; another run is at work in the folder."""
    bed.fresh()
    status, said = bed.run(FAULT=f"change:*:1+:{errno.EROFS}")
    bed.hit()
    bed.verdict("read-only output", ended(status, said, 5, os.strerror(errno.EROFS), "hint: "), bed.resumed())
    if not bed.command.has_folder():
        return
    bed.fresh()
    half = len(bed.calls("change")) // 2
    bed.fresh()
    first = bed.start(FAULT=f"change:*:{half}:stop")
    while os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
    before = bed.outcome()
    for more in [[], *([flag] for flag in bed.command.flags)]:
        status, said = bed.run(*more)
        touched = "" if bed.outcome() == before else "it touched the folder"
        bed.verdict(f"second run {more}", ended(status, said, 4, "locked by another run"), touched)
    first.send_signal(signal.SIGCONT)
    _, said = first.communicate()
    same = "" if bed.outcome() == bed.expected else "differs"
    bed.verdict("the first goes on", ended(first.returncode, said.decode(), 0), same)


def full(bed, *_):
    """The disk of all outputs is too small, and is enlarged."""
    bed.fresh()
    bed.run()
    used = size_of(bed.place)
    bed.fresh()
    # The files that the command changes are on the disk already. New files have half of their room.
    least, most = (size_of(bed.place), 1.5 * size_of(bed.place)) if bed.command.changes else (0, used)
    for share in [0.05, 0.2, 0.5, 0.8, 0.95]:
        bed.fresh()
        bed.clear()
        size = max(16, int(least + (most - least) * share) >> 10)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", bed.place]
        if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            print("  skipped: no right to mount a tmpfs")
            return
        try:
            bed.fresh()
            status, said = bed.run()
            bed.struck += status != 0
            same = bed.outcome() == bed.expected
            fault = "" if status == 0 and same else ended(status, said, 5, os.strerror(errno.ENOSPC), "hint: ")
            half = bed.half_written(status)
            subprocess.run(["mount", "-o", "remount,size=200m", bed.place], check=True)
            bed.verdict(f"tmpfs of {size} KB", fault, half, bed.resumed())
        finally:
            subprocess.run(["umount", bed.place], check=True)


def size_of(folder):
    """Bytes on the disk."""
    return sum(4096 + path.stat().st_blocks * 512 for path in folder.rglob("*") if not path.is_symlink())


def power(bed, most, chance):
    """The power is cut after any change; unsynced data is lost in part or wholly (disk.py)."""
    bed.fresh()
    log = bed.work / "changes.log"
    bed.run(FAULT_LOG=str(log))
    changes = read_log(log)
    made = bed.outcome()
    cut(bed, changes, "whole", chance)
    assert bed.outcome() == made, f"the model does not make what the run made: {differences(made, bed.outcome())}"
    cut(bed, changes, "strict", chance)
    lost = differences(bed.expected, bed.outcome())
    bed.verdict("power cut after the run", f"it lost {', '.join(lost)}" if lost else "", bed.resumed())
    points = list(range(len(changes) + 1))
    chosen = sorted(chance.sample(points, min(most, len(points))))
    for kind in ["strict", "torn", "torn", "whole"]:
        for point in chosen:
            cut(bed, changes[:point], kind, chance)
            bed.struck += 1
            is_done = bed.command.done and (bed.place / bed.command.done).exists()
            fault = f"{bed.command.done} lasted and something else did not" if is_done and bed.outcome() != bed.expected else ""
            bed.verdict(f"power cut after change {point} of {len(changes)}, {kind}", fault, bed.half_written(-9), bed.resumed())


def cut(bed, changes, kind, chance):
    """Makes the place what it is when the power is cut after these changes."""
    bed.fresh()
    disk = Disk(bed.place, changes)
    bed.clear(keep=("in",))
    disk.write(kind, chance)
