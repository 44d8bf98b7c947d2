"""An index of a data frame: the hits of the program over the same rows."""

import json
import os
import signal
import threading
import time

import huller
import pytest
from huller import spark as huller_spark
from huller import spark_index

from executors import executors_below

SCHEMA = "id string, url string, title string, text string, language string"
QUERIES = [f"alpha{number % 7} beta{number % 11}" for number in range(15)] + ['"number 47"', "+alpha1 -beta2", "host:h1.test number", "alp*", "title:ferry"]


def rows(count):
    for n in range(count):
        yield {"id": f"id-{n:07}", "url": f"http://h{n % 3}.test/{n}", "title": "Ferries" if n % 5 else "", "text": f"alpha{n % 7} beta{n % 11} number {n}", "language": "eng"}


def write(path, count):
    with open(path, "w") as file:
        for row in rows(count):
            file.write(json.dumps(row) + "\n")
    return path


def hits(index, limit=None):
    """The hits without the place of the row, which other files have elsewhere."""
    return [{name: value for name, value in hit.items() if name != "row"} for hit in huller.search(index, QUERIES, limit=limit)]


def left_of_tasks(folder):
    return [path.name for path in folder.iterdir() if ".parts-" in path.name]


def test_hits_are_those_of_the_program(spark, tmp_path):
    path = write(tmp_path / "rows.jsonl", 700)
    expected = huller.index(path, tmp_path / "whole")
    frame = spark.read.schema(SCHEMA).json(str(path))
    counts = huller_spark.index(frame, tmp_path / "out", partitions=5)
    assert hits(tmp_path / "out") == hits(tmp_path / "whole")
    assert [one["input"] for one in counts["inputs"]] == [f"part-{number:05}.parquet" for number in range(5)]
    assert counts["new_lines"] == expected["new_lines"] == sum(one["written"] for one in counts["inputs"]) == 700
    files = {hit["row"].split("#")[0] for hit in huller.search(tmp_path / "out", "number", limit=None)}
    assert len(files) == 5 and left_of_tasks(tmp_path) == []
    with pytest.raises(huller.OutputError, match="overwrite=True replaces it"):
        huller_spark.index(frame, tmp_path / "out")
    # Empty partitions, columns by other names, and a URL.
    few = frame.where("id < 'id-0000003'").withColumnRenamed("text", "body").repartition(6)
    huller_spark.index(few, f"file://{tmp_path}/out", columns={"text": "body"}, name="few", overwrite=True)
    assert [hit["id"] for hit in huller.search(tmp_path / "out", "+number +2")] == ["id-0000002"]
    none = huller_spark.index(few.where("id = 'none'"), tmp_path / "none")
    assert none["new_lines"] == 0 and hits(tmp_path / "none") == []


def test_many_parts_are_joined_in_groups(spark, tmp_path, monkeypatch):
    path = write(tmp_path / "rows.jsonl", 300)
    huller.index(path, tmp_path / "whole")
    monkeypatch.setattr(spark_index, "MAX_PARTS", 3)
    huller_spark.index(spark.read.schema(SCHEMA).json(str(path)), tmp_path / "out", partitions=11)
    assert hits(tmp_path / "out") == hits(tmp_path / "whole") and left_of_tasks(tmp_path) == []


def test_what_cannot_be_is_refused(spark, tmp_path):
    frame = spark.createDataFrame([("a", "one")], "id string, body string")
    for output in ("s3://bucket/index", "hdfs:///index", "file://host/index"):
        with pytest.raises(ValueError, match="the driver and all executors see"):
            huller_spark.index(frame, output)
    with pytest.raises(ValueError, match="there is no column 'page'"):
        huller_spark.index(frame, tmp_path / "out", columns={"text": "page"})
    with pytest.raises(ValueError, match="at least 64M"):
        huller_spark.index(frame, tmp_path / "out", memory=1)
    counts = huller_spark.index(frame, tmp_path / "out")
    assert counts["unusable"] and sum(counts["inputs"][0]["failed"].values()) + sum(counts["inputs"][0]["skipped"].values()) == 1
    assert left_of_tasks(tmp_path) == []


def test_a_killed_worker_loses_and_doubles_nothing(spark, tmp_path):
    count = 200_000
    path = write(tmp_path / "rows.jsonl", count)
    huller.index(path, tmp_path / "whole")
    victims = executors_below(os.getpid())
    assert len(victims) == 2
    work = []

    def kill():
        # Some tasks have ended, others are at work.
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            work[:] = left_of_tasks(tmp_path)
            if work and len(os.listdir(tmp_path / work[0])) >= 3:
                os.kill(victims[0], signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    counts = huller_spark.index(spark.read.schema(SCHEMA).json(str(path)), tmp_path / "out", partitions=16)
    killer.join()
    assert victims[0] not in executors_below(os.getpid()), "no worker was killed"
    assert sum(one["written"] for one in counts["inputs"]) == counts["new_lines"] == count
    assert hits(tmp_path / "out", 1000) == hits(tmp_path / "whole", 1000)
    assert len(huller.search(tmp_path / "out", "number", limit=None)) == count and left_of_tasks(tmp_path) == []
