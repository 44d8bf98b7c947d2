#!/usr/bin/env python3
"""Runs one Python peer over one WARC file and prints one JSON line.

usage: pipe.py fastwarc-resiliparse FILE OUT
       pipe.py fastwarc-trafilatura FILE OUT
       pipe.py fastwarc-trafilatura-default FILE OUT
       pipe.py extract-mem {resiliparse,trafilatura,trafilatura-default} FILE

The first three read the file and write JSONL ({"url", "text"}, one line per page, even if empty).
The last reads and decodes the pages first, and measures only the extraction. The printed line has
the form of the Rust peers' line, see src/report.rs.
"""

import json
import logging
import resource
import sys
import time
from importlib.metadata import version

from fastwarc.warc import ArchiveIterator, WarcRecordType


class Resiliparse:
    """Main content as plain text, the charset by BOM, <meta> and detection."""

    def __init__(self):
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding
        from resiliparse.parse.html import HTMLTree

        self.extract_plain_text, self.tree = extract_plain_text, HTMLTree
        self.bytes_to_str, self.detect_encoding = bytes_to_str, detect_encoding

    def encoding(self, body):
        return self.detect_encoding(body, from_html_meta=True)

    def decode(self, body):
        return self.bytes_to_str(body, self.encoding(body))

    def text(self, tree):
        return self.extract_plain_text(tree, main_content=True, alt_texts=False, list_bullets=False)

    def of_bytes(self, body):
        return self.text(self.tree.parse_from_bytes(body, self.encoding(body)))

    def of_text(self, html):
        return self.text(self.tree.parse(html))


class Trafilatura:
    """The fast mode without its fallbacks, decoded as the big pipelines decode for it."""

    fast = True

    def __init__(self):
        import trafilatura
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        self.extract = trafilatura.extract
        self.bytes_to_str, self.detect_encoding = bytes_to_str, detect_encoding

    def decode(self, body):
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            return self.bytes_to_str(body, self.detect_encoding(body))

    def of_bytes(self, body):
        return self.of_text(self.decode(body))

    def of_text(self, html):
        return self.extract(html, fast=self.fast, include_comments=False) or ""


class TrafilaturaDefault(Trafilatura):
    """The default mode, which asks readability-lxml and justext where it doubts its own text."""

    fast = False


EXTRACTORS = {"resiliparse": Resiliparse, "trafilatura": Trafilatura, "trafilatura-default": TrafilaturaDefault}


class Counts:
    """What a run counts; the names are those of the JSON line."""

    def __init__(self):
        self.records = self.pages = self.body = self.out = self.errors = 0


def pages(path, counts):
    """Yields (url, body) of every HTML response.

    Only the transfer encoding is undone: 'all' ends the file, silently, after a body that is both
    chunked and compressed.
    """
    for record in ArchiveIterator(path, record_types=WarcRecordType.response, auto_decode="transfer"):
        counts.records += 1
        if "html" in (record.http_content_type or "").lower():
            body = record.reader.read()
            counts.pages += 1
            counts.body += len(body)
            yield record.headers.get("WARC-Target-URI"), body


def guarded(extract, page, counts):
    """The text of a page; one that fails is counted and empty."""
    try:
        return extract(page)
    except Exception:  # noqa: BLE001 - whatever a peer raises is an error of that peer
        counts.errors += 1
        return ""


def pipeline(extractor, path, out):
    """From the file to rows."""
    counts = Counts()
    with open(out, "wb", buffering=1 << 18) as rows:
        for url, body in pages(path, counts):
            text = guarded(extractor.of_bytes, body, counts)
            row = json.dumps({"url": url, "text": text}, ensure_ascii=False)
            counts.out += rows.write(row.encode("utf-8", "replace") + b"\n")
    return counts, None


def in_memory(extractor, path):
    """Extraction alone from text, as for the Rust peers, in CPU time of this thread."""
    counts = Counts()
    loaded = [extractor.decode(body) for _, body in pages(path, counts)]
    start = time.thread_time()
    for html in loaded:
        counts.out += len(guarded(extractor.of_text, html, counts))
    return counts, time.thread_time() - start


def main(arguments):
    start = time.perf_counter()
    logging.disable(logging.CRITICAL)
    match arguments:
        case ["extract-mem", name, path] if name in EXTRACTORS:
            mode = f"extract-mem {name}"
            counts, measured = in_memory(EXTRACTORS[name](), path)
        case [mode, path, out] if mode.removeprefix("fastwarc-") in EXTRACTORS:
            name = mode.removeprefix("fastwarc-")
            counts, measured = pipeline(EXTRACTORS[name](), path, out)
        case _:
            sys.exit(__doc__)

    usage = resource.getrusage(resource.RUSAGE_SELF)
    line = {
        "mode": mode,
        "version": version(name.removesuffix("-default")),
        "records": counts.records,
        "pages": counts.pages,
        "body_mb": counts.body / 1e6,
        "out_mb": counts.out / 1e6,
        "text_chars": None,
        "cpu_s": usage.ru_utime + usage.ru_stime if measured is None else measured,
        "wall_s": time.perf_counter() - start,
        "rss_mb": usage.ru_maxrss * 1024 / 1e6,
        "errors": counts.errors,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main(sys.argv[1:])
