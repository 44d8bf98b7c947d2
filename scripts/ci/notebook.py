#!/usr/bin/env python3
"""Writes docs/tutorial-python.ipynb from docs/tutorial-python.md, or checks that it is current.

    scripts/ci/notebook.py [--check]

The page is the source: the book shows it, and check-examples.py runs it and compares its outputs.
Each block `python` becomes a cell of code, and the block `text` after it the output of the cell.
"""

import argparse
import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def lines(text):
    """Returns the lines of a text as a notebook stores them, without the last line feed."""
    return text.strip("\n").splitlines(keepends=True)


def cells(page):
    """Yields the cells of a page."""
    start = 0
    for found in [*BLOCK.finditer(page), None]:
        prose = page[start : found.start() if found else len(page)].strip()
        if prose:
            yield {"cell_type": "markdown", "metadata": {}, "source": lines(prose)}
        if found:
            outputs = []
            if found[2]:
                text = found[2].splitlines(keepends=True)
                outputs.append({"name": "stdout", "output_type": "stream", "text": text})
            code = {"cell_type": "code", "execution_count": None, "metadata": {}}
            yield {**code, "outputs": outputs, "source": lines(found[1])}
            start = found.end()


def notebook(page):
    """Returns a page as the text of a notebook."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells(page))]
    content = {
        "cells": numbered,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail if the notebook is not current")
    options = parser.parse_args()
    path = DOCS / "tutorial-python.ipynb"
    text = notebook((DOCS / "tutorial-python.md").read_text(encoding="utf-8"))
    if not options.check:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        print(f"{path.name} is not what its page gives: run scripts/ci/notebook.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
