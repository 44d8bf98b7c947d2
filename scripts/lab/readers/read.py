"""One function per reader, which reads rows from a file."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

Row = dict[str, Any]
csv.field_size_limit(sys.maxsize)


def parquet_pyarrow(path: Path) -> Iterator[Row]:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path)
    assert json.loads(file.metadata.metadata[b"huller.config"])["settings"]["format"] == "parquet"
    yield from file.read().to_pylist()


def parquet_duckdb(path: Path) -> Iterator[Row]:
    import duckdb

    found = duckdb.sql(f"select * from '{path}'")
    # A filter uses statistics and pages.
    total = duckdb.sql(f"select count(*) from '{path}' where id >= ''").fetchall()[0][0]
    rows = found.fetchall()
    assert total == len(rows), (total, len(rows))
    # A filter of equal values also uses Bloom filters.
    first = dict(zip(found.columns, rows[0]))["id"]
    assert duckdb.execute(f"select count(*) from '{path}' where id = ?", [first]).fetchall()[0][0] > 0
    yield from (dict(zip(found.columns, row)) for row in rows)


def parquet_polars(path: Path) -> Iterator[Row]:
    import polars

    frame = polars.read_parquet(path)
    assert polars.scan_parquet(path).filter(polars.col("status") == 200).collect().height == frame.filter(polars.col("status") == 200).height
    yield from frame.to_dicts()


def by_datasets(kind: str):
    def read(path: Path) -> Iterator[Row]:
        import datasets

        datasets.disable_progress_bars()
        yield from datasets.load_dataset(kind, data_files=str(path), split="train", cache_dir=str(path.parent / "_cache"))

    return read


PARQUET = {"pyarrow": parquet_pyarrow, "duckdb": parquet_duckdb, "polars": parquet_polars, "datasets": by_datasets("parquet")}


def arrow_pyarrow(path: Path) -> Iterator[Row]:
    import pyarrow.ipc

    table = pyarrow.ipc.open_file(path).read_all()
    table.validate(full=True)
    yield from table.to_pylist()


def arrow_mapped(path: Path) -> Iterator[Row]:
    import pyarrow

    with pyarrow.memory_map(str(path)) as file:
        yield from pyarrow.ipc.open_file(file).read_all().to_pylist()


def arrow_polars(path: Path) -> Iterator[Row]:
    import polars

    yield from polars.read_ipc(path).to_dicts()


def arrow_nanoarrow(path: Path) -> Iterator[Row]:
    import nanoarrow
    import nanoarrow.ipc

    # The reader takes streams; the bytes after the magic are a stream.
    stream = io.BytesIO(path.read_bytes()[8:])
    with nanoarrow.ipc.InputStream.from_readable(stream) as source:
        array = nanoarrow.ArrayStream(source).read_all()
    names = [field.name for field in array.schema.fields]
    for row in array.iter_tuples():
        yield dict(zip(names, row))


ARROW = {
    "pyarrow": arrow_pyarrow,
    "pyarrow, mapped": arrow_mapped,
    "polars": arrow_polars,
    "nanoarrow": arrow_nanoarrow,
    "datasets": by_datasets("arrow"),
}


def csv_stdlib(path: Path, separator: str) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter=separator)


def csv_duckdb(path: Path, separator: str) -> Iterator[Row]:
    import duckdb

    found = duckdb.read_csv(
        str(path), sep=separator, header=True, all_varchar=True, quotechar='"', escapechar='"', max_line_size=64 << 20, buffer_size=256 << 20
    )
    for row in found.fetchall():
        yield {name: value or "" for name, value in zip(found.columns, row)}


def csv_polars(path: Path, separator: str) -> Iterator[Row]:
    import polars

    frame = polars.read_csv(path, separator=separator, infer_schema=False)
    for row in frame.iter_rows(named=True):
        yield {name: value or "" for name, value in row.items()}


def csv_pandas(path: Path, separator: str) -> Iterator[Row]:
    import pandas

    frame = pandas.read_csv(path, sep=separator, dtype=str, keep_default_na=False, lineterminator=None, engine="c")
    yield from frame.to_dict("records")


def csv_pyarrow(path: Path, separator: str) -> Iterator[Row]:
    import pyarrow
    import pyarrow.csv

    with path.open(encoding="utf-8", newline="") as file:
        names = next(csv.reader(file, delimiter=separator))
    options = pyarrow.csv.ConvertOptions(column_types={name: pyarrow.string() for name in names}, strings_can_be_null=False)
    table = pyarrow.csv.read_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(block_size=64 << 20),
        parse_options=pyarrow.csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        convert_options=options,
    )
    yield from table.to_pylist()


CSV = {"the standard library": csv_stdlib, "duckdb": csv_duckdb, "polars": csv_polars, "pandas": csv_pandas, "pyarrow": csv_pyarrow}


def is_uuid(text: str) -> bool:
    import uuid

    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def header(value: str) -> str:
    """Control characters and white space as in an address."""
    return "".join(quote(c, safe="") if c.isspace() or c < " " or "\x7f" <= c < "\xa0" else c for c in value.strip())


def wet_row(row: Row, reader: str) -> Row | None:
    """What a row is in WET."""
    if reader == "cc_net":
        # Without a URL, cc_net finds each header at another place, and it does not accept an empty
        # text as a document.
        if not row["url"] or not row["text"]:
            return None
        title, *lines = row["text"].split("\n")
        return {"url": header(row["url"]), "title": title, "raw_content": "\n".join(lines), "length": len(row["text"].encode())}
    name = ("urn:uuid:" if is_uuid(row["id"]) else "urn:x-id:") + header(row["id"])
    return {"id": f"<{name}>", "url": header(row["url"]) if row["url"] else None, "text": row["text"], "language": row["language"]}


def wet_warcio(path: Path) -> Iterator[Row]:
    from warcio.archiveiterator import ArchiveIterator

    with path.open("rb") as file:
        for number, record in enumerate(ArchiveIterator(file, check_digests="raise")):
            assert record.rec_type == ("conversion" if number else "warcinfo")
            text = record.content_stream().read().decode()
            if number:
                get = record.rec_headers.get_header
                yield {
                    "id": get("WARC-Refers-To"),
                    "url": get("WARC-Target-URI"),
                    "text": text,
                    "language": get("WARC-Identified-Content-Language"),
                }


def wet_fastwarc(path: Path) -> Iterator[Row]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(path.open("rb"), record_types=WarcRecordType.conversion, parse_http=False):
        assert record.verify_block_digest()
        get = record.headers.get
        yield {
            "id": get("WARC-Refers-To"),
            "url": get("WARC-Target-URI"),
            "text": record.reader.read().decode(),
            "language": get("WARC-Identified-Content-Language"),
        }


def wet_ccnet(path: Path) -> Iterator[Row]:
    """The rules of cc_net (process_wet_file.py): headers by their places, the first line is the title."""
    import gzip

    plain = gzip.open(path, "rb").read().decode()
    for record in plain.split("WARC/1.0\r\n")[1:]:
        lines = ("WARC/1.0\n" + record.replace("\r\n", "\n")).split("\n")
        end = lines.index("")
        headers, doc = lines[:end], lines[end + 1 :]
        if headers[1].split()[1] != "conversion" or not headers[2].startswith("WARC-Target-URI"):
            continue
        url, length = headers[2].split()[1], int(headers[8].split()[1])
        doc = doc[: len(doc) - 2]
        if not doc or doc == [""]:
            continue
        yield {"url": url, "title": doc[0], "raw_content": "\n".join(doc[1:]), "length": length}


WET = {"warcio": wet_warcio, "fastwarc": wet_fastwarc, "cc_net": wet_ccnet}


def text(path: Path, separator: str) -> Iterator[Row]:
    page = ""
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        if line == separator:
            yield {"text": page}
            page = ""
        else:
            page += line + "\n"
    assert page == ""


def lines(path: Path) -> Iterator[Row]:
    yield from (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line)


def metadata(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in ("id", "text")}


def milliseconds(time: str | None) -> str | None:
    return time[:-1] + ".000Z" if time and len(time) == 20 and time.endswith("Z") else None


def dolma(row: Row) -> Row:
    added = milliseconds(row["date"])
    created = milliseconds(row["published"]) or added
    return {"id": row["id"], "text": row["text"], "source": "huller", "added": added, "created": created, "metadata": metadata(row)}


def fineweb(row: Row) -> Row:
    names = ("text", "id", "dump", "url", "date", "file_path", "language", "language_score", "token_count")
    return {name: row.get(name) for name in names}


def ccnet(row: Row) -> Row:
    body = row["text"]
    host = row["url"].split("://")[-1].split("/")[0].split("?")[0].split("#")[0] if row["url"] is not None else None
    return {
        "url": row["url"],
        "date_download": row["date"],
        "digest": row["digest"],
        "length": len(body),
        "nlines": len(body.split("\n")) if body else 0,
        "source_domain": host,
        "title": row["title"],
        "raw_content": body,
        "language": row["language"],
        "language_score": row["language_score"],
        # Of the stage `perplexity`, which is not on here.
        "perplexity": None,
        "bucket": None,
    }


SCHEMAS = {
    "dolma": dolma,
    "datatrove": lambda row: {"text": row["text"], "id": row["id"], "metadata": metadata(row)},
    "fineweb": fineweb,
    "ccnet": ccnet,
    "anserini": lambda row: {"id": row["id"], "contents": row["text"]},
    "es-bulk": lambda row: row,
    "quickwit": lambda row: {name: value for name, value in row.items() if value is not None},
}


def by_datatrove(path: Path) -> Iterator[Row]:
    from datatrove.pipeline.readers import JsonlReader

    reader = JsonlReader(str(path.parent), glob_pattern=path.name, compression=None)
    for document in reader.run():
        # datatrove skips documents without a text, and adds the path of the file.
        found = {name: value for name, value in document.metadata.items()}
        yield {"text": document.text, "id": document.id, "metadata": found}


def by_datatrove_of_texts(path: Path) -> Iterator[Row]:
    """datatrove passes over documents without a text, so these are put back for the comparison."""
    read = by_datatrove(path)
    for row in lines(path):
        if not row["text"]:
            yield row
            continue
        found = next(read)
        # datatrove knows two paths of the file, and writes its own over ours.
        found["metadata"]["file_path"] = row["metadata"]["file_path"]
        yield found
    assert next(read, None) is None


def by_bulk_api(path: Path) -> Iterator[Row]:
    """The rules of the bulk API: pairs of lines, each ended by a line feed, an action that indexes, identifiers of 512 bytes at most."""
    body = path.read_bytes()
    assert body.endswith(b"\n") and len(body) < 100_000_000
    found = body.split(b"\n")[:-1]
    for action, source in zip(found[::2], found[1::2], strict=True):
        action = json.loads(action)
        assert list(action) == ["index"] and action["index"]["_index"] == "pages"
        row = json.loads(source)
        assert action["index"]["_id"] == row["id"] and len(row["id"].encode()) <= 512
        yield row


def by_datasets_names(path: Path) -> Iterator[Row]:
    """`datasets` finds a type for every column; what it makes of empty ones and nested ones is its own."""
    found = list(by_datasets("json")(path))
    for row, read in zip(lines(path), found, strict=True):
        for name in ("id", "text", "contents", "raw_content", "url"):
            assert row.get(name) == read.get(name), (name, row.get(name), read.get(name))
        yield row


OF_SCHEMA = {
    "dolma": {"json": lines, "datasets": by_datasets_names},
    "datatrove": {"json": lines, "datatrove": by_datatrove_of_texts},
    "fineweb": {"json": lines, "datasets": by_datasets_names},
    "ccnet": {"json": lines, "datasets": by_datasets_names},
    "anserini": {"json": lines, "datasets": by_datasets_names},
    "es-bulk": {"the rules of the bulk API": by_bulk_api},
    "quickwit": {"json": lines},
}
