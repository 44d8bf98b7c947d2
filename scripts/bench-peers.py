#!/usr/bin/env python3
"""Measures huller and its peers on one corpus, in alternation, each run in a process of its own.

    scripts/bench-peers.py --set-up                 build the peers, once
    scripts/make-corpus.sh --raw-mb 1000            make a corpus, once
    scripts/bench-peers.py benches/corpus/1000mb-s1.warc.gz

Prints the table and leaves it with every single run in benches/runs/DATE-NAME/. A run counts only
if the peer saw as many pages as the corpus has. Needs nothing beyond Python 3.10 and cargo.
"""

import argparse
import csv
import datetime
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches" / "peers"))

from bench import machine, peers, table  # noqa: E402
from bench.corpus import Corpus  # noqa: E402
from bench.run import Run, measure  # noqa: E402

MAX_LOAD = 0.7


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="?", type=Path, help="a .warc.gz by make-corpus")
    parser.add_argument("--set-up", action="store_true", help="build the peers first")
    parser.add_argument(
        "--huller", type=Path, default=ROOT / "target" / "release" / "huller", metavar="PATH"
    )
    parser.add_argument("--huller-only", action="store_true", help="no peers")
    parser.add_argument("--peers", metavar="A,B", help=", ".join(peer.name for peer in peers.ALL))
    parser.add_argument("--in-memory", action="store_true", help="extraction alone as well")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--slow-runs", type=int, default=1, metavar="N", help="of slow peers (1)")
    parser.add_argument(
        "--slow-pages", type=int, default=1000, metavar="N", help="pages for slow peers, 0: all (1000)"
    )
    parser.add_argument("--name", help="of the report (name of the corpus)")
    parser.add_argument("--out-dir", type=Path, help="for the report (benches/runs/DATE-NAME)")
    parser.add_argument("--busy-ok", action="store_true", help="run although the machine is busy")
    return parser.parse_args()


def choose(args):
    """The peers to run: those asked for, else all that are there."""
    programs = peers.find_programs(args.huller)
    if args.huller_only or args.peers:
        wanted = [peers.HULLER] if args.huller_only else args.peers.split(",")
        if unknown := set(wanted) - {peer.name for peer in peers.ALL}:
            raise SystemExit(f"error: no such peer: {', '.join(sorted(unknown))}")
    else:
        wanted = [peer.name for peer in peers.ALL if args.in_memory or not peer.in_memory]
    chosen = [peer for peer in peers.ALL if peer.name in wanted]
    for peer in chosen:
        if peer.program in programs:
            continue
        if args.huller_only or args.peers or peer.program != peers.HULLER:
            hint = "cargo build --release" if peer.program == peers.HULLER else "--set-up"
            raise SystemExit(f"error: {peer.name} is not built\nhint: {hint}")
        print(f"note: no huller at '{args.huller}', peers only", file=sys.stderr)
    return programs, [peer for peer in chosen if peer.program in programs]


def run_all(args, programs, chosen, corpus, head):
    """Round after round of all peers."""
    huller = machine.output(*programs.get(peers.HULLER, ["false"]), "--version").split()
    runs = []
    for round_ in range(args.runs):
        for peer in chosen:
            if peer.slow and round_ >= args.slow_runs:
                continue
            version = huller[-1] if peer.program == peers.HULLER and huller else ""
            run = measure(peer, programs, version, head if peer.slow else corpus, round_)
            runs.append(run)
            outcome = run.fault or f"{run.rate(peer.in_memory):.1f} MB per CPU second"
            print(f"round {round_ + 1}, {peer.name}: {outcome}", file=sys.stderr)
    return runs


def report(args, corpus, environment, body):
    """The text of README.md."""
    words = [word if not word.startswith("/") else Path(word).name for word in sys.argv[1:]]
    lines = [f"# Peers on {corpus.path.name}", "", f"    scripts/bench-peers.py {' '.join(words)}", ""]
    lines += [f"* {name}: {value}" for name, value in environment]
    lines += [
        f"* corpus: {corpus.path.name}, {corpus.pages} pages, {corpus.raw_mb:.1f} MB raw, sha256 {corpus.sha256}",
        f"* runs: {args.runs} of each in alternation, {args.slow_runs} of those marked †; medians",
        "* out MB: JSONL, but compressed JSONL for huller; text kept: scalars in text nodes outside",
        "  script and style that are not white space, as a share of html5ever's",
        "* the parsers read their WARC with fastwarc: its row says how much of theirs is reading",
        "* RSS: what lies below that of the script that starts the programs shows as that, some 20 MB",
        "",
        body,
    ]
    return "\n".join(lines)


def main():
    args = parse_arguments()
    if args.set_up:
        peers.set_up()
    if args.corpus is None:
        if args.set_up:
            return
        raise SystemExit("error: which corpus?\nhint: make one with scripts/make-corpus.sh")
    load = machine.load()
    if load > MAX_LOAD and not args.busy_ok:
        raise SystemExit(f"error: the machine is busy, its load is {load:.2f}\nhint: --busy-ok")
    corpus = Corpus.load(args.corpus)
    name = args.name or corpus.path.name.removesuffix(".warc.gz")
    folder = args.out_dir or ROOT / "benches" / "runs" / f"{datetime.date.today()}-{name}"
    if folder.exists():
        raise SystemExit(f"error: '{folder}' exists\nhint: --name or --out-dir")
    programs, chosen = choose(args)

    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        few = args.slow_pages and any(peer.slow for peer in chosen)
        head = corpus.head(args.slow_pages, Path(scratch)) if few else corpus
        corpus.warm()
        runs = run_all(args, programs, chosen, corpus, head)
        body = table.tables(chosen, runs, head)

    folder.mkdir(parents=True)
    with (folder / "raw.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, Run.columns())
        rows.writeheader()
        rows.writerows(run.line() for run in runs)
    (folder / "README.md").write_text(report(args, corpus, machine.describe(load), body))
    print(body)
    if any(run.fault for run in runs):
        sys.exit(1)


if __name__ == "__main__":
    main()
