#!/usr/bin/env python3
"""Measures the CPU time that stages of `huller refine` take for a row.

    stage_cost.py PROGRAM [--rounds 9] ROWS... OPTION...

ROWS are files of rows. OPTIONs, from the first that begins with a dash, go to `huller refine`, such as

    --stages fasttext --set fasttext.models.quality.path=quality.bin

Each round runs the options and the stage `url`, which does nothing here, over all rows and over the
first row, with one worker. The difference of the differences is the cost of the stages without the
loading of their models, which is printed apart.
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# Bytes of the text whose cost is printed.
TEXT_BYTES = 7_000


def cpu_seconds(program, rows, options):
    """The CPU seconds of `huller refine` with one worker."""
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "refine", rows, "-o", f"{out}/rows", "--quiet", "-j", "1", *options], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def report(program, texts, options, rounds=9):
    """Prints the cost of the stages in these options for each row and for 7,000 bytes of text."""
    with tempfile.TemporaryDirectory() as folder:
        all_rows, one_row = Path(folder, "all.jsonl"), Path(folder, "one.jsonl")
        for path, of_file in ((all_rows, texts), (one_row, texts[:1])):
            path.write_text("".join(json.dumps({"text": text}) + "\n" for text in of_file))
        costs, loads = [], []
        for _ in range(rounds):
            bare = cpu_seconds(program, all_rows, ["--stages", "url"])
            full = cpu_seconds(program, all_rows, options)
            one_bare = cpu_seconds(program, one_row, ["--stages", "url"])
            one_full = cpu_seconds(program, one_row, options)
            loads.append(one_full - one_bare)
            costs.append((full - bare - loads[-1]) / len(texts) * 1e6)
    size = sum(len(text.encode()) for text in texts) / len(texts)
    scaled = [cost / size * TEXT_BYTES for cost in sorted(costs)]
    print(f"{len(texts)} rows of {size:.0f} bytes, {rounds} rounds; loading takes {statistics.median(loads):.2f} s")
    print(f"a row takes {statistics.median(costs):.1f} µs, {TEXT_BYTES} bytes {statistics.median(scaled):.1f} µs")
    print(f"  (rounds for {TEXT_BYTES} bytes: {', '.join(f'{cost:.0f}' for cost in scaled)})", flush=True)


def read_texts(paths):
    """The texts of files of rows, which zstd may have compressed."""
    texts = []
    for path in paths:
        data = subprocess.run(["zstd", "-dcqf", path], stdout=subprocess.PIPE, check=True).stdout
        texts += [json.loads(line)["text"] for line in data.split(b"\n") if line]
    return [text for text in texts if text.strip()]


def main():
    program, *words = sys.argv[1:]
    rounds = 9
    if words[:1] == ["--rounds"]:
        rounds, words = int(words[1]), words[2:]
    first = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    if first == 0 or first == len(words):
        sys.exit(__doc__)
    report(program, read_texts(words[:first]), words[first:], rounds)


if __name__ == "__main__":
    main()
