#!/usr/bin/env python3
"""Count the instructions that every method takes (needs valgrind, and cargo to build `method-work`).

    instructions.py cost [STEP]         a table: thousands of instructions a page, and times those of `pvalue`, over
                                        every STEPth page (20 if not told) of the bundled sample, or of HULLER_CORPUS
    instructions.py linear [--hostile GEN_HOSTILE.PY] [--only NAME...]
                                        every method on every shape of attack at n and 2n: the worst ratio of each method;
                                        fails where one is above 2.3. With the generator, its HTML cases too.

Parsing is counted once and added to each method in the first table, as a run with one method would have it; in the second it stands
for itself. What the same attack takes with next to nothing of it is subtracted before the ratio is taken.

Python 3.9 or newer, standard library only.
"""

import argparse
import gzip
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


def attacks(program, only):
    """Names of shapes, and what `method-work` has to read: with next to nothing, once, twice."""
    lines = subprocess.run([program, "attacks"], capture_output=True, text=True, check=True).stdout.splitlines()
    for shape in lines:
        if "\t" not in shape and (not only or shape in only):
            yield shape, [f"attack:{shape}:{size}" for size in (0, SIZE, 2 * SIZE)]


def hostile(generator, folder, only):
    """The same for the HTML cases of the generator, which writes archives of three pages of which the second is the attack."""
    cases = {}
    for at, scale in enumerate((0, SCALE, 2 * SCALE)):
        out = Path(folder, str(at))
        chosen = ["--only", ",".join(only)] if only else ["--group", "html"]
        subprocess.run(
            [sys.executable, generator, out, "--scale", str(scale), *chosen], check=True, stdout=subprocess.DEVNULL
        )
        for archive in sorted(out.glob("html-*.warc.gz")):
            record = gzip.decompress(archive.read_bytes()).split(b"WARC/1.0\r\n")[2]
            page = archive.with_suffix(".html")
            page.write_bytes(record.split(b"\r\n\r\n", 2)[2].removesuffix(b"\r\n\r\n"))
            cases.setdefault(archive.name.removesuffix(".warc.gz"), []).append(f"file:{page}")
    return cases.items()


def linear(args):
    program = build()
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        cases = list(attacks(program, args.only))
        if args.hostile:
            cases += hostile(args.hostile, folder, args.only)
        results = pool.map(lambda case: list(counts(program, case[1])), cases)
        worst, tried = {}, 0
        for (case, pages), rows in zip(cases, results):
            tried += 1
            totals, sizes = {}, []
            for name, _, size, what, total in rows:
                totals.setdefault(what, []).append(total)
                sizes += [size] if what == "parse" else []
            for what, (none, once, twice) in totals.items():
                grown = sizes[1] - sizes[0]
                if once - none < LEAST_A_BYTE * grown or grown < SIZE / 10:
                    continue
                # Sizes are not exactly twice as large.
                ratio = (twice - none) / (once - none) * 2 * grown / (sizes[2] - sizes[0])
                worst.setdefault(what, []).append((ratio, case, (once - none) / grown))
                if ratio > LIMIT:
                    print(f"{case}: {what} {ratio:.2f}", file=sys.stderr, flush=True)
    print(f"{tried} attacks\n\n| method | worst ratio | on | instructions a byte there | most a byte | on |\n|---|---:|---|---:|---:|---|")
    for what, ratios in worst.items():
        ratio, case, a_byte = max(ratios)
        _, dear_case, dear = max(ratios, key=lambda row: row[2])
        print(f"| {what} | {ratio:.2f} | {case} | {a_byte:.1f} | {dear:.1f} | {dear_case} |")
    bad = [what for what, ratios in worst.items() if max(ratios)[0] > LIMIT]
    if bad or not worst:
        raise SystemExit(f"{len(bad)} of {len(worst)} grow faster than {LIMIT} x: {', '.join(bad)}")


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
