"""Tests the server of `scripts/lab/run recorders` and its verdict over differences, without recorders."""

import contextlib
import socket
import sys
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lab"))

ENTRY = """\
[[difference]]
against = "warcio"
field = "length"
huller = "n"
other = "n-4"
reason = "because"
[difference.at]
"a" = RECORDS
"""


@unittest.skipIf(sys.version_info < (3, 11), "the recorders need Python 3.11")
class Recorders(unittest.TestCase):
    def verdict(self, records, *lengths):
        """Of one file of which records (name, length) were compared with length 9, under a table with this list of records."""
        from recorders import compare, decided

        result = compare.Result("a", "maker")
        for name, length in lengths:
            result.check("warcio", "length", name, 9, length, compare.apart)
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "decided.toml"
            table.write_text(ENTRY.replace("RECORDS", records))
            with mock.patch.object(decided, "TABLE", table):
                verdict = decided.judge([result])
        return [d.record for d in verdict.undecided], [d.record for d in verdict.stale]

    def test_a_listed_difference_is_decided(self):
        self.assertEqual(self.verdict('["x"]', ("x", 5), ("y", 9)), ([], []))

    def test_a_difference_that_is_not_listed_is_undecided(self):
        self.assertEqual(self.verdict('["x"]', ("x", 5), ("y", 5)), (["y"], []))

    def test_another_difference_at_a_listed_place_is_undecided(self):
        self.assertEqual(self.verdict('["x"]', ("x", 6)), (["x"], ["x"]))

    def test_a_listed_difference_that_does_not_occur_is_stale(self):
        self.assertEqual(self.verdict('["x", "y"]', ("x", 5)), ([], ["y"]))

    def test_a_star_stands_for_every_record(self):
        self.assertEqual(self.verdict('["*"]', ("x", 5), ("y", 5)), ([], []))
        self.assertEqual(self.verdict('["*"]', ("x", 5), ("y", 9)), ([], ["y"]))

    def test_entries_are_read_back_as_they_were_written(self):
        import tomllib

        from recorders.decided import entry

        values = ["truth", "field", 'a "b"\\\t', "ü\r\n"]
        found = tomllib.loads(entry(*values, {"file": ["x", '"']}, "why"))["difference"][0]
        self.assertEqual([found[key] for key in ["against", "field", "huller", "other"]], values)
        self.assertEqual((found["at"], found["reason"]), ({"file": ["x", '"']}, "why"))

    def test_the_server_sends_the_bytes_of_a_case(self):
        from recorders.cases import BY_PATH
        from recorders.server import serving

        with serving() as address:
            for path in ["/chunked-odd", "/head-none-at-all", "/query?a=1&b=%3Ctag%3E&c=[x]|y"]:
                self.assertEqual(ask(address, f"GET {path} HTTP/1.1"), BY_PATH[path].wire)
            head = ask(address, "HEAD /plain HTTP/1.1")
            self.assertTrue(head.endswith(b"\r\n\r\n") and BY_PATH["/plain"].wire.startswith(head))

    def test_stored_blocks_of_zstd_and_brotli_hold_their_data(self):
        from recorders import pages

        data = zlib.compress(b"some bytes" * 40, 0)
        self.assertEqual((pages.brotli(data)[3:-1], pages.zstd(data)[10:]), (data, data))


def ask(address, line):
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(f"{line}\r\nHost: x\r\n\r\n".encode())
        parts = []
        with contextlib.suppress(ConnectionResetError):
            while part := connection.recv(1 << 16):
                parts.append(part)
    return b"".join(parts)


if __name__ == "__main__":
    unittest.main()
