"""Murrough-Foley/web-content-extraction-benchmark: {dev,test}/ground-truth/N.json and {dev,test}/html/N.html.gz.

Some test pages are dev pages byte for byte; the converter keeps them once, as dev pages, and leaves out pages without gold text.
"""

import gzip
import hashlib
import json

from pages import Page, UnknownLayout, existing


def pages(root):
    seen = set()
    for split in ("dev", "test"):
        folder = existing(root, split)
        truths, htmls = existing(folder, "ground-truth"), existing(folder, "html")
        for path in sorted(truths.glob("*.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            gold = data.get("ground_truth")
            if not isinstance(gold, dict) or "main_content" not in gold:
                raise UnknownLayout("%s has no ground_truth.main_content" % path)
            html = gzip.decompress(existing(htmls, path.stem + ".html.gz").read_bytes())
            digest = hashlib.sha256(html).digest()
            if digest in seen or not (gold["main_content"] or "").strip():
                continue
            seen.add(digest)
            yield Page(
                key="%s-%s" % (split, path.stem),
                html=html,
                url=data.get("url"),
                charset="utf-8",
                text=gold["main_content"],
                lang="en",
                page_type=data.get("_internal", {}).get("page_type", {}).get("primary"),
                title=gold.get("title"),
                author=gold.get("author"),
                date=gold.get("publish_date"),
                with_snippets=gold.get("with"),
                without_snippets=gold.get("without"),
            )
