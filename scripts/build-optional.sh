#!/usr/bin/env bash
# Builds the program in ways that it is not shipped in, for scripts/compare-builds.py.
#
#   scripts/build-optional.sh v3            for processors with AVX2 and BMI2 (x86-64-v3), without asking them at run time
#   scripts/build-optional.sh pgo CORPUS    guided by a profile of one run over CORPUS, by both methods; needs the toolchain's own
#                                           llvm-profdata: rustup component add llvm-tools
#
# Prints the path of the program, in a folder of its own below the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}

build() { # FOLDER FLAGS
    CARGO_TARGET_DIR=$1 RUSTFLAGS=$2 ${CARGO:-cargo} build --quiet --release --locked -p huller-cli >&2
}

case ${1:-} in
    v3)
        build "$target/v3" "-C target-cpu=x86-64-v3"
        echo "$target/v3/release/huller"
        ;;
    pgo)
        corpus=${2:?which corpus is the profile of?}
        profdata=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata
        if [ ! -x "$profdata" ]; then
            echo "build-optional.sh: no '$profdata'; rustup component add llvm-tools" >&2
            exit 2
        fi
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        # The C libraries (libdeflate, zstd) are not in the profile: they are compiled by another compiler.
        build "$target/pgo-generate" "-C profile-generate=$work/raw"
        for method in pvalue hull; do
            "$target/pgo-generate/release/huller" extract -j1 --quiet --extractor "$method" -o "$work/$method" "$corpus"
        done
        mkdir -p "$target/pgo"
        "$profdata" merge -o "$target/pgo/profile.profdata" "$work/raw"
        build "$target/pgo" "-C profile-use=$target/pgo/profile.profdata"
        echo "$target/pgo/release/huller"
        ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
