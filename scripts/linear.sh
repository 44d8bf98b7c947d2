#!/usr/bin/env bash
# Checks that reading a page is linear: for every shape of attack, counts the instructions of reading a page of SIZE
# bytes and of one twice as large, and fails where the second takes more than 2.2 times the first. What an empty attack
# takes is subtracted. Needs valgrind.
#
#   scripts/linear.sh [SIZE] [SHAPE...]     SIZE 200000 and all shapes if not told
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-200000}
[ $# -gt 0 ] && shift
limit=2.2

command -v valgrind >/dev/null || { echo "linear.sh: valgrind is not installed" >&2; exit 2; }
cargo build --quiet --release --package huller-page --example attack
attack=${CARGO_TARGET_DIR:-target}/release/examples/attack
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# SHAPE BYTES: instructions spent in the measured part alone.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no --toggle-collect='*measured*' \
        "$attack" "$1" "$2" 2>&1 >/dev/null | awk '/Collected :/ { print $4; found = 1 } END { exit !found }'
}

# SHAPE: one line of the table.
measure() {
    local none once twice
    none=$(instructions "$1" 0)
    once=$(instructions "$1" "$size")
    twice=$(instructions "$1" $((2 * size)))
    awk -v shape="$1" -v none="$none" -v once="$once" -v twice="$twice" -v size="$size" -v limit="$limit" 'BEGIN {
        ratio = (twice - none) / (once - none)
        printf "%-24s %12.0f %12.0f %8.1f %6.2f%s\n", shape, once - none, twice - none, (once - none) / size, ratio,
            (ratio > limit ? "  TOO MUCH" : "")
    }'
}
export -f instructions measure
export attack size limit

printf '%-24s %12s %12s %8s %6s\n' shape "n=$size" 2n per-byte ratio
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else "$attack"; fi |
    xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'measure {}' | tee "$results"

shapes=$(wc -l <"$results")
bad=$(grep -c 'TOO MUCH' "$results" || true)
echo "$shapes shapes, $bad grow faster than $limit x"
[ "$shapes" -gt 0 ] && [ "$bad" -eq 0 ]
