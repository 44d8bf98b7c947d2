#!/usr/bin/env python3
"""Copies gold sets without the attributes that reveal the purpose of an element.

    strip.py --datasets DIR --output DIR --sets NAME ... [--names class id role style itemprop]

Reads DIR/NAME.warc.zst and writes OUTPUT/NAME.warc.zst: the same records, in which start tags lack
the named attributes. The rest of a page is unchanged, so its gold stays valid. Pages by unfamiliar
authors, converted pages, and pages of tools that generate class names look like these copies. Their
names do not reveal comments, sidebars or menus.

The script finds start tags like the HTML standard's tokenizer, in bytes, and skips comments,
scripts, styles and other raw text. All charsets of the gold sets have ASCII bytes for ASCII
characters, and none of `<`, `>`, `"`, `'` in other characters.
"""

import argparse
import io
import pathlib
import re

import zstandard

NAMES = ["class", "id", "role", "style", "itemprop"]
# The patterns at which the search stops: a comment or a start tag.
MARK = re.compile(rb"<(?:!--|([A-Za-z][^\s/>]*))")
ATTRIBUTE = re.compile(rb"""[\s/]*(=?[^\s/>=]*)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""")
RAW = {name: re.compile(rb"</" + name + rb"(?=[\s/>])", re.I)
       for name in (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")}


def strip(html, names):
    """The page without the attributes of these names (bytes, lower case)."""
    out, copied, at = [], 0, 0
    while mark := MARK.search(html, at):
        if mark[1] is None:
            end = html.find(b"-->", mark.end())
            at = len(html) if end < 0 else end
            continue
        at = mark.end()
        while at < len(html) and html[at : at + 1] != b">":
            attribute = ATTRIBUTE.match(html, at)
            if attribute.end() == at:
                break
            if attribute[1].lower() in names:
                out.append(html[copied:at])
                copied = attribute.end()
            at = attribute.end()
        if raw := RAW.get(mark[1].lower()):
            end = raw.search(html, at)
            at = end.start() if end else len(html)
    out.append(html[copied:])
    return b"".join(out)


def records(data):
    """The header and the block of every record of a WARC file."""
    at = 0
    while at < len(data):
        end = data.index(b"\r\n\r\n", at) + 4
        header = data[at:end]
        length = int(re.search(rb"(?im)^content-length:\s*(\d+)", header)[1])
        yield header, data[end : end + length]
        at = end + length + 4


def copy(data, names):
    """A copy of the WARC file in which responses are stripped."""
    out = io.BytesIO()
    length = re.compile(rb"(?im)^(content-length:\s*)\d+")
    for header, block in records(data):
        if re.search(rb"(?im)^warc-type:\s*response", header):
            http, html = block.split(b"\r\n\r\n", 1)
            html = strip(html, names)
            block = length.sub(rb"\g<1>%d" % len(html), http) + b"\r\n\r\n" + html
            header = re.sub(rb"(?im)^warc-payload-digest:[^\n]*\n", b"", header)
        out.write(length.sub(rb"\g<1>%d" % len(block), header) + block + b"\r\n\r\n")
    return out.getvalue()


def main():
    parser = argparse.ArgumentParser(description="Copies gold sets without telling attributes.")
    parser.add_argument("--datasets", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="+", required=True)
    parser.add_argument("--names", nargs="+", default=NAMES)
    args = parser.parse_args()
    names = {name.encode() for name in args.names}
    args.output.mkdir(parents=True, exist_ok=True)
    for name in args.sets:
        packed = (args.datasets / f"{name}.warc.zst").read_bytes()
        data = zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj().decompress(packed)
        (args.output / f"{name}.warc.zst").write_bytes(zstandard.compress(copy(data, names), 3))


if __name__ == "__main__":
    main()
