"""The columns of other tools are the members of the program's rows for these tools."""

import huller
import pytest
from huller._huller import SCHEMAS, SCHEMAS_WITHOUT_NULL

from program import as_row

OPTIONS = {"stages": ["language"], "signals": True, "markdown": True}
FLAGS = ["--stages", "language", "--signals", "--markdown"]


def without_null(value):
    if not isinstance(value, dict):
        return value
    return {name: without_null(one) for name, one in value.items() if one is not None}


@pytest.mark.parametrize("schema", (*SCHEMAS, *SCHEMAS_WITHOUT_NULL))
def test_rows_are_those_of_the_program(schema, sample, cli_rows, tmp_path):
    expected, _ = cli_rows(sample, tmp_path, "--schema", schema, *FLAGS)
    reader = huller.stream(sample, schema=schema, **OPTIONS)
    assert reader.schema == huller.stream_schema(schema=schema, **OPTIONS)
    rows = [as_row(row) for row in reader.read_all().to_pylist()]
    assert len(rows) == len(expected) == 41
    if schema in SCHEMAS:
        assert [list(row) for row in rows] == [list(row) for row in expected]
        assert rows == expected
    else:
        assert [without_null(row) for row in rows] == [without_null(row) for row in expected]


def test_stages_in_python_see_the_fields_and_the_rows_are_those_of_the_schema(sample):
    def known(batch):
        return ["no-ferry" if "ferry" not in text else None for text in batch["text"].to_pylist()]

    reader = huller.stream(sample, schema="ccnet", stages=["language", huller.stage(known)])
    rows = reader.read_all()
    whole = huller.stream(sample, schema="ccnet", stages=["language"]).read_all()
    assert rows.schema == whole.schema == huller.stream_schema(schema="ccnet", stages=["language"])
    assert rows.to_pylist() == [row for row in whole.to_pylist() if "ferry" in row["raw_content"]]
    assert 0 < rows.num_rows < 41


def test_what_is_no_table_is_refused(sample, tmp_path):
    for call in (huller.stream_schema, lambda **options: huller.stream(sample, **options)):
        with pytest.raises(ValueError, match="huller extract --schema es-bulk"):
            call(schema="es-bulk")
        with pytest.raises(ValueError, match="unknown schema 'dolmaa'"):
            call(schema="dolmaa")
        with pytest.raises(ValueError, match="fields cannot be used with schema"):
            call(schema="dolma", fields="id")
    with pytest.raises(ValueError, match="fields cannot be used with schema"):
        huller.stream(sample, schema="dolma", fields="id", stages=[huller.stage(name="all")(lambda batch: None)])
    row = huller.stream(sample, schema="vespa", es_index="pages").read_all().to_pylist()[0]
    assert row["put"].startswith("id:pages:pages::") and row["put"].endswith(row["fields"]["id"])
    (tmp_path / "huller.toml").write_text('schema = "anserini"\n')
    assert huller.stream(sample, config=huller.Config(tmp_path / "huller.toml")).schema.names == ["id", "contents"]
