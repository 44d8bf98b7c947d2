"""One run of one peer in its own process, measured from outside."""

import json
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

from .huller_bench import timed, total
from .peers import HULLER, LIMIT


@dataclass
class Run:
    """A line of raw.csv."""

    round: int
    tool: str
    version: str
    corpus_raw_mb: float
    expected_pages: int
    records: int | None = None
    pages: int | None = None
    errors: int | None = None
    text_chars: int | None = None
    body_mb: float | None = None
    out_mb: float | None = None
    cpu_s: float = 0.0
    user_s: float = 0.0
    system_s: float = 0.0
    own_cpu_s: float | None = None
    wall_s: float = 0.0
    rss_mb: float = 0.0
    others_cores: float = 0.0
    fault: str = ""

    @classmethod
    def columns(cls):
        """Names of all fields, in order."""
        return [field.name for field in fields(cls)]

    def line(self):
        """Values of all fields by name, floats to the microsecond."""
        values = vars(self).items()
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in values}

    def rate(self, in_memory):
        """MB per CPU second: of page bytes for extraction alone, otherwise of the raw corpus."""
        if in_memory:
            return self.body_mb / self.own_cpu_s
        return self.corpus_raw_mb / self.cpu_s


def measure(peer, programs, version, corpus, round_):
    """Runs `peer` once over `corpus`."""
    run = Run(round_, peer.name, version, corpus.raw_mb, corpus.pages)
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        outputs = Path(scratch) / "out"
        outputs.mkdir()
        usage = timed(peer.command(programs, corpus, outputs))
        run.wall_s, run.user_s, run.system_s, run.cpu_s = usage.wall_s, usage.user_s, usage.system_s, usage.cpu_s
        run.rss_mb, run.others_cores, run.fault = usage.rss_mb, usage.others_cores, usage.fault
        if run.fault:
            return run
        try:
            read = read_huller if peer.program == HULLER else read_line
            read(run, usage.stdout, outputs)
        except (OSError, ValueError, KeyError) as error:
            run.fault = f"no statistics of the run: {error!r}"
            return run
    run.fault = check(run, corpus)
    return run


def read_line(run, stdout, _outputs):
    """Copies the figures of a peer's JSON line."""
    line = json.loads(stdout)
    run.version = line["version"]
    run.own_cpu_s = line["cpu_s"]
    for name in ("records", "pages", "errors", "text_chars", "body_mb", "out_mb"):
        setattr(run, name, line[name])


def read_huller(run, _stdout, outputs):
    """Copies the figures of huller's statistics; its output is compressed."""
    counts = total(outputs)
    run.records, run.pages = counts["records"], counts["written"]
    run.errors = sum(counts["failed"].values())
    run.out_mb = sum(path.stat().st_size for path in outputs.glob("*.jsonl*")) / 1e6


def check(run, corpus):
    """Why a run does not count; empty if it counts."""
    if run.tool == LIMIT:
        return "" if run.records == corpus.records else f"{run.records} of {corpus.records} members"
    return "" if run.pages == corpus.pages else f"{run.pages} of {corpus.pages} pages"
