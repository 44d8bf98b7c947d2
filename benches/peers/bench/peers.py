"""Who is measured, and how each is called."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent
VENV = PEERS / ".venv"
MANIFEST = PEERS / "Cargo.toml"

LIMIT = "inflate"
BASELINE = "fastwarc+resiliparse"
REFERENCE = "html5ever"
HULLER = "huller"


@dataclass(frozen=True)
class Peer:
    """One row of the table."""

    name: str
    program: str  # "huller", "rust" or "python"
    mode: tuple  # what follows the program on the command line
    writes: bool = False  # takes an output file
    slow: bool = False  # few runs, on the first pages only
    in_memory: bool = False  # extraction alone; counts its own CPU time

    def command(self, programs, corpus, folder):
        """The command line of one run that may write to `folder`."""
        if self.program == HULLER:
            return [*programs[HULLER], *self.mode, "-o", folder, corpus.path]
        out = [folder / "out.jsonl"] if self.writes else []
        return [*programs[self.program], *self.mode, corpus.path, *out]


ALL = (
    Peer(HULLER, HULLER, ("extract", "-j1", "--extractor", "pvalue", "--quiet")),
    Peer(LIMIT, "rust", ("inflate",)),
    Peer("fastwarc", "rust", ("fastwarc",)),
    Peer("warc", "rust", ("warc",)),
    Peer("tl", "rust", ("tl",)),
    Peer("lol_html", "rust", ("lol_html",)),
    Peer(REFERENCE, "rust", ("html5ever",)),
    Peer("dom_smoothie", "rust", ("dom_smoothie",), writes=True),
    Peer("huller-path", "rust", ("huller-path",), writes=True),
    Peer("tl-tree", "rust", ("tl-tree",), writes=True),
    Peer("warc-pipeline", "rust", ("warc-pipeline",), writes=True),
    Peer(BASELINE, "python", ("fastwarc-resiliparse",), writes=True),
    Peer("fastwarc+trafilatura", "python", ("fastwarc-trafilatura",), writes=True, slow=True),
    *(
        Peer(f"mem:{name}", program, ("extract-mem", name), slow=name == "trafilatura", in_memory=True)
        for program, names in {
            "rust": ("tl", "lol_html", "html5ever", "dom_smoothie", "tl-tree", "huller-pvalue"),
            "python": ("resiliparse", "trafilatura"),
        }.items()
        for name in names
    ),
)


def set_up():
    """Builds the Rust peers and makes the environment of the Python peers."""
    build = ["cargo", "build", "--release", "--locked", "--bins", "--manifest-path", MANIFEST]
    python = VENV / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet"]
    for command in (
        build,
        [sys.executable, "-m", "venv", VENV],
        [*install, "--upgrade", "pip"],  # the old pip of some systems fails on the extras of lxml
        [*install, "--requirement", PEERS / "python" / "requirements.txt"],
    ):
        subprocess.run(command, check=True)


def find_programs(huller):
    """The start of the command line of every program that is there."""
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps", "--manifest-path", MANIFEST],
        check=True,
        capture_output=True,
    )
    target = Path(json.loads(metadata.stdout)["target_directory"])
    python = VENV / "bin" / "python"
    candidates = {
        HULLER: [huller],
        "rust": [target / "release" / "peer"],
        "python": [python, PEERS / "python" / "pipe.py"],
    }
    return {name: command for name, command in candidates.items() if os.access(command[0], os.X_OK)}
