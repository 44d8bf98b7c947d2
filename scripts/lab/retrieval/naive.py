"""Compares hits of an index with a naive scan of the same rows: 500 queries in 8 languages.

    scripts/lab/run search-check [ARCHIVE...]

The default is the bundled sample. That command runs `python3 -m retrieval.naive PROGRAM OUT
ARCHIVE...`, which needs only the standard library.

The scan uses only the definition of words in docs/search.md, not the index. It splits titles and
texts at all characters except letters, digits and marks, folds the words, and searches every row
for every query. Queries are phrases of one to four words from the rows: alone, with a required
phrase, with an excluded one, and within a language. In scripts without spaces they are parts of a
run. All are quoted, so stems do not matter. The identifiers of all hits must be the same. Exit
status 1 if a query differs.
"""

from __future__ import annotations

import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.program import Huller, Row

QUERIES, LANGUAGES = 500, 8
# First and last scalars of scripts without spaces, as docs/search.md lists them.
UNSPACED = [
    (0xE00, 0xEFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x318F), (0x31A0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
]
LEFT_OUT = [(0x300, 0x36F), (0x591, 0x5C7), (0x610, 0x61A), (0x640, 0x640), (0x64B, 0x65F), (0x670, 0x670)]
INVISIBLE = "\u00ad\u200c\u200d\u2060"
PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ς": "σ"})


def is_in(c: str, ranges: list[tuple[int, int]]) -> bool:
    return any(first <= ord(c) <= last for first, last in ranges)


def fold(word: str) -> str:
    small = unicodedata.normalize("NFD", unicodedata.normalize("NFKD", word).lower())
    kept = "".join(c for c in small if c not in INVISIBLE and not is_in(c, LEFT_OUT))
    return unicodedata.normalize("NFC", kept.translate(PLAIN))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Words, and runs of scripts without spaces, which are marked."""
    word, is_run = "", False
    for c in text:
        if c in INVISIBLE or unicodedata.category(c).startswith("M"):
            word += c if word else ""
            continue
        run = is_in(c, UNSPACED)
        if word and (not c.isalnum() or run != is_run):
            yield fold(word), is_run
            word = ""
        if c.isalnum():
            word, is_run = word + c, run
    if word:
        yield fold(word), is_run


class Field:
    """A title or a text, made ready to be scanned."""

    def __init__(self, text: str) -> None:
        self.pieces = list(pieces(text or ""))
        # Words are between two of these separators. A phrase is thus found as a substring, and
        # never across a run.
        self.words = "\x1f" + "\x1f".join("\x1e" if is_run else word for word, is_run in self.pieces) + "\x1f"
        self.runs = [word for word, is_run in self.pieces if is_run]

    def has(self, phrase: Phrase) -> bool:
        if phrase.is_run:
            return any(phrase.text in run for run in self.runs)
        return "\x1f" + phrase.text.replace(" ", "\x1f") + "\x1f" in self.words


@dataclass(frozen=True)
class Phrase:
    text: str
    is_run: bool


@dataclass(frozen=True)
class Query:
    text: str
    holds: Callable[[str, list[Field]], bool]


def phrase_of(fields: list[Field], dice: random.Random) -> Phrase | None:
    """A phrase that stands in one of these."""
    field = dice.choice([field for field in fields if field.pieces] or fields)
    if not field.pieces:
        return None
    at = dice.randrange(len(field.pieces))
    word, is_run = field.pieces[at]
    if is_run:
        length = dice.randint(1, 6)
        start = dice.randrange(max(1, len(word) - length + 1))
        part = word[start : start + length]
        # A mark belongs to the letter before it. The part therefore neither begins with a mark nor
        # ends before one.
        after = word[start + length : start + length + 1]
        if any(c and unicodedata.combining(c) + unicodedata.category(c).startswith("M") for c in (part[0], after)):
            return None
        return Phrase(part, True)
    words = [word]
    for other, other_is_run in field.pieces[at + 1 : at + dice.randint(1, 4)]:
        if other_is_run:
            break
        words.append(other)
    return Phrase(" ".join(words), False) if all(0 < len(word.encode()) <= 128 for word in words) else None


def query_of(fields: list[Field], others: list[Field], language: str, dice: random.Random) -> Query | None:
    one, two = phrase_of(fields, dice), phrase_of(dice.choice([fields, others]), dice)
    if one is None or two is None:
        return None

    def has(fields: list[Field], phrase: Phrase) -> bool:
        return any(field.has(phrase) for field in fields)

    kind = dice.randrange(4)
    if kind == 0:
        return Query(f'"{one.text}"', lambda _, fields: has(fields, one))
    if kind == 1:
        return Query(f'+"{one.text}" +"{two.text}"', lambda _, fields: has(fields, one) and has(fields, two))
    if kind == 2:
        return Query(f'+"{one.text}" -"{two.text}"', lambda _, fields: has(fields, one) and not has(fields, two))
    return Query(f'+"{one.text}" +lang:{language}', lambda of, fields: of == language and has(fields, one))


def main(program: Path, out: Path, archives: list[Path]) -> int:
    huller, dice = Huller(program), random.Random(29)
    rows: list[Row] = [row for row in huller.rows(archives, out / "rows", "--stages", "language") if row["title"] or row["text"]]
    index = huller.index(rows, out / "naive")
    scanned = [(row["id"], row["language"], [Field(row["title"]), Field(row["text"])]) for row in rows]
    by_language: dict[str, list[list[Field]]] = {}
    for _, language, fields in scanned:
        by_language.setdefault(language, []).append(fields)
    languages = [language for language, _ in Counter({name: len(of) for name, of in by_language.items() if name}).most_common(LANGUAGES)]
    queries: list[tuple[str, Query]] = []
    while len(queries) < QUERIES:
        language = languages[len(queries) % len(languages)]
        of = by_language[language]
        query = query_of(dice.choice(of), dice.choice(of), language, dice)
        if query is not None:
            queries.append((language, query))

    found = huller.search(index, [query.text for _, query in queries], 10_000)
    differing, hits = 0, 0
    for (_, query), ids in zip(queries, found, strict=True):
        expected = sorted(name for name, language, fields in scanned if query.holds(language, fields))
        hits += len(expected)
        if sorted(ids) != expected:
            differing += 1
            print(f"{query.text}: {len(ids)} hits, {len(expected)} by the scan; {sorted(set(ids) ^ set(expected))[:3]}")
    print(f"{len(rows)} rows, {len(queries)} queries in {len(languages)} languages ({', '.join(languages)}), {hits} hits: {differing} queries differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(archive) for archive in sys.argv[3:]]))
