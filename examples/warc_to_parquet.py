"""A folder of WARC files to one Parquet file each, with a filter of your own in `keep`.

python examples/warc_to_parquet.py CRAWL OUT

Rows pass in batches, so memory stays bounded however long an archive is. Each process reads one
archive. The counts of huller and of the filter are printed, and their sums agree.
"""

import os
import pathlib
import sys
from concurrent.futures import ProcessPoolExecutor

import huller
import pyarrow.compute as pc
import pyarrow.parquet as pq


def keep(batch):
    """Returns a Boolean for each row. Replace it by a rule of your own."""
    is_article = pc.equal(batch["page_type"], "article")
    is_long = pc.greater(pc.utf8_length(batch["text"]), 1500)
    return pc.and_(is_article, is_long)


def convert(archive, target):
    statistics = huller.Counters()
    kept = 0
    part = f"{target}.part"
    with huller.stream(archive, counters=statistics) as reader:
        with pq.ParquetWriter(part, reader.schema, compression="zstd") as writer:
            for batch in reader:
                batch = batch.filter(keep(batch))
                writer.write_batch(batch)
                kept += batch.num_rows
    os.replace(part, target)  # under its name only when it is whole
    return statistics.records, statistics.written, kept


def main():
    crawl, out = map(pathlib.Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    archives = sorted(crawl.glob("*.warc.gz"))
    targets = [out / f"{archive.name.removesuffix('.warc.gz')}.parquet" for archive in archives]
    with ProcessPoolExecutor() as pool:
        results = pool.map(convert, map(str, archives), map(str, targets))
        for archive, (records, rows, kept) in zip(archives, results):
            print(f"{archive.name}: {records} records, {rows} rows, {kept} kept")


if __name__ == "__main__":
    main()
