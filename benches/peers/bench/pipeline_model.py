"""A model of huller's pipeline: one reader, w workers, one writer in order, and four parcels a worker that go round.

Each stage is what it takes of a core, batch by batch. Threads that can run share the cores evenly: with r of them on c cores each
gets min(1, c / r). Then the next to end is always the one with the least work left, so a heap over work done by each thread, the
same for all, is exact. It knows no memory, no caches and no storage: those must be in the costs it is given.
"""

import heapq
from collections import deque
from dataclasses import dataclass

PARCELS_PER_WORKER = 4  # crates/pipeline/src/run.rs
READER, WORKER, WRITER = range(3)


@dataclass(frozen=True)
class Costs:
    """Seconds of a core that each batch takes, by stage, and what comes before and after all."""

    reader: list
    worker: list
    writer: list
    fixed_s: float


@dataclass(frozen=True)
class Course:
    """How long a run took, and for which share of it each stage was busy (of the workers all, on average)."""

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
