"""Articles of any size with the same mix of parts, as records of a .warc.gz.

A page is a head and then sections of paragraphs, menu entries and scripts, up to its size; words are drawn by Zipf's law. So pages of
different sizes differ in the number of sections and in little else. Everything is a function of seed and sizes.
"""

import random
import uuid
import zlib

SYLLABLES = "ba be bi bo da de di do fa fe fi go ka ke ki ko la le li lo ma me mi mo na ne ni no pa ra re ri ro sa se si so ta te ti to va vi".split()
SECTIONS = 512
LEVEL = 6  # of gzip, as in crawls


class Pages:
    """Makes pages from a bank of sections."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        words = {"".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(12_000)}
        self.words = sorted(words)
        self.random.shuffle(self.words)
        self.weights = [1 / (rank + 1) for rank in range(len(self.words))]
        self.sections = [self.section() for _ in range(SECTIONS)]

    def text(self, words):
        """Text of so many words, with commas and full stops."""
        drawn = self.random.choices(self.words, self.weights, k=words)
        for place in range(9, words, 10):
            drawn[place] += "." if place % 20 == 19 else ","
        return " ".join(drawn).capitalize() + "."

    def link(self):
        """A link with usual attributes."""
        path = "/".join(self.random.choices(self.words, k=2))
        return (
            f'<a href="https://www.example.org/{path}.html" class="menu-item menu-item-type-post_type nav-link" '
            f'title="{self.random.choice(self.words)}" data-id="{self.random.randrange(9999)}">{self.text(3)}</a>'
        )

    def script(self):
        """A script as pages have it."""
        name, value = self.random.choices(self.words, k=2)
        number = self.random.randrange(10**6)
        return (
            f'<script type="text/javascript">window.dataLayer=window.dataLayer||[];(function(){{var {name}={{"id":{number},'
            f'"value":"{value}"}};dataLayer.push({name});document.addEventListener("load",function(e){{e.{name}()}})}})();</script>\n'
        )

    def item(self):
        """An entry of a menu."""
        return f'<div class="menu-entry col-md-4 widget-area"><span class="icon icon-arrow-right"></span>{self.link()}</div>\n'

    def paragraph(self):
        """Text, half of the time with a link."""
        link = self.link() if self.random.random() < 0.5 else ""
        return f"<p>{self.text(self.random.randint(15, 35))} {link}</p>\n"

    def section(self):
        """Parts in a fixed order."""
        return [
            self.paragraph(), self.item(), self.item(), self.script(), self.paragraph(), self.item(), self.script(), self.item(),
        ]  # fmt: skip

    def page(self, size):
        """A page of so many bytes, or more if a head and a part need more."""
        title = self.text(4)
        head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body><article>\n'
        end = "</article></body></html>"
        parts, room = [head], size - len(head) - len(end) - len("<p></p>")
        while room > 0:
            for part in self.random.choice(self.sections):
                if len(part) > room:
                    parts.append(f"<p>{self.text(room // 3 + 9)[:room]}</p>")
                    return "".join(parts) + end
                parts.append(part)
                room -= len(part)
        return "".join(parts) + end

    def member(self, size, number):
        """A response record with such a page as one gzip member, and its size before compression."""
        html = self.page(size).encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(html)
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{size}/{number}")
        header = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Target-URI: https://example.org/{size}/{number}.html\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + len(html)}\r\n\r\n"
        )
        record = header.encode() + http + html + b"\r\n\r\n"
        return gzip(record), len(record)


def gzip(data):
    """One gzip member."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return deflate.compress(data) + deflate.flush()


def write(path, members, records):
    """Writes so many records, repeating the members; gives the bytes before compression."""
    raw = 0
    with open(path, "wb") as file:
        for number in range(records):
            packed, length = members[number % len(members)]
            file.write(packed)
            raw += length
    return raw
