#!/usr/bin/env python3
"""Finds circles of files in the import graph of each crate, and exits with 1 if there is one.

    scripts/ci/check-circles.py [--edges] [FOLDER...]     FOLDER: of a crate, with its Cargo.toml; all crates of the repository if none is given

File A imports file B if A names something that B defines: in a `use`, or by a path in its code. Names are followed through
`pub use` to the file that defines them, so a re-export stands for its target. Three things make no edge:

  * `mod x;`, and a `pub use` of something that the file itself does not use;
  * a private `use` in a parent module that does not use the name either (it hands the name to its
    children);
  * code below `#[cfg(test)]`, and a path that ends at a module.

The script does not see the items that a macro defines. A path to such an item counts as an edge to
the file of the module in the path. For each circle (a strongly connected component) the report
names its files and the shortest way round. With --edges it also lists each import inside the
component with its line. Python 3.10 or newer, standard library only.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|b?c?r(?P<hashes>\#*)"(?s:.*?)"(?P=hashes)|b?c?"(?:\\.|[^"\\])*"|b?'(?:\\(?:.[^']*)|[^\\'])'|'\w+|\d\w*(?:\.\d\w*)?)
    |(?P<comment>/\*)|(?P<token>(?:r\#)?[A-Za-z_]\w*|::|.)""",
    re.X | re.S,
)
NAME = re.compile(r"[A-Za-z_]\w*$")
OPEN, CLOSE = {"{", "(", "["}, {"}", ")", "]"}
DEFINE = {"fn", "struct", "enum", "union", "trait", "type", "const", "static"}
ITEM = DEFINE | {"mod", "use", "impl", "unsafe", "extern", "async", "macro_rules"}


def tokens(source):
    """(token, line) of all that is neither comment, literal nor lifetime."""
    found, at, line = [], 0, 1
    while at < len(source):
        match = TOKEN.match(source, at)
        if match["comment"]:
            depth, end = 1, match.end()
            while depth:
                mark = re.compile(r"/\*|\*/").search(source, end)
                depth, end = depth + (1 if mark[0] == "/*" else -1), mark.end()
        else:
            end = match.end()
            if match["token"]:
                found.append((match["token"].removeprefix("r#"), line))
        line += source.count("\n", at, end)
        at = end
    return found


def closing(code, at):
    """Index after the bracket that closes the one at `at`."""
    depth = 0
    for index in range(at, len(code)):
        depth += (code[index][0] in OPEN) - (code[index][0] in CLOSE)
        if depth == 0:
            return index + 1
    return len(code)


def without_tests(code):
    """The tokens less what `#[cfg(test)]` and `#[cfg(all(test, ...))]` stand before."""
    kept, at = [], 0
    while at < len(code):
        if code[at][0] == "#" and at + 1 < len(code) and code[at + 1][0] == "[":
            end = closing(code, at + 1)
            words = [token for token, _ in code[at + 2 : end - 1]]
            if words[:3] == ["cfg", "(", "test"] or words[:5] == ["cfg", "(", "all", "(", "test"]:
                at = after_item(code, end)
                continue
        kept.append(code[at])
        at += 1
    return kept


def after_item(code, at):
    """Index after the item, statement or field that begins at `at`, its further attributes and visibility included."""
    while code[at][0] == "#":
        at = closing(code, at + 1)
    if code[at][0] == "pub":
        at = closing(code, at + 1) if code[at + 1][0] == "(" else at + 1
    first = code[at][0]
    while at < len(code) and code[at][0] not in CLOSE:
        token = code[at][0]
        if token == ";" or (token == "," and first not in ITEM):
            return at + 1
        if token not in OPEN:
            at += 1
            continue
        at = closing(code, at)
        if token == "{" and first not in ("use", "const", "static", "type", "let"):
            return at
    return at


@dataclass
class Module:
    """A module: what its names stand for, and what its code names."""

    file: Path
    parent: "Module | None"
    names: dict = field(default_factory=lambda: defaultdict(list))  # name -> Module, Item or Import
    globs: list = field(default_factory=list)
    imports: list = field(default_factory=list)
    paths: list = field(default_factory=list)  # (segments, line) in code
    children: list = field(default_factory=list)


@dataclass(frozen=True)
class Item:
    """Something a file defines."""

    file: Path


@dataclass
class Import:
    """One leaf of a `use`."""

    module: Module
    path: list
    name: str
    public: bool
    line: int


class Crate:
    """All modules below one root file, and the edges between their files."""

    def __init__(self, root):
        self.modules, self.macros = [], {}
        self.edges = defaultdict(dict)  # file -> file -> (line, what)
        self.root = Module(root, None)
        self.read(self.root, root.parent)
        for module in self.modules:
            self.connect(module)

    def read(self, module, folder):
        """Reads the file of a module; files of its children lie in `folder`."""
        self.modules.append(module)
        Reader(self, module, folder).walk(without_tests(tokens(module.file.read_text())))

    def resolve(self, module, path, seen=frozenset(), sure=False):
        """Files that define what a path means in a module; none if the path ends at a module or leaves the crate.

        `sure` is whether an unknown last name must be something a macro defines.
        """
        path = list(path)
        while path and path[0] in ("crate", "self", "super"):
            first = path.pop(0)
            module = self.root if first == "crate" else module.parent if first == "super" else module
            sure = True
            if module is None:
                return set()
        if not path or (id(module), path[0]) in seen:
            return set()
        seen = seen | {(id(module), path[0])}
        found = set()
        for target in module.names.get(path[0], []):
            if isinstance(target, Item):
                found.add(target.file)
            elif isinstance(target, Module):
                found |= self.resolve(target, path[1:], frozenset(), True)
            else:
                found |= self.resolve(target.module, target.path + path[1:], seen)
        if path[0] not in module.names:
            for glob in module.globs:
                found |= self.resolve(glob.module, glob.path + path, seen | {"glob"})
            if not found and sure and "glob" not in seen and not (len(path) == 1 and path[0] in self.macros):
                found.add(module.file)
        return found

    def connect(self, module):
        """Adds the edges that start at a module."""
        used = {path[0] for path, _ in module.paths}
        for leaf in module.imports:
            if leaf.name in used or not (leaf.public or module.children):
                self.add(module, leaf.path, leaf.line)
        for path, line in module.paths:
            if path[-1] == "!":
                if path[0] in self.macros:
                    self.edge(module.file, self.macros[path[0]], line, f"{path[0]}!")
                path = path[:-1]
            if path[0] in ("crate", "self", "super") or path[0] in module.names or module.globs:
                self.add(module, path, line)

    def add(self, module, path, line):
        for file in self.resolve(module, path):
            self.edge(module.file, file, line, "::".join(path))

    def edge(self, source, target, line, what):
        if source != target:
            self.edges[source].setdefault(target, (line, what))


class Reader:
    """Walks the tokens of one file."""

    def __init__(self, crate, module, folder):
        self.crate, self.module, self.folder = crate, module, folder

    def walk(self, code):
        at, depth, outer = 0, 0, []  # outer: (depth at which an inline module ends, module, folder)
        while at < len(code):
            token, line = code[at]
            following = code[at + 1][0] if at + 1 < len(code) else ""
            before = code[at - 1][0] if at else ""
            if token in OPEN:
                depth += 1
            elif token in CLOSE:
                depth -= 1
                if outer and depth == outer[-1][0]:
                    _, self.module, self.folder = outer.pop()
            elif token == "mod" and NAME.match(following):
                child = self.child(following, inline=code[at + 2][0] == "{")
                if code[at + 2][0] == "{":
                    outer.append((depth, self.module, self.folder))
                    self.module, self.folder = child, self.folder / following
                    depth += 1
                at += 3
                continue
            elif token == "use" and before != "::":
                end = next(index for index in range(at, len(code)) if code[index][0] == ";")
                self.leaves([word for word, _ in code[at + 1 : end]], [], before in ("pub", ")"), line)
                at = end
            elif token == "macro_rules" and following == "!":
                self.crate.macros[code[at + 2][0]] = self.module.file
                self.module.names[code[at + 2][0]].append(Item(self.module.file))
                at += 2
            elif token in DEFINE and NAME.match(following) and following not in DEFINE | {"unsafe", "extern", "async"}:
                name = code[at + 2][0] if following == "mut" else following
                if depth == (outer[-1][0] + 1 if outer else 0):
                    self.module.names[name].append(Item(self.module.file))
                at += 1 + (following == "mut")
            elif NAME.match(token) and before not in (".", "::"):
                at = self.path(code, at)
                continue
            at += 1

    def child(self, name, inline):
        """The module that `mod NAME` declares."""
        folder = self.folder
        file = next((file for file in (folder / f"{name}.rs", folder / name / "mod.rs") if file.exists()), None)
        if inline or file is None:
            # A file named by `#[path]` lies outside the crate; the module counts as part of the
            # file that declares it.
            child = Module(self.module.file, self.module)
            self.crate.modules.append(child)
        else:
            child = Module(file, self.module)
            self.crate.read(child, folder / name)
        self.module.names[name].append(child)
        self.module.children.append(child)
        return child

    def path(self, code, at):
        """Notes the path that begins at `at`; gives the index after it."""
        segments, line = [code[at][0]], code[at][1]
        at += 1
        while at + 1 < len(code) and code[at][0] == "::" and NAME.match(code[at + 1][0]):
            segments.append(code[at + 1][0])
            at += 2
        if at < len(code) and code[at][0] == "!" and len(segments) == 1:
            segments.append("!")
        if segments != ["self"] and segments[0] != "Self":
            self.module.paths.append((segments, line))
        return at

    def leaves(self, words, prefix, public, line):
        """Notes all leaves of the tree of a `use`."""
        depth, begin, parts = 0, 0, []
        for index, word in enumerate([*words, ","]):
            depth += (word == "{") - (word == "}")
            if word == "," and depth == 0:
                parts.append(words[begin:index])
                begin = index + 1
        for part in filter(None, parts):
            if "{" in part:
                brace = part.index("{")
                self.leaves(part[brace + 1 : -1], prefix + [word for word in part[:brace] if word != "::"], public, line)
                continue
            name = part[-1]
            if "as" in part:
                part = part[: part.index("as")]
            path = prefix + [word for word in part if word != "::"]
            if path[-1] == "*":
                self.module.globs.append(Import(self.module, path[:-1], "*", public, line))
                continue
            if path[-1] == "self":
                path.pop()
                name = path[-1] if name == "self" else name
            leaf = Import(self.module, path, name, public, line)
            self.module.imports.append(leaf)
            self.module.names[name].append(leaf)


def components(edges):
    """Strongly connected components of more than one file (Tarjan 1972)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in sorted(edges.get(node, {})):
            if target not in order:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], order[target])
        if low[node] == order[node]:
            begin = stack.index(node)
            if len(stack) - begin > 1:
                found.append(sorted(stack[begin:]))
            del stack[begin:]

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return sorted(found, key=len)


def way_round(edges, part):
    """The shortest circle inside a component, as its files in order."""
    best = None
    for start in part:
        came, queue = {start: None}, deque([start])
        while queue and (best is None or len(best) > 2):
            node = queue.popleft()
            if start in edges[node]:
                way = [node]
                while came[way[-1]] is not None:
                    way.append(came[way[-1]])
                best = min(best or way, way, key=len)
                break
            for target in sorted(edges[node]):
                if target in part and target not in came:
                    came[target] = node
                    queue.append(target)
    return best[::-1]


def report(folder, root, list_edges):
    """Prints the circles of one crate; gives how many there are."""
    edges = Crate(root).edges
    parts = components(edges)
    source = root.parent
    for part in parts:
        print(f"{os.path.relpath(folder, ROOT)}: a circle of {len(part)} files: {', '.join(str(file.relative_to(source)) for file in part)}")
        way = way_round(edges, part)
        for here, there in zip(way, [*way[1:], way[0]]):
            line, what = edges[here][there]
            print(f"    {here.relative_to(source)}:{line} uses {what} of {there.relative_to(source)}")
        if list_edges:
            for here in part:
                for there in sorted(set(edges[here]) & set(part)):
                    line, what = edges[here][there]
                    print(f"      edge {here.relative_to(source)}:{line} -> {there.relative_to(source)} ({what})")
    return len(parts)


def crates():
    """Folders of all crates that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*Cargo.toml"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [(ROOT / line).parent for line in listed.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=lambda text: Path(text).resolve(), metavar="FOLDER")
    parser.add_argument("--edges", action="store_true", help="list all imports inside each circle")
    args = parser.parse_args()
    circles = 0
    for folder in args.folders or crates():
        source = folder / "src"
        for root in [source / "lib.rs", source / "main.rs", *sorted((source / "bin").glob("*.rs"))]:
            if root.exists():
                circles += report(folder, root, args.edges)
    if circles:
        print(f"check-circles.py: {circles} circles", file=sys.stderr)
    return 1 if circles else 0


if __name__ == "__main__":
    sys.exit(main())
