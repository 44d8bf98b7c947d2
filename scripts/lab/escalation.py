"""Measures what escalation gains at most: the labels are the best that a gold standard can give.

usage: python3 escalation.py HULLER DATASETS OUT

For each set, the tenth of the pages with the lowest scores is escalated. A page's labels are the
blocks whose texts have the highest shingle F1 against its gold text: the best of some limits for the
share of a block's pairs of words in the gold, then every single change that improves it. Prints
shingle F1 of each set before and after `huller relabel`.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

SETS = "wcxb cleaneval_en cleaneval_zh dragnet l3s_gn1 big9 chaos_utomo scrapinghub cwced_zh zh_portals".split()
LIMITS = (0.2, 0.4, 0.5, 0.6, 0.8, 0.95)
# A page with more blocks is not improved block by block, which costs the square of their number.
MOST_BLOCKS = 400


def words(text):
    """Returns the words; each Chinese, Japanese and Thai character is one."""
    return re.findall(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|\w+", text.lower())


def shingles(of, length):
    """Returns the sequences of so many words."""
    return set(zip(*[of[at:] for at in range(length)])) if len(of) >= length else {tuple(of)}


def f1(one, other):
    """Returns F1 of two sets."""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1


def best_labels(page, gold):
    """Returns the places of the blocks that make the text nearest to the gold text."""
    gold = words(gold)
    pairs, fours = shingles(gold, 2), shingles(gold, 4)
    blocks = [words(block.get("text") or "") for block in page["blocks"]]
    value = lambda places: f1(shingles(sum((blocks[at] for at in sorted(places)), []), 4), fours)
    share = [len(shingles(block, 2) & pairs) / len(shingles(block, 2)) if block else 0 for block in blocks]
    choices = [{at for at, found in enumerate(share) if found >= limit} for limit in LIMITS]
    choices.append({at for at, block in enumerate(page["blocks"]) if block.get("kept")})
    best = max(choices, key=value)
    reached = value(best)
    for at in range(len(blocks) if len(blocks) < MOST_BLOCKS else 0):
        changed = best ^ {at}
        if blocks[at] and value(changed) > reached:
            best, reached = changed, value(changed)
    return sorted(best)


def lines(path):
    """Yields the objects of a file of JSON Lines, plain or zstd."""
    data = subprocess.run(["zstdcat", path], stdout=subprocess.PIPE, check=True).stdout
    return map(json.loads, data.splitlines())


def score(huller, gold, rows):
    """Returns shingle F1 of the rows of a set."""
    command = [huller, "eval", "--gold", gold, "--predictions", rows, "--no-speed", "--quiet", "--format", "csv"]
    table = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return float(next(csv.DictReader(table.splitlines()))["sh_f1"])


def measure(huller, archive, gold, out):
    """Returns shingle F1 before and after, and the number of labelled pages."""
    rows, hard, labels = out / "rows", out / "hard", out / "labels.jsonl"
    extract = [huller, "extract", archive, "-o", rows, "--compress", "none", "--quiet"]
    subprocess.run(extract, check=True)
    output = next(rows.glob("*.jsonl"))
    scores = sorted(row["score"] or 0 for row in lines(output))
    below = str(scores[len(scores) // 10])
    subprocess.run([*extract, "--overwrite", "--escalate", hard, "--below", below], check=True)
    before = score(huller, gold, output)
    texts = {re.sub("<urn:uuid:|>", "", page["warc_record_id"]): page["text"] for page in lines(gold)}
    pages = [page for path in hard.glob("*.jsonl") for page in lines(path) if texts.get(page["id"]) is not None]
    with labels.open("w") as file:
        for page in pages:
            print(json.dumps({"id": page["id"], "content": best_labels(page, texts[page["id"]])}), file=file)
    if pages:
        subprocess.run([huller, "relabel", rows, "--labels", labels, "--quiet"], check=True)
    return before, score(huller, gold, output), len(pages)


def main(huller, datasets, out):
    shutil.rmtree(out, ignore_errors=True)
    sums = [0, 0, 0]
    print("| set | before | after | pages |\n|---|---|---|---|")
    for name in SETS:
        paths = [Path(datasets) / f"{name}.{kind}.zst" for kind in ("warc", "gold.jsonl")]
        folder = Path(out) / name
        folder.mkdir(parents=True)
        found = measure(huller, *paths, folder)
        sums = [one + other for one, other in zip(sums, found)]
        print(f"| {name} | {found[0]:.4f} | {found[1]:.4f} | {found[2]} |", flush=True)
    print(f"| **mean** | {sums[0] / len(SETS):.4f} | {sums[1] / len(SETS):.4f} | {sums[2]} |")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
