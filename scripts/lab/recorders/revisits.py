"""Compares the rows of revisits with those of the records to which warcio's digests lead.

A recorder writes a revisit in place of a page whose payload it has recorded. `huller extract
--revisits-from` gives each revisit the page of that record. The record with the same payload digest
in the archive of the first run, as warcio reads it, says which text this is.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .install import packages

INDEXER = ["cdxj-indexer==1.4.6"]
# Family: the archive with revisits, that with the first records, and the recorder's own index.
ARCHIVES = {
    "wget": ("dedup.warc.gz", "gz.warc.gz", "gz.cdx"),
    "wpull": ("dedup.warc.gz", "gz.warc.gz", "gz.cdx"),
    "warcprox": ("gz-0.warc.gz", "gz-0.warc.gz", None),
}


@dataclass
class Revisits:
    """The revisits of an archive and an index: how many have a row, and which rows are wrong."""

    file: str
    index: str
    revisits: int
    rows: int
    wrong: list


def compare(family, folder, reader, huller, installed):
    """Compares the archive of a family by the recorder's index and by that of cdxj-indexer."""
    if family not in ARCHIVES:
        return []
    archive, first, own = ARCHIVES[family]
    if not (folder / archive).is_file() or not (folder / first).is_file():
        return []
    made = folder / "first.cdxj"
    indexer = packages(installed, "indexer", INDEXER) / "cdxj-indexer"
    # Revisits in an index of the same archive would lead to themselves.
    made.write_bytes(subprocess.run([indexer, folder / first], capture_output=True, check=True).stdout)
    indexes = [made] + ([folder / own] if own else [])
    return [one_index(folder, archive, first, index, reader, huller) for index in indexes]


def one_index(folder, archive, first, index, reader, huller):
    texts = {row["id"]: row["text"] for row in rows(huller, folder / first, folder / "rows-first")}
    by_digest = {}
    for record in records(reader, folder / first):
        if record["type"] == "response":
            by_digest.setdefault(record["payload_digest"], bare(record["id"]))
    resolving = ["--revisits-from", index, "--archives", folder]
    resolved = {row["id"]: row["text"] for row in rows(huller, folder / archive, folder / "rows-revisits", *resolving)}
    revisits = [record for record in records(reader, folder / archive) if record["type"] == "revisit"]
    wrong, count = [], 0
    for record in revisits:
        expected = texts.get(by_digest.get(record["payload_digest"]))
        found = resolved.get(bare(record["id"]))
        count += found is not None
        if found != expected:
            wrong.append(f"{record['uri']}: {shown(found)}, expected {shown(expected)}")
    return Revisits(f"{folder.name}/{archive}", index.name, len(revisits), count, wrong)


def rows(huller, archive, out, *options):
    # The exit status is 1 if a record is damaged, as some cases are.
    command = [huller, "extract", archive, "-o", out, "--overwrite", "--quiet", "--compress", "none", *options]
    subprocess.run([str(part) for part in command], check=False)
    return [json.loads(line) for path in Path(out).glob("*.jsonl") for line in path.read_text().splitlines()]


def records(reader, archive):
    """The records of an archive as warcio reads them."""
    script = Path(__file__).with_name("inside") / "readers.py"
    said = subprocess.run([reader, script, archive], capture_output=True, text=True, check=True).stdout
    return json.loads(said)["warcio"]


def bare(identifier):
    return (identifier or "").strip("<>").removeprefix("urn:uuid:")


def shown(text):
    return "no row" if text is None else f"{len(text)} characters"
