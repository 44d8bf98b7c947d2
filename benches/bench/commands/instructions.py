"""Counts instructions: of reading attack pages, or of all extractors on these or on real pages.

    bench instructions page [--size N] [SHAPE...]
        reads a page of every shape of attack (or of these) at n bytes and at 2n, and fails if 2n takes more than 2.2 times n.
    bench instructions methods [--hostile GENERATOR] [--only NAME...]
        runs every method on every shape at n and 2n: the worst ratio of each method; fails if a ratio is above 2.3. With the generator
        of hostile inputs, on its HTML cases too.
    bench instructions cost [STEP]
        a table of thousands of instructions per page, and times those of `pvalue`, over every STEPth page (20) of the bundled sample,
        or of HULLER_CORPUS.

`page` subtracts the cost of an empty attack. `methods` subtracts the cost of a tenth of the attack,
so that the page around it does not count. If a ratio is above the limit, it measures again from 2n
to 8n, for each doubling, then from 4n to 16n and from 32n to 64n. The smallest ratio counts.
`methods` lists parsing on a separate line; `cost` adds it to each extractor, as in a run with one
extractor.

Needs valgrind, and cargo to build the programs that it runs.
"""

import gzip
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..huller_bench import ROOT

PAGE_SIZE = 200_000  # bytes of an attack for `page`
PAGE_LIMIT = 2.2
# Bytes of an attack for `methods`, and the scale of the generator at which most of its cases have
# about the same size.
SIZE = 100_000
SCALE = 0.02
TIMES = (0.1, 1, 2)
# Sizes for a ratio above the limit. An extractor may select little of one page and all of the next,
# and the cost of a vector loop depends on the alignment of the page. The larger sizes show whether
# the growth is linear.
AGAIN = ((0.1, 2, 8), (4, 8, 16), (8, 32, 64))
LIMIT = 2.3
# An extractor with fewer instructions per byte reads only parts that do not grow with the page, so
# its ratio is noise.
LEAST_A_BYTE = 0.05
PAPERS = ("pvalue", "nb", "tsd", "dvps", "ceds")
MEASURED = "method_work::measured"


def add_arguments(parser):
    counted = parser.add_subparsers(required=True, metavar="WHAT")
    command = counted.add_parser("page", help="reading attack pages")
    command.add_argument("--size", type=int, default=PAGE_SIZE, metavar="N", help=f"bytes of the smaller page ({PAGE_SIZE})")
    command.add_argument("shapes", nargs="*", metavar="SHAPE", help="these shapes alone")
    command.set_defaults(count=page)
    command = counted.add_parser("methods", help="all methods on attack pages")
    command.add_argument("--hostile", type=Path, metavar="GENERATOR", help="the generator of hostile inputs")
    command.add_argument("--only", nargs="+", metavar="NAME", help="these attacks alone")
    command.set_defaults(count=methods)
    command = counted.add_parser("cost", help="all methods on real pages")
    command.add_argument("step", nargs="?", type=int, default=20, metavar="STEP")
    command.set_defaults(count=cost)


def run(args):
    return args.count(args)


def built(package, kind, name):
    """Builds one program of the workspace for release; gives its path."""
    command = ["cargo", "build", "--quiet", "--release", "--locked", "--package", package, f"--{kind}", name]
    subprocess.run(command, cwd=ROOT, check=True)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute() / "release"
    return (folder / "examples" if kind == "example" else folder) / name


def page(args):
    """Table of the shapes; the exit status."""
    attack = built("huller-page", "example", "attack")
    shapes = args.shapes or subprocess.run([attack], capture_output=True, text=True, check=True).stdout.split()

    def instructions(shape, size):
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no", "--toggle-collect=*measured*"]
        done = subprocess.run([*valgrind, attack, shape, str(size)], capture_output=True, text=True, check=False)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not found:
            raise SystemExit(f"error: {shape}: {done.stderr.strip()}")
        return int(found[1])

    def growth(shape):
        empty, once, twice = (instructions(shape, size) for size in (0, args.size, 2 * args.size))
        return shape, once - empty, twice - empty

    print(f"{'shape':<24} {f'n={args.size}':>12} {'2n':>12} {'per byte':>8} {'ratio':>6}")
    bad = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for shape, once, twice in pool.map(growth, shapes):
            ratio = twice / once
            bad += [shape] if ratio > PAGE_LIMIT else []
            mark = "  above the limit" if ratio > PAGE_LIMIT else ""
            print(f"{shape:<24} {once:12} {twice:12} {once / args.size:8.1f} {ratio:6.2f}{mark}", flush=True)
    print(f"{len(shapes)} shapes, {len(bad)} grow faster than {PAGE_LIMIT} x")
    return 1 if bad or not shapes else 0


def method_work():
    """The program that runs every method on some pages, in calls that valgrind counts one by one."""
    return built("huller-benches", "bin", "method-work")


def counts(program, arguments):
    """(page, pages, bytes, what, instructions) of each measured call."""
    with tempfile.TemporaryDirectory(prefix="instructions-") as folder:
        valgrind = [
            "valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--collect-atstart=no",
            f"--toggle-collect=*{MEASURED}*", f"--dump-before={MEASURED}",
        ]  # fmt: skip
        done = subprocess.run([*valgrind, program, *arguments], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
        lines = done.stdout.splitlines()
        # The first dump is empty, and each further dump holds one call. The last call is in the
        # file without a number.
        dumps = [Path(folder, f"out.{number}") for number in range(2, len(lines) + 1)] + [Path(folder, "out")]
        for line, dump in zip(lines, dumps):
            name, pages, size, what = line.split("\t", 3)
            total = re.search(r"^totals: (\d+)", dump.read_text(), re.M)
            if name != "warm-up":
                yield name, int(pages), int(size), what.replace("\t", " "), int(total[1])


def cost(args):
    rows = list(counts(method_work(), ["corpus", str(args.step)]))
    of = {what: total for _, _, _, what, total in rows}
    _, pages, size, _, parse = rows[0]
    print(f"{pages} pages, {size / 1e6:.1f} MB, parse {parse / size:.2f} instructions a byte\n")
    print("| method | profile | alone, thousands a page | x pvalue |")
    print("|---|---|---:|---:|")
    for profile in ("paper", "tuned"):
        alone = {what.split()[0]: total for what, total in of.items() if what.endswith(profile)}
        alone["(the papers)"] = sum(alone[name] for name in PAPERS)
        whole = parse + alone["pvalue"]
        for name, total in alone.items():
            print(f"| {name} | {profile} | {total / pages / 1e3:.0f} | {(parse + total) / whole:.2f} |")


class Attack:
    """A shape of attack that `method-work` knows."""

    def __init__(self, shape):
        self.name = shape

    def pages(self, times):
        """Arguments for `method-work`: pages of so many times SIZE."""
        return [f"attack:{self.name}:{each * SIZE:.0f}" for each in times]


class Hostile:
    """An HTML case of the generator, which writes archives of three pages of which the second is the attack."""

    def __init__(self, name, generator, folder):
        self.name, self.generator, self.folder = name, generator, folder

    def pages(self, times):
        return [f"file:{self.page(each)}" for each in times]

    def page(self, times):
        out = Path(self.folder, f"{self.name}-{times}")
        scale = str(times * SCALE)
        run = [sys.executable, "-B", self.generator, out, "--only", self.name, "--scale", scale]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        archive = out / f"{self.name}.warc.gz"
        record = gzip.decompress(archive.read_bytes()).split(b"WARC/1.0\r\n")[2]
        page = out / "page.html"
        page.write_bytes(record.split(b"\r\n\r\n", 2)[2].removesuffix(b"\r\n\r\n"))
        return page


def cases(program, args, folder):
    lines = subprocess.run([program, "attacks"], capture_output=True, text=True, check=True).stdout.splitlines()
    found = [Attack(shape) for shape in lines if "\t" not in shape]
    if args.hostile:
        run = [sys.executable, "-B", args.hostile, folder, "--group", "html", "--list"]
        listed = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
        names = [line.split()[0] for line in listed if line.startswith("html-")]
        found += [Hostile(name, args.hostile, folder) for name in names]
    return [case for case in found if not args.only or case.name in args.only]


def ratios(program, case, times):
    """For each method (and `parse`): growth of the instructions per doubling of the attack, and instructions per byte.

    Leaves out methods with fewer than LEAST_A_BYTE.
    """
    totals, sizes = {}, []
    for _, _, size, what, total in counts(program, case.pages(times)):
        totals.setdefault(what, []).append(total)
        sizes += [size] if what == "parse" else []
    grown, twice_grown = sizes[1] - sizes[0], sizes[2] - sizes[0]
    found = {}
    for what, (least, once, twice) in totals.items():
        if grown >= SIZE / 10 and once - least >= LEAST_A_BYTE * grown:
            # Growth per doubling, since the exact sizes may not differ by a factor of two.
            growth = (twice - least) / (once - least)
            found[what] = growth ** (1 / math.log2(twice_grown / grown)), (once - least) / grown
    return found


def measure(program, case):
    found = ratios(program, case, TIMES)
    for times in AGAIN:
        if all(ratio <= LIMIT for ratio, _ in found.values()):
            break
        again = ratios(program, case, times)
        for what, (ratio, a_byte) in found.items():
            if ratio > LIMIT and what in again:
                print(f"{case.name}: {what} {ratio:.2f}, again {again[what][0]:.2f}", file=sys.stderr, flush=True)
                found[what] = min((ratio, a_byte), again[what])
    return found


def methods(args):
    """Table of the methods; ends with an error if one grows too fast."""
    program = method_work()
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = cases(program, args, folder)
        results = list(pool.map(lambda case: measure(program, case), tried))
    print(f"{len(tried)} attacks\n\n| method | worst ratio | on | instructions a byte there | most a byte | on |\n|---|---:|---|---:|---:|---|")
    bad, named = [], dict.fromkeys(what for found in results for what in found)
    for what in named:
        rows = [(*found[what], case.name) for case, found in zip(tried, results) if what in found]
        ratio, a_byte, name = max(rows)
        _, dear, dear_name = max(rows, key=lambda row: row[1])
        print(f"| {what} | {ratio:.2f} | {name} | {a_byte:.1f} | {dear:.1f} | {dear_name} |")
        if ratio > LIMIT:
            bad.append(what)
    if bad or not named:
        raise SystemExit(f"{len(bad)} of {len(named)} grow faster than {LIMIT} x: {', '.join(bad)}")
