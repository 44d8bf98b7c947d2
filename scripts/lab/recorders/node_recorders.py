"""Recorders for Node: node-warc over `request` (as in its manual), warcio.js over `fetch` and
`http`."""

import json

from .cases import PATHS
from .family import INSIDE
from .install import NODE_PACKAGES, node_modules


def record(recording):
    place = node_modules(recording.installed)
    (recording.out / "job.json").write_text(json.dumps({"urls": recording.urls(PATHS)}))
    for script, maker, names in [
        ("node_warc.cjs", NODE_PACKAGES[0], ["node-warc.warc.gz", "node-warc.warc"]),
        ("warcio_js.mjs", NODE_PACKAGES[2], ["fetch.warc.gz", "fetch.warc", "http.warc.gz"]),
    ]:
        for name in names:
            recording.run(["node", INSIDE / script, name], log=f"{name}.log", NODE_PATH=str(place / "node_modules"))
            recording.add(name, maker)
