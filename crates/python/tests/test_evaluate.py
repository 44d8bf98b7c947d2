import json
import subprocess

import huller
import pytest

from program import program


def test_figures_are_those_of_the_program(sample, gold):
    huller_program = program()
    if huller_program is None:
        pytest.skip("the program is not built: make build")
    command = [huller_program, "eval", sample, "--gold", gold, "--extractors", "pvalue,body", "--format", "json", "-q"]
    ran = subprocess.run([*map(str, command)], capture_output=True, check=True)
    figures = huller.evaluate(sample, gold, extractors=["pvalue", "body"])
    expected = json.loads(ran.stdout)
    for row in figures["rows"] + expected["rows"]:
        for key in list(row):
            if key == "mb_per_cpu_s":
                del row[key]
    assert figures == expected and figures["rows"]


def test_what_cannot_be_scored_is_said(sample, gold, tmp_path):
    with pytest.raises(huller.HullerError, match="none.jsonl"):
        huller.evaluate(sample, tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="by must be"):
        huller.evaluate(sample, gold, by="colour")
