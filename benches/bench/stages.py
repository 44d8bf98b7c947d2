"""CPU time of each thread of `huller extract`, and the size of its batches: the input of the model of the pipeline."""

import re
import time
from dataclasses import dataclass
from pathlib import Path

from . import process

EVERY_S = 0.004
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True)
class Stages:
    """CPU seconds of one run by stage. The writer is the main thread, so start and end of the program count as its."""

    wall_s: float
    cpu_s: float
    reader_s: float
    workers_s: float
    writer_s: float
    rows_a_batch: tuple  # bytes of rows of every frame

    @property
    def batches(self):
        return len(self.rows_a_batch)


class Watch:
    """Reads the clocks of all threads of a process until it ends; misses what they do after the last reading."""

    def __init__(self):
        self.clocks = {}
        self.names = {}

    def __call__(self, pid):
        """One reading; false if the process has ended."""
        tasks = Path(f"/proc/{pid}/task")
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
            for task in tasks.iterdir():
                self.names[task.name] = (task / "comm").read_text().strip()
                self.clocks[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            pass  # a thread ended between two lines
        time.sleep(EVERY_S)
        return True

    def by_stage(self, pid):
        """CPU seconds of reader, workers, writer. The reader is the busiest of the threads without a name."""
        workers = sum(clock for task, clock in self.clocks.items() if re.match(r"worker-\d", self.names[task]))
        unnamed = (
            clock for task, clock in self.clocks.items()
            if task != str(pid) and not re.match(r"worker-\d", self.names[task])
        )  # fmt: skip
        return max(unnamed, default=0.0), workers, self.clocks.get(str(pid), 0.0)


def measure(huller, options, inputs, folder, cores=None):
    """Runs huller and gives its stages. The time that the watch missed is split in proportion to the time that it saw."""
    watch, pids = Watch(), []

    def look(pid):
        pids[:] = [pid]
        return watch(pid)

    usage, _ = process.extract(huller, options, inputs, folder, cores=cores, while_running=look)
    reader, workers, writer = watch.by_stage(pids[0])
    seen = reader + workers + writer
    share = usage.cpu_s / seen if seen else 1.0
    rows = [size for path in sorted(Path(folder).glob("*.zst")) for size in frames(path.read_bytes())]
    return Stages(usage.wall_s, usage.cpu_s, reader * share, workers * share, writer * share, tuple(rows))


def frames(data):
    """The length of each zstd frame's content, which our encoder always states (RFC 8878, 3.1.1)."""
    at = 0
    while at < len(data):
        if data[at : at + 4] != ZSTD_MAGIC:
            raise ValueError(f"no zstd frame at byte {at}")
        descriptor = data[at + 4]
        single, checksum, dictionary = descriptor >> 5 & 1, descriptor >> 2 & 1, (0, 1, 2, 4)[descriptor & 3]
        width = (single, 2, 4, 8)[descriptor >> 6]
        if not width:
            raise ValueError(f"frame at byte {at} does not say how long it is")
        place = at + 5 + (1 - single) + dictionary
        yield int.from_bytes(data[place : place + width], "little") + (256 if width == 2 else 0)
        place += width
        last = False
        while not last:
            block = int.from_bytes(data[place : place + 3], "little")
            last, kind, length = block & 1, block >> 1 & 3, block >> 3
            place += 3 + (1 if kind == 1 else length)
        at = place + 4 * checksum
