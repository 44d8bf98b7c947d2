#!/usr/bin/env python3
"""Runs one Python peer over one attack, and writes each row at once, since the peer may be killed at any moment.

usage: hostile.py fastwarc-resiliparse FILE OUT
       hostile.py warcio-trafilatura FILE OUT

Calls both as their users do: HTML responses only, a page that raises gives an empty row, and the
file ends where the reader ends it. warcio decodes transfer and content encodings. FastWARC decodes
only the transfer encoding, because with both it silently ends the file after a body that has both.
"""

import json
import logging
import sys

from pipe import EXTRACTORS


def fastwarc_pages(path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(path, record_types=WarcRecordType.response, auto_decode="transfer"):
        if "html" in (record.http_content_type or "").lower():
            yield record.headers.get("WARC-Target-URI"), record.reader.read


def warcio_pages(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response" or not record.http_headers:
                continue
            if "html" in (record.http_headers.get_header("Content-Type") or "").lower():
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read


def text_of(extract, read):
    """The text of a page; one that raises is empty."""
    try:
        return extract(read()) or ""
    except Exception:  # noqa: BLE001 - whatever a peer raises is an error of that peer
        return ""


def main(arguments):
    logging.disable(logging.CRITICAL)
    match arguments:
        case ["fastwarc-resiliparse", path, out]:
            pages, extract = fastwarc_pages(path), EXTRACTORS["resiliparse"]().of_bytes
        case ["warcio-trafilatura", path, out]:
            pages, extract = warcio_pages(path), EXTRACTORS["trafilatura"]().of_bytes
        case _:
            sys.exit(__doc__)
    with open(out, "wb", buffering=0) as rows:
        for url, read in pages:
            row = json.dumps({"url": url, "text": text_of(extract, read)}, ensure_ascii=False)
            rows.write(row.encode("utf-8", "replace") + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
