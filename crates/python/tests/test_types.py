"""The stubs match what the functions take and give, by mypy and pyright."""

import pathlib
import shutil
import subprocess
import sys

import pytest

FILE = pathlib.Path(__file__).parent / "typing/uses_everything.py"


def test_mypy_accepts_every_use():
    pytest.importorskip("mypy")
    for package in ("duckdb", "pandas", "polars"):
        pytest.importorskip(package)
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir=/dev/null", str(FILE)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_pyright_accepts_every_use():
    program = shutil.which("pyright", path=str(pathlib.Path(sys.executable).parent))
    if program is None:
        pytest.skip("pyright is not installed")
    # The package fetches the program the first time.
    if subprocess.run([program, "--version"], capture_output=True).returncode != 0:
        pytest.skip("pyright cannot be fetched")
    ran = subprocess.run([program, "--pythonpath", sys.executable, str(FILE)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
