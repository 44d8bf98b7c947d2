"""Ratios of two rows, round by round, because a disturbance of a round affects both."""

from dataclasses import dataclass
from statistics import median

from .peers import BASELINE, LIMIT, ours


@dataclass(frozen=True)
class Ratio:
    """Median, least and greatest of the ratios of the rounds."""

    middle: float
    low: float
    high: float
    rounds: int

    def __str__(self):
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


def ratio(over, under, value):
    """`value` of one row over that of another. For a round that a row lacks, its last run counts."""
    if over is None or under is None or not over.good or not under.good:
        return None
    tops = {run.round: value(run) for run in over.good}
    bottoms = {run.round: value(run) for run in under.good}
    last_top, last_bottom = over.good[-1].round, under.good[-1].round
    ratios = [
        tops.get(round_, tops[last_top]) / bottoms.get(round_, bottoms[last_bottom])
        for round_ in sorted(tops.keys() | bottoms.keys())
    ]
    return Ratio(median(ratios), min(ratios), max(ratios), len(ratios))


def cpu(run):
    """CPU seconds of a whole program."""
    return run.cpu_s


def wall(run):
    """Seconds by the clock."""
    return run.wall_s


def memory_cost(run):
    """CPU seconds per MB of page, for extraction alone."""
    return run.own_cpu_s / run.body_mb


def cost(run):
    """CPU seconds per MB of raw WARC, so that a row on some of the pages compares with rows on all."""
    return run.cpu_s / run.corpus_raw_mb


def bounds():
    """The bounds that the project sets: (text, numerator row, denominator row, figure, whether it is a minimum, bound)."""
    for method, against_baseline, against_limit in (("pvalue", 8.5, 2.3), ("hull", 5.5, 3.6)):
        own = ours(method)
        yield f"`{method}`: CPU time of {BASELINE}, times ours", BASELINE, own, cost, True, against_baseline
        yield f"`{method}`: our CPU time, times that of {LIMIT}", own, LIMIT, cost, False, against_limit
    in_memory = "mem:huller-pvalue"
    for name, bound in (("resiliparse", 12), ("dom_smoothie", 15), ("trafilatura", 150), ("tl-parse", 1)):
        what = f"`pvalue` in memory: CPU time of {name}, times ours"
        yield what, f"mem:{name}", in_memory, memory_cost, True, bound
    for method in ("pvalue", "hull"):
        one, two = ours(method), ours(method, workers=2)
        yield f"`{method}`: wall time of one worker, times that of two", one, two, wall, True, 1.85
        yield f"`{method}`: CPU time of two workers, times that of one", two, one, cpu, False, 1.08


def table(rows):
    """The bounds beside the measured ratios, in Markdown; leaves out bounds whose rows were not run."""
    by_name = {row.peer.name: row for row in rows}
    lines = []
    for what, over, under, value, at_least, bound in bounds():
        measured = ratio(by_name.get(over), by_name.get(under), value)
        if measured is None:
            continue
        kept = measured.middle >= bound if at_least else measured.middle <= bound
        sign = "≥" if at_least else "≤"
        lines.append(f"| {what} | {measured} | {sign} {bound} | {'yes' if kept else '**no**'} |")
    if not lines:
        return ""
    head = "| what | median (least to greatest of the rounds) | asked | kept |\n|---|---:|---:|---|\n"
    return "\n## Bounds\n\nRound by round, then the median.\n\n" + head + "\n".join(lines) + "\n"
