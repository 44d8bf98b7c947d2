#!/usr/bin/env bash
# One night: a folder of archives becomes a checked corpus without duplicates, with a search index.
#   bash examples/night.sh CRAWL OUT          # the same command continues after a kill
#
# OUT gets four folders: pages/ (all pages), kept/ (English pages that pass FineWeb's filters),
# unique/ (the corpus) and index/. Use a new OUT for each night.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: night.sh CRAWL OUT" >&2
    exit 2
fi
crawl=$1 out=$2

# `--resume` starts a run that has not begun, and continues one that was interrupted.
huller extract "$crawl" -o "$out/pages" --resume --quiet
huller refine "$out/pages" -o "$out/kept" --preset fineweb --resume --quiet
huller dedup "$out/kept" -o "$out/unique" --by url,text,near --resume --quiet
huller index "$out/unique" -o "$out/index" --resume --quiet

# Every input is done, and every file still has the bytes that the run wrote.
huller verify "$out/pages" "$out/kept" "$out/unique"
echo "try: huller search $out/index 'your words'"
