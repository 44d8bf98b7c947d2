"""huller takes navigation, adverts and chrome off crawled web pages.

Five functions, all of them the code that the program ``huller`` runs:

* :func:`extract`: one page to its main text, title, author, date and the like
* :func:`extract_many`: many pages, on all cores, by Arrow
* :func:`stream`: a whole WARC or JSONL file as record batches, with the columns of the program's rows
* :func:`read_warc`: the records of a WARC file, with offsets and decoded payloads
* :func:`evaluate`: methods, or texts of other programs, against gold

``huller.spark`` brings the same to Spark. The interpreter's lock is released while pages are worked on.
"""

import json as _json
import os as _os
import typing as _t

from huller._huller import (
    METHODS,
    Account,
    Fault,
    Page,
    Record,
    RecordReader,
    Stream,
    __version__,
    extract,
    extract_many,
    many_schema,
    stream_schema,
)
from huller._huller import evaluate as _evaluate
from huller.errors import ArchiveError, ArchiveNotFoundError, DamagedRecordError, HullerError

if _t.TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack as _Unpack

    from huller._huller import _StreamOptions

_Path = str | _os.PathLike[str]
_Paths = _Path | _t.Iterable[_Path]
_Source = _Path | _t.BinaryIO

__all__ = [
    "METHODS",
    "Account",
    "ArchiveError",
    "ArchiveNotFoundError",
    "DamagedRecordError",
    "Fault",
    "HullerError",
    "Page",
    "Record",
    "RecordReader",
    "Stream",
    "__version__",
    "evaluate",
    "extract",
    "extract_many",
    "many_schema",
    "read_warc",
    "stream",
    "stream_schema",
]


def read_warc(path_or_file: _Source, *, errors: _t.Literal["skip", "raise"] = "skip") -> RecordReader:
    """Iterates over the records of a WARC file, plain, gzip or zstd.

    ``path_or_file`` is a path or a binary file object. A damaged record costs nothing but itself: it is listed in the reader's
    ``faults``, or raised as :class:`DamagedRecordError` with ``errors="raise"``, after which the reader may be asked on.
    """
    return RecordReader(path_or_file, errors=errors)


def stream(path_or_file: _Source, **options: "_Unpack[_StreamOptions]") -> "pyarrow.RecordBatchReader":
    """The rows of a WARC or JSONL file, as a ``pyarrow.RecordBatchReader``.

    Rows and columns are those of ``huller extract``; ``source`` (with ``keep_keys``) is JSON as text. Batches have at most
    ``batch_rows`` rows (256) and ``batch_bytes`` of text (8 MiB; a longer row stands alone). One thread works on a file: give
    several files to several threads.

    ``account=Account()`` is filled while the reader is read: what became of every record. The other options are
    ``name``, ``extractor`` (a name, or several), ``profile``, ``include``, ``judge``, ``min_chars``, ``status``, ``html``,
    ``digest``, ``keep_keys`` and ``max_page_bytes``, as of the program.
    """
    import pyarrow

    rows = Stream(path_or_file, **options)
    return pyarrow.RecordBatchReader.from_batches(rows.schema, rows)


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
    """Scores methods, or texts of other programs, against gold: what ``huller eval --format json`` prints, as objects.

    ``archives``, ``gold`` and ``predictions`` are paths, one or several. ``extractors`` are names; all methods if there are
    none. The figures are in ``["rows"]``: one for every system and group of pages.
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
