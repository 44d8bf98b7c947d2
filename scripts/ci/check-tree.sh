#!/usr/bin/env bash
# Checks the files of the repository, and names every file that breaks a rule.
#
#   scripts/ci/check-tree.sh
#
# A file breaks a rule if it
#   * is Rust and has more than 800 lines before its tests. Files in tests/ and tests.rs are tests.
#     Generated tables name their script in their first lines, and may have any length;
#   * is deeper than three levels below the `src` of its crate (src/a/b/c.rs has three);
#   * has a name, or a folder, called utils, helpers, common or misc: these names say nothing;
#   * is Rust and names `PreEscaped`: text for an HTML page that no template has escaped.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-} in
    -h | --help) sed -n '2,/^set/p' scripts/ci/check-tree.sh | sed '$d; s/^# \{0,1\}//'; exit ;;
esac

most=800
deepest=3
status=0
fail() { echo "check-tree.sh: $*" >&2; status=1; }

while IFS= read -r -d '' file; do
    [ -f "$file" ] || continue
    if [[ /${file,,} =~ /(utils?|helpers?|commons?|misc)(\.[^/]*)?(/|$) ]]; then
        fail "$file: name it after what is in it, not '${BASH_REMATCH[1]}'"
    fi
    levels=${file##*/src/}
    levels=${levels//[^\/]/}
    if [[ $file == */src/*.rs ]] && [ $((${#levels} + 1)) -gt $deepest ]; then
        fail "$file: $((${#levels} + 1)) levels below src, $deepest at most: give the folder a place higher up"
    fi
    case $file in
        */tests/* | */tests.rs | *_tests.rs) continue ;;
        *.rs) ;;
        *) continue ;;
    esac
    if head -n 3 -- "$file" | grep -qE '@generated|Written by scripts/'; then continue; fi
    lines=$(awk '/^#\[cfg\(test\)\]/ { exit } { lines++ } END { print lines + 0 }' "$file")
    if [ "$lines" -gt "$most" ]; then
        fail "$file: $lines lines before its tests, $most at most: split it"
    fi
    if grep -q PreEscaped -- "$file"; then
        fail "$file: make markup by the templates of maud, which escape text, not by PreEscaped"
    fi
done < <(git ls-files -z --cached --others --exclude-standard)

exit "$status"
