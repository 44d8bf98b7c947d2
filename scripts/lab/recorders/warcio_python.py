"""warcio for Python: `capture_http` (gzip, plain) and `WARCWriter` with records of every type."""

import json

from .cases import HEAD_PATHS, PATHS
from .family import INSIDE
from .install import WARCIO, packages


def record(recording):
    programs = packages(recording.installed, "warcio", WARCIO)
    job = {"urls": recording.urls(PATHS), "head": recording.urls(HEAD_PATHS)}
    (recording.out / "job.json").write_text(json.dumps(job))
    for name in ["capture.warc.gz", "capture.warc", "writer.warc.gz"]:
        recording.run([programs / "python", INSIDE / "warcio_capture.py", name], log=f"{name}.log")
        recording.add(name, WARCIO[0])
