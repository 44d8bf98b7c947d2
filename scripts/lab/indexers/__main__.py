"""Compares the rows of runs over indexes with those of runs over the whole archives.

    scripts/lab/run indexers [ARCHIVE...]

That command installs the indexers into target/indexers/venv in pinned versions, and runs this
package as `python3 -m indexers PROGRAM FOLDER ARCHIVE...`.

The indexes are CDXJ and CDX of cdxj-indexer, and a table in the columns of Common Crawl's index,
which pyarrow writes from the CDXJ. One run reads all records of each index, and another every third
one. The rows must be those of the whole run for the same records, with any number of workers, and
no record may be missing. The script names and skips archives that cdxj-indexer cannot read. Exit
status 1 if anything differs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Entry = dict[str, Any]
CDX_HEADER = " CDX N b a m s k r M S V g\n"
# The columns of Common Crawl's index that huller reads.
COLUMNS = pa.schema(
    [
        ("url", pa.string()),
        ("url_host_name", pa.string()),
        ("fetch_status", pa.int16()),
        ("content_mime_type", pa.string()),
        ("content_mime_detected", pa.string()),
        ("content_languages", pa.string()),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int32()),
        ("warc_record_length", pa.int32()),
    ]
)


def cdxj(archive: Path, *options: str) -> list[str] | None:
    """The lines that cdxj-indexer gives; None if it cannot read the archive."""
    indexer = Path(sys.executable).with_name("cdxj-indexer")
    done = subprocess.run([indexer, *options, archive], capture_output=True, check=False)
    if done.returncode:
        return None
    return done.stdout.decode("utf-8", "surrogateescape").splitlines(keepends=True)


def entry(line: str) -> Entry:
    return json.loads(line[line.index(" {") :])


def table(entries: list[Entry], path: Path) -> None:
    """Writes the entries as Common Crawl does."""
    rows = []
    for one in entries:
        status = one.get("status", "")
        rows.append(
            {
                "url": one["url"],
                "url_host_name": urllib.parse.urlsplit(one["url"]).hostname,
                "fetch_status": int(status) if status.isdigit() else None,
                "content_mime_type": one.get("mime"),
                "content_mime_detected": None,
                "content_languages": None,
                "warc_filename": "crawl-data/segments/1/warc/" + one["filename"],
                "warc_record_offset": int(one["offset"]),
                "warc_record_length": int(one["length"]),
            }
        )
    pq.write_table(pa.Table.from_pylist(rows, schema=COLUMNS), path, compression="gzip")


def rows(folder: Path) -> list[Entry]:
    files = [file for file in folder.glob("*.jsonl") if file.is_file()]
    assert len(files) <= 1, files
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").split("\n") if line]


class Check:
    """The program, and what went wrong."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder, self.failures = program, folder, 0
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def extract(self, name: str, *options: object) -> tuple[list[Entry], Entry]:
        """The rows of a run, and the account of all its inputs."""
        out = self.folder / name
        command = [self.program, "extract", "-o", out, "--quiet", "--compress", "none", "--overwrite", *options]
        done = subprocess.run([str(part) for part in command], check=False, capture_output=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{command}: {done.stderr.decode()}")
        account = json.loads((out / "_huller/run.account").read_text(encoding="utf-8"))
        return rows(out), account["total"]

    def archive(self, archive: Path) -> None:
        lines = cdxj(archive)
        if not lines:
            print(f"{archive.name}: cdxj-indexer gives nothing")
            return
        whole = {}
        found, total = self.extract("whole", archive)
        if not total["records"]:
            print(f"{archive.name}: huller reads none of its records")
            return
        for row in found:
            whole.setdefault(row["warc_record_offset"], []).append(row)
        for share, every in (("all", 1), ("every third", 3)):
            chosen = lines[::every]
            entries = [entry(line) for line in chosen]
            files = {
                "index.cdxj": lambda path: path.write_text("".join(chosen), "utf-8", "surrogateescape"),
                "index.parquet": lambda path: table(entries, path),
            }
            if every == 1 and (cdx := cdxj(archive, "--cdx11")):
                files["index.cdx"] = lambda path: path.write_text("".join(cdx), "utf-8", "surrogateescape")
            offsets = sorted({int(one["offset"]) for one in entries})
            expected = [row for offset in offsets for row in whole.get(offset, [])]
            for name, write in files.items():
                path = self.folder / name
                write(path)
                options = ["--records-from", path, "--archives", archive.parent]
                found, total = self.extract("one", *options, "-j1")
                again, _ = self.extract("two", *options, "-j2")
                wrong = total["failed"].get("not_where_indexed", 0)
                same = found == expected and again == found
                # Two entries of one record count as one record.
                records = len({(one["offset"], one["url"]) for one in entries})
                complete = wrong or total["records"] == records
                outcome = "equal" if same and complete else "DIFFERENT"
                self.failures += outcome != "equal"
                print(f"{archive.name}: {name}, {share}: {records} records, {len(found)} rows, {wrong} not there: {outcome}")


def main() -> int:
    program, folder, *archives = map(Path, sys.argv[1:])
    check = Check(program, folder)
    for archive in archives:
        check.archive(archive)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
