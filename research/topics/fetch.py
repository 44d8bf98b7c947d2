#!/usr/bin/env python3
"""Fetches pages with topics: documentation of free software in eight fields, from Debian packages.

    research/topics/fetch.py OUT [--pages N]

Fetches the packages of packages.tsv with `apt-get download` into OUT/packages, unpacks them with
`dpkg-deb`, and writes OUT/train.jsonl and OUT/test.jsonl: one page per line, with `html`, `url`,
`id`, `label` (the field) and `project`. Each project is in only one file. The script takes at most
N pages of a project (40 by default), at even distances in the order of their paths. It leaves out
indexes, search pages, sources of code, and pages equal to an earlier one. The same packages give
the same bytes. Needs Debian or a system like it, and its package index (`apt-get update`). The
pages have the licences of their packages: measure with them.
"""

import argparse
import collections
import hashlib
import json
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().with_name("packages.tsv")
# Pages that are not documentation.
LEFT_OUT = ("genindex", "search", "modindex", "py-modindex", "404", "np-modindex")
LEFT_OUT_FOLDERS = ("_modules", "_sources", "_static", "_images", "_downloads")
LARGEST = 2 << 20


def packages():
    """Field, share and name of each package."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    shares = collections.defaultdict(set)
    for _, share, name in rows:
        shares[name].add(share)
    twice = [name for name, of in shares.items() if len(of) > 1]
    if twice:
        sys.exit("fetch.py: in both shares: %s" % ", ".join(twice))
    return rows


def unpacked(name, folder):
    """The folder with the files of a package, which is fetched if it is not there yet."""
    into = folder / name
    if not into.exists():
        subprocess.run(["apt-get", "download", "-q", name], cwd=folder, check=True)
        (archive,) = folder.glob(name + "_*.deb")
        part = folder / (name + ".part")
        subprocess.run(["dpkg-deb", "-x", archive, part], check=True)
        part.rename(into)
    return into


def is_page(path, root):
    inside = path.relative_to(root)
    is_left_out = path.stem.startswith(LEFT_OUT) or any(part in LEFT_OUT_FOLDERS for part in inside.parts)
    return not is_left_out and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST


def pages(root, most, seen):
    """At most so many pages of a project, at even distances; those that were seen before are left out."""
    found = []
    for path in sorted(root.rglob("*.html")):
        if not is_page(path, root):
            continue
        html = path.read_bytes()
        digest = hashlib.sha256(html).digest()
        if digest not in seen:
            seen.add(digest)
            found.append((path.relative_to(root), html))
    step = max(1.0, len(found) / most)
    return [found[int(at * step)] for at in range(min(most, len(found)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--pages", type=int, default=40, metavar="N", help="pages of a project at most (default: 40)")
    args = parser.parse_args()
    folder = args.out / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    counts, seen = collections.Counter(), set()
    files = {share: open(args.out / (share + ".jsonl"), "w", encoding="utf-8") for share in ("train", "test")}
    for field, share, name in packages():
        for path, html in pages(unpacked(name, folder), args.pages, seen):
            text = html.decode("utf-8", "replace")
            url = "http://%s.invalid/%s" % (name, path)
            row = {"id": "%s/%s" % (name, path), "url": url, "html": text, "label": field, "project": name}
            files[share].write(json.dumps(row, ensure_ascii=False) + "\n")
            counts[field, share] += 1
    for file in files.values():
        file.close()
    for (field, share), count in sorted(counts.items()):
        print("%-14s %-5s %5d pages" % (field, share, count), file=sys.stderr)


if __name__ == "__main__":
    main()
