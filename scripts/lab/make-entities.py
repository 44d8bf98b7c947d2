#!/usr/bin/env python3
"""Writes crates/page/src/entity/names.rs: the WHATWG named character references.

The names and their values are those of the HTML standard, section 13.5, as shipped in Python's
standard library (html.entities.html5). Run it from the root of the repository by
`scripts/lab/run entities`, and commit the file that it writes.
"""

import argparse
from html.entities import html5

argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
).parse_args()
with_semicolon = sorted((name[:-1], value) for name, value in html5.items() if name.endswith(";"))
legacy = sorted(name for name in html5 if not name.endswith(";"))
assert all(dict(with_semicolon)[name] == html5[name] for name in legacy)


def escape(text):
    return "".join(f"\\u{{{ord(c):x}}}" for c in text)


with open("crates/page/src/entity/names.rs", "w", encoding="utf-8") as out:
    out.write("//! Named character references of the HTML standard. Written by scripts/lab/make-entities.py.\n\n")
    out.write("/// Names without `&` and `;`, and what they stand for, in byte order.\n")
    out.write(f"pub(super) static NAMES: [(&str, &str); {len(with_semicolon)}] = [\n")
    for name, value in with_semicolon:
        out.write(f'    ("{name}", "{escape(value)}"),\n')
    out.write("];\n\n/// Names that count without a `;` too.\n")
    out.write(f"pub(super) static LEGACY: [&str; {len(legacy)}] = [\n")
    for name in legacy:
        out.write(f'    "{name}",\n')
    out.write("];\n")
