"""A large corpus with damage of all kinds in it, and a list of what was done: for scripts/long-run.py.

The records are those of the bundled sample over and over, each with an id of its own. About one in a hundred is spoilt, by a
seeded choice of kind; between two of them at least one is sound. The list says of every record what is to become of it, in
the words of the account, and where in its file it lies. Nothing here knows how the program works.
"""

import gzip
import json
import random
import re
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ID = re.compile(rb"\r\nWARC-Record-ID: <urn:uuid:([0-9a-f-]{36})>")
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")
RATE = 100


def sample():
    """Records of the sample, uncompressed, of which the program makes a row; and those of which it makes none."""
    data = (ROOT / "data" / "sample.warc.gz").read_bytes()
    pages, others = [], []
    while data:
        member = zlib.decompressobj(31)
        record = member.decompress(data) + member.flush()
        data = member.unused_data
        head, _, block = record.partition(b"\r\n\r\n")
        is_page = b"WARC-Type: response" in head and re.match(rb"HTTP/1.\d 2", block) and b"text/html" in block[:2000].lower()
        if is_page:
            pages.append(record)
        elif b"WARC-Type: warcinfo" in head:
            others.append((record, "warcinfo"))
    return pages, others


def named(record, number):
    """The record with an id of its own."""
    name = "%08x-0000-4000-8000-%012d" % (number, number)
    found = ID.search(record)
    return record[: found.start(1)] + name.encode() + record[found.end(1) :], name


def record(number, head, block):
    name = "%08x-0000-4000-8000-%012d" % (number, number)
    lines = "WARC/1.1\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2026-01-16T05:00:00Z\r\n" % name
    lines += "".join(line + "\r\n" for line in head) + "Content-Length: %d\r\n\r\n" % len(block)
    return lines.encode() + block + b"\r\n\r\n", name


RESPONSE = ["WARC-Type: response", "WARC-Target-URI: http://example.test/", "Content-Type: application/http; msgtype=response"]


def http(status, content_type, body, *more):
    lines = ["HTTP/1.1 " + status, "Content-Type: " + content_type, *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class Damage:
    """Each kind gives the bytes that take the record's place, the reason for which it gives no row (or None), and the mending."""

    def __init__(self, chance):
        self.chance = chance
        deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
        self.bomb = b"".join(deflate.compress(bytes(1 << 20)) for _ in range(64)) + deflate.flush()

    def garbage(self):
        """Bytes in which no member and no record begins."""
        return bytes(self.chance.randrange(32, 87) for _ in range(self.chance.randrange(20, 3000)))

    # On the plain record.
    def length_missing(self, plain):
        return LENGTH.sub(b"\r\n", plain, count=1), "bad_content_length", None

    def length_no_number(self, plain):
        return LENGTH.sub(b"\r\nContent-Length: 12x\r\n", plain, count=1), "bad_content_length", None

    def length_too_long(self, plain):
        more = lambda found: b"\r\nContent-Length: %d\r\n" % (int(found.group(1)) + 50)  # noqa: E731
        return LENGTH.sub(more, plain, count=1), None, "content_length_too_long"

    def no_version(self, plain):
        return b"WARX/1.1" + plain[8:], "garbage", None

    def status(self, number):
        return record(number, RESPONSE, http("404 Not Found", "text/html", b"<p>gone"))[0], "status", None

    def picture(self, number):
        return record(number, RESPONSE, http("200 OK", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(2000)))[0], "not_html", None

    def bomb_in_body(self, number):
        return record(number, RESPONSE, http("200 OK", "text/html", self.bomb, "Content-Encoding: gzip"))[0], "decode_ratio", None

    def layers(self, number):
        coding = "Content-Encoding: " + ", ".join(["gzip"] * 9)
        body = b"x"
        for _ in range(9):
            body = gzip.compress(body, 1)
        return record(number, RESPONSE, http("200 OK", "text/html", body, coding))[0], "too_many_encodings", None

    def endless_head(self, number):
        return record(number, RESPONSE, b"HTTP/1.1 200 OK\r\nContent-Type: text/html")[0], "bad_http_head", None

    def empty(self, number):
        return record(number, RESPONSE, b"")[0], "empty_block", None

    def request(self, number):
        return record(number, ["WARC-Type: request"], b"GET / HTTP/1.1\r\n\r\n")[0], "request", None

    # On the member.
    def flipped(self, packed):
        """Bits of the compressed data, such that they are none any more."""
        while True:
            at = self.chance.randrange(20, len(packed) - 100)
            spoilt = packed[:at] + bytes(byte ^ 0xFF for byte in packed[at : at + 64]) + packed[at + 64 :]
            try:
                zlib.decompress(spoilt[10:-8], -15)
            except zlib.error:
                # Or the header already reads wrong.
                return spoilt, "corrupt_member or bad_content_length", None

    def cut(self, packed):
        return packed[: self.chance.randrange(len(packed) // 3, len(packed) * 2 // 3)], "corrupt_member", None

    def checksum(self, packed):
        return packed[:-8] + bytes(byte ^ 0x55 for byte in packed[-8:-4]) + packed[-4:], None, "checksum_mismatch"


OF_PLAIN = ["length_missing", "length_no_number", "no_version"]
OF_NUMBER = ["status", "picture", "bomb_in_body", "layers", "endless_head", "empty", "request"]
OF_MEMBER = ["flipped", "cut", "checksum"]
BETWEEN = ["garbage", "zeros", "empty_member"]


def write_file(path, raw_bytes, number, damage, listed):
    """One archive of about so many bytes uncompressed, gzip unless it is called .warc; gives the next number and what was written."""
    chance, is_gzip = damage.chance, path.suffix == ".gz"
    pages, _ = SAMPLE
    pack = (lambda plain: gzip.compress(plain, 1, mtime=0)) if is_gzip else (lambda plain: plain)
    kinds = OF_PLAIN + OF_NUMBER + (OF_MEMBER + BETWEEN + ["length_too_long"] if is_gzip else ["garbage"])
    raw = offset = 0
    was_spoilt = True
    with open(path, "wb") as file:
        while raw < raw_bytes:
            plain, name = named(pages[number % len(pages)], number)
            kind, reason, repair = "", None, None
            if not was_spoilt and chance.randrange(RATE) == 0:
                kind = chance.choice(kinds)
            was_spoilt = bool(kind)
            raw += len(plain)
            if kind in BETWEEN:
                junk = {"garbage": damage.garbage, "zeros": lambda: bytes(512), "empty_member": lambda: gzip.compress(b"", mtime=0)}[kind]()
                file.write(junk)
                if kind != "empty_member":
                    listed({"file": path.name, "offset": offset, "kind": kind, "reason": "garbage"})
                offset += len(junk)
                packed = pack(plain)
            elif kind in OF_PLAIN or kind == "length_too_long":
                plain, reason, repair = getattr(damage, kind)(plain)
                packed = pack(plain)
            elif kind in OF_NUMBER:
                plain, reason, repair = getattr(damage, kind)(number)
                packed = pack(plain)
            elif kind in OF_MEMBER:
                packed, reason, repair = getattr(damage, kind)(pack(plain))
            else:
                packed = pack(plain)
            listed({"file": path.name, "offset": offset, "id": name, "kind": kind, "reason": reason, "repair": repair})
            file.write(packed)
            offset += len(packed)
            number += 1
    return number, raw


SAMPLE = sample()


def write_corpus(folder, raw_bytes, seed, listing):
    """Archives of up to 400 MB uncompressed each, every eighth one not compressed; the list goes to `listing`."""
    folder.mkdir(parents=True)
    damage, number, raw, place = Damage(random.Random(seed)), 0, 0, 0
    with open(listing, "w") as out:
        while raw < raw_bytes:
            # Not the last: memory at the end is compared with memory near the beginning.
            name = "part-%04d.warc%s" % (place, "" if place % 8 == 3 else ".gz")
            size = min(400_000_000, raw_bytes - raw)
            number, written = write_file(folder / name, size, number, damage, lambda entry: out.write(json.dumps(entry) + "\n"))
            raw, place = raw + written, place + 1
    return raw, place
