#!/usr/bin/env bash
# Checks the files of the repository, and fails naming every one that
#   * is Rust and has more than 400 lines before its tests (those in tests/ and tests.rs are tests; generated tables, which say
#     in their first lines who wrote them, may be any length);
#   * is called, or lies in a folder called, utils, helpers, common or misc, which say nothing.
#
#   scripts/check-tree.sh
set -euo pipefail
cd "$(dirname "$0")/.."

most=400
status=0
fail() { echo "check-tree.sh: $*" >&2; status=1; }

while IFS= read -r -d '' file; do
    [ -f "$file" ] || continue
    if [[ /${file,,} =~ /(utils?|helpers?|commons?|misc)(\.[^/]*)?(/|$) ]]; then
        fail "$file: name it after what is in it, not '${BASH_REMATCH[1]}'"
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
done < <(git ls-files -z --cached --others --exclude-standard)

exit "$status"
