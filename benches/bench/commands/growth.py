"""How the cost of `huller extract` grows: CPU = a · records + b · bytes, by least squares over generated inputs.

    bench growth [--scale F] [--runs N] [--huller PROGRAM] [--extractor NAME] [--work DIR] [--name NAME] [--busy-ok]

Three measurements of CPU time and peak memory, one worker, medians of N runs:
  * pages of 1 KiB to 16 MiB, a quarter, a half and all of 512 MB of each: the fit, and the distance of each input from it;
  * one file of 100, 1,000 and 10,000 MB of pages of 64 KiB: CPU time per byte must agree within 15 %;
  * 10,000 files of 1 MB against one file of 10 GB: CPU time that a file adds.
Sizes are of WARC before compression; --scale multiplies all of them (and the number of files), so .01 is a trial. Inputs repeat a set
of gzip members (generated_pages.py). The time of a run over a page of four bytes is subtracted.

Writes benches/runs/DATE-NAME/README.md and points.csv. Needs Linux, and 5 GB in the work folder at full scale.
"""

import os
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from .. import generated_pages, least_squares, process
from ..session import Session, session_arguments

KIB = 1024
PAGE_SIZES = [1 * KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB, 16384 * KIB]
SHARES = (0.25, 0.5, 1)
FIT_MB = 512
TOTALS_MB = (100, 1_000, 10_000)
FILES = 10_000
FILE_MB = 1
USUAL_PAGE = 64 * KIB
DISTINCT_MB = 32  # of different pages; larger inputs repeat them
DISTINCT_FILES = 50  # the other files are links to these
FLAT = 0.15
ONE_PAGE = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>a\r\n\r\n"


@dataclass
class Point:
    """An input and the cost of its runs."""

    what: str
    page_bytes: int
    records: int
    raw_bytes: int
    inputs: list
    cpu_s: list = field(default_factory=list)
    wall_s: list = field(default_factory=list)
    rss_mb: float = 0.0

    @property
    def cpu(self):
        return median(self.cpu_s)

    @property
    def ns_a_byte(self):
        return 1e9 * self.cpu / self.raw_bytes


def add_arguments(parser):
    parser.add_argument("--scale", type=float, default=1, metavar="F", help="factor on all sizes and the number of files (1)")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--extractor", default="pvalue", metavar="NAME")
    parser.add_argument("--work", type=Path, metavar="DIR", help="for inputs and outputs (a temporary folder)")
    session_arguments(parser, "cost-growth")


def members_of(pages, page_bytes, raw_bytes):
    """Different records for an input of so many bytes, and how many records it has; it may repeat them."""
    one = pages.member(page_bytes, 0)
    most = max(2, int(DISTINCT_MB * 1e6) // one[1])
    wanted = max(1, round(raw_bytes / one[1]))
    return [one] + [pages.member(page_bytes, number) for number in range(1, min(most, wanted))], wanted


def make_fit(folder, scale):
    """Inputs of every page size."""
    pages = generated_pages.Pages()
    points = []
    for page_bytes in PAGE_SIZES:
        members, most = members_of(pages, page_bytes, FIT_MB * 1e6 * scale)
        for share in SHARES:
            path = folder / f"pages-{page_bytes}-{share}.warc.gz"
            records = max(1, round(most * share))
            raw = generated_pages.write(path, members, records)
            points.append(Point("fit", page_bytes, records, raw, [path]))
    return points


def make_totals(folder, scale):
    """One file of each total size."""
    pages = generated_pages.Pages(seed=2)
    points = []
    for megabytes in TOTALS_MB:
        members, records = members_of(pages, USUAL_PAGE, megabytes * 1e6 * scale)
        path = folder / f"total-{megabytes}.warc.gz"
        raw = generated_pages.write(path, members, records)
        points.append(Point("total", USUAL_PAGE, records, raw, [path]))
    return points


def make_files(folder, scale):
    """Many files, and one file with the same records in the same order."""
    pages = generated_pages.Pages(seed=3)
    count = max(2, round(FILES * scale))
    a_file = round(FILE_MB * 1e6 / pages.member(USUAL_PAGE, 0)[1])
    kinds = min(DISTINCT_FILES, count)
    members = [pages.member(USUAL_PAGE, number) for number in range(a_file * kinds)]
    many = folder / "files"
    many.mkdir()
    raw = 0
    for number in range(count):
        path = many / f"{number:06}.warc.gz"
        kind = number % kinds
        own = members[kind * a_file : (kind + 1) * a_file]
        if number < kinds:
            generated_pages.write(path, own, a_file)
        else:
            os.link(many / f"{kind:06}.warc.gz", path)
        raw += sum(length for _, length in own)
    one = folder / "one.warc.gz"
    generated_pages.write(one, members, a_file * count)
    records = a_file * count
    return [Point("many files", USUAL_PAGE, records, raw, [many]), Point("one file", USUAL_PAGE, records, raw, [one])]


def made(maker, folder, scale):
    """Runs a maker in its own process: the kernel would otherwise count its memory as huller's."""
    with ProcessPoolExecutor(1) as other:
        return other.submit(maker, folder, scale).result()


class Bench:
    """Runs huller over points."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.options = ["-j1", "--extractor", args.extractor]

    def once(self, inputs, records, pages):
        """The cost of one run; ends the program if the run did not write every page."""
        out = self.folder / "out"
        usage, total = process.extract(self.args.huller, self.options, inputs, out)
        shutil.rmtree(out)
        if (total["written"], total["records"]) != (pages, records):
            raise SystemExit(f"error: {total['written']} pages of {total['records']} records, there are {pages} of {records}")
        return usage

    def start_s(self):
        """CPU time of a run over a page of four bytes: a file without any makes a run fail."""
        path = self.folder / "one-page.warc.gz"
        path.write_bytes(generated_pages.gzip(ONE_PAGE))
        return median(self.once([path], 1, 1).cpu_s for _ in range(9))

    def run(self, points):
        """All points, round after round."""
        for round_ in range(self.args.runs):
            for point in points if round_ % 2 == 0 else reversed(points):
                usage = self.once(point.inputs, point.records, point.records)
                point.cpu_s.append(usage.cpu_s)
                point.wall_s.append(usage.wall_s)
                point.rss_mb = max(point.rss_mb, usage.rss_mb)
                print(f"round {round_ + 1}, {point.what}, {point.records} records: {usage.cpu_s:.3f} s", file=sys.stderr)
        return points


def size(bytes_):
    """A size in KiB or MiB."""
    return f"{bytes_ // KIB} KiB" if bytes_ < KIB * KIB else f"{bytes_ // KIB // KIB} MiB"


def fit_table(points, start):
    """The fit and every point of it."""
    values = [point.cpu - start for point in points]
    fit = least_squares.plane([(point.records, point.raw_bytes) for point in points], values)
    lines = [
        "## The fit",
        "",
        f"CPU time = {start:.4f} s (start) + **{1e6 * fit.a:.2f} µs** · records + **{1e9 * fit.b:.3f} ns** · bytes "
        f"({1 / fit.b / 1e6:,.0f} MB/s without the records), R² = **{fit.r2:.5f}** over {len(points)} inputs.",
        "",
        "| page | records | raw MB | CPU s | least – greatest | by the fit | off | µs a record | ns a byte | peak RSS MB |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for point, value in zip(points, values):
        expected = fit.a * point.records + fit.b * point.raw_bytes
        lines.append(
            f"| {size(point.page_bytes)} | {point.records:,} | {point.raw_bytes / 1e6:,.1f} | {point.cpu:.3f} "
            f"| {min(point.cpu_s):.3f} – {max(point.cpu_s):.3f} | {expected + start:.3f} | {100 * (value / expected - 1):+.1f} % "
            f"| {1e6 * value / point.records:,.1f} | {1e9 * value / point.raw_bytes:.2f} | {point.rss_mb:.0f} |"
        )
    return lines, fit


def totals_table(points):
    """Cost per byte over total sizes."""
    costs = [point.ns_a_byte for point in points]
    spread = max(costs) / min(costs) - 1
    lines = [
        f"## Cost a byte, pages of {size(USUAL_PAGE)} in one file",
        "",
        "| raw MB | records | CPU s | least – greatest | ns a byte | peak RSS MB |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for point in points:
        lines.append(
            f"| {point.raw_bytes / 1e6:,.0f} | {point.records:,} | {point.cpu:.3f} | {min(point.cpu_s):.3f} – {max(point.cpu_s):.3f} "
            f"| {point.ns_a_byte:.3f} | {point.rss_mb:.0f} |"
        )
    return [*lines, "", f"The greatest is {100 * spread:.1f} % above the least."], spread


def files_table(many, one, files):
    """CPU time that a file adds."""
    lines = [
        f"## {files:,} files of {FILE_MB} MB against one of as much",
        "",
        "| input | CPU s | least – greatest | wall s | peak RSS MB |",
        "|---|---:|---:|---:|---:|",
    ]
    for point in (many, one):
        lines.append(
            f"| {point.what} | {point.cpu:.3f} | {min(point.cpu_s):.3f} – {max(point.cpu_s):.3f} | {median(point.wall_s):.2f} "
            f"| {point.rss_mb:.0f} |"
        )
    each = (many.cpu - one.cpu) / files
    return [*lines, "", f"A file adds **{1e6 * each:.0f} µs** of CPU time (output, fsync, rename, journal, its own account)."]


def kept(what, good):
    """A line of the verdict: whether a bound holds."""
    return f"* {what}: {'yes' if good else '**no**'}"


def run(args):
    session = Session(args)
    with tempfile.TemporaryDirectory(prefix="cost-growth-", dir=args.work) as work:
        points, folders = {}, Path(work)
        bench = Bench(args, folders)
        start = bench.start_s()
        for maker in (make_fit, make_totals, make_files):
            folder = folders / maker.__name__
            folder.mkdir()
            points[maker] = bench.run(made(maker, folder, args.scale))
            shutil.rmtree(folder)
    session.measured()

    fit_lines, fit = fit_table(points[make_fit], start)
    total_lines, spread = totals_table(points[make_totals])
    many, one = points[make_files]
    lines = session.head(f"How cost grows, {args.extractor}")
    lines += [
        f"* one worker, .warc.gz (level {generated_pages.LEVEL}) to .jsonl.zst at the default level; medians of {args.runs} runs; CPU time",
        "  is user and system; MB are of WARC before compression",
        "* RSS: the kernel reports no less than the RSS of the process that starts the program, some 20 MB",
        "",
        *fit_lines, "", *total_lines, "", *files_table(many, one, max(2, round(FILES * args.scale))), "", "## Bounds", "",
        kept("R² at least .99", fit.r2 >= 0.99),
        kept(f"a byte within {100 * FLAT:.0f} % from {TOTALS_MB[0] * args.scale:,g} to {TOTALS_MB[-1] * args.scale:,g} MB", spread <= FLAT),
    ]  # fmt: skip
    if args.scale != 1:
        lines.append(f"* a trial: sizes are {args.scale:g} times those of the bounds")
    columns = ["what", "page_bytes", "records", "raw_bytes", "run", "cpu_s", "wall_s", "peak_rss_mb"]
    rows = (
        [point.what, point.page_bytes, point.records, point.raw_bytes, number, f"{cpu:.6f}", f"{wall:.6f}", f"{point.rss_mb:.2f}"]
        for group in points.values()
        for point in group
        for number, (cpu, wall) in enumerate(zip(point.cpu_s, point.wall_s))
    )
    session.record("\n".join(lines) + "\n", "points.csv", columns, rows)

