"""Measures calls of the Python package beside the same work in Rust. Needs huller's wheel and
pyarrow."""

import struct
import subprocess
import time

import huller
import pyarrow


def read_pages(corpus, count):
    pages = []
    for record in huller.read_warc(corpus):
        if record.type == "response" and record.status == 200 and "html" in (record.content_type or ""):
            pages.append(record.payload)
            if len(pages) == count:
                break
    return pages


def in_rust(args, pages, extractor, threads, scratch):
    """Seconds for the pages in Rust: the best of two rounds; the first round pays for new memory."""
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
    """The best time of each work; the works take turns."""
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
