"""Archives of any size, made from the bundled sample."""

import gzip
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def sample_records():
    """The records of the sample, uncompressed."""
    data = (ROOT / "data" / "sample.warc.gz").read_bytes()
    records = []
    while data:
        member = zlib.decompressobj(31)
        records.append(member.decompress(data) + member.flush())
        data = member.unused_data
    return records


def write_archive(path, raw_bytes, damaged_every=1000):
    """Repeats the sample up to so many bytes before compression, with new record ids. Damages two of so many members."""
    field = b"\r\nWARC-Record-ID: <urn:uuid:"
    records = sample_records()
    written = number = 0
    with open(path, "wb") as file:
        while written < raw_bytes:
            copy, which = divmod(number, len(records))
            record = records[which]
            at = record.index(field) + len(field)
            record = record[:at] + b"%08x" % copy + record[at + 8 :]
            member = bytearray(gzip.compress(record, 1, mtime=0))
            if number % damaged_every == damaged_every * 3 // 10 + 1:
                member[len(member) // 2] ^= 0xFF
            if number % damaged_every == damaged_every * 8 // 10 + 1:
                del member[len(member) // 2 :]
            file.write(member)
            written += len(record)
            number += 1
