"""Passes tables through built-in stages: picks the columns that stages use, and puts back those that
they changed.
"""

import json
import typing as _t

from huller._huller import RowStages, column_content

if _t.TYPE_CHECKING:
    import pyarrow

#: Columns that stages may fill.
_LANGUAGE = ("language", "language_score", "language_script")
_FILLED = {*_LANGUAGE, "signals", "classes", "perplexity", "bucket", "tokens", "rights"}


def column_or_none(rows: "pyarrow.Table | pyarrow.RecordBatch", name: str) -> _t.Any:
    """Returns a column, or ``None`` if the rows lack it."""
    return rows.column(name) if name in rows.schema.names else None


def text_column(rows: "pyarrow.Table | pyarrow.RecordBatch", name: str) -> _t.Any:
    """Returns the column with the texts, and refuses rows without it."""
    if name not in rows.schema.names:
        raise ValueError(f"there is no column {name!r}; set text= to the column with the texts")
    return rows.column(name)


def apply(
    stages: RowStages,
    rows: "pyarrow.Table | pyarrow.RecordBatch",
    *,
    text: str,
    url: str,
    threads: int,
    earlier_signals: bool = False,
) -> "tuple[pyarrow.Table, pyarrow.ChunkedArray | pyarrow.Array]":
    """Returns all rows as the stages changed them, and for each row the reason if it is dropped.

    With ``earlier_signals`` the column ``signals`` has figures of earlier stages of the same call,
    which stay.
    """
    import pyarrow
    import pyarrow.compute

    texts = text_column(rows, text)
    names = list(rows.schema.names)
    contents = {name: column_content(name) for name in names if name not in _FILLED | {text, url}}
    others = [name for name, content in contents.items() if content in ("page", "own")]
    forms = _strings(rows, others) if stages.has_rewrites else {}
    values = {name: column_or_none(rows, name) for name in ("has_article", "score", "language_score")}
    lists = {name: None if column is None else column.to_pylist() for name, column in values.items()}
    refined = stages.apply(
        texts,
        urls=column_or_none(rows, url),
        page_types=column_or_none(rows, "page_type"),
        has_article=lists["has_article"],
        scores=lists["score"],
        languages=column_or_none(rows, "language"),
        scripts=column_or_none(rows, "language_script"),
        language_scores=lists["language_score"],
        rights=_strings(rows, ["rights"]).get("rights") if "rights" in names else None,
        forms=list(forms.values()),
        names=list(forms),
        threads=threads,
    )
    parts = [name for name, content in contents.items() if content == "parts"]
    if parts and pyarrow.compute.any(pyarrow.compute.not_equal(texts, refined.column("text"))).as_py():
        raise ValueError(f"stages changed texts, but the column {parts[0]!r} still has the unchanged texts: leave it out, or use huller refine")
    changed = {text: "text"} | {name: f"form{at}" for at, name in enumerate(forms)} | {name: name for name in _LANGUAGE}
    changed |= {name: name for name in ("classes", "perplexity", "bucket", "tokens", "rights") if name in refined.schema.names}
    if stages.signals:
        changed["signals"] = "signals"
    names += [name for name in changed if name not in names]
    columns = [refined.column(changed[name]) if name in changed else rows.column(name) for name in names]
    for at, name in enumerate(names):
        before = texts if name == text else forms.get(name)
        if before is not None and columns[at].type != before.type:
            columns[at] = columns[at].cast(before.type)
        if name == "signals" and stages.signals and earlier_signals:
            columns[at] = _merged(rows.column(name), columns[at])
    return pyarrow.table(columns, names=names), refined.column("reason")


def _strings(rows: _t.Any, names: list[str]) -> dict[str, _t.Any]:
    """Returns those of the columns that hold strings, dictionaries of strings decoded."""
    import pyarrow

    kinds = (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    found = {}
    for name in names:
        column = rows.column(name)
        if pyarrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if column.type in kinds:
            found[name] = column
    return found


def _merged(earlier: _t.Any, later: _t.Any) -> "pyarrow.Array":
    """Returns the figures of two parts of a call as one object for each row."""
    import pyarrow

    both = zip(earlier.to_pylist(), later.to_pylist())
    objects = (json.loads(one or "{}") | json.loads(other or "{}") for one, other in both)
    return pyarrow.array([json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in objects], pyarrow.string())
