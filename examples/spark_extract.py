"""WARC files to a Parquet table on Spark, with a filter, and the statistics of every file.

spark-submit examples/spark_extract.py warc.paths OUT       # or: python examples/spark_extract.py

Every node needs huller and pyarrow; `pip install 'huller[spark]'` brings pyspark. The program
`python -m huller.spark` does the same without code. Take this one to add steps of your own.
"""

import json
import os
import sys

import huller
from huller import spark as huller_spark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main():
    listing, out = sys.argv[1:3]
    # The workers are started with the interpreter of this program, unless you name another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("huller").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # Lines of the list are relative to its folder, unless they are absolute paths.
    base = os.path.dirname(os.path.abspath(listing))
    listed = huller.read_list(listing)
    names = [name for name, _ in listed]
    paths = [os.path.join(base, path) for _, path in listed]

    statistics = huller_spark.InputCounters(spark, paths, names)
    pages = huller_spark.read(spark, paths, names=names, counters=statistics, lang="eng")
    articles = pages.where(F.col("page_type") == "article").select("url", "title", "text")
    articles.write.mode("overwrite").parquet(out)

    # Beside the table, for `huller stats`, which adds it to the statistics of other runs.
    with open(out.rstrip("/") + ".account.json", "w") as file:
        json.dump(statistics.stats(), file)
    total, rows = statistics.total, spark.read.parquet(out).count()
    print(f"{total.records} records, {total.written} English pages, {rows} articles")
    for path, error in statistics.unusable.items():
        print(f"could not be read: {path}: {error}", file=sys.stderr)
    spark.stop()
    return 1 if statistics.unusable else 0


if __name__ == "__main__":
    sys.exit(main())
