#!/usr/bin/env bash
# Fuzzes one target, or all in turn, for so many seconds each or a million executions.
#
#   scripts/lab/fuzz.sh [TARGET|all] [SECONDS]    all targets, 60 seconds each, by default
#   cargo +nightly fuzz run TARGET FILE           runs one input again
#
# At the first crash it exits with 1, and leaves the input in fuzz/artifacts/TARGET/. If a tool is
# missing it exits with 2. It needs a nightly toolchain, cargo-fuzz and a C++ compiler. The corpus
# grows in fuzz/corpus/TARGET/.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-} in
    -h | --help) sed -n '2,/^set/p' scripts/lab/fuzz.sh | sed '$d; s/^# \{0,1\}//'; exit ;;
esac
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

# Seeds of a target besides its corpus.
seeds() {
    case $1 in page | charset) echo data/pages ;; esac
}

# Flags of the build. Tracing comparisons takes two thirds of the time of `page`, and the names that it compares with are in its
# dictionary.
flags() {
    case $1 in page) echo --no-trace-compares ;; esac
}

for name in "${targets[@]}"; do
    echo "fuzz.sh: $name, $seconds s" >&2
    mkdir -p "fuzz/corpus/$name"
    # Text of any kind has none.
    dictionary=()
    [ ! -e "fuzz/dictionaries/$name.dict" ] || dictionary=("-dict=fuzz/dictionaries/$name.dict")
    # shellcheck disable=SC2046 # a target has at most one folder of seeds and one flag
    cargo +nightly fuzz run $(flags "$name") "$name" "fuzz/corpus/$name" $(seeds "$name") -- \
        -max_total_time="$seconds" -runs=1000000 "${dictionary[@]}" -max_len=8192 -len_control=10 -timeout=25 -rss_limit_mb=2048 \
        -print_final_stats=1 || {
        echo "fuzz.sh: $name failed; its input is in fuzz/artifacts/$name/" >&2
        exit 1
    }
done
