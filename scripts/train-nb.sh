#!/bin/sh
# Trains the model of the methods nb and nb-table, data/models/nb.json, anew. The same pages give the same bytes.
#
#   DATASETS=DIR scripts/train-nb.sh             writes the model
#   DATASETS=DIR scripts/train-nb.sh --check     only says whether it would be the same
#   DATASETS=DIR scripts/train-nb.sh --folds N --predictions DIR     cross-validates, and writes no model
#
# The folder holds NAME.warc.zst and NAME.gold.jsonl.zst for the sets below. Only sets whose gold may be used for a model under
# this project's licences are among them (see NOTICE); others are for measuring. Of those only articles are learned from: the
# method was made for news, and with forums and shops among the pages its tuned profile is worse on nearly every set.
set -eu
sets='wcxb scrapinghub cwced_zh zh_portals webmainbench_sample'
if [ -z "${DATASETS:-}" ]; then
    echo "train-nb: set DATASETS to the folder with the data sets" >&2
    exit 2
fi
folder=$(CDPATH='' cd -- "$DATASETS" && pwd)
cd "$(dirname -- "$0")/.."
model=data/models/nb.json

pages='' gold=''
for set in $sets; do
    if [ ! -f "$folder/$set.warc.zst" ] || [ ! -f "$folder/$set.gold.jsonl.zst" ]; then
        echo "train-nb: '$set' is not in '$folder'" >&2
        exit 2
    fi
    pages="$pages $set.warc.zst"
    gold="$gold $set.gold.jsonl.zst"
done

root=$PWD
cargo build --quiet --release --locked -p huller-cli
program=${CARGO_TARGET_DIR:-$root/target}/release/huller
train() {
    # The sets' names hold no blanks.
    # shellcheck disable=SC2086
    (cd "$folder" && "$program" train nb --pages $pages --gold $gold --page-type article "$@")
}

case ${1:-} in
    --check)
        train -o - | cmp - "$model"
        ;;
    --folds)
        [ "$#" -eq 4 ] && [ "$3" = --predictions ] || { echo "train-nb: --folds N --predictions DIR" >&2; exit 2; }
        mkdir -p "$4"
        train --folds "$2" --predictions "$(CDPATH='' cd -- "$4" && pwd)"
        ;;
    '')
        mkdir -p "$(dirname "$model")"
        train -o "$root/$model"
        ;;
    *)
        echo "train-nb: unknown option '$1'" >&2
        exit 2
        ;;
esac
