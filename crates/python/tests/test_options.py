"""The same names in the program, in Python, in the Spark program and in the example for Ray."""

import argparse
import inspect
import re
import subprocess
import sys

import huller
import pyarrow
import pytest
from huller._huller import SCHEMAS, SCHEMAS_WITHOUT_NULL, options_of

from program import ROOT, program

#: Options of the program's `extract` that a stream of rows has no use for, and why.
NOT_OF_A_STREAM = {
    # Files of the program's outputs: Python, Spark and Ray write by writers of their own.
    "format", "separator", "bloom_filters", "conversions", "rows_per_file", "bytes_per_file", "compress", "level",
    # Iteration can end at any row.
    "limit",
    # Files that the program reads before the run.
    "model", "thesaurus", "withdrawn",
}


def flags(command):
    """The options of a command of the program, by its reference."""
    text = subprocess.run([program(), "man", "--markdown"], capture_output=True, text=True, check=True).stdout
    section = re.search(rf"^## `huller {command}`$(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    return {name.replace("-", "_") for name in re.findall(r"--([a-z][a-z0-9-]+)", section[1])}


@pytest.fixture(scope="module")
def extract_flags():
    if program() is None:
        pytest.skip("the program is not built: make build")
    return flags("extract")


def of(function):
    return {name for name, _, _ in options_of(function)}


def test_every_option_is_one_of_the_program(extract_flags):
    for function in ("extract", "extract_many", "stream", "refine", "many_schema", "stream_schema"):
        assert of(function) <= extract_flags, function
    assert of("refine") <= flags("refine")
    table = {name for function in ("stream",) for name in of(function)} | NOT_OF_A_STREAM
    shared = {name for name, _, _ in options_of("stream")}
    assert NOT_OF_A_STREAM <= extract_flags and table - shared == NOT_OF_A_STREAM
    for name in ("stages", "preset", "set", "lang", "fields", "extractor", "signals", "text_without"):
        assert name in shared


def test_the_spark_program_and_the_example_for_ray_take_them_all(extract_flags):
    without = "import sys; sys.modules['pyspark'] = None; from huller import spark; sys.exit(spark.main(['--help']))"
    text = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=True).stdout
    listed = set(re.findall(r"--([a-z][a-z0-9_-]+)", text))
    for name in of("stream"):
        assert name.replace("_", "-") in listed and (name in listed), name
    source = (ROOT / "examples/ray_extract.py").read_text()
    assert "add_arguments(parser, \"stream\")" in source and "from_arguments(arguments, \"stream\")" in source


def test_arguments_become_keywords(sample):
    parser = argparse.ArgumentParser()
    huller.options.add_arguments(parser, "stream")
    words = "--stages language,mask --set language.min_score=0.65 --set mask.phones=true --lang eng --max-page-bytes 2M --fields url,text --min_chars 5 --judge"
    found = huller.options.from_arguments(parser.parse_args(words.split()), "stream")
    assert found == {
        "stages": ["language", "mask"],
        "set": ["language.min_score=0.65", "mask.phones=true"],
        "lang": ["eng"],
        "max_page_bytes": 2 << 20,
        "fields": ["url", "text"],
        "min_chars": 5,
        "judge": True,
    }
    assert huller.stream(sample, **found).schema.names == ["url", "text"]
    assert huller.options.from_arguments(parser.parse_args([]), "stream") == {}
    assert "(one of dolma, datatrove," in parser.format_help().replace("\n" + " " * 24, " ")


def test_chosen_fields_are_the_columns(sample):
    assert huller.stream_schema(fields=["text", "id"]).names == huller.stream(sample, fields=["text", "id"]).schema.names
    rows = huller.stream(sample, fields=["id", "text"], stages=[huller.stage(lambda rows: rows.column("url").is_valid(), name="url-known")])
    assert sorted(rows.schema.names) == ["id", "text"] and rows.read_all().num_rows == 41
    with pytest.raises(ValueError, match="txt"):
        huller.stream(sample, fields="txt")


@pytest.mark.parametrize("function", ["extract", "extract_many", "stream", "refine"])
def test_the_help_names_every_keyword(function):
    help = getattr(huller, function).__doc__
    for name in [*of(function), "config"]:
        assert f"`{name}`" in help, name
    if "stages" in of(function):
        for name in (*huller.STAGES, *huller.PRESETS):
            assert name in help, name
    for parameter in inspect.signature(getattr(huller, function)).parameters.values():
        assert parameter.kind is parameter.VAR_KEYWORD or f"`{parameter.name}" in help or parameter.name in ("path_or_file", "html"), parameter.name


def _section(name):
    """The part of the stubs that has the options of a function."""
    stub = (ROOT / "crates/python/python/huller/_huller.pyi").read_text()
    return stub[stub.index(f"class {name}(") + 1 :].split("\nclass ")[0].split("\ndef ")[0]


def test_the_stubs_name_every_option():
    for function, name in [("stream", "_StreamOptions"), ("extract_many", "_ManyOptions"), ("refine", "_RefineOptions"), ("stream_schema", "_StreamSchemaOptions"), ("many_schema", "_ManySchemaOptions")]:
        named = set(re.findall(r"^    (\w+):", _section(name), re.MULTILINE))
        own = {"name", "counters", "batch_rows", "batch_bytes", "records_from", "entry_url", "entry_host", "entry_mime", "entry_status", "entry_language"}
        assert named - own == of(function) | {"config"}, function


def test_an_index_takes_the_options_of_the_program(extract_flags):
    # Python shows no progress. The help of --drop names an option of another command.
    named = set(re.findall(r"^    (\w+):", _section("_IndexOptions"), re.MULTILINE)) | {"drop", "withdrawn", "output"}
    assert named == flags("index") - {"quiet", "mark"}
    help = huller.index.__doc__
    assert all(f"`{name}`" in help for name in named)
    searched = set(inspect.signature(huller.search).parameters) - {"index", "query"}
    # Days are a part of the query; files of queries are lists there.
    assert {"type" if name == "page_type" else name for name in searched} == flags("search") - {"queries", "json", "from", "to"}


def test_an_index_on_spark_takes_options_of_the_program(extract_flags):
    from huller import spark

    of_spark = {"df", "columns", "partitions", "name", "local_temp_dir"}
    named = set(inspect.signature(spark.index).parameters)
    assert of_spark <= named and named - of_spark <= flags("index") and "passages" in named


def test_schemas_have_the_names_of_the_program(extract_flags, sample, tmp_path):
    command = [program(), "extract", str(sample), "-o", str(tmp_path / "out"), "--schema", "none"]
    ran = subprocess.run(command, capture_output=True, text=True)
    names = re.search("the schemas are (.*)", ran.stderr)[1].split(", ")
    # The rows of es-bulk are no table.
    assert sorted(names) == sorted([*SCHEMAS, *SCHEMAS_WITHOUT_NULL, "es-bulk"])


def test_counters_add_up_by_sum(sample):
    one = huller.Counters()
    huller.stream(sample, counters=one).read_all()
    assert sum([one, one]) == one + one and sum([one]) == one
    with pytest.raises(TypeError):
        3 + one


def test_settings_of_passages_have_the_names_of_the_program(extract_flags, sample, tmp_path):
    command = [program(), "extract", str(sample), "-o", str(tmp_path / "out"), "--passages", str(tmp_path / "cut"), "--passages-set", "none=1"]
    ran = subprocess.run(command, capture_output=True, text=True)
    refused = "unknown field `none`, expected one of (.*)"
    names = set(re.findall(r"`(\w+)`", re.search(refused, ran.stderr)[1]))
    assert len(names) > 5 and set(re.findall(r"^    (\w+):", _section("_PassageOptions"), re.MULTILINE)) == names
    with pytest.raises(TypeError, match=refused) as raised:
        huller.passages(pyarrow.table({"id": ["a"], "text": ["Rain fell."]}), none=1)
    assert all(f"`{name}`" in str(raised.value) and f"``{name}``" in huller.passages.__doc__ for name in names)
