"""huller on Spark: WARC files to a table of pages, one task a file.

As a program, with the arguments of cc-pyspark::

    spark-submit --master ... path/to/huller/spark.py warc.paths.gz s3a://bucket/pages --input_base_url s3://commoncrawl/
    python -m huller.spark warc.paths OUTPUT          # the same with the Spark that pip installed

As functions: :func:`read` reads archives, :func:`extract` extracts a column of pages,
:func:`refine` applies stages to rows, :func:`dedup` removes duplicate rows, :func:`passages` cuts
rows into passages, and :func:`index` makes a full-text index of rows. Every executor needs this
package. The options of huller have the names of the program's.

The job counts the records of each input by outcome. A task that runs twice counts once. The job
writes these statistics to ``OUTPUT/_huller/run.account``, in the program's format, so that ``huller
stats`` can add them to others.
"""

import argparse
import contextlib
import json
import logging
import os
import posixpath
import shutil
import sys
import tempfile
import urllib.parse

import pyarrow
import pyarrow.compute

import huller
from huller._huller import SCHEMAS, check_stream_options, run_stats
from huller.own_stages import Chain
from huller.spark_dedup import Columns, dedup, duplicates, signatures
from huller.spark_index import index

# pyspark is imported where it is used, so that --help and the functions without Spark work without
# it.

__all__ = ["Columns", "InputCounters", "dedup", "duplicates", "extract", "index", "main", "passages", "read", "refine", "signatures"]

MAX_ROWS = 256
MAX_BYTES = 8 << 20

log = logging.getLogger("huller.spark")


class _Union:
    """An ``AccumulatorParam`` for dictionaries with a key for each input.

    A repeated task adds the same key again, so it counts once.
    """

    def zero(self, value):
        return {}

    def addInPlace(self, value1, value2):
        value1.update(value2)
        return value1


class InputCounters:
    """The statistics of the inputs of :func:`read`.

    They are complete after an action has run over all of its rows.
    """

    def __init__(self, spark, paths, names=None):
        self.paths = list(paths)
        self._names = huller.input_names(self.paths) if names is None else names
        self._outcomes = spark.sparkContext.accumulator({}, _Union())

    def _outcome(self, index):
        return self._outcomes.value.get(index, (0, None, "no task has finished it"))

    @property
    def total(self):
        """The sum of the statistics of all inputs, a :class:`huller.Counters`."""
        total = huller.Counters()
        for index in range(len(self.paths)):
            found = self._outcome(index)[1]
            if found is not None:
                total += huller.Counters.from_json(found)
        return total

    @property
    def unusable(self):
        """The inputs that could not be read to their end, each with its error."""
        outcomes = ((path, self._outcome(index)[2]) for index, path in enumerate(self.paths))
        return {path: error for path, error in outcomes if error is not None}

    def stats(self):
        """Returns the contents of the program's ``run.account`` for this run, as objects."""
        inputs, unusable = [], []
        for index, name in enumerate(self._names):
            length, found, error = self._outcome(index)
            if found is not None:
                inputs.append((name, length, found))
            if error is not None:
                unusable.append((name, error))
        return json.loads(run_stats(inputs, unusable))


def read(spark, paths, *, names=None, counters=None, partitions=None, local_temp_dir=None, **options):
    """Reads the pages of WARC or JSONL files into a data frame.

    The columns are those of the program's rows. Each of ``paths`` is a local path or a URL that
    boto3 (``s3://``) or fsspec understands. Each is one task, unless there are fewer
    ``partitions``. Remote files are first copied to ``local_temp_dir``. A file that cannot be read
    is logged and listed in ``counters.unusable``, and the job continues. ``counters`` is
    ``InputCounters(spark, paths)``. ``names`` are the names of the inputs in rows, by default
    :func:`huller.input_names` of the paths. ``options`` are those of :func:`huller.stream`, such as
    ``schema`` for the columns of another tool.
    """
    paths = list(paths)
    names = huller.input_names(paths) if names is None else list(names)
    options.setdefault("batch_rows", MAX_ROWS)
    options.setdefault("batch_bytes", MAX_BYTES)
    schema = huller.stream_schema(**{name: options[name] for name in (*huller._SCHEMA, "fields") if name in options})
    listed = spark.sparkContext.broadcast(list(zip(names, paths, strict=True)))
    outcomes = None if counters is None else counters._outcomes

    def rows_of(index):
        name, path = listed.value[index]
        found, size, error = huller.Counters(), 0, None
        try:
            with _local(path, local_temp_dir) as local:
                size = os.path.getsize(local)
                given = {**options, "name": name, "counters": found}
                yield from huller._batches(local, Chain.of(given), given)[1]
        except (OSError, huller.HullerError) as cause:
            error = str(cause)
            log.error("%s: %s", path, error)
        if outcomes is not None:
            opened = None if error is not None and not found.records else found.to_json()
            outcomes.add({index: (size, opened, error)})

    def rows_of_all(batches):
        for batch in batches:
            for index in batch.column(0).to_pylist():
                yield from rows_of(index)

    wanted = min(partitions or len(paths), len(paths))
    numbers = spark.range(0, len(paths), 1, max(wanted, 1))
    return numbers.mapInArrow(rows_of_all, _spark_schema(schema))


def extract(df, html_col="html", *, url_col=None, prefix="", **options):
    """Adds the main text, title, author and other values of a column of pages to a data frame.

    The pages are strings or binaries. ``url_col`` names a column of URLs, which help to find
    metadata and encodings. The new columns are those of :func:`huller.extract_many`, with
    ``prefix`` before their names. Choose a prefix if the frame already has one of these names.
    ``options`` are the other options of :func:`huller.extract_many`. Spark passes
    ``spark.sql.execution.arrow.maxRecordsPerBatch`` pages at a time, by default 10,000. Set that to
    a few hundred.
    """
    options.setdefault("threads", 1)
    deciding = [option.name for option in huller.options.options("many_schema")]
    added = huller.many_schema(**{name: options[name] for name in ("output", "config", *deciding) if name in options})
    fields = [(prefix + field.name, field.type) for field in added]
    for name, _ in fields:
        if name in df.columns:
            raise ValueError(f"the frame already has a column '{name}': choose a prefix")

    def extracted(batches):
        for batch in batches:
            for piece in _pieces(batch, html_col):
                urls = None if url_col is None else piece.column(url_col)
                pages = huller.extract_many(piece.column(html_col), urls=urls, **options)
                yield pyarrow.RecordBatch.from_arrays(
                    [*piece.columns, *pages.columns],
                    [*piece.schema.names, *(name for name, _ in fields)],
                )

    schema = _spark_fields(df.schema.fields)
    for name, kind in fields:
        schema = schema.add(name, _spark_type(kind))
    return df.mapInArrow(extracted, schema)


def refine(df, *, text="text", url="url", keep_dropped=False, **options):
    """Applies stages to the rows of a data frame.

    The arguments are those of :func:`huller.refine`: ``stages``, ``preset``, ``lang``, ``set``,
    ``signals`` and ``config``. New columns come last, as there. ``stages`` may have stages in Python
    (:func:`huller.stage`); their functions are sent to the executors.
    """
    if text not in df.columns:
        raise ValueError(f"there is no column {text!r}; set text= to the column with the texts")
    options.setdefault("threads", 1)
    # Rows like these show which columns refine adds.
    empty = pyarrow.table({name: pyarrow.array([], pyarrow.string()) for name in {text, url}})
    names = {name: value for name, value in options.items() if name != "counters"}
    added = huller.refine(empty, text=text, url=url, keep_dropped=keep_dropped, **names).schema
    schema = _spark_fields(df.schema.fields)
    for field in added:
        if field.name not in df.columns and field.name not in (text, url):
            schema = schema.add(field.name, _spark_type(field.type))

    def refined(batches):
        for batch in batches:
            if batch.num_rows:
                yield huller.refine(batch, text=text, url=url, keep_dropped=keep_dropped, **names)

    return df.mapInArrow(refined, schema)


def passages(df, **options):
    """Cuts the rows of a data frame into passages, a row for each.

    The arguments are those of :func:`huller.passages`. The columns are those of its result, and
    ``parent_id`` is the ``id`` of the row.
    """
    options.setdefault("threads", 1)
    # Rows like these show whether the options are valid.
    text = {name: pyarrow.array([], pyarrow.string()) for name in df.columns}
    schema = _spark_schema(huller.passages(pyarrow.table(text), **options).schema)

    def cut(batches):
        for batch in batches:
            yield from huller.passages(batch, **options).to_batches()

    names = ["id", "text", "markdown", "url", "title", "language"]
    there = [name for name in dict.fromkeys(options.get(name, name) for name in names) if name in df.columns]
    return df.select(*there).mapInArrow(cut, schema)


def _spark_fields(fields):
    from pyspark.sql.types import StructType

    return StructType(list(fields))


def _pieces(batch, column):
    """Slices a batch into parts of at most ``MAX_ROWS`` rows and ``MAX_BYTES`` bytes of a column.

    A single row may have more bytes.
    """
    sizes = pyarrow.compute.binary_length(batch.column(column)).to_pylist()
    start, size = 0, 0
    for row, length in enumerate(sizes):
        length = length or 0
        if row > start and (row - start == MAX_ROWS or size + length > MAX_BYTES):
            yield batch.slice(start, row - start)
            start, size = row, 0
        size += length
    if start < batch.num_rows:
        yield batch.slice(start)


def _spark_type(kind):
    from pyspark.sql import types as spark_types

    known = {
        pyarrow.string(): spark_types.StringType,
        pyarrow.int32(): spark_types.IntegerType,
        pyarrow.int64(): spark_types.LongType,
        pyarrow.float64(): spark_types.DoubleType,
        pyarrow.bool_(): spark_types.BooleanType,
    }
    if kind in known:
        return known[kind]()
    fields = (kind.field(place) for place in range(kind.num_fields))
    return _spark_schema(fields)


def _spark_schema(fields):
    from pyspark.sql.types import StructType

    schema = StructType()
    for field in fields:
        schema = schema.add(field.name, _spark_type(field.type))
    return schema


# Paths


def _scheme(path):
    return urllib.parse.urlsplit(path).scheme if "://" in path or path.startswith("file:") else ""


@contextlib.contextmanager
def _local(path, folder):
    """Returns the path of a local file with the contents of ``path``."""
    scheme = _scheme(path)
    if scheme in ("", "file"):
        yield urllib.parse.unquote(urllib.parse.urlsplit(path).path) if scheme else path
        return
    handle, name = tempfile.mkstemp(prefix="huller-", suffix="-" + posixpath.basename(urllib.parse.urlsplit(path).path), dir=folder)
    try:
        with os.fdopen(handle, "wb") as copy:
            _copy(path, scheme, copy)
        yield name
    finally:
        os.unlink(name)


def _copy(path, scheme, copy):
    """Copies a remote file. Any exception becomes an error of that input."""
    try:
        if scheme in ("s3", "s3a", "s3n") and (boto3 := _module("boto3")):
            url = urllib.parse.urlsplit(path)
            boto3.client("s3").download_fileobj(url.netloc, url.path.lstrip("/"), copy)
        elif fsspec := _module("fsspec"):
            with fsspec.open(path, "rb") as remote:
                shutil.copyfileobj(remote, copy, 1 << 20)
        else:
            raise huller.HullerError(f"reading '{path}' needs fsspec (or boto3 for S3): install it on the executors")
    except huller.HullerError:
        raise
    except Exception as error:
        is_missing = isinstance(error, FileNotFoundError)
        kind = huller.ArchiveNotFoundError if is_missing else huller.ArchiveError
        raise kind(f"cannot read '{path}': {error!r}", path) from error


def _module(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def _listed(path, base):
    """Yields the names and paths of a list. Relative paths are below ``base``, else beside it."""
    with _local(path, None) as local:
        listed = huller.read_list(local)
    if base is None and _scheme(path) == "":
        base = os.path.dirname(os.path.abspath(path))
    for name, line in listed:
        line = os.fspath(line)
        is_whole = base is None or _scheme(line) or line.startswith("/")
        yield name, line if is_whole else base.rstrip("/") + "/" + line


# The program


def _arguments():
    parser = argparse.ArgumentParser(prog="huller.spark", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add("input", metavar="INPUT", help="a list of paths of WARC files, one per line, plain or gzip")
    add("output", metavar="OUTPUT", help="a folder or URL, or the name of a table if it has neither / nor :, which Spark keeps in its warehouse")
    add("--input_base_url", metavar="URL", help="base of relative paths [default: the folder of the list]")
    add("--num_input_partitions", metavar="N", type=int, help="number of tasks [default: one per file]")
    add("--output_format", choices=["parquet", "orc", "json", "csv"], default="parquet")
    add("--output_compression", metavar="HOW", help="[default: zstd for parquet and orc, else gzip]")
    add("--output_option", metavar="KEY=VALUE", action="append", default=[], help="an option of Spark's writer")
    add("--overwrite", action="store_true", help="replace an existing output")
    add("--local_temp_dir", metavar="DIR", help="folder in which executors keep copies of remote files")
    add("--log_level", choices=["DEBUG", "INFO", "WARN", "ERROR"], default="INFO")
    add("--stats", metavar="FILE", help="write the statistics to this local file [default: OUTPUT/_huller/run.account, if OUTPUT is a folder]")
    huller.options.add_arguments(parser, "stream")
    return parser


def _is_folder(output):
    return "/" in output or ":" in output


def _write(frame, arguments):
    compression = arguments.output_compression
    if compression is None:
        compression = "zstd" if arguments.output_format in ("parquet", "orc") else "gzip"
    writer = frame.write.format(arguments.output_format).option("compression", compression)
    writer = writer.mode("overwrite" if arguments.overwrite else "errorifexists")
    # Tools with a schema expect every member in every row.
    is_whole = arguments.output_format == "json" and arguments.schema in SCHEMAS
    for option in [*(["ignoreNullFields=false"] if is_whole else []), *arguments.output_option]:
        key, _, value = option.partition("=")
        writer = writer.option(key, value)
    if _is_folder(arguments.output):
        writer.save(arguments.output)
    else:
        writer.saveAsTable(arguments.output)


def _write_stats(spark, arguments, stats):
    text = (json.dumps(stats, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
    if arguments.stats is not None:
        with open(arguments.stats, "wb") as file:
            file.write(text)
    elif _is_folder(arguments.output):
        # Hadoop's file system can write wherever the rows are. Readers skip names that begin with
        # "_".
        hadoop = spark._jvm.org.apache.hadoop.fs
        path = hadoop.Path(arguments.output.rstrip("/") + "/_huller/run.account")
        file = path.getFileSystem(spark._jsc.hadoopConfiguration()).create(path, True)
        try:
            file.write(bytearray(text))
        finally:
            file.close()


def _say(counters, stats):
    total, unusable = counters.total, stats["unusable"]
    log.info("inputs %d, of which failed %d", len(counters.paths), len(unusable))
    log.info("records %d, written %d", total.records, total.written)
    for kind in ("skipped", "failed", "repaired"):
        for reason, count in getattr(total, kind).items():
            log.info("  %s %s %d", kind, reason, count)
    for one in unusable:
        log.error("%s: %s", one["input"], one["error"])


def _where(spark, arguments):
    """Describes the place of the output for people."""
    if _is_folder(arguments.output):
        return arguments.output
    described = spark.sql(f"DESCRIBE TABLE EXTENDED `{arguments.output}`").collect()
    place = next((row.data_type for row in described if row.col_name == "Location"), "Spark's warehouse")
    return f"the table {arguments.output}, which is in {place}"


def main(argv=None):
    """Runs the job and returns its exit code.

    It is 0 if every input was read, 1 if some inputs could not be read (the others are finished),
    and 2 without pyspark.
    """
    arguments = _arguments().parse_args(argv)
    options = huller.options.from_arguments(arguments, "stream")
    try:
        check_stream_options(**options)
    except (TypeError, ValueError) as error:
        _arguments().error(str(error))
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        print("error: huller.spark needs pyspark: pip install 'huller[spark]'", file=sys.stderr)
        return 2
    level = {"WARN": "WARNING"}.get(arguments.log_level, arguments.log_level)
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("py4j").setLevel(logging.WARNING)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        names, paths = zip(*_listed(arguments.input, arguments.input_base_url), strict=True)
    except (OSError, ValueError, huller.HullerError) as error:
        _arguments().error(str(error))
    spark = SparkSession.builder.appName("huller").getOrCreate()
    try:
        spark.sparkContext.setLogLevel(arguments.log_level)
        counters = InputCounters(spark, paths, names)
        frame = read(
            spark,
            paths,
            names=names,
            counters=counters,
            partitions=arguments.num_input_partitions,
            local_temp_dir=arguments.local_temp_dir,
            **options,
        )
        _write(frame, arguments)
        stats = counters.stats()
        _write_stats(spark, arguments, stats)
        _say(counters, stats)
        print(f"{counters.total.written} rows in {_where(spark, arguments)}", file=sys.stderr)
    finally:
        spark.stop()
    return 1 if stats["unusable"] else 0


if __name__ == "__main__":
    sys.exit(main())
