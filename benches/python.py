#!/usr/bin/env python3
"""What the Python package and the Spark job cost, beside the same work without Python, and beside resiliparse.

    make wheel build && cargo build --release -p huller-benches --bin pages-in-memory
    PYTHON -m pip install dist/huller-*.whl pyspark==4.3.0 'pandas<3' resiliparse==2.0.1 fastwarc==2.0.1
    PYTHON benches/python.py CORPUS.warc.gz [--gb 20] [--part-gb 3]

PYTHON is that of an environment of its own; Spark needs Java 17. CORPUS is one by scripts/make-corpus.sh. Prints Markdown.

Calls: the time of `huller.extract` for a page, less that of the same page in Rust (bytes in, a text below 8 KB out); of real pages the
difference is lost in the noise, so there are made-up ones that take little else. Many:
`huller.extract_many` beside the same pages in Rust on as many threads. Both take turns; the best round counts.
Spark: pages of as many copies of the corpus as make so many GB raw, by the program with two workers and by Spark with two
executors of one core, in turns, and a part of it by a job of the same shape with FastWARC and resiliparse in the mapper.
The session has been started, and has run a job, before the clock is.
"""

import argparse
import gzip
import os
import pathlib
import platform
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import huller
import pyarrow

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--gb", type=float, default=20, help="raw GB for Spark and the program; 0: leave Spark out")
    parser.add_argument("--part-gb", type=float, default=3, help="raw GB for resiliparse")
    parser.add_argument("--pages", type=int, default=3000, help="pages in memory")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--spark-rounds", type=int, default=3)
    parser.add_argument("--target", type=pathlib.Path, default=pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")))
    parser.add_argument("--scratch", type=pathlib.Path, help="where outputs go, to be removed [default: the system's]")
    return parser.parse_args()


def read_pages(corpus, count):
    pages = []
    for record in huller.read_warc(corpus):
        if record.type == "response" and record.status == 200 and "html" in (record.content_type or ""):
            pages.append(record.payload)
            if len(pages) == count:
                break
    return pages


def in_rust(args, pages, extractor, threads, scratch):
    """Seconds for the pages in Rust: the best of two rounds, the first of which meets new memory."""
    path = scratch / "pages"
    with open(path, "wb") as file:
        for page in pages:
            file.write(struct.pack("<I", len(page)) + page)
    command = [args.target / "release/pages-in-memory", path, extractor, str(threads), "2"]
    return min(map(float, subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()))


def once(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def timed(work):
    """The best of two rounds, as in Rust."""
    return min(once(work), once(work))


def best_of_turns(rounds, *works):
    """The best time of each, all taking turns."""
    turns = [[work() for work in works] for _ in range(rounds)]
    return [min(times) for times in zip(*turns)]


def calls(args, pages, scratch):
    print("\n## Calls\n")
    print("| extractor | pages | mean page, bytes | mean text, bytes | Rust, µs | Python, µs | call, µs |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for extractor in ("body", "pvalue", "hull"):
        texts = [len(huller.extract(page, extractor=extractor).text.encode()) for page in pages]
        short = [page for page, text in zip(pages, texts) if text < 8192]
        mean_text = sum(text for text in texts if text < 8192) / len(short)

        def one_by_one():
            extract = huller.extract
            for page in short:
                extract(page, extractor=extractor)

        rust, python = best_of_turns(
            args.rounds, lambda: in_rust(args, short, extractor, 1, scratch), lambda: timed(one_by_one)
        )
        each = 1e6 / len(short)
        size = sum(map(len, short)) / len(short)
        print(f"| {extractor} | {len(short)} | {size:.0f} | {mean_text:.0f} | {rust * each:.2f} | {python * each:.2f} | {(python - rust) * each:.2f} |")
    for words in (0, 800, 1580):
        page = b"<p>" + b"Rain " * words
        copies = [page] * 20_000

        def the_same():
            for one in copies:
                huller.extract(one, extractor="body")

        rust, python = best_of_turns(
            args.rounds, lambda: in_rust(args, copies, "body", 1, scratch), lambda: timed(the_same)
        )
        text = len(huller.extract(page, extractor="body").text)
        print(f"| body, made up | | {len(page)} | {text} | {rust * 50:.2f} | {python * 50:.2f} | {(python - rust) * 50:.2f} |")


def many(args, pages, scratch):
    print("\n## Many\n")
    print("| extractor | threads | from | Rust, MB/s | Python, MB/s | share |")
    print("|---|---:|---|---:|---:|---:|")
    megabytes = sum(map(len, pages)) / 1e6
    array = pyarrow.array(pages, pyarrow.binary())
    for extractor in ("pvalue", "hull"):
        for threads in (1, 2):

            def of(pages, threads=threads, extractor=extractor):
                return timed(lambda: huller.extract_many(pages, extractor=extractor, threads=threads))

            rust, from_array, from_list = best_of_turns(
                args.rounds,
                lambda: in_rust(args, pages, extractor, threads, scratch),
                lambda: of(array),
                lambda: of(pages),
            )
            for name, took in (("Arrow", from_array), ("list", from_list)):
                print(
                    f"| {extractor} | {threads} | {name} | {megabytes / rust:.0f} | {megabytes / took:.0f} | {rust / took:.3f} |"
                )


def cpu_seconds():
    """CPU seconds of the processes of Spark, and of those of their processes that have ended."""
    parents, times = {}, {}
    tick = os.sysconf("SC_CLK_TCK")
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        times[int(folder.name)] = sum(map(int, fields[11:15])) / tick

    def is_ours(number):
        while number in parents:
            if number == os.getpid():
                return True
            number = parents[number]
        return False

    return sum(time for number, time in times.items() if is_ours(number))


def session(scratch):
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.appName("huller bench").master("local-cluster[2,1,1024]")
    for key, value in {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(scratch / "local"),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def resiliparse_frame(spark, paths):
    """The shape of huller's job, with the peer in the mapper: url and text."""
    listed = spark.sparkContext.broadcast(paths)

    def rows_of_all(batches):
        from fastwarc.warc import ArchiveIterator, WarcRecordType
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import detect_encoding
        from resiliparse.parse.html import HTMLTree

        def batch_of(rows):
            urls, texts = zip(*rows)
            return pyarrow.RecordBatch.from_arrays([pyarrow.array(urls), pyarrow.array(texts)], ["url", "text"])

        for batch in batches:
            for index in batch.column(0).to_pylist():
                rows = []
                records = ArchiveIterator(
                    open(listed.value[index], "rb"), record_types=WarcRecordType.response, auto_decode="transfer"
                )
                for record in records:
                    if "html" not in (record.http_content_type or "").lower():
                        continue
                    body = record.reader.read()
                    tree = HTMLTree.parse_from_bytes(body, detect_encoding(body, from_html_meta=True))
                    text = extract_plain_text(tree, main_content=True, alt_texts=False, list_bullets=False)
                    rows.append((record.headers.get("WARC-Target-URI"), text))
                    if len(rows) == 256:
                        yield batch_of(rows)
                        rows = []
                if rows:
                    yield batch_of(rows)

    numbers = spark.range(0, len(paths), 1, len(paths))
    return numbers.mapInArrow(rows_of_all, "url string, text string")


def measured(work, cpu):
    """Seconds on the clock and of the CPU, as `cpu` counts them."""
    before = cpu()
    return once(work), cpu() - before


def written(frame, path):
    """Seconds until a frame is Parquet, compressed with zstd."""

    def write():
        frame.write.option("compression", "zstd").parquet(str(path))
        shutil.rmtree(path)

    return measured(write, cpu_seconds)


def spark_jobs(args, scratch):
    from huller import spark as huller_spark

    with gzip.open(args.corpus) as file:
        raw = 0
        while piece := file.read(1 << 24):
            raw += len(piece)
    copies = max(round(args.gb * 1e9 / raw), 2)
    part = max(round(args.part_gb * 1e9 / raw), 2)
    paths = []
    for number in range(copies):
        paths.append(str(scratch / f"part-{number:05}.warc.gz"))
        os.symlink(args.corpus.resolve(), paths[-1])
    (scratch / "warc.paths").write_text("\n".join(paths))
    started = time.perf_counter()
    spark = session(scratch)
    written(huller_spark.read(spark, paths[:2], extractor="body"), scratch / "warm")
    written(resiliparse_frame(spark, [str(ROOT / "data/sample.warc.gz")] * 2), scratch / "warm")
    warming = time.perf_counter() - started

    def program(extractor):
        out = scratch / "program"
        command = [args.target / "release/huller", "extract", scratch / "warc.paths", "-o", out, "-j2", "-q"]

        def run():
            subprocess.run([*command, "--extractor", extractor], check=True)
            shutil.rmtree(out)

        return measured(run, lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))

    def by_spark(extractor):
        accounts = huller_spark.Accounts(spark, paths)
        frame = huller_spark.read(spark, paths, accounts=accounts, extractor=extractor)
        took = written(frame, scratch / "spark")
        assert not accounts.unusable, accounts.unusable
        return took

    def by_resiliparse():
        return written(resiliparse_frame(spark, paths[:part]), scratch / "spark")

    print("\n## Spark\n")
    print(f"{copies} × {raw / 1e9:.2f} GB raw = {copies * raw / 1e9:.1f} GB; {part * raw / 1e9:.1f} GB for resiliparse. Start and")
    print(f"warming of the session, {warming:.0f} s, apart. Medians of {args.spark_rounds} rounds in turns (least and most), MB of raw WARC a")
    print("second on the clock and a CPU second, of all processes together.\n")
    print("| job | MB/s | of the program | × resiliparse | MB/CPU s | of the program | × resiliparse |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    works = {
        "program, pvalue": (lambda: program("pvalue"), copies),
        "Spark, pvalue": (lambda: by_spark("pvalue"), copies),
        "program, hull": (lambda: program("hull"), copies),
        "Spark, hull": (lambda: by_spark("hull"), copies),
        "Spark, FastWARC + resiliparse": (by_resiliparse, part),
    }
    speeds = {name: [] for name in works}
    for _ in range(args.spark_rounds):
        for name, (work, files) in works.items():
            megabytes = files * raw / 1e6
            took, cpu = work()
            speeds[name].append((megabytes / took, megabytes / cpu))
            print(f"{name}: {megabytes / took:.0f} MB/s, {megabytes / cpu:.0f} MB/CPU s", file=sys.stderr)
    of = {name: [statistics.median(column) for column in zip(*found)] for name, found in speeds.items()}
    peer = of["Spark, FastWARC + resiliparse"]
    for name, found in speeds.items():
        cells = [name]
        for column in range(2):
            column_found = [one[column] for one in found]
            program_speed = of.get(name.replace("Spark", "program"), [None, None])[column]
            speed = of[name][column]
            share = f"{speed / program_speed:.2f}" if program_speed else ""
            cells += [f"{speed:.0f} ({min(column_found):.0f}–{max(column_found):.0f})", share, f"{speed / peer[column]:.1f}"]
        print("| " + " | ".join(cells) + " |")
    spark.stop()


def main():
    args = arguments()
    print("# The Python package and the Spark job\n")
    processor = platform.processor()
    with open("/proc/cpuinfo") as file:
        processor = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), processor)
    load = " ".join(f"{one:.2f}" for one in os.getloadavg())
    print(f"* {processor}, {os.cpu_count()} cores; load at the start {load}")
    print(f"* Python {platform.python_version()}, pyarrow {pyarrow.__version__}, huller {huller.__version__}")
    print(f"* corpus `{args.corpus.name}`, `benches/python.py {' '.join(sys.argv[1:]).replace(str(args.corpus), args.corpus.name)}`")
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = pathlib.Path(folder)
        pages = read_pages(args.corpus, args.pages)
        calls(args, pages, scratch)
        many(args, pages, scratch)
        del pages
        if args.gb:
            spark_jobs(args, scratch)


if __name__ == "__main__":
    main()
