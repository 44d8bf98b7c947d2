#!/usr/bin/env python3
"""Compares the page types in rows with those of the gold, and with `page_types.csv`.

    page_types.py --gold DATASETS --rows FILE.jsonl ... --sets NAME ... [--folds DIR]

FILE.jsonl holds rows of `huller extract`. With `--folds DIR`, the rows DIR/SET.FOLD.rows judge the
pages of DIR/FOLD.ids, as `hull.sh --folds` and `robustness.sh` write them. `page_types.csv` was
made by hand. It has the type of 291 pages of sets whose gold names no types, or only articles,
decided by title, URL and the beginning of their text. The column `or` names further acceptable
types. The pages of the set trafilatura train `hull` too, so only models of folds can be judged by
them.
"""

import argparse
import collections
import csv
import json
import pathlib
import subprocess

LABELS = pathlib.Path(__file__).with_name("page_types.csv")


def gold(folder, name):
    """Identifier, record and type of every page of a set."""
    packed = subprocess.run(["zstd", "-dc", folder / f"{name}.gold.jsonl.zst"], check=True, capture_output=True)
    for page in map(json.loads, packed.stdout.splitlines()):
        yield page["id"], page["warc_record_id"].strip("<>").removeprefix("urn:uuid:"), page.get("page_type")


def types_of(path):
    with open(path, encoding="utf-8") as rows:
        return {row["id"]: row["page_type"] for row in map(json.loads, rows)}


def table(pairs):
    """The confusion matrix of `(type, judged)` pairs, as Markdown."""
    count = collections.Counter(pairs)
    names = sorted({name for pair in count for name in pair})
    lines = ["| is \\ called | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    lines += [f"| {of} | " + " | ".join(str(count[of, called]) for called in names) + " |" for of in names]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Measures the types of pages.")
    parser.add_argument("--gold", type=pathlib.Path, required=True)
    parser.add_argument("--rows", nargs="*", default=[])
    parser.add_argument("--sets", nargs="+", required=True)
    parser.add_argument("--folds", type=pathlib.Path)
    args = parser.parse_args()
    judged = {}
    for path in args.rows:
        judged |= types_of(path)
    folds = {}
    if args.folds:
        for path in args.folds.glob("*.ids"):
            for name in args.sets:
                rows = args.folds / f"{name}.{path.stem}.rows"
                if rows.exists():
                    of_fold = types_of(rows)
                    folds |= {(page, name): of_fold for page in path.read_text(encoding="utf-8").split("\n")}
    by_hand = {row["id"]: row for row in csv.DictReader(open(LABELS, encoding="utf-8"))}
    stated, found, defended = [], [], 0
    for name in args.sets:
        for page, record, kind in gold(args.gold, name):
            called = folds.get((page, name), judged).get(record)
            if called is None:
                continue
            if label := by_hand.get(page):
                found.append((label["type"], called))
                defended += called in [label["type"], *label["or"].split()]
            elif name == "wcxb":
                stated.append((kind, called))
    for title, pairs in ("types of the gold", stated), ("types by hand", found):
        if pairs:
            right = sum(kind == called for kind, called in pairs)
            print(f"{title}: {len(pairs)} pages, {right / len(pairs):.3f} as labelled", end="")
            print(f", {defended / len(pairs):.3f} as labelled or as defended" if pairs is found else "")
            print(f"\n{table(pairs)}\n")


if __name__ == "__main__":
    main()
