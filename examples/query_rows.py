"""The rows of huller in DuckDB and in polars: pages by site, and the longest articles.

python examples/query_rows.py 'CORPUS/*.parquet'

Write the rows by `huller extract CRAWL -o CORPUS --format parquet`. Both programs read only the
columns that a query names.
"""

import sys

import duckdb
import polars as pl


def main():
    files = sys.argv[1]

    print("DuckDB: sites with the most pages")
    query = """
        select site_name, count(*) as pages, sum(length(text)) as characters
        from read_parquet(?) where site_name is not null
        group by site_name order by pages desc, characters desc limit 3
    """
    for site, pages, characters in duckdb.execute(query, [files]).fetchall():
        print(f"  {site}: {pages} pages, {characters} characters")

    print("polars: the longest articles")
    articles = (
        pl.scan_parquet(files)
        .filter(pl.col("page_type") == "article")
        .with_columns(pl.col("text").str.len_chars().alias("characters"))
        .sort("characters", descending=True)
        .select("title", "characters")
        .head(3)
    )
    for title, characters in articles.collect().iter_rows():
        print(f"  {characters}: {title}")


if __name__ == "__main__":
    main()
