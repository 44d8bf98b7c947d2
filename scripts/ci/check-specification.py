#!/usr/bin/env python3
"""Checks that every citation of the specification has its place in docs/specification.md.

Prints the citations without a place, and fails.

Citations are, in Rust, Python and Markdown files: "specification 0.5", "specification section 6", "the specification (0.6)",
"TUNED (0.6)", decisions such as B-4, and ranges of them such as C-3..C-5.

    scripts/ci/check-specification.py
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPECIFICATION = "docs/specification.md"

# The pattern excludes "WARC specification 1.1", where an abbreviation names another specification.
SECTION = re.compile(
    r"(?:(?<![A-Z]{2} )\b[Ss]pecification(?:'s)?(?: section)?|\bTUNED) \(?([0-9](?:\.[0-9])?)\b(?!\.?[0-9])",
)
RANGE = re.compile(r"\b([A-E])-([0-9]{1,2})(?:\.\.| to )(?:\1-)?([0-9]{1,2})\b")
DECISION = re.compile(r"\b([A-E]-[0-9]{1,2})\b")
# The start of a comment line.
COMMENT = re.compile(r"^\s*(?://[/!]?|#)\s?", re.MULTILINE)


def places(text):
    """The sections and decisions that the specification has, as a list, so that repeated ones show."""
    return re.findall(r"^#+ ([0-9](?:\.[0-9])?) ", text, re.MULTILINE) + re.findall(r'<a id="([A-E]-[0-9]+)"></a>', text)


def citations(text):
    """All citations in a file. One may go on in the next line of a comment."""
    text = re.sub(r"\s+", " ", COMMENT.sub(" ", text))
    cited = set(SECTION.findall(text)) | set(DECISION.findall(text))
    for letter, first, last in RANGE.findall(text):
        cited |= {f"{letter}-{number}" for number in range(int(first), int(last) + 1)}
    return cited


def main():
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.rs", "*.py", "*.md"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    )
    files = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    known = places((ROOT / SPECIFICATION).read_text(encoding="utf-8"))
    faults = [f"{SPECIFICATION}: {place} is there twice" for place in sorted(set(known)) if known.count(place) > 1]
    count = 0
    for name in sorted(files):
        cited = citations((ROOT / name).read_text(encoding="utf-8"))
        count += len(cited)
        faults += [f"{name}: cites {place}, which {SPECIFICATION} does not have" for place in sorted(cited - set(known))]
    if count == 0:
        faults.append("no citation was found: this check has lost its object")
    for fault in faults:
        print(f"check-specification.py: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
