"""Makes the corpus of the other commands from the gold pages of the shared folder.

    bench corpus --raw-mb 1000            writes benches/corpus/1000mb-s1.warc.gz and its manifest
    bench corpus --once -o all.warc.gz    takes every page once

The shared folder is $HULLER_SHARED, else ../shared beside the project. To take other sources, run the program that this command
runs: `cargo run --release --bin make-corpus -- --help`, in benches/peers.
"""

import os
import subprocess

from ..machine import ROOT
from ..peers import MANIFEST


def add_arguments(parser):
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--raw-mb", type=int, metavar="N", help="MB before compression; pages repeat under other URLs if needed")
    size.add_argument("--once", action="store_true", help="take every page once")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="chooses the pages and their order (1)")
    parser.add_argument("-o", "--out", metavar="FILE", help="the corpus (benches/corpus/SIZE-sSEED.warc.gz)")


def run(args):
    source = (ROOT / os.environ.get("HULLER_SHARED", "../shared") / "datasets" / "dev").resolve()
    if not source.is_dir():
        raise SystemExit(f"error: no pages at '{source}'\nhint: set HULLER_SHARED")
    options = ["--once"] if args.once else ["--raw-mb", str(args.raw_mb)]
    options += ["--seed", str(args.seed), *(["--out", args.out] if args.out else [])]
    cargo = ["cargo", "run", "--quiet", "--release", "--locked", "--manifest-path", MANIFEST, "--bin", "make-corpus", "--"]
    return subprocess.run([*cargo, *options, source], check=False).returncode
