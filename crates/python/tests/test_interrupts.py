"""Control-C ends every long call, and what was done before stays as documented."""

import os
import signal
import subprocess
import sys
import time

import huller
import pytest

#: A call that runs for minutes, after which the program prints that it ended.
BEGIN = """
import sys, time, pyarrow, huller
words = " ".join(f"w{number % 977}" for number in range(3000))
page = "<title>x</title><article>" + f"<p>{words}</p>" * 20
pages = [page] * 4000
rows = pyarrow.table({"text": [words + f" {number}" for number in range(20_000)]})
def call(): CALL
print("ready", flush=True)
try:
    call()
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
    AFTER
"""

CALLS = {
    "extract_many": "huller.extract_many(pages, extractor=list(huller.METHODS))",
    "extract_many in one thread": "huller.extract_many(pages, extractor=list(huller.METHODS), threads=1)",
    "refine": "huller.refine(rows, stages=['gopher-repetition', 'gopher-quality', 'language', 'mask'])",
    "signatures": "huller.signatures(rows, bands=100, rows=20)",
    "passages": "huller.passages(rows.append_column('id', rows.column('text')))",
    "dedup": "huller.dedup(rows, bands=100, rows=20)",
    "stream": "huller.stream(sys.argv[1], extractor=list(huller.METHODS)).read_all()",
    "stream without rows": "huller.stream(sys.argv[1], min_chars=10**9).read_all()",
    "index": "huller.index(sys.argv[1].replace('many.warc.gz', 'rows.jsonl'), sys.argv[1] + '.index', memory=1 << 26)",
    "evaluate": "huller.evaluate([sys.argv[1]] * 1, sys.argv[2])",
    "read_warc": "sum(len(record.payload) for _ in range(1000) for record in huller.read_warc(sys.argv[1]))",
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory, sample):
    """An archive that takes minutes."""
    path = tmp_path_factory.mktemp("archive") / "many.warc.gz"
    path.write_bytes(sample.read_bytes() * 3000)
    with open(path.with_name("rows.jsonl"), "w") as rows:
        for number in range(2_000_000):
            rows.write(f'{{"id":"{number}","text":"one {number} two {number * 7} three {number * 31} four"}}\n')
    return path


def interrupted(call, archive, gold, after="pass", wait=1.0):
    """Starts a call, interrupts it, and returns the seconds until it noticed, and what it printed."""
    code = BEGIN.replace("CALL", f"return {call}" if "\n" not in call else call).replace("AFTER", after)
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(archive), str(gold)],
        stdout=subprocess.PIPE,
        text=True,
        # Jobs of a shell ignore the signal, and Python would leave it so.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(wait)
    assert process.poll() is None
    sent = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    lines = out.splitlines()
    assert lines and lines[0].startswith("interrupted"), out
    return float(lines[0].split()[1]) - sent, lines[1:]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_ends_soon_after_the_signal(name, archive, gold, record_property):
    seconds, _ = interrupted(CALLS[name], archive, gold)
    record_property("seconds", seconds)
    print(f"{name}: {seconds * 1000:.0f} ms")
    # Calls without this take minutes. A build without optimisation on a busy machine takes longer
    # than the 0.2 s that a release needs.
    assert seconds < 5


def test_a_reader_continues_where_it_was_interrupted(archive, gold):
    after = (
        "rest = sum(batch.num_rows for batch in reader)\n"
        "    print(len(seen), sum(seen) + rest, counters.written)"
    )
    call = (
        "\n    global reader, seen, counters"
        "\n    counters = huller.Counters()"
        "\n    reader = iter(huller.Stream(sys.argv[1], extractor='body', counters=counters, batch_rows=64))"
        "\n    seen = []"
        "\n    for batch in reader: seen.append(batch.num_rows)"
    )
    small = archive.parent / "small.warc.gz"
    small.write_bytes(archive.read_bytes()[: archive.stat().st_size // 10])
    _, lines = interrupted(call, small, gold, after, wait=0.3)
    before, rows, written = map(int, lines[0].split())
    assert before > 0 and rows == written == 300 * 41


def test_calls_in_other_threads_are_not_interrupted():
    # Python runs handlers in the main thread. Another thread only works.
    import threading

    found = []
    thread = threading.Thread(target=lambda: found.append(huller.extract_many(["<p>x"] * 50).num_rows))
    thread.start()
    thread.join()
    assert found == [50]


def test_other_handlers_run_during_a_call():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        words = " ".join(f"w{number % 977}" for number in range(3000))
        deadline = time.monotonic() + 60
        while not seen and time.monotonic() < deadline:
            huller.extract_many([f"<p>{words}</p>" * 20] * 50)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [True]
