"""Uses every function with every kind of argument, for mypy and pyright. It is not run."""

from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow

import huller


def one_page(html: bytes) -> None:
    page: huller.Page = huller.extract(html, url="https://a.test", charset="utf-8", extractor="hull", profile="paper", output="blocks", include=["title"])
    texts: tuple[str, str | None] = page.text, page.title
    blocks: list[dict[str, Any]] | None = page.blocks
    for block in page.blocks or []:
        print(block["kept"], texts, blocks)
    fields: dict[str, Any] = page.to_dict()
    print(fields, page.score, page.has_article)


def many_pages(pages: list[bytes | None], frame: polars.DataFrame, pandas_frame: pandas.DataFrame, relation: duckdb.DuckDBPyRelation) -> None:
    batch: pyarrow.RecordBatch = huller.extract_many(pages, urls=["https://a.test"], threads=2, output="markdown")
    batch = huller.extract_many(["<p>x", None], extractor=["hull", "body"], judge=True, min_chars=5, stages="mask", lang=["eng"])
    for source in (frame, pandas_frame, relation):
        batch = huller.extract_many(source, html="page", url="address", counters=huller.Counters())
    batch = huller.extract_many(frame["html"], urls=frame["url"])
    schema: pyarrow.Schema = huller.many_schema(extractor="hull", output="html", stages=["mask"])
    print(batch, schema)


def archive(path: Path) -> None:
    counters = huller.Counters()
    reader: pyarrow.RecordBatchReader = huller.stream(path, counters=counters, stages=["language", trivial, plain], preset="fineweb", set=["length.min_chars=5"], fields=["id", "text"])
    for batch in reader:
        print(batch.num_rows)
    with open(path, "rb") as file:
        huller.stream(file, name="a", status="any", html=True, records_from=None)
    huller.stream(path, records_from=[path], entry_status=200, entry_host=["a.test"])
    both: huller.Counters = counters + counters
    total: int | huller.Counters = sum([counters, both])
    print(total, counters.skipped["status"], huller.stream_schema(markdown=True))
    record: huller.Record
    for record in huller.read_warc(path, errors="raise"):
        print(record.payload, record.offset)


@huller.stage
def trivial(rows: pyarrow.RecordBatch) -> pyarrow.Array:
    return rows.column("text").is_valid()


@huller.stage(name="other", columns=["text"], batch_rows=10)
def other(rows: pyarrow.RecordBatch) -> dict[str, Any]:
    return {"text": rows.column("text")}


def plain(rows: pyarrow.RecordBatch) -> list[bool]:
    return [True] * rows.num_rows


def rows_that_exist(table: pyarrow.Table, batch: pyarrow.RecordBatch, frame: polars.DataFrame, other_frame: pandas.DataFrame) -> None:
    refined: pyarrow.Table = huller.refine(table, stages=["mask", other], keep_dropped=True, signals=True)
    refined = huller.refine(frame, preset="gopher", counters=huller.Counters())
    refined = huller.refine(other_frame, stages=trivial, config=huller.Config("huller.toml"))
    small: pyarrow.RecordBatch = huller.refine(batch, lang="eng")
    small = huller.signatures(frame, bands=9, hash="datatrove")
    fewer: pyarrow.Table = huller.dedup(frame, by=["url", "near"], keep="longest", keep_dropped=True)
    done: dict[str, Any] = huller.dedup("corpus/", Path("unique"), by="text", against=["old/"], mark="list.jsonl", resume=True)
    print(refined, small, fewer, done["inputs"])


def others() -> None:
    figures: dict[str, Any] = huller.evaluate("a.warc.gz", ["gold.jsonl"], extractors=["hull"], by=["lang"])
    names: list[str] = huller.input_names(["a/b.warc.gz"])
    listed: list[tuple[str, Path]] = huller.read_list("warc.paths")
    option: huller.options.Option = huller.options.options("stream")[0]
    known: tuple[str, ...] = (*huller.METHODS, *huller.STAGES, *huller.PRESETS, huller.__version__)
    print(figures, names, listed, option.kind, known)
    try:
        huller.stream("none.warc.gz")
    except huller.ArchiveError as error:
        print(error.file, error.offset)
    except huller.OutputError as error:
        print(error.file)
