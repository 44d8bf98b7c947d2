"""The machine: what the figures depend on besides the programs."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output(*command):
    """The first line that a command prints; empty if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip().partition("\n")[0]


def cpu_model():
    """The model name that the processor reports."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def load():
    """Load average of the last minute."""
    return os.getloadavg()[0]


def wait_until_idle(most, seconds):
    """Waits at most so many seconds until the load is no more than `most`: it is high for a while after a build."""
    end = time.monotonic() + seconds
    if load() > most and seconds:
        print(f"waiting for a load of {most}, it is {load():.2f}", file=sys.stderr)
    while load() > most and time.monotonic() < end:
        time.sleep(5)


class Others:
    """CPU time of other programs while ours run."""

    def __init__(self):
        self.start, self.busy, self.own = time.monotonic(), busy_s(), own_s()

    def cores(self):
        """Cores that other programs kept busy, on average since this object was made."""
        others = (busy_s() - self.busy) - (own_s() - self.own)
        return max(0.0, others) / max(time.monotonic() - self.start, 1e-9)


def busy_s():
    """CPU seconds of all processors since the system started, including those that a hypervisor took."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    user, nice, system, _idle, _waiting, irq, softirq, steal = ticks
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_s():
    """CPU seconds of this process and of the children that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def commit():
    """The commit of the working tree, and whether files differ from it."""
    known = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    return f"{known} with changes" if output("git", "status", "--porcelain") else known


def describe(load_before, others=None):
    """Pairs of name and value for the head of the report; `others` is the number of cores that other programs kept busy."""
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
