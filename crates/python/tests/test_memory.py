"""Memory is bounded, whatever an archive inflates to."""

import gzip
import subprocess
import sys

import pytest

RECORDS = 24
BLANKS = 50_000_000
# Bytes: the program's bound for one thread without its reserve for many pages in flight, and what
# Python and Arrow take.
MOST = 640 << 20

READ = r"""
import huller, re, sys
if sys.argv[1] == "read_warc":
    count = sum(1 for record in huller.read_warc(sys.argv[2]) if record.payload)
else:
    count = sum(batch.num_rows for batch in huller.stream(sys.argv[2]))
# The peak that the kernel reports for a process includes that of the one which started it.
peak = re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())
print(count, int(peak[1]) << 10)
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
    command = [sys.executable, "-c", READ, reader, str(path)]
    count, most = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert int(count) == RECORDS
    assert int(most) < MOST < RECORDS * BLANKS
