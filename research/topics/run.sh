#!/bin/sh
# The experiment of paper 002 on classification: topics by nearest neighbours, learned from and given to the texts of several
# methods, K from 1 to 39.
#
#   research/topics/run.sh FOLDER [METHODS]      METHODS: body,vips,dvps,hull by default; body is the raw text
#
# Fetches the pages into FOLDER unless they are there (fetch.py), extracts them, and writes FOLDER/PROFILE.csv, a line for each method and K,
# in both profiles. HULLER is the program; it is built where that is not set.
set -eu
[ "$#" -ge 1 ] || { echo 'run.sh: FOLDER [METHODS]' >&2; exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$1"
folder=$(CDPATH='' cd -- "$1" && pwd)
methods=${2:-body,vips,dvps,hull}
if [ -z "${HULLER:-}" ]; then
    cd "$here/../.."
    cargo build --quiet --release --locked -p huller-cli
    HULLER=${CARGO_TARGET_DIR:-$PWD/target}/release/huller
fi
[ -f "$folder/test.jsonl" ] || python3 "$here/fetch.py" "$folder"
for profile in paper tuned; do
    rows=$folder/rows-$profile
    "$HULLER" extract "$folder/train.jsonl" "$folder/test.jsonl" -o "$rows" --overwrite --quiet --extractors "$methods" \
        --profile "$profile" --keep-keys label
    "$HULLER" classify "$rows/test.jsonl.zst" --compare "$methods" --train "$rows/train.jsonl.zst" --label-key source.label \
        -o "$folder/$profile.csv"
done
