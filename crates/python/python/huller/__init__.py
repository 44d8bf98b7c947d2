"""huller extracts the main text of crawled web pages, without navigation and adverts.

Ten functions run the same code as the program ``huller``:

* :func:`extract` returns the main text, title, author and date of one page.
* :func:`extract_many` extracts many pages on all cores, with Arrow in and out.
* :func:`stream` reads an archive (WARC, ARC, WACZ, JSONL, Parquet and others) as record batches,
  with the columns of the program's rows.
* :func:`refine` applies stages to existing rows: language, filters, masks.
* :func:`signatures` computes short summaries of rows, by which duplicates are found.
* :func:`dedup` removes duplicates from whole corpora.
* :func:`read_warc` reads the records of a WARC file, with offsets and decoded payloads.
* :func:`input_names` and :func:`read_list` return the program's names of inputs, for engines that
  open the files themselves.
* :func:`evaluate` compares extractors, or texts of other programs, with a gold standard.

``huller.spark`` has these functions for Spark. The interpreter's lock is released while pages are
processed.
"""

import json as _json
import os as _os
import typing as _t

from huller._huller import (
    METHODS,
    Config,
    Counters,
    Fault,
    Page,
    Record,
    RecordReader,
    Stream,
    __version__,
    extract,
    extract_many,
    many_schema,
    column_content,
    input_names,
    read_list,
    refine_columns,
    signature_columns,
    stream_schema,
)
from huller._huller import dedup as _dedup
from huller._huller import evaluate as _evaluate
from huller.errors import ArchiveError, ArchiveNotFoundError, DamagedRecordError, HullerError, OutputError

if _t.TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack as _Unpack

    from huller._huller import _DedupOptions, _RefineOptions, _SignatureOptions, _StreamOptions

_Path = str | _os.PathLike[str]
_Paths = _Path | _t.Iterable[_Path]
_Source = _Path | _t.BinaryIO

__all__ = [
    "METHODS",
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
    "Stream",
    "__version__",
    "dedup",
    "evaluate",
    "extract",
    "extract_many",
    "input_names",
    "many_schema",
    "read_list",
    "read_warc",
    "refine",
    "signatures",
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


def stream(path_or_file: _Source, **options: "_Unpack[_StreamOptions]") -> "pyarrow.RecordBatchReader":
    """Returns a ``pyarrow.RecordBatchReader`` of the rows of an archive.

    The archive is WARC, ARC, WACZ, JSONL, Parquet or another format of the program. Rows and
    columns are the same as in ``huller extract``; ``source`` (with ``keep_keys``) is JSON as text.
    A batch has at most ``batch_rows`` rows (256) and ``batch_bytes`` bytes of text (8 MiB). A row
    with more text is a batch of its own. One thread reads a file. To use several cores, read
    several files in several threads.

    ``account=Counters()`` receives the statistics of the records while the reader is read. The other
    options are ``name``, ``extractor`` (a name, or several), ``profile``, ``include``, ``judge``,
    ``min_chars``, ``status``, ``html``, ``digest``, ``keep_keys`` and ``max_page_bytes``, as in the
    program.

    ``records_from`` is an index (CDX, CDXJ or Common Crawl's columnar one) or several. Then the
    archive must be a path, and only the records in the indexes are read. ``entry_url``,
    ``entry_host``, ``entry_mime``, ``entry_status`` and ``entry_language`` select entries of the
    indexes, as in the program.
    """
    import pyarrow

    rows = Stream(path_or_file, **options)
    return pyarrow.RecordBatchReader.from_batches(rows.schema, rows)


def refine(
    rows: "pyarrow.RecordBatch | pyarrow.Table",
    *,
    text: str = "text",
    url: str = "url",
    keep_dropped: bool = False,
    threads: int = 0,
    **options: "_Unpack[_RefineOptions]",
) -> "pyarrow.RecordBatch | pyarrow.Table":
    """Applies stages to rows, on all cores (or ``threads`` threads), like ``huller refine``.

    ``rows`` has a column ``text`` and may have ``url``, ``page_type``, ``has_article``, ``score``,
    ``language``, ``language_script`` and ``language_score``. The result has the rows that the
    stages keep, in their order and with all their columns.

    Stages may change the text. ``mask`` and ``normalise`` also change the title, the Markdown and
    other forms of the text. ``mask`` also changes string columns that are not fields of a row,
    except values that are a whole address or path. Lists and structs stay unchanged. The stage
    ``language`` fills the columns of that name, ``signals=True`` adds ``signals``, the stage
    ``fasttext`` a column ``classes`` with JSON, the stage ``perplexity`` the columns ``perplexity``
    and ``bucket``, and the stage ``tokens`` a column ``tokens``.

    With ``keep_dropped`` the result has all rows, dropped ones unchanged, and a column ``dropped``.
    It is null for kept rows, and otherwise the reason: ``stage:reason``, or ``no_text`` if the text
    is null.

    The other options are ``stages``, ``preset``, ``lang`` and ``set``, as in the program, and
    ``config``, a :class:`Config`.
    """
    import pyarrow
    import pyarrow.compute

    if text not in rows.column_names:
        raise ValueError(f"there is no column {text!r}; set text= to the column with the texts")

    def column(name: str) -> _t.Any:
        return rows.column(name) if name in rows.column_names else None

    def values(name: str) -> _t.Any:
        return None if column(name) is None else column(name).to_pylist()

    made = {"language", "language_script", "language_score", "signals", "classes", "perplexity", "bucket", "tokens"}
    contents = {name: column_content(name) for name in rows.column_names if name not in made | {text, url}}
    strings = (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())

    def words(name: str) -> _t.Any:
        form = rows.column(name)
        return form.cast(form.type.value_type) if pyarrow.types.is_dictionary(form.type) else form

    found = {name: words(name) for name, content in contents.items() if content in ("page", "own")}
    forms = {name: form for name, form in found.items() if form.type in strings}
    refined = refine_columns(
        rows.column(text),
        urls=column(url),
        page_types=column("page_type"),
        has_article=values("has_article"),
        scores=values("score"),
        languages=column("language"),
        scripts=column("language_script"),
        language_scores=values("language_score"),
        forms=list(forms.values()),
        names=list(forms),
        threads=threads,
        **options,
    )
    told = {"language", "language_script", "language_score"}
    others = [name for name, content in contents.items() if content == "parts"]
    if others and pyarrow.compute.any(pyarrow.compute.not_equal(rows.column(text), refined.column("text"))).as_py():
        raise ValueError(f"stages changed texts, but the column {others[0]!r} still has the unchanged texts: leave it out, or use huller refine")
    changed = {text: "text"} | {name: f"form{at}" for at, name in enumerate(forms)} | {name: name for name in told}
    names = list(rows.column_names) + [name for name in sorted(told) if name not in rows.column_names]
    if options.get("signals"):
        changed["signals"] = "signals"
        names += [] if "signals" in names else ["signals"]
    for name in ("classes", "perplexity", "bucket", "tokens"):
        if name in refined.schema.names:
            changed[name] = name
            names += [] if name in names else [name]
    columns = [refined.column(changed[name]) if name in changed else rows.column(name) for name in names]
    for at, name in enumerate(names):
        if name in forms and columns[at].type != forms[name].type:
            columns[at] = columns[at].cast(forms[name].type)
    if keep_dropped:
        names.append("dropped")
        columns.append(refined.column("reason"))
    whole = pyarrow.table(columns, names=names)
    if not keep_dropped:
        whole = whole.filter(pyarrow.compute.is_null(refined.column("reason")))
    if isinstance(rows, pyarrow.Table):
        return whole
    batches = whole.combine_chunks().to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_arrays([[] for _ in names], schema=whole.schema)


def signatures(
    table: "pyarrow.RecordBatch | pyarrow.Table",
    *,
    text: str = "text",
    url: str = "url",
    date: str = "date",
    threads: int = 0,
    **options: "_Unpack[_SignatureOptions]",
) -> "pyarrow.RecordBatch":
    """Computes the signatures of rows, on all cores (or ``threads`` threads).

    The result has one row for each input row. Rows with the same ``text_digest`` (16 bytes) have
    the same text, apart from white space. Rows with the same ``url_digest`` (16 bytes) have the
    same URL. ``bands`` is a list with one hash for each band, and rows that share a hash are near
    duplicates. It is empty if the text has fewer words than a shingle. ``chars`` is the number of
    characters, and ``fetched`` the column ``date`` in seconds since 1970. All columns are null if
    the text is null. The values are the same as in the program's files of signatures
    (``docs/signatures.md``), with numbers as signed integers.

    ``options`` are ``bands`` (14), ``rows`` (8), ``shingle`` (5), ``hash`` (``"fast"`` or ``"datatrove"``) and ``seed`` (1).
    """
    if text not in table.column_names:
        raise ValueError(f"there is no column {text!r}; set text= to the column with the texts")

    def column(name: str) -> _t.Any:
        return table.column(name) if name in table.column_names else None

    return signature_columns(table.column(text), urls=column(url), dates=column(date), threads=threads, **options)


def dedup(
    corpora: _Paths,
    output: _Path,
    *,
    against: _Paths = (),
    by: str | _t.Iterable[str] = ("text", "near"),
    **options: "_Unpack[_DedupOptions]",
) -> dict[str, _t.Any]:
    """Writes corpora without their duplicates to the folder ``output``.

    The output is the same as that of ``huller dedup``, byte for byte. ``corpora`` and ``against``
    are files of rows or folders, one or several. ``by`` lists the steps that find duplicates:
    ``"url"``, ``"text"``, ``"near"``, ``"lines"`` and ``"paragraphs"``.

    The options are the same as in the program: ``keep``, ``bands``, ``rows``, ``shingle``,
    ``hash``, ``seed``, ``verify``, ``host_lines``, ``host_line_chars``, ``paragraphs``, ``format``
    (``"jsonl"`` or ``"parquet"``), ``cluster_fields``, ``mark_rows``, ``mark`` (a path),
    ``text_key`` and ``url_key`` (names), ``threads``, ``memory`` (bytes), ``resume`` and
    ``overwrite``.

    Returns a dictionary with three keys. ``inputs`` has the statistics of each input. ``clusters``
    has the numbers of clusters by size, and the rows that each step dropped. ``unusable`` lists the
    inputs that could not be used; all others are finished. After an interruption, call it again
    with ``resume=True``.

    Raises ``ValueError`` for invalid options, :class:`ArchiveError` (an ``OSError``) for a corpus
    that cannot be read, and :class:`OutputError` (an ``OSError``) for an output that cannot be
    written or exists already.
    """
    keys = {name: _names(options.pop(name)) for name in ("text_key", "url_key") if options.get(name) is not None}
    return _json.loads(_dedup(_paths(corpora), output, against=_paths(against), by=_names(by), **keys, **options))


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
