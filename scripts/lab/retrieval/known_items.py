"""Measures whether better extraction improves search: nDCG@10 of known-item queries by extractor.

    scripts/lab/run known-items --datasets FOLDER

FOLDER has NAME.warc.zst and NAME.gold.jsonl.zst. That command installs trafilatura below target/,
and runs this module as `python3 -m retrieval.known_items PROGRAM FOLDER OUT`.

The queries for each page with gold are its title, and the first sentence of its gold text; the page
is the only answer. The index has the texts of one extractor, without titles and URLs, so that only
the text is measured. Sentence queries also use an index with titles, since many gold texts begin
with the title, which extractors return separately. Queries that two pages share are left out.
nDCG@10 of one answer at place r is 1 / log2(1 + r), and 0 beyond the tenth.
"""

from __future__ import annotations

import io
import json
import math
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from retrieval.program import Huller

OURS = ["body", "pvalue", "hull"]
OTHER = "trafilatura"
MOST_WORDS = 20
MOST_QUERIES = 1000
SENTENCE = re.compile(r"[^.!?。！？…\n]{12,}")


def query_of(text: str) -> str:
    """The first words of a text, without signs that mean something in a query."""
    plain = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in text)
    return " ".join(plain.split()[:MOST_WORDS])


def gold(folder: Path) -> Iterator[tuple[str, str]]:
    """The identifiers and texts of the pages."""
    import zstandard

    for path in sorted(folder.glob("*.gold.jsonl.zst")):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n"):
                page = json.loads(line)
                # Some sets have gold in another form than text.
                if isinstance(page.get("text"), str):
                    yield page["warc_record_id"].removeprefix("<urn:uuid:").removesuffix(">"), page["text"]


def by_trafilatura(archives: list[Path]) -> dict[str, str]:
    """Its texts, with its own settings."""
    import trafilatura
    import zstandard
    from warcio.archiveiterator import ArchiveIterator

    texts = {}
    for path in archives:
        with path.open("rb") as file:
            stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            for record in ArchiveIterator(io.BufferedReader(stream)):
                if record.rec_type == "response":
                    name = record.rec_headers.get_header("WARC-Record-ID").removeprefix("<urn:uuid:").removesuffix(">")
                    texts[name] = trafilatura.extract(record.content_stream().read()) or ""
    return texts


def gain(hits: list[str], answer: str) -> float:
    return 1 / math.log2(2 + hits.index(answer)) if answer in hits else 0.0


def interval(differences: list[float], dice: random.Random) -> tuple[float, float]:
    """Between which the mean lies in 95 of 100 samples of the queries."""
    means = sorted(sum(dice.choices(differences, k=len(differences))) / len(differences) for _ in range(1000))
    return means[25], means[974]


def main(program: Path, folder: Path, out: Path) -> None:
    huller, archives = Huller(program), sorted(folder.glob("*.warc.zst"))
    rows = {row["id"]: row for row in huller.rows(archives, out / "rows", "--stages", "language", "--extractors", ",".join(OURS))}
    texts = {name: {page: row["texts"].get(name, "") for page, row in rows.items()} for name in OURS}
    stored = out / "trafilatura.json"
    if not stored.exists():
        # This takes minutes, so the result is stored.
        stored.write_text(json.dumps(by_trafilatura(archives)))
    theirs = json.loads(stored.read_text())
    texts[OTHER] = {page: theirs.get(page, "") for page in rows}

    asked: dict[str, list[tuple[str, str]]] = {"title": [], "first sentence": []}
    for page, text in gold(folder):
        if page in rows:
            sentence = SENTENCE.search(text)
            asked["title"].append((query_of(rows[page]["title"] or ""), page))
            asked["first sentence"].append((query_of(sentence[0]) if sentence else "", page))
    dice = random.Random(29)
    for kind, queries in asked.items():
        seen = Counter(query for query, _ in queries)
        unique = [(query, page) for query, page in queries if seen[query] == 1 and len(query) >= 12]
        asked[kind] = dice.sample(unique, min(MOST_QUERIES, len(unique)))

    gains: dict[tuple[str, str], list[float]] = {}
    titled = "first sentence, titles indexed"
    for name, of_pages in texts.items():
        for kinds, title_of in ((["title", "first sentence"], lambda _: ""), ([titled], lambda page: rows[page]["title"] or "")):
            corpus = (
                {"id": page, "title": title_of(page), "text": text, "language": rows[page]["language"]} for page, text in of_pages.items()
            )
            index = huller.index(corpus, out / name)
            for kind in kinds:
                queries = asked.setdefault(kind, asked["first sentence"])
                found = huller.search(index, [query for query, _ in queries], 10)
                gains[name, kind] = [gain(hits, page) for hits, (_, page) in zip(found, queries, strict=True)]

    print(f"{len(rows)} pages of {len(archives)} sets\n")
    titles = " | ".join(f"{kind} ({len(queries)}) | less `body`'s" for kind, queries in asked.items())
    print(f"| texts of | MB | {titles} |\n|---|---:|" + "---:|---:|" * len(asked))
    for name, of_pages in texts.items():
        cells = [f"{sum(len(text.encode()) for text in of_pages.values()) / 1e6:.1f}"]
        for kind in asked:
            own, body = gains[name, kind], gains["body", kind]
            cells.append(f"{sum(own) / len(own):.3f}")
            least, most = interval([a - b for a, b in zip(own, body, strict=True)], random.Random(29))
            cells.append("" if name == "body" else f"{least:+.3f} to {most:+.3f}")
        print(f"| `{name}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
