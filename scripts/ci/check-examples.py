#!/usr/bin/env python3
"""Runs the examples of documents with a built program, and fails naming each one that goes wrong.

Every page is run from top to bottom in a folder of its own, which has a copy of data/.

* A block `sh` is run as a whole and has to succeed. `shell` marks commands that are not run.
* A block `console` has lines `$ COMMAND`, each with its output below it. The commands may fail.
* A block `python` is run if --python names an interpreter that has the package huller.
* A block `text` is the output of the block before it.

In shown output `…` stands for any characters in a line, and a line `…` for any lines. Seconds are
not compared. An example is skipped, with a message, if a tool of TOOLS that it runs is absent.

    scripts/ci/check-examples.py PROGRAM [--python PYTHON] [PAGE ...]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    f"docs/{name}.md"
    for name in (
        "start",
        "tutorial-commoncrawl",
        "tutorial-search",
        "tutorial-filter",
        "choose",
        "compare",
        "troubleshooting",
        "faq",
        "stability",
        "glossary",
    )
]
# The tools of examples that a machine may lack.
TOOLS = ("jq", "zstdcat")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\bin [0-9]+\.[0-9] s\b")


def pattern(shown):
    """The expression that output has to match in order to be what a page shows."""
    lines = []
    for line in SECONDS.sub("in … s", shown).strip("\n").split("\n"):
        if line.strip() == "…":
            lines.append("(?:.*\n)*?")
        else:
            lines.append(".*".join(re.escape(part) for part in line.rstrip().split("…")) + " *\n")
    return re.compile("".join(lines) + r"\s*")


def commands(block):
    """The commands of a block `console`, each with the output that is shown for it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        end = 0
        while lines[end].endswith("\\"):
            end += 1
        yield "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])


def served(script):
    """The script with a `huller serve` that ends after a second."""
    wrapped = r"timeout --foreground --preserve-status --signal=TERM 1 \g<0> --address 127.0.0.1:0 "
    return re.sub(r"^huller serve [^#\n]*", wrapped, script, flags=re.MULTILINE)


def absent(script):
    """Returns the tools that a script runs and that are not installed."""
    return [
        tool
        for tool in TOOLS
        if re.search(rf"(?:^|[|;&(])\s*{tool}\b", script, re.MULTILINE) and not shutil.which(tool)
    ]


class Page:
    """A page whose examples run one after the other in one folder."""

    def __init__(self, name, folder, program, python):
        self.name, self.folder, self.python = name, folder, python
        (folder / "bin").mkdir()
        (folder / "bin/huller").symlink_to(program)
        shutil.copytree(ROOT / "data", folder / "work/data")
        self.faults = []

    def run(self, arguments, text):
        """The output and exit status of a process that reads nothing."""
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", NO_COLOR="1")
        done = subprocess.run(
            [*arguments, text],
            cwd=self.folder / "work",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return done.stdout.decode(), done.returncode

    def is_skipped(self, script):
        """Returns whether the script needs a tool that is absent, and prints it then."""
        tools = absent(script)
        if tools:
            first = script.strip().split("\n")[0]
            print(f"skipped: {self.name}: an example needs {' and '.join(tools)}: {first}")
        return bool(tools)

    def compare(self, example, shown, output):
        """Notes a fault unless the output is what the page shows."""
        if not pattern(shown).fullmatch(SECONDS.sub("in … s", output).lstrip("\n") + "\n"):
            self.faults.append(f"{self.name}: {example.strip()}\n--- shown\n{shown}\n--- is\n{output}")

    def check(self, text):
        """Runs all blocks. Gives how many."""
        count, last = 0, None
        for kind, block in BLOCK.findall(text):
            if kind == "sh" and self.is_skipped(block):
                last = None
            elif kind == "sh" or (kind == "python" and self.python):
                shell = ["bash", "-euc"]
                output, status = self.run(shell, served(block)) if kind == "sh" else self.run([self.python, "-c"], block)
                if status != 0:
                    self.faults.append(f"{self.name}: exit status {status}: {block}{output}")
                count, last = count + 1, (block, output)
            elif kind == "console":
                for command, shown in commands(block):
                    if self.is_skipped(command):
                        continue
                    self.compare(command, shown, self.run(["bash", "-c"], command)[0])
                    count += 1
            elif kind == "text" and last:
                self.compare(last[0], block, last[1])
            if kind != "text" and (kind != "python" or not self.python) and kind != "sh":
                last = None
        return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--python")
    parser.add_argument("pages", nargs="*", default=PAGES, metavar="PAGE")
    options = parser.parse_intermixed_args()
    count, faults = 0, []
    for name in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(name, Path(folder), options.program.resolve(), options.python)
            count += page.check((ROOT / name).read_text(encoding="utf-8"))
            faults += page.faults
    print("\n".join(faults + [f"{count} examples, {len(faults)} wrong"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
