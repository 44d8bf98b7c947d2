"""Duplicates on Spark are those of the program."""

import json
import os
import random
import signal
import subprocess
import threading
import time

import huller
import pytest
from huller import spark as huller_spark

from executors import executors_below
from program import program

#: Rows of the larger test; `HULLER_FULL=1` takes the million.
MANY = 1_000_000 if os.environ.get("HULLER_FULL") else 40_000


def write_rows(path, count, seed=1):
    """Rows of which some are equal, some near to others, some of one address; a twentieth are one text."""
    generator = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(20_000)]
    originals = []
    with open(path, "w") as file:
        for number in range(count):
            kind = generator.random()
            if kind < 0.05:
                words = vocabulary[:30]
            elif kind < 0.35 and originals:
                words = list(generator.choice(originals))
                for _ in range(generator.randrange(4)):
                    words[generator.randrange(len(words))] = generator.choice(vocabulary)
            else:
                words = [generator.choice(vocabulary) for _ in range(30)]
                if len(originals) < 5000:
                    originals.append(words)
            row = {
                "id": f"00000000-0000-4000-8000-{number:012x}",
                "url": f"http://host.test/{generator.randrange(count * 9 // 10)}" if number % 50 else None,
                "date": f"2024-01-{1 + generator.randrange(28):02}T00:00:00Z",
                "text": " ".join(words) + generator.choice(["", "\n"]),
                "score": generator.choice([None, generator.random()]),
            }
            file.write(json.dumps(row) + "\n")


def by_program(path, tmp_path, *options):
    """What the program drops: key, reason, and the key of the row that is kept."""
    listed = tmp_path / "drop.jsonl"
    out = tmp_path / "run"
    command = [program(), "dedup", path, "-o", out, "--mark", listed, "--overwrite", "--quiet", *options]
    subprocess.run([*map(str, command)], check=True)
    with open(listed) as lines:
        rows = map(json.loads, lines)
        return {row["id"]: (row["reason"], row["duplicate_of"]["id"]) for row in rows}


SCHEMA = "id string, url string, date string, text string, score double"


def by_spark(spark, path, **options):
    # More parts than there are workers, so that rows come in no order.
    frame = spark.read.schema(SCHEMA).json(str(path)).repartition(7)
    signing = {name: options.pop(name) for name in ("bands", "rows", "hash") if name in options}
    dropped = huller_spark.duplicates(huller_spark.signatures(frame, **signing), **options).collect()
    return {row.key: (row.reason, row.duplicate_of) for row in dropped}, {row.duplicate_of: row.cluster_size for row in dropped}


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (["--by", "url,text,near"], {"by": ["url", "text", "near"]}),
        (["--by", "url,text,near", "--keep", "longest"], {"by": ["url", "text", "near"], "keep": "longest"}),
        (["--by", "near", "--keep", "score", "--bands", "20", "--rows", "13"], {"by": "near", "keep": "score", "bands": 20, "rows": 13}),
    ],
)
def test_the_program_and_spark_drop_the_same_rows(flags, options, spark, tmp_path):
    path = tmp_path / "rows.jsonl"
    write_rows(path, 3000)
    expected = by_program(path, tmp_path, *flags)
    found, sizes = by_spark(spark, path, checkpoint=str(tmp_path / "rounds"), **options)
    assert found == expected and len(expected) > 400
    counts = {}
    for _, kept in expected.values():
        counts[kept] = counts.get(kept, 1) + 1
    assert sizes == counts


def test_a_frame_without_its_duplicates_has_the_rows_of_the_program(spark, tmp_path):
    path = tmp_path / "rows.jsonl"
    write_rows(path, 2000, seed=2)
    with open(path, "a") as file:
        file.write(json.dumps({"id": "ffffffff-0000-4000-8000-000000000000", "url": None, "date": None, "text": None, "score": None}) + "\n")
    huller.dedup(path, tmp_path / "out", keep="newest")
    expected = [json.loads(line) for line in (tmp_path / "out/rows.jsonl").read_text().splitlines()]
    frame = spark.read.schema(SCHEMA).json(str(path)).repartition(5)
    kept = huller_spark.dedup(frame, keep="newest")
    assert kept.columns == frame.columns
    found = sorted(kept.collect(), key=lambda row: row.id)
    assert [row.asDict() for row in found] == expected
    with pytest.raises(ValueError, match="by must be"):
        huller_spark.duplicates(frame, by="lines")


def test_long_chains_become_clusters(spark):
    # Rows in a row of links, in no order, besides a star.
    generator = random.Random(4)
    numbers = list(range(500))
    generator.shuffle(numbers)
    links = [(max(pair), min(pair)) for pair in zip(numbers, numbers[1:])] + [(number, 1000) for number in range(1001, 2000)]
    generator.shuffle(links)
    from huller.spark_dedup import _clusters, _Job

    job = _Job(spark, None, 2)
    clusters = _clusters(job, spark.createDataFrame(links, "key long, root long")).collect()
    expected = {number: 0 for number in range(1, 500)} | {number: 1000 for number in range(1001, 2000)}
    assert {row.key: row.root for row in clusters} == expected and len(clusters) == len(expected)


def test_many_rows_and_a_killed_worker(spark, tmp_path):
    path = tmp_path / "rows.jsonl"
    write_rows(path, MANY, seed=3)
    begin = time.monotonic()
    expected = by_program(path, tmp_path)
    by_itself = time.monotonic() - begin
    # Spark is a child of this process.
    victims = executors_below(os.getpid())
    assert len(victims) == 2
    killer = threading.Timer(12 if MANY > 100_000 else 4, os.kill, (victims[0], signal.SIGKILL))
    killer.start()
    begin = time.monotonic()
    try:
        found, _ = by_spark(spark, path, checkpoint=str(tmp_path / "rounds"))
    finally:
        killer.cancel()
    print(f"\n{MANY} rows, {len(expected)} dropped: program {by_itself:.1f} s, Spark {time.monotonic() - begin:.1f} s")
    assert found == expected
    assert victims[0] not in executors_below(os.getpid()), "no worker was killed"
