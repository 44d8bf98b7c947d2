"""Prints the records that warcio and FastWARC find in an archive, as JSON. Needs both packages.

    readers.py FILE

Prints `{"warcio": [record, …], "fastwarc": [record, …]}`. A record has `offset`, `length`, `type`,
`id`, `uri`, `date`, `status`, `content_type`, `payload` and `stored`. `content_type` is that of
HTTP for responses and revisits, otherwise that of the WARC header. `payload` is the length and the
SHA-1 of the body after de-chunking and decoding. It is that of the block for records without an
HTTP head, and null for requests. `stored` is the length and the SHA-1 after de-chunking alone. If a
reader refuses a value, the name of its exception replaces it.
"""

import base64
import hashlib
import io
import json
import os
import sys

import fastwarc.warc
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader

# Record types whose HTTP head describes the page.
WITH_HEAD = ("response", "revisit")


def digest(data):
    return [len(data), hashlib.sha1(data).hexdigest()]


def attempt(read):
    """What `read` gives, or the name of the exception."""
    try:
        return read()
    except Exception as error:
        return type(error).__name__


def content_type(kind, http_header, warc_header):
    """That of the payload; a request has none here."""
    if kind == "request":
        return None
    return (http_header or warc_header)("Content-Type")


def by_warcio(path):
    records = []
    with open(path, "rb") as file:
        archive = ArchiveIterator(file)
        for record in archive:
            header = record.rec_headers.get_header
            head = record.http_headers if record.rec_type in WITH_HEAD else None
            found = {"type": record.rec_type, "has_head": head is not None}
            found |= {"id": header("WARC-Record-ID"), "uri": header("WARC-Target-URI"), "date": header("WARC-Date")}
            found["status"] = int(head.get_statuscode()) if head and head.get_statuscode().isdigit() else None
            found["content_type"] = content_type(record.rec_type, head.get_header if head else None, header)
            found["payload_digest"] = header("WARC-Payload-Digest")
            found["payload"] = attempt(lambda: digest(record.content_stream().read())) if head else None
            found["stored"] = None
            # These two calls read to the end of the record, so they come last.
            found |= {"offset": archive.get_record_offset(), "length": archive.get_record_length()}
            records.append(found)
    with open(path, "rb") as file:
        for found, record in zip(records, ArchiveIterator(file), strict=True):
            if found["has_head"]:
                found["stored"] = attempt(lambda: stored(record.http_headers, record.raw_stream.read()))
    with open(path, "rb") as file:
        for found, record in zip(records, ArchiveIterator(file, no_record_parse=True), strict=True):
            if found["type"] != "request" and not found["has_head"]:
                found["payload"] = found["stored"] = digest(record.raw_stream.read())
    return records


def stored(head, raw):
    """The payload that a digest is taken of."""
    if "chunked" in (head.get_header("Transfer-Encoding") or "").lower():
        raw = ChunkedDataReader(io.BytesIO(raw)).read()
    return [*digest(raw), base64.b32encode(hashlib.sha1(raw).digest()).decode()]


def by_fastwarc(path):
    records = []
    for record in fastwarc.warc.ArchiveIterator(path, parse_http=True, fsspec_args=False):
        kind = str(record.record_type)
        head = record.http_headers if kind in WITH_HEAD and record.is_http_parsed else None
        header = record.headers.get
        found = {"offset": record.stream_pos, "type": kind, "has_head": head is not None}
        found |= {"id": header("WARC-Record-ID"), "uri": header("WARC-Target-URI"), "date": header("WARC-Date")}
        found["status"] = head.status_code if head else None
        found["content_type"] = content_type(kind, head.get if head else None, header)
        records.append(found)
    ends = [found["offset"] for found in records[1:]] + [os.path.getsize(path)]
    with open(path, "rb") as file:
        for found, end in zip(records, ends, strict=True):
            found["length"] = end - found["offset"]
            file.seek(found["offset"])
            member = file.read(found["length"])
            found["payload"] = None if found["type"] == "request" else attempt(lambda: fast_payload(member, found["has_head"]))
    return records


def fast_payload(member, has_head):
    """The payload of a record by itself: a body that FastWARC cannot decode ends its walk through the file."""
    mode = {"parse_http": True, "auto_decode": "all"} if has_head else {"parse_http": False}
    for record in fastwarc.warc.ArchiveIterator(io.BytesIO(member), **mode):
        return digest(record.reader.read())
    raise EOFError


if __name__ == "__main__":
    path = sys.argv[1]
    json.dump({name: attempt(lambda: read(path)) for name, read in [("warcio", by_warcio), ("fastwarc", by_fastwarc)]}, sys.stdout)
