#!/usr/bin/env bash
# Measures the language identifier beside seven others, and prints the tables of benches/language/README.md.
#
#   [HULLER_SHARED=DIR] research/language/measure.sh OUT > tables.md      OUT: the folder of make.sh, or a new one
#
# Half an hour, most of it lingua, which is given every fourth text. HULLER_SHARED adds the pages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
rounds=7
if [ ! -f "$out/test.tsv" ]; then python3 "$here/texts.py" "$out" >&2; fi
if [ ! -d "$out/venv" ]; then
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" install -q -r "$here/requirements.txt" >&2
fi
cargo build -q --release --manifest-path "$here/peers/Cargo.toml"
rust() { "${CARGO_TARGET_DIR:-$here/peers/target}/release/language-peers" "$@"; }
python() { "$out/venv/bin/python3" "$here/peers.py" "$@"; }

for length in 1000 200 50; do
    awk -F'\t' -v length_="$length" '$3 == length_ && ++n % 5 == 0' "$out/test.tsv" > "$out/$length.tsv"
done
awk 'NR % 4 == 1' "$out/test.tsv" > "$out/quarter.tsv"
for engine in rust:huller rust:whatlang rust:whichlang python:eldc python:cld2 python:lid.176.ftz python:py3langid; do
    run=${engine%%:*} name=${engine#*:}
    for kind in test pages; do
        if [ -f "$out/$kind.tsv" ]; then $run "$name" "$out/$kind.tsv" > "$out/$kind.$name.found"; fi
    done
    for kind in pages 1000 200 50; do
        if [ -f "$out/$kind.tsv" ]; then $run "$name" "$out/$kind.tsv" "$rounds" > "$out/time.$kind.$name"; fi
    done
done
rust lingua "$out/quarter.tsv" > "$out/test.lingua.quarter"
python3 "$here/table.py" "$out"
