#!/usr/bin/env python3
"""Measures huller and its peers on one corpus, in alternation, each run in a process of its own.

    scripts/bench-peers.py --set-up                 build the peers, once
    scripts/make-corpus.sh --raw-mb 1000            make a corpus, once
    scripts/bench-peers.py benches/corpus/1000mb-s1.warc.gz
    scripts/bench-peers.py CORPUS --in-memory --readme README.md    and write the table of that file (make bench-table)

Prints the table and leaves it with every single run in benches/runs/DATE-NAME/. A run counts only
if the peer saw as many pages as the corpus has. Needs nothing beyond Python 3.10 and cargo.
"""

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches" / "peers"))

from bench import machine, pairs, peers, quality, readme, table  # noqa: E402
from bench.corpus import Corpus  # noqa: E402
from bench.run import Run, measure  # noqa: E402
from bench.session import Session, add_arguments, new_folder  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="?", type=Path, help="a .warc.gz by make-corpus")
    parser.add_argument("--set-up", action="store_true", help="build the peers first")
    parser.add_argument("--huller-only", action="store_true", help="no peers")
    parser.add_argument(
        "--peers", metavar="A,B", help=f"{peers.HULLER} for all rows of ours, " + ", ".join(peer.name for peer in peers.ALL)
    )
    parser.add_argument("--in-memory", action="store_true", help="extraction alone as well")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--slow-runs", type=int, default=1, metavar="N", help="of slow peers (1)")
    parser.add_argument(
        "--slow-pages", type=int, default=1000, metavar="N", help="pages for slow peers, 0: all (1000)"
    )
    add_arguments(parser, None, "of the report (name of the corpus)")
    parser.add_argument("--readme", type=Path, metavar="FILE", help="write the table between the marks in this file too")
    parser.add_argument(
        "--quality", type=Path, metavar="CSV", nargs="+", help="our scores, by huller eval; a later file counts before others (for --readme)"
    )
    parser.add_argument("--peer-quality", type=Path, metavar="CSV", help="scores of peers by page (for --readme)")
    return parser.parse_args()


def choose(args):
    """The peers to run: those asked for, else all that are there."""
    programs = peers.find_programs(args.huller)
    if args.huller_only or args.peers:
        chosen = peers.named([peers.HULLER] if args.huller_only else args.peers.split(","))
    else:
        chosen = [peer for peer in peers.ALL if args.in_memory or not peer.in_memory]
    for peer in chosen:
        if peer.program in programs:
            continue
        if args.huller_only or args.peers or peer.program != peers.HULLER:
            hint = "cargo build --release" if peer.program == peers.HULLER else "--set-up"
            raise SystemExit(f"error: {peer.name} is not built\nhint: {hint}")
        print(f"note: no huller at '{args.huller}', peers only", file=sys.stderr)
    return programs, [peer for peer in chosen if peer.program in programs]


def run_all(args, programs, chosen, corpus, head):
    """Round after round of all peers, every other one backwards: nobody always runs on a warm machine."""
    huller = machine.output(*programs.get(peers.HULLER, ["false"]), "--version").split()
    runs = []
    for round_ in range(args.runs):
        for peer in chosen if round_ % 2 == 0 else reversed(chosen):
            if peer.slow and round_ >= args.slow_runs:
                continue
            version = huller[-1] if peer.program == peers.HULLER and huller else ""
            run = measure(peer, programs, version, head if peer.slow else corpus, round_)
            runs.append(run)
            outcome = run.fault or f"{run.rate(peer.in_memory):.1f} MB per CPU second"
            print(f"round {round_ + 1}, {peer.name}: {outcome}", file=sys.stderr)
    return runs


def report(args, corpus, session, body):
    """The text of README.md."""
    lines = session.head(f"Peers on {corpus.path.name}")
    lines += [
        f"* corpus: {corpus.path.name}, {corpus.pages} pages, {corpus.raw_mb:.1f} MB raw, sha256 {corpus.sha256}",
        f"* runs: {args.runs} of each in alternation, {args.slow_runs} of those marked †; medians",
        "* out MB: JSONL, but compressed JSONL for huller; text kept: scalars in text nodes outside",
        "  script and style that are not white space, as a share of html5ever's",
        "* the parsers read their WARC with fastwarc: its row says how much of theirs is reading",
        "* RSS: what lies below that of the script that starts the programs shows as that, some 20 MB",
        "* -z3: rows at zstd level 3, else at level 1; -j2: two workers, else one",
        "",
        body,
    ]
    return "\n".join(lines)


def write_readme(args, rows, corpus, session):
    """Puts the table into the file that was asked for, with where it is from and what it lacks."""
    scores, missing = quality.load(args.quality, args.peer_quality)
    wanted = {row.peer.scored for row in rows if row.peer.scored}
    if lacking := sorted(wanted - scores.keys()):
        missing.append(f"no score of: {', '.join(lacking)}")
    known = dict(session.environment)
    notes = [
        f"F1: mean LCS F1 over the {len(quality.HEADLINE_SETS)} headline sets of gold pages (peers as they recommend to be called;",
        "of `hull`, where a set has trained it, by models that saw no page of the same domain).",
        f"Speed: {corpus.path.name}, {corpus.pages:,} pages, {corpus.raw_mb:,.0f} MB raw; CPU time is user and system; medians of",
        f"{args.runs} alternating runs, ratios by rounds; {known['processor']}, load {known['load, 1 min']}.",
        f"All runs, versions and the other peers: `benches/runs/{session.folder.name}`.",
    ]
    if any(row.peer.slow and row.good for row in rows):
        notes.append(f"† {args.slow_runs} run, on the first {args.slow_pages:,} pages.")
    notes += [f"F1 is incomplete: {line}." for line in missing]
    for line in missing:
        print(f"note: {line}", file=sys.stderr)
    readme.replace(args.readme, readme.section(rows, scores, notes))


def main():
    args = parse_arguments()
    name = args.name or (args.corpus.name.removesuffix(".warc.gz") if args.corpus else None)
    if name:
        # Before the peers are built, which takes minutes.
        new_folder(args, name)
    if args.set_up:
        peers.set_up()
    if args.readme:
        readme.check(args.readme)
    if args.corpus is None:
        if args.set_up:
            return
        raise SystemExit("error: which corpus?\nhint: make one with scripts/make-corpus.sh")
    corpus = Corpus.load(args.corpus)
    programs, chosen = choose(args)
    session = Session(args, name, huller=False)

    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        few = args.slow_pages and any(peer.slow for peer in chosen)
        head = corpus.head(args.slow_pages, Path(scratch)) if few else corpus
        corpus.warm()
        runs = run_all(args, programs, chosen, corpus, head)
        session.measured()
    rows = table.rows_of(chosen, runs)
    body = table.tables(rows, head) + pairs.table(rows)
    text = report(args, corpus, session, body)
    session.record(text, "raw.csv", Run.columns(), (run.line().values() for run in runs))
    if args.readme:
        write_readme(args, rows, corpus, session)
    if any(run.fault for run in runs):
        sys.exit(1)


if __name__ == "__main__":
    main()
