"""Dragnet: pages in j-szulc/html-cleaning-dataset-merged, dragnet_data/input; gold in seomoz/dragnet_data,
dragnet_Corrected.tar.gz, Corrected/KEY.html.corrected.txt, with a line between article and comments.
"""

import re
import tarfile

from pages import Page, UnknownLayout, decode, existing

COMMENTS = re.compile(re.escape("!@#$%^&*()") + r"\s*COMMENTS")
SUFFIX = ".html.corrected.txt"


def split(gold):
    """(article, comments or None)"""
    article, *comments = COMMENTS.split(gold, maxsplit=1)
    return article.strip(), (comments[0].strip() or None) if comments else None


def golds(archive):
    """Texts by key. Reads members in memory: a name in the archive never becomes a path on disk."""
    found = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            name = member.name.rsplit("/", 1)[-1]
            if member.isfile() and name.endswith(SUFFIX) and not name.startswith("."):
                found[name.removesuffix(SUFFIX)] = decode(tar.extractfile(member).read())
    return found


def pages(mirror, gold):
    folder = existing(mirror, "dragnet_data/input")
    texts = golds(existing(gold, "dragnet_Corrected.tar.gz"))
    files = {re.sub(r"\.html?$", "", path.name): path for path in folder.iterdir() if path.is_file()}
    both = sorted(texts.keys() & files.keys())
    if not both or len(both) * 10 < len(texts) * 9:
        raise UnknownLayout("only %d of %d gold files have a page" % (len(both), len(texts)))
    for key in both:
        article, comments = split(texts[key])
        yield Page(key=key, html=files[key].read_bytes(), text=article, comments=comments, lang="en")
