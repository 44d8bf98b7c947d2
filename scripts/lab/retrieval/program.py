"""Runs huller: extraction, indexes, queries."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class Huller:
    def __init__(self, program: Path) -> None:
        self.program = program

    def run(self, *arguments: str | Path) -> bytes:
        ran = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if ran.returncode != 0:
            raise SystemExit(f"huller {' '.join(map(str, arguments))}: {ran.stderr.decode(errors='replace')}")
        return ran.stdout

    def rows(self, archives: Iterable[Path], out: Path, *options: str) -> list[Row]:
        """The rows of a run over these archives."""
        self.run("extract", *archives, "-o", out, "--overwrite", "--compress", "none", "-q", *options)
        found = []
        for path in sorted(out.glob("*.jsonl")):
            # `splitlines` also splits at characters that do not end a line of JSON Lines.
            found += [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        return found

    def index(self, rows: Iterable[Row], folder: Path) -> Path:
        """An index of these rows."""
        folder.mkdir(parents=True, exist_ok=True)
        corpus, index = folder / "rows.jsonl", folder / "index"
        with corpus.open("w", encoding="utf-8") as lines:
            for row in rows:
                lines.write(json.dumps(row) + "\n")
        self.run("index", corpus, "-o", index, "--overwrite", "-q")
        return index

    def index_passages(self, rows: Iterable[Row], folder: Path) -> Path:
        """An index of the passages of these rows."""
        folder.mkdir(parents=True, exist_ok=True)
        corpus, passages, index = folder / "rows.jsonl", folder / "passages", folder / "index"
        with corpus.open("w", encoding="utf-8") as lines:
            for row in rows:
                lines.write(json.dumps(row) + "\n")
        self.run("refine", corpus, "-o", folder / "out", "--passages", passages, "--overwrite", "-q")
        self.run("index", passages, "-o", index, "--passages", "--overwrite", "-q")
        return index

    def search(self, index: Path, queries: list[str], limit: int) -> list[list[str]]:
        """The ids of the pages of each query's hits, the best first."""
        return [[hit.get("parent_id", hit["id"]) for hit in hits] for hits in self.hits(index, queries, limit)]

    def hits(self, index: Path, queries: list[str], limit: int) -> list[list[Row]]:
        """The hits of each query, the best first."""
        if not queries:
            return []
        asked = index.parent / "queries.txt"
        asked.write_text("\n".join(queries) + "\n", encoding="utf-8")
        hits: dict[str, list[Row]] = {query: [] for query in queries}
        for line in self.run("search", index, "--queries", asked, "--json", "--limit", str(limit)).decode().split("\n"):
            if line:
                hit = json.loads(line)
                hits[hit["query"]].append(hit)
        return [hits[query] for query in queries]
