"""Makes a Markdown table of runs."""

from statistics import median

from .peers import BASELINE, LIMIT, REFERENCE

HEAD = (
    "tool", "version", "MB/CPU s", "min", "max", f"x {BASELINE}", f"/ {LIMIT}",
    "wall s", "RSS MB", "pages", "out MB", "text kept",
)  # fmt: skip
MEMORY_HEAD = ("tool", "version", "MB/CPU s", "min", "max", "x resiliparse", "pages", "failed", "text kept")


class Row:
    """All runs of one peer; runs with a fault do not count."""

    def __init__(self, peer, runs):
        self.peer = peer
        self.runs = runs
        self.good = [run for run in runs if not run.fault]
        self.rates = [run.rate(peer.in_memory) for run in self.good]

    def middle(self, name):
        """The median of a field over the runs that count."""
        return median(getattr(run, name) for run in self.good)

    def label(self):
        """Name, with a mark if the row is not of the whole corpus."""
        return f"{self.peer.name} †" if self.peer.slow else self.peer.name


def number(value, digits=1):
    """A figure, or a dash if it is unknown."""
    return "-" if value is None else f"{value:,.{digits}f}"


def ratio(rate, rows, name, digits, unit=""):
    """`rate` over the median of another row; a dash if that row was not run."""
    other = next((row for row in rows if row.peer.name == name and row.good), None)
    return "-" if other is None else f"{rate / median(other.rates):.{digits}f}{unit}"


def kept(row, rows):
    """Text in the tree as a share of the reference's, on the same pages."""
    name = f"mem:{REFERENCE}" if row.peer.in_memory else REFERENCE
    other = next((other for other in rows if other.peer.name == name and other.good), None)
    chars = row.good[0].text_chars
    if other is None or chars is None:
        return "-"
    return f"{100 * chars / other.good[0].text_chars:.1f} %"


def cells(row, rows):
    """One line of a table."""
    version = row.runs[-1].version
    if not row.good:
        return [row.label(), version, f"does not count: {row.runs[-1].fault}"]
    rate = median(row.rates)
    first = [row.label(), version, number(rate), number(min(row.rates)), number(max(row.rates))]
    run = row.good[0]
    if row.peer.in_memory:
        base = ratio(rate, rows, "mem:resiliparse", 2)
        return [*first, base, run.pages, run.errors, kept(row, rows)]
    pages = run.records if row.peer.name == LIMIT else run.pages
    return [
        *first,
        ratio(rate, rows, BASELINE, 2),
        ratio(rate, rows, LIMIT, 3),
        number(row.middle("wall_s"), 2),
        number(row.middle("rss_mb"), 0),
        f"{pages} members" if row.peer.name == LIMIT else pages,
        number(run.out_mb),
        kept(row, rows),
    ]


def markdown(head, rows):
    """A table; pads short lines with empty cells."""
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2)]
    for row in rows:
        line = cells(row, rows)
        lines.append(line + [""] * (len(head) - len(line)))
    text = "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
    partial = [row for row in rows if row.good and len(row.good) < len(row.runs)]
    notes = [f"\n{row.label()}: {len(row.runs) - len(row.good)} runs do not count" for row in partial]
    return text + "".join(notes) + "\n"


def rows_of(peers, runs):
    """A row for every peer that was run."""
    return [Row(peer, own) for peer in peers if (own := [run for run in runs if run.tool == peer.name])]


def tables(rows, sample):
    """Both tables, of whole programs and of extraction alone."""
    text = ""
    if whole := [row for row in rows if not row.peer.in_memory]:
        text += "## Whole programs\n\nMB of raw WARC per CPU second (user and system), each in a process of its own.\n\n"
        text += markdown(HEAD, whole)
    if memory := [row for row in rows if row.peer.in_memory]:
        text += "\n## Extraction alone\n\nMB of page bytes per CPU second of the thread; pages are in memory.\n\n"
        text += markdown(MEMORY_HEAD, memory)
    if any(row.peer.slow for row in rows):
        text += f"\n† on {sample.pages} pages spread over the corpus, {sample.raw_mb:.1f} MB raw.\n"
    return text
