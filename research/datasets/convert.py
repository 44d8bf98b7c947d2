#!/usr/bin/env python3
"""Converts checkouts of public data sets into pairs of WARC and gold.

    convert.py DATASET CHECKOUT [CHECKOUT...] --out DIR [--compression zst|gz]

Writes DIR/DATASET.warc.C and DIR/DATASET.gold.jsonl.C. The converter refuses a checkout with an
unknown layout, with a message. Python 3.9 or newer, standard library only; zst needs the program
zstd.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import cleaneval  # noqa: E402
import cwced_zh  # noqa: E402
import dragnet  # noqa: E402
import scrapinghub  # noqa: E402
import trafilatura  # noqa: E402
import wcxb  # noqa: E402
from pages import UnknownLayout, write  # noqa: E402

# The converter, and the checkouts it needs.
DATASETS = {
    "cleaneval_en": (cleaneval.pages, ["html-cleaning-dataset-merged"]),
    "cwced_zh": (cwced_zh.pages, ["Chinese-Web-Content-Extraction-Dataset"]),
    "dragnet": (dragnet.pages, ["html-cleaning-dataset-merged", "dragnet_data"]),
    "scrapinghub": (scrapinghub.pages, ["article-extraction-benchmark"]),
    "trafilatura": (trafilatura.pages, ["trafilatura"]),
    "wcxb": (wcxb.pages, ["web-content-extraction-benchmark"]),
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Turn checkouts of public data sets into pairs of WARC and gold.")
    parser.add_argument("dataset", choices=sorted(DATASETS))
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--compression", choices=("zst", "gz"), default="zst")
    args = parser.parse_args(arguments)
    pages, wanted = DATASETS[args.dataset]
    if len(args.checkouts) != len(wanted):
        parser.error("%s needs checkouts of: %s" % (args.dataset, ", ".join(wanted)))
    try:
        count = write(args.dataset, pages(*args.checkouts), args.out, args.compression)
    except UnknownLayout as error:
        print("%s: unknown layout: %s" % (args.dataset, error), file=sys.stderr)
        return 1
    print("%s: %d pages" % (args.dataset, count))
    return 0


if __name__ == "__main__":
    sys.exit(main())
