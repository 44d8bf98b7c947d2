"""A model of huller's pipeline: one reader, w workers, one writer that writes in order, and four parcels per worker that circulate.

A stage has a cost per batch, in seconds of a core. Runnable threads share the cores evenly: with r of them on c cores each gets
min(1, c / r) of a core. So all threads progress at the same rate, the thread with the least work left ends next, and a heap of work
left is exact. The model has no memory, caches or storage: the costs must include them.
"""

import heapq
from collections import deque
from dataclasses import dataclass

PARCELS_PER_WORKER = 4  # crates/pipeline/src/run.rs
READER, WORKER, WRITER = range(3)


@dataclass(frozen=True)
class Costs:
    """Seconds of a core per batch, by stage, and seconds before the first batch and after the last."""

    reader: list
    worker: list
    writer: list
    fixed_s: float


@dataclass(frozen=True)
class Course:
    """Duration of a run, and the share of it that each stage was busy (for workers, their mean)."""

    wall_s: float
    reader: float
    worker: float
    writer: float


def simulate(costs, cores, workers):
    """Runs the model to its end."""
    batches = len(costs.worker)
    free, idle = workers * PARCELS_PER_WORKER, workers
    cut = written = 0
    queue, done = deque(), set()
    reading = writing = False
    running, each_did, now = [], 0.0, 0.0
    busy = [0.0, 0.0, 0.0]

    while written < batches:
        if not reading and free and cut < batches:
            free, reading = free - 1, True
            heapq.heappush(running, (each_did + costs.reader[cut], READER, cut))
        while idle and queue:
            batch, idle = queue.popleft(), idle - 1
            heapq.heappush(running, (each_did + costs.worker[batch], WORKER, batch))
        if not writing and written in done:
            writing = True
            done.remove(written)
            heapq.heappush(running, (each_did + costs.writer[written], WRITER, written))

        step = (running[0][0] - each_did) / min(1.0, cores / len(running))
        for _, stage, _ in running:
            busy[stage] += step
        now += step
        each_did, stage, batch = heapq.heappop(running)
        if stage == READER:
            reading, cut = False, cut + 1
            queue.append(batch)
        elif stage == WORKER:
            idle += 1
            done.add(batch)
        else:
            writing, written, free = False, written + 1, free + 1

    return Course(now + costs.fixed_s, busy[READER] / now, busy[WORKER] / now / workers, busy[WRITER] / now)
