"""Times `huller search` as a whole process, on an index of a million rows.

    scripts/lab/run search-speed [--rows 1000000] [ARCHIVE...]

That command runs `python3 -m retrieval.speed PROGRAM OUT ROWS ARCHIVE...`, which needs only the
standard library.

The rows are synthetic. Each has the URL, the language and the title of a row of the archives, and
some lines of texts of that language, about 600 bytes. Words are therefore as frequent as in pages,
and the most frequent are in a large part of the rows. The script makes and indexes the rows once,
and uses them again while their number is the same.

There are twenty queries of each kind, from the rows. Each runs as a separate process: once to bring
the index into memory, then three times, of which the median counts. The script prints the median
and the longest of the twenty: wall time, and CPU time (user and system), which other programs
change less. Exit status 1 if the median CPU time of a kind is LIMIT or more, or if a query finds
nothing.
"""

from __future__ import annotations

import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from retrieval.program import Huller, Row

LIMIT = 0.050
QUERIES = 20
BYTES = 600
HOSTS = 20_000


def synthetic(rows: list[Row], count: int, dice: random.Random) -> Iterator[Row]:
    """So many rows of lines of these."""
    lines = defaultdict(list)
    for row in rows:
        lines[row["language"]] += [line for line in row["text"].split("\n") if 20 <= len(line) <= 400]
    sources = [row for row in rows if row["language"] and len(lines[row["language"]]) >= 50]
    for number in range(count):
        source = dice.choice(sources)
        own, text, size = lines[source["language"]], [], 0
        while size < BYTES:
            text.append(dice.choice(own))
            size += len(text[-1].encode())
        day = f"20{dice.randrange(10, 26)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
        yield {
            "id": str(number),
            "url": f"https://h{int(HOSTS * dice.random() ** 2)}.example/{number}",
            "title": source["title"],
            "language": source["language"],
            "page_type": source["page_type"],
            "date": day,
            "text": "\n".join(text),
        }


def million(huller: Huller, archives: list[Path], out: Path, count: int) -> tuple[Path, list[Row]]:
    """The index of the made rows, and some thousand of these."""
    index, some = out / f"index-{count}", out / f"some-{count}.jsonl"
    if not some.exists():
        rows = huller.rows(archives, out / "rows", "--stages", "language")
        corpus = out / "made.jsonl"
        kept = []
        with corpus.open("w", encoding="utf-8") as made:
            for row in synthetic(rows, count, random.Random(1)):
                line = json.dumps(row, ensure_ascii=False)
                made.write(line + "\n")
                if int(row["id"]) % max(1, count // 5000) == 0:
                    kept.append(line)
        print(f"{count} rows, {corpus.stat().st_size / 1e6:.0f} MB", flush=True)
        huller.run("index", corpus, "-o", index, "--overwrite", "-q")
        corpus.unlink()
        some.write_text("\n".join(kept), encoding="utf-8")
    return index, [json.loads(line) for line in some.read_text(encoding="utf-8").split("\n")]


def kinds(rows: list[Row], dice: random.Random) -> dict[str, list[list[str]]]:
    """Arguments of twenty queries of each kind."""
    words_of = lambda text: re.findall(r"[^\W\d_]{4,}", text)
    spaced = [row for row in rows if row["language"] and len(words_of(row["text"])) >= 20]

    def phrase(row: Row, length: int) -> str:
        line = max(row["text"].split("\n"), key=len)
        words = re.findall(r"\w+", line)
        at = dice.randrange(max(1, len(words) - length))
        return f'"{" ".join(words[at : at + length])}"'

    some = lambda row, count: " ".join(dice.sample(words_of(row["text"]), count))
    host = lambda row: row["url"].split("/")[2]
    # A part of a number is not a word, so runs consist of letters.
    runs = [row for row in rows if row["language"] in ("zho", "jpn", "tha", "kor") and words_of(row["text"])]
    makers: dict[str, tuple[list[Row], Callable[[Row], list[str]]]] = {
        "one word": (spaced, lambda row: [some(row, 1)]),
        "three words": (spaced, lambda row: [some(row, 3)]),
        "ten words": (spaced, lambda row: [some(row, 10)]),
        "phrase of two": (spaced, lambda row: [phrase(row, 2)]),
        "phrase of four": (spaced, lambda row: [phrase(row, 4)]),
        "two that must be there": (spaced, lambda row: ["+{} +{}".format(*some(row, 2).split())]),
        "three words, --lang": (spaced, lambda row: [some(row, 3), "--lang", row["language"]]),
        "three words, --host": (spaced, lambda row: [some(row, 3), "--host", host(row)]),
        "three words, --from": (spaced, lambda row: [some(row, 3), "--from", row["date"]]),
        "a run without blanks": (runs, lambda row: [max(words_of(row["text"]), key=len)[:4]]),
    }
    return {kind: [make(dice.choice(of)) for _ in range(QUERIES)] for kind, (of, make) in makers.items() if of}


def timed(command: list[str | Path]) -> tuple[float, float, bytes]:
    """Seconds of the clock, seconds of processors, and what it printed."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return wall, used.ru_utime + used.ru_stime, printed


def main(program: Path, out: Path, count: int, archives: list[Path]) -> int:
    out.mkdir(parents=True, exist_ok=True)
    index, rows = million(Huller(program), archives, out, count)
    files = [path.stat().st_size for path in index.iterdir()]
    segments = len({path.stem for path in index.glob("*.idx")})
    print(f"{count} rows in an index of {sum(files) / 1e6:.0f} MB, {segments} segments; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print("| query | clock, ms | longest | processors, ms | longest |\n|---|---:|---:|---:|---:|")
    faults = 0
    for kind, queries in kinds(rows, random.Random(2)).items():
        walls, used = [], []
        for query in queries:
            command = [program, "search", index, query[0], "-n", "10", *query[1:]]
            printed = timed(command)[2]
            if not printed:
                print(f"nothing is found: {query}")
                faults += 1
            times = [timed(command)[:2] for _ in range(3)]
            walls.append(statistics.median(wall for wall, _ in times))
            used.append(statistics.median(cpu for _, cpu in times))
        told = [statistics.median(walls), max(walls), statistics.median(used), max(used)]
        print(f"| {kind} | " + " | ".join(f"{seconds * 1e3:.0f}" for seconds in told) + " |", flush=True)
        faults += statistics.median(used) >= LIMIT
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), [Path(archive) for archive in sys.argv[4:]]))
