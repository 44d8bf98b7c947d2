#!/usr/bin/env python3
"""Write small archives, sound and damaged, to test recovery with.

    make-damaged.py OUT_DIR

Takes the first twenty pages of the sample as twenty response records and
writes them as .warc, .warc.gz and .warc.zst, once undamaged and once for each
kind of damage. manifest.json says which record was damaged in which file and
which records a reader is expected to give back.

Python 3.9 or newer, standard library only; needs the program zstd.
"""

import argparse
import importlib.util
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import warcwriter as ww  # noqa: E402

COUNT = 20
# kind: (damaged record, what is done to it, is it lost)
KINDS = {
    "flipped": (7, "bytes inside the record are inverted", True),
    "cut-member": (11, "the second half of the record is missing; the next one follows directly", True),
    "wrong-version": (4, "the record begins with WARX/1.0", True),
    "content-length": (14, "Content-Length is 50 too big", False),
    "cut-file": (COUNT - 1, "the file ends in the middle of its last record", True),
}


def load_sample_script():
    spec = importlib.util.spec_from_file_location("make_sample", HERE / "make-sample.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def invert(data, start, end):
    return data[:start] + bytes(b ^ 0xFF for b in data[start:end]) + data[end:]


def flip_plain(record):
    """Spoil the version line and the digits of Content-Length."""
    record = invert(record, 0, 8)
    digits = re.search(rb"\r\nContent-Length: (\d+)\r\n", record)
    return invert(record, digits.start(1), digits.end(1))


def flip_packed(data):
    """Spoil a run of bytes in the middle of the compressed data."""
    middle = len(data) // 2
    return invert(data, middle - 32, middle + 32)


def cut_block(record):
    """Drop the second half of the block; the head keeps the old length."""
    block = record.index(b"\r\n\r\n") + 4
    return record[: block + (len(record) - 4 - block) // 2]


def lengthen(record):
    def more(found):
        return b"\r\nContent-Length: %d\r\n" % (int(found.group(1)) + 50)

    # The first match is the field of the WARC head; HTTP heads come after it.
    return re.sub(rb"\r\nContent-Length: (\d+)\r\n", more, record, count=1)


def damage(kind, container, record, packed):
    """The bytes that stand in place of `packed`, which holds `record`."""
    if kind == "flipped":
        return flip_plain(record) if container == "warc" else flip_packed(packed)
    if kind == "cut-member":
        return cut_block(record) if container == "warc" else packed[: len(packed) // 2]
    if kind == "wrong-version":
        return ww.pack(b"WARX/1.0" + record[8:], container)
    if kind == "content-length":
        return ww.pack(lengthen(record), container)
    if kind == "cut-file":
        return packed[: len(packed) // 2]
    raise ValueError(kind)


def main():
    parser = argparse.ArgumentParser(description="Write sound and damaged archives of twenty records.")
    parser.add_argument("out_dir", type=Path)
    out_dir = parser.parse_args().out_dir
    out_dir.mkdir(parents=True, exist_ok=True)

    sample = load_sample_script()
    rows = sample.read_index()[:COUNT]
    records = [sample.page_response(row, n)[0] for n, row in enumerate(rows, start=1)]
    ids = [ww.record_id(row["url"]) for row in rows]

    files = []
    for container in ww.FORMATS:
        packed = [ww.pack(record, container) for record in records]
        name = "whole." + container
        (out_dir / name).write_bytes(b"".join(packed))
        files.append(
            {
                "file": name,
                "container": container,
                "kind": "none",
                "damaged": None,
                "expected_count": COUNT,
                "expected": ids,
            }
        )
        for kind, (at, what, lost) in KINDS.items():
            name = "%s.%s" % (kind, container)
            spoiled = damage(kind, container, records[at], packed[at])
            (out_dir / name).write_bytes(b"".join(packed[:at] + [spoiled] + packed[at + 1 :]))
            expected = [rec_id for i, rec_id in enumerate(ids) if not (lost and i == at)]
            files.append(
                {
                    "file": name,
                    "container": container,
                    "kind": kind,
                    "what": what,
                    "damaged": {"position": at, "warc_record_id": ids[at], "url": rows[at]["url"]},
                    "expected_count": len(expected),
                    "expected": expected,
                }
            )
    manifest = {"records": COUNT, "files": files}
    (out_dir / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
