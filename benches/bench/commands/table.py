"""Measures huller and its peers on one corpus, in alternation, each run in its own process.

    bench table --set-up                       builds the peers, once
    bench table CORPUS.warc.gz                 a corpus by `scripts/lab/run corpus`
    bench table CORPUS --in-memory --readme README.md    writes the table of that file too, as
                                                         `scripts/lab/run table` does

Prints the table and writes it with every single run to benches/runs/DATE-NAME/. A run counts only if the peer saw as many pages as
the corpus has. Needs cargo to build the peers.
"""

import sys
import tempfile
from pathlib import Path

from .. import huller_bench, pairs, peers, quality, readme, table
from ..corpus import Corpus
from ..run import Run, measure
from ..session import Session, new_folder, session_arguments


def add_arguments(parser):
    parser.add_argument("corpus", nargs="?", type=Path, help="a .warc.gz by `huller bench --make-corpus`")
    parser.add_argument("--set-up", action="store_true", help="build the peers first")
    parser.add_argument("--huller-only", action="store_true", help="no peers")
    parser.add_argument(
        "--peers", metavar="A,B", help=f"{peers.HULLER} for all rows of ours, " + ", ".join(peer.name for peer in peers.ALL)
    )
    parser.add_argument("--in-memory", action="store_true", help="measure extraction alone as well")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--slow-runs", type=int, default=1, metavar="N", help="runs of slow peers (1)")
    parser.add_argument(
        "--slow-mb", type=int, default=130, metavar="N", help="MB of pages for slow peers (130); 0 takes all"
    )
    session_arguments(parser, None, "of the report (name of the corpus)")
    parser.add_argument("--readme", type=Path, metavar="FILE", help="write the table between the marks in this file too")
    parser.add_argument(
        "--quality", type=Path, metavar="CSV", nargs="+", help="our scores, by huller eval; a later file overrides earlier ones (for --readme)"
    )
    parser.add_argument("--peer-quality", type=Path, metavar="CSV", help="scores of peers by page (for --readme)")


def choose(args):
    """The peers to run: those that --peers names, otherwise all that are built."""
    programs = peers.find_programs(args.huller)
    if args.huller_only or args.peers:
        chosen = peers.named([peers.HULLER] if args.huller_only else args.peers.split(","))
    else:
        chosen = [peer for peer in peers.ALL if args.in_memory or not peer.in_memory]
    for peer in chosen:
        if peer.program not in programs:
            hint = "make build" if peer.program == peers.HULLER else "--set-up"
            raise SystemExit(f"error: {peer.name} is not built\nhint: {hint}")
    return programs, chosen


def run_all(args, programs, chosen, corpus, sample):
    """Round after round of all peers, every second round backwards, so that no peer always runs first."""
    own = huller_bench.output(*programs[peers.HULLER], "--version").rpartition(" ")[2]
    runs = []
    for round_ in range(args.runs):
        for peer in chosen if round_ % 2 == 0 else reversed(chosen):
            if peer.slow and round_ >= args.slow_runs:
                continue
            version = own if peer.program == peers.HULLER else ""
            run = measure(peer, programs, version, sample if peer.slow else corpus, round_)
            runs.append(run)
            outcome = run.fault or f"{run.rate(peer.in_memory):.1f} MB per CPU second"
            print(f"round {round_ + 1}, {peer.name}: {outcome}", file=sys.stderr)
    return runs


def report(args, corpus, session, body):
    """The text of README.md."""
    lines = session.head(f"Peers on {corpus.path.name}")
    lines += [
        f"* corpus: {corpus.path.name}, {corpus.pages} pages, {corpus.raw_mb:.1f} MB raw, digest {corpus.digest}",
        f"* runs: {args.runs} of each in alternation, {args.slow_runs} of those marked †; medians",
        "* out MB: JSONL, for huller compressed; text kept: scalar values except white space in text nodes outside",
        "  script and style, as a share of html5ever's",
        "* the parsers read their WARC with fastwarc: its row is the reading part of theirs",
        "* RSS: the kernel reports no less than the RSS of `huller bench`, which starts the program",
        "* -z3: rows at zstd level 3 instead of 1; -j2: two workers instead of one",
        "",
        body,
    ]
    return "\n".join(lines)


def write_readme(args, rows, corpus, sample, session):
    """Writes the table into the file of --readme, with its sources and what it lacks."""
    scores, missing = quality.load(args.quality, args.peer_quality)
    wanted = {row.peer.scored for row in rows if row.peer.scored}
    if lacking := sorted(wanted - scores.keys()):
        missing.append(f"no score of: {', '.join(lacking)}")
    known = session.environment
    notes = [
        f"F1: mean LCS F1 over the {len(quality.HEADLINE_SETS)} headline sets of gold pages (peers as they recommend to be called;",
        "of `hull`, where a set has trained it, by models that saw no page of the same domain).",
        f"Speed: {corpus.path.name}, {corpus.pages:,} pages, {corpus.raw_mb:,.0f} MB raw; CPU time is user and system; medians of",
        f"{args.runs} alternating runs, ratios by rounds; {known['processor']}, other programs {known['other programs']}.",
        f"All runs, versions and the other peers: `benches/runs/{session.folder.name}`.",
    ]
    if any(row.peer.slow and row.good for row in rows):
        notes.append(f"† {args.slow_runs} run, on {sample.pages:,} pages spread over the corpus.")
    notes += [f"F1 is incomplete: {line}." for line in missing]
    for line in missing:
        print(f"note: {line}", file=sys.stderr)
    readme.replace(args.readme, readme.section(rows, scores, notes))


def run(args):
    name = args.name or (args.corpus.name.removesuffix(".warc.gz") if args.corpus else None)
    if name:
        # Check before building the peers, which takes minutes.
        new_folder(args, name)
    if args.set_up:
        peers.set_up()
    if args.readme:
        readme.check(args.readme)
    if args.corpus is None:
        if args.set_up:
            return 0
        raise SystemExit("error: which corpus?\nhint: scripts/lab/run corpus")
    corpus = Corpus.load(args.corpus)
    programs, chosen = choose(args)
    session = Session(args, name)

    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        few = args.slow_mb and any(peer.slow for peer in chosen)
        sample = corpus.sample(args.slow_mb, Path(scratch)) if few else corpus
        runs = run_all(args, programs, chosen, corpus, sample)
        session.measured(runs)
    rows = table.rows_of(chosen, runs)
    body = table.tables(rows, sample) + pairs.table(rows)
    text = report(args, corpus, session, body)
    session.record(text, "raw.csv", Run.columns(), (run.line().values() for run in runs))
    if args.readme:
        write_readme(args, rows, corpus, sample, session)
    return 1 if any(run.fault for run in runs) else 0

