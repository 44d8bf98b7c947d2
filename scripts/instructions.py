#!/usr/bin/env python3
"""Count the instructions that every method takes (needs valgrind, and cargo to build `method-work`).

    instructions.py cost [STEP]         a table: thousands of instructions a page, and times those of `pvalue`, over
                                        every STEPth page (20 if not told) of the bundled sample, or of HULLER_CORPUS
    instructions.py linear [--hostile GEN_HOSTILE.PY] [--only NAME...]
                                        every method on every shape of attack at n and 2n: the worst ratio of each method;
                                        fails where one is above 2.3. With the generator, its HTML cases too.

Parsing is counted once and added to each method in the first table, as a run with one method would have it; in the second it stands
for itself. What a tenth of the attack takes is subtracted before the ratio is taken, so that what stands around it doesn't count. A
ratio above the limit is taken again from 2n to 8n, for each doubling, and then from 4n to 16n, and the smallest one counts.

Python 3.9 or newer, standard library only.
"""

import argparse
import gzip
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Bytes of an attack; in the generator's own scale about the same for most cases.
SIZE = 100_000
SCALE = 0.02
TIMES = (0.1, 1, 2)
# What stands out is measured again with these: a method may select little of one page and all of the next, and loops over
# vectors take more or less by where in memory a page happens to lie. From a size on it is either linear or not.
AGAIN = ((0.1, 2, 8), (4, 8, 16))
LIMIT = 2.3
# A method that takes fewer instructions a byte than this looks at nothing that grows: its ratio is noise.
LEAST_A_BYTE = 0.05
PAPERS = ("pvalue", "nb", "tsd", "dvps", "ceds")
MEASURED = "method_work::measured"


def build():
    subprocess.run(
        ["cargo", "build", "--quiet", "--release", "--package", "huller-benches", "--bin", "method-work"], cwd=ROOT, check=True
    )
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute() / "release" / "method-work"


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
        # Each dump but the first, which is empty, holds one call; the last one stands in the file without a number.
        dumps = [Path(folder, f"out.{number}") for number in range(2, len(lines) + 1)] + [Path(folder, "out")]
        for line, dump in zip(lines, dumps):
            name, pages, size, what = line.split("\t", 3)
            total = re.search(r"^totals: (\d+)", dump.read_text(), re.M)
            if name != "warm-up":
                yield name, int(pages), int(size), what.replace("\t", " "), int(total[1])


def cost(args):
    rows = list(counts(build(), ["corpus", str(args.step)]))
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
        """What `method-work` has to read: pages so many times the usual size."""
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
    """For each method (and `parse`) how many times the instructions rise when the case doubles, and how many a byte takes.

    Left out are those that take next to none.
    """
    totals, sizes = {}, []
    for _, _, size, what, total in counts(program, case.pages(times)):
        totals.setdefault(what, []).append(total)
        sizes += [size] if what == "parse" else []
    grown, twice_grown = sizes[1] - sizes[0], sizes[2] - sizes[0]
    found = {}
    for what, (least, once, twice) in totals.items():
        if grown >= SIZE / 10 and once - least >= LEAST_A_BYTE * grown:
            # The growth for each doubling of the size, whatever the exact sizes.
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


def linear(args):
    program = build()
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = cases(program, args, folder)
        results = list(pool.map(lambda case: measure(program, case), tried))
    print(f"{len(tried)} attacks\n\n| method | worst ratio | on | instructions a byte there | most a byte | on |\n|---|---:|---|---:|---:|---|")
    bad, methods = [], dict.fromkeys(what for found in results for what in found)
    for what in methods:
        rows = [(*found[what], case.name) for case, found in zip(tried, results) if what in found]
        ratio, a_byte, name = max(rows)
        _, dear, dear_name = max(rows, key=lambda row: row[1])
        print(f"| {what} | {ratio:.2f} | {name} | {a_byte:.1f} | {dear:.1f} | {dear_name} |")
        if ratio > LIMIT:
            bad.append(what)
    if bad or not methods:
        raise SystemExit(f"{len(bad)} of {len(methods)} grow faster than {LIMIT} x: {', '.join(bad)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("cost")
    command.add_argument("step", nargs="?", type=int, default=20)
    command.set_defaults(run=cost)
    command = commands.add_parser("linear")
    command.add_argument("--hostile", type=Path, help="the generator of hostile inputs")
    command.add_argument("--only", nargs="+", help="these attacks alone")
    command.set_defaults(run=linear)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
