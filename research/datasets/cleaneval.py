"""CleanEval, English, in j-szulc/html-cleaning-dataset-merged: cleaneval-final/{input,GoldStandard}.

Each page is wrapped in `<text id="URL" title=... encoding=...>`, which is not part of it. The gold
begins with a line `URL: ...`. It has `<p>`, `<h>`, `<l>` before paragraphs, and lines of
underscores.
"""

import codecs
import re

from pages import Page, decode, existing, pair

WRAPPER = re.compile(rb"\A\s*<text\b([^>]*)>", re.IGNORECASE)
WRAPPER_END = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
FIELD = re.compile(r"""(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


def unwrap(html):
    """(page, fields of the wrapper)"""
    start = WRAPPER.match(html)
    if not start:
        return html, {}
    fields = {}
    for name, *values in FIELD.findall(start.group(1).decode("latin-1")):
        fields[name.lower()] = next(filter(None, values), "")
    return WRAPPER_END.sub(b"", html[start.end() :]), fields


def known_charset(name):
    try:
        return codecs.lookup(name).name if name else None
    except LookupError:
        return None


def clean(gold):
    """The gold as plain text: no first line with the URL, no marks, no rules, no empty lines."""
    lines = gold.splitlines()
    if lines and lines[0].lstrip().startswith("URL:"):
        lines = lines[1:]
    lines = [re.sub(r"<(?:p|h|l)>", "", line, flags=re.IGNORECASE).strip() for line in lines]
    return "\n".join(line for line in lines if line and not re.fullmatch(r"_{3,}", line))


def pages(root):
    folder = existing(root, "cleaneval-final")
    inputs, golds = existing(folder, "input"), existing(folder, "GoldStandard")
    for key, page, gold in pair(inputs.iterdir(), golds.iterdir()):
        html, fields = unwrap(page.read_bytes())
        yield Page(
            key=key,
            html=html,
            url=fields.get("id") or None,
            charset=known_charset(fields.get("encoding")),
            text=clean(decode(gold.read_bytes())),
            lang="en",
        )
