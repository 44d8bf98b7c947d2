"""GNU Wget: record by record in gzip, plain, without digests, duplicates by a CDX of an earlier run, HEAD."""

import subprocess

from .cases import HEAD_PATHS, PATHS
from .install import program

# Only one try, since a second one after a cut connection would record the case twice. wget exits
# with 8 after error answers, and with 4 after cut connections.
COMMON = ["--tries=1", "--timeout=20", "--no-verbose", "--output-document=/dev/null", "--input-file=urls.txt"]
ENDINGS = (0, 3, 4, 7, 8)


def version():
    said = subprocess.run([program("wget"), "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split()[:3])


def record(recording):
    wget, maker = program("wget"), version()
    (recording.out / "urls.txt").write_text("\n".join(recording.urls(PATHS)) + "\n")

    def run(name, *options):
        recording.run([wget, *COMMON, *options], ok=ENDINGS, log=f"{name}.log")

    run("gz", "--warc-file=gz", "--warc-cdx")
    recording.add("gz.warc.gz", maker)
    run("plain", "--warc-file=plain", "--no-warc-compression")
    recording.add("plain.warc", maker)
    run("no-digests", "--warc-file=no-digests", "--no-warc-digests")
    recording.add("no-digests.warc.gz", maker)
    run("dedup", "--warc-file=dedup", "--warc-dedup=gz.cdx")
    recording.add("dedup.warc.gz", maker)
    run("compressed", "--warc-file=compressed", "--compression=auto")
    recording.add("compressed.warc.gz", maker)
    (recording.out / "urls.txt").write_text("\n".join(recording.urls(HEAD_PATHS)) + "\n")
    run("head", "--warc-file=head", "--method=HEAD")
    recording.add("head.warc.gz", maker)
