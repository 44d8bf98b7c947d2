#!/bin/sh
# Trains the model of hull, crates/hull/model/hull.bin, and writes a report, research/train/hull.md.
#
#   DATASETS=DIR research/train/hull.sh                writes the model and the report
#   DATASETS=DIR research/train/hull.sh --folds DIR    cross-validates too: DIR/predictions.jsonl has the text of every page by a
#                                                      model that has seen no page of its domain
#
# The folder holds NAME.warc.zst and NAME.gold.jsonl.zst for the sets below: those whose gold may train a model under this project's
# licences (see NOTICE); the other sets are for measuring. Python's packages go into a virtual environment below target/.
set -eu
sets='wcxb scrapinghub cwced_zh zh_portals webmainbench_sample trafilatura'
folds=3
if [ -z "${DATASETS:-}" ]; then
    echo "hull.sh: set DATASETS to the folder with the data sets" >&2
    exit 2
fi
case $#:${1:-} in
    0:) predictions='' ;;
    2:--folds) mkdir -p "$2" && predictions=$(CDPATH='' cd -- "$2" && pwd) ;;
    *) echo "hull.sh: nothing or --folds DIR" >&2; exit 2 ;;
esac
folder=$(CDPATH='' cd -- "$DATASETS" && pwd)
cd "$(dirname -- "$0")/../.."
cargo build --quiet --release --locked -p huller-cli
program=${CARGO_TARGET_DIR:-$PWD/target}/release/huller
work=${CARGO_TARGET_DIR:-$PWD/target}/train-hull
mkdir -p "$work"
python=$work/venv/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv "$work/venv"
    "$python" -m pip install --quiet -r research/train/requirements.txt
fi

# The names of the sets have no blanks.
# shellcheck disable=SC2086
"$python" research/train/strip.py --datasets "$folder" --output "$work/stripped" --sets $sets
for set in $sets; do
    "$program" features "$folder/$set.warc.zst" --gold "$folder/$set.gold.jsonl.zst" -o "$work/$set.npy"
    "$program" features "$work/stripped/$set.warc.zst" --gold "$folder/$set.gold.jsonl.zst" -o "$work/$set.stripped.npy"
done
# shellcheck disable=SC2086
train() {
    "$python" research/train/hull.py --tables "$work" --sets $sets --copies stripped --output crates/hull/model/hull.bin \
        --report research/train/hull.md "$@"
}
mkdir -p crates/hull/model
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
"$python" research/train/predictions.py --gold "$folder" --folds "$predictions" --sets $sets > "$predictions/predictions.jsonl"
