"""Asks 75 queries as people do, in seven languages, and looks for the page and its words.

    scripts/lab/run search-day --datasets FOLDER [--seed N]

FOLDER has NAME.warc.zst. Each query is made from the text of one page, and no other page answers it:

* phrases: words from the middle of the page that follow each other, without quotation marks;
* typing errors: a word with two letters swapped;
* beginnings: the first letters of a word, with `*`;
* names: two words with capitals.

A query succeeds if the page is among the first three hits and its snippet shows the words. The job
prints the successes by kind and language, for an index of pages and for one of passages, and lists
all failures.
"""

from __future__ import annotations

import bisect
import itertools
import random
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from retrieval.program import Huller, Row

SPACED, DENSE = ["eng", "deu", "spa", "fra"], ["zho", "jpn", "tha"]
# How many queries of a kind each language has.
PHRASES, DENSE_PHRASES, ERRORS, BEGINNINGS, NAMES = 5, 4, 4, 3, [4, 4, 4, 3]
WORD = re.compile(r"[^\W\d_]+")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,} [A-Z][a-z]{4,}\b")
# Letters of scripts without spaces, with no sign between them.
RUN = re.compile(r"[\u0e00-\u0e7f\u3041-\u30ff\u4e00-\u9fff]{12,}")
FIRST = 3


@dataclass
class Query:
    kind: str
    language: str
    text: str
    # The snippet must show this, in lower case.
    shown: str
    page: str


class Pages:
    """The texts of the pages, and the pages of each word."""

    def __init__(self, rows: list[Row]) -> None:
        self.texts = {row["id"]: row["text"] for row in rows if len(row["text"]) > 600}
        self.languages = {row["id"]: row["language"] for row in rows}
        self.pages: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for word in WORD.findall(f"{row['title']} {row['text']}".lower()):
                self.pages[word].add(row["id"])
        self.words = sorted(self.pages)
        self.whole = "\0".join(" ".join(WORD.findall(row["text"].lower())) for row in rows)
        self.plain = "\0".join(row["text"] for row in rows)

    def of(self, language: str, dice: random.Random) -> list[tuple[str, str]]:
        """The pages of a language in a random order."""
        found = [(page, text) for page, text in sorted(self.texts.items()) if self.languages[page] == language]
        dice.shuffle(found)
        return found

    def beginning_with(self, start: str) -> set[str]:
        """The pages of all words that begin so."""
        found: set[str] = set()
        for word in self.words[bisect.bisect_left(self.words, start) :]:
            if not word.startswith(start):
                break
            found |= self.pages[word]
        return found

    def rare(self, page: str, text: str) -> list[str]:
        """The longer words of a page that no other page has, in the second half of the text."""
        words = dict.fromkeys(WORD.findall(text[len(text) // 2 :].lower()))
        return [word for word in words if 7 <= len(word) <= 14 and word.isalpha() and self.pages[word] == {page}]


def phrase(pages: Pages, page: str, text: str) -> tuple[str, str] | None:
    for line in text[len(text) // 2 :].split("\n"):
        words = WORD.findall(line)
        for at in range(1, len(words) - 4):
            found = " ".join(words[at : at + 4])
            if found in line and len(found) > 16 and pages.whole.count(found.lower()) == 1:
                return found, found.lower()
    return None


def dense_phrase(pages: Pages, page: str, text: str) -> tuple[str, str] | None:
    for run in RUN.findall(text[len(text) // 2 :]):
        found = run[2:10]
        if pages.plain.count(found) == 1:
            return found, found
    return None


def error(pages: Pages, page: str, text: str) -> tuple[str, str] | None:
    for word in pages.rare(page, text):
        at = len(word) // 2
        wrong = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if wrong != word and wrong not in pages.pages:
            return wrong, word
    return None


def beginning(pages: Pages, page: str, text: str) -> tuple[str, str] | None:
    for word in pages.rare(page, text):
        start = word[:-2]
        if pages.beginning_with(start) == {page}:
            return f"{start}*", start
    return None


def name(pages: Pages, page: str, text: str) -> tuple[str, str] | None:
    for found in NAME.findall(text):
        if pages.whole.count(found.lower()) == 1:
            return found, found.lower()
    return None


def queries(pages: Pages, dice: random.Random) -> list[Query]:
    made: list[Query] = []
    plan = [("phrase", phrase, SPACED, [PHRASES] * 4), ("phrase", dense_phrase, DENSE, [DENSE_PHRASES] * 3)]
    plan += [("typing error", error, SPACED, [ERRORS] * 4), ("beginning", beginning, SPACED, [BEGINNINGS] * 4)]
    for kind, make, languages, counts in [*plan, ("name", name, SPACED, NAMES)]:
        for language, count in zip(languages, counts, strict=True):
            used = {query.page for query in made}
            found = ((page, make(pages, page, text)) for page, text in pages.of(language, dice) if page not in used)
            asked = (Query(kind, language, *made_of, page) for page, made_of in found if made_of)
            made += itertools.islice(asked, count)
    return made


def succeeds(query: Query, hits: list[Row]) -> bool:
    for hit in hits[:FIRST]:
        if hit.get("parent_id", hit["id"]) == query.page:
            return query.shown in re.sub(r"\s+", " ", hit["snippet"].lower())
    return False


def main(program: Path, folder: Path, out: Path, seed: int) -> None:
    huller = Huller(program)
    rows = huller.rows(sorted(folder.glob("*.warc.zst")), out / "rows", "--stages", "language", "--markdown")
    asked = queries(Pages(rows), random.Random(seed))
    indexes = {"pages": huller.index(rows, out / "pages"), "passages": huller.index_passages(rows, out / "passages")}
    for unit, index in indexes.items():
        all_hits = huller.hits(index, [query.text for query in asked], FIRST)
        good, total = Counter(), Counter()
        for query, hits in zip(asked, all_hits, strict=True):
            total[query.kind, query.language] += 1
            if succeeds(query, hits):
                good[query.kind, query.language] += 1
            else:
                snippets = [" ".join(hit["snippet"].split())[:120] for hit in hits if hit.get("parent_id", hit["id"]) == query.page]
                print(f"  {unit}: {query.kind}, {query.language}: {query.text!r}: {snippets or 'the page is not among the first'}")
        print(f"{unit}: {good.total()} of {total.total()}, seed {seed}")
        for kind in dict.fromkeys(kind for kind, _ in total):
            print("  " + kind + ": " + ", ".join(f"{language} {good[kind, language]}/{count}" for (of, language), count in total.items() if of == kind))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
