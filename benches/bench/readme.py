"""The table of the project's README: quality and speed of each program in one row."""

from statistics import median

from . import pairs
from .peers import BASELINE, LIMIT, METHODS, ours

BEGIN = "<!-- bench-table: written by `scripts/lab/run table`, not by hand -->"
END = "<!-- bench-table ends -->"


def figures(row):
    """Rate as median, least and greatest."""
    digits = 0 if median(row.rates) >= 20 else 1
    middle, least, most = (f"{rate:,.{digits}f}" for rate in (median(row.rates), min(row.rates), max(row.rates)))
    return middle, f"{least} – {most}"


def times(measured):
    """A ratio with two decimals, or a dash."""
    return "-" if measured is None else f"{measured.middle:.2f}"


def label(row):
    """Name, with a mark if the row is not of the whole corpus."""
    return f"{row.peer.shown} †" if row.peer.slow else row.peer.shown


def score(row, quality):
    """The F1 of a row; empty for a row without text."""
    if not row.peer.scored:
        return ""
    return f"{quality[row.peer.scored]:.3f}" if row.peer.scored in quality else "-"


def whole(rows, quality):
    """Whole programs."""
    by_name = {row.peer.name: row for row in rows}
    lines = [
        f"| `.warc.gz` to rows of text, one worker | F1 | MB/CPU s | min – max | × {BASELINE} | CPU, × {LIMIT} | wall s | RSS MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        if row.peer.in_memory or not row.peer.shown or not row.good:
            continue
        gain = pairs.ratio(by_name.get(BASELINE), row, pairs.cost)
        cost = pairs.ratio(row, by_name.get(LIMIT), pairs.cost)
        middle, spread = figures(row)
        cells = [label(row), score(row, quality), middle, spread, times(gain), times(cost)]
        cells += [f"{row.middle('wall_s'):.2f}", f"{row.middle('rss_mb'):.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def memory(rows, quality):
    """Extraction alone."""
    own = {method: row for row in rows for method in METHODS if row.peer.name == f"mem:huller-{method}"}
    head = " | ".join(f"`{method}` is × as fast" for method in own)
    lines = [
        f"| extraction alone, HTML in memory to text | F1 | MB/CPU s | min – max | {head} |",
        "|---|---:|---:|---:|" + "---:|" * len(own),
    ]
    for row in rows:
        if not row.peer.in_memory or not row.peer.shown or not row.good:
            continue
        middle, spread = figures(row)
        gains = [times(pairs.ratio(row, other, pairs.memory_cost)) for other in own.values()]
        lines.append("| " + " | ".join([label(row), score(row, quality), middle, spread, *gains]) + " |")
    return lines if len(lines) > 2 else []


def workers(rows):
    """Two workers against one."""
    by_name = {row.peer.name: row for row in rows}
    lines = [
        "| two workers against one | wall s, one | wall s, two | × as fast | CPU time, × |",
        "|---|---:|---:|---:|---:|",
    ]
    for method in METHODS:
        one, two = by_name.get(ours(method)), by_name.get(ours(method, workers=2))
        gain = pairs.ratio(one, two, pairs.wall)
        if gain is None:
            continue
        cells = [f"`{method}`", f"{one.middle('wall_s'):.2f}", f"{two.middle('wall_s'):.2f}", times(gain)]
        lines.append("| " + " | ".join([*cells, times(pairs.ratio(two, one, pairs.cpu))]) + " |")
    return lines if len(lines) > 2 else []


def section(rows, quality, notes):
    """The text between the markers."""
    tables = [whole(rows, quality), memory(rows, quality), workers(rows)]
    blocks = ["\n".join(lines) for lines in tables if lines] + ["\n".join(notes)]
    return f"{BEGIN}\n\n" + "\n\n".join(blocks) + f"\n\n{END}"


def check(path):
    """Ends the program if a file has no place for the table."""
    text = path.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise SystemExit(f"error: '{path.name}' has no pair of lines\n    {BEGIN}\n    {END}")


def replace(path, new):
    """Replaces the section of a file."""
    check(path)
    before, rest = path.read_text().split(BEGIN)
    path.write_text(before + new + rest.split(END)[1])
