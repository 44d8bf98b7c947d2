"""Labels the blocks of escalated pages, as a client of a model does.

usage: python3 examples/judge_blocks.py HARD LABELS

Reads the pages that `huller extract --escalate HARD` wrote, asks `judge` about each, and writes the
labels that `huller relabel` takes. Put a call of your own model in place of `judge`: it gets a page
and returns the places of its content blocks.
"""

import json
import subprocess
import sys
from pathlib import Path


def pages(folder):
    """Yields the escalated pages of a folder."""
    for path in sorted(Path(folder).rglob("*.jsonl*")):
        tool = {".zst": ["zstdcat"], ".gz": ["gzip", "-dc"]}.get(path.suffix, ["cat"])
        with subprocess.Popen([*tool, path], stdout=subprocess.PIPE) as process:
            yield from map(json.loads, process.stdout)


def judge(page):
    """Returns the places of the content blocks: here, of blocks with many words and few links."""
    kept = []
    for place, block in enumerate(page["blocks"]):
        # The end of a list that was cut has no text.
        words, linked = block.get("words", 0), block.get("linked_chars", 0)
        if block.get("role") in ("title", "content") or words >= 15 and 2 * linked < block["chars"]:
            kept.append(place)
    return kept


def main(hard, labels):
    with open(labels, "w", encoding="utf-8") as out:
        for page in pages(hard):
            out.write(json.dumps({"id": page["id"], "content": judge(page)}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
