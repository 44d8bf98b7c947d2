"""The part of the package that is written in Rust."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypedDict, final

import pyarrow
from typing_extensions import Self, Unpack

from huller.own_stages import Stage

__version__: str

METHODS: tuple[str, ...]
"""Names of the extractors, the default first, which ``auto`` also names.

``huller extractors --long`` describes them.
"""

STAGES: tuple[str, ...]
"""Names of the built-in stages (``docs/stages.md``)."""

PRESETS: tuple[str, ...]
"""Names of the presets, named sets of stages and settings."""

SCHEMAS: tuple[str, ...]
"""Names of the schemas of other tools whose rows have every member."""

SCHEMAS_WITHOUT_NULL: tuple[str, ...]
"""Names of the schemas of other tools whose rows leave out members that are null."""

_Profile = Literal["tuned", "paper"]
_Part = Literal["title", "byline", "comments", "captions"]
_Output = Literal["text", "markdown", "html", "source_html", "blocks"]
_TextPart = Literal["lists", "empty-lines", "scripts", "title"]
_MarkdownPart = Literal["links", "images"]
_StageLike = str | Stage | Callable[[pyarrow.RecordBatch], Any]
_Stages = _StageLike | Sequence[_StageLike]

class _StreamOptions(TypedDict, total=False):
    """The options of ``huller.stream``. ``None`` means the default of the program."""

    name: str | None
    counters: Counters | None
    batch_rows: int
    batch_bytes: int
    records_from: str | PathLike[str] | Sequence[str | PathLike[str]] | None
    entry_url: str | Sequence[str] | None
    entry_host: str | Sequence[str] | None
    entry_mime: str | Sequence[str] | None
    entry_status: int | str | Sequence[str] | None
    entry_language: str | Sequence[str] | None
    config: Config | None
    extractor: str | Sequence[str] | None
    profile: _Profile | None
    include: Sequence[_Part] | None
    judge: bool | None
    min_chars: int | None
    status: Literal["ok", "any"] | None
    text_without: Sequence[_TextPart] | None
    markdown: bool | None
    markdown_without: Sequence[_MarkdownPart] | None
    html: bool | None
    source_html: bool | None
    blocks: bool | None
    stages: _Stages | None
    preset: str | None
    lang: str | Sequence[str] | None
    set: str | Sequence[str] | None
    signals: bool | None
    rights: bool | None
    digest: bool | None
    schema: str | None
    fields: str | Sequence[str] | None
    es_index: str | None
    html_key: str | None
    url_key: str | None
    id_key: str | None
    keep_keys: str | Sequence[str] | None
    max_page_bytes: int | None
    max_record_bytes: int | None
    max_header_bytes: int | None
    max_body_bytes: int | None
    max_decode_ratio: int | None
    max_encodings: int | None
    max_zstd_window: int | None

class _ManyOptions(TypedDict, total=False):
    """The options of ``huller.extract_many``. ``None`` means the default of the program."""

    config: Config | None
    extractor: str | Sequence[str] | None
    profile: _Profile | None
    include: Sequence[_Part] | None
    min_chars: int | None
    judge: bool | None
    stages: _Stages | None
    preset: str | None
    lang: str | Sequence[str] | None
    set: str | Sequence[str] | None
    text_without: Sequence[_TextPart] | None
    markdown_without: Sequence[_MarkdownPart] | None
    max_page_bytes: int | None

class _ManySchemaOptions(TypedDict, total=False):
    """The options of ``huller.many_schema``."""

    config: Config | None
    extractor: str | Sequence[str] | None
    stages: _Stages | None
    preset: str | None
    lang: str | Sequence[str] | None
    set: str | Sequence[str] | None

class _StreamSchemaOptions(TypedDict, total=False):
    """The options of ``huller.stream_schema``."""

    config: Config | None
    extractor: str | Sequence[str] | None
    stages: _Stages | None
    preset: str | None
    lang: str | Sequence[str] | None
    set: str | Sequence[str] | None
    markdown: bool | None
    html: bool | None
    source_html: bool | None
    blocks: bool | None
    signals: bool | None
    rights: bool | None
    schema: str | None
    fields: str | Sequence[str] | None
    keep_keys: str | Sequence[str] | None

class _RefineOptions(TypedDict, total=False):
    """The options of ``huller.refine``."""

    config: Config | None
    stages: _Stages | None
    preset: str | None
    lang: str | Sequence[str] | None
    set: str | Sequence[str] | None
    signals: bool | None

class _SignatureOptions(TypedDict, total=False):
    """The settings of signatures."""

    bands: int
    rows: int
    shingle: int
    hash: Literal["fast", "datatrove"]
    seed: int

class _PassageOptions(TypedDict, total=False):
    """The settings of passages."""

    max_tokens: int
    min_tokens: int
    tokenizer: str | PathLike[str]
    pattern: str
    overlap: int
    prefix: str

class _DedupOptions(_SignatureOptions, total=False):
    """The options of ``huller.dedup`` besides corpora and steps."""

    keep: Literal["first", "longest", "score", "newest"] | None
    verify: float | None
    host_lines: int | None
    host_line_chars: int | None
    paragraphs: int | None
    format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "wet", "text"] | None
    cluster_fields: bool
    mark_rows: bool
    mark: str | PathLike[str] | None
    text_key: str | Sequence[str] | None
    url_key: str | Sequence[str] | None
    threads: int
    memory: int
    resume: bool
    overwrite: bool

class _IndexOptions(TypedDict, total=False):
    """The options of ``huller.index`` besides corpora and lists."""

    passages: bool
    threads: int
    memory: int
    resume: bool
    overwrite: bool
    commit_every: int

def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    charset: str | None = None,
    config: Config | None = None,
    extractor: str | None = None,
    profile: _Profile | None = None,
    output: _Output = "text",
    include: Sequence[_Part] | None = None,
    text_without: Sequence[_TextPart] | None = None,
    markdown_without: Sequence[_MarkdownPart] | None = None,
    max_page_bytes: int | None = None,
) -> Page:
    """Extracts the main content of one page.

    ``bytes`` are decoded as in browsers: by the byte order mark, then ``charset`` (from the HTTP
    header), then ``<meta>``, then the bytes themselves. ``str`` is not decoded. ``url`` helps to
    find metadata, and encodings that the page does not state. ``output`` is an additional form of
    the text: ``"markdown"``, ``"html"`` (clean), ``"source_html"`` or ``"blocks"``.
    """

def extract_many(
    pages: Any,
    *,
    urls: Any = None,
    charset: str | None = None,
    output: _Output = "text",
    threads: int = 0,
    first_stages: int | None = None,
    **options: Any,
) -> pyarrow.RecordBatch:
    """Implements :func:`huller.extract_many`. Only the first ``first_stages`` stages run."""

def options_of(function: str) -> list[tuple[str, str, str]]:
    """Returns name, type in Rust and help of each option that a function shares with the program."""

def check_stream_options(**options: Any) -> None:
    """Refuses options that :func:`huller.stream` would refuse."""

def stage_names(**options: Any) -> list[str]:
    """Returns the names of the built-in stages of a call in their order."""

def column_content(name: str) -> Literal["page", "parts", "own"] | None:
    """Returns the effect of stages on a column of this name.

    ``"page"``: they change its texts as they change the text of the row. ``"parts"``: it holds
    parts of that text. ``"own"``: they only mask its texts. ``None``: they do not change it.
    """

def input_names(paths: Sequence[str | PathLike[str]]) -> list[str]:
    """Returns the names (``file_path``) that the program gives these files or URLs as arguments.

    A name is the file name, or the whole path if two would have the same name. No file is read.
    """

def run_stats(inputs: Sequence[tuple[str, int, str]], unusable: Sequence[tuple[str, str]]) -> str:
    """Returns the contents of ``run.account`` for inputs: name, bytes, and statistics as JSON.

    ``unusable`` are the names and the errors of inputs that could not be read to their end. Inputs
    without a page are added to them by the rules of the program.
    """

def read_list(path: str | PathLike[str]) -> list[tuple[str, Path]]:
    """Returns the names (``file_path``) and the paths of the files in a list.

    The list has one path a line, and is plain, gzip or zstd. Paths are returned unchanged. Raises
    ``ValueError`` if the list cannot be read or is empty.
    """

@final
class RowStages:
    """Consecutive built-in stages of a call. Implements :func:`huller.refine`."""

    def __new__(cls, first: int = 0, end: int = ..., **options: Any) -> Self: ...
    @property
    def signals(self) -> bool:
        """Whether rows get the figures behind the decisions."""
    @property
    def has_rewrites(self) -> bool:
        """Whether a stage may change other strings besides the text."""
    def apply(
        self,
        texts: Any,
        *,
        urls: Any = None,
        page_types: Any = None,
        has_article: list[bool | None] | None = None,
        scores: list[float | None] | None = None,
        languages: Any = None,
        scripts: Any = None,
        language_scores: list[float | None] | None = None,
        rights: Any = None,
        forms: list[Any] = ...,
        names: list[str] = ...,
        threads: int = 0,
    ) -> pyarrow.RecordBatch:
        """Returns a row for every text. ``reason`` is not null if a stage drops the row."""

def signature_columns(
    texts: Any,
    *,
    urls: Any = None,
    dates: Any = None,
    threads: int = 0,
    **options: Unpack[_SignatureOptions],
) -> pyarrow.RecordBatch:
    """Implements :func:`huller.signatures`: a row for every text, null for a missing one."""

def passage_batches(
    ids: Any,
    settings: str,
    *,
    texts: Any = None,
    markdown: Any = None,
    urls: Any = None,
    titles: Any = None,
    languages: Any = None,
    threads: int = 0,
) -> list[pyarrow.RecordBatch]:
    """Implements :func:`huller.passages`."""

def passage_schema() -> pyarrow.Schema:
    """Returns the schema of passages."""

def dedup(
    corpora: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    against: Sequence[str | PathLike[str]],
    by: Sequence[str],
    **options: Unpack[_DedupOptions],
) -> str:
    """Implements :func:`huller.dedup`: returns the statistics of the corpora as JSON."""

def index(
    corpora: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    drop: Sequence[str | PathLike[str]],
    withdrawn: Sequence[str | PathLike[str]],
    **options: Unpack[_IndexOptions],
) -> str:
    """Implements :func:`huller.index`: returns the statistics of the corpora as JSON."""

def check_index(output: str | PathLike[str], *, memory: int, overwrite: bool) -> None:
    """Refuses an output and options that a new index could not have."""

def search(
    index: str | PathLike[str],
    queries: Sequence[str],
    names_query: bool,
    *,
    limit: int | None = 10,
    lang: str | None = None,
    host: str | None = None,
    page_type: str | None = None,
) -> str:
    """Implements :func:`huller.search`: returns the hits as JSON."""

def many_schema(*, output: _Output = "text", **options: Any) -> pyarrow.Schema:
    """Implements :func:`huller.many_schema`."""

def stream_schema(**options: Any) -> pyarrow.Schema:
    """Implements :func:`huller.stream_schema`."""

def evaluate(
    archives: list[str | PathLike[str]],
    gold: list[str | PathLike[str]],
    *,
    extractors: list[str] | None = None,
    profile: str = "tuned",
    predictions: list[str | PathLike[str]] | None = None,
    by: list[str] | None = None,
    rouge: bool = False,
    levenshtein: bool = False,
    pairs: bool = False,
    resamples: int = 1000,
    min_cov: float = 0.0,
    threads: int = 0,
) -> str:
    """Returns the JSON of ``huller eval --format json``. Use ``huller.evaluate``."""

@final
class Config:
    """The options of a run, from a file such as ``huller.toml`` (``docs/stages.md``).

    ``extract``, ``extract_many``, ``stream`` and ``refine`` take it as ``config`` and use the
    options that apply to them. Keyword arguments of the function have precedence. Inputs and output
    are not used.
    """

    def __new__(cls, path: str | PathLike[str]) -> Self: ...
    @staticmethod
    def parse(text: str) -> Config:
        """Reads a configuration from the text of a file."""

    @property
    def inputs(self) -> list[PathLike[str]]:
        """The files, folders and lists that the file names."""

    @property
    def output(self) -> PathLike[str] | None:
        """The folder for the output, if the file names one."""

    @property
    def stages(self) -> list[str]:
        """The names of the stages in their order, with those of the preset."""

@final
class Page:
    """An extracted page. Values that the page does not state are ``None``."""

    # begin fields (cargo run -p huller-row --example write-fields)
    @property
    def title(self) -> str | None:
        """Headline of the page without the name of the site."""
    @property
    def text(self) -> str:
        """The main text, which may be empty (``docs/text.md``). A block, a line break or a row of a table begins a
        new line; tabs separate the cells of a row; preformatted text keeps its lines and indentation; other
        white space becomes one space. There are no empty lines, no control characters other than line feed and
        tab, and no zero-width characters."""
    @property
    def author(self) -> str | None:
        """Author, as the page states it."""
    @property
    def published(self) -> str | None:
        """Time of publication, ISO 8601, as precise as the page states it."""
    @property
    def site_name(self) -> str | None:
        """Name of the site."""
    @property
    def description(self) -> str | None:
        """Summary that the page states for search engines."""
    @property
    def extractor(self) -> str:
        """Name of the extractor that produced ``text``. ``none`` for plain text stored in an archive (a
        ``conversion`` record, as in WET files); such rows have no ``score``, verdicts, metadata, Markdown, HTML
        or blocks."""
    @property
    def score(self) -> float | None:
        """The extractor's own score of the page; ``docs/methods.md`` describes its meaning for each extractor.
        Null if the extractor has no score."""
    @property
    def page_type(self) -> str | None:
        """Kind of page, from extractors that classify pages: ``article``, ``collection``, ``documentation``,
        ``forum``, ``listing``, ``product`` or ``service``."""
    @property
    def has_article(self) -> bool | None:
        """Whether the page has main content, from extractors that judge it. False for every extractor if the body
        has no words."""
    @property
    def comments(self) -> str | None:
        """Readers' comments, from extractors that separate them from the text; null if no comment is signed by a
        reader, for example if the page has only a comment form."""
    @property
    def charset(self) -> str:
        """Encoding that the page was decoded with: its WHATWG name in lower case, as in ``utf-8`` or
        ``windows-1252``."""
    @property
    def charset_source(self) -> str:
        """Evidence for the encoding: ``bom``, ``http``, ``meta``, ``detected``, ``default`` (all bytes are ASCII,
        or the page came as text), or ``overruled`` (the declaration cannot be right; the encoding was detected
        instead)."""
    @property
    def replaced(self) -> int:
        """Number of bytes or byte sequences that are invalid in the encoding; each was replaced by U+FFFD."""
    @property
    def truncated(self) -> str | None:
        """Reason why the page is truncated: ``page_limit`` (cut at ``--max-page-bytes``), ``warc_length``,
        ``warc_time``, ``warc_disconnect``, ``warc_unspecified`` (from ``WARC-Truncated``), ``body`` (fewer
        bytes than stated, or a cut stream) or ``range`` (a part, HTTP status 206)."""
    @property
    def markdown(self) -> str | None:
        """The main text as Markdown (CommonMark with GitHub's tables and strike-through, formulas between
        dollars): headings, lists, tables of data, code, quotations, links and images with absolute URLs."""
    @property
    def html(self) -> str | None:
        """The main text as clean HTML: elements with meaning, without styles, scripts, forms and frames, with
        absolute URLs; well-formed, with the same text."""
    @property
    def source_html(self) -> str | None:
        """HTML source of the selected elements."""
    @property
    def blocks(self) -> list[dict[str, Any]] | None:
        """All blocks of the page, kept or not, in page order: a list of objects. ``path`` and ``depth`` of the
        enclosing element; ``role`` (``title``, ``byline``, ``content``, ``comment``, ``navigation``,
        ``header``, ``footer``, ``copyright``, ``sidebar``, ``related``, ``share``, ``advertisement``,
        ``caption``, ``form``, ``popup``, ``function``, ``hidden``, ``other``); whether it is ``kept`` by the
        first extractor; ``start`` and ``end`` in ``text`` in Unicode scalars, null if it is not in ``text``;
        its ``text``; ``chars``, ``words``, ``punctuation``, ``linked_chars``, ``links``, ``tags``; ``box``
        (left, top, width, height in pixels) if ``dvps`` or ``vips`` estimates it; ``methods``: for each
        extractor by name, whether it is ``kept``, its ``score`` from extractors that score parts of pages, and
        from ``nb`` and ``nb-table`` its ``probability`` of being content, 0 to 1. A list longer than 1 MiB and
        eight times the page ends with ``left_out``, the number of blocks that are not listed."""
    @property
    def rights(self) -> list[dict[str, Any]] | None:
        """All that the page, its server and its crawl state about the use of the page, in a form for machines: a
        list of objects. ``signal`` is ``noindex``, ``noai``, ``noimageai``, ``nosnippet``, ``noarchive``,
        ``nocache``, ``unavailable_after``, ``tdm-reservation``, ``tdm-policy``, ``disallow``, ``ai-train``,
        ``ai-input``, ``search``, ``license``, ``rights`` or ``usage-info``; ``value`` as ``docs/rights.md``
        describes; ``source`` is ``header``, ``meta``, ``link``, ``json-ld``, ``robots.txt`` or ``tdmrep.json``;
        ``agent`` is the robot, if one is named. ``file`` and ``offset`` (in bytes, or null) are the record of
        the evidence. At most 100 statements of a signal are listed."""
    # end fields

    def to_dict(self) -> dict[str, Any]:
        """Returns all fields by name, in the order of the program's rows.

        Pages can also be pickled.
        """

@final
class Counters:
    """Statistics of records. Each record is written, skipped or failed, exactly once."""

    def __new__(cls) -> Self: ...
    @property
    def records(self) -> int:
        """Number of records read."""
    @property
    def written(self) -> int:
        """Number of records that gave a row."""
    @property
    def skipped(self) -> dict[str, int]:
        """Numbers of records skipped on purpose, by reason."""
    @property
    def failed(self) -> dict[str, int]:
        """Numbers of damaged records, by reason."""
    @property
    def repaired(self) -> dict[str, int]:
        """Numbers of repaired records, by repair. Each record also has an outcome."""
    @property
    def is_balanced(self) -> bool:
        """Whether the records are the sum of the written, skipped and failed ones."""
    def to_json(self) -> str:
        """Returns the statistics as JSON, as in the program's ``run.account``."""
    @staticmethod
    def from_json(text: str) -> Counters: ...
    def __add__(self, other: Counters, /) -> Counters: ...
    def __iadd__(self, other: Counters, /) -> Counters: ...
    def __radd__(self, other: int, /) -> Counters:
        """Lets ``sum`` add counters up."""
    def _count_rows(
        self, written: int, dropped: Mapping[str, int], *, were_written: bool
    ) -> None: ...

@final
class Stream:
    """An iterator over the record batches of an archive.

    ``huller.stream`` makes a ``pyarrow.RecordBatchReader`` of it.
    """

    def __new__(
        cls,
        path: str | PathLike[str] | BinaryIO,
        *,
        first_stages: int | None = None,
        **options: Unpack[_StreamOptions],
    ) -> Self: ...
    @property
    def counters(self) -> Counters:
        """Statistics of the records so far."""
    @property
    def schema(self) -> pyarrow.Schema: ...
    @property
    def schema_rows(self) -> SchemaRows | None:
        """The columns of the option ``schema``."""
    def __iter__(self) -> Iterator[pyarrow.RecordBatch]: ...
    def __next__(self) -> pyarrow.RecordBatch: ...

@final
class SchemaRows:
    """The columns of another tool, for rows that pass through stages in Python before."""

    @property
    def schema(self) -> pyarrow.Schema: ...
    def batch(self, rows: pyarrow.RecordBatch, /) -> pyarrow.RecordBatch: ...

@final
class Record:
    """A WARC record."""

    @property
    def type(self) -> str | None:
        """``response``, ``request``, ``warcinfo`` and so on, in lower case."""
    @property
    def id(self) -> str | None:
        """WARC-Record-ID without brackets and ``urn:uuid:``."""
    @property
    def url(self) -> str | None: ...
    @property
    def date(self) -> str | None: ...
    @property
    def status(self) -> int | None:
        """The HTTP status of a response."""
    @property
    def content_type(self) -> str | None:
        """The content type of the HTTP message, or else of the record."""
    def header(self, name: str) -> str | None:
        """Returns a field of the WARC header. The case of its name is ignored."""
    @property
    def header_block(self) -> bytes: ...
    @property
    def block(self) -> bytes:
        """The bytes after the WARC header, unchanged."""
    @property
    def payload(self) -> bytes:
        """The body of an HTTP response after de-chunking and content decoding.

        For other records it is the block.
        """
    @property
    def offset(self) -> int | None:
        """Offset of the record's compressed member in the file, in bytes.

        ``None`` if the record has no member of its own.
        """
    @property
    def length(self) -> int | None:
        """Length of that member in bytes."""
    @property
    def stream_offset(self) -> int | None:
        """Offset of the record in the uncompressed stream in bytes, if it is known."""
    @property
    def repaired(self) -> str | None:
        """The repair that was needed to read it, or ``None``."""

@final
class Fault:
    """A byte range of an archive that gave no record."""

    @property
    def reason(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def length(self) -> int | None: ...
    @property
    def stream_offset(self) -> int | None: ...

@final
class RecordReader:
    """An iterator over the records of an archive."""

    def __new__(
        cls, path: str | PathLike[str] | BinaryIO, *, errors: Literal["skip", "raise"] = "skip"
    ) -> Self: ...
    @property
    def faults(self) -> list[Fault]:
        """The damaged parts so far."""
    def __iter__(self) -> Iterator[Record]: ...
    def __next__(self) -> Record: ...

