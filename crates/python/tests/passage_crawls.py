"""Passages of two crawls of the same pages, which the tests of engines load one after the other."""

import gzip
import json
import os
import pathlib
import re
import subprocess
import uuid
from collections import Counter

from program import ROOT, program

# The fewest passages of the first crawl.
FEWEST = 2000
# How many passages are searched for, and by how many words.
KNOWN, PHRASE = 20, 6
SAMPLE = ROOT / "data/sample.warc.gz"


def plain(archive):
    """The bytes of an archive."""
    if archive.suffix == ".zst":
        import zstandard

        with archive.open("rb") as file:
            return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    return gzip.decompress(archive.read_bytes())


def renamed(line):
    """The header of a record with another identifier, which is as long."""
    return line[1] + str(uuid.uuid5(uuid.NAMESPACE_URL, line[2].decode())).encode()


class Crawls:
    """The passages of both crawls, as the program writes them.

    The first crawl has the first pages of `$HULLER_ARCHIVE` or the sample. The second has half of
    these pages, whose records have other identifiers, cut into longer or shorter passages."""

    def __init__(self, folder):
        archive = pathlib.Path(os.environ.get("HULLER_ARCHIVE", SAMPLE))
        self._folder = folder
        self._inputs = [folder / "first.warc", folder / "second.warc"]
        first = plain(archive)
        self._inputs[0].write_bytes(first)
        self._inputs[1].write_bytes(re.sub(rb"(WARC-Record-ID: *<urn:uuid:)([-0-9a-fA-F]{36})", renamed, first))
        # The sample is small, so its passages are too.
        short = ["tokenizer=characters", "max_tokens=66", "min_tokens=10"], ["tokenizer=characters", "max_tokens=90", "min_tokens=10"]
        self._settings = short if archive.samefile(SAMPLE) else ([], ["max_tokens=200"])
        self._pages = [10**9] * 2
        every = self.files()[0]
        last = lines(every)[FEWEST - 1]["parent_id"]
        rows = [row["id"] for row in lines(every.parent.parent / "rows" / every.name)]
        self._pages = [rows.index(last) + 1, (rows.index(last) + 1) // 2]
        self.first, self.second = map(lines, self.files())
        urls = {passage["url"] for passage in self.second}
        self.after = [passage for passage in self.first if passage["url"] not in urls] + self.second
        assert len(self.first) >= FEWEST and urls and None not in urls
        assert len(self.second) < len(self.after) < len(self.first) + len(self.second)
        assert not {passage["parent_id"] for passage in self.first} & {passage["parent_id"] for passage in self.second}

    def files(self, *options):
        """The files of passages of both crawls, with these options of the program."""
        return [self._write(crawl, options) for crawl in (0, 1)]

    def _write(self, crawl, options):
        out = self._folder / "-".join([str(crawl), str(self._pages[crawl]), *options])
        if not out.exists():
            settings = [word for setting in self._settings[crawl] for word in ("--passages-set", setting)]
            command = [program(), "extract", self._inputs[crawl], "-o", out / "rows", "--passages", out / "passages", "--compress=none", "--quiet"]
            subprocess.run([*map(str, command), *settings, f"--limit={self._pages[crawl]}", *options], check=True)
        return next((out / "passages").iterdir())


def lines(path):
    """The objects of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def ids(passages):
    return sorted(passage["id"] for passage in passages)


def known(passages):
    """Passages with words that follow each other in no other passage, each with these words."""
    runs = Counter()
    for passage in passages:
        words = re.findall(r"\w+", passage["text"].lower())
        runs.update({" ".join(words[at : at + PHRASE]) for at in range(len(words))})
    # Engines differ about numbers, addresses and hyphens.
    plain_words = re.compile(rf"(?<![^ \n])[A-Za-z]+(?: [A-Za-z]+){{{PHRASE - 1}}}(?![^ \n])")
    unique = []
    for passage in passages:
        found = plain_words.search(passage["text"])
        if found and runs[found[0].lower()] == 1:
            unique.append((passage, found[0]))
    assert len(unique) >= KNOWN
    return unique[:: len(unique) // KNOWN][:KNOWN]
