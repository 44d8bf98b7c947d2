"""Tests every converter on a tiny checkout made here, and checks the files that it writes."""

import gzip
import io
import json
import sys
import tarfile
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import cleaneval  # noqa: E402
import convert  # noqa: E402
import cwced_zh  # noqa: E402
import dragnet  # noqa: E402
import pages as pages_module  # noqa: E402
import scrapinghub  # noqa: E402
import trafilatura  # noqa: E402
import wcxb  # noqa: E402
from pages import Page, UnknownLayout  # noqa: E402

HTML = b"<html><body><p>Rain fell.</p></body></html>"


class Checkout(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def put(self, path, data):
        if not isinstance(data, bytes):
            data = (data if isinstance(data, str) else json.dumps(data)).encode("utf-8")
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Scrapinghub(Checkout):
    def test_pages(self):
        key = "0123456789abcdef" * 4
        self.put("ground-truth.json", {key: {"articleBody": "Rain fell.", "url": "https://a.example/1"}})
        self.put("html/%s.html.gz" % key, gzip.compress(HTML))
        (page,) = scrapinghub.pages(self.root)
        self.assertEqual((page.key, page.html, page.text), ("0123456789abcdef", HTML, "Rain fell."))
        self.assertEqual((page.url, page.charset), ("https://a.example/1", "utf-8"))

    def test_unknown_layout(self):
        self.put("ground-truth.json", {"k": {"body": "Rain"}})
        self.put("html/k.html.gz", gzip.compress(HTML))
        with self.assertRaises(UnknownLayout):
            list(scrapinghub.pages(self.root))


class Trafilatura(Checkout):
    def test_pages(self):
        gold = {"with": ["Rain"], "without": ["Menu"]}
        data = {
            "https://a.example/": {"file": "a.html", "title": "T", **gold},
            "hard::b.html": {"file": "b.html", **gold},
        }
        self.put("tests/evaldata.json", data)
        self.put("tests/cache/a.html", HTML)
        self.put("tests/eval/b.html", HTML)
        first, second = sorted(trafilatura.pages(self.root), key=lambda page: page.key)
        self.assertEqual((first.key, first.url, first.title, first.text), ("a", "https://a.example/", "T", None))
        self.assertEqual((first.with_snippets, first.without_snippets), (["Rain"], ["Menu"]))
        self.assertIsNone(second.url)

    def test_too_many_pages_missing(self):
        self.put("tests/evaldata.json", {"https://a.example/": {"file": "a.html", "with": [], "without": []}})
        (self.root / "tests/cache").mkdir()
        with self.assertRaises(UnknownLayout):
            list(trafilatura.pages(self.root))


class Cleaneval(Checkout):
    def test_pages(self):
        wrapped = b"<text id=\"http://a.example/?a='b'\" title=\"T\" encoding=\"iso-8859-1\">\n" + HTML + b"\n</text>\n"
        self.put("cleaneval-final/input/12.html", wrapped)
        self.put("cleaneval-final/GoldStandard/12-cleaned.txt", "URL: http://a.example/\n\n<h>Weather\n<p>Rain fell.\n______\n")
        self.put("cleaneval-final/GoldStandard/.DS_Store", b"\0")
        (page,) = cleaneval.pages(self.root)
        self.assertEqual((page.key, page.html.strip(), page.text), ("12", HTML, "Weather\nRain fell."))
        self.assertEqual((page.url, page.charset), ("http://a.example/?a='b'", "iso8859-1"))

    def test_a_page_without_wrapper_and_an_unknown_charset(self):
        self.assertEqual(cleaneval.unwrap(HTML), (HTML, {}))
        self.assertIsNone(cleaneval.known_charset("no-such-charset"))

    def test_gold_without_pages(self):
        self.put("cleaneval-final/input/a.html", HTML)
        self.put("cleaneval-final/GoldStandard/b.txt", "Rain")
        with self.assertRaises(UnknownLayout):
            list(cleaneval.pages(self.root))


class Dragnet(Checkout):
    def test_pages(self):
        self.put("mirror/dragnet_data/input/7.html", HTML)
        data = b"Rain fell.\n!@#$%^&*()  COMMENTS\nNot here."
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            for name, content in (("Corrected/7.html.corrected.txt", data), ("Corrected/._7.html.corrected.txt", b"x")):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        self.put("gold/dragnet_Corrected.tar.gz", out.getvalue())
        (page,) = dragnet.pages(self.root / "mirror", self.root / "gold")
        self.assertEqual((page.key, page.text, page.comments), ("7", "Rain fell.", "Not here."))
        self.assertEqual(dragnet.split("Rain"), ("Rain", None))


class CwcedZh(Checkout):
    def test_pages(self):
        self.put("original/id-1.html", "<p>下雨</p>".encode("gb18030"))
        self.put("cleaned/id-1.txt", "下雨".encode("gb18030"))
        self.put("author/id-1.txt", "UNKNOWN\n")
        self.put("date/id-1.txt", "2005-05-07")
        (page,) = cwced_zh.pages(self.root)
        self.assertEqual((page.key, page.text, page.author, page.date), ("id-1", "下雨", None, "2005-05-07"))


class Wcxb(Checkout):
    def test_pages(self):
        def gold(text):
            return {
                "url": "https://a.example/",
                "_internal": {"page_type": {"primary": "forum"}},
                "ground_truth": {"title": "T", "main_content": text, "with": ["Rain"], "without": []},
            }

        for path, text, html in (
            ("dev/%s/0001", "Rain fell.", HTML),
            ("dev/%s/0002", " ", HTML + b"2"),
            ("test/%s/0001", "Rain fell.", HTML),
            ("test/%s/0002", "Snow fell.", HTML + b"3"),
        ):
            self.put(path % "ground-truth" + ".json", gold(text))
            self.put(path % "html" + ".html.gz", gzip.compress(html))
        first, second = wcxb.pages(self.root)
        self.assertEqual((first.key, first.page_type, first.with_snippets), ("dev-0001", "forum", ["Rain"]))
        self.assertEqual((second.key, second.text), ("test-0002", "Snow fell."))


class Writing(Checkout):
    def test_archive_and_gold_are_joined_by_record_id(self):
        pages = [Page("1", HTML, url="http://a.example/x\r\nX: y", charset="utf-8", text="下雨"), Page("2", HTML)]
        self.assertEqual(pages_module.write("set", pages, self.root / "out", "gz"), 2)
        warc = gzip.decompress((self.root / "out/set.warc.gz").read_bytes())
        rows = gzip.decompress((self.root / "out/set.gold.jsonl.gz").read_bytes()).decode("utf-8").splitlines()
        first, second = map(json.loads, rows)
        self.assertEqual((first["id"], first["dataset"], first["text"]), ("set/1", "set", "下雨"))
        self.assertIsNone(second["text"])
        self.assertEqual(warc.count(b"WARC/1.1\r\n"), 2)
        for row in (first, second):
            self.assertIn(row["warc_record_id"].encode(), warc)
        self.assertIn(b"WARC-Target-URI: http://a.example/x%20%20X:%20y\r\n", warc)
        self.assertIn(b"WARC-Target-URI: http://page.invalid/set/2\r\n", warc)
        self.assertIn(b"Content-Type: text/html; charset=utf-8\r\n", warc)

    def test_nothing_and_twice_the_same_are_refused(self):
        for pages in ([], [Page("1", HTML), Page("1", HTML)]):
            with self.assertRaises(UnknownLayout):
                pages_module.write("set", pages, self.root, "gz")

    def test_encodings_of_gold(self):
        for data in ("é".encode("utf-8"), "é".encode("utf-8-sig"), "é".encode("utf-16"), "é".encode("cp1252")):
            self.assertEqual(pages_module.decode(data), "é")

    def test_an_unknown_layout_is_said_and_nothing_written(self):
        said = io.StringIO()
        with redirect_stderr(said), redirect_stdout(io.StringIO()):
            status = convert.main(["scrapinghub", str(self.root), "--out", str(self.root / "out"), "--compression", "gz"])
        self.assertEqual(status, 1)
        self.assertIn("unknown layout: ground-truth.json is missing", said.getvalue())
        self.assertFalse((self.root / "out").exists())

    def test_the_whole_way(self):
        self.put("original/id-1.html", HTML)
        self.put("cleaned/id-1.txt", "Rain fell.")
        with redirect_stdout(io.StringIO()) as said:
            status = convert.main(["cwced_zh", str(self.root), "--out", str(self.root / "out"), "--compression", "gz"])
        self.assertEqual((status, said.getvalue()), (0, "cwced_zh: 1 pages\n"))


if __name__ == "__main__":
    unittest.main()
