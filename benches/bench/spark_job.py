"""Compares the package's Spark job with the program, and with a job of FastWARC and resiliparse."""

import gzip
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

import pyarrow
from huller import spark as huller_spark
from pyspark.sql import SparkSession

from .huller_bench import ROOT
from .python_package import once


def cpu_seconds():
    """CPU seconds of this process and all below it, with their children that have ended."""
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


def spark_session(scratch):
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
    """A job of the same shape as huller's, with the peer in the mapper: url and text."""
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


def clocked(work, cpu):
    """Wall seconds, and CPU seconds as `cpu` counts them."""
    before = cpu()
    return once(work), cpu() - before


def written(frame, path):
    """Wall and CPU seconds to write a frame as Parquet with zstd."""

    def write():
        frame.write.option("compression", "zstd").parquet(str(path))
        shutil.rmtree(path)

    return clocked(write, cpu_seconds)


def spark_jobs(args, scratch):
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
    spark = spark_session(scratch)
    written(huller_spark.read(spark, paths[:2], extractor="body"), scratch / "warm")
    written(resiliparse_frame(spark, [str(ROOT / "data/sample.warc.gz")] * 2), scratch / "warm")
    warming = time.perf_counter() - started

    def program(extractor):
        out = scratch / "program"
        command = [args.target / "release/huller", "extract", scratch / "warc.paths", "-o", out, "-j2", "-q"]

        def run():
            subprocess.run([*command, "--extractor", extractor], check=True)
            shutil.rmtree(out)

        return clocked(run, lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))

    def by_spark(extractor):
        counters = huller_spark.InputCounters(spark, paths)
        frame = huller_spark.read(spark, paths, counters=counters, extractor=extractor)
        took = written(frame, scratch / "spark")
        assert not counters.unusable, counters.unusable
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
