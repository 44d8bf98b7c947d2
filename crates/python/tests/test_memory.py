"""Memory is bounded, whatever an archive inflates to."""

import gzip
import subprocess
import sys

import pytest

RECORDS = 24
BLANKS = 50_000_000
# Bytes: the program's bound for one thread without its reserve for many pages in flight, and what
# Python and Arrow take.
MAX_RSS_BYTES = 640 << 20

PEAK = r"""
import re
# The peak that the kernel reports for a process includes that of the one which started it.
peak = re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())
print(count, int(peak[1]) << 10)
"""

READ = r"""
import huller, sys
if sys.argv[1] == "read_warc":
    count = sum(1 for record in huller.read_warc(sys.argv[2]) if record.payload)
else:
    count = sum(batch.num_rows for batch in huller.stream(sys.argv[2]))
"""

INDEX = r"""
import huller, sys
huller.index(sys.argv[1], sys.argv[1] + ".index", memory=1 << 26)
count = len(huller.search(sys.argv[1] + ".index", "ferry", limit=None))
"""


@pytest.mark.parametrize("reader", ["read_warc", "stream"])
def test_records_that_inflate_to_much_are_not_held_together(tmp_path, reader):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Rain fell all day.</p>"
    fields = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
    )
    record = fields % (len(head) + BLANKS) + head + b" " * BLANKS + b"\r\n\r\n"
    member = gzip.compress(record, 6)
    path = tmp_path / "blanks.warc.gz"
    path.write_bytes(member * RECORDS)
    count, most = peak(READ, reader, str(path))
    assert count == RECORDS
    assert most < MAX_RSS_BYTES < RECORDS * BLANKS


def peak(code, *args):
    """Runs code that sets `count`. Returns it and the peak of its memory in bytes."""
    command = [sys.executable, "-c", code + PEAK, *args]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    count, most = ran.stdout.split()
    return int(count), int(most)


def test_long_rows_that_wait_for_the_index_are_not_held_together(tmp_path):
    rows = 2000
    text = "The ferry came late. " * 12_000
    path = tmp_path / "long.jsonl"
    path.write_text("".join(f'{{"id":"{number}","text":"{text}"}}\n' for number in range(rows)))
    count, most = peak(INDEX, str(path))
    assert count == rows
    assert most < 320 << 20 < path.stat().st_size
