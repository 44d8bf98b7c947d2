"""Pages with gold, and their files: a WARC and a file of gold, joined by record id. Standard library only."""

import dataclasses
import json
import re
import sys
from pathlib import Path
from typing import Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/ci"))
import warcwriter as ww  # noqa: E402

# Data sets do not report when a page was fetched. A fixed time makes every run write the same
# files.
DATE = "2026-01-01T00:00:00Z"


class UnknownLayout(Exception):
    """The checkout has another layout than this converter knows."""


@dataclasses.dataclass
class Page:
    """A page with its gold. `key` is unique within the data set; unknown fields are None."""

    key: str
    html: bytes
    url: Optional[str] = None
    charset: Optional[str] = None
    text: Optional[str] = None
    lang: Optional[str] = None
    page_type: Optional[str] = None
    title: Optional[str] = None
    author: Optional[str] = None
    date: Optional[str] = None
    comments: Optional[str] = None
    with_snippets: Optional[list] = None
    without_snippets: Optional[list] = None


def target(dataset, page):
    """The page's URL, or an invalid one if it is unknown; blanks and control characters, which could end a header line, are escaped."""
    url = page.url or "http://page.invalid/%s/%s" % (dataset, page.key)
    return re.sub(r"[\x00-\x20\x7f]", "%20", url)


def warc_record(dataset, page):
    content_type = "text/html" + ("; charset=" + page.charset if page.charset else "")
    return ww.response(
        target(dataset, page),
        DATE,
        200,
        "OK",
        [("Content-Type", content_type)],
        page.html,
        rec_name="%s/%s" % (dataset, page.key),
    )[0]


def gold_line(dataset, page):
    """One line of gold. It has `text` even if that is null: null means that the gold is snippets."""
    name = "%s/%s" % (dataset, page.key)
    row = {"id": name, "dataset": dataset, "warc_record_id": ww.record_id(name), "text": page.text}
    more = {
        "url": page.url,
        "charset": page.charset,
        "lang": page.lang,
        "page_type": page.page_type,
        "title": page.title,
        "author": page.author,
        "date": page.date,
        "comments": page.comments,
        "with": page.with_snippets,
        "without": page.without_snippets,
    }
    row.update((name, value) for name, value in more.items() if value is not None)
    return json.dumps(row, ensure_ascii=False, sort_keys=True)


def write(dataset, pages, folder, compression):
    """Writes DATASET.warc.C and DATASET.gold.jsonl.C; gives the number of pages."""
    seen, records, lines = set(), [], []
    for page in pages:
        if page.key in seen:
            raise UnknownLayout("two pages are called %r" % page.key)
        seen.add(page.key)
        records.append(ww.pack(warc_record(dataset, page), "warc." + compression))
        lines.append(gold_line(dataset, page) + "\n")
    if not records:
        raise UnknownLayout("no pages found")
    folder.mkdir(parents=True, exist_ok=True)
    gold = ww.pack("".join(lines).encode("utf-8"), "warc." + compression)
    (folder / ("%s.warc.%s" % (dataset, compression))).write_bytes(b"".join(records))
    (folder / ("%s.gold.jsonl.%s" % (dataset, compression))).write_bytes(gold)
    return len(records)


def decode(data, fallback="cp1252"):
    """Text of a gold file: by its byte order mark, else UTF-8, else `fallback` with damage replaced."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(fallback, "replace")


def existing(root, *names):
    """The first of these folders or files below `root` that exists."""
    for name in names:
        if (root / name).exists():
            return root / name
    raise UnknownLayout("%s is missing in %s" % (" or ".join(names), root))


def pair(inputs, golds, least=0.9):
    """Pairs files of two folders by the beginning of their names up to the first `.` or `-cleaned`.

    The sets name them so (12.html, 12-cleaned.txt, 12.html.corrected.txt). If fewer than `least` of the gold files have a
    page, the layout is unknown.
    """

    def stem(path):
        return re.split(r"\.|-cleaned", path.name)[0]

    def by_stem(paths):
        found = {}
        for path in sorted(paths):
            if path.is_file() and not path.name.startswith("."):
                if stem(path) in found:
                    raise UnknownLayout("%s and %s would be the same page" % (path, found[stem(path)]))
                found[stem(path)] = path
        return found

    pages, gold = by_stem(inputs), by_stem(golds)
    both = sorted(pages.keys() & gold.keys())
    if len(both) < least * max(len(gold), 1) or not both:
        raise UnknownLayout("only %d of %d gold files have a page" % (len(both), len(gold)))
    return [(key, pages[key], gold[key]) for key in both]
