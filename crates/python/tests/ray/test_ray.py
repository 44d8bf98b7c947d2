"""The example for Ray, in a network namespace that has the loopback interface and nothing else."""

import json
import shutil
import subprocess
import sys

import huller
import pyarrow.parquet
import pytest

from program import ROOT, program

# The columns that name the file.
NAMES = ["file_path", "warc_filename"]

# The begin of a command without a network.
INSIDE = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]

# Cuts the rows of a file into passages, as docs/scale-out.md says.
CUT = """
import sys
import huller, pyarrow.parquet, ray
ray.init(include_dashboard=False, log_to_driver=False)
data = ray.data.from_arrow(pyarrow.parquet.read_table(sys.argv[1])).repartition(3)
data = data.map_batches(huller.passages, batch_format="pyarrow")
pyarrow.parquet.write_table(pyarrow.concat_tables(ray.get(data.to_arrow_refs())), sys.argv[2])
"""


@pytest.fixture(autouse=True)
def may_unshare():
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode != 0:
        pytest.skip("no right to make a network namespace")


def test_the_example_gives_the_rows_and_the_account_of_the_program(sample, tmp_path):
    names = ["one.warc.gz", "two.warc.gz"]
    for name in names:
        shutil.copy(sample, tmp_path / name)
    paths = [*(str(tmp_path / name) for name in names), str(tmp_path / "missing.warc.gz")]
    (tmp_path / "warc.paths").write_text("\n".join(paths) + "\n")
    job = [sys.executable, str(ROOT / "examples/ray_extract.py"), str(tmp_path / "warc.paths"), str(tmp_path / "out")]
    ran = subprocess.run([*INSIDE, *job], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 1, ran.stderr
    assert "2 files, 82 pages, 1 files could not be read" in ran.stdout
    expected = huller.stream(sample).read_all()
    for number, name in enumerate(names):
        table = pyarrow.parquet.read_table(tmp_path / "out" / f"{number:05}-{name}.parquet")
        assert set(table["file_path"].to_pylist()) == {str(tmp_path / name)}
        assert table.drop_columns(NAMES) == expected.drop_columns(NAMES)
    stats = json.loads((tmp_path / "out/run.account").read_text())
    assert [one["records"] for one in stats["inputs"]] == [96, 96]
    if (command := program()) is not None:
        merged = subprocess.run([command, "stats", str(tmp_path / "out/run.account")], capture_output=True, text=True)
        assert merged.returncode == 1 and "missing.warc.gz' could not be used" in merged.stderr
        assert "written                                 82" in merged.stdout + merged.stderr
    # The options have the names of the program's.
    options = ["--preset", "fineweb", "--set", "language.min_score=0.5", "--fields", "id,text"]
    ran = subprocess.run([*INSIDE, *job[:-1], str(tmp_path / "few"), *options], capture_output=True, text=True, timeout=300)
    expected = huller.stream(sample, preset="fineweb", set="language.min_score=0.5", fields=["id", "text"]).read_all()
    table = pyarrow.parquet.read_table(tmp_path / "few/00000-one.warc.gz.parquet")
    assert table == expected and 10 < table.num_rows < 41, ran.stderr


def test_the_example_indexes_the_rows_of_the_other_example(sample, tmp_path):
    rows = tmp_path / "rows"
    rows.mkdir()
    table = huller.stream(sample).read_all()
    for part in range(3):
        pyarrow.parquet.write_table(table.slice(part * 14, 14), rows / f"{part}.parquet")
    job = [sys.executable, str(ROOT / "examples/ray_index.py"), str(rows), str(tmp_path / "out")]
    ran = subprocess.run([*INSIDE, *job], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and "3 files, 4" in ran.stdout, ran.stderr
    huller.index(rows, tmp_path / "whole")
    queries = ["ferry", "water", "the", "host:example.org the", '"of the"', "bell*"]
    found = huller.search(tmp_path / "out", queries, limit=None)
    assert found == huller.search(tmp_path / "whole", queries, limit=None) and found
    assert [path.name for path in tmp_path.iterdir() if ".parts-" in path.name] == []


def test_batches_are_cut_into_the_passages_of_the_whole(sample, tmp_path):
    rows = huller.stream(sample, markdown=True).read_all()
    pyarrow.parquet.write_table(rows, tmp_path / "rows.parquet")
    job = [sys.executable, "-c", CUT, str(tmp_path / "rows.parquet"), str(tmp_path / "cut.parquet")]
    ran = subprocess.run([*INSIDE, *job], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    expected = huller.passages(rows)
    found = pyarrow.parquet.read_table(tmp_path / "cut.parquet")
    order = [("parent_id", "ascending"), ("ordinal", "ascending")]
    assert found.sort_by(order).to_pylist() == expected.sort_by(order).to_pylist() and len(expected) > 41
