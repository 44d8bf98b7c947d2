"""Finds the elements of pages and of Markdown by kind, as words."""

import re
from collections import Counter, defaultdict
from urllib.parse import urljoin

import lxml.html
from markdown_it import MarkdownIt

KINDS = ("heading", "item", "cell", "code", "link", "emphasis", "formula")

# The least number of words of an element that is found by its words alone, since shorter ones occur
# in any text.
SHORTEST = {"heading": 2, "item": 3, "cell": 1, "code": 1, "link": 1, "emphasis": 2, "formula": 1}

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
FORMULA = re.compile(r"\$\$?([^$]+?)\$\$?")


def counters():
    return defaultdict(Counter)


def words(text):
    """The words of a text, without what separates them."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def lines(text):
    """Code, without what editors take away: blank lines around it and white space at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def is_in(some, gold):
    return f" {some} " in f" {gold} "


def is_wanted(html):
    """Whether a page may hold code, a table, a list or a formula in its text."""
    return re.search(r"<(pre|th|math)\b", html, re.I) or len(re.findall(r"<li\b", html, re.I)) > 20


def own_text(element, without):
    """The text of an element, less that of elements of these tags in it."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in without:
            parts.append(own_text(child, without))
        parts.append(child.tail or "")
    return "".join(parts)


def of_page(page):
    """The elements of a page whose words stand in its gold text, as counts of what identifies each."""
    found = defaultdict(Counter)
    gold = words(page.gold)
    parser = lxml.html.HTMLParser(encoding="utf-8")
    tree = lxml.html.document_fromstring(page.html.encode(), parser=parser)
    lxml.etree.strip_elements(tree, "script", "style", "template", with_tail=False)

    def add(kind, identity, text):
        if len(text.split()) >= SHORTEST[kind] and is_in(text, gold):
            found[kind][identity] += 1

    for element in tree.iter(*HEADINGS):
        text = words(element.text_content())
        add("heading", text, text)
    for element in tree.iter("li"):
        text = words(own_text(element, ("ul", "ol", "pre", "table")))
        add("item", text, text)
    for row in tree.iter("tr"):
        cells = [words(cell.text_content()) for cell in row if cell.tag in ("td", "th")]
        is_data = len(cells) > 1 and is_in(" ".join(filter(None, cells)), gold) and row.find(".//table") is None
        for text in filter(None, cells if is_data else ()):
            add("cell", text, text)
    for element in tree.iter("pre"):
        text = lines(element.text_content())
        if "\n" in text:
            add("code", text, words(text))
    for element in tree.iter("a"):
        text, target = words(element.text_content()), element.get("href") or ""
        around = words(element.getparent().text_content()) if element.getparent() is not None else text
        if text and target and not target.startswith(("#", "javascript:")) and is_in(around, gold):
            add("link", (urljoin(page.url, target.strip()), text), text)
    for element in tree.iter("strong", "b", "em", "i"):
        # Emphasis has no meaning in a heading, and for nested elements the outer one counts.
        if not any(around.tag in (*HEADINGS, "strong", "b", "em", "i", "th") for around in element.iterancestors()):
            text = words(element.text_content())
            add("emphasis", text, text)
    for element in tree.iter("annotation"):
        text = words(element.text or "")
        if element.get("encoding") == "application/x-tex" and text:
            found["formula"][text] += 1
    return found


def of_markdown(markdown, url):
    """The elements of Markdown."""
    found = defaultdict(Counter)
    tokens = PARSER.parse(markdown)
    open_items = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            found["heading"][words(plain(tokens[at + 1]))] += 1
        elif token.type == "list_item_open":
            open_items.append([])
        elif token.type == "list_item_close":
            found["item"][words(" ".join(open_items.pop()))] += 1
        elif token.type in ("th_open", "td_open"):
            found["cell"][words(plain(tokens[at + 1]))] += 1
        elif token.type in ("fence", "code_block"):
            found["code"][lines(token.content)] += 1
        elif token.type == "html_block":
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", token.content, re.S):
                found["cell"][words(re.sub("<[^>]*>", " ", cell))] += 1
        elif token.type == "inline":
            if open_items:
                open_items[-1].append(plain(token))
            inline(token, url, found)
    return found


def plain(token):
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children or ()
        if child.type not in ("html_inline", "image")
    )


def inline(token, url, found):
    """Links and emphasis of a paragraph; formulas are found by their dollars."""
    for tex in FORMULA.findall(plain(token)):
        found["formula"][words(tex)] += 1
    opened = []
    for child in token.children or ():
        if child.type in ("link_open", "strong_open", "em_open"):
            opened.append((child, []))
        elif child.type in ("link_close", "strong_close", "em_close"):
            start, text = opened.pop()
            text = words("".join(text))
            if start.type == "link_open":
                found["link"][(urljoin(url, start.attrGet("href") or ""), text)] += 1
            else:
                found["emphasis"][text] += 1
        elif child.type != "image":
            for _, text in opened:
                text.append(child.content or " ")


def common(wanted, written):
    """How many of the wanted elements are written, each as often as it is."""
    return sum((wanted & written).values())


def outside(written, page):
    """How many written elements have words that are not in the gold text."""
    gold = words(page.gold)
    texts = ((identity[1] if isinstance(identity, tuple) else words(identity), count) for identity, count in written.items())
    return sum(count for text, count in texts if text and not is_in(text, gold))
