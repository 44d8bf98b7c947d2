"""Loads passages with vectors into PostgreSQL with pgvector, LanceDB or Qdrant.

    huller extract crawl/ -o rows/ --passages passages/
    python3 examples/load_passages.py passages/ postgresql postgresql://user@host/database
    python3 examples/load_passages.py passages/ lancedb vectors/
    python3 examples/load_passages.py passages/ qdrant http://localhost:6333

`embed` is the place of your model. The passages of a URL that is loaded again replace the earlier
ones, so a second crawl needs no other program. A page without a URL is known by its identifier.
"""

import itertools
import json
import pathlib
import sys
import zlib

WIDTH = 256  # Numbers in a vector: the width of your model.
BATCH = 500  # Passages that are embedded and sent together.


def embed(texts):
    """Returns a vector for each text. Replace the body by a call of your model.

    This one counts the words in 256 classes, which is enough to try a database."""
    vectors = []
    for text in texts:
        vector = [0.0] * WIDTH
        for word in text.lower().split():
            vector[zlib.crc32(word.encode()) % WIDTH] += 1.0
        length = sum(number * number for number in vector) ** 0.5 or 1.0
        vectors.append([number / length for number in vector])
    return vectors


def passages(folder):
    """The passages in the files of a folder: JSON Lines, plain or compressed by zstd."""
    for path in sorted(pathlib.Path(folder).rglob("*.jsonl*")):
        if path.suffix == ".zst":
            import zstandard

            file = zstandard.open(path, "rt", encoding="utf-8", newline="\n")
        else:
            file = path.open(encoding="utf-8", newline="\n")
        with file:
            yield from map(json.loads, file)


def text_of(passage):
    """The text to embed: the one whose `tokens` and `digest` huller writes."""
    return passage["prefix"] + (passage["context"] or "") + passage["text"]


def page_of(passage):
    """The page of a passage, the same in every crawl."""
    return passage["url"] or passage["parent_id"]


def batches(found):
    """Batches of whole pages with their vectors, so that a page is replaced at once."""
    batch = []
    for _, page in itertools.groupby(found, key=lambda passage: passage["parent_id"]):
        batch += page
        if len(batch) >= BATCH:
            yield batch, embed([text_of(passage) for passage in batch])
            batch = []
    if batch:
        yield batch, embed([text_of(passage) for passage in batch])


def postgresql(found, address):
    """A table `passages` with an index for words and one for vectors."""
    import psycopg

    with psycopg.connect(address) as database:
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")
        database.execute(
            f"CREATE TABLE IF NOT EXISTS passages (id uuid PRIMARY KEY, page text, url text, anchor text, headings text[], text text, digest text, vector vector({WIDTH}),"
            " words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED)"
        )
        for statement in ["(page)", "USING gin (words)", "USING hnsw (vector vector_cosine_ops)"]:
            name = "passages_" + "".join(filter(str.isalpha, statement))
            database.execute(f"CREATE INDEX IF NOT EXISTS {name} ON passages {statement}")
        for batch, vectors in batches(found):
            pages = list({page_of(passage) for passage in batch})
            database.execute("DELETE FROM passages WHERE page = ANY(%s)", [pages])
            with database.cursor().copy("COPY passages (id, page, url, anchor, headings, text, digest, vector) FROM STDIN") as copy:
                for passage, vector in zip(batch, vectors):
                    # PostgreSQL has no NUL in texts.
                    text = text_of(passage).replace("\0", "")
                    copy.write_row([passage["id"], page_of(passage), passage["url"], passage["anchor"], passage["headings"], text, passage["digest"], str(vector)])


def lancedb(found, folder):
    """A table `passages` in a folder."""
    import lancedb
    import pyarrow

    names = ["id", "page", "url", "anchor", "text", "digest"]
    fields = [pyarrow.field(name, pyarrow.string()) for name in names]
    vector = pyarrow.field("vector", pyarrow.list_(pyarrow.float32(), WIDTH))
    database = lancedb.connect(folder)
    table = database.create_table("passages", schema=pyarrow.schema([*fields, vector]), exist_ok=True)
    for batch, vectors in batches(found):
        pages = ", ".join("'" + page_of(passage).replace("'", "''") + "'" for passage in batch)
        table.delete(f"page IN ({pages})")
        rows = [{**passage, "page": page_of(passage), "text": text_of(passage)} for passage in batch]
        table.add([{**{name: row[name] for name in names}, "vector": vector} for row, vector in zip(rows, vectors)])
    return table


def qdrant(found, place):
    """A collection `passages` of a server, or of a folder."""
    import qdrant_client
    from qdrant_client import models

    is_server = "://" in place
    client = qdrant_client.QdrantClient(url=place) if is_server else qdrant_client.QdrantClient(path=place)
    if not client.collection_exists("passages"):
        client.create_collection("passages", vectors_config=models.VectorParams(size=WIDTH, distance=models.Distance.COSINE))
        if is_server:
            client.create_payload_index("passages", "page", models.PayloadSchemaType.KEYWORD)
    for batch, vectors in batches(found):
        pages = list({page_of(passage) for passage in batch})
        of_pages = models.Filter(must=[models.FieldCondition(key="page", match=models.MatchAny(any=pages))])
        client.delete("passages", points_selector=models.FilterSelector(filter=of_pages))
        points = [
            models.PointStruct(id=passage["id"], vector=vector, payload={**passage, "page": page_of(passage), "text": text_of(passage)})
            for passage, vector in zip(batch, vectors)
        ]
        client.upsert("passages", points)
    return client


if __name__ == "__main__":
    folder, engine, place = sys.argv[1:]
    {"postgresql": postgresql, "lancedb": lancedb, "qdrant": qdrant}[engine](passages(folder), place)
