"""Measures the Python package and the Spark job beside plain Rust and resiliparse.

    make wheel build && cargo build --release -p huller-benches --bin pages-in-memory
    PYTHON -m pip install dist/huller-*.whl pyspark==4.3.0 'pandas<3' resiliparse==2.0.1 fastwarc==2.0.1
    PYTHON -m bench python CORPUS.warc.gz [--gb 20] [--part-gb 3]

PYTHON is the interpreter of an environment with these packages; Spark needs Java 17.
`scripts/lab/run corpus` makes CORPUS. Prints Markdown.

Calls: the time of `huller.extract` for a page, less the time of the same page in Rust (bytes in, a
text below 8 KB out). On real pages the difference is lost in the noise, so three made-up pages cost
little else.

Many: `huller.extract_many` beside the same pages in Rust on the same number of threads, in
alternation; the best round counts.

Spark: enough copies of the corpus for GB raw bytes, by the program with two workers and by Spark
with two executors of one core, in alternation. A part of them also runs by a job of the same shape
with FastWARC and resiliparse in the mapper. The session starts and runs a job before the clock
starts.
"""

import os
import platform
import sys
import tempfile
from pathlib import Path

from ..huller_bench import ROOT, Machine


def add_arguments(parser):
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--gb", type=float, default=20, help="raw GB for Spark and the program (20); 0 leaves Spark out")
    parser.add_argument("--part-gb", type=float, default=3, metavar="GB", help="raw GB for resiliparse (3)")
    parser.add_argument("--pages", type=int, default=3000, metavar="N", help="pages in memory (3000)")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--spark-rounds", type=int, default=3, metavar="N")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    parser.add_argument("--target", type=Path, default=target, metavar="DIR", help="cargo's target folder")
    parser.add_argument("--scratch", type=Path, metavar="DIR", help="for outputs, which are removed (a temporary folder)")


def run(args):
    # Only the environment that this command needs has these packages.
    import huller
    import pyarrow

    from .. import python_package

    print("# The Python package and the Spark job\n")
    machine = Machine()
    print(f"* {machine.processor}; other programs kept {machine.others:.2f} cores busy at the start")
    print(f"* Python {platform.python_version()}, pyarrow {pyarrow.__version__}, huller {huller.__version__}")
    command = " ".join(sys.argv[1:]).replace(str(args.corpus), args.corpus.name)
    print(f"* corpus `{args.corpus.name}`, `python3 -m bench {command}`")
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        pages = python_package.read_pages(args.corpus, args.pages)
        python_package.calls(args, pages, scratch)
        python_package.many(args, pages, scratch)
        del pages
        if args.gb:
            from .. import spark_job

            spark_job.spark_jobs(args, scratch)
