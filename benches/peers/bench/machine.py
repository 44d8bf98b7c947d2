"""What the figures depend on besides the programs."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def output(*command):
    """The first line that a command prints, or nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip().partition("\n")[0]


def cpu_model():
    """The name that the processor gives itself."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def load():
    """Load average of the last minute."""
    return os.getloadavg()[0]


def wait_until_idle(most, seconds):
    """Waits until the load is no more than `most`, but no longer than so many seconds: a build leaves some behind."""
    end = time.monotonic() + seconds
    if load() > most and seconds:
        print(f"waiting for a load of {most}, it is {load():.2f}", file=sys.stderr)
    while load() > most and time.monotonic() < end:
        time.sleep(5)


class Others:
    """What other programs take from the processors while ours run."""

    def __init__(self):
        self.start, self.busy, self.own = time.monotonic(), busy_s(), own_s()

    def cores(self):
        """How many cores they kept busy, on average, since this was made."""
        others = (busy_s() - self.busy) - (own_s() - self.own)
        return max(0.0, others) / max(time.monotonic() - self.start, 1e-9)


def busy_s():
    """CPU seconds of all processors since the system began, what a hypervisor took among them."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _waiting, irq, softirq, steal = ticks
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_s():
    """CPU seconds of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def commit():
    """The commit that is checked out, and whether files differ from it."""
    known = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    return f"{known} with changes" if output("git", "status", "--porcelain") else known


def describe(load_before, others=None):
    """Pairs of name and value for the head of the report; `others` is how many cores other programs kept busy."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return [
        ("processor", f"{cpu_model()}, {os.cpu_count()} cores, {memory:.0f} GB"),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("load, 1 min", f"{load_before:.2f} before, {load():.2f} after"),
        *([] if others is None else [("other programs", f"{others:.2f} cores on average during the runs")]),
        ("rustc", output("rustc", "--version")),
        ("python", platform.python_version()),
        ("commit", commit()),
    ]
