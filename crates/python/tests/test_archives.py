import collections
import gzip
import io
import json
import pathlib
import pickle

import huller
import pyarrow
import pyarrow.parquet
import pytest

from program import as_row


def test_the_sample_gives_the_rows_of_the_program(sample, cli_rows, tmp_path):
    counters = huller.Counters()
    reader = huller.stream(sample, counters=counters)
    assert isinstance(reader, pyarrow.RecordBatchReader)
    assert reader.schema == huller.stream_schema()
    rows = [as_row(row) for row in reader.read_all().to_pylist()]
    expected, stats = cli_rows(sample, tmp_path)
    assert rows == expected and len(rows) == 41
    assert list(rows[0]) == list(expected[0])
    assert (counters.records, counters.written) == (stats["records"], stats["written"])
    assert (counters.skipped, counters.failed) == (stats["skipped"], stats["failed"])
    assert counters.is_balanced


def test_inputs_have_the_names_that_the_program_gives_them(sample, cli_rows, tmp_path):
    for folder in ("mon", "tue"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.warc.gz").write_bytes(sample.read_bytes())
    (tmp_path / "b.warc.gz").write_bytes(sample.read_bytes())
    paths = [str(tmp_path / name) for name in ("mon/a.warc.gz", "tue/a.warc.gz", "b.warc.gz")]
    (tmp_path / "warc.paths").write_text("# two days\nmon/a.warc.gz\n\ntue/a.warc.gz\n")
    listed = huller.read_list(tmp_path / "warc.paths")
    assert [str(path) for _, path in listed] == ["mon/a.warc.gz", "tue/a.warc.gz"]
    given = list(zip(huller.input_names(paths), paths, strict=True))
    for files, arguments in [(given, paths), ([(name, tmp_path / path) for name, path in listed], [str(tmp_path / "warc.paths")])]:
        rows, _ = cli_rows(*arguments[:1], tmp_path, *arguments[1:])
        named = collections.defaultdict(list)
        for row in rows:
            named[row["file_path"]].append(row["id"])
        for name, path in files:
            assert huller.stream(path, name=name).read_all()["id"].to_pylist() == named[name]
        assert len(named) == len(files)
    with pytest.raises(ValueError, match="no paths"):
        (tmp_path / "empty.paths").write_text("\n")
        huller.read_list(tmp_path / "empty.paths")


def test_every_option_gives_the_rows_of_the_program(sample, cli_rows, tmp_path):
    cases = [
        (
            ["--extractor", "pvalue,body", "--html", "--markdown", "--markdown-without", "links"],
            {"extractor": ["pvalue", "body"], "html": True, "markdown": True, "markdown_without": ["links"]},
        ),
        (["--extractor", "pvalue", "--judge"], {"extractor": "pvalue", "judge": True}),
        (["--profile", "paper", "--extractor", "nb"], {"profile": "paper", "extractor": "nb"}),
        (["--min-chars", "2000"], {"min_chars": 2000}),
        (["--status", "any"], {"status": "any"}),
        (["--digest"], {"digest": True}),
        (
            ["--include", "title,byline,comments,captions"],
            {"include": ["title", "byline", "comments", "captions"]},
        ),
        (["--max-page-bytes", "2000"], {"max_page_bytes": 2000}),
    ]
    for arguments, options in cases:
        counters = huller.Counters()
        rows = huller.stream(sample, counters=counters, **options).read_all().to_pylist()
        expected, stats = cli_rows(sample, tmp_path, *arguments)
        assert [as_row(row) for row in rows] == expected, arguments
        assert (counters.skipped, counters.failed) == (stats["skipped"], stats["failed"]), arguments


def test_records_that_an_index_names_are_those_of_the_program(sample, cli_rows, tmp_path):
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(sample.read_bytes())
    entries = [
        {"url": record.url, "status": record.status, "filename": "x/a.warc.gz", "offset": record.offset, "length": record.length}
        for record in huller.read_warc(archive)
        if record.url and record.type == "response"
    ]
    index = tmp_path / "a.cdxj"
    index.write_text("".join(f"key 2020 {json.dumps(entry)}\n" for entry in entries[::2]))
    every = {row["warc_record_offset"]: row for row in huller.stream(archive).read_all().to_pylist()}
    counters = huller.Counters()
    rows = huller.stream(archive, records_from=index, counters=counters).read_all().to_pylist()
    assert rows == [every[entry["offset"]] for entry in entries[::2] if entry["offset"] in every]
    assert len(rows) > 8 and counters.records == len(entries[::2]) and counters.is_balanced

    # Filters, and several indexes.
    host = entries[2]["url"].split("/")[2]
    index.write_text(index.read_text() + "nonsense\n")
    options = {"records_from": [str(index), index], "entry_host": [host.upper()], "entry_status": "2xx"}
    with pytest.warns(UserWarning, match="1 of its entries cannot be read"):
        some = huller.stream(archive, **options).read_all().to_pylist()
    assert some == [row for row in rows if row["url"].split("/")[2] == host] and some
    with pytest.raises(ValueError, match="no entry that the filters take"):
        huller.stream(archive, records_from=index, entry_url="http://nowhere.example/")
    for wrong, what in [
        ({"entry_url": "*"}, "need records_from"),
        ({"records_from": index, "entry_status": "fine"}, "entry_status"),
        ({"records_from": tmp_path / "none.cdx"}, "none.cdx"),
    ]:
        with pytest.raises(ValueError, match=what):
            huller.stream(archive, **wrong)
    other = tmp_path / "b.warc.gz"
    other.write_bytes(sample.read_bytes())
    with pytest.raises(ValueError, match="no record of '.*b.warc.gz'"):
        huller.stream(other, records_from=index)
    with archive.open("rb") as file, pytest.raises(ValueError, match="path of the archive"):
        huller.stream(file, records_from=index)


def test_the_users_own_keys_are_kept(cli_rows, tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text('{"html": "<p>One.", "topic": {"a": [1]}}\n{"html": "<p>Two."}\n')
    reader = huller.stream(path, keep_keys="topic")
    assert reader.schema == huller.stream_schema(keep_keys="topic")
    rows = [as_row(row) for row in reader.read_all().to_pylist()]
    assert rows == cli_rows(path, tmp_path, "--keep-keys", "topic")[0]
    assert [row["source"] for row in rows] == [{"topic": {"a": [1]}}, {"topic": None}]


def test_real_archives_give_the_rows_of_the_program(shared_warcs, cli_rows, tmp_path):
    compared = rows_compared = damaged = 0
    for path in shared_warcs:
        expected, stats = cli_rows(path, tmp_path)
        counters = huller.Counters()
        if expected is None:
            with pytest.raises(huller.ArchiveError) as error:
                huller.stream(path, counters=counters)
            assert str(error.value) in stats and error.value.file == str(path)
            continue
        rows = [as_row(row) for row in huller.stream(path, counters=counters).read_all().to_pylist()]
        assert rows == expected, path
        assert (counters.records, counters.written) == (stats["records"], stats["written"]), path
        assert (counters.skipped, counters.failed) == (stats["skipped"], stats["failed"]), path
        assert counters.repaired == stats["repaired"], path
        compared += 1
        rows_compared += len(rows)
        damaged += bool(counters.failed)
    print(f"{compared} archives, {rows_compared} rows, {damaged} archives with damage")
    assert compared > 100 and damaged > 10


def test_batches_are_bounded(sample):
    batches = list(huller.stream(sample, batch_rows=7))
    assert [batch.num_rows for batch in batches] == [7, 7, 7, 7, 7, 6]
    for batch in huller.stream(sample, batch_bytes=20_000):
        assert batch.num_rows == 1 or batch.column("text").nbytes < 20_000 + 8 * batch.num_rows + 64
    with pytest.raises(ValueError):
        huller.stream(sample, batch_rows=0)


def test_a_file_object_gives_the_same_pages(sample):
    with open(sample, "rb") as file:
        from_object = huller.stream(file, name="sample.warc.gz").read_all()
    from_path = huller.stream(sample).read_all()
    for column in ("id", "url", "text", "title", "score", "warc_record_offset", "warc_filename"):
        assert from_object.column(column) == from_path.column(column), column


def test_an_exception_of_a_file_object_is_an_error_of_the_archive(sample):
    class Broken(io.RawIOBase):
        name = "broken.warc.gz"

        def __init__(self):
            self.data = io.BytesIO((sample.read_bytes() * 40)[:1_000_000])

        def read(self, size=-1):
            return self.data.read(size) or self.fail()

        def fail(self):
            raise RuntimeError("the line is dead")

    with pytest.raises(huller.ArchiveError, match="the line is dead") as error:
        huller.stream(Broken()).read_all()
    assert error.value.file == "broken.warc.gz" and 0 < error.value.offset <= 1_000_000


def test_errors_say_file_and_offset(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        huller.stream(tmp_path / "none.warc.gz")
    assert isinstance(error.value, huller.ArchiveError)
    assert error.value.file.endswith("none.warc.gz") and error.value.offset == 0
    png = tmp_path / "a.png"
    png.write_bytes(b"\x89PNG\r\n" * 100)
    with pytest.raises(huller.ArchiveError, match="not a readable WARC, ARC, WACZ, JSONL, CSV, Parquet, ZIP or tar file") as error:
        huller.read_warc(png)
    copy = pickle.loads(pickle.dumps(error.value))
    assert (str(copy), copy.file) == (str(error.value), str(png))
    with pytest.raises(huller.ArchiveError):
        huller.stream(tmp_path)
    with pytest.raises(ValueError, match="path or a binary file object"):
        huller.stream(7)


def test_an_account_adds_up_and_survives_json_and_pickle(sample):
    counters = huller.Counters()
    for _ in range(2):
        huller.stream(sample, counters=counters).read_all()
    once = huller.Counters()
    huller.stream(sample, counters=once).read_all()
    assert counters == once + once and counters.records == 2 * once.records == 192
    assert pickle.loads(pickle.dumps(counters)) == counters
    assert huller.Counters.from_json(counters.to_json()) == counters
    with pytest.raises(ValueError):
        huller.Counters.from_json('{"records":"many"}')


def test_records_have_places_and_payloads(sample):
    reader = huller.read_warc(sample)
    records = list(reader)
    assert len(records) == 96 and reader.faults == []
    data = sample.read_bytes()
    for record in records:
        member = gzip.decompress(data[record.offset : record.offset + record.length])
        assert member.startswith(record.header_block + record.block)
    kinds = {record.type for record in records}
    assert kinds == {"warcinfo", "request", "response", "metadata", "revisit", "resource"} or "response" in kinds
    ids = {row["id"]: row for row in huller.stream(sample).read_all().to_pylist()}
    pages = [record for record in records if record.id in ids]
    assert len(pages) == 41
    for record in pages:
        row = ids[record.id]
        assert (record.url, record.date, record.status) == (row["url"], row["date"], row["status"])
        assert record.content_type == row["content_type"]
        assert (record.offset, record.length) == (row["warc_record_offset"], row["warc_record_length"])
        charset = row["charset"] if row["charset_source"] == "http" else None
        assert huller.extract(record.payload, url=record.url, charset=charset).text == row["text"]
    assert records[0].header("warc-type").lower() == records[0].type
    assert records[0].header("X-None") is None


def test_a_folded_content_type_is_one_line_and_the_block_stays(tmp_path):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n\tcharset=utf-8\r\n\r\n<p>A page</p>"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {len(block)}\r\n\r\n".encode()
    path = tmp_path / "folded.warc"
    path.write_bytes(head + block + b"\r\n\r\n")
    (record,) = huller.read_warc(path)
    assert (record.content_type, record.block) == ("text/html; charset=utf-8", block)
    (row,) = huller.stream(path).read_all().to_pylist()
    assert row["content_type"] == record.content_type


def test_a_damaged_record_costs_itself_alone(sample, tmp_path):
    records = list(huller.read_warc(sample))
    victim = next(record for record in records if record.type == "response" and record.length > 2000)
    data = bytearray(sample.read_bytes())
    for at in range(victim.offset + 500, victim.offset + 540):
        data[at] ^= 0x5A
    path = tmp_path / "damaged.warc.gz"
    path.write_bytes(data)
    reader = huller.read_warc(path)
    left = [record.id for record in reader]
    assert left == [record.id for record in records if record.id != victim.id]
    assert [(fault.offset, fault.reason) for fault in reader.faults] == [(victim.offset, "corrupt_member")]
    reader = huller.read_warc(path, errors="raise")
    found = []
    with pytest.raises(huller.DamagedRecordError) as error:
        for record in reader:
            found.append(record.id)
    assert (error.value.file, error.value.offset) == (str(path), victim.offset)
    assert error.value.reason == "corrupt_member"
    assert found + [record.id for record in reader] == left


def test_a_stream_goes_into_parquet(sample, tmp_path):
    path = tmp_path / "pages.parquet"
    with huller.stream(sample) as reader, pyarrow.parquet.ParquetWriter(path, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
    assert pyarrow.parquet.read_table(path).num_rows == 41


class _Generous(io.BytesIO):
    """A file object that gives more than it is asked for, as urllib3's responses do."""

    def read(self, size=-1):
        return super().read(size if size < 0 else size + 1000)


def test_bytes_beyond_those_asked_for_are_not_dropped(sample):
    expected = huller.stream(sample).read_all().column("text")
    assert huller.stream(_Generous(sample.read_bytes())).read_all().column("text") == expected


def test_rows_that_exist_pass_stages_as_in_extraction(sample):
    stages = {"stages": ["language", "gopher-quality", "c4", "mask"], "set": ["gopher-quality.min_words=30"], "signals": True}
    plain = huller.stream(sample, markdown=True, signals=False).read_all()
    expected = huller.stream(sample, markdown=True, **stages).read_all()
    refined = huller.refine(plain, **stages)
    assert 0 < refined.num_rows < plain.num_rows
    assert refined.select(expected.column_names).to_pylist() == expected.to_pylist()
    # A batch gives a batch; everything dropped gives none of its rows; with the dropped ones all
    # are there.
    batch = plain.combine_chunks().to_batches()[0]
    assert huller.refine(batch, threads=1, **stages).to_pylist() == refined.to_pylist()
    assert huller.refine(batch, lang="swa").num_rows == 0
    every = huller.refine(plain, keep_dropped=True, **stages)
    assert every.num_rows == plain.num_rows
    dropped = [row for row in every.to_pylist() if row["dropped"] is not None]
    assert len(dropped) == plain.num_rows - refined.num_rows and all(":" in row["dropped"] for row in dropped)


def test_refine_takes_other_tables_and_says_what_is_wrong():
    rows = pyarrow.table({"n": [1, 2, 3], "body": ["Write to ann@site.org.", None, "x"], "title": ["ann@site.org", "a", None]})
    refined = huller.refine(rows, text="body", stages="mask", keep_dropped=True).to_pylist()
    assert [row["body"] for row in refined] == ["Write to email@example.com.", None, "x"]
    assert [row["title"] for row in refined] == ["email@example.com", "a", None]
    assert [row["dropped"] for row in refined] == [None, "no_text", None] and refined[2]["n"] == 3
    with pytest.raises(ValueError, match="there is no column 'text'"):
        huller.refine(rows, stages="mask")
    with pytest.raises(ValueError, match="no stages given"):
        huller.refine(rows, text="body")
    with pytest.raises(ValueError, match="'blocks' still has"):
        huller.refine(pyarrow.table({"text": ["ann@site.org"], "blocks": ["[]"]}), stages="mask")


def test_masks_reach_columns_of_the_users_own():
    large = pyarrow.array(["ask ann@site.org", None], pyarrow.large_string())
    own = {"note": large, "source": ['{"a":"ann@site.org"}', "x"], "link": ["https://a.test/ann@site.org", "y"]}
    rows = pyarrow.table({"text": ["e\u0301", "b"], "url": ["ann@site.org", ""], "digest": ["ann@site.org", ""], "n": [1, 2]} | own)
    refined = huller.refine(rows, stages=["mask", "normalise"])
    assert refined.schema == rows.schema.append(pyarrow.field("language", pyarrow.string())).append(
        pyarrow.field("language_score", pyarrow.float64())).append(pyarrow.field("language_script", pyarrow.string()))
    row = refined.to_pylist()[0]
    assert (row["text"], row["note"], row["source"]) == ("\u00e9", "ask email@example.com", '{"a":"email@example.com"}')
    assert (row["link"], row["url"], row["digest"]) == (rows["link"][0].as_py(), "ann@site.org", "ann@site.org")


def test_rows_pass_stages(sample):
    counters = huller.Counters()
    options = {"stages": ["language", "mask"], "lang": "eng", "set": ["language.min_score=0.65"], "signals": True}
    rows = huller.stream(sample, counters=counters, **options).read_all().to_pylist()
    assert rows and {row["language"] for row in rows} == {"eng"}
    assert all(json.loads(row["signals"])["language.score"] >= 0.65 for row in rows)
    assert counters.skipped["language:other"] > 0
    with pytest.raises(ValueError, match="unknown stage 'masks'"):
        huller.stream(sample, stages=["masks"])
    batch = huller.extract_many(["<p>Der Regen fiel den ganzen Tag, und am Abend waren die Straßen nicht mehr zu sehen."], lang="eng")
    assert batch.to_pylist()[0]["reason"] == "language:other"


def test_a_file_describes_a_run_for_every_function(sample, tmp_path):
    path = tmp_path / "huller.toml"
    path.write_text('inputs = ["crawl/"]\noutput = "corpus"\npreset = "gopher"\nsignals = true\nlimit = 3\n[stage.gopher-quality]\nmin_words = 30\n')
    config = huller.Config(path)
    assert (config.inputs, config.output) == ([pathlib.Path("crawl/")], pathlib.Path("corpus"))
    assert config.stages == ["language", "gopher-repetition", "gopher-quality"]
    options = {"preset": "gopher", "signals": True, "set": ["gopher-quality.min_words=30"]}
    expected = huller.stream(sample, **options).read_all()
    assert 0 < expected.num_rows < huller.stream(sample).read_all().num_rows
    assert huller.stream(sample, config=config).read_all() == expected
    assert huller.stream(sample, config=pickle.loads(pickle.dumps(config))).schema == huller.stream_schema(config=config)
    rows = huller.stream(sample).read_all()
    assert huller.refine(rows, config=config).num_rows == expected.num_rows
    # What is said to the function comes before what the file says.
    over = huller.refine(rows, config=config, set=["gopher-quality.min_words=3000"])
    assert over.num_rows < expected.num_rows
    assert huller.extract("<p>a b", config=config).text == "a b"
    for wrong, error, message in [
        (lambda: huller.Config(tmp_path / "none.toml"), FileNotFoundError, "cannot read"),
        (lambda: huller.Config.parse("presett = 'gopher'"), ValueError, "presett"),
        (lambda: huller.refine(rows, config="huller.toml"), TypeError, "expected a huller.Config"),
    ]:
        with pytest.raises(error, match=message):
            wrong()


def test_tokens_are_a_column_where_they_are_asked_for(sample):
    rows = huller.stream(sample, stages="tokens").read_all()
    assert rows.schema == huller.stream_schema(stages="tokens")
    counts = rows.column("tokens").to_pylist()
    assert all(count > 0 for count, text in zip(counts, rows.column("text").to_pylist()) if text)
    refined = huller.refine(huller.stream(sample).read_all(), stages="tokens")
    assert refined.column("tokens").to_pylist() == counts
    assert huller.refine(pyarrow.table({"text": ["hello world"]}), stages="tokens").column("tokens").to_pylist() == [2]
