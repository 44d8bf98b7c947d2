"""scrapinghub/article-extraction-benchmark: ground-truth.json and html/KEY.html.gz."""

import gzip
import json

from pages import Page, UnknownLayout, existing

KEY_LENGTH = 16  # of 64 hexadecimal digits


def pages(root):
    truth = json.loads(existing(root, "ground-truth.json").read_text(encoding="utf-8"))
    folder = existing(root, "html")
    for key, gold in sorted(truth.items()):
        if "articleBody" not in gold:
            raise UnknownLayout("ground-truth.json: %s has no articleBody" % key)
        html = gzip.decompress(existing(folder, key + ".html.gz").read_bytes())
        yield Page(
            key=key[:KEY_LENGTH],
            html=html,
            url=gold.get("url"),
            charset="utf-8",
            text=gold["articleBody"],
            page_type="article",
        )
