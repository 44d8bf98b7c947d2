#!/usr/bin/env python3
"""Checks the documents. If it finds faults, it prints them and fails.

docs/SUMMARY.md, the list of the book's pages, must name every page of docs/ exactly once. Every
relative link in our Markdown files must lead to a committed file, and to an existing heading if it
names one. A page of the book begins with a heading, a paragraph of two or three lines, a command
and its output.

    scripts/ci/check-docs.py
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)|(?:src|srcset|href)=\"([^\"\n]+)\"")
CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
OPENING = re.compile(
    r"# .+\n\n(?:[^\n`|#].*\n){2,3}\n```(?:console\n|(?:sh|shell|python)\n(?:(?!```).*\n)*```\n\n```text\n)"
)
SPAN = re.compile(r"(`+)(?:(?!\1).)+\1")


def anchors(text):
    """The names under which renderers reach the headings of a page: lower case, without punctuation, blanks as hyphens."""
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", CODE.sub("", text), re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found


def has_opening(text):
    """Returns whether a page begins with what it is for, and a command with its output."""
    text = re.sub(r"^<!--.*-->\n+", "", text, flags=re.MULTILINE)
    return OPENING.match(text) is not None


def links(text):
    """The relative links of a page, outside its code."""
    for pair in LINK.findall(SPAN.sub("", CODE.sub("", text))):
        link = pair[0] or pair[1]
        if not re.match(r"[a-z][a-z0-9+.-]*:", link):
            yield link


def problems(pages, files):
    """What is wrong with `pages`, texts by path; `files` are all paths that a link may name."""
    for path, text in sorted(pages.items()):
        for link in links(text):
            target, _, anchor = link.partition("#")
            parts = []
            for part in [*(path.split("/")[:-1] if target else path.split("/")), *target.rstrip("/").split("/")]:
                if part == "..":
                    parts = parts[:-1]
                elif part not in ("", "."):
                    parts.append(part)
            name = "/".join(parts)
            if name not in files and not any(file.startswith(name + "/") for file in files):
                yield f"{path}: '{link}' leads nowhere"
            elif anchor and name in pages and anchor not in anchors(pages[name]):
                yield f"{path}: '{link}' names no heading"
    listed = re.findall(r"\]\(([^)]+)\)", pages.get("docs/SUMMARY.md", ""))
    for path in sorted(pages):
        folder, _, name = path.rpartition("/")
        if folder == "docs" and name != "SUMMARY.md" and listed.count(name) != 1:
            yield f"{path}: stands {listed.count(name)} times in docs/SUMMARY.md, not once"
        if folder == "docs" and name != "SUMMARY.md" and not has_opening(pages[path]):
            yield f"{path}: does not begin with heading, two or three lines, a command and its output"


def main():
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [path for path in listing.split("\0") if path and (ROOT / path).exists()]
    pages = {path: (ROOT / path).read_text() for path in files if path.endswith(".md")}
    found = list(problems(pages, set(files)))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
