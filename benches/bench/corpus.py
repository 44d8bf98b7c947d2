"""The file of a measurement, and a part of its pages for slow peers."""

from dataclasses import dataclass
from pathlib import Path

from . import huller_bench


@dataclass(frozen=True)
class Corpus:
    """A WARC with one gzip member per record, and its counts."""

    path: Path
    records: int
    pages: int
    raw_mb: float
    digest: str

    @classmethod
    def load(cls, path):
        """Has `huller bench` count a file, which is in the page cache from then on."""
        known = huller_bench.survey(path)["corpus"]
        return cls(path, known["records"], known["pages"], known["raw_bytes"] / 1e6, known["digest"])

    def sample(self, megabytes, folder):
        """A corpus of so many MB of the pages of this one, spread over all of it."""
        if megabytes >= self.raw_mb:
            return self
        path = folder / f"sample-{self.path.name}"
        _, fault = huller_bench.bench("--make-corpus", str(megabytes), "--output", path, self.path)
        if fault:
            raise SystemExit(f"error: {fault}")
        return Corpus.load(path)
