"""One run of a program, and its usage as the kernel reports it."""

import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Usage:
    """Time and memory of one process with all its threads."""

    wall_s: float
    user_s: float
    system_s: float
    rss_mb: float
    exit_code: int
    stdout: bytes
    fault: str  # the last line of its messages, if it failed

    @property
    def cpu_s(self):
        """User and system time."""
        return self.user_s + self.system_s


def timed(command):
    """Runs a command to its end.

    The kernel counts memory from before the exec: it reports no less than the RSS of this process.
    """
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = exit_code = os.waitstatus_to_exitcode(status)
        stdout.seek(0)
        stderr.seek(0)
        said = stderr.read().decode(errors="replace").strip().splitlines()
        fault = f"exit {exit_code}: {said[-1] if said else 'no message'}" if exit_code else ""
        rss = usage.ru_maxrss * 1024 / 1e6
        return Usage(wall, usage.ru_utime, usage.ru_stime, rss, exit_code, stdout.read(), fault)


def extract(huller, options, inputs, folder):
    """Runs `huller extract` into a new folder; gives its usage and the total of its account."""
    usage = timed([huller, "extract", *options, "--quiet", "-o", folder, *inputs])
    if usage.fault:
        raise SystemExit(f"error: huller {' '.join(map(str, options))}: {usage.fault}")
    return usage, json.loads((Path(folder) / "_huller" / "run.account").read_text())["total"]
