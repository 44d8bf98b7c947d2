"""Duplicates on Spark: what ``huller dedup`` decides, of the rows of a data frame.

Reached as ``huller.spark.dedup`` and ``huller.spark.duplicates``. Rows are signed where they lie; then only digests, hashes of bands and the rows'
keys are shuffled, never a text:

1. ``signatures``: two digests and the hashes of all bands for each row, 230 bytes, kept as Parquet if a place is given.
2. Each step sorts pairs (digest or hash, row) by the first and links every row with the first one of its group: no group is collected, so a
   million equal rows are a million links.
3. Links become clusters in rounds (the large and small stars of Kiveris et al., "Connected Components in MapReduce and Beyond", 2014), as
   many as the logarithm of the largest cluster at most.
4. What a step drops takes no part in the next one. At last each dropped row learns which row is kept for it.
"""

import dataclasses
import uuid

import pyarrow
import pyarrow.compute

import huller

#: The steps, in their order.
STEPS = ("url", "text", "near")

#: Which column is the rank of rows by a rule. The greatest one is kept, the first in order where several are.
RULES = {"first": None, "longest": "chars", "newest": "fetched", "score": "score"}

#: The settings of signatures.
SIGNATURE = ("bands", "rows", "shingle", "hash", "seed")

_SIGNED = "key {key}, text_digest binary, url_digest binary, chars bigint, fetched bigint, score float, bands array<bigint>"


@dataclasses.dataclass
class Columns:
    """Names of the columns of a frame. ``key`` is what tells rows apart and orders them: the least is the first."""

    key: str = "id"
    text: str = "text"
    url: str = "url"
    date: str = "date"
    score: str = "score"


def signatures(df, *, columns=None, **options):
    """The signatures of a frame's rows: a frame with ``key``, ``text_digest``, ``url_digest``, ``chars``, ``fetched``, ``score`` and ``bands``.

    Rows without a text are left out. ``options`` are those of :func:`huller.signatures`. Write it as Parquet to deduplicate it more than once, or
    together with that of other crawls.
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
    """The rows to drop: a frame with ``key``, ``reason`` (``dedup:near``, …), ``duplicate_of`` (the key of the row that is kept) and
    ``cluster_size``.

    ``signed`` is what :func:`signatures` gives, or several of them in one. ``by`` and ``keep`` are those of the program: of rows of one address the
    newest is kept, else the first, that of the least ``key``. ``checkpoint`` is a folder or URL that all executors reach, for what is between
    the rounds; remove it afterwards. Without it two executors keep a copy each of that (one executor before Spark 4), and the job fails if all copies are
    lost. ``partitions`` is the number of partitions of the shuffles (``spark.sql.shuffle.partitions``).

    Keys must be stored values, each of one row: a key that Spark makes anew when a task is repeated (``monotonically_increasing_id``) names another
    row then.
    """
    from pyspark.sql import functions as sql

    by = [by] if isinstance(by, str) else list(by)
    unknown = [step for step in by if step not in STEPS]
    if unknown or not by:
        raise ValueError(f"by takes {', '.join(map(repr, STEPS))}, not {unknown}")
    if keep is not None and keep not in RULES:
        raise ValueError(f"keep takes {', '.join(map(repr, RULES))}, not {keep!r}")
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
        # What was dropped before in favour of a row that is dropped now.
        moved = found.select(sql.col("key").alias("duplicate_of"), sql.col("duplicate_of").alias("moved_to"))
        dropped = dropped.join(moved, "duplicate_of", "left").select("key", "reason", sql.coalesce("moved_to", "duplicate_of").alias("duplicate_of"))
        dropped = job.keep(dropped.unionByName(found))
    sizes = dropped.groupBy("duplicate_of").agg((sql.count("*") + 1).alias("cluster_size"))
    return dropped.join(sizes, "duplicate_of").select("key", "reason", "duplicate_of", "cluster_size")


def dedup(df, *, columns=None, by=("text", "near"), keep=None, checkpoint=None, partitions=None, **options):
    """The rows of a frame that ``huller dedup`` keeps, where the rows come in the order of the key.

    ``columns`` is a :class:`Columns`. ``options`` are those of :func:`huller.signatures`, the others those of :func:`duplicates`. Rows without a
    text are left out.
    """
    from pyspark.sql import functions as sql

    columns = columns or Columns()
    signed = signatures(df, columns=columns, **options)
    dropped = duplicates(signed, by=by, keep=keep, checkpoint=checkpoint, partitions=partitions)
    kept = df.where(sql.col(columns.text).isNotNull())
    return kept.join(dropped.select(sql.col("key").alias(columns.key)), columns.key, "left_anti").select(*df.columns)


class _Job:
    """What the steps of a job share."""

    def __init__(self, spark, checkpoint, partitions):
        self.spark = spark
        self.checkpoint = None if checkpoint is None else f"{checkpoint.rstrip('/')}/{uuid.uuid4()}"
        self.partitions = partitions
        self.kept = 0

    def keep(self, frame):
        """Computes a frame once, and forgets what it was computed from: a round names the one before it four times."""
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
    """What one step drops: ``key``, ``reason`` and ``duplicate_of``."""
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
        # Rows without a figure are the worst; the least key wins where several are the best.
        ranked = clusters.select("key", "root").unionByName(clusters.select(sql.col("root").alias("key"), "root").distinct())
        figure = -sql.col(rank).cast("double")
        ranked = ranked.join(rows.select("key", sql.coalesce(figure, sql.lit(float("inf"))).alias("badness")), "key")
        best = ranked.groupBy("root").agg(sql.min(sql.struct("badness", "key"))["key"].alias("kept"))
        kept = ranked.join(best, "root").where(sql.col("key") != sql.col("kept")).select("key", "kept")
    return kept.select("key", sql.lit(f"dedup:{step}").alias("reason"), sql.col("kept").alias("duplicate_of"))


def _links(job, pairs):
    """Every row of a group linked with the first one: ``key`` and ``root``."""
    key_type = pairs.schema["key"].dataType.simpleString()
    together = pairs.repartition(job.partitions, "group").sortWithinPartitions("group", "key")
    return together.mapInArrow(_link, f"key {key_type}, root {key_type}").distinct()


def _link(batches):
    """Links the rows of sorted batches. A group may go on from one to the next."""
    group = first = None
    for batch in batches:
        if not batch.num_rows:
            continue
        groups, keys = batch.column(0), batch.column(1)
        # The place of the first row of the group that each row belongs to.
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
    """Clusters of links: each row but the least of its cluster, with that: ``key`` and ``root``."""
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
        # Stars stay what they are: then no row is linked twice, and no root is linked at all.
        twice = linked.groupBy("key").count().where("count > 1").limit(1)
        chained = linked.join(linked.select(sql.col("root").alias("key")).distinct(), "key", "left_semi").limit(1)
        if twice.isEmpty() and chained.isEmpty():
            return linked
        links = linked
