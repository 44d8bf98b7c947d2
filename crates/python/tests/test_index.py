"""Full-text indexes: those of the program."""

import json
import subprocess

import huller
import pytest

from program import program

QUERIES = [f"alpha{number % 7} beta{number % 11}" for number in range(16)] + ['"number 47"', "+alpha1 -beta2", "host:h1.test number", "alp*"]


def rows(start, end):
    for n in range(start, end):
        yield {"id": f"id-{n}", "url": f"http://h{n % 3}.test/{n}", "title": "Ferries" if n % 5 else "", "text": f"alpha{n % 7} beta{n % 11} number {n}", "language": "eng"}


def write(path, found):
    path.write_text("".join(json.dumps(row) + "\n" for row in found))
    return path


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for part in range(3):
        write(folder / f"{part}.jsonl", rows(part * 40, part * 40 + 40))
    return folder


def hits(index, run=huller.search):
    return run(index, QUERIES, limit=None)


def test_an_index_and_its_hits_are_those_of_the_program(corpus, tmp_path):
    counts = huller.index(corpus, tmp_path / "whole", threads=1)
    assert [one["written"] for one in counts["inputs"]] == [40, 40, 40]
    assert (counts["new_lines"], counts["deleted"], counts["unusable"]) == (120, 0, [])
    found = hits(tmp_path / "whole")
    assert len({hit["query"] for hit in found}) == 20
    if (command := program()) is None:
        pytest.skip("the program is not built: make build")
    subprocess.run([command, "index", corpus, "-o", tmp_path / "cli", "-q"], check=True)
    (tmp_path / "queries").write_text("\n".join(QUERIES))
    ran = subprocess.run([command, "search", tmp_path / "cli", "--queries", tmp_path / "queries", "--json", "-n", "all"], capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in ran.stdout.splitlines()] == found
    ran = subprocess.run([command, "search", tmp_path / "cli", "number", "--json", "--host", "h2.test"], capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in ran.stdout.splitlines()] == huller.search(tmp_path / "whole", "number", host="h2.test")
    subprocess.run([command, "verify", tmp_path / "whole"], check=True, capture_output=True)


def test_indexes_are_joined(corpus, tmp_path):
    parts = [tmp_path / f"{part}.index" for part in range(3)]
    for part, path in enumerate(parts):
        huller.index(corpus / f"{part}.jsonl", path)
    counts = huller.index(parts, tmp_path / "joined")
    assert [one["input"] for one in counts["inputs"]] == ["0.jsonl", "1.jsonl", "2.jsonl"] and counts["new_lines"] == 0
    huller.index(corpus, tmp_path / "whole")
    assert hits(tmp_path / "joined") == hits(tmp_path / "whole")
    with pytest.raises(ValueError, match="give it once"):
        huller.index([parts[0], parts[0]], tmp_path / "twice")


def test_an_index_is_resumed_and_rows_are_dropped(corpus, tmp_path):
    huller.index(corpus, tmp_path / "index", memory=1 << 26)
    with pytest.raises(huller.OutputError, match="resume=True adds new rows"):
        huller.index(corpus, tmp_path / "index")
    write(corpus / "2.jsonl", rows(80, 130))
    drop = tmp_path / "drop.jsonl"
    drop.write_text(json.dumps({"file": "0.jsonl", "place": 0, "reason": "dedup:text"}) + "\n")
    counts = huller.index(corpus, tmp_path / "index", resume=True, drop=drop)
    assert (counts["new_lines"], counts["deleted"]) == (10, 1)
    write(corpus / "2.jsonl", rows(0, 1))
    with pytest.raises(huller.OutputError, match="overwrite=True indexes all inputs again"):
        huller.index(corpus, tmp_path / "index", resume=True)


def test_what_cannot_be_is_refused(corpus, tmp_path):
    with pytest.raises(ValueError, match="memory must be at least 64M"):
        huller.index(corpus, tmp_path / "index", memory=1)
    with pytest.raises(ValueError, match="exclude each other"):
        huller.index(corpus, tmp_path / "index", resume=True, overwrite=True)
    with pytest.raises(TypeError):
        huller.index(corpus, tmp_path / "index", quiet=True)
    with pytest.raises(ValueError, match="is not an index"):
        huller.search(tmp_path, "ferry")
    huller.index(corpus, tmp_path / "index")
    with pytest.raises(ValueError, match='^the quotation mark before .ferry. is not closed: add one after the phrase$'):
        huller.search(tmp_path / "index", '"ferry')
    store = next((tmp_path / "index").glob("*.store"))
    data = bytearray(store.read_bytes())
    data[9] ^= 1
    store.write_bytes(data)
    with pytest.raises(huller.ArchiveError, match=store.name):
        huller.search(tmp_path / "index", "ferry")
