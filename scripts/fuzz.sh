#!/usr/bin/env bash
# Fuzzes one target, or all one after another, for so many seconds each or a million executions. Ends with 1 at the first
# crash, whose input is then in fuzz/artifacts/TARGET/; with 2 where a tool is missing. What was learnt stays in
# fuzz/corpus/TARGET/.
#
#   scripts/fuzz.sh [TARGET|all] [SECONDS]        all targets, 60 seconds each, if not told
#   cargo +nightly fuzz run TARGET FILE           runs one input again
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-all}
seconds=${2:-60}
mapfile -t known < <(cd fuzz/fuzz_targets && ls -- *.rs | sed 's/\.rs$//')

missing=0
need() { # COMMAND... -- HINT
    local hint=${*: -1}
    "${@:1:$#-1}" >/dev/null 2>&1 || { echo "fuzz.sh: ${hint%%: *} is missing; ${hint#*: }" >&2; missing=1; }
}
need rustup run nightly rustc --version "a nightly toolchain: rustup toolchain install nightly"
need cargo fuzz --version "cargo-fuzz: cargo install cargo-fuzz --locked"
need c++ --version "a C++ compiler (libFuzzer is built from source): apt-get install g++"
[ "$missing" -eq 0 ] || exit 2
[[ $seconds =~ ^[0-9]+$ ]] || { echo "fuzz.sh: SECONDS is a number, not '$seconds'" >&2; exit 2; }

if [ "$target" = all ]; then
    targets=("${known[@]}")
elif printf '%s\n' "${known[@]}" | grep -qxF -- "$target"; then
    targets=("$target")
else
    echo "fuzz.sh: no target '$target'; there are ${known[*]}" >&2
    exit 2
fi

# What a target starts from besides what it has learnt.
seeds() {
    case $1 in page | charset) echo data/pages ;; esac
}

# How a target is built. To watch every comparison takes two thirds of the time of `page`, which compares with names that are in its
# dictionary.
flags() {
    case $1 in page) echo --no-trace-compares ;; esac
}

for name in "${targets[@]}"; do
    echo "fuzz.sh: $name, $seconds s" >&2
    mkdir -p "fuzz/corpus/$name"
    # shellcheck disable=SC2046 # a target has one folder of seeds or none, and one flag or none
    cargo +nightly fuzz run $(flags "$name") "$name" "fuzz/corpus/$name" $(seeds "$name") -- \
        -max_total_time="$seconds" -runs=1000000 -dict="fuzz/dictionaries/$name.dict" -max_len=8192 -len_control=10 -timeout=25 -rss_limit_mb=2048 \
        -print_final_stats=1 || {
        echo "fuzz.sh: $name failed; its input is in fuzz/artifacts/$name/" >&2
        exit 1
    }
done
