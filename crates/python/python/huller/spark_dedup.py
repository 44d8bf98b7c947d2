"""Duplicates on Spark: the decisions of ``huller dedup`` for the rows of a data frame.

Use it as ``huller.spark.dedup`` and ``huller.spark.duplicates``. Executors sign the rows that they
hold. Only digests, hashes of bands and the rows' keys are shuffled; texts stay in place:

1. ``signatures`` computes two digests and the hashes of all bands for each row, 230 bytes.
2. Each step sorts pairs (digest or hash, row) by the digest or hash. It links every row with the
   first row of its group. Groups are never collected, so a million equal rows are a million links.
3. Links become clusters in rounds: the large and small stars of Kiveris et al., "Connected
   Components in MapReduce and Beyond", 2014. The number of rounds is at most the logarithm of the
   size of the largest cluster.
4. Rows that a step drops take no part in the next step. At the end each dropped row has the key of
   the row that is kept in its place.
"""

import dataclasses
import uuid

import pyarrow
import pyarrow.compute

import huller

#: The steps, in their order.
STEPS = ("url", "text", "near")

#: The column that ranks rows by each rule. The row with the greatest value is kept, and among equal
#: rows the first.
RULES = {"first": None, "longest": "chars", "newest": "fetched", "score": "score"}

#: The settings of signatures.
SIGNATURE = ("bands", "rows", "shingle", "hash", "seed")

_SIGNED = "key {key}, text_digest binary, url_digest binary, chars bigint, fetched bigint, score float, bands array<bigint>"


@dataclasses.dataclass
class Columns:
    """Names of the columns of a frame.

    ``key`` identifies and orders the rows: the row with the least key is the first.
    """

    key: str = "id"
    text: str = "text"
    url: str = "url"
    date: str = "date"
    score: str = "score"


def signatures(df, *, columns=None, **options):
    """Returns the signatures of a frame's rows.

    The columns are ``key``, ``text_digest``, ``url_digest``, ``chars``, ``fetched``, ``score`` and
    ``bands``. Rows without a text are left out. ``options`` are those of
    :func:`huller.signatures`. Write the signatures as Parquet to deduplicate them more than once,
    or together with those of other crawls.
    """
    from pyspark.sql import functions as sql

    columns = columns or Columns()
    key_type = df.schema[columns.key].dataType.simpleString()
    there = [name for name in dataclasses.astuple(columns) if name in df.columns]

    def signed(batches):
        for batch in batches:
            made = huller.signatures(batch, text=columns.text, url=columns.url, date=columns.date, threads=1, **options)
            score = batch.column(columns.score) if columns.score in there else pyarrow.nulls(batch.num_rows)
            parts = {
                "key": batch.column(columns.key),
                **{name: made.column(name) for name in ("text_digest", "url_digest", "chars", "fetched")},
                "score": pyarrow.compute.cast(score, pyarrow.float32(), safe=False),
                "bands": made.column("bands"),
            }
            yield pyarrow.RecordBatch.from_arrays(list(parts.values()), list(parts))

    frame = df.select(*there).where(sql.col(columns.text).isNotNull())
    return frame.mapInArrow(signed, _SIGNED.format(key=key_type))


def duplicates(signed, *, by=("text", "near"), keep=None, checkpoint=None, partitions=None):
    """Returns the rows to drop.

    The columns are ``key``, ``reason`` (``dedup:near``, …), ``duplicate_of`` (the key of the row
    that is kept) and ``cluster_size``. ``signed`` is the result of :func:`signatures`, or the union
    of several results.

    ``by`` and ``keep`` are those of the program. By default the step ``url`` keeps the newest row,
    and the other steps keep the first, which is the row with the least ``key``.

    ``checkpoint`` is a folder or URL that all executors can reach, for data between the rounds.
    Remove it afterwards. Without it, two executors keep a copy each of that data (one executor
    before Spark 4), and the job fails if all copies are lost. ``partitions`` is the number of
    partitions of the shuffles (by default ``spark.sql.shuffle.partitions``).

    Keys must be stored values, and each key must belong to one row. Spark computes keys such as
    ``monotonically_increasing_id`` again when a task is repeated, and then they refer to other
    rows.
    """
    from pyspark.sql import functions as sql

    by = [by] if isinstance(by, str) else list(by)
    unknown = [step for step in by if step not in STEPS]
    if unknown or not by:
        raise ValueError(f"by must be one of {', '.join(map(repr, STEPS))}, not {unknown}")
    if keep is not None and keep not in RULES:
        raise ValueError(f"keep must be one of {', '.join(map(repr, RULES))}, not {keep!r}")
    job = _Job(signed.sparkSession, checkpoint, partitions or int(signed.sparkSession.conf.get("spark.sql.shuffle.partitions")))
    rows = job.keep(signed)
    dropped = None
    for step in (step for step in STEPS if step in by):
        active = rows if dropped is None else rows.join(dropped.select("key"), "key", "left_anti")
        rule = keep or ("newest" if step == "url" else "first")
        found = job.keep(_step(job, active, step, RULES[rule]))
        if dropped is None:
            dropped = found
            continue
        # Rows that were dropped earlier in favour of a row that is dropped now.
        moved = found.select(sql.col("key").alias("duplicate_of"), sql.col("duplicate_of").alias("moved_to"))
        dropped = dropped.join(moved, "duplicate_of", "left").select("key", "reason", sql.coalesce("moved_to", "duplicate_of").alias("duplicate_of"))
        dropped = job.keep(dropped.unionByName(found))
    sizes = dropped.groupBy("duplicate_of").agg((sql.count("*") + 1).alias("cluster_size"))
    return dropped.join(sizes, "duplicate_of").select("key", "reason", "duplicate_of", "cluster_size")


def dedup(df, *, columns=None, by=("text", "near"), keep=None, checkpoint=None, partitions=None, **options):
    """Returns the rows of a frame that ``huller dedup`` keeps if they come in the order of the key.

    ``columns`` is a :class:`Columns`. ``options`` are those of :func:`huller.signatures`. The other
    arguments are those of :func:`duplicates`. Rows without a text are left out.
    """
    from pyspark.sql import functions as sql

    columns = columns or Columns()
    signed = signatures(df, columns=columns, **options)
    dropped = duplicates(signed, by=by, keep=keep, checkpoint=checkpoint, partitions=partitions)
    kept = df.where(sql.col(columns.text).isNotNull())
    return kept.join(dropped.select(sql.col("key").alias(columns.key)), columns.key, "left_anti").select(*df.columns)


class _Job:
    """The state that the steps of a job share."""

    def __init__(self, spark, checkpoint, partitions):
        self.spark = spark
        self.checkpoint = None if checkpoint is None else f"{checkpoint.rstrip('/')}/{uuid.uuid4()}"
        self.partitions = partitions
        self.kept = 0

    def keep(self, frame):
        """Computes a frame once and stores it.

        Each round uses the frame of the round before it four times.
        """
        if self.checkpoint is None:
            return self._keep_by_executors(frame)
        self.kept += 1
        path = f"{self.checkpoint}/{self.kept}"
        frame.write.parquet(path)
        return self.spark.read.parquet(path)

    def _keep_by_executors(self, frame):
        import pyspark

        if int(pyspark.__version__.split(".")[0]) < 4:
            return frame.localCheckpoint()
        return frame.localCheckpoint(storageLevel=pyspark.StorageLevel.MEMORY_AND_DISK_2)


def _step(job, rows, step, rank):
    """Returns the rows that one step drops: ``key``, ``reason`` and ``duplicate_of``."""
    from pyspark.sql import functions as sql

    if step == "near":
        pairs = rows.select(sql.explode("bands").alias("group"), "key")
    else:
        digest = f"{step}_digest"
        pairs = rows.where(sql.col(digest).isNotNull()).select(sql.col(digest).alias("group"), "key")
    clusters = _clusters(job, job.keep(_links(job, pairs)))
    if rank is None:
        kept = clusters.select("key", sql.col("root").alias("kept"))
    else:
        # Rows without a value rank last. Among the best rows the least key wins.
        ranked = clusters.select("key", "root").unionByName(clusters.select(sql.col("root").alias("key"), "root").distinct())
        figure = -sql.col(rank).cast("double")
        ranked = ranked.join(rows.select("key", sql.coalesce(figure, sql.lit(float("inf"))).alias("badness")), "key")
        best = ranked.groupBy("root").agg(sql.min(sql.struct("badness", "key"))["key"].alias("kept"))
        kept = ranked.join(best, "root").where(sql.col("key") != sql.col("kept")).select("key", "kept")
    return kept.select("key", sql.lit(f"dedup:{step}").alias("reason"), sql.col("kept").alias("duplicate_of"))


def _links(job, pairs):
    """Links every row of a group with the first one: ``key`` and ``root``."""
    key_type = pairs.schema["key"].dataType.simpleString()
    together = pairs.repartition(job.partitions, "group").sortWithinPartitions("group", "key")
    return together.mapInArrow(_link, f"key {key_type}, root {key_type}").distinct()


def _link(batches):
    """Links the rows of sorted batches. A group may continue in the next batch."""
    group = first = None
    for batch in batches:
        if not batch.num_rows:
            continue
        groups, keys = batch.column(0), batch.column(1)
        # The index of the first row of each group.
        same = pyarrow.compute.equal(groups.slice(1), groups.slice(0, batch.num_rows - 1))
        starts = [0, *(place + 1 for place in pyarrow.compute.indices_nonzero(pyarrow.compute.invert(same)).to_pylist())]
        lengths = [end - start for start, end in zip(starts, [*starts[1:], batch.num_rows])]
        goes_on = group is not None and groups[0].as_py() == group
        firsts = [first if goes_on and not at else keys[start].as_py() for at, start in enumerate(starts)]
        group, first = groups[batch.num_rows - 1].as_py(), firsts[-1]
        rows, roots = [], []
        for at, (start, length) in enumerate(zip(starts, lengths)):
            skipped = 0 if goes_on and not at else 1
            if length > skipped:
                rows.append(keys.slice(start + skipped, length - skipped))
                roots.append(pyarrow.array([firsts[at]], keys.type).take(pyarrow.array([0] * (length - skipped))))
        if rows:
            arrays = [pyarrow.concat_arrays(rows), pyarrow.concat_arrays(roots)]
            yield pyarrow.RecordBatch.from_arrays(arrays, ["key", "root"])


def _clusters(job, links):
    """Links each row with the least row of its cluster, its root: ``key`` and ``root``."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    least = Window.partitionBy("key")
    while True:
        # Large star: each row's greater neighbours are linked with its least neighbour.
        turned = links.select(sql.col("root").alias("key"), sql.col("key").alias("root"))
        both = links.unionByName(turned).withColumn("least", sql.least("key", sql.min("root").over(least)))
        large = both.where(sql.col("root") > sql.col("key")).select(sql.col("root").alias("key"), sql.col("least").alias("root")).distinct()
        # Small star: each row's smaller neighbours, and the row, are linked with the least of them.
        small = large.withColumn("least", sql.min("root").over(least))
        own = small.select("key", sql.col("least").alias("root"))
        others = small.where(sql.col("root") != sql.col("least")).select(sql.col("root").alias("key"), sql.col("least").alias("root"))
        linked = job.keep(own.unionByName(others).distinct())
        # The clusters are final if no row is linked twice and no root is linked.
        twice = linked.groupBy("key").count().where("count > 1").limit(1)
        chained = linked.join(linked.select(sql.col("root").alias("key")).distinct(), "key", "left_semi").limit(1)
        if twice.isEmpty() and chained.isEmpty():
            return linked
        links = linked
