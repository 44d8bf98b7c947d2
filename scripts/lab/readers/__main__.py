"""Reads huller's outputs with the real readers of every format, and compares with the default rows.

The comparison is column for column. networkx and igraph read a host graph of the links.

    scripts/lab/run readers

That command installs the readers into target/readers/venv in pinned versions, and runs this
package as `python3 -m readers PROGRAM FOLDER`.

The pages are those of the bundled sample and some that are made to break readers: control
characters, quotes, line ends and separators in every field, values of megabytes, and empty values.
Exit status 1 if anything differs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import graph, read

Row = dict[str, Any]

# Options with which rows have every field, so that every type of column occurs.
OPTIONS = ["--extractors=hull,pvalue", "--blocks", "--markdown", "--stages=language,length", "--signals", "--keep-keys=k"]
# Columns that are JSON in JSON Lines and text in every other format.
JSON = ("blocks", "signals", "source")

EVIL = "a\"b',\t;\\ \r\nc\u0000\u0001\u001b[2J\u007f\u009b\u2028\ufeff中😀 =1+1 %"


def pages(path: Path) -> None:
    """Writes pages that were made to hurt."""
    page = "<html><title>{0}</title><meta name=author content='{1}'><body><article><p>{2}</p></article></body></html>"
    good = "Some words that make a sentence, and a second sentence. " * 8
    lines = [
        {"id": EVIL, "url": "http://a.example/" + EVIL, "html": page.format(EVIL, EVIL, good + EVIL), "k": EVIL},
        {"id": "2", "url": "http://b.example/\r\nWARC-Type: response\r\n\r\n", "html": page.format("t", "a", good), "k": [1, None]},
        {"id": "3", "url": "", "html": "", "k": None},
        {"id": "4", "html": page.format("x" * 3_000_000, "y", good * 10_000)},
        {"id": "5", "url": "http://c.example/", "html": page.format("", "", "<pre>%\n\n%\n</pre>" + good), "k": {"a": 0.1}},
        {"id": "6", "url": "http://d.example/", "html": page.format("NaN", "null", good), "k": -0.0},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


class Huller:
    """The program, and the inputs."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        pages(folder / "evil.jsonl")
        self.inputs = [Path("data/sample.warc.gz"), folder / "evil.jsonl"]

    def write(self, name: str, *options: str) -> list[Path]:
        """The outputs of a run with these options, in the order of the inputs."""
        out = self.folder / name
        command = [self.program, "extract", *self.inputs, "-o", out, "--quiet", *options]
        subprocess.run([str(part) for part in command], check=True)
        subprocess.run([str(self.program), "verify", str(out), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return [next(out.glob(f"{stem}.*")) for stem in ("sample", "evil")]

    def graph(self) -> tuple[Path, list[Path]]:
        """The folder of a host graph, and the files of its links."""
        out, links = self.folder / "graph", self.folder / "links"
        self.write("linked", "--links", str(links), "--compress=none")
        subprocess.run([str(self.program), "links", str(links), "-o", str(out), "--quiet"], check=True)
        return out, sorted(links.glob("*.jsonl"))


def rows(path: Path) -> list[Row]:
    """The rows of the default output."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def unpacked(found: Iterator[Row]) -> Iterator[Row]:
    """Rows as JSON Lines have them: what is JSON in a text is taken out of it."""
    for row in found:
        yield {name: json.loads(value) if name in JSON and value is not None else value for name, value in row.items()}


def csv_values(row: Row) -> dict[str, str]:
    """What a row is in a format that has texts alone."""
    values = {}
    for name, value in row.items():
        if isinstance(value, str):
            # Formats without escapes have only white space as control characters.
            values[name] = "".join("\ufffd" if is_obeyed(c) else c for c in value)
        elif value is None:
            values[name] = ""
        else:
            values[name] = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return values


def is_obeyed(c: str) -> bool:
    return (c < " " and c not in "\t\n\r") or "\x7f" <= c < "\xa0"


class Report:
    """What agrees and what does not."""

    def __init__(self) -> None:
        self.failed = 0

    def compare(self, what: str, expected: list[Row], read_rows: Callable[[], Iterator[Row]]) -> None:
        self.check(what, lambda: difference(expected, list(read_rows())))

    def check(self, what: str, problem_of: Callable[[], str | None]) -> None:
        try:
            problem = problem_of()
        except Exception as error:  # noqa: BLE001 - a reader may raise anything
            problem = f"{type(error).__name__}: {error}"
        self.failed += problem is not None
        print(f"{'ok  ' if problem is None else 'FAIL'} {what}{'' if problem is None else ': ' + problem[:500]}", flush=True)


def difference(expected: list[Row], found: list[Row]) -> str | None:
    if len(expected) != len(found):
        return f"{len(found)} rows, not {len(expected)}"
    for number, (here, there) in enumerate(zip(expected, found)):
        if list(here) != list(there):
            return f"row {number} has the columns {list(there)}"
        for name, value in here.items():
            if not same(value, there[name]):
                return f"row {number}, {name}: {there[name]!r:.200} is not {value!r:.200}"
    return None


def same(a: Any, b: Any) -> bool:
    """CSV has numbers in any form: 1e-05 is 0.00001."""
    if a == b:
        return True
    try:
        return isinstance(a, str) and isinstance(b, str) and json.loads(a) == json.loads(b)
    except ValueError:
        return False


def main(program: str, folder: str) -> int:
    huller, report = Huller(Path(program), Path(folder)), Report()
    default = [rows(path) for path in huller.write("jsonl", "--compress=none", *OPTIONS)]

    for compress in ("zstd", "gzip", "none"):
        options = ["--format=parquet", f"--compress={compress}", *OPTIONS]
        if compress == "zstd":
            options.append("--bloom-filters")
        for rows_of, path in zip(default, huller.write(f"parquet-{compress}", *options)):
            for name, reader in read.PARQUET.items():
                report.compare(f"parquet {compress} {path.name} by {name}", rows_of, lambda: unpacked(reader(path)))
    for compress in ("zstd", "none"):
        for rows_of, path in zip(default, huller.write(f"arrow-{compress}", "--format=arrow", f"--compress={compress}", *OPTIONS)):
            for name, reader in read.ARROW.items():
                report.compare(f"arrow {compress} {path.name} by {name}", rows_of, lambda: unpacked(reader(path)))
    for kind in ("csv", "tsv"):
        for rows_of, path in zip(default, huller.write(kind, f"--format={kind}", "--compress=none", *OPTIONS)):
            texts = [csv_values(row) for row in rows_of]
            for name, reader in read.CSV.items():
                report.compare(f"{kind} {path.name} by {name}", texts, lambda: reader(path, "," if kind == "csv" else "\t"))
    for rows_of, path in zip(default, huller.write("wet", "--format=wet", *OPTIONS)):
        for name, reader in read.WET.items():
            expected = [read.wet_row(row, name) for row in rows_of]
            report.compare(f"wet {path.name} by {name}", [row for row in expected if row], lambda: reader(path))
    for separator in ("", "%"):
        options = [f"--separator={separator}"] if separator else []
        for rows_of, path in zip(default, huller.write(f"text{separator}", "--format=text", "--compress=none", *OPTIONS, *options)):
            expected = [{"text": "".join(line + (" " if line == separator else "") + "\n" for line in text.split("\n") if text)}
                        for text in (row["text"] for row in rows_of)]
            report.compare(f"text {path.name} {separator!r} by its separator", expected, lambda: read.text(path, separator))

    for schema, expected in read.SCHEMAS.items():
        options = ["--schema", schema, *(["--es-index=pages"] if schema == "es-bulk" else [])]
        for rows_of, path in zip(default, huller.write(schema, "--compress=none", *options, *OPTIONS)):
            for name, reader in read.OF_SCHEMA[schema].items():
                report.compare(f"schema {schema} {path.name} by {name}", [expected(row) for row in rows_of], lambda: reader(path))
    folder_of_graph, links = huller.graph()
    report.check(f"host graph by {', '.join(graph.GRAPHS)}", lambda: graph.problem(folder_of_graph, links))
    print("all readers agree" if report.failed == 0 else f"{report.failed} differences")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
