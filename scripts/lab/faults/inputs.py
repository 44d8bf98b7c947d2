"""Tests inputs that fail while a run reads them, and outputs that cannot be withdrawn."""

import errno
import os
import shutil

from .outputs import differences
from .testbed import NOTES, ended


def inputs(bed, *_):
    """Inputs that fail for good, vanish, grow, come back; rows to standard output."""
    for name in bed.command.inputs:
        bed.fresh()
        fails_for_good(bed, name, len(bed.calls("read", name=name)))
    if bed.command.inputs:
        missing(bed)
        for nth in [1, 3]:
            vanishes(bed, nth)
            grows(bed, nth)
    if bed.command.to_stdout:
        to_stdout(bed)


def moments(times):
    """Occurrences to strike of a call that happens so many times: the first, the last and some between."""
    return sorted({1, 2, times // 2, times - 1, times} & set(range(1, times + 1)))


def fails_for_good(bed, name, times):
    for nth in moments(times):
        bed.fresh()
        status, said = bed.run(FAULT=f"read:{name}:{nth}+:{errno.EIO}")
        bed.hit()
        # A read ahead of unneeded bytes may fail.
        is_harmless = status == 0 and bed.outcome() == bed.expected
        wrong = "" if is_harmless else ended(status, said, 1, name, os.strerror(errno.EIO))
        settled = bed.command.done and not is_harmless and (bed.place / bed.command.done).exists()
        bed.verdict(f"EIO on read {nth} of {name} and all after it", wrong, f"{bed.command.done} is there" if settled else "",
                    bed.resumed(ordered=False))


def missing(bed):
    bed.fresh()
    bed.own_inputs()
    gone = bed.command.inputs[1]
    (bed.place / "in" / gone).unlink()
    status, said = bed.run(f"in/{gone}")
    bed.verdict("input that was never there", ended(status, said, 1, gone, os.strerror(errno.ENOENT)))


def vanishes(bed, nth):
    name = bed.command.inputs[1]
    bed.fresh()
    bed.own_inputs()
    status, said = bed.run(FAULT=f"read:{name}:{nth}:vanish")
    struck = bed.hit()
    # The run reads an open input to its end, unless damage makes it open the input again. An input
    # that is not yet open is missed.
    fault = "" if status == 0 else ended(status, said, 1, name, os.strerror(errno.ENOENT))
    shutil.copy2(bed.work / "in" / name, bed.place / "in" / name)
    bed.verdict(f"{name} vanishes at read {nth}" if struck else f"{name} has no read {nth}", fault, bed.resumed(ordered=False))


def grows(bed, nth):
    name, more = bed.command.inputs[1:3]
    bed.fresh()
    bed.own_inputs()
    status, said = bed.run(FAULT=f"read:{name}:{nth}:grow", FAULT_MORE=str(bed.work / "in" / more))
    struck = bed.hit()
    if not struck:
        bed.verdict(f"{name} has no read {nth}", bed.resumed())
        return
    fault = "" if status == 0 else ended(status, said, 1, name, "changed during the run")
    done = bed.command.done and status != 0 and (bed.place / bed.command.done).exists()
    again, said = bed.run(*bed.again())
    if again == 3 and "--overwrite" in said:
        # Other rows would be kept, so the command starts again.
        again, said = bed.run("--overwrite")
    resumed = bed.unordered()
    new_run(bed)
    differ = differences(bed.unordered(), resumed)
    bed.verdict(f"{name} grows at read {nth}", fault, f"{bed.command.done} is there" if done else "", ended(again, said, 0),
                f"differs from a run over the grown input: {', '.join(differ)}" if differ else "")


def new_run(bed):
    """Runs over the inputs as they are now, from the beginning."""
    bed.clear(keep=("in", NOTES))
    bed.run()


def to_stdout(bed):
    """Rows that have gone to standard output cannot be taken back: they are in the account."""
    name = bed.command.inputs[0]
    bed.fresh()
    times = len(bed.calls("read", name=name))
    bed.fresh()
    status, said, rows = bed.run_with_rows(arguments=bed.command.to_stdout, FAULT=f"read:{name}:{max(1, times // 3)}+:{errno.EIO}")
    bed.hit()
    written = [int(line.split()[-1].replace(",", "")) for line in said.splitlines() if line.split()[:1] == ["written"]]
    count = rows.count(b"\n")
    counted = "" if written == [count] and count > 0 else f"{count} rows, {written} in the account"
    bed.verdict("EIO on read with rows to standard output", ended(status, said, 1, name), counted)
