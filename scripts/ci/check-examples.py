#!/usr/bin/env python3
"""Runs the examples of documents with a built program, and fails naming each one that goes wrong.

Pages are README.md, examples/README.md, which runs every example program, and docs/*.md. Each is
run from top to bottom in a folder of its own, which has copies of data/ and examples/.

* A block `sh` is run as a whole and has to succeed. `shell` marks commands that are not run.
* A block `console` has lines `$ COMMAND`, each with its output below it. The commands may fail.
* A block `python` is run if --python names an interpreter that has the package huller. The blocks
  of a page share their variables, as the cells of a notebook do. `py` marks code that is not run.
* The first block `text` after another block is the output of that block.
* A comment `<!-- setup: COMMANDS -->` makes files that the page takes for granted.

In shown output `…` stands for any characters in a line, and a line `…` for any lines. Seconds are
not compared. An example is skipped, with a message, if it needs a tool of TOOLS, a package of
Python, or a built example of Rust that is absent.

    scripts/ci/check-examples.py PROGRAM [--python PYTHON [--only-python]] [PAGE ...]
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "examples/README.md"]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md"))
# The tools of examples that a machine may lack.
TOOLS = ("jq", "zstdcat", "unzip", "zip")
BLOCK = re.compile(
    r"^```(\w+)\n(.*?)^```$|^<!-- (setup): (.*?) -->$", re.MULTILINE | re.DOTALL
)
SECONDS = re.compile(r"\bin [0-9]+\.[0-9] s\b")
EXAMPLE = re.compile(r"cargo run --release -p [\w-]+ --example ([\w-]+) --")
SCRIPT = re.compile(r"\bpython (\S+\.py)")
# Runs the blocks of a page, each a line of JSON, and prints output and status of each.
SESSION = """
import contextlib, io, json, sys, traceback
answers, names = sys.stdout, {"__name__": "__main__"}
for line in sys.stdin:
    out, status = io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            exec(compile(json.loads(line), "<block>", "exec"), names)
        except BaseException:
            traceback.print_exc()
            status = 1
    print(json.dumps([out.getvalue(), status]), file=answers, flush=True)
"""


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


def imports(source):
    """Returns the packages that a Python source imports outside of functions."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.split(".")[0])
    return found


def bound(source):
    """Returns the names that a Python source sets outside of functions."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
    return found


def used(source):
    """Returns the names that a Python source reads."""
    nodes = ast.walk(ast.parse(source))
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


class Interpreter:
    """A Python that has the package huller."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self._known = {}

    def missing(self, packages):
        """Returns the packages that the interpreter cannot import."""
        for package in packages - self._known.keys():
            # The import itself: a package may be there without what it needs.
            done = subprocess.run([self.path, "-c", f"import {package}"], capture_output=True)
            self._known[package] = done.returncode == 0
        return sorted(package for package in packages if not self._known[package])


class Page:
    """A page whose examples run one after the other in one folder."""

    def __init__(self, name, folder, program, python):
        self.name, self.folder, self.program, self.python = name, folder, program, python
        (folder / "bin").mkdir()
        (folder / "bin/huller").symlink_to(program)
        if python:
            # A symbolic link would leave the environment of the interpreter.
            (folder / "bin/python").write_text(f'#!/bin/sh\nexec "{python.path}" "$@"\n')
            (folder / "bin/python").chmod(0o755)
        for copied in ("data", "examples"):
            shutil.copytree(ROOT / copied, folder / "work" / copied)
        self.environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", NO_COLOR="1")
        self.count, self.faults, self.skipped, self.of_python = 0, [], [], 0
        self.session = None
        # Names that only skipped blocks of the page have set.
        self.unset = set()

    def run(self, arguments, text):
        """Returns the output and exit status of a process that reads nothing."""
        done = subprocess.run(
            [*arguments, text],
            cwd=self.folder / "work",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
        )
        return done.stdout.decode(), done.returncode

    def run_python(self, block):
        """Runs a block in the interpreter of the page. Returns its output and status."""
        if not self.session:
            self.session = subprocess.Popen(
                [self.python.path, "-W", "ignore", "-c", SESSION],
                cwd=self.folder / "work",
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        print(json.dumps(block), file=self.session.stdin, flush=True)
        answer = self.session.stdout.readline()
        return json.loads(answer) if answer else ("the interpreter ended", 1)

    def close(self):
        """Ends the interpreter of the page."""
        if self.session:
            self.session.communicate()

    def needs(self, kind, block):
        """Returns what a block needs and this machine lacks."""
        if kind == "python":
            if not self.python:
                return ["--python"]
            unset = sorted(self.unset & used(block) - bound(block))
            return self.python.missing(imports(block)) + [f"`{name}`" for name in unset]
        lacking = absent(block)
        for script in SCRIPT.findall(block):
            source = (self.folder / "work" / script).read_text(encoding="utf-8")
            lacking += self.python.missing(imports(source)) if self.python else ["--python"]
        for name in EXAMPLE.findall(block):
            if not self.example(name).exists():
                lacking.append(f"a build of the example {name}")
        return lacking

    def example(self, name):
        """Returns the path of an example of Rust, which `cargo test` builds beside the program."""
        return self.program.parent / "examples" / name

    def is_skipped(self, kind, block):
        """Returns whether the block needs something that is absent, and notes it then."""
        lacking = self.needs(kind, block)
        if kind == "python":
            names = bound(block)
            self.unset = self.unset | names if lacking else self.unset - names
        if "--python" in lacking:
            self.of_python += 1
        elif lacking:
            first = block.strip().split("\n")[0]
            self.skipped.append(f"skipped: {self.name}: needs {' and '.join(lacking)}: {first}")
        return bool(lacking)

    def compare(self, example, shown, output):
        """Notes a fault unless the output is what the page shows."""
        if not pattern(shown).fullmatch(SECONDS.sub("in … s", output).lstrip("\n") + "\n"):
            self.faults.append(f"{self.name}: {example.strip()}\n--- shown\n{shown}\n--- is\n{output}")

    def run_block(self, kind, block):
        """Runs a block as a whole, which has to succeed. Returns its output."""
        if kind == "python":
            output, status = self.run_python(block)
        else:
            script = EXAMPLE.sub(lambda found: str(self.example(found[1])), served(block))
            output, status = self.run(["bash", "-euc"], script)
        self.count += kind != "setup"
        if status != 0:
            self.faults.append(f"{self.name}: exit status {status}: {block}\n{output}")
        return output

    def check(self, text):
        """Runs all blocks."""
        last = None
        for found in BLOCK.finditer(text):
            kind, block = found[1] or found[3], found[2] or found[4]
            if kind in ("sh", "python"):
                skipped = self.is_skipped(kind, block)
                last = None if skipped else (block, self.run_block(kind, block))
            elif kind == "setup":
                self.run_block(kind, block)
            elif kind == "text" and last:
                self.compare(last[0], block, last[1])
                last = None
            elif kind == "console":
                for command, shown in commands(block):
                    if not self.is_skipped(kind, command):
                        self.compare(command, shown, self.run(["bash", "-c"], command)[0])
                        self.count += 1
                last = None
            elif kind != "text":
                last = None


def check_page(name, program, python):
    """Runs the examples of a page in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(name, Path(folder), program, python)
        page.check((ROOT / name).read_text(encoding="utf-8"))
        page.close()
        return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--python", type=Interpreter, help="also run the blocks of Python")
    parser.add_argument("--only-python", action="store_true", help="leave out pages without Python")
    parser.add_argument("pages", nargs="*", default=PAGES, metavar="PAGE")
    options = parser.parse_intermixed_args()
    pages = options.pages
    if options.only_python:
        pages = [name for name in pages if re.search(r"^```python$|^python ", (ROOT / name).read_text(), re.MULTILINE)]
    program = options.program.resolve()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        checked = list(pool.map(lambda name: check_page(name, program, options.python), pages))
    count, faults = sum(page.count for page in checked), [fault for page in checked for fault in page.faults]
    skipped = [line for page in checked for line in page.skipped]
    if of_python := sum(page.of_python for page in checked):
        skipped.append(f"skipped: {of_python} examples that need --python")
    print("\n".join(skipped))
    print("\n".join(faults + [f"{count} examples, {len(faults)} wrong"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
