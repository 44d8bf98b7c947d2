"""Duplicates among rows in memory: the decisions of ``huller dedup`` for a data frame."""

import json
import os
import tempfile
import typing as _t

from huller import row_stages
from huller._huller import Counters
from huller._huller import dedup as _dedup
from huller.frames import filtered

if _t.TYPE_CHECKING:
    import pyarrow

#: Rows of a row group of the file that `dedup` reads.
_GROUP = 2_000


def dedup_rows(
    rows: "pyarrow.Table | pyarrow.RecordBatch",
    /,
    *,
    by: list[str],
    text: str,
    url: str,
    date: str,
    score: str,
    keep_dropped: bool,
    counters: Counters | None,
    **options: _t.Any,
) -> "pyarrow.Table | pyarrow.RecordBatch":
    """Returns the rows that ``huller dedup`` keeps, in their order.

    The columns that decide are written to a temporary file. ``dedup`` lists the rows to drop by
    their place in it.
    """
    import pyarrow
    import pyarrow.compute
    import pyarrow.parquet

    refused = [name for name in ("host_lines", "host_line_chars", "paragraphs", "format", "cluster_fields", "mark_rows", "mark", "text_key", "url_key", "resume", "overwrite") if options.get(name)]
    if refused:
        raise ValueError(f"{refused[0]} is an option for files: give paths and an output folder")
    row_stages.text_column(rows, text)
    count = rows.num_rows
    columns: dict[str, _t.Any] = {}
    for name, column in [("url", url), ("date", date), ("text", text), ("score", score)]:
        if column in rows.schema.names:
            columns[name] = rows.column(column)
    with tempfile.TemporaryDirectory(prefix="huller-") as folder:
        path, listed = os.path.join(folder, "rows.parquet"), os.path.join(folder, "dropped.jsonl")
        table = _plain(columns)
        with pyarrow.parquet.ParquetWriter(path, table.schema, compression="zstd") as writer:
            # Python looks for signals between the groups.
            for start in range(0, count, _GROUP):
                writer.write_table(table.slice(start, _GROUP))
        if count:
            _dedup([path], os.path.join(folder, "out"), against=[], by=by, mark=listed, **options)
        dropped = _listed(listed)
    no_text = pyarrow.compute.is_null(rows.column(text)).to_pylist()
    reasons: list[str | None] = ["no_text" if is_null else None for is_null in no_text]
    kept_instead: list[int | None] = [None] * count
    for place, reason, other in dropped:
        reasons[place], kept_instead[place] = reason, other
    column = pyarrow.array(reasons, pyarrow.string())
    if counters is not None:
        counts = {entry["values"]: entry["counts"] for entry in column.drop_null().value_counts().to_pylist()}
        counters._count_rows(column.null_count, counts, were_written=False)
    if not keep_dropped:
        return filtered(rows, pyarrow.compute.is_null(column))
    names = [*rows.schema.names, "dropped", "duplicate_of"]
    arrays = [*rows.columns, column, pyarrow.array(kept_instead, pyarrow.int64())]
    return type(rows).from_arrays(arrays, names=names)


def _plain(columns: dict[str, _t.Any]) -> "pyarrow.Table":
    """Returns a table of types that every writer of Parquet knows."""
    import pyarrow

    table = pyarrow.table(columns)
    for at, field in enumerate(table.schema):
        if pyarrow.types.is_dictionary(field.type):
            field = field.with_type(field.type.value_type)
        if field.type == pyarrow.string_view():
            field = field.with_type(pyarrow.large_string())
        if field.type != table.schema[at].type:
            table = table.set_column(at, field.name, table.column(at).cast(field.type))
    return table


def _listed(path: str) -> list[tuple[int, str, int]]:
    """Returns the place of each dropped row, the reason, and the place of the row kept instead."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return [(row["place"], row["reason"], row["duplicate_of"]["place"]) for row in rows]
