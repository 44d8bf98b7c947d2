"""Writes a corpus in other charsets and containers, with the same pages, to compare their costs."""

import json
import re
import shutil
import subprocess
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

GZIP = 31  # window bits of zlib for a gzip member
LEVEL = 6  # of gzip, as in crawls
CHUNK = 1 << 20
META = re.compile(r"(<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*)[\w-]+", re.I)
META_WITHIN = 4096
# Kana, ideographs, Hangul.
EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
EAST_ASIAN_SHARE = 0.02
# Name in HTTP, and Python's codec. A character outside the charset becomes a reference, as in
# browsers and editors.
CHARSETS = {"utf-8": "utf-8", "gb18030": "gb18030", "shift_jis": "cp932"}
CONTAINERS = ("warc.gz", "warc", "warc.zst", "jsonl.gz", "jsonl.zst")


@dataclass(frozen=True)
class Page:
    """A response: its WARC header, its URL and its HTML."""

    fields: bytes  # all lines of the header except the length
    url: str
    html: str

    def is_east_asian(self):
        """Whether a good part of the source is written in kana, ideographs or Hangul."""
        return len(EAST_ASIAN.findall(self.html)) >= EAST_ASIAN_SHARE * len(self.html)

    def record(self, charset):
        """The page as a record in a charset; the HTTP header and an existing `meta` name it."""
        start = META.sub(rf"\g<1>{charset}", self.html[:META_WITHIN], count=1)
        body = (start + self.html[META_WITHIN:]).encode(CHARSETS[charset], "xmlcharrefreplace")
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Length: {len(body)}\r\n\r\n"
        block = http.encode() + body
        return self.fields + b"\r\nContent-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"

    def row(self):
        """The page as a line of JSON."""
        return json.dumps({"url": self.url, "html": self.html}, ensure_ascii=False).encode() + b"\n"


def members(path):
    """The content of each member of a .gz file."""
    with path.open("rb") as file:
        rest = file.read(CHUNK)
        while rest:
            inflater, parts = zlib.decompressobj(GZIP), []
            while not inflater.eof:
                if not rest and not (rest := file.read(CHUNK)):
                    raise SystemExit(f"error: '{path}' ends within a member")
                parts.append(inflater.decompress(rest))
                rest = inflater.unused_data
            yield b"".join(parts)
            rest = rest or file.read(CHUNK)


def load(path):
    """The UTF-8 pages of a corpus by `huller bench --make-corpus`, and the number of the others."""
    pages, others = [], 0
    for record in members(path):
        header, _, block = record.partition(b"\r\n\r\n")
        if b"WARC-Type: response" not in header:
            continue
        body = block[: -len(b"\r\n\r\n")].partition(b"\r\n\r\n")[2]
        lines = [line for line in header.split(b"\r\n") if not line.lower().startswith(b"content-length:")]
        url = next((line[17:].decode() for line in lines if line.startswith(b"WARC-Target-URI: ")), "")
        try:
            pages.append(Page(b"\r\n".join(lines), url, body.decode("utf-8")))
        except UnicodeDecodeError:
            others += 1
    return pages, others


def deflate(data):
    """One gzip member."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(data) + packer.flush()


def zstd(pieces, folder):
    """One frame per piece, by the program `zstd` at its default level."""
    program = shutil.which("zstd")
    if program is None:
        raise SystemExit("error: .zst needs the program `zstd`, which is not on the PATH")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        paths = []
        for number, piece in enumerate(pieces):
            paths.append(Path(scratch, f"{number:08}"))
            paths[-1].write_bytes(piece)
        done = subprocess.run([program, "-q", "-c", *paths], check=True, stdout=subprocess.PIPE)
    return done.stdout


def unit(pages, container, charset, folder):
    """The bytes of a file with the pages once, in that form, and their number before compression."""
    if container.startswith("jsonl"):
        pieces = [b"".join(page.row() for page in pages)]  # compressed as one
    else:
        pieces = [page.record(charset) for page in pages]
    raw = sum(map(len, pieces))
    if container.endswith(".gz"):
        return b"".join(map(deflate, pieces)), raw
    if container.endswith(".zst"):
        return zstd(pieces, folder), raw
    return b"".join(pieces), raw


def write(path, pages, container, charset, times):
    """Writes a file with the pages `times` times; gives its pages and its bytes before compression."""
    data, raw = unit(pages, container, charset, path.parent)
    with path.open("wb") as file:
        for _ in range(times):
            file.write(data)
    return len(pages) * times, raw * times
