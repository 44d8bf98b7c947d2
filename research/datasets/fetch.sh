#!/usr/bin/env bash
# Fetches public data sets from their own homes, at pinned commits, and turns them into pairs of WARC and gold.
#
#   research/datasets/fetch.sh [-o DIR] [DATASET...]      all known data sets, into data/datasets, by default
#
# The pages belong to their publishers and the gold to its makers, whatever the licence of a repository says: measure with them, do
# not publish them. The script reports and leaves out a data set whose checkout has an unknown layout.
# Needs git, python3, zstd and a connection. It keeps checkouts in DIR/checkouts and does not fetch them again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# Data set: the licence that its repository states.
declare -A licence=(
    [wcxb]='CC-BY-4.0'
    [trafilatura]='Apache-2.0'
    [scrapinghub]='MIT'
    [cwced_zh]='MIT'
    [dragnet]='AGPL-3.0 (gold), none stated (mirror of the pages)'
    [cleaneval_en]='none stated'
)
# Data set: its checkouts, in the order of its converter's arguments.
declare -A checkouts=(
    [wcxb]='Murrough-Foley/web-content-extraction-benchmark'
    [trafilatura]='adbar/trafilatura'
    [scrapinghub]='scrapinghub/article-extraction-benchmark'
    [cwced_zh]='immortal-autumn/Chinese-Web-Content-Extraction-Dataset'
    [dragnet]='j-szulc/html-cleaning-dataset-merged seomoz/dragnet_data'
    [cleaneval_en]='j-szulc/html-cleaning-dataset-merged'
)
declare -A commit=(
    [Murrough-Foley/web-content-extraction-benchmark]=c039d5e
    [adbar/trafilatura]=e90b0ef5
    [scrapinghub/article-extraction-benchmark]=4a3bc97
    [immortal-autumn/Chinese-Web-Content-Extraction-Dataset]=99d0ef0
    [j-szulc/html-cleaning-dataset-merged]=46e01a0
    [seomoz/dragnet_data]=95559be
)
known=(wcxb trafilatura scrapinghub cwced_zh dragnet cleaneval_en)
# Headline sets that this script cannot make, and why.
others='cleaneval_zh: its gold was matched to pages of another set by hand
l3s_gn1: research use only, to be asked for
big9, chaos_utomo: the layout of their repository is not known here
zh_portals: its gold was made for this project and has no home of its own'

out=data/datasets
while getopts 'o:h' option; do
    case $option in
        o) out=$OPTARG ;;
        h) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "${known[@]}"
for dataset in "$@"; do
    if [ -z "${checkouts[$dataset]:-}" ]; then
        echo "fetch.sh: unknown data set \`$dataset\`; known are: ${known[*]}" >&2
        exit 2
    fi
done

# Returns the status of each command itself: `set -e` is off in a function that a condition calls.
# git cannot fetch an abbreviated commit by name, so this clones the history without contents; the checkout fetches those of one commit.
fetch() {
    local repository=$1 folder=$2
    if [ ! -d "$folder/.git" ]; then
        rm -rf "$folder.part"
        git clone --quiet --filter=blob:none --no-checkout "https://github.com/$repository.git" "$folder.part" || return
        mv "$folder.part" "$folder" || return
    fi
    git -C "$folder" -c advice.detachedHead=false checkout --quiet "${commit[$repository]}"
}

mkdir -p "$out/checkouts"
failed=()
for dataset in "$@"; do
    echo "$dataset (licence: ${licence[$dataset]})"
    folders=()
    for repository in ${checkouts[$dataset]}; do
        folder=$out/checkouts/${repository##*/}
        if fetch "$repository" "$folder"; then
            folders+=("$folder")
        fi
    done
    if [ "${#folders[@]}" -ne "$(wc -w <<<"${checkouts[$dataset]}")" ]; then
        echo "fetch.sh: $dataset: not fetched" >&2
        failed+=("$dataset")
    elif ! python3 "$here/convert.py" "$dataset" "${folders[@]}" --out "$out"; then
        failed+=("$dataset")
    fi
done

echo "not made by this script:"
while IFS= read -r line; do echo "  $line"; done <<<"$others"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "fetch.sh: failed: ${failed[*]}" >&2
    exit 1
fi
