#!/bin/sh
# Scores hull beside readability, tsd and pvalue on the gold sets as crawled, and stripped of the attributes that say what an
# element is for (strip.py), with the paired bootstrap of every two systems on every set.
#
#   DATASETS=DIR research/train/robustness.sh FOLDS OUTPUT
#
# FOLDS is what `hull.sh --folds FOLDS` wrote: pages of the sets that train are judged by the model that has seen no page of their
# domain. Pages of the other sets are judged by the model that ships. Writes OUTPUT/crawled.md, OUTPUT/stripped.md, and the scores of every
# page beside them (.csv).
set -eu
trained='wcxb scrapinghub cwced_zh zh_portals webmainbench_sample'
others='cleaneval_en cleaneval_zh dragnet l3s_gn1 big9 chaos_utomo cleaneval_en_dev cleanportaleval htmltotext_leogao readability
newspaper_fixtures jp_rebuilt thai_rebuilt'
if [ -z "${DATASETS:-}" ] || [ $# -ne 2 ]; then
    echo "robustness.sh: set DATASETS to the folder with the data sets, and name the folders FOLDS and OUTPUT" >&2
    exit 2
fi
folder=$(CDPATH='' cd -- "$DATASETS" && pwd)
folds=$(CDPATH='' cd -- "$1" && pwd)
mkdir -p "$2" && output=$(CDPATH='' cd -- "$2" && pwd)
cd "$(dirname -- "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
program=${HULLER:-$target/release/huller}
python=${PYTHON:-$target/train-hull/venv/bin/python}

# The names of the sets have no blanks.
# shellcheck disable=SC2086
[ -d "$output/pages" ] || "$python" research/train/strip.py --datasets "$folder" --output "$output/pages" --sets $trained $others
gold=''
for set in $trained $others; do
    gold="$gold $folder/$set.gold.jsonl.zst"
done
for kind in crawled stripped; do
    pages=$folder
    [ $kind = crawled ] || pages=$output/pages
    mkdir -p "$output/$kind"
    archives=''
    for set in $trained $others; do
        archives="$archives $pages/$set.warc.zst"
    done
    for ids in "$folds"/*.ids; do
        fold=$(basename "$ids" .ids)
        cp "$ids" "$output/$kind/"
        for set in $trained; do
            "$program" extract "$pages/$set.warc.zst" -o - --extractor hull --quiet --model "$folds/$fold.bin" > "$output/$kind/$set.$fold.rows"
        done
    done
    # shellcheck disable=SC2086
    "$python" research/train/predictions.py --gold "$folder" --folds "$output/$kind" --sets $trained > "$output/$kind/hull.jsonl"
    for set in $others; do
        "$program" extract "$pages/$set.warc.zst" -o - --extractor hull --quiet ${MODEL:+--model "$MODEL"} >> "$output/$kind/hull.jsonl"
    done
    # shellcheck disable=SC2086
    "$program" eval $archives --gold $gold --extractors readability,tsd,pvalue --predictions "$output/$kind/hull.jsonl" --pairs \
        --by dataset,page_type,lang --no-speed --quiet --format markdown --per-page "$output/$kind.csv" -o "$output/$kind.md"
done
