#!/usr/bin/env bash
# Extracts archives and loads the rows into a table of PostgreSQL by COPY.
#
#   bash examples/load_postgres.sh CRAWL [TABLE]
#
# psql connects as it always does, by PGHOST, PGDATABASE and so on. COPY takes columns by their
# place, so the names stand in FIELDS once, in the order of docs/rows.md. Run it again after an
# interruption: the run resumes, and the table is filled in one transaction.
set -euo pipefail

CRAWL=$1
TABLE=${2:-pages}
FIELDS=id,url,date,title,text,language,author,score,has_article
OUT=$TABLE.csv.d

# An empty file of one language or score is NULL, as in COPY.
huller extract "$CRAWL" -o "$OUT" --format csv --compress none --fields "$FIELDS" --stages language --quiet --resume
{
    echo "begin;"
    echo "create table if not exists $TABLE (id text primary key, url text, date timestamptz, title text,"
    echo "    text text not null, language text, author text, score double precision, has_article boolean);"
    for file in "$OUT"/*.csv; do
        echo "\\copy $TABLE ($FIELDS) from '$file' with (format csv, header match)"
    done
    echo "commit;"
} | psql --quiet --set ON_ERROR_STOP=1
psql --quiet --tuples-only --no-align --command \
    "select count(*) || ' rows, ' || count(distinct language) || ' languages' from $TABLE"
