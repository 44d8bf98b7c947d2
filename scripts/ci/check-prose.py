#!/usr/bin/env python3
"""Checks the English of documents and comments: widths, lengths, subjects and words.

    scripts/ci/check-prose.py [--list] [--update]

Reads the Markdown files of the repository, and the comments of its Rust and Python files. Tests
and generated files are left out. It reports

  wide      a line of prose with more than 100 columns
  long      a sentence with more than 30 words
  headless  a sentence that begins with What, Who, None, Nothing or the like
  private   a word that has a plainer one in the field (docs/glossary.md)

`prose-exceptions.txt` beside this script says how many findings a file may have of each kind. The
check fails if a file has more. It fails too if a file has fewer, so that the list shrinks with the
findings: `--update` writes it again, and refuses to add to it. `--list` prints every finding.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXCEPTIONS = Path(__file__).with_name("prose-exceptions.txt")
COLUMNS = 100
WORDS = 30
LEFT_OUT = re.compile(r"/tests/|/tests\.rs$|^benches/eval/|/entity/names\.rs$")
COMMENT = {".rs": re.compile(r"\s*(///|//!|//)(?: (.*)|$)"), ".py": re.compile(r"\s*(#) (.*)")}
HEADLESS = re.compile(r"[-*•>\s]*(What|Who|Whatever|Whoever|None|Nobody|Nothing|Which)\b")
PRIVATE = {
    "anew": "again",
    "mend": "repair",
    "mends": "repairs",
    "mended": "repaired",
    "mending": "repair",
    "somebody": "the component",
    "nobody": "the component",
    "is told": "is reported",
    "are told": "are reported",
    "is none": "the positive statement",
}
PRIVATE_WORD = re.compile(r"\b(%s)\b" % "|".join(PRIVATE), re.IGNORECASE)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z*`(])")


def prose_lines(path, text):
    """Yields number, prose and the whole line. The prose of other lines is None."""
    pattern = COMMENT.get(path.suffix)
    is_fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if pattern:
            found = pattern.fullmatch(line)
            prose = (found[2] or "") if found else None
            if found and path.suffix == ".py" and len(prose) < 20:
                prose = None
        else:
            prose = line
        if prose is None:
            is_fenced = is_fenced and pattern is None
            yield number, None, line
            continue
        if prose.lstrip().startswith("```"):
            is_fenced = not is_fenced
            prose = None
        elif is_fenced or prose.startswith(("    ", "|", "<", "[")):
            prose = None
        yield number, prose, line


def paragraphs(lines):
    """Yields the first line's number and the text of each paragraph and list item."""
    start, held = 0, []
    for number, prose, _ in lines:
        ends = prose is None or not prose.strip()
        if held and (ends or re.match(r"\s*([-*+]|\d+\.|#+)\s", prose)):
            yield start, " ".join(held)
            held = []
        if not ends:
            start = start if held else number
            held.append(prose.strip())
    if held:
        yield start, " ".join(held)


def findings(path, text):
    """Yields kind, line number and text of each finding of a file."""
    lines = list(prose_lines(path, text))
    for number, prose, line in lines:
        if prose is None:
            continue
        is_link = re.search(r"https?://\S{40}", line) or line.lstrip().startswith("![")
        if len(line) > COLUMNS and not is_link:
            yield "wide", number, line
        if PRIVATE_WORD.search(re.sub(r"`[^`]*`", "", prose)):
            yield "private", number, prose
    for number, text in paragraphs(lines):
        plain = re.sub(r"`[^`]*`", "X", LINK.sub(r"\1", text))
        for sentence in SENTENCE_END.split(plain):
            count = len(re.findall(r"[\w’'-]+", sentence))
            if count > WORDS:
                yield "long", number, sentence
            if count > 4 and HEADLESS.match(sentence) and "?" not in sentence:
                yield "headless", number, sentence


def read_exceptions():
    """Reads `COUNT KIND PATH` a line."""
    allowed = Counter()
    for line in EXCEPTIONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            count, kind, path = line.split(" ", 2)
            allowed[path, kind] = int(count)
    return allowed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print every finding")
    parser.add_argument("--update", action="store_true", help="write the list of exceptions again")
    options = parser.parse_args()
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.rs", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found, places = Counter(), {}
    for name in listed.stdout.split():
        path = ROOT / name
        if LEFT_OUT.search(name) or not path.is_file():
            continue
        for kind, number, text in findings(path, path.read_text(encoding="utf-8", errors="replace")):
            found[name, kind] += 1
            places.setdefault((name, kind), []).append(f"{name}:{number}: {kind}: {text.strip()[:120]}")
    if options.list:
        print("\n".join(line for key in sorted(places) for line in places[key]))
        return 0
    allowed = read_exceptions() if EXCEPTIONS.exists() else None
    more = sorted(key for key in found if allowed is not None and found[key] > allowed[key])
    for key in more:
        print("\n".join(places[key]))
    if more:
        print(f"error: {len(more)} files have more findings than {EXCEPTIONS.name} allows", file=sys.stderr)
        return 1
    if options.update:
        lines = [f"{count} {kind} {name}\n" for (name, kind), count in sorted(found.items())]
        head = "# Findings of check-prose.py that stay: count, kind, file. The list may only shrink.\n"
        EXCEPTIONS.write_text(head + "".join(lines), encoding="utf-8")
        return 0
    fewer = [key for key in (allowed or ()) if found[key] < allowed[key]]
    for name, kind in sorted(fewer):
        print(f"{name}: {found[name, kind]} instead of {allowed[name, kind]}: {kind}")
    if fewer:
        print("error: the list of exceptions can shrink: run scripts/ci/check-prose.py --update", file=sys.stderr)
    return int(bool(fewer))


if __name__ == "__main__":
    sys.exit(main())
