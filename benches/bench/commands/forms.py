"""Throughput of `huller extract` by charset and by container, over the same pages.

    bench forms CORPUS [--mb N] [--runs N] [--huller PROGRAM] [--extractor NAME] [--keep DIR] [--name NAME] [--busy-ok]

Writes the UTF-8 pages of a corpus in other forms. One group is .warc.gz in UTF-8, GB18030 and
Shift_JIS, for all pages and for pages in East Asian scripts alone. The other is UTF-8 as .warc.gz,
.warc, .warc.zst (one frame per record), .jsonl.gz and .jsonl.zst. Each form repeats its pages until
they have N MB in UTF-8 (60). All forms run in alternation with one worker.

Writes benches/runs/DATE-NAME/README.md and raw.csv; --keep leaves the files. Needs Linux and the
program `zstd`.
"""

import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from .. import forms, huller_bench
from ..session import Session, session_arguments

LEAST = 0.6  # of UTF-8


@dataclass
class Form:
    """A file and the cost of its runs."""

    group: str
    name: str
    path: Path
    pages: int
    raw_mb: float
    file_mb: float
    runs: list = field(default_factory=list)

    def speed(self):
        """MB of its own bytes before compression per CPU second: median, least, greatest."""
        rates = [self.raw_mb / run.cpu_s for run in self.runs]
        return median(rates), min(rates), max(rates)

    def pages_a_second(self):
        """Pages per CPU second."""
        return self.pages / median(run.cpu_s for run in self.runs)


def add_arguments(parser):
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="a .warc.gz by `huller bench --make-corpus`")
    parser.add_argument("--mb", type=float, default=60, metavar="N", help="MB of UTF-8 per form (60)")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--extractor", default="pvalue", metavar="NAME")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the files here and leave them (a temporary folder)")
    session_arguments(parser, "forms")


def make(corpus, megabytes, folder):
    """Writes all forms."""
    pages, others = forms.load(corpus)
    groups = {"all": pages, "east-asian": [page for page in pages if page.is_east_asian()]}
    wanted = [("all", container, "utf-8") for container in forms.CONTAINERS]
    wanted += [(group, "warc.gz", charset) for group in groups for charset in forms.CHARSETS]
    made = []
    for group, container, charset in dict.fromkeys(wanted):
        chosen = groups[group]
        if not chosen:
            continue
        once = sum(len(page.html.encode()) for page in chosen)
        path = folder / f"{group}-{charset}.{container}"
        count, raw = forms.write(path, chosen, container, charset, max(1, round(megabytes * 1e6 / once)))
        made.append(Form(group, f"{container} {charset}", path, count, raw / 1e6, path.stat().st_size / 1e6))
    return len(pages), others, len(groups["east-asian"]), made


def run_all(args, all_forms, folder):
    """Round after round of all forms."""
    out = folder / "out"
    for round_ in range(args.runs):
        for form in all_forms if round_ % 2 == 0 else reversed(all_forms):
            usage, total = huller_bench.extract(args.huller, ["-j1", "--extractor", args.extractor], [form.path], out)
            shutil.rmtree(out)
            if total["written"] != form.pages:
                raise SystemExit(f"error: {form.path.name}: {total['written']} of {form.pages} pages")
            form.runs.append(usage)
            print(f"round {round_ + 1}, {form.path.name}: {form.raw_mb / usage.cpu_s:.0f} MB per CPU second", file=sys.stderr)


def table(rows, base):
    """The forms of one table; ratios are to `base`."""
    lines = [
        "| form | pages | raw MB | file MB | MB/CPU s | least – greatest | × | pages/CPU s | × | wall s | peak RSS MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for form in rows:
        middle, least, most = form.speed()
        wall, memory = median(run.wall_s for run in form.runs), max(run.rss_mb for run in form.runs)
        lines.append(
            f"| {form.name} | {form.pages:,} | {form.raw_mb:,.1f} | {form.file_mb:,.1f} | {middle:,.0f} | {least:,.0f} – {most:,.0f} "
            f"| {middle / base.speed()[0]:.2f} | {form.pages_a_second():,.0f} "
            f"| {form.pages_a_second() / base.pages_a_second():.2f} | {wall:.2f} | {memory:.0f} |"
        )
    return lines


def sections(all_forms):
    """The tables and the bounds."""
    by_container = [form for form in all_forms if form.group == "all" and form.name.endswith("utf-8")]
    base = by_container[0]
    lines = ["## Containers, UTF-8", "", *table(by_container, base), ""]
    bounds = []
    for group, title in (("all", "all pages"), ("east-asian", "pages in East Asian scripts")):
        rows = [form for form in all_forms if form.group == group and form.name.startswith("warc.gz")]
        if not rows:
            continue
        base = rows[0]
        lines += [f"## Charsets as .warc.gz, {title}", "", *table(rows, base), ""]
        for form in rows[1:]:
            share = form.speed()[0] / base.speed()[0]
            verdict = "yes" if share >= LEAST else "**no**"
            bounds.append(f"* {title}, {form.name}: at least {LEAST} × UTF-8 in MB per CPU second: {share:.2f}, {verdict}")
    return [*lines, "## Bounds", "", *bounds]


def run(args):
    session = Session(args)
    with tempfile.TemporaryDirectory(prefix="bench-forms-") as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        pages, others, east_asian, all_forms = make(args.corpus, args.mb, folder)
        run_all(args, all_forms, Path(scratch))
    session.measured([run for form in all_forms for run in form.runs])

    lines = session.head(f"Charsets and containers, {args.extractor}")
    lines += [
        f"* {args.corpus.name}: {pages} pages that are UTF-8 ({others} others are left out), {east_asian} of them in East Asian scripts",
        f"* medians of {args.runs} runs in alternation; one worker; MB of each form's own bytes before compression; × of the first row",
        "* characters that a charset lacks are written as references, which makes the page longer; one JSONL file is one stream",
        "",
        *sections(all_forms),
    ]
    columns = ["group", "form", "pages", "raw_mb", "file_mb", "run", "cpu_s", "wall_s", "peak_rss_mb"]
    rows = (
        [form.group, form.name, form.pages, f"{form.raw_mb:.6f}", f"{form.file_mb:.6f}", number]
        + [f"{run.cpu_s:.6f}", f"{run.wall_s:.6f}", f"{run.rss_mb:.2f}"]
        for form in all_forms
        for number, run in enumerate(form.runs)
    )
    session.record("\n".join(lines) + "\n", "raw.csv", columns, rows)

