#!/usr/bin/env python3
"""Picks for every page the text of the model that was trained without its domain.

Prints one line `{"id", "text"}` per page.

    predictions.py --gold DATASETS --folds DIR --sets NAME ...

DIR holds FOLD.ids (identifiers of the gold, one per line) and SET.FOLD.rows (rows of `huller extract` by the model of the fold).
"""

import argparse
import json
import pathlib
import subprocess


def main():
    parser = argparse.ArgumentParser(description="Picks each page's text by the model of its fold.")
    parser.add_argument("--gold", type=pathlib.Path, required=True)
    parser.add_argument("--folds", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="+", required=True)
    args = parser.parse_args()
    fold_of = {}
    for path in args.folds.glob("*.ids"):
        fold_of.update(dict.fromkeys(path.read_text(encoding="utf-8").split("\n"), path.stem))
    for name in args.sets:
        texts = {}
        for path in args.folds.glob(f"{name}.*.rows"):
            fold = path.name.split(".")[-2]
            with open(path, encoding="utf-8") as rows:
                for row in map(json.loads, rows):
                    texts[fold, row["id"]] = row["text"]
        gold = subprocess.run(
            ["zstd", "-dc", args.gold / f"{name}.gold.jsonl.zst"], check=True, capture_output=True
        )
        # `splitlines` of bytes; that of a str would also split at U+2028.
        for page in map(json.loads, gold.stdout.splitlines()):
            record = page["warc_record_id"].strip("<>").removeprefix("urn:uuid:")
            text = texts.get((fold_of.get(page["id"]), record))
            if text is not None:
                print(json.dumps({"id": page["id"], "text": text}))


if __name__ == "__main__":
    main()
