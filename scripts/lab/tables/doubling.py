"""Counts the instructions of tables and archives whose parts double in number.

    python3 scripts/lab/tables/doubling.py PROGRAM [SERIES...]

For each series it writes four files, each with twice as many parts as the one before, and runs
`huller refine` or `huller extract` on them under valgrind with one worker. The instructions of an
almost empty file are subtracted. The exit status is 1 if a doubling costs more than LIMIT times as
much. Needs valgrind and pyarrow (PyPI).
"""

import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

LIMIT = 2.3
TEXT = "The storm closed the coast road for two days, and no ferry sailed before Monday."
PAGE = f"<title>Storm</title><p>{TEXT}</p>".encode()


def parquet(path, table, **options):
    pq.write_table(table, path, **options)


def row_groups(path, count):
    """Row groups of one row, with 301 columns."""
    names = {f"column_{number}": ["x"] * count for number in range(300)}
    parquet(path, pa.table({"text": [TEXT] * count, **names}), row_group_size=1)


def columns(path, count):
    parquet(path, pa.table({"text": [TEXT], **{f"column_{number}": ["x"] for number in range(count)}}))


def pages(path, count):
    """Data pages of some ten rows each in one column chunk."""
    texts = [f"{number} {TEXT}" for number in range(10 * count)]
    parquet(path, pa.table({"text": texts}), use_dictionary=False, data_page_size=800, write_batch_size=10)


def equal_rows(path, count):
    parquet(path, pa.table({"text": [TEXT] * count}))


def names_and_rows(path, count):
    """A header that grows by the square root of two, and as many rows: the file doubles."""
    wide = int(count**0.5)
    names = ",".join(["text", *(f"{'name' * 10}_{number}" for number in range(wide))])
    rows = f"{TEXT.replace(',', '')}{',x' * wide}\n" * wide
    path.write_text(f"{names}\n{rows}")


def tar_members(path, count):
    with tarfile.open(path, "w") as archive:
        for number in range(count):
            member = tarfile.TarInfo(f"{number}.html")
            member.size = len(PAGE)
            archive.addfile(member, io.BytesIO(PAGE))


def zip_members(path, count):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            archive.writestr(f"{number}.html", PAGE)


# Name: how to write the file, its ending, the command, the smallest number of parts.
SERIES = {
    "row groups x 301 columns": (row_groups, "parquet", "refine", 50),
    "columns": (columns, "parquet", "refine", 5000),
    "pages of a column": (pages, "parquet", "refine", 2000),
    "equal rows": (equal_rows, "parquet", "refine", 20_000),
    "names x rows": (names_and_rows, "csv", "refine", 20_000),
    "tar members": (tar_members, "tar", "extract", 2000),
    "zip members": (zip_members, "zip", "extract", 2000),
}


def instructions(program, command, path, folder):
    """Instructions of a run over a file."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = [program, command, path, "-o", folder / f"{path.name}.rows", "-j1", "--quiet", "--fields", "text"]
    done = subprocess.run([str(word) for word in valgrind + run], capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"error: {path.name}: {done.stderr.strip()}")
    return int(found[1])


def measure(program, name, folder):
    """The instructions of a series, from its smallest file on, without those of a tiny one."""
    write, ending, command, least = SERIES[name]
    counts = []
    for count in (4, least, 2 * least, 4 * least, 8 * least):
        path = folder / f"{name.replace(' ', '-')}-{count}.{ending}"
        write(path, count)
        counts.append(instructions(program, command, path, folder))
        path.unlink()
    return [count - counts[0] for count in counts[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("series", nargs="*", choices=[*SERIES, []], metavar="SERIES", help=", ".join(SERIES))
    args = parser.parse_args()
    names = args.series or list(SERIES)
    print("| series | smallest | million instructions | growth of each doubling |\n|---|---:|---|---|")
    bad = []
    with tempfile.TemporaryDirectory(prefix="doubling-") as folder, ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda name: measure(args.program.absolute(), name, Path(folder)), names)
        for name, counts in zip(names, runs, strict=True):
            growth = [after / before for before, after in zip(counts, counts[1:])]
            bad += [name] if max(growth) > LIMIT else []
            shown = " ".join(f"{count / 1e6:.0f}" for count in counts)
            print(f"| {name} | {SERIES[name][3]} | {shown} | {' '.join(f'{one:.2f}' for one in growth)} |", flush=True)
    print(f"\n{len(names)} series, {len(bad)} grow faster than {LIMIT} x")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
