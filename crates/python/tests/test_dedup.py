"""Signatures and corpora without duplicates: those of the program."""

import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time

import huller
import pyarrow
import pytest

from program import program


def rows(count, seed=1):
    generator = random.Random(seed)
    originals = [[f"w{generator.randrange(10_000)}" for _ in range(60)] for _ in range(20)]
    for number in range(count):
        words = list(originals[number % 20])
        words[number % 7] = f"x{number % 3}"
        yield {
            "id": f"00000000-0000-4000-8000-{number:012x}",
            "url": f"http://HOST.test/{number // 2}#a" if number % 5 else None,
            "date": f"2024-01-{1 + number % 28:02}T00:00:00Z",
            "text": " ".join(words) if number % 11 else "too short",
        }


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, seed in [("a.jsonl", 1), ("b.jsonl", 2)]:
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows(300, seed)))
    return folder


def files(folder):
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        # Times are other ones in each run.
        if path.is_file() and path.name not in ("lock", "run.timing"):
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def test_signatures_are_those_of_the_program(corpus, tmp_path):
    table = pyarrow.Table.from_pylist([*rows(300), {"text": None}])
    signed = huller.signatures(table, bands=9, rows=4).to_pylist()
    assert signed.pop() == dict.fromkeys(["text_digest", "url_digest", "chars", "fetched", "bands"])
    # Files of signatures have the same numbers (docs/signatures.md).
    huller.dedup(corpus / "a.jsonl", tmp_path / "out", by="url", keep="first", bands=9, rows=4)
    data = (tmp_path / "out/_huller/signatures/a.jsonl.sig").read_bytes()
    (length,) = struct.unpack_from("<I", data, 8)
    start = -(-(12 + length) // 8) * 8
    record = 80 + 9 * 8
    kept = [json.loads(line)["id"] for line in (tmp_path / "out/a.jsonl").read_text().splitlines()]
    assert len(data) == start + record * len(kept)
    by_id = dict(zip(table["id"].to_pylist(), signed))
    for at, key in enumerate(kept):
        _, _, text, url, fetched, _, chars, flags, *bands = struct.unpack_from("<Q16s16s16sqfIQ9q", data, start + at * record)
        row = by_id[key]
        assert (row["text_digest"], row["chars"], row["fetched"]) == (text, chars, fetched)
        assert row["url_digest"] == (None if url == bytes(16) else url)
        assert row["bands"] == (bands if flags & 1 else [])


def test_signatures_do_not_depend_on_threads_or_form():
    table = pyarrow.Table.from_pylist(list(rows(500)))
    signed = huller.signatures(table)
    assert signed == huller.signatures(table, threads=1) == huller.signatures(table.to_batches()[0], threads=3)
    assert huller.signatures(table.rename_columns(["id", "u", "date", "body"]), text="body", url="u") == signed
    assert huller.signatures(table, hash="datatrove")["bands"] != signed["bands"]
    assert huller.signatures(table.slice(0, 0)).num_rows == 0
    with pytest.raises(ValueError, match="there is no column 'body'"):
        huller.signatures(table, text="body")
    with pytest.raises(ValueError, match="at least 1"):
        huller.signatures(table, bands=0)
    with pytest.raises(ValueError, match="hash must be"):
        huller.signatures(table, hash="md5")


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"by": ["url", "near"], "keep": "longest", "verify": 0.9, "mark_rows": True}, ["--by", "url,near", "--keep", "longest", "--verify", "0.9", "--mark-rows"]),
        ({"host_lines": 3, "host_line_chars": 9, "paragraphs": 20, "cluster_fields": True}, ["--host-lines", "3", "--host-line-chars", "9", "--paragraphs", "20", "--cluster-fields"]),
        ({"format": "parquet"}, ["--format", "parquet"]),
        ({"format": "csv", "by": ["text"]}, ["--format", "csv", "--by", "text"]),
        ({"text_key": "text", "url_key": ["url", "u"], "bands": 20, "rows": 13, "threads": 1}, ["--text-key", "text", "--url-key", "url,u", "--bands", "20", "--rows", "13"]),
    ],
)
def test_corpora_are_deduplicated_as_by_the_program(options, arguments, corpus, tmp_path):
    if program() is None:
        pytest.skip("the program is not built: make build")
    summary = huller.dedup(corpus, tmp_path / "ours", **options)
    subprocess.run([program(), "dedup", str(corpus), "-o", str(tmp_path / "theirs"), "--quiet", *arguments], check=True)
    assert files(tmp_path / "ours") == files(tmp_path / "theirs")
    account = json.loads((tmp_path / "ours/_huller/run.account").read_text())
    assert summary["inputs"] == account["inputs"] and summary["unusable"] == []
    assert summary["clusters"]["rows"] == 600
    assert huller.dedup(corpus, tmp_path / "ours", resume=True, **options) == summary


def test_what_is_wrong_is_said(corpus, tmp_path):
    out = tmp_path / "out"
    for error, options in [
        ("by must be", {"by": "host"}),
        ("set host_lines too", {"by": "lines"}),
        ("keep must be", {"keep": "best"}),
        ("format must be", {"format": "warc"}),
        ("exclude each other", {"mark_rows": True, "cluster_fields": True}),
        ("set host_lines too", {"host_line_chars": 9}),
        ("above 0 and at most 1", {"verify": 2.0}),
        ("memory must be", {"memory": 5}),
    ]:
        with pytest.raises(ValueError, match=error):
            huller.dedup(corpus, out, **options)
    [missing] = huller.dedup(corpus / "none.jsonl", tmp_path / "missing")["unusable"]
    assert missing["input"].endswith("none.jsonl") and "No such file" in missing["error"]
    assert not (tmp_path / "missing/_SUCCESS").exists()
    huller.dedup(corpus, out)
    with pytest.raises(huller.OutputError, match="exists: resume=True continues") as there:
        huller.dedup([corpus], out)
    assert isinstance(there.value, OSError) and there.value.file.startswith(str(out))
    with pytest.raises(huller.OutputError, match="keep is.*overwrite=True to start again"):
        huller.dedup(corpus, out, keep="longest", resume=True)
    huller.dedup(corpus, out, keep="longest", overwrite=True)
    huller.dedup(corpus, out, overwrite=True)
    huller.dedup([corpus / "a.jsonl"], tmp_path / "new", against=out)
    assert not (tmp_path / "new/a.jsonl").exists()


def test_an_interrupted_call_goes_on(tmp_path):
    corpus = tmp_path / "many.jsonl"
    with open(corpus, "w") as file:
        for row in rows(150_000):
            file.write(json.dumps(row) + "\n")
    code = "import sys, huller; huller.dedup(sys.argv[1], sys.argv[2], threads=1)"
    # Where the tests themselves run with the signal ignored, as jobs of a shell do, Python would
    # leave it so.
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(corpus), str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (tmp_path / "out/_huller/run.config").exists():
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert "KeyboardInterrupt" in stderr and not (tmp_path / "out/_SUCCESS").exists()
    huller.dedup(corpus, tmp_path / "out", resume=True)
    huller.dedup(corpus, tmp_path / "whole")
    assert files(tmp_path / "out") == files(tmp_path / "whole")
