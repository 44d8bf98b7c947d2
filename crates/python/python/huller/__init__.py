"""huller extracts the main text of crawled web pages, without navigation and adverts.

These functions run the same code as the program ``huller``:

* :func:`extract` returns the main text, title, author and date of one page.
* :func:`extract_many` extracts many pages on all cores, with Arrow in and out.
* :func:`stream` reads an archive (WARC, ARC, WACZ, JSONL, Parquet and others) as record batches,
  with the columns of the program's rows.
* :func:`refine` applies stages to existing rows: language, filters, masks.
* :func:`stage` makes a stage of a function of yours.
* :func:`signatures` computes short summaries of rows, by which duplicates are found.
* :func:`dedup` removes duplicates from whole corpora, or from rows in memory.
* :func:`passages` cuts rows into passages for search indexes and embeddings.
* :func:`index` makes a full-text index of corpora, or joins indexes. :func:`search` asks it.
* :func:`read_warc` reads the records of a WARC file, with offsets and decoded payloads.
* :func:`input_names` and :func:`read_list` return the program's names of inputs, for engines that
  open the files themselves.
* :func:`evaluate` compares extractors, or texts of other programs, with a gold standard.
* :func:`many_schema` and :func:`stream_schema` return the Arrow schemas of rows.

``huller.spark`` has these functions for Spark, and ``huller.options`` the program's options for
programs of yours. The interpreter's lock is released while pages are processed. Rows are data
frames of any library that exports Arrow. Control-C ends every call (``docs/python.md``).
"""

import json as _json
import os as _os
import typing as _t

from huller import memory_dedup as _memory_dedup
from huller import options
from huller import own_stages as _own_stages
from huller import row_stages as _row_stages
from huller._huller import (
    METHODS,
    PRESETS,
    STAGES,
    Config,
    Counters,
    Fault,
    Page,
    Record,
    RecordReader,
    RowStages as _RowStages,
    Stream,
    __version__,
    extract,
    input_names,
    read_list,
    signature_columns as _signature_columns,
)
from huller._huller import dedup as _dedup
from huller._huller import evaluate as _evaluate
from huller._huller import extract_many as _extract_many
from huller._huller import index as _index
from huller._huller import many_schema as _many_schema
from huller._huller import passage_batches as _passage_batches
from huller._huller import passage_schema as _passage_schema
from huller._huller import search as _search
from huller._huller import stream_schema as _stream_schema
from huller.errors import ArchiveError, ArchiveNotFoundError, DamagedRecordError, HullerError, OutputError
from huller.frames import array_of as _array_of
from huller.frames import column_of as _column_of
from huller.frames import filtered as _filtered
from huller.frames import opened_by_arrow as _opened_by_arrow
from huller.frames import table_of as _table_of
from huller.frames import taken as _taken
from huller.own_stages import Stage, stage

if _t.TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack as _Unpack

    from huller._huller import (
        _DedupOptions,
        _IndexOptions,
        _ManyOptions,
        _ManySchemaOptions,
        _Output,
        _PassageOptions,
        _RefineOptions,
        _SignatureOptions,
        _StreamOptions,
        _StreamSchemaOptions,
    )

    class _ArrowStream(_t.Protocol):
        """A data frame or a column that exports a stream of Arrow."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    class _ArrowArray(_t.Protocol):
        """A record batch or a column that exports an array of Arrow."""

        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

    class _Dataset(_t.Protocol):
        """A ``datasets.Dataset``."""

        def with_format(self, type: _t.Any = None) -> _t.Any: ...
        @property
        def num_rows(self) -> int: ...

    _Frame = _ArrowStream | _ArrowArray | _Dataset
    _Column = _t.Iterable[str | None] | _ArrowStream | _ArrowArray
    _Pages = _t.Iterable[bytes | str | None] | _ArrowStream | _ArrowArray | _Dataset

_Path = str | _os.PathLike[str]
_Paths = _Path | _t.Iterable[_Path]
_Source = _Path | _t.BinaryIO

__all__ = [
    "METHODS",
    "PRESETS",
    "STAGES",
    "ArchiveError",
    "ArchiveNotFoundError",
    "Config",
    "Counters",
    "DamagedRecordError",
    "Fault",
    "HullerError",
    "OutputError",
    "Page",
    "Record",
    "RecordReader",
    "Stage",
    "Stream",
    "__version__",
    "dedup",
    "evaluate",
    "extract",
    "extract_many",
    "index",
    "input_names",
    "many_schema",
    "options",
    "passages",
    "read_list",
    "read_warc",
    "refine",
    "search",
    "signatures",
    "stage",
    "stream",
    "stream_schema",
]


def read_warc(path_or_file: _Source, *, errors: _t.Literal["skip", "raise"] = "skip") -> RecordReader:
    """Iterates over the records of a WARC file, plain, gzip or zstd.

    ``path_or_file`` is a path or a binary file object. A damaged record does not affect the others.
    It is listed in the reader's ``faults``. With ``errors="raise"`` the reader also raises
    :class:`DamagedRecordError`, and continues with the next record when it is asked again.
    """
    return RecordReader(path_or_file, errors=errors)


def extract_many(
    pages: "_Pages",
    *,
    urls: "_Column | None" = None,
    charset: str | None = None,
    output: "_Output" = "text",
    html: str = "html",
    url: str = "url",
    threads: int = 0,
    counters: Counters | None = None,
    **options: "_Unpack[_ManyOptions]",
) -> "pyarrow.RecordBatch":
    """Extracts many pages on all cores (or ``threads`` threads), in order: a row for every page.

    ``pages`` is an iterable of ``bytes``, ``str`` and ``None``, or a column that exports Arrow:
    strings or binaries, which are read without a copy. It may also be a data frame. Then its column
    ``html`` has the pages (a single column has any name), and its column ``url`` the URLs, unless
    ``urls`` gives them. ``charset`` is the charset of HTTP for pages that are bytes. ``output`` is
    an additional form of the text: ``"markdown"``, ``"html"`` (clean), ``"source_html"`` or
    ``"blocks"`` (JSON as text).

    For a page without a text, all columns but ``reason`` are null. The reason is ``null``,
    ``no_article`` (with ``judge``), ``too_short`` (with ``min_chars``), ``panic``, or a reason of a
    stage. ``stages`` may have stages in Python (:func:`stage`). ``counters=Counters()`` receives
    the statistics. An interrupted call gives no rows.
    """
    import pyarrow

    opened = None if isinstance(pages, (list, tuple, str, bytes)) else _opened_by_arrow(pages)
    pages = pages if opened is None else opened
    if isinstance(frame := opened, (pyarrow.Table, pyarrow.RecordBatch)):
        names = frame.schema.names
        if html not in names and len(names) != 1:
            raise ValueError(f"there is no column {html!r}; set html= to the column with the pages")
        pages = frame.column(html if html in names else names[0])
        urls = frame.column(url) if urls is None and url in names else urls
    urls = None if urls is None else _column_of(urls)
    given: dict[str, _t.Any] = {"charset": charset, "output": output, "threads": threads}
    chain = _own_stages.Chain.of(_t.cast("dict[str, _t.Any]", options))
    if chain is None:
        rows = _extract_many(pages, urls=urls, **given, **options)
        reasons = rows.column("reason")
    else:
        urls = None if urls is None else _array_of(urls)
        rows = _extract_many(pages, urls=urls, **given, first_stages=chain.first, **chain.options)
        rows, reasons = _through(chain, rows, urls, threads)
    if counters is not None:
        counts = _counted(reasons)
        counters._count_rows(rows.num_rows - sum(counts.values()), counts, were_written=False)
    return rows


def _through(chain: _own_stages.Chain, rows: _t.Any, urls: _t.Any, threads: int) -> tuple[_t.Any, _t.Any]:
    """Passes extracted pages through the rest of a chain. Dropped rows become null, but keep their place."""
    import pyarrow

    names, first = rows.schema.names, rows.column("reason")
    table = pyarrow.Table.from_batches([rows]).drop_columns(["reason"])
    if urls is not None:
        table = table.append_column("url", urls)
    dropped = _own_stages.Dropped(rows.num_rows)
    left = dropped.drop(table, first)
    left = chain.run(left, dropped, text="text", url="url", threads=threads, is_begun=True)
    reasons = dropped.column()
    whole = _taken(left, dropped.spread()).select([name for name in names if name != "reason"])
    whole = whole.append_column("reason", reasons).select(names).cast(rows.schema).combine_chunks()
    batches = whole.to_batches()
    return (batches[0] if batches else rows), reasons


def _counted(reasons: _t.Any) -> dict[str, int]:
    return {entry["values"]: entry["counts"] for entry in reasons.drop_null().value_counts().to_pylist()}


def many_schema(*, output: "_Output" = "text", **options: "_Unpack[_ManySchemaOptions]") -> "pyarrow.Schema":
    """Returns the schema of the batches of :func:`extract_many`.

    The options are ``output``, ``extractor``, ``stages``, ``preset``, ``lang``, ``set`` and
    ``config``.
    """
    return _many_schema(output=output, **_built_in(options))


def stream(path_or_file: _Source, **options: "_Unpack[_StreamOptions]") -> "pyarrow.RecordBatchReader":
    """Returns a ``pyarrow.RecordBatchReader`` of the rows of an archive.

    The archive is WARC, ARC, WACZ, JSONL, Parquet or another format of the program. Rows and
    columns are the same as in ``huller extract``; ``source`` (with ``keep_keys``), ``blocks``,
    ``signals`` and ``rights`` are JSON as text. One thread reads a file. To use several cores, read several files
    in several threads. Control-C ends the call within a batch of records; the reader then continues
    where it stopped.

    Arguments of Python:

    * ``counters=Counters()`` receives the statistics of the records while the reader is read.
    * ``name`` is the value of ``file_path`` and ``warc_filename``, by default the file name.
    * ``batch_rows`` (256) and ``batch_bytes`` (8 MiB) limit a batch. A row with more text is a
      batch of its own.
    * ``records_from`` is an index (CDX, CDXJ or Common Crawl's columnar one) or several. Then the
      archive must be a path, and only the records in the indexes are read. ``entry_url``,
      ``entry_host``, ``entry_mime``, ``entry_status`` and ``entry_language`` select entries of the
      indexes, as in the program.
    * ``stages`` may have stages in Python (:func:`stage`).

    With ``schema`` the columns have the names and values of that tool's JSON objects. Objects are
    structs, and a value that the JSON leaves out is null. ``es-bulk`` is no table.
    """
    import pyarrow

    chain = _own_stages.Chain.of(_t.cast("dict[str, _t.Any]", options))
    schema, rows = _batches(path_or_file, chain, _t.cast("dict[str, _t.Any]", options))
    return pyarrow.RecordBatchReader.from_batches(schema, rows)


def _batches(path_or_file: _Source, chain: "_own_stages.Chain | None", options: dict[str, _t.Any]) -> tuple[_t.Any, _t.Any]:
    """Returns the schema and an iterator of the rows of an archive."""
    if chain is None:
        rows = Stream(path_or_file, **options)
        return rows.schema, rows
    options = dict(chain.options)
    fields = options.pop("fields", None)
    counters = options.pop("counters", None) or Counters()
    rows = Stream(path_or_file, counters=counters, first_stages=chain.first, **options)
    schema = rows.schema
    if fields is not None:
        schema = stream_schema(**{name: options[name] for name in _SCHEMA if name in options}, fields=_names(fields))
    chained = _own_stages.ChainedBatches(rows, chain, counters, schema)
    of_schema = rows.schema_rows
    return (schema, chained) if of_schema is None else (of_schema.schema, map(of_schema.batch, chained))


_SCHEMA = (*(option.name for option in options.options("stream_schema") if option.name != "fields"), "config")


def stream_schema(**options: "_Unpack[_StreamSchemaOptions]") -> "pyarrow.Schema":
    """Returns the schema of the batches of :func:`stream`.

    The options are ``extractor``, ``stages``, ``preset``, ``lang``, ``set``, ``signals``,
    ``rights``, ``markdown``, ``html``, ``source_html``, ``blocks``, ``schema``, ``fields``,
    ``keep_keys`` and ``config``.
    """
    return _stream_schema(**_built_in(options))


def _built_in(options: _t.Any) -> dict[str, _t.Any]:
    """Returns the options without stages in Python, which add no columns."""
    chain = _own_stages.Chain.of(options)
    return dict(options) if chain is None else chain.options


@_t.overload
def refine(
    rows: "pyarrow.RecordBatch",
    *,
    text: str = "text",
    url: str = "url",
    keep_dropped: bool = False,
    threads: int = 0,
    counters: Counters | None = None,
    **options: "_Unpack[_RefineOptions]",
) -> "pyarrow.RecordBatch": ...
@_t.overload
def refine(
    rows: "_Frame",
    *,
    text: str = "text",
    url: str = "url",
    keep_dropped: bool = False,
    threads: int = 0,
    counters: Counters | None = None,
    **options: "_Unpack[_RefineOptions]",
) -> "pyarrow.Table": ...
def refine(
    rows: _t.Any,
    *,
    text: str = "text",
    url: str = "url",
    keep_dropped: bool = False,
    threads: int = 0,
    counters: Counters | None = None,
    **options: "_Unpack[_RefineOptions]",
) -> _t.Any:
    """Applies stages to rows, on all cores (or ``threads`` threads), like ``huller refine``.

    ``rows`` is a data frame of any library that exports Arrow. It has a column ``text`` and may
    have ``url``, ``page_type``, ``has_article``, ``score``, ``language``, ``language_script`` and
    ``language_score``. The result has the rows that the stages keep, in their order and with all
    their columns: a record batch for a record batch, and a table otherwise.

    Stages may change the text. ``mask`` and ``normalise`` also change the title, the Markdown and
    other forms of the text. ``mask`` also changes string columns that are not fields of a row,
    except values that are a whole address or path. Lists and structs stay unchanged. The stage
    ``language`` fills the columns of that name, ``signals=True`` adds ``signals``, the stage
    ``fasttext`` a column ``classes`` with JSON, the stage ``perplexity`` the columns ``perplexity``
    and ``bucket``, and the stage ``tokens`` a column ``tokens``. The stage ``rights`` reads the
    column ``rights`` and adds to it what the files of the servers state.

    With ``keep_dropped`` the result has all rows, dropped ones unchanged, and a column ``dropped``.
    It is null for kept rows, and otherwise the reason: ``stage:reason``, or ``no_text`` if the text
    is null. ``counters=Counters()`` receives the statistics. ``stages`` may have stages in Python
    (:func:`stage`). An interrupted call gives no rows.
    """
    import pyarrow
    import pyarrow.compute

    given = _table_of(rows, "refine")
    _row_stages.text_column(given, text)
    chain = _own_stages.Chain.of(_t.cast("dict[str, _t.Any]", options))
    if chain is None:
        whole, reasons = _row_stages.apply(_RowStages(**options), given, text=text, url=url, threads=threads)
        if not keep_dropped and reasons.null_count < len(reasons):
            whole = _filtered(whole, pyarrow.compute.is_null(reasons))
    else:
        table = given if isinstance(given, pyarrow.Table) else pyarrow.Table.from_batches([given])
        dropped = _own_stages.Dropped(given.num_rows)
        nothing = pyarrow.scalar(None, pyarrow.string())
        is_null = pyarrow.compute.is_null(table.column(text))
        left = dropped.drop(table, pyarrow.compute.if_else(is_null, "no_text", nothing))
        whole = chain.run(left, dropped, text=text, url=url, threads=threads, is_begun=False)
        reasons = dropped.column()
        if keep_dropped:
            whole = _with_dropped(whole, table, dropped)
    if counters is not None:
        counts = _counted(reasons)
        counters._count_rows(given.num_rows - sum(counts.values()), counts, were_written=False)
    if keep_dropped:
        whole = whole.append_column("dropped", reasons)
    if isinstance(given, pyarrow.Table):
        return whole
    batches = whole.combine_chunks().to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_arrays([pyarrow.nulls(0, field.type) for field in whole.schema], schema=whole.schema)


def _with_dropped(left: _t.Any, table: _t.Any, dropped: _own_stages.Dropped) -> _t.Any:
    """Returns all rows in their order: those that are left as they are now, and the dropped ones unchanged."""
    import pyarrow

    for field in left.schema:
        if field.name not in table.schema.names:
            table = table.append_column(field, pyarrow.nulls(table.num_rows, field.type))
    both = pyarrow.concat_tables([left, table.select(left.schema.names).cast(left.schema)])
    return _taken(both, dropped.order(left.num_rows))


def signatures(
    table: "_Frame",
    *,
    text: str = "text",
    url: str = "url",
    date: str = "date",
    threads: int = 0,
    **options: "_Unpack[_SignatureOptions]",
) -> "pyarrow.RecordBatch":
    """Computes the signatures of rows, on all cores (or ``threads`` threads).

    ``table`` is a data frame of any library that exports Arrow. The result has one row for each
    input row. Rows with the same ``text_digest`` (16 bytes) have the same text, apart from white
    space. Rows with the same ``url_digest`` (16 bytes) have the same URL. ``bands`` is a list with
    one hash for each band, and rows that share a hash are near duplicates. It is empty if the text
    has fewer words than a shingle. ``chars`` is the number of characters, and ``fetched`` the
    column ``date`` in seconds since 1970. All columns are null if the text is null. The values are
    the same as in the program's files of signatures (``docs/signatures.md``), with numbers as
    signed integers.

    The options are ``bands`` (14), ``rows`` (8), ``shingle`` (5), ``hash`` (``"fast"`` or
    ``"datatrove"``) and ``seed`` (1). An interrupted call gives no rows.
    """
    given = _table_of(table, "signatures")
    texts = _row_stages.text_column(given, text)
    columns = {"urls": _row_stages.column_or_none(given, url), "dates": _row_stages.column_or_none(given, date)}
    return _signature_columns(texts, **columns, threads=threads, **options)


def passages(
    table: "_Frame",
    *,
    id: str = "id",
    text: str = "text",
    markdown: str = "markdown",
    url: str = "url",
    title: str = "title",
    language: str = "language",
    threads: int = 0,
    **options: "_Unpack[_PassageOptions]",
) -> "pyarrow.Table":
    """Cuts rows into passages, on all cores (or ``threads`` threads).

    ``table`` is a data frame of any library that exports Arrow. It has a column of identifiers and
    one of texts or of Markdown; the others may be missing. A row with Markdown is cut between its
    headings and blocks, and another one as plain text. The passages are those of ``huller refine
    --passages`` over the same rows: the same columns, identifiers and values
    (``docs/passages.md``). A row without text has none. ``parent_id`` is the ``id`` of its row.

    The options have the names of the program's ``--passages-set``: ``max_tokens`` (300),
    ``min_tokens`` (75), ``tokenizer`` (``"gpt2"``, ``"characters"`` or a file), ``pattern``,
    ``overlap`` (0) and ``prefix`` (``"title,headings"``). An interrupted call gives no passages.

    Raises ``ValueError`` for a value that is not valid, or if a column is missing, and
    ``TypeError`` for another option.
    """
    import pyarrow

    given = _table_of(table, "passages")
    if id not in given.schema.names:
        raise ValueError(f"there is no column {id!r}; set id= to the column with the identifiers of the rows")
    if text not in given.schema.names and markdown not in given.schema.names:
        raise ValueError(f"there is no column {text!r} or {markdown!r}; set text= or markdown= to a column")
    names = {"texts": text, "markdown": markdown, "urls": url, "titles": title, "languages": language}
    columns = {of: _row_stages.column_or_none(given, name) for of, name in names.items()}
    settings = _json.dumps(options, default=_os.fspath)
    batches = _passage_batches(given.column(id), settings, **columns, threads=threads)
    return pyarrow.Table.from_batches(batches, _passage_schema())


@_t.overload
def dedup(
    corpora: _Paths,
    output: _Path,
    *,
    against: _Paths = (),
    by: str | _t.Iterable[str] = ("text", "near"),
    **options: "_Unpack[_DedupOptions]",
) -> dict[str, _t.Any]: ...
@_t.overload
def dedup(
    corpora: "_Frame",
    *,
    by: str | _t.Iterable[str] = ("text", "near"),
    text: str = "text",
    url: str = "url",
    date: str = "date",
    score: str = "score",
    keep_dropped: bool = False,
    counters: Counters | None = None,
    **options: "_Unpack[_DedupOptions]",
) -> "pyarrow.Table": ...
def dedup(
    corpora: _t.Any,
    output: _Path | None = None,
    *,
    against: _Paths = (),
    by: str | _t.Iterable[str] = ("text", "near"),
    text: str = "text",
    url: str = "url",
    date: str = "date",
    score: str = "score",
    keep_dropped: bool = False,
    counters: Counters | None = None,
    **options: "_Unpack[_DedupOptions]",
) -> _t.Any:
    """Writes corpora without their duplicates to the folder ``output``, or returns rows without them.

    The output is the same as that of ``huller dedup``, byte for byte. ``corpora`` and ``against``
    are files of rows or folders, one or several. ``by`` lists the steps that find duplicates:
    ``"url"``, ``"text"``, ``"near"``, ``"lines"`` and ``"paragraphs"``.

    The options are the same as in the program: ``keep``, ``bands``, ``rows``, ``shingle``,
    ``hash``, ``seed``, ``verify``, ``host_lines``, ``host_line_chars``, ``paragraphs``, ``format``
    (as in the program, except for ``"warc"``), ``cluster_fields``, ``mark_rows``, ``mark`` (a
    path), ``text_key`` and ``url_key`` (names), ``threads``, ``memory`` (bytes), ``resume`` and
    ``overwrite``.

    Returns a dictionary with three keys. ``inputs`` has the statistics of each input. ``clusters``
    has the numbers of clusters by size, and the rows that each step dropped. ``unusable`` lists the
    inputs that could not be used; all others are finished. After an interruption, call it again
    with ``resume=True``.

    If ``corpora`` is a data frame and there is no ``output``, the result is a table of the rows
    that are kept (a record batch for a record batch). ``text``, ``url``, ``date`` and ``score``
    name its columns. ``keep_dropped`` keeps all rows and adds the columns ``dropped`` (the reason,
    such as ``dedup:near``; ``no_text`` if the text is null) and ``duplicate_of`` (the number of the
    row that is kept instead, from 0). ``counters=Counters()`` receives the statistics. The columns
    that decide go through a temporary file. The steps are ``"url"``, ``"text"`` and ``"near"``, and
    the options ``keep``, ``bands``, ``rows``, ``shingle``, ``hash``, ``seed``, ``verify``,
    ``threads`` and ``memory``.

    Raises ``ValueError`` for invalid options, :class:`ArchiveError` (an ``OSError``) for a corpus
    that cannot be read, and :class:`OutputError` (an ``OSError``) for an output that cannot be
    written or exists already.
    """
    if output is None:
        if isinstance(corpora, (str, _os.PathLike, list, tuple)):
            raise TypeError("dedup() needs output=, the folder for the corpora without duplicates")
        if list(_paths(against)):
            raise ValueError("against is for files: give paths and an output folder")
        given = _table_of(corpora, "dedup")
        columns = {"text": text, "url": url, "date": date, "score": score}
        return _memory_dedup.dedup_rows(given, by=_names(by), **columns, keep_dropped=keep_dropped, counters=counters, **options)
    if keep_dropped or counters is not None:
        raise ValueError("keep_dropped and counters are for rows in memory; for files use mark_rows or mark, and the returned statistics")
    keys = {name: _names(options.pop(name)) for name in ("text_key", "url_key") if options.get(name) is not None}
    return _json.loads(_dedup(_paths(corpora), output, against=_paths(against), by=_names(by), **keys, **options))


def index(
    corpora: _Paths,
    output: _Path,
    *,
    drop: _Paths = (),
    withdrawn: _Paths = (),
    **options: "_Unpack[_IndexOptions]",
) -> dict[str, _t.Any]:
    """Makes a full-text index of corpora in the folder ``output``, or joins indexes to one.

    The index has the same hits as that of ``huller index``. ``corpora`` are files of rows or
    folders, one or several. If they are indexes, they are joined, and their rows are not indexed
    again.

    The options are the same as in the program: ``drop`` and ``withdrawn`` (paths, one or several),
    ``passages``, ``threads``, ``memory`` (bytes), ``resume``, ``overwrite`` and ``commit_every``
    (bytes).

    Returns a dictionary with four keys. ``inputs`` has the statistics of each file in the index.
    ``new_lines`` is the number of lines that this call read for the first time, and ``deleted`` the
    number of rows that it deleted. ``unusable`` lists the inputs that could not be used. After an
    interruption, call it again with ``resume=True``; joining starts again.

    Raises ``ValueError`` for invalid options, :class:`ArchiveError` (an ``OSError``) for an index
    that is damaged or unfinished, and :class:`OutputError` (an ``OSError``) for an output that
    cannot be written or exists already.
    """
    return _json.loads(_index(_paths(corpora), output, drop=_paths(drop), withdrawn=_paths(withdrawn), **options))


def search(
    index: _Path,
    query: str | _t.Iterable[str],
    *,
    limit: int | None = 10,
    lang: str | None = None,
    host: str | None = None,
    page_type: str | None = None,
) -> list[dict[str, _t.Any]]:
    """Returns the rows of an index that match a query, the best first.

    Each is a dictionary as ``huller search --json`` prints it. ``query`` has the form that
    ``docs/search.md`` describes; days are a part of it, such as ``date:2024-03-01..``. ``limit`` is
    the greatest number of rows of each query, and ``None`` means all. ``lang``, ``host`` and
    ``page_type`` are conditions on the rows. Each call reads and checks all files of the index. So
    give several queries at once: their rows have a key ``query``.

    Raises ``ValueError`` for a query that cannot be parsed, and :class:`ArchiveError` for a damaged
    index.
    """
    is_one = isinstance(query, str)
    return _json.loads(_search(index, _names(query), not is_one, limit=limit, lang=lang, host=host, page_type=page_type))


def evaluate(
    archives: _Paths,
    gold: _Paths,
    *,
    extractors: str | _t.Iterable[str] | None = None,
    profile: str = "tuned",
    predictions: _Paths = (),
    by: str | _t.Iterable[str] = ("dataset",),
    rouge: bool = False,
    levenshtein: bool = False,
    pairs: bool = False,
    resamples: int = 1000,
    min_cov: float = 0.0,
    threads: int = 0,
) -> dict[str, _t.Any]:
    """Scores extractors, or texts of other programs, against a gold standard.

    Returns the JSON that ``huller eval --format json`` prints, as objects. ``archives``, ``gold``
    and ``predictions`` are paths, one or several. ``extractors`` are names of extractors, by
    default all. ``["rows"]`` holds the figures, with one entry for every system and group of pages.
    """
    json = _evaluate(
        _paths(archives),
        _paths(gold),
        extractors=None if extractors is None else _names(extractors),
        profile=profile,
        predictions=_paths(predictions),
        by=_names(by),
        rouge=rouge,
        levenshtein=levenshtein,
        pairs=pairs,
        resamples=resamples,
        min_cov=min_cov,
        threads=threads,
    )
    return _json.loads(json)


def _paths(paths: _Paths) -> list[_Path]:
    return [paths] if isinstance(paths, (str, _os.PathLike)) else list(paths)


def _names(names: str | _t.Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


for _function in (extract_many, stream, refine):
    _function.__doc__ = (_function.__doc__ or "") + options.document(_function.__name__)
del _function
