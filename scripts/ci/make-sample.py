#!/usr/bin/env python3
"""Builds data/sample.warc.gz and data/gold.jsonl from data/pages and data/gold.

    make-sample.py                          write both files
    make-sample.py --check                  compare both files with the pages record by record, and the gold with the pages
    make-sample.py --out F --format warc    write the same records elsewhere

Python 3.9 or newer, standard library only; .warc.zst needs the program zstd.
"""

import argparse
import datetime
import json
import re
import struct
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import warcwriter as ww  # noqa: E402
from decoded_records import differences  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
COLUMNS = ["file", "url", "content_type", "status", "page_type", "lang", "has_article", "transfer"]
PAGE_TYPES = {"article", "forum", "product", "documentation", "listing", "collection", "service", "other"}
SERVERS = ["nginx", "Apache/2.4.57 (Debian)", "nginx/1.24.0", "Caddy", "Microsoft-IIS/10.0", "LiteSpeed"]
START = datetime.datetime(2026, 1, 16, 5, 0, 0)


def stamp(n):
    """The fixed time of the n-th fetch."""
    return START + datetime.timedelta(minutes=47 * n, seconds=13 * n)


def warc_date(when):
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def http_date(when):
    days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    return "%s, %02d Jan %d %s GMT" % (days[when.weekday()], when.day, when.year, when.strftime("%H:%M:%S"))


def read_index():
    rows = []
    lines = (DATA / "pages" / "INDEX.tsv").read_text(encoding="utf-8").splitlines()
    if lines[0].split("\t") != COLUMNS:
        raise SystemExit("error: INDEX.tsv: unexpected header line")
    for line in lines[1:]:
        row = dict(zip(COLUMNS, line.split("\t")))
        row["name"] = row["file"][: -len(".html")]
        row["body"] = (DATA / "pages" / row["file"]).read_bytes()
        row["gold"] = (DATA / "gold" / (row["name"] + ".txt")).read_text(encoding="utf-8")
        rows.append(row)
    return rows


# ---------------------------------------------------------------- the archive


def tiny_png():
    """An 8 by 8 chequered PNG of one bit a pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)

    rows = b"".join(b"\x00" + (b"\xaa" if y % 2 else b"\x55") for y in range(8))
    head = struct.pack(">IIBBBBB", 8, 8, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def request(url, date):
    parts = urlsplit(url)
    path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    block = (
        "GET %s HTTP/1.1\r\nUser-Agent: hullersample/1.0\r\nAccept: text/html,*/*;q=0.8\r\n"
        "Accept-Encoding: gzip, deflate\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path, parts.netloc)
    ).encode("ascii")
    return ww.record(
        "request",
        ww.record_id("request " + url),
        date,
        block,
        [("WARC-Target-URI", url), ("WARC-Concurrent-To", ww.record_id(url))],
        "application/http; msgtype=request",
    )


def http_headers(n, content_type, extra=()):
    head = [("Date", http_date(stamp(n))), ("Server", SERVERS[n % len(SERVERS)]), ("Content-Type", content_type)]
    head.extend(extra)
    head.append(("Connection", "close"))
    return head


def page_response(row, n):
    """The response record of one page: (record bytes, payload digest)."""
    return ww.response(
        row["url"],
        warc_date(stamp(n)),
        int(row["status"]),
        "OK",
        http_headers(n, row["content_type"], [("Vary", "Accept-Encoding")] if n % 2 else []),
        row["body"],
        row["transfer"],
    )


def fields_block(pairs):
    return "".join("%s: %s\r\n" % pair for pair in pairs).encode("utf-8")


def build_records(rows):
    """All records of the sample, in order, uncompressed."""
    out = []
    info = fields_block(
        [
            ("software", "make-sample.py of huller"),
            ("format", "WARC File Format 1.1"),
            ("description", "Bundled sample: invented pages, written for this project"),
            ("license", "MIT OR Apache-2.0"),
            ("isPartOf", "huller-sample"),
        ]
    )
    out.append(
        ww.record(
            "warcinfo",
            ww.record_id("warcinfo huller-sample"),
            warc_date(START),
            info,
            [("WARC-Filename", "sample.warc.gz")],
            "application/warc-fields",
        )
    )

    first_host = urlsplit(rows[0]["url"]).netloc
    dns_block = ("20260116050000\r\n%s.\t3600\tIN\tA\t192.0.2.17\r\n" % first_host).encode("ascii")
    out.append(
        ww.record(
            "resource",
            ww.record_id("dns:" + first_host),
            warc_date(START),
            dns_block,
            [
                ("WARC-Target-URI", "dns:" + first_host),
                ("WARC-IP-Address", "192.0.2.53"),
                ("WARC-Payload-Digest", ww.sha1(dns_block)),
            ],
            "text/dns",
        )
    )

    def extra(url, n, status, reason, content_type, body, transfer="identity", more=()):
        when = warc_date(stamp(n))
        out.append(request(url, when))
        out.append(ww.response(url, when, status, reason, http_headers(n, content_type, more), body, transfer)[0])

    robots = b"User-agent: *\nDisallow: /search\nDisallow: /account\nCrawl-delay: 5\n"
    extra("https://%s/robots.txt" % first_host, 0, 200, "OK", "text/plain", robots)

    seen = {}
    for n, row in enumerate(rows, start=1):
        when = warc_date(stamp(n))
        out.append(request(row["url"], when))
        data, digest = page_response(row, n)
        out.append(data)
        seen[row["url"]] = (when, digest)
        if n == 1:
            block = fields_block([("fetchTimeMs", "412"), ("charset-detected", "UTF-8"), ("outlink", row["url"] + "#comments")])
            out.append(
                ww.record(
                    "metadata",
                    ww.record_id("metadata " + row["url"]),
                    when,
                    block,
                    [("WARC-Target-URI", row["url"]), ("WARC-Concurrent-To", ww.record_id(row["url"]))],
                    "application/warc-fields",
                )
            )
        if n == 10:
            extra(
                "https://%s/harbour/no-such-story" % first_host,
                n,
                404,
                "Not Found",
                "text/html; charset=utf-8",
                b"<!DOCTYPE html>\n<html><head><title>Not found | Marrow Bay Courier</title></head>\n"
                b"<body><h1>We cannot find that page</h1><p>It may have been washed away. "
                b'Try the <a href="/">front page</a> or the <a href="/search">search</a>.</p></body></html>\n',
            )
            extra(
                "http://%s/" % first_host,
                n,
                301,
                "Moved Permanently",
                "text/html",
                b'<html><head><title>301</title></head><body>This page has moved to <a href="https://'
                + first_host.encode("ascii")
                + b'/">a safer address</a>.</body></html>\n',
                more=[("Location", "https://%s/" % first_host)],
            )
        if n == 20:
            extra("https://%s/img/dot.png" % first_host, n, 200, "OK", "image/png", tiny_png())
            extra(
                "https://api.tidewatch.test/v3/stations/marrow-bay",
                n,
                200,
                "OK",
                "application/json",
                b'{"id":"marrow-bay","level":3.42,"unit":"m","next_high":"2026-01-17T22:36:00Z","warnings":[]}\n',
                "chunked+gzip",
            )

    # A second visit to the first page, unchanged: only the head, without the payload.
    n = len(rows) + 1
    url = rows[0]["url"]
    head = ww.http_response(200, "OK", http_headers(n, rows[0]["content_type"]), b"")
    out.append(
        ww.record(
            "revisit",
            ww.record_id("revisit " + url),
            warc_date(stamp(n)),
            head,
            [
                ("WARC-Target-URI", url),
                ("WARC-Payload-Digest", seen[url][1]),
                ("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"),
                ("WARC-Refers-To", ww.record_id(url)),
                ("WARC-Refers-To-Target-URI", url),
                ("WARC-Refers-To-Date", seen[url][0]),
            ],
            "application/http; msgtype=response",
        )
    )
    return out


def build_archive(rows, container):
    return b"".join(ww.pack(data, container) for data in build_records(rows))


# ------------------------------------------------------------------- the gold


def decode(row):
    """The page as text: charset of the HTTP header, then of a meta, then a guess."""
    found = re.search(r"charset=([\w-]+)", row["content_type"])
    if not found:
        head = row["body"][:2048].decode("latin-1")
        found = re.search(r"""<meta[^>]*charset\s*=\s*["']?([\w-]+)""", head, re.I)
    if found:
        return row["body"].decode(found.group(1))
    try:
        return row["body"].decode("utf-8")
    except UnicodeDecodeError:
        return row["body"].decode("windows-1252")


class PageText(HTMLParser):
    """All text of a page but scripts and styles; only inline tags join words."""

    INLINE = set("a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var".split())

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.hidden = 0

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style"):
            self.hidden += 1
        if tag not in self.INLINE:
            self.parts.append(" ")

    def handle_endtag(self, tag):
        if tag in ("script", "style") and self.hidden:
            self.hidden -= 1
        if tag not in self.INLINE:
            self.parts.append(" ")

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)


def page_words(text):
    parser = PageText()
    parser.feed(text)
    parser.close()
    return " ".join("".join(parser.parts).split())


def gold_lines(rows):
    out = []
    for row in rows:
        record = {
            "warc_record_id": ww.record_id(row["url"]),
            "id": "sample/" + row["name"],
            "dataset": "sample",
            "url": row["url"],
            "lang": row["lang"],
            "page_type": row["page_type"],
            "text": row["gold"].rstrip("\n"),
            "has_article": row["has_article"] == "true",
        }
        out.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(out).encode("utf-8")


def check_pages(rows):
    """Problems in the pages, the index or the gold, one string each."""
    bad = []
    urls = set()
    for row in rows:
        name = row["name"]
        if row["url"] in urls:
            bad.append(name + ": URL used twice")
        urls.add(row["url"])
        if row["page_type"] not in PAGE_TYPES:
            bad.append(name + ": unknown page type " + row["page_type"])
        if not re.fullmatch(r"[a-z]{2}", row["lang"]):
            bad.append(name + ": language is not ISO 639-1")
        if (row["has_article"] == "true") != bool(row["gold"]):
            bad.append(name + ": has_article does not agree with the gold")
        try:
            words = page_words(decode(row))
        except (UnicodeDecodeError, LookupError) as err:
            bad.append("%s: %s" % (name, err))
            continue
        at = 0
        for number, line in enumerate(row["gold"].splitlines(), start=1):
            squeezed = " ".join(line.split())
            if not squeezed:
                bad.append("%s: gold line %d is blank" % (name, number))
                continue
            found = words.find(squeezed, at)
            if found < 0:
                bad.append("%s: gold line %d is not in the page, or out of order: %.60s" % (name, number, squeezed))
            else:
                at = found + len(squeezed)
    listed = {row["file"] for row in rows}
    for path in sorted((DATA / "pages").glob("*.html")):
        if path.name not in listed:
            bad.append(path.name + ": not in INDEX.tsv")
    return bad


def check(rows):
    bad = check_pages(rows)
    archive, gold = DATA / "sample.warc.gz", DATA / "gold.jsonl"
    for path in (archive, gold):
        if not path.exists():
            bad.append("data/%s is missing" % path.name)
    if archive.exists():
        found = differences(archive.read_bytes(), build_archive(rows, "warc.gz"))
        bad.extend("data/sample.warc.gz: %s" % line for line in found)
    if gold.exists() and gold.read_bytes() != gold_lines(rows):
        bad.append("data/gold.jsonl differs from what make-sample.py writes")
    for line in bad:
        print(line, file=sys.stderr)
    if not bad:
        print("ok: %d pages, %d records" % (len(rows), len(build_records(rows))))
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description="Build the bundled sample archive and its gold file.")
    parser.add_argument("--out", type=Path, help="write the archive here, and no gold file")
    parser.add_argument("--format", choices=ww.FORMATS, help="default: from the name in --out, else warc.gz")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything is out of date or wrong")
    args = parser.parse_args()
    rows = read_index()
    if args.check:
        return check(rows)
    if args.out is None:
        if args.format not in (None, "warc.gz"):
            parser.error("--format %s needs --out" % args.format)
        (DATA / "sample.warc.gz").write_bytes(build_archive(rows, "warc.gz"))
        (DATA / "gold.jsonl").write_bytes(gold_lines(rows))
        return 0
    container = args.format
    if container is None:
        container = next((f for f in reversed(ww.FORMATS) if args.out.name.endswith("." + f)), "warc.gz")
    archive = build_archive(rows, container)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
