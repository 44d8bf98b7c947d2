"""The definition of a family of recorders, and a runner for recorders."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .install import environment

# Seconds; far longer than any recorder takes. Some recorders wait for connections that were cut.
PATIENCE = 900
INSIDE = Path(__file__).with_name("inside")


@dataclass
class Recording:
    """Where a family records to, and what it may use."""

    installed: Path
    out: Path
    address: str
    # File names (relative to `out`) with their makers, in order.
    made: dict = field(default_factory=dict)

    def urls(self, paths):
        return [self.address + path for path in paths]

    def add(self, name, maker):
        """Declares a file that was recorded. It must be there, and not be empty."""
        path = self.out / name
        if not path.is_file() or path.stat().st_size == 0:
            raise RecorderFailed(f"{maker} wrote no {name}")
        self.made[name] = maker

    def run(self, command, *, ok=(0,), log, **variables):
        """Runs a recorder in the folder of its files. What it says goes to a log beside them."""
        with open(self.out / log, "ab") as file:
            try:
                done = subprocess.run(
                    [str(part) for part in command],
                    cwd=self.out,
                    env=environment(**variables),
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    timeout=PATIENCE,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise RecorderFailed(str(error)) from error
        if done.returncode not in ok:
            raise RecorderFailed(f"{command[0]} ended with {done.returncode}, see {self.out / log}")


class RecorderFailed(Exception):
    """A recorder that is installed did not record."""
