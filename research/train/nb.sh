#!/bin/sh
# Trains the model of the methods nb and nb-table, crates/methods/models/nb.json. The same pages give the same bytes.
#
#   DATASETS=DIR research/train/nb.sh             writes the model
#   DATASETS=DIR research/train/nb.sh --check     fails if the model would differ
#   DATASETS=DIR research/train/nb.sh --folds N --predictions DIR     cross-validates, and writes no model
#
# The folder holds NAME.warc.zst and NAME.gold.jsonl.zst for the sets below: those whose gold may train a model under this project's
# licences (see NOTICE); the other sets are for measuring. The model learns from articles alone: the method was made for news, and with
# forums and shops among the pages its tuned profile is worse on nearly every set.
set -eu
sets='wcxb scrapinghub cwced_zh zh_portals webmainbench_sample'
if [ -z "${DATASETS:-}" ]; then
    echo "nb.sh: set DATASETS to the folder with the data sets" >&2
    exit 2
fi
folder=$(CDPATH='' cd -- "$DATASETS" && pwd)
cd "$(dirname -- "$0")/../.."
model=crates/methods/models/nb.json

pages='' gold=''
for set in $sets; do
    if [ ! -f "$folder/$set.warc.zst" ] || [ ! -f "$folder/$set.gold.jsonl.zst" ]; then
        echo "nb.sh: '$set' is not in '$folder'" >&2
        exit 2
    fi
    pages="$pages $set.warc.zst"
    gold="$gold $set.gold.jsonl.zst"
done

root=$PWD
cargo build --quiet --release --locked -p huller-cli
program=${CARGO_TARGET_DIR:-$root/target}/release/huller
train() {
    # The names of the sets have no blanks.
    # shellcheck disable=SC2086
    (cd "$folder" && "$program" train nb --pages $pages --gold $gold --page-type article "$@")
}

case ${1:-} in
    --check)
        train -o - | cmp - "$model"
        ;;
    --folds)
        [ "$#" -eq 4 ] && [ "$3" = --predictions ] || { echo "nb.sh: --folds N --predictions DIR" >&2; exit 2; }
        mkdir -p "$4"
        train --folds "$2" --predictions "$(CDPATH='' cd -- "$4" && pwd)"
        ;;
    '')
        mkdir -p "$(dirname "$model")"
        train -o "$root/$model"
        ;;
    *)
        echo "nb.sh: unknown option '$1'" >&2
        exit 2
        ;;
esac
