"""adbar/trafilatura: tests/evaldata.json with snippets, pages in tests/cache and tests/eval.

Keys are URLs; some are `hard::FILE`.
"""

import json

from pages import Page, UnknownLayout, existing


def pages(root):
    tests = existing(root, "tests")
    data = json.loads(existing(tests, "evaldata.json").read_text(encoding="utf-8"))
    folders = [tests / name for name in ("cache", "eval") if (tests / name).is_dir()]
    if not folders:
        raise UnknownLayout("neither tests/cache nor tests/eval is there")
    missing = 0
    for url, gold in sorted(data.items()):
        if not isinstance(gold.get("with"), list) or not isinstance(gold.get("without"), list) or "file" not in gold:
            raise UnknownLayout("evaldata.json: %s lacks file, with or without" % url)
        found = [folder / gold["file"] for folder in folders if (folder / gold["file"]).is_file()]
        if not found:
            missing += 1
            continue
        yield Page(
            key=gold["file"].removesuffix(".html"),
            html=found[0].read_bytes(),
            url=url if url.startswith(("http://", "https://")) else None,
            title=gold.get("title"),
            author=gold.get("author"),
            date=gold.get("date"),
            with_snippets=gold["with"],
            without_snippets=gold["without"],
        )
    if missing * 10 > len(data):
        raise UnknownLayout("%d of %d pages are missing" % (missing, len(data)))
