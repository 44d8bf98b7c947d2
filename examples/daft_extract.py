"""A column of pages in a Daft data frame to text and title, batch by batch.

python examples/daft_extract.py PAGES.parquet

The Parquet file has the columns `url` and `html` (`huller extract CRAWL --format parquet --html`).
The function below also works in Ray Data: `ds.map_batches(extracted, batch_format="pyarrow")`.
"""

import sys

import daft
import huller
import pyarrow
from daft import DataType


def extracted(pages):
    """Returns the texts and titles of a table with `html` and `url`."""
    batch = huller.extract_many(pages, threads=1)
    return pyarrow.Table.from_batches([batch]).select(["text", "title"])


MAIN = DataType.struct({"text": DataType.string(), "title": DataType.string()})


@daft.func.batch(return_dtype=MAIN, unnest=True)
def main_content(html: daft.Series, url: daft.Series):
    rows = extracted(pyarrow.table({"html": html.to_arrow(), "url": url.to_arrow()}))
    return rows.to_struct_array().combine_chunks()


def main():
    frame = daft.read_parquet(sys.argv[1])
    rows = frame.select("url", main_content(frame["html"], frame["url"])).to_pylist()
    longest = max(rows, key=lambda row: len(row["text"] or ""))
    print(f"{len(rows)} pages; the longest is {longest['title']!r}")


if __name__ == "__main__":
    main()
