#!/usr/bin/env python3
"""Measures the shuffles and CPU time of deduplication on Spark, by the number of rows.

    scripts/lab/run spark-cost [ROWS ...]        250000 500000 1000000

Needs huller and pyspark (`scripts/lab/run spark` installs both into .venv). Makes signatures of
this many rows as Parquet, with random digests and band hashes. A fifth of the rows have the text of an
earlier row, and another twentieth share one band with an earlier row. Then runs
`huller.spark.duplicates` by text and near on a local Spark with two threads, and reads Spark's own
figures of its stages. Prints a line for each number: bytes of shuffles and of checkpoints, and CPU
seconds of executors, per row.
"""

import json
import os
import random
import sys
import tempfile
import urllib.request
from pathlib import Path

import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

import huller.spark

BANDS = 14
PIECE = 50_000
#: Shares of rows that repeat a text, and that share one band with an earlier row.
EQUAL, NEAR = 0.2, 0.05


def write_signatures(folder, rows, seed=1):
    """Writes signatures of so many rows, and returns the bytes they take."""
    chance = random.Random(seed)
    folder.mkdir()
    earlier = []
    for first in range(0, rows, PIECE):
        keys = list(range(first, min(first + PIECE, rows)))
        texts, bands = [], []
        for _ in keys:
            text = chance.randbytes(16)
            own = [chance.getrandbits(63) for _ in range(BANDS)]
            draw = chance.random()
            if earlier and draw < EQUAL:
                text, own = chance.choice(earlier)
            elif earlier and draw < EQUAL + NEAR:
                own[0] = chance.choice(earlier)[1][0]
            if len(earlier) < PIECE:
                earlier.append((text, own))
            texts.append(text)
            bands.append(own)
        table = pyarrow.table(
            {
                "key": pyarrow.array(keys, pyarrow.int64()),
                "text_digest": pyarrow.array(texts, pyarrow.binary()),
                "url_digest": pyarrow.nulls(len(keys), pyarrow.binary()),
                "chars": pyarrow.array([5000] * len(keys), pyarrow.int64()),
                "fetched": pyarrow.nulls(len(keys), pyarrow.int64()),
                "score": pyarrow.nulls(len(keys), pyarrow.float32()),
                "bands": pyarrow.array(bands, pyarrow.list_(pyarrow.int64())),
            }
        )
        pyarrow.parquet.write_table(table, folder / f"{first:012}.parquet")
    return sum(file.stat().st_size for file in folder.iterdir())


def stages(spark):
    """What all finished stages of this application did, as Spark tells it."""
    context = spark.sparkContext
    address = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages?status=complete"
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)


def measure(rows, work):
    signed = work / f"signed-{rows}"
    stored = write_signatures(signed, rows)
    session = SparkSession.builder.master("local[2]").appName("dedup-cost").config("spark.ui.port", "0")
    spark = session.config("spark.ui.retainedStages", "100000").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    checkpoint = work / f"checkpoint-{rows}"
    dropped = huller.spark.duplicates(spark.read.parquet(str(signed)), checkpoint=str(checkpoint), partitions=8).count()
    done = stages(spark)
    spark.stop()
    kept = sum(file.stat().st_size for file in checkpoint.rglob("*.parquet"))
    return {
        "rows": rows,
        "dropped": dropped,
        "signature bytes a row": stored / rows,
        "shuffled bytes a row": sum(stage["shuffleWriteBytes"] for stage in done) / rows,
        "checkpoint bytes a row": kept / rows,
        "CPU us a row": sum(stage["executorCpuTime"] for stage in done) / 1e3 / rows,
        "executor us a row": sum(stage["executorRunTime"] for stage in done) * 1e3 / rows,
        "stages": len(done),
    }


def main():
    # Without this, workers of Spark use the interpreter on the path, which may lack huller.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    counts = [int(argument) for argument in sys.argv[1:]] or [250_000, 500_000, 1_000_000]
    with tempfile.TemporaryDirectory() as work:
        for at, rows in enumerate(counts):
            found = measure(rows, Path(work))
            if not at:
                print("| " + " | ".join(found) + " |")
                print("|" + "---:|" * len(found))
            print("| " + " | ".join(f"{value:.1f}" if isinstance(value, float) else f"{value}" for value in found.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
