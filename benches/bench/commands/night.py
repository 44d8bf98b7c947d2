"""Compares a whole corpus pipeline, ours and datatrove's, on the same archive of crawled pages.

    make build
    python3 -m venv VENV && VENV/bin/pip install -r benches/peers/python/night.txt
    python3 -m bench night CORPUS.warc.gz --python VENV/bin/python [--runs 5] [--program target/release/huller]

Ours: `huller extract` with language, Gopher's repetition and quality, C4, FineWeb, masks and
signatures, then `huller dedup`. Theirs (benches/peers/python/night.py): trafilatura, the same
filters without language, masks, MinHash and its three further steps. Prints CPU seconds (medians of
ours, one run of theirs, which takes a minute per 75 MB), and the rows that each kept.

With `--classifier MODEL`, a fastText model with the labels `hq` and `cc`, it compares DCLM's chain:
ours with the preset `dclm`, theirs with the same filters but for language. Duplicates stay.
"""

import statistics
import tempfile
from pathlib import Path

from ..huller_bench import HULLER, ROOT, timed

STAGES = "language,gopher-repetition,gopher-quality,c4,fineweb,mask,signature"


def add_arguments(parser):
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--python", type=Path, help="with the packages of benches/peers/python/night.txt; without it ours runs alone")
    parser.add_argument("--classifier", type=Path, metavar="MODEL", help="compare DCLM's chain with this fastText model")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--program", type=Path, default=HULLER)


def run(args):
    megabytes = args.corpus.stat().st_size / 1e6
    stages, steps, model = ["--stages", STAGES], ["extract", "dedup"], []
    if args.classifier:
        stages, steps, model = ["--preset", "dclm", "--set", f"fasttext.models.quality.path={args.classifier}"], ["extract"], [args.classifier]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        rows, kept = work / "rows", work / "kept"
        commands = {
            "extract": [args.program, "extract", args.corpus, "-q", "-o", rows, "--overwrite", *stages],
            "dedup": [args.program, "dedup", rows, "-q", "-o", kept, "--overwrite"],
        }
        ours = {step: [] for step in steps}
        for _ in range(args.runs):
            for step in steps:
                ours[step].append(cpu(commands[step]))
        medians = {name: statistics.median(seconds) for name, seconds in ours.items()}
        total = sum(medians.values())
        print(f"{args.corpus.name}: {megabytes:.1f} MB compressed")
        print(f"ours: {total:.2f} CPU s ({', '.join(f'{name} {seconds:.2f}' for name, seconds in medians.items())})")
        if args.python:
            theirs = cpu([args.python, ROOT / "benches/peers/python/night.py", args.corpus, work / "theirs", *model])
            print(f"datatrove: {theirs:.1f} CPU s, {theirs / total:.0f} times as much")


def cpu(command):
    """CPU seconds of a command and of the processes that it starts."""
    usage = timed(command)
    if usage.fault:
        raise SystemExit(f"error: {usage.fault}")
    return usage.cpu_s
