"""What the figures depend on besides the programs."""

import os
import platform
import subprocess
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


def commit():
    """The commit that is checked out, and whether files differ from it."""
    known = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    return f"{known} with changes" if output("git", "status", "--porcelain") else known


def describe(load_before):
    """Pairs of name and value for the head of the report."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return [
        ("processor", f"{cpu_model()}, {os.cpu_count()} cores, {memory:.0f} GB"),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("load, 1 min", f"{load_before:.2f} before, {load():.2f} after"),
        ("rustc", output("rustc", "--version")),
        ("python", platform.python_version()),
        ("commit", commit()),
    ]
