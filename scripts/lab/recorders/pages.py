"""The bodies that the server sends: short pages in several encodings, and files of other types."""

import gzip
import struct
import zlib

PARAGRAPHS = [
    "The ferry that crosses the bay has been out of service since the first storm of the winter, and the town has learned to wait.",
    "On Thursday the council heard that the new winch has arrived, that it fits, and that the crossing may open again before Easter.",
    "Until then the bus takes the long way around the water, which costs its passengers forty minutes and the company some diesel.",
]


def sentence(name):
    """A sentence that only the page of this case has. The accents are in windows-1252, not in ASCII."""
    return f"A visitor wrote “{name}” in the guest book of the café above the old harbour, and the landlady read it aloud."


def page(name, *, sentence_too=None, head="", before="<!DOCTYPE html>\n", root="<html lang=en>"):
    """A page as text, with the sentence of the case in the midst of an article."""
    middle = sentence_too or sentence(name)
    paragraphs = "\n".join(f"<p>{text}</p>" for text in [PARAGRAPHS[0], middle, *PARAGRAPHS[1:]])
    return (
        f"{before}{root}<head><title>Harbour notes: {name}</title>{head}</head>\n"
        f"<body><article><h1>Harbour notes</h1>\n{paragraphs}\n</article></body></html>\n"
    )


def large_page(name, size):
    """A page of `size` bytes or a little more."""
    filler = "\n".join(f"<p>{number}. {PARAGRAPHS[number % 3]}</p>" for number in range(size // 130))
    return page(name).replace("</article>", f"{filler}</article>")


def gzipped(data):
    return gzip.compress(data, 9, mtime=0)


def raw_deflate(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def brotli(data):
    """A brotli stream of one stored block: the standard library has no brotli (RFC 7932, section 9.2)."""
    assert 0 < len(data) <= 1 << 16
    return ((len(data) - 1) << 4 | 1 << 20).to_bytes(3, "little") + data + b"\x03"


def zstd(data):
    """A zstd frame of one stored block: the standard library of Python 3.11 has no zstd (RFC 8878, section 3.1)."""
    assert 256 <= len(data) < 1 << 16
    return b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(data) - 256) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def chunked(data, size=700, extension=b"", trailer=b""):
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts) + b"0\r\n" + trailer + b"\r\n"


def png(side=16):
    """A picture of `side` by `side` points."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(range(line, line + 3 * side)) for line in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def pdf(title="empty"):
    """A document with one empty page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"<< /Type /Page /Parent 2 0 R >>"]
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n% " + title.encode() + b"\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 4\n0000000000 65535 f \n" + table + b"trailer << /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)
