"""Compares records of .warc.gz files independently of the zlib that compressed them.

zlib and zlib-ng write different bytes for the same data. They change only the gzip members, HTTP
bodies with a content coding, and their lengths and digests. Standard library only.
"""

import re
import zlib

import warcwriter as ww

DEPEND_ON_ZLIB = {"content-length", "warc-block-digest", "warc-payload-digest"}
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def members(data):
    """The content of each gzip member."""
    while data:
        member = zlib.decompressobj(31)
        yield member.decompress(data) + member.flush()
        data = member.unused_data


def fields(lines):
    """(name, value) of each header line."""
    return [tuple(line.split(": ", 1)) for line in lines]


def unchunked(body):
    """A body without its chunked transfer coding."""
    parts = []
    while body:
        size, _, body = body.partition(b"\r\n")
        parts.append(body[: int(size, 16)])
        body = body[int(size, 16) + 2 :]
    return b"".join(parts)


def image_data(png):
    """A PNG with the first IDAT chunk inflated."""
    at = png.index(b"IDAT")
    length = int.from_bytes(png[at - 4 : at], "big")
    return png[: at - 4], zlib.decompress(png[at + 4 : at + 4 + length]), png[at + 8 + length :]


def http_message(block):
    """(start line, header fields, decoded body, payload digest) of an HTTP message."""
    head, _, body = block.partition(b"\r\n\r\n")
    start, *lines = head.decode("ascii").split("\r\n")
    named = fields(lines)
    value = {name.lower(): value for name, value in named}
    if "chunked" in value.get("transfer-encoding", ""):
        body = unchunked(body)
    digest = ww.sha1(body)
    if body and "content-encoding" in value:
        body = zlib.decompress(body, 47)  # gzip or zlib, by its header
    if body.startswith(PNG_MAGIC):
        body = image_data(body)
    return start, [field for field in named if field[0].lower() not in DEPEND_ON_ZLIB], body, digest


def decoded(record):
    """A record as a value to compare. Raises ValueError if its lengths or digests are not those of its own bytes."""
    head, _, rest = record.partition(b"\r\n\r\n")
    version, *lines = head.decode("utf-8").split("\r\n")
    named = fields(lines)
    value = dict(named)
    block = rest[: int(value["Content-Length"])]
    if rest[len(block) :] != b"\r\n\r\n" or value["WARC-Block-Digest"] != ww.sha1(block):
        raise ValueError("length or block digest of %s is wrong" % value["WARC-Record-ID"])
    content = block
    if re.match("application/http", value["Content-Type"]):
        *content, digest = http_message(block)
        if value["WARC-Type"] == "response" and value["WARC-Payload-Digest"] != digest:
            raise ValueError("payload digest of %s is wrong" % value["WARC-Record-ID"])
    return version, [field for field in named if field[0].lower() not in DEPEND_ON_ZLIB], content


def differences(found, expected):
    """What differs between two archives, one string each; bytes of archives."""
    try:
        ours, theirs = ([decoded(record) for record in members(data)] for data in (found, expected))
    except (ValueError, KeyError, zlib.error) as error:
        return ["cannot be read: %s" % error]
    if len(ours) != len(theirs):
        return ["%d records instead of %d" % (len(ours), len(theirs))]
    return ["record %d (%s) differs" % (number, dict(new[1])["WARC-Record-ID"]) for number, (old, new) in enumerate(zip(ours, theirs), 1) if old != new]
