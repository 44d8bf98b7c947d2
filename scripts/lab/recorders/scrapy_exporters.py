"""Records with Scrapy: two WARC exporters (scrapy-webarchive, scrapy-warcio) and its JSON Lines
feed."""

import zipfile

from .cases import PATHS
from .family import INSIDE, RecorderFailed
from .install import SCRAPY_WARCIO, SCRAPY_WEBARCHIVE, NotInstalled, packages

WARCIO_SETTINGS = """\
warc_dest: .
collection: recorders
description: odd headers
max_warc_size: 5000000000
operator: recorders
robots: ignore
user_agent: recorders
warc_prefix: scrapy
warc_spec: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.0/
"""


def record(recording):
    (recording.out / "urls.txt").write_text("\n".join(recording.urls(PATHS)) + "\n")
    (recording.out / "warcio.yaml").write_text(WARCIO_SETTINGS)
    missing = []
    for exporter in [webarchive, warcio]:
        try:
            exporter(recording)
        except NotInstalled as reason:
            missing.append(f"{exporter.__name__}: {reason}")
    if missing:
        raise NotInstalled("; ".join(missing))


def webarchive(recording):
    """Also writes the feed."""
    programs = packages(recording.installed, "scrapy-webarchive", SCRAPY_WEBARCHIVE)
    recording.run([programs / "python", INSIDE / "spider.py", "webarchive"], log="webarchive.log")
    recording.add("feed.jsonl", SCRAPY_WEBARCHIVE[1])
    found = sorted(recording.out.glob("*.wacz"))
    if len(found) != 1:
        raise RecorderFailed(f"scrapy-webarchive wrote {len(found)} WACZ files")
    with zipfile.ZipFile(found[0]) as wacz:
        (name,) = [name for name in wacz.namelist() if name.endswith(".warc.gz")]
        (recording.out / "webarchive.warc.gz").write_bytes(wacz.read(name))
    recording.add("webarchive.warc.gz", SCRAPY_WEBARCHIVE[0])


def warcio(recording):
    programs = packages(recording.installed, "scrapy-warcio", SCRAPY_WARCIO)
    recording.run(
        [programs / "python", INSIDE / "spider.py", "warcio"],
        log="warcio.log",
        SCRAPY_WARCIO_SETTINGS=str(recording.out / "warcio.yaml"),
    )
    (found,) = recording.out.glob("scrapy-*.warc.gz")
    found.rename(recording.out / "warcio.warc.gz")
    recording.add("warcio.warc.gz", SCRAPY_WARCIO[0])
