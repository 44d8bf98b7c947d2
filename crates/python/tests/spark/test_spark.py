import collections
import gzip
import json
import os
import re
import signal
import time

import huller
import pyarrow.parquet
import pytest
from huller import spark as huller_spark

from executors import executors_below
from program import as_row


def rows_in(folder):
    table = pyarrow.parquet.read_table(folder)
    return [as_row(row) for row in table.to_pylist()]


def ended(process, code):
    _, stderr = process.communicate(timeout=600)
    assert process.returncode == code, stderr
    return stderr


def in_order(rows):
    return sorted(rows, key=lambda row: (row["warc_filename"], row["warc_record_offset"] or 0, row["id"]))


def damaged(sample):
    data = bytearray(sample.read_bytes())
    for at in range(len(data) // 3, len(data) // 3 + 50):
        data[at] ^= 0x5A
    return bytes(data)


@pytest.fixture(scope="module")
def inputs(sample, tmp_path_factory):
    """The sample, a damaged copy, a file that is none, and one that is not there."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "whole.warc.gz").write_bytes(sample.read_bytes())
    (folder / "damaged.warc.gz").write_bytes(damaged(sample))
    (folder / "picture.warc.gz").write_bytes(b"\x89PNG\r\n" * 100)
    names = ["whole.warc.gz", "damaged.warc.gz", "picture.warc.gz", "missing.warc.gz"]
    (folder / "warc.paths.gz").write_bytes(gzip.compress("\n".join(names).encode()))
    return folder


def test_rows_and_account_are_those_of_the_program(inputs, start, cli_rows, tmp_path):
    out = tmp_path / "pages"
    stderr = ended(start(inputs / "warc.paths.gz", out), 1)
    assert "missing.warc.gz" in stderr and "picture.warc.gz" in stderr
    stats = json.loads((out / "_huller/run.account").read_text())
    expected, counted = [], []
    for name in ("whole.warc.gz", "damaged.warc.gz"):
        rows, account = cli_rows(inputs / name, tmp_path)
        expected += rows
        counted.append(account)
    assert in_order(rows_in(out)) == in_order(expected)
    assert stats["inputs"] == counted and sum(account["failed"].get("corrupt_member", 0) for account in counted) > 0
    assert [one["input"].rsplit("/")[-1] for one in stats["unusable"]] == ["picture.warc.gz", "missing.warc.gz"]
    for kind in ("records", "written", "bytes"):
        assert stats["total"][kind] == sum(account[kind] for account in counted)
    assert (out / "_SUCCESS").exists()


def test_stages_and_settings_have_the_names_of_the_program(inputs, start, cli_rows, tmp_path):
    out = tmp_path / "pages"
    paths = tmp_path / "warc.paths"
    paths.write_text(f"{inputs / 'whole.warc.gz'}\n{inputs / 'damaged.warc.gz'}\n")
    options = ["--preset", "fineweb", "--set", "language.min_score=0.5", "--signals", "--markdown"]
    stderr = ended(start(paths, out, *options), 0)
    assert f"rows in {out}" in stderr
    expected, _ = cli_rows(paths, tmp_path, *options)
    assert in_order(rows_in(out)) == in_order(expected) and 10 < len(expected) < 80
    ours, programs = (json.loads((folder / "_huller/run.account").read_text()) for folder in (out, tmp_path / "cli"))
    assert ours["inputs"] == programs["inputs"] and any("fineweb:" in reason for one in ours["inputs"] for reason in one["skipped"])
    few = tmp_path / "few"
    ended(start(paths, few, "--stages", "language,mask", "--lang", "eng", "--fields", "id,text", "--min-chars", "200"), 0)
    expected, _ = cli_rows(paths, tmp_path, "--stages", "language,mask", "--lang", "eng", "--fields", "id,text", "--min-chars", "200")
    assert sorted(map(str, pyarrow.parquet.read_table(few).to_pylist())) == sorted(map(str, expected))
    stderr = ended(start(paths, tmp_path / "none", "--preset", "finewebb"), 2)
    assert "unknown preset 'finewebb'" in stderr


@pytest.mark.parametrize(("schema", "form"), [("dolma", "parquet"), ("ccnet", "json"), ("vespa", "json")])
def test_rows_have_the_schema_of_another_tool(schema, form, inputs, start, cli_rows, tmp_path):
    out = tmp_path / "pages"
    paths = tmp_path / "warc.paths"
    paths.write_text(f"{inputs / 'whole.warc.gz'}\n")
    options = ["--schema", schema, "--stages", "language"]
    ended(start(paths, out, "--output_format", form, "--output_compression", "none", *options), 0)
    expected, _ = cli_rows(paths, tmp_path, *options)
    if form == "json":
        rows = [json.loads(line) for part in out.glob("*.json") for line in part.read_text().splitlines()]
    else:
        rows = rows_in(out)
    assert len(rows) == 41 and [list(row) for row in rows] == [list(row) for row in expected]
    assert rows == expected
    stderr = ended(start(paths, tmp_path / "none", "--schema", "es-bulk"), 2)
    assert "huller extract --schema es-bulk" in stderr


def test_real_archives_give_the_rows_of_the_program(shared_warcs, start, cli_rows, tmp_path):
    # The program refuses two inputs whose outputs would have one name.
    stem = lambda path: (path.parent, re.sub(r"(\.w?arc)?(\.gz|\.zst|\.lz4)?$", "", path.name))
    archives = list({stem(path): path for path in shared_warcs}.values())
    paths = tmp_path / "paths.txt"
    paths.write_text("".join(f"{path}\n" for path in archives))
    out = tmp_path / "pages"
    ended(start(paths, out, "--num_input_partitions", 16), 1)
    # A list, so that files have the names that it gives them.
    expected, _ = cli_rows(paths, tmp_path)
    assert in_order(rows_in(out)) == in_order(expected) and len(expected) > 400
    account = "_huller/run.account"
    ours, programs = (json.loads((folder / account).read_text()) for folder in (out, tmp_path / "cli"))
    for key in ("inputs", "unusable", "without_pages"):
        assert {one["input"] for one in ours[key]} == {one["input"] for one in programs[key]}, key
    assert ours["total"] == programs["total"] and len(ours["inputs"]) > len(archives) / 2


def test_a_killed_worker_loses_and_doubles_nothing(sample, start, tmp_path):
    data = sample.read_bytes() * 150
    copies = 16
    for number in range(copies):
        (tmp_path / f"copy{number:02}.warc.gz").write_bytes(data)
    paths = tmp_path / "warc.paths"
    paths.write_text("".join(f"copy{number:02}.warc.gz\n" for number in range(copies)))
    out = tmp_path / "pages"
    process = start(paths, out)
    deadline = time.monotonic() + 300
    # Some tasks have ended, others are at work.
    while len(list(out.glob("_temporary/0/task_*"))) < 3:
        assert process.poll() is None and time.monotonic() < deadline, "the job ended before it could be disturbed"
        time.sleep(0.02)
    victims = executors_below(process.pid)
    assert len(victims) == 2
    os.kill(victims[0], signal.SIGKILL)
    ended(process, 0)
    table = pyarrow.parquet.read_table(out, columns=["warc_filename", "warc_record_offset", "text"])
    assert table.num_rows == copies * 150 * 41
    rows = collections.Counter(zip(table["warc_filename"].to_pylist(), table["warc_record_offset"].to_pylist()))
    assert len(rows) == table.num_rows, "rows are there twice"
    assert set(table["text"].to_pylist()) == set(huller.stream(sample).read_all()["text"].to_pylist())
    stats = json.loads((out / "_huller/run.account").read_text())
    assert stats["total"]["written"] == table.num_rows and stats["total"]["records"] == copies * 150 * 96
    assert len(stats["inputs"]) == copies and not stats["unusable"]


@pytest.mark.parametrize("form", ["json", "orc"])
def test_other_formats_hold_the_same_texts(form, inputs, sample, start, spark, tmp_path):
    paths = tmp_path / "paths"
    paths.write_text(str(sample) + "\n")
    out = tmp_path / "pages"
    ended(start(paths, out, "--output_format", form, "--extractor", "pvalue", "--extractor", "body"), 0)
    rows = spark.read.format(form).load(str(out)).select("id", "text", "texts.body").collect()
    expected = huller.stream(sample, extractor=["pvalue", "body"]).read_all().to_pylist()
    assert {row.id: (row.text, row.body) for row in rows} == {
        row["id"]: (row["text"], row["texts"]["body"]) for row in expected
    }


def test_a_table_is_written_by_its_name(sample, start, tmp_path):
    paths = tmp_path / "paths"
    paths.write_text(str(sample) + "\n")
    stderr = ended(start(paths, "pages_of_a_test", "--stats", tmp_path / "run.account", cwd=tmp_path), 0)
    assert json.loads((tmp_path / "run.account").read_text())["total"]["written"] == 41, stderr
    assert re.search("41 rows in the table pages_of_a_test, which is in file:.*/warehouse/pages_of_a_test", stderr)


def test_a_column_of_pages_gets_texts_beside_it(sample, spark):
    records = [record for record in huller.read_warc(sample) if record.type == "response"]
    frame = spark.createDataFrame(
        [(record.id, record.url, bytearray(record.payload)) for record in records], "id string, url string, html binary"
    ).repartition(3)
    extracted = huller_spark.extract(frame, "html", url_col="url", extractor="pvalue").collect()
    assert len(extracted) == len(records)
    by_id = {record.id: record for record in records}
    for row in extracted:
        page = huller.extract(by_id[row.id].payload, url=row.url, extractor="pvalue")
        assert (row.text, row.title, row.score, row.reason) == (page.text, page.title, page.score, None)
    with pytest.raises(ValueError, match="choose a prefix"):
        huller_spark.extract(frame.withColumnRenamed("url", "title"))
    prefixed = huller_spark.extract(frame.withColumnRenamed("url", "title"), prefix="main_")
    assert "main_title" in prefixed.columns and prefixed.count() == len(records)


def test_rows_of_a_frame_are_refined(sample, spark):
    rows = huller.stream(sample).read_all().select(["id", "url", "title", "text", "page_type", "has_article", "score"])
    frame = spark.createDataFrame(rows.to_pylist(), "id string, url string, title string, text string, page_type string, has_article boolean, score double").repartition(3)

    def no_ferries(batch):
        return ["ferry" if "ferry" in text else None for text in batch["text"].to_pylist()]

    for options in ({"preset": "gopher"}, {"stages": ["language", huller.stage(no_ferries), "mask", "tokens"], "lang": "eng", "signals": True}):
        for keep_dropped in (False, True):
            expected = huller.refine(rows, keep_dropped=keep_dropped, **options)
            found = huller_spark.refine(frame, keep_dropped=keep_dropped, **options)
            assert found.columns == expected.schema.names
            assert sorted((row.asDict() for row in found.collect()), key=lambda row: row["id"]) == sorted(expected.to_pylist(), key=lambda row: row["id"])
    with pytest.raises(ValueError, match="there is no column 'body'"):
        huller_spark.refine(frame, text="body", stages="mask")
    texts = huller_spark.extract(frame.select("id", frame["text"].alias("html")), extractor="body", stages=["tokens"])
    assert {row.id for row in texts.where("tokens > 0").collect()} <= set(rows["id"].to_pylist())


def test_rows_of_a_frame_are_cut_into_passages(sample, spark):
    rows = huller.stream(sample, markdown=True).read_all().select(["id", "url", "title", "markdown"])
    frame = spark.createDataFrame(rows.to_pylist(), "id string, url string, title string, markdown string").repartition(3)
    settings = {"max_tokens": 200, "min_tokens": 20, "tokenizer": "characters"}
    expected = huller.passages(rows, **settings)
    found = huller_spark.passages(frame, **settings)
    assert found.columns == expected.schema.names
    assert sorted((row.asDict() for row in found.collect()), key=lambda row: row["id"]) == sorted(expected.to_pylist(), key=lambda row: row["id"])
    renamed = frame.withColumnRenamed("markdown", "body")
    assert huller_spark.passages(renamed, markdown="body", **settings).count() == expected.num_rows
    with pytest.raises(ValueError, match="there is no column 'key'"):
        huller_spark.passages(frame, id="key")


def test_archives_are_read_as_a_frame_and_counted_once(sample, spark):
    paths = [str(sample), f"file://{sample}", str(sample) + ".none"]
    counters = huller_spark.InputCounters(spark, paths)
    frame = huller_spark.read(spark, paths, counters=counters)
    assert len(counters.unusable) == 3, "nothing has run yet"
    assert frame.count() == frame.count() == 82
    assert counters.total.written == 82 and counters.total.records == 192
    assert list(counters.unusable) == [str(sample) + ".none"]


def test_remote_files_are_copied_and_the_copies_removed(sample, tmp_path):
    import fsspec

    with fsspec.open("memory://crawl/a.warc.gz", "wb") as file:
        file.write(sample.read_bytes())
    with huller_spark._local("memory://crawl/a.warc.gz", tmp_path) as local:
        assert os.path.dirname(local) == str(tmp_path)
        assert huller.stream(local).read_all().num_rows == 41
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(huller.ArchiveError), huller_spark._local("memory://crawl/none.warc.gz", tmp_path):
        pass
    with pytest.raises(huller.HullerError), huller_spark._local("nowhere://a.warc.gz", tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
