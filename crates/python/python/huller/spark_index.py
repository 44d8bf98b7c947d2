"""Full-text indexes on Spark: each partition indexes its rows, and the driver joins the indexes.

Use it as ``huller.spark.index``. Joining copies files, and no row is indexed twice:

1. A task writes the rows of its partition to a local Parquet file, and indexes that.
2. It copies the finished index to a folder of its own beside ``output``. Spark may run a task
   twice. Then each attempt has its own folder, and the result of the task names one of them.
3. The driver joins the indexes that the results name, and removes all folders of the tasks.
"""

import json
import os
import shutil
import tempfile
import urllib.parse
import uuid

import pyarrow
import pyarrow.parquet

import huller
from huller._huller import check_index

#: Most indexes that are joined at once. More are joined in groups first.
MAX_PARTS = 500

#: The memory of a task, in bytes.
MEMORY = 256 << 20

_RESULT = "number int, part string, counts string"


def index(
    df,
    output,
    *,
    columns=None,
    partitions=None,
    name="part",
    passages=False,
    withdrawn=(),
    memory=MEMORY,
    overwrite=False,
    local_temp_dir=None,
):
    """Makes a full-text index of the rows of a data frame, in the folder ``output``.

    ``output`` is a path or a ``file:`` URL that the driver and all executors see, such as a folder
    on NFS. The columns have the names that ``huller index`` reads: ``text``, ``id``, ``url``,
    ``title``, ``date``, ``language`` and others. ``columns`` gives other names, such as
    ``{"text": "body"}``; all other columns keep theirs. With ``partitions`` the frame is
    repartitioned. The hits have ``row``, which is ``NAME-00000.parquet#7`` for row 7 of partition 0
    (from 0). Choose another ``name`` if you will join the index with others.

    ``passages``, ``withdrawn``, ``memory`` and ``overwrite`` are those of :func:`huller.index`.
    ``memory`` is for each task, by default 256 MiB. A row may have a thirty-second of it.
    ``local_temp_dir`` is where tasks keep their rows and indexes meanwhile.

    Returns the statistics like :func:`huller.index`. Their inputs are the partitions. A repeated
    task counts once.
    """
    folder = _folder(output)
    check_index(folder, memory=memory, overwrite=overwrite)
    named = {old: new for new, old in (columns or {}).items()}
    for column in named:
        if column not in df.columns:
            raise ValueError(f"there is no column {column!r}")
    # A column that would have a name twice makes way.
    chosen = [df[column].alias(named.get(column, column)) for column in df.columns if column in named or column not in named.values()]
    frame = df.select(*chosen)
    frame = frame if partitions is None else frame.repartition(partitions)
    work = f"{folder.rstrip('/')}.parts-{uuid.uuid4().hex}"
    task = _Task(work, name, local_temp_dir, {"passages": passages, "withdrawn": withdrawn, "memory": memory, "threads": 1})
    os.makedirs(work)
    try:
        results = sorted(frame.mapInArrow(task.run, _RESULT).collect())
        parts = [result.part for result in results]
        _check_shared(parts)
        counts = _join(parts, folder, work, name, {"memory": memory, "overwrite": overwrite})
    finally:
        shutil.rmtree(work, ignore_errors=True)
    of_tasks = [json.loads(result.counts) for result in results]
    counts["new_lines"] = sum(one["new_lines"] for one in of_tasks)
    counts["unusable"] = [unusable for one in of_tasks for unusable in one["unusable"]]
    return counts


class _Task:
    """The work of one partition. It is sent to the executors."""

    def __init__(self, work, name, local_temp_dir, options):
        self.work = work
        self.name = name
        self.local_temp_dir = local_temp_dir
        self.options = options

    def run(self, batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId()
        with tempfile.TemporaryDirectory(prefix="huller-", dir=self.local_temp_dir) as folder:
            rows = os.path.join(folder, f"{self.name}-{number:05}.parquet")
            if not _written(batches, rows):
                return
            made = os.path.join(folder, "index")
            counts = huller.index(rows, made, **self.options)
            part = os.path.join(self.work, f"{number:05}-{context.taskAttemptId()}-{uuid.uuid4().hex}")
            # The driver made the folder, and removes it at the end. So nothing makes it again here.
            try:
                os.mkdir(part)
            except FileNotFoundError as error:
                raise huller.OutputError(_not_shared(self.work), self.work) from error
            shutil.copytree(made, part, dirs_exist_ok=True)
        arrays = [pyarrow.array([number], pyarrow.int32()), pyarrow.array([part]), pyarrow.array([json.dumps(counts)])]
        yield pyarrow.RecordBatch.from_arrays(arrays, ["number", "part", "counts"])


def _written(batches, path):
    """Writes rows to a file. Returns false if there are none, and then there is no file."""
    writer = None
    try:
        for batch in batches:
            if batch.num_rows:
                writer = writer or pyarrow.parquet.ParquetWriter(path, batch.schema, compression="lz4")
                writer.write_batch(batch)
    finally:
        if writer is not None:
            writer.close()
    return writer is not None


def _join(parts, folder, work, name, options):
    """Joins indexes to one, in groups if they are many."""
    if not parts:
        nothing = os.path.join(work, f"{name}.jsonl")
        with open(nothing, "w"):
            return huller.index(nothing, folder, **options)
    level = 0
    while len(parts) > MAX_PARTS:
        groups = [parts[start : start + MAX_PARTS] for start in range(0, len(parts), MAX_PARTS)]
        parts = []
        for number, group in enumerate(groups):
            parts.append(os.path.join(work, f"joined-{level}-{number}"))
            huller.index(group, parts[-1], memory=options["memory"])
            for part in group:
                shutil.rmtree(part)
        level += 1
    return huller.index(parts, folder, **options)


def _folder(output):
    """Returns the path of the output. Refuses one that is no folder of the file system."""
    output = os.fspath(output)
    url = urllib.parse.urlsplit(output)
    if "://" not in output and not output.startswith("file:"):
        return os.path.abspath(output)
    if url.scheme != "file" or url.netloc not in ("", "localhost"):
        raise ValueError(
            f"an index cannot be written to {output!r}: choose a folder that the driver and all executors see, "
            "and copy the index from there"
        )
    return urllib.parse.unquote(url.path)


def _check_shared(parts):
    for part in parts:
        if not os.path.isdir(part):
            raise huller.OutputError(_not_shared(part), part)


def _not_shared(path):
    return f"'{path}' is not there: choose an output that the driver and all executors see"
