#!/usr/bin/env bash
# Fetches public data sets from their own homes, at pinned commits, and turns them into pairs of WARC and gold.
#
#   scripts/fetch-datasets.sh [-o DIR] [DATASET...]      all that are known, into data/datasets, if not told
#
# The pages belong to their publishers and the gold to its makers, whatever the licence of a repository says: use them to
# measure with, don't publish them. A data set whose checkout does not look as expected is reported and left out.
# Needs git, python3 and zstd, and a connection. Checkouts are kept in DIR/checkouts and not fetched again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# Data set: licence as its repository states it.
declare -A licence=(
    [wcxb]='CC-BY-4.0'
    [trafilatura]='Apache-2.0'
    [scrapinghub]='MIT'
    [cwced_zh]='MIT'
    [dragnet]='AGPL-3.0 (gold), none stated (mirror of the pages)'
    [cleaneval_en]='none stated'
)
# Data set: its checkouts, in the order its converter takes them.
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
# Headline sets this script does not make, and why.
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
        echo "fetch-datasets.sh: unknown data set \`$dataset\`; known are: ${known[*]}" >&2
        exit 2
    fi
done

# Fails with its last command: `set -e` is off in what is called from a condition.
# Abbreviated commits can't be fetched by name, so the history comes without contents and those of one commit on demand.
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
        echo "fetch-datasets.sh: $dataset: not fetched" >&2
        failed+=("$dataset")
    elif ! python3 "$here/datasets/convert.py" "$dataset" "${folders[@]}" --out "$out"; then
        failed+=("$dataset")
    fi
done

echo "not made by this script:"
while IFS= read -r line; do echo "  $line"; done <<<"$others"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "fetch-datasets.sh: failed: ${failed[*]}" >&2
    exit 1
fi
