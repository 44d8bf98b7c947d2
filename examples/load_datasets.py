"""The rows of huller as a data set of Hugging Face `datasets`, streamed without a copy on disk.

python examples/load_datasets.py CORPUS/*.parquet

Write the rows by `huller extract CRAWL -o CORPUS --format parquet`. JSON Lines work too, with the
types of `huller.stream_schema()`, because a field may be null in all of a file.
"""

import sys

import datasets


def main():
    rows = datasets.load_dataset("parquet", data_files=sys.argv[1:], split="train", streaming=True)
    rows = rows.select_columns(["url", "title", "text"])
    # From here on it is like any data set: map, filter, shuffle, a tokenizer, a data loader.
    rows = rows.map(lambda row: {"words": len(row["text"].split())})
    longest = max(rows, key=lambda row: row["words"])
    print(f"{sum(1 for _ in rows)} rows; the longest is {longest['title']!r}: {longest['words']} words")


if __name__ == "__main__":
    main()
