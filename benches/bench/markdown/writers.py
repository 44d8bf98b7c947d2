"""The pages, and the programs that write them as Markdown."""

import io
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import html_to_markdown
import trafilatura
import zstandard

NAMES = ("huller", "trafilatura", "html-to-markdown, whole page", "html-to-markdown, our selection")


@dataclass(frozen=True)
class Page:
    identifier: str
    url: str
    html: str
    gold: str


def lines_of(path):
    with open(path, "rb") as file:
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(file, read_across_frames=True)
        yield from io.TextIOWrapper(stream, "utf-8")


def pages(datasets, most, is_wanted):
    """So many of the wanted pages with a gold text, evenly over all data sets."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    wanted = []
    for path in sorted(datasets.glob("*.gold.jsonl.zst")):
        gold = {}
        for line in lines_of(path):
            row = json.loads(line)
            if len((row.get("text") or "").split()) > 50:
                gold[row["warc_record_id"].strip("<>").removeprefix("urn:uuid:")] = row
        archive = path.with_name(path.name.replace(".gold.jsonl.zst", ".warc.zst"))
        stream = zstandard.ZstdDecompressor(max_window_size=1 << 31).stream_reader(open(archive, "rb"), read_across_frames=True)
        for record in ArchiveIterator(io.BytesIO(stream.read()), record_types=WarcRecordType.response):
            identifier = record.headers["WARC-Record-ID"].strip("<>").removeprefix("urn:uuid:")
            row = gold.get(identifier)
            if row is None:
                continue
            html = record.reader.read().decode(row.get("charset") or "utf-8", "replace")
            if is_wanted(html):
                url = record.headers.get("WARC-Target-URI") or "https://page.test/"
                wanted.append(Page(identifier, url.strip("<>"), html, row["text"]))
    step = max(1, len(wanted) // most)
    return wanted[::step][:most]


def ours(pages, program):
    """Our rows of the pages, by identifier."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "pages.jsonl"
        with open(source, "w", encoding="utf-8") as file:
            for page in pages:
                file.write(json.dumps({"id": page.identifier, "url": page.url, "html": page.html}) + "\n")
        command = [program, "extract", source, "-o", "-", "--markdown", "--source-html", "--quiet"]
        rows = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
    # Only a line feed ends a line: texts may contain other separators.
    return {row["id"]: row for row in map(json.loads, filter(None, rows.split("\n")))}


def converted(html):
    try:
        result = html_to_markdown.convert(html)
    except Exception:  # A page that a peer cannot convert is one of which it keeps nothing.
        return ""
    return result if isinstance(result, str) else getattr(result, "content", None) or ""


def all_outputs(pages, program):
    """For each page, the Markdown of every program by its name."""
    rows = ours(pages, program)
    for page in pages:
        row = rows[page.identifier]
        theirs = trafilatura.extract(
            page.html,
            url=page.url,
            output_format="markdown",
            include_comments=False,
            include_tables=True,
            include_links=True,
            include_formatting=True,
        )
        outputs = (row["markdown"], theirs or "", converted(page.html), converted(row["source_html"]))
        yield dict(zip(NAMES, outputs, strict=True))
