#!/bin/sh
# Trains the model of hull, data/models/hull.bin, anew, and writes a report beside the benches.
#
#   DATASETS=DIR scripts/train-hull.sh                writes the model and the report
#   DATASETS=DIR scripts/train-hull.sh --folds DIR    cross-validates besides: DIR/predictions.jsonl has the text of every page by a
#                                                     model that has seen no page of its domain
#
# The folder holds NAME.warc.zst and NAME.gold.jsonl.zst for the sets below: those whose gold may be used for a model under this
# project's licences (see NOTICE); others are for measuring. Python's packages go into a virtual environment below target/.
set -eu
sets='wcxb scrapinghub cwced_zh zh_portals webmainbench_sample trafilatura'
folds=3
if [ -z "${DATASETS:-}" ]; then
    echo "train-hull: set DATASETS to the folder with the data sets" >&2
    exit 2
fi
case $#:${1:-} in
    0:) predictions='' ;;
    2:--folds) mkdir -p "$2" && predictions=$(CDPATH='' cd -- "$2" && pwd) ;;
    *) echo "train-hull: nothing or --folds DIR" >&2; exit 2 ;;
esac
folder=$(CDPATH='' cd -- "$DATASETS" && pwd)
cd "$(dirname -- "$0")/.."
cargo build --quiet --release --locked -p huller-cli
program=${CARGO_TARGET_DIR:-$PWD/target}/release/huller
work=${CARGO_TARGET_DIR:-$PWD/target}/train-hull
mkdir -p "$work"
python=$work/venv/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv "$work/venv"
    "$python" -m pip install --quiet -r scripts/train/requirements.txt
fi

for set in $sets; do
    "$program" features "$folder/$set.warc.zst" --gold "$folder/$set.gold.jsonl.zst" -o "$work/$set.npy"
done
# The sets' names hold no blanks.
# shellcheck disable=SC2086
train() {
    "$python" scripts/train/hull.py --tables "$work" --sets $sets --output data/models/hull.bin \
        --report benches/train/hull.md "$@"
}
mkdir -p benches/train
if [ -z "$predictions" ]; then
    train
    exit
fi
train --folds "$folds" --fold-models "$predictions"
for set in $sets; do
    fold=0
    while [ "$fold" -lt "$folds" ]; do
        "$program" extract "$folder/$set.warc.zst" -o - --extractor hull --quiet \
            --model "$predictions/$fold.bin" > "$predictions/$set.$fold.rows"
        fold=$((fold + 1))
    done
done
"$python" scripts/train/predictions.py --gold "$folder" --folds "$predictions" --sets $sets > "$predictions/predictions.jsonl"
