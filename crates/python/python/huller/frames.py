"""Data frames of any library as tables of Arrow.

Functions on rows take every object with Arrow's PyCapsule interface. pyarrow wraps the buffers that
such an object exports, so nothing is copied. ``datasets`` lacks the interface, but its data sets
hold tables of pyarrow.
"""

import typing as _t

if _t.TYPE_CHECKING:
    import pyarrow

    Frame = pyarrow.Table | pyarrow.RecordBatch

_ACCEPTED = (
    "an object with Arrow's PyCapsule interface: a table or record batch of pyarrow, a data frame of polars or of pandas 2.2, a relation of DuckDB; "
    "or a Dataset of datasets"
)


def table_of(rows: _t.Any, function: str) -> "Frame":
    """Returns the rows of a data frame.

    A record batch stays one. Everything else becomes a table.
    """
    table = frame_of(rows)
    if table is None:
        raise TypeError(f"{function}() takes {_ACCEPTED}; not {_named(rows)}{_remedy(rows)}")
    return table


def frame_of(rows: _t.Any) -> "Frame | None":
    """Returns the rows of a data frame, or ``None`` if the object is not a data frame."""
    opened = opened_by_arrow(rows)
    return opened if _is_frame(opened) else None


def opened_by_arrow(values: _t.Any) -> _t.Any:
    """Returns a table, a record batch or an array if the object exports one, else ``None``.

    An exported stream can be read once only, so use the result and not the object.
    """
    import pyarrow

    if _is_frame(values) or isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)):
        return values
    if _is_dataset(values):
        return values.with_format("arrow")[:]
    if hasattr(values, "__arrow_c_stream__"):
        has_columns = any(hasattr(values, name) for name in ("columns", "column_names", "schema"))
        return pyarrow.table(values) if has_columns else _columns(pyarrow.chunked_array(values))
    if hasattr(values, "__arrow_c_array__"):
        return _columns(pyarrow.array(values))
    return None


def column_of(values: _t.Any) -> _t.Any:
    """Returns a column: that of a data frame with one column, or the values as they are."""
    opened = None if isinstance(values, (list, tuple)) else opened_by_arrow(values)
    if not _is_frame(opened):
        return values if opened is None else opened
    if len(opened.schema.names) != 1:
        raise ValueError(f"expected one column, not {len(opened.schema.names)}")
    return opened.column(0)


def filtered(rows: _t.Any, mask: _t.Any) -> _t.Any:
    """Returns the rows whose value in the mask is true."""
    return _selected(rows, lambda table: table.filter(mask))


def taken(rows: _t.Any, places: _t.Any) -> _t.Any:
    """Returns the rows at these places, and nulls where a place is null."""
    return _selected(rows, lambda table: table.take(places))


def without_views(rows: _t.Any) -> _t.Any:
    """Returns the rows with large strings in place of views of strings, for which pyarrow lacks most functions."""
    import pyarrow

    plain = {pyarrow.string_view(): pyarrow.large_string(), pyarrow.binary_view(): pyarrow.large_binary()}
    if not any(field.type in plain for field in rows.schema):
        return rows
    schema = pyarrow.schema([field.with_type(plain.get(field.type, field.type)) for field in rows.schema])
    return rows.cast(schema)


def _selected(rows: _t.Any, select: _t.Callable[[_t.Any], _t.Any]) -> _t.Any:
    """Selects rows. pyarrow cannot select views of strings, which polars has, so they take another form for it."""
    import pyarrow

    try:
        return select(rows)
    except pyarrow.ArrowNotImplementedError:
        selected = select(without_views(rows))
        try:
            return selected.cast(rows.schema)
        except pyarrow.ArrowNotImplementedError:
            return selected


def _is_frame(values: _t.Any) -> bool:
    import pyarrow

    return isinstance(values, (pyarrow.Table, pyarrow.RecordBatch))


def _columns(array: _t.Any) -> _t.Any:
    """Returns the columns of an array of structs. Other arrays stay as they are."""
    import pyarrow

    if not pyarrow.types.is_struct(array.type):
        return array
    if isinstance(array, pyarrow.Array):
        return pyarrow.RecordBatch.from_struct_array(array)
    batches = [pyarrow.RecordBatch.from_struct_array(chunk) for chunk in array.chunks]
    return pyarrow.Table.from_batches(batches, pyarrow.schema(list(array.type)))


def array_of(values: _t.Any) -> "pyarrow.Array | pyarrow.ChunkedArray":
    """Returns values as an array: those of Arrow, of a column of another library, or of a list."""
    import pyarrow

    opened = opened_by_arrow(values)
    if isinstance(opened, (pyarrow.Array, pyarrow.ChunkedArray)):
        return opened
    return pyarrow.array(values)


def _is_dataset(rows: _t.Any) -> bool:
    return type(rows).__module__.split(".")[0] == "datasets" and hasattr(rows, "with_format") and hasattr(rows, "num_rows")


def _named(rows: _t.Any) -> str:
    return f"{type(rows).__module__}.{type(rows).__qualname__}".removeprefix("builtins.")


def _remedy(rows: _t.Any) -> str:
    if hasattr(rows, "collect") and hasattr(rows, "collect_schema"):
        return " (call its collect() first)"
    if isinstance(rows, dict):
        return " (pyarrow.table(rows) makes a table of it)"
    if isinstance(rows, (list, tuple)):
        return " (pyarrow.Table.from_pylist(rows) makes a table of it)"
    if type(rows).__module__.startswith("pandas"):
        return " (a data frame needs pandas 2.2; pyarrow.Table.from_pandas(rows) makes a table of it)"
    return ""
