"""A data frame of polars through huller's stages and a rule of your own, and on to DuckDB.

python examples/refine_frames.py CORPUS/*.parquet

Write the rows by `huller extract CRAWL -o CORPUS --format parquet`. Any library that exports Arrow
takes the place of polars: pandas, pyarrow, DuckDB, datasets.
"""

import sys

import duckdb
import huller
import polars as pl
import pyarrow.compute as pc


@huller.stage(name="title", columns=["title"])
def has_title(rows):
    """Returns a Boolean for each row. Replace it by a rule of your own."""
    return pc.greater(pc.utf8_length(rows["title"]), 8)


def main():
    frame = pl.read_parquet(sys.argv[1:])
    counters = huller.Counters()
    stages = ["language", has_title, "gopher-quality", "mask"]
    kept = huller.refine(frame, stages=stages, lang="eng", counters=counters)
    print(f"{counters.records} rows, {counters.written} kept")
    for reason, count in sorted(counters.skipped.items()):
        print(f"  {count} {reason}")
    unique = huller.dedup(kept, by=["url", "text", "near"], keep="longest")
    # DuckDB reads the result where it is. So do polars.from_arrow and datasets.Dataset.
    pages = duckdb.from_arrow(unique).aggregate("page_type, count(*) as pages")
    for page_type, count in pages.order("pages desc, page_type").limit(2).fetchall():
        print(f"  {page_type}: {count} pages")


if __name__ == "__main__":
    main()
