"""The programs that are measured, and their command lines."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .huller_bench import ROOT

PEERS = ROOT / "benches" / "peers"
VENV = PEERS / ".venv"
MANIFEST = PEERS / "Cargo.toml"
# A peer that needs a newer Rust than the others.
TRAFILATURA_RS = PEERS / "rust-trafilatura" / "Cargo.toml"

LIMIT = "inflate"
BASELINE = "fastwarc+resiliparse"
REFERENCE = "html5ever"
HULLER = "huller"


@dataclass(frozen=True)
class Peer:
    """One row of the table."""

    name: str
    program: str  # "huller", "rust", "rust-trafilatura" or "python"
    mode: tuple  # arguments after the program
    writes: bool = False  # takes an output file
    slow: bool = False  # few runs, on some of the pages
    in_memory: bool = False  # extraction alone; counts its own CPU time
    shown: str = ""  # its label in the README's table; empty: not shown
    scored: str = ""  # the name of its quality scores

    def command(self, programs, corpus, folder):
        """The command line of one run that may write to `folder`."""
        if self.program == HULLER:
            return [*programs[HULLER], *self.mode, "-o", folder, corpus.path]
        out = [folder / "out.jsonl"] if self.writes else []
        return [*programs[self.program], *self.mode, corpus.path, *out]


METHODS = ("pvalue", "hull")
LEVELS = (1, 3)  # of zstd; the first is the default
# Extractors that are also measured in memory, with the names of the mode and of the scores.
EXTRACTORS = {
    "resiliparse": "resiliparse",
    "dom_smoothie": "dom_smoothie",
    "trafilatura": "trafilatura-fast",
    "trafilatura-default": "trafilatura",
}


def ours(method, level=LEVELS[0], workers=1):
    """The name of a row of our own program."""
    name = f"{HULLER}-{method}"
    if level != LEVELS[0]:
        name += f"-z{level}"
    return name if workers == 1 else f"{name}-j{workers}"


def our_peer(method, level=LEVELS[0], workers=1):
    """Our program with one or more workers and a compression level of its rows."""
    mode = ("extract", f"-j{workers}", "--extractor", method, "--level", str(level), "--quiet")
    shown = f"**huller**, `{method}`, zstd level {level}" if workers == 1 else ""
    return Peer(ours(method, level, workers), HULLER, mode, shown=shown, scored=method)


def memory_peers():
    """Extraction alone: page bytes in memory to text."""
    programs = {
        "rust": ("huller-pvalue", "huller-hull", "tl-parse", "tl", "lol_html", "html5ever", "dom_smoothie", "tl-tree"),
        "python": ("resiliparse", "trafilatura", "trafilatura-default"),
    }
    shown = {f"{HULLER}-{method}": (f"**huller**, `{method}`", method) for method in METHODS}
    shown |= {name: (f"{name}, fast mode" if name == "trafilatura" else name.replace("-default", ", default mode"), scored) for name, scored in EXTRACTORS.items()}
    shown["tl-parse"] = ("`tl::parse`, nothing extracted", "")
    for program, names in programs.items():
        for name in names:
            label, scored = shown.get(name, ("", ""))
            slow = name.startswith("trafilatura")
            mode = ("extract-mem", name)
            yield Peer(f"mem:{name}", program, mode, slow=slow, in_memory=True, shown=label, scored=scored)
    yield Peer(
        "mem:rust-trafilatura", "rust-trafilatura", ("extract-mem",), slow=True, in_memory=True,
        shown="rust-trafilatura, fast mode", scored="rust-trafilatura-fast",
    )  # fmt: skip


ALL = (
    *(our_peer(method, level) for method in METHODS for level in LEVELS),
    *(our_peer(method, workers=2) for method in METHODS),
    Peer(LIMIT, "rust", ("inflate",), shown="inflating the same file by libdeflate, nothing else"),
    Peer("fastwarc", "rust", ("fastwarc",), shown="reading its records by fastwarc (Rust), nothing else"),
    Peer("warc", "rust", ("warc",)),
    Peer("tl", "rust", ("tl",)),
    Peer("lol_html", "rust", ("lol_html",)),
    Peer(REFERENCE, "rust", ("html5ever",)),
    Peer(
        "dom_smoothie", "rust", ("dom_smoothie",), writes=True,
        shown="fastwarc + dom_smoothie (Rust)", scored="dom_smoothie",
    ),
    Peer("huller-path", "rust", ("huller-path",), writes=True),
    Peer("tl-tree", "rust", ("tl-tree",), writes=True),
    Peer("warc-pipeline", "rust", ("warc-pipeline",), writes=True),
    Peer(
        BASELINE, "python", ("fastwarc-resiliparse",), writes=True,
        shown="fastwarc + resiliparse (Python)", scored="resiliparse",
    ),
    Peer(
        "fastwarc+trafilatura", "python", ("fastwarc-trafilatura",), writes=True, slow=True,
        shown="fastwarc + trafilatura, fast mode (Python)", scored="trafilatura-fast",
    ),
    Peer(
        "fastwarc+trafilatura-default", "python", ("fastwarc-trafilatura-default",), writes=True, slow=True,
        shown="fastwarc + trafilatura, default mode (Python)", scored="trafilatura",
    ),
    Peer(
        "fastwarc+rust-trafilatura", "rust-trafilatura", ("pipeline",), writes=True, slow=True,
        shown="fastwarc + rust-trafilatura, fast mode (Rust)", scored="rust-trafilatura-fast",
    ),
    *memory_peers(),
)  # fmt: skip


def named(names):
    """The peers of these names, in the order of the table; `huller` stands for all rows of ours."""
    known = {peer.name for peer in ALL} | {HULLER}
    if unknown := set(names) - known:
        raise SystemExit(f"error: no such peer: {', '.join(sorted(unknown))}")
    return [peer for peer in ALL if peer.name in names or (peer.program == HULLER and HULLER in names)]


def set_up():
    """Builds the Rust peers, and makes the environment of the Python peers unless it exists."""
    build = ["cargo", "build", "--release", "--locked", "--bins", "--manifest-path"]
    subprocess.run([*build, MANIFEST], check=True)
    # It declares a newer Rust than it needs. If its build fails, its rows are missing.
    subprocess.run([*build, TRAFILATURA_RS, "--ignore-rust-version"], check=False)
    requirements = PEERS / "python" / "requirements.txt"
    installed = VENV / "requirements.txt"
    if installed.exists() and installed.read_bytes() == requirements.read_bytes():
        return
    python = VENV / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet"]
    for command in (
        [sys.executable, "-m", "venv", VENV],
        [*install, "--upgrade", "pip"],  # the old pip of some systems fails on the extras of lxml
        [*install, "--requirement", requirements],
    ):
        subprocess.run(command, check=True)
    shutil.copy(requirements, installed)


def built(manifest):
    """The folder of the programs of a package."""
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--manifest-path", manifest]
    metadata = subprocess.run(command, check=True, capture_output=True)
    return Path(json.loads(metadata.stdout)["target_directory"]) / "release"


def find_programs(huller):
    """The start of the command line of every program that exists."""
    python = VENV / "bin" / "python"
    candidates = {
        HULLER: [huller],
        "rust": [built(MANIFEST) / "peer"],
        "rust-trafilatura": [built(TRAFILATURA_RS) / "huller-peer-rust-trafilatura"],
        "python": [python, PEERS / "python" / "pipe.py"],
    }
    return {name: command for name, command in candidates.items() if os.access(command[0], os.X_OK)}
