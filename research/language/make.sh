#!/usr/bin/env bash
# Makes the tables of the language identifier, crates/refine/models/language.bin, from nothing: about five minutes.
#
#   research/language/make.sh OUT      OUT: a folder for what is fetched and gathered
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
python3 "$here/texts.py" "$out"
cargo run -q --release --manifest-path "$here/tables/Cargo.toml" -- \
    "$out/lingua" "$out/texts.tsv" "$out/dev.tsv" "$here/../../crates/refine/models/language.bin"
