"""Where the inputs of the tests are, and rows of the program for them."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from program import ROOT, program


@pytest.fixture(scope="session")
def sample():
    return ROOT / "data/sample.warc.gz"


@pytest.fixture(scope="session")
def gold():
    return ROOT / "data/gold.jsonl"


@pytest.fixture(scope="session")
def shared_warcs():
    """The real archives shared by the project: $HULLER_SHARED/warc, else ../shared/warc."""
    folder = pathlib.Path(os.environ.get("HULLER_SHARED", ROOT.parent / "shared")) / "warc"
    if not folder.is_dir():
        pytest.skip(f"the shared archives are not at '{folder}'")
    names = sorted([*folder.glob("files/*"), *folder.glob("derived/*")])
    return [name for name in names if name.suffix != ".json"]


@pytest.fixture(scope="session")
def cli_rows():
    """Rows of the program for a file, and the line of its statistics; ``None`` if it could not use the file."""
    huller = program()
    if huller is None:
        pytest.skip("the program is not built: make build")

    def rows(path, folder, *arguments):
        out = folder / "cli"
        shutil.rmtree(out, ignore_errors=True)
        command = [huller, "extract", str(path), "-o", str(out), "-q", "-j1", "--compress", "none"]
        ran = subprocess.run([*command, *arguments], capture_output=True, text=True)
        inputs = json.loads((out / "_huller/run.account").read_text())["inputs"]
        if not inputs:
            assert ran.returncode == 1, ran.stderr
            return None, ran.stderr
        # An input without rows has no output.
        lines = "".join(output.read_text(encoding="utf-8") for output in sorted(out.rglob("*.jsonl"))).split("\n")
        return [json.loads(line) for line in lines if line], inputs[0]

    return rows
