"""The file of a measurement, and its first pages for peers that are too slow for all of it."""

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

CHUNK = 1 << 18
GZIP = 31  # window bits of zlib for a gzip member


@dataclass(frozen=True)
class Corpus:
    """A WARC with one gzip member per record, and its counts."""

    path: Path
    records: int
    pages: int
    raw_mb: float
    sha256: str

    @classmethod
    def load(cls, path):
        """Reads the manifest that make-corpus or describe-corpus wrote beside the file."""
        manifest = Path(f"{path}.json")
        if not manifest.exists():
            raise SystemExit(
                f"error: no manifest '{manifest}'\n"
                "hint: make one with: cargo run --release --bin describe-corpus -- FILE, in benches/peers"
            )
        known = json.loads(manifest.read_text())
        if known["compressed_bytes"] != path.stat().st_size:
            raise SystemExit(f"error: '{path}' is not the file that its manifest describes")
        return cls(path, known["records"], known["pages"], known["raw_bytes"] / 1e6, known["sha256"])

    def warm(self):
        """Brings the file into the page cache."""
        with self.path.open("rb") as file:
            while file.read(1 << 20):
                pass

    def head(self, pages, folder):
        """A corpus of the first pages of this one. Every record but the first must be a page."""
        if pages >= self.pages:
            return self
        if self.records != self.pages + 1:
            raise SystemExit("error: slow peers need a corpus by make-corpus, of pages alone; or --slow-pages 0")
        path = folder / f"head-{self.path.name}"
        raw = 0
        with self.path.open("rb") as source, path.open("wb") as target:
            rest = b""
            for _ in range(pages + 1):
                inflater = zlib.decompressobj(GZIP)
                while not inflater.eof:
                    rest = rest or source.read(CHUNK)
                    raw += len(inflater.decompress(rest))
                    used = rest[: len(rest) - len(inflater.unused_data)]
                    target.write(used)
                    rest = inflater.unused_data
        return Corpus(path, pages + 1, pages, raw / 1e6, sha256="")
