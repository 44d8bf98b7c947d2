"""Writing WARC/1.1 records for the bundled sample. Standard library only.

Everything here is a pure function of its arguments, so that the same pages
always give the same bytes (with the same zlib, and for .zst the same zstd).
"""

import base64
import hashlib
import shutil
import struct
import subprocess
import uuid
import zlib

FORMATS = ("warc", "warc.gz", "warc.zst")


def record_id(name):
    """A record id that depends on `name` alone (UUIDv5, URL namespace)."""
    return "<urn:uuid:%s>" % uuid.uuid5(uuid.NAMESPACE_URL, name)


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode("ascii")


def record(warc_type, rec_id, date, block, fields=(), content_type=None):
    """One record, uncompressed. `fields` are (name, value) pairs."""
    head = [("WARC-Type", warc_type), ("WARC-Record-ID", rec_id), ("WARC-Date", date)]
    head.extend(fields)
    head.append(("WARC-Block-Digest", sha1(block)))
    if content_type:
        head.append(("Content-Type", content_type))
    head.append(("Content-Length", str(len(block))))
    lines = ["WARC/1.1"] + ["%s: %s" % pair for pair in head]
    return "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + block + b"\r\n\r\n"


def gzip_member(data):
    """A gzip member at level 9 with mtime 0.

    Not gzip.compress(): its header bytes differ between Python versions.
    """
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 8)
    body = deflate.compress(data) + deflate.flush()
    return (
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
        + body
        + struct.pack("<II", zlib.crc32(data) & 0xFFFFFFFF, len(data) & 0xFFFFFFFF)
    )


def zstd_frame(data):
    """One zstd frame, made by the command line program."""
    program = shutil.which("zstd")
    if program is None:
        raise SystemExit("error: writing .warc.zst needs the program `zstd`, which is not on the PATH")
    done = subprocess.run(
        [program, "-q", "-c", "-9", "--single-thread", "--stream-size=%d" % len(data)],
        input=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if done.returncode != 0:
        raise SystemExit("error: zstd failed: " + done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def pack(data, container):
    """A record as it stands in a file of that container format."""
    if container == "warc":
        return data
    if container == "warc.gz":
        return gzip_member(data)
    if container == "warc.zst":
        return zstd_frame(data)
    raise ValueError("unknown container: " + container)


def chunked(body):
    """`body` in the chunked transfer coding, with chunks of uneven sizes."""
    sizes = (1371, 4096, 7, 8192)
    out, at, turn = [], 0, 0
    while at < len(body):
        piece = body[at : at + sizes[turn % len(sizes)]]
        out.append(b"%x\r\n" % len(piece) + piece + b"\r\n")
        at += len(piece)
        turn += 1
    out.append(b"0\r\n\r\n")
    return b"".join(out)


def encode_body(body, transfer):
    """(content-coded body, body as sent, header lines) for a transfer of INDEX.tsv."""
    coded, headers = body, []
    if transfer in ("gzip", "chunked+gzip"):
        coded = gzip_member(body)
        headers.append(("Content-Encoding", "gzip"))
    elif transfer == "deflate":
        coded = zlib.compress(body, 9)
        headers.append(("Content-Encoding", "deflate"))
    elif transfer not in ("identity", "chunked"):
        raise SystemExit("error: unknown transfer coding: " + transfer)
    if transfer.startswith("chunked"):
        headers.append(("Transfer-Encoding", "chunked"))
        return coded, chunked(coded), headers
    headers.append(("Content-Length", str(len(coded))))
    return coded, coded, headers


def http_response(status, reason, headers, sent):
    lines = ["HTTP/1.1 %d %s" % (status, reason)] + ["%s: %s" % pair for pair in headers]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + sent


def response(url, date, status, reason, headers, body, transfer="identity", rec_name=None):
    """A response record. Returns (record bytes, payload digest).

    The payload is the body without its transfer coding but with its content
    coding, as the standard has it, so that is what the digest is taken of.
    """
    coded, sent, more = encode_body(body, transfer)
    block = http_response(status, reason, list(headers) + more, sent)
    digest = sha1(coded)
    data = record(
        "response",
        record_id(rec_name or url),
        date,
        block,
        [("WARC-Target-URI", url), ("WARC-Payload-Digest", digest)],
        "application/http; msgtype=response",
    )
    return data, digest
