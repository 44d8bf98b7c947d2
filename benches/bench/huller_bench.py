"""Measures by `huller bench`: the machine, and the time and memory of one process."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HULLER = Path(os.environ.get("HULLER") or Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "huller")


@dataclass
class Usage:
    """Time and memory of one process with all its threads, by wait4(2)."""

    wall_s: float
    user_s: float
    system_s: float
    rss_mb: float
    others_cores: float  # that other programs kept busy meanwhile
    stdout: bytes
    fault: str  # the last line of its messages, if it failed

    @property
    def cpu_s(self):
        """User and system time."""
        return self.user_s + self.system_s


def bench(*options):
    """What `huller bench` prints, and its error, which is empty if it succeeds."""
    if not os.access(HULLER, os.X_OK):
        raise SystemExit(f"error: no program '{HULLER}'\nhint: make build")
    done = subprocess.run([HULLER, "bench", *options], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").strip().partition("\n")[0].removeprefix("error: ")
    return done.stdout, (said or f"exit {done.returncode}") if done.returncode else ""


def timed(command):
    """Runs a command to its end."""
    with tempfile.NamedTemporaryFile() as file:
        stdout, fault = bench("--process", file.name, "--", *command)
        if fault:
            return Usage(0, 0, 0, 0, 0, stdout, fault)
        used = json.load(file)
    rss_mb, others = used["peak_bytes"] / 1e6, used["others_cores"] or 0
    return Usage(used["wall_s"], used["user_s"], used["system_s"], rss_mb, others, stdout, "")


def survey(*inputs):
    """The machine, what other programs take of it, and what the inputs hold."""
    stdout, fault = bench("--survey", *inputs)
    if fault:
        raise SystemExit(f"error: {fault}")
    return json.loads(stdout)


def extract(program, options, inputs, folder):
    """Runs `huller extract` into a new folder; gives its usage and the total of its statistics."""
    usage = timed([program, "extract", *options, "--quiet", "-o", folder, *inputs])
    if usage.fault:
        raise SystemExit(f"error: {usage.fault}")
    return usage, total(folder)


def total(folder):
    """The sums of a run's statistics."""
    return json.loads((Path(folder) / "_huller" / "run.account").read_text())["total"]


class Machine:
    """What figures depend on besides the programs."""

    def __init__(self):
        known = survey()
        here = known["machine"]
        self.processor = f"{here['processor']}, {here['processors']} processors, {here['memory_bytes'] / 1e9:.0f} GB"
        self.kernel = here["kernel"]
        self.others = known["others_cores"] or 0
        self.most_others = known["most_others_cores"]

    def is_busy(self):
        """Whether other programs keep so much of it busy that times say little."""
        return self.others > self.most_others


def output(*command):
    """The first line that a command prints; empty if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip().partition("\n")[0]


def commit():
    """The commit of the working tree, and whether files differ from it."""
    known = output("git", "rev-parse", "--short=12", "HEAD") or "unknown"
    return f"{known} with changes" if output("git", "status", "--porcelain") else known
