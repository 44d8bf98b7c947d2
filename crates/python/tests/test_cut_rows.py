"""Rows cut into passages in memory, against the passages of the program."""

import json
import subprocess

import huller
import pyarrow
import pytest

from program import program

SETTINGS = {"max_tokens": 120, "min_tokens": 20, "tokenizer": "characters", "overlap": 30, "prefix": "title"}


def lines(folder):
    [path] = folder.glob("*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def as_json(passages):
    return [{**passage, **{name: json.loads(passage[name]) for name in ("headings", "kinds")}} for passage in passages.to_pylist()]


@pytest.mark.parametrize("settings", [{}, SETTINGS])
@pytest.mark.parametrize("markdown", [True, False])
def test_passages_are_those_of_the_program(settings, markdown, sample, tmp_path):
    if (command := program()) is None:
        pytest.skip("the program is not built: make build")
    form = ["--markdown"] if markdown else []
    subprocess.run([command, "extract", sample, "-o", tmp_path / "rows", "--stages", "language", "--compress=none", "-q", *form], check=True)
    given = [word for name, value in settings.items() for word in ("--passages-set", f"{name}={value}")]
    cut = [command, "refine", tmp_path / "rows", "-o", tmp_path / "out", "--passages", tmp_path / "cut", "--compress=none", "-q", *given]
    subprocess.run(cut, check=True)
    rows = pyarrow.Table.from_pylist(lines(tmp_path / "rows"))
    expected = lines(tmp_path / "cut")
    for threads in (1, 3):
        found = huller.passages(rows, threads=threads, **settings)
        assert as_json(found) == expected and len(expected) > 41
    names = {"id": "key", "text": "body", "title": "name"}
    renamed = rows.rename_columns([names.get(name, name) for name in rows.schema.names])
    assert huller.passages(renamed, **names, **settings).equals(found)


def test_rows_without_text_have_no_passages():
    rows = pyarrow.table({"id": ["a", "b", "c"], "text": [None, "Rain fell.\nIt was cold.", ""], "more": [1, 2, 3]})
    found = huller.passages(rows).to_pylist()
    assert [passage["parent_id"] for passage in found] == ["b"] and found[0]["text"] == "Rain fell.\nIt was cold."
    empty = huller.passages(rows.slice(0, 1))
    assert empty.num_rows == 0 and empty.schema == huller.passages(rows).schema


def test_other_rows_and_settings_are_refused():
    rows = pyarrow.table({"id": ["a"], "text": ["Rain fell."]})
    for without, remedy in [("id", "set id="), ("text", "set text= or markdown=")]:
        with pytest.raises(ValueError, match=remedy):
            huller.passages(rows.drop_columns([without]))
    for settings, problem in [({"max_tokens": 1}, "max_tokens"), ({"tokenizer": "no/file"}, "tokenizer"), ({"prefix": "url"}, "unknown part")]:
        with pytest.raises(ValueError, match=problem):
            huller.passages(rows, **settings)
    with pytest.raises(TypeError):
        huller.passages(rows, tokens=3)
    with pytest.raises(TypeError):
        huller.passages(["a"])
