"""The Python side of tests/reference.rs: extracts pages with ref.py, a plain version of the methods.

    python3 driver.py FOLDER_OF_REF_PY

Each line of the input is a JSON object {"html", "expressions"}, each line of the output one {"tree", "texts"}. `expressions` are
Python; they may use `doc` (a ref.Doc), `source` (its HTML), `ref` and all names of this file, and each gives a text. `tree` has a
line "tag level chars gaps punctuation" for every element. It tells pages that the two sides parse differently from pages that
they judge differently.
"""

import html
import inspect
import json
import math
import pathlib
import re
import sys
import unicodedata

sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(20_000)  # ref.py traverses trees by recursion

import ref  # noqa: E402

CORE = {"script", "style", "head"}
TUNED = CORE | set(
    "noscript template iframe svg math canvas object embed select option datalist button input textarea "
    "video audio header footer nav aside".split()
)
THESAURUS = pathlib.Path(__file__).parents[3] / "methods/data/thesaurus.txt"
PHRASES = [line.strip() for line in THESAURUS.read_text("utf-8").splitlines() if line.strip() and line[0] != "#"]
PHRASE = re.compile("|".join(sorted(map(re.escape, PHRASES), key=len, reverse=True)), re.I | re.A)
BODY = CORE | {"template", "iframe", "noembed", "noframes"}


class Fact(str):
    """The tag of an element to which a rule of specification 0.6 applies: `headline` or `small`."""

    def __new__(cls, tag, fact):
        self = super().__new__(cls, tag)
        self.fact = fact
        return self


class Removal(set):
    """Tags to remove, and the rules that are on."""

    def __init__(self, tags, headlines=False, forms=False):
        super().__init__(tags)
        self.headlines, self.forms = headlines, forms

    def __contains__(self, tag):
        fact = getattr(tag, "fact", None)
        if fact == "headline" and self.headlines:
            return False
        return fact == "small" and self.forms or super().__contains__(tag)


HEADLINES = Removal(TUNED, headlines=True)
FORMS = Removal(TUNED, forms=True)
BOTH = Removal(TUNED, headlines=True, forms=True)
PVALUE_TUNED = Removal(TUNED | {"img", "label", "meta", "link", "channel"}, headlines=True, forms=True)


def state_facts(doc):
    """Marks headers in articles and small forms by their tags."""
    runs = [run for run in doc.runs if run.node.tag not in ("script", "style")]
    chars = lambda node: sum(run.nc for run in runs if node.idx <= run.node.idx < node.end)
    article_end = 0
    for node in doc.nodes:
        if node.tag in ("article", "main"):
            article_end = max(article_end, node.end)
        if node.tag == "header" and node.idx < article_end:
            node.tag = Fact("header", "headline")
        if node.tag == "form":
            inside = doc.nodes[node.idx : node.end]
            types = {field.attrs.get("type", "").lower() for field in inside if field.tag == "input"}
            own = chars(node)
            if (own < 200 or types & {"password", "search"}) and own * 2 <= chars(doc.body):
                node.tag = Fact("form", "small")


read_css = ref.Doc.read_css


def read_css_without_comments(doc, css):
    """Makes white space of comments, and of the `<!--` that hides a style sheet from old browsers; ref.py reads both as text."""
    css = re.sub(r"/\*.*?(?:\*/|\Z)", " ", css, flags=re.S)
    read_css(doc, re.sub(r"\A\s*<!--", " ", css))


ref.Doc.read_css = read_css_without_comments


def body(doc):
    return doc.text([doc.body], BODY)


def pvalue(doc, drop, drop_empty=False):
    best = ref.pvalue(doc, drop, drop_empty)[2]
    return best[0] if best and best[4] > 0 else None


def spaced_lengths(root, drop):
    """Text and unlinked text of an element, with one space where white space stands between words of one line (D-5)."""
    text = unlinked = 0
    space, breaks = None, True

    def white(linked):
        nonlocal space
        space = linked if space is None else space

    def walk(node):
        nonlocal text, unlinked, space, breaks
        breaks |= node.tag in ref.BLOCK or node.tag == "br"
        for kind, item in () if node.tag in drop else node.items:
            if kind == "w":
                white(node.in_link)
            elif kind == "e":
                walk(item)
            else:
                for char in item.text:
                    if ref.is_ws(char):
                        white(item.link)
                    elif char not in ref.ZW:
                        if space is not None and not breaks:
                            text, unlinked = text + 1, unlinked + (not space)
                        text, unlinked = text + 1, unlinked + (not item.link)
                        space, breaks = None, False
        breaks |= node.tag in ref.BLOCK or node.tag == "br"

    walk(root)
    return text, unlinked


def pvalue_spaced(doc, drop):
    def value(row):
        text, unlinked = spaced_lengths(row[0], drop)
        return text / (row[3] - row[1] + text) * unlinked

    best = max(ref.pvalue(doc, drop)[0], key=value, default=None)
    return best[0] if best and value(best) > 0 else None


def tsd(doc, drop, tg="self", sd_mode="children", symbols=True):
    best = ref.tsd(doc, drop, symbols, tg, sd_mode)[2]
    return best[0] if best else None


def tsd_sum(doc, drop):
    settings = {"tg": "one", "sd_mode": "sum"}
    return tsd(doc, drop, **settings) or tsd(doc, drop, symbols=False, **settings)


def tsd_leaves(doc, drop, symbols=True):
    """Equations (5) and (2) with the deviation of the lengths of texts and the sum of densities (B-4, B-6)."""
    rows = ref.tsd(doc, drop, symbols, "self")[0]
    densities = {row[0].idx: row[1] for row in rows}

    def score(node):
        lengths = [run.nc for run in doc.runs if run.nc and node.idx <= run.node.idx < node.end and run.node.idx in densities]
        mean = sum(lengths) / max(1, len(lengths))
        variance = sum((length - mean) ** 2 for length in lengths) / max(1, len(lengths))
        total = sum(densities[child.idx] for kind, child in node.items if kind == "e" and child.idx in densities)
        symbol_density = max((node.nc - node.lnc) / (node.pu + 1), 1.0) if symbols else math.e
        return math.log(math.sqrt(variance + 1)) * total * math.log10(node.p + 2) * math.log(symbol_density)

    return largest([row[0] for row in rows if row[1] > 0 and row[0] is not doc.body], score)


def largest(nodes, value):
    """The node with the largest value, ties as in specification 0.7; None if no value is positive."""
    best = None
    for node in nodes:
        new, old = value(node), value(best) if best else 0.0
        if new > old or best and new == old and node.idx < best.end:
            best = node
    return best


def cetd(doc, drop):
    info = ref.cetd(doc, drop)[0]
    return largest([row[0] for row in info.values()], lambda node: info[node.idx][2])


def cetd_marked(doc, drop):
    """The marking step, which ref.py leaves out, as it is defined: a search in every subtree."""
    best = cetd(doc, drop)
    if not best:
        return ""
    info = ref.cetd(doc, drop)[0]
    path = [best]
    while path[-1] is not doc.body:
        path.append(path[-1].parent)
    threshold = min(info[node.idx][1] for node in path)
    marked = []

    def descend(node):
        if info[node.idx][1] < threshold:
            return
        subtree = [row[0] for row in info.values() if node.idx <= row[0].idx < node.end]
        marked.append(largest(subtree, lambda node: info[node.idx][2]))
        for kind, child in node.items:
            if kind == "e" and child.idx in info:
                descend(child)

    descend(doc.body)
    marked = [node for node in marked if node]
    outermost = {node.idx: node for node in marked if not any(other.idx < node.idx < other.end for other in marked)}
    return doc.text([outermost[index] for index in sorted(outermost)], drop)


def only_runs(doc, runs, drop):
    """Text of these runs, in the lines of the page."""
    return doc.text([doc.body], drop, skip_runs={run for run in doc.runs if run not in runs})


def ceds(doc, drop, **settings):
    _, _, _, content, noise = ref.ceds(doc, drop, **settings)
    if not noise and all(isinstance(block["root"], ref.Node) for block in content):
        return doc.text([block["root"] for block in content], drop)
    # Runs between elements: ref.py puts each block on a line of its own, this project keeps the
    # lines of the page.
    leaves = {leaf for block in content for leaf, _ in block["leaves"]}
    return only_runs(doc, leaves - set(noise), drop)


TOKENS_DROP = CORE | {"noscript"}
ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
# As in ref.py, but the ideographic space is white space (specification 0.3).
WORD = ref.WORD = re.compile(ref.WORD.pattern.replace(r"[\u2e80-", r"[\u2e80-\u2fff\u3001-", 1))


def tokens(doc):
    """Takes out zero-width scalars, which count as nothing (specification 0.3); ref.py makes words of them."""
    for run in doc.runs:
        run.text = ZERO_WIDTH.sub("", run.text)
    return doc


def mss(doc, drop):
    found, (_, start, end) = ref.mss(tokens(doc), drop)
    return only_runs(doc, {token[2] for token in found[start:end] if token[0] == "w"}, drop)


def ccb(doc, drop):
    """Text of the kept words, which ref.py only lists, with a space where words are left out."""
    found, values, _ = ref.ccb(tokens(doc), drop, radius=30, rounds=3)
    kept = {}
    for token, value in zip(found, values):
        if token[0] == "w":
            kept.setdefault(token[2], []).append(value > 0.75)
    before = {run: run.text for run in kept}
    chosen = set()
    for run, flags in kept.items():
        flags = iter(flags)
        marked = WORD.sub(lambda word: word.group() if next(flags) else "\0", run.text)
        pieces = [piece for piece in marked.split("\0") if piece.strip()]
        run.text = " ".join(pieces)
        if pieces:
            chosen.add(run)
    out = only_runs(doc, chosen, drop)
    for run, text in before.items():
        run.text = text
    return out


def nb_model(name):
    """The probabilities from the counts of this project's model, in the form of ref.py."""
    path = pathlib.Path(__file__).parents[4] / "crates/methods/models/nb.json"
    counts = json.loads(path.read_text())[name]
    classes = {1: counts["theme"], 2: counts["noise"]}
    features = ("unlinked", "links", "punctuation", "paragraphs")
    smoothed = lambda bins: [(count + 1) / (sum(bins) + len(bins)) for count in bins]
    total = sum(of["blocks"] for of in classes.values())
    return {
        "p": {c: [smoothed(of[feature]) for feature in features] for c, of in classes.items()},
        "prior": {c: of["blocks"] / total for c, of in classes.items()},
    }


def nb(doc, name, drop, tags=ref.NB_BLOCK, merge="none", prior=False, fall_back=False):
    model = nb_model(name)
    blocks = ref.nb_blocks(doc, tags, drop, merge)
    if not blocks:
        return text_or_fall_back(doc, None, drop) if fall_back else ""
    odds = []
    for block in blocks:
        bins = ref.nb_bins(block["U"], block["L"], block["pu"], block["p"])
        theme, noise = ref.nb_score(bins, model, prior=prior)
        odds.append(theme - noise)
    least = min(0.0, max(odds)) if fall_back else 0.0
    noise = {run for block, value in zip(blocks, odds) if value < least for run in block["runs"]}
    return doc.text([doc.body], drop, noise)


def is_function_block(block):
    """The rule of specification 3.5 that ref.py leaves out, for a block that is not joined yet."""
    if block["U"] >= 200:
        return False
    words = "\n".join(" ".join(run.text.split()) for run in block["runs"])
    letter = lambda c: c.isascii() and c.isalnum()
    hits = 0
    for found in PHRASE.finditer(words):
        start, end = found.span()
        before = letter(words[start]) and letter(words[max(0, start - 1)]) and start > 0
        after = letter(words[end - 1]) and end < len(words) and letter(words[end])
        hits += not before and not after
    return hits >= 2


def without_function_blocks(blocks):
    """The blocks without function blocks. An hr beside one of these stays between its neighbours."""
    kept, after_rule = [], False
    for block in blocks:
        after_rule |= block["hr_before"]
        if not is_function_block(block):
            kept.append(block | {"hr_before": after_rule})
            after_rule = False
    return kept


def visual_blocks():
    """ref.dvps, made to take out function blocks before it joins blocks."""
    source, place = inspect.getsource(ref.dvps), "    merged = []; seps = []\n"
    assert source.count(place) == 1, "ref.py joins blocks elsewhere now"
    names = vars(ref) | {"without_function_blocks": without_function_blocks}
    exec(source.replace(place, "    pool = without_function_blocks(pool)\n" + place), names)
    return names["dvps"]


VISUAL_BLOCKS = visual_blocks()


def dvps(doc, drop, part=1.0):
    """Text of the most important block and of all blocks with at least `part` of its importance; None if there is no block."""
    if not any(node is not doc.body for node in doc.kept(drop, doc.body)):
        return doc.text([doc.body], drop) or None  # ref.py divides by the number of elements
    blocks = VISUAL_BLOCKS(doc, drop)[0]
    if not blocks:
        return None
    best = max(blocks, key=lambda block: block["Imp"])
    least = best["Imp"] - (1 - part) * abs(best["Imp"])
    chosen = [block for block in blocks if block["Imp"] >= least] if part < 1 else [best]
    items = [item for block in chosen for item in block["items"]]
    if all(isinstance(item, ref.Node) for item in items) and all(
        len(block["items"]) == len(block["doc"]) for block in chosen
    ):
        return doc.text(items, drop)
    # Runs between elements: the text of the body without all other runs, so that line breaks of
    # elements between them are kept.
    spans = [(item.idx, item.end) for item in items if isinstance(item, ref.Node)]
    runs = {item.idx for item in items if isinstance(item, ref.Run)}
    others = [run for run in doc.runs if run.idx not in runs
              and not any(start <= run.node.idx < end for start, end in spans)]
    return doc.text([doc.body], drop, skip_runs=SameRuns(others))


class SameRuns:
    """A set of runs by index: `in` over a list would take time quadratic in the page."""

    def __init__(self, runs):
        self.numbers = {run.idx for run in runs}

    def __contains__(self, run):
        return run.idx in self.numbers


def text(doc, node, drop):
    """Text of a node; empty if there is no node."""
    return doc.text([node], drop) if node else ""


def text_or_fall_back(doc, node, drop):
    """Text of a node; if there is no node, the fall-back of specification 0.7."""
    if node:
        return doc.text([node], drop)
    node = pvalue(doc, PVALUE_TUNED, True)
    return doc.text([node], PVALUE_TUNED) if node else body(doc)


def visible(text):
    """Text without white space, zero-width and control characters."""
    return "".join(c for c in text if not ref.is_ws(c) and c not in ref.ZW and unicodedata.category(c) != "Cc")


QUOTED = r"""(?:"[^"]*"|'[^']*'|[^>"'])*"""
MARKUP = re.compile(
    rf"<!--.*?-->|<(script|style|iframe|noembed|noframes)\b{QUOTED}>.*?</\1\s*>"
    rf"|<!([a-z]*)[^>]*>|<(/?[a-z][^\s/>]*){QUOTED}>",
    re.S | re.I,
)


def plain_tags(source):
    """The source for methods that select lines: without the elements they remove, and without attributes.

    ref.py ends a tag at the first ">" and a line at each line feed, in attributes and document types too.
    """

    def plain(markup):
        doctype, tag = markup[2], markup[3]
        return f"<{tag}>" if tag else "" if doctype is None else f"<!{doctype}>"

    return MARKUP.sub(plain, source)


CLUSTERS, WRAP = 3, 65
REMOVED_BY_CETR = re.compile(r"<noscript\b.*?</noscript\s*>|<head\b.*?</head\s*>", re.S | re.I)


def wrapped(source):
    """Cuts the lines of a minified page (specification 6), which ref.py leaves out: after 65 scalars of source, at the first white
    space or before the first CJK scalar."""
    source = MARKUP.sub(lambda markup: markup[0] if markup[3] or markup[2] is not None else "", source)
    source = REMOVED_BY_CETR.sub("", source)
    out, length, at = [], 0, 0
    for markup in [*MARKUP.finditer(source), None]:
        for c in source[at : markup.start() if markup else len(source)]:
            white = ref.is_ws(c) and not "\x1c" <= c <= "\x1f"
            if c == "\n" or length >= WRAP and (white or ref.cjk(c)):
                out.append("\n")
                length = 0
                if white:
                    continue
            out.append(c)
            length += 1
        if markup:
            out.append(markup[0])
            length += len(markup[0])
            at = markup.end()
    return "".join(out)


def cetr(source):
    lines = REMOVED_BY_CETR.sub("", plain_tags(source)).split("\n")
    if sum(not line.isspace() for line in lines if line) < CLUSTERS:
        source = wrapped(source)
    source = plain_tags(source)
    try:
        lines, _, _, _, clusters = ref.cetr(source)
    except ValueError:
        return ""  # the source has no lines
    kept = (line for line, cluster in zip(lines, clusters) if cluster)
    return visible("".join(html.unescape(re.sub("<[^>]*>", "", line)) for line in kept))


def lineblock(source):
    return visible(ref.lineblock(plain_tags(source))[4])


def given_or_fall_back(doc, text):
    """The text; if it is None, the fall-back of specification 0.7."""
    return text if text is not None else text_or_fall_back(doc, None, TUNED)


def tree(doc):
    lines = []
    for node in doc.nodes:
        counts = (0, 0, 0) if node.tag in ("script", "style") else (node.own_nc, node.own_sp, node.own_pu)
        lines.append("%s %d %d %d %d" % (node.tag, node.level, *counts))
    return "\n".join(lines)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        doc = ref.Doc(request["html"])
        state_facts(doc)
        names = {**globals(), "doc": doc, "source": request["html"]}
        texts = [eval(expression, names) for expression in request["expressions"]]
        print(json.dumps({"tree": tree(doc), "texts": texts}), flush=True)


if __name__ == "__main__":
    main()
