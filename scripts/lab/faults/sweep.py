"""Injects a fault at every call of a run in turn, resumes, and compares byte for byte."""

import errno
import os

from .testbed import ended


def places(calls, most, chance):
    """The numbers of the calls to strike: all, or so many of them."""
    numbers = range(1, len(calls) + 1)
    return numbers if len(calls) <= most else sorted(chance.sample(numbers, most))


def named(number):
    return os.strerror(abs(number)) + (" after half" if number < 0 else "")


def failing(bed, what, fault, number, *more, ordered=True):
    """Runs with a call that fails, and judges how the run ends and what it takes to go on."""
    earlier = parts(bed)
    status, said = bed.run(*more, FAULT=f"{fault}:{number}")
    struck = bed.hit()
    of_input = bool(struck) and all(bed.is_input(path) for _, path in struck)
    if status == 0:
        # The call never came, or its failure did not affect the outcome.
        wrong = "" if bed.outcome() == bed.expected else "exit status 0 and another outcome"
    elif of_input:
        # If an input is missing, a run whose inputs belong together refuses to continue, and
        # changes nothing.
        expected = 3 if status == 3 and "--resume" in more else 1
        if status == 2 and input_name(bed, struck) in bed.command.lists:
            expected = 2
        wrong = ended(status, said, expected, os.strerror(abs(number)), input_name(bed, struck))
    elif status == 1 and bed.command.changes and fault.startswith("get:"):
        # A file of the run that cannot be read is a damaged one.
        wrong = ended(status, said, 1, input_name(bed, struck), os.strerror(abs(number)))
    else:
        wrong = ended(status, said, 5, "error: cannot ", os.strerror(abs(number)), "hint: ")
    calls = ", ".join(f"{op} {os.path.relpath(path, bed.place)}" for op, path in struck[:1])
    half, left = bed.half_written(status), left_over(bed, status, earlier)
    listed = not of_input or not os.path.isdir(struck[0][1])
    resumed = bed.resumed(ordered and not of_input, listed)
    bed.verdict(f"{named(number)} at {what} ({calls})", wrong, half, left, resumed)


def input_name(bed, struck):
    return os.path.basename(struck[0][1]) if struck else ""


def parts(bed):
    """Unfinished files."""
    return {path.name for path in bed.place.rglob("*") if path.name.endswith((".part", ".new"))}


def left_over(bed, status, earlier):
    """Says which file a command that cannot resume leaves when it fails, besides those of an earlier kill."""
    if bed.command.can_resume() or bed.command.changes or status in (0, -9):
        return ""
    left = parts(bed) - earlier
    return f"it leaves {', '.join(sorted(left))}" if left else ""


def errors(bed, most, chance):
    """Lets each change of the disk fail."""
    bed.fresh()
    calls = bed.calls("change")
    if not calls:
        bed.verdict("a run changes nothing", "no call")
    for nth in places(calls, most, chance):
        for number in [errno.ENOSPC, errno.EIO] + [-errno.ENOSPC] * (calls[nth - 1][0] == "write"):
            bed.fresh()
            failing(bed, f"change {nth} of {len(calls)}", f"change:*:{nth}", number)


def kills(bed, most, chance):
    """Kills the run before (amid a write) and after each change of the disk."""
    bed.fresh()
    calls = bed.calls("change")
    for nth in places(calls, most, chance):
        for act in ["kill", "killed"]:
            bed.fresh()
            killed(bed, f"change {nth} of {len(calls)}", f"change:*:{nth}", act)


def killed(bed, what, fault, act, *more, ordered=True):
    status, said = bed.run(*more, FAULT=f"{fault}:{act}")
    # Threads make calls in any order, so the last call may not come.
    struck = bed.hit()
    wrong = ended(status, said, -9 if struck else 0)
    calls = ", ".join(f"{op} {os.path.relpath(path, bed.place)}" for op, path in struck[:1])
    bed.verdict(f"{act} at {what} ({calls})", wrong, bed.half_written(status), bed.resumed(ordered))


def reads(bed, most, chance):
    """Lets each opening and reading fail, of inputs and of what the run reads back."""
    bed.fresh()
    calls = bed.calls("get")
    for nth in places(calls, most, chance):
        bed.fresh()
        failing(bed, f"call {nth} of {len(calls)}", f"get:*:{nth}", errno.EIO)


def again(bed, most, chance):
    """Kills a run in the middle, and lets each call of the run that goes on fail, or kills it there; the same after a whole run."""
    bed.fresh()
    half = len(bed.calls("change")) // 2
    second(bed, "the second run", {"FAULT": f"change:*:{half}:kill"}, most, chance)
    second(bed, "a run that has nothing to do", {}, most, chance)


def second(bed, what, first, most, chance):
    """Lets each call of a second run fail, or kills it there, after a first one."""

    def begin():
        bed.fresh()
        bed.run(**first)

    begin()
    calls = bed.calls("change", *bed.again())
    for nth in places(calls, most, chance):
        place = f"change {nth} of {len(calls)} of {what}"
        for number in [errno.EIO, -errno.ENOSPC]:
            begin()
            failing(bed, place, f"change:*:{nth}", number, *bed.again())
        begin()
        killed(bed, place, f"change:*:{nth}", "kill", *bed.again())
    begin()
    calls = bed.calls("get", *bed.again())
    for nth in places(calls, most, chance):
        begin()
        failing(bed, f"call {nth} of {len(calls)} of {what}", f"get:*:{nth}", errno.EIO, *bed.again())


def overwrite(bed, most, chance):
    """Lets each change of a run fail that replaces an earlier one, or kills it there. Inputs whose outputs were removed are done last."""

    def begin():
        bed.fresh()
        bed.run(*bed.command.earlier)

    begin()
    calls = bed.calls("change", "--overwrite")
    for nth in places(calls, most, chance):
        place = f"change {nth} of {len(calls)} of --overwrite"
        begin()
        failing(bed, place, f"change:*:{nth}", errno.EIO, "--overwrite", ordered=False)
        begin()
        killed(bed, place, f"change:*:{nth}", "kill", "--overwrite", ordered=False)
