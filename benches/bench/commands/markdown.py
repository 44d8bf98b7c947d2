"""Compares the elements that huller, trafilatura and html-to-markdown keep in Markdown.

    make build
    PYTHON -m pip install -r benches/peers/python/markdown.txt
    PYTHON -m bench markdown DATASETS [--pages 300] [--program target/release/huller]

DATASETS is a folder of NAME.warc.zst and NAME.gold.jsonl.zst. Takes pages that hold code, tables,
lists or formulas, evenly over the folder. An element of a page counts if its words are in the gold
text. It is kept if the Markdown, read by markdown-it, has an element of the same kind with the same
words. The command also reports items, cells, code and headings that are in the Markdown but not in
the gold text, since a program that keeps the whole page keeps all of its lists.

html-to-markdown converts whole pages without a selection. It therefore runs twice: on the page, and
on the source of our selection.
"""

from pathlib import Path

from ..huller_bench import HULLER


def add_arguments(parser):
    parser.add_argument("datasets", type=Path, metavar="DATASETS")
    parser.add_argument("--pages", type=int, default=300, metavar="N")
    parser.add_argument("--program", type=Path, default=HULLER)


def run(args):
    # Only the environment that this command needs has these packages.
    from ..markdown import elements, writers

    kept, found, extra = elements.counters(), elements.counters(), elements.counters()
    pages = writers.pages(args.datasets, args.pages, elements.is_wanted)
    outputs = writers.all_outputs(pages, args.program)
    for page, outputs_of_page in zip(pages, outputs, strict=True):
        gold = elements.of_page(page)
        for kind, wanted in gold.items():
            found["pages"][kind] += wanted.total()
        for writer, markdown in outputs_of_page.items():
            written = elements.of_markdown(markdown, page.url)
            for kind, wanted in gold.items():
                kept[writer][kind] += elements.common(wanted, written[kind])
                extra[writer][kind] += elements.outside(written[kind], page)
    kinds = [kind for kind in elements.KINDS if found["pages"][kind]]
    print(f"without any in the gold texts: {sorted(set(elements.KINDS) - set(kinds))}\n")
    print(f"{len(pages)} pages; share of the elements in the gold text that are kept, and in brackets elements outside of it for each of those\n")
    print("| | " + " | ".join(f"{kind} ({found['pages'][kind]:,})" for kind in kinds) + " |")
    print("|---" * (len(kinds) + 1) + "|")
    for writer in writers.NAMES:
        shares = (f"{kept[writer][k] / found['pages'][k]:.3f} ({extra[writer][k] / found['pages'][k]:.2f})" for k in kinds)
        print(f"| {writer} | " + " | ".join(shares) + " |")
