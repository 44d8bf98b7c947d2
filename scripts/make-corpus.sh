#!/bin/sh
# Makes a corpus to measure on, from the development pages of the shared folder.
#
#   scripts/make-corpus.sh --raw-mb 1000            -> benches/corpus/1000mb-s1.warc.gz
#   scripts/make-corpus.sh --once -o all.warc.gz
#
# The shared folder is $HULLER_SHARED, else ../shared beside the project. For other sources run
# the program itself: cargo run --release --bin make-corpus -- --help, in benches/peers.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
source=${HULLER_SHARED:-$root/../shared}/datasets/dev
if [ ! -d "$source" ]; then
    echo "make-corpus: no pages at '$source'; set HULLER_SHARED" >&2
    exit 2
fi
exec cargo run --quiet --release --locked --manifest-path "$root/benches/peers/Cargo.toml" \
    --bin make-corpus -- "$@" "$source"
