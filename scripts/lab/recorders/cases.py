"""The answers of the server: one case per odd header or body, with the expected outcome of
`huller extract`.

A case has the bytes on the wire, and the truth of the page in them. Recorders change the recorded
bytes: some undo chunks, some drop headers. The differences between huller's rows and this truth are
therefore decided for each recorder (decided.toml).
"""

from dataclasses import dataclass

from . import pages
from .pages import chunked, gzipped, page, sentence


@dataclass(frozen=True)
class Case:
    path: str
    wire: bytes
    # `row`, or the reason in huller's statistics.
    outcome: str = "row"
    # The sentence that the text of the row must contain.
    says: str = ""
    charset: str = "utf-8"
    truncated: str = ""
    content_type: str = ""
    status: int = 200


CASES = []


def answer(path, body, content_type="text/html", *, fields=(), status="200 OK", length=True, name=None, outcome="row", **truth):
    """Adds a case with a usual head: Content-Type and Content-Length, unless they are left out, and more fields."""
    lines = [f"HTTP/1.1 {status}".encode(), b"Connection: close"]
    if content_type is not None:
        lines.append(b"Content-Type: " + content_type.encode("latin-1"))
    if length:
        lines.append(b"Content-Length: %d" % (len(body) if length is True else length))
    lines += [field.encode("latin-1") for field in fields]
    wire = b"\r\n".join(lines) + b"\r\n\r\n" + body
    truth.setdefault("says", sentence(name or path) if outcome == "row" else "")
    add(path, wire, outcome=outcome, content_type=content_type or "", status=int(status[:3]), **truth)


def add(path, wire, **truth):
    CASES.append(Case(f"/{path}", wire, **truth))


def utf8(name, **more):
    return page(name, **more).encode()


def media_types():
    answer("plain", utf8("plain"))
    answer("type-charset", utf8("type-charset"), "text/html; charset=utf-8")
    answer("type-twice", utf8("type-twice"), "text/html, text/html")
    answer("type-no-semicolon", utf8("type-no-semicolon"), "text/html charset=utf-8")
    answer("type-capitals", utf8("type-capitals"), "TEXT/HTML;CHARSET=UTF-8")
    answer("type-none", utf8("type-none"), None)
    answer("type-empty", utf8("type-empty"), "")
    xml = dict(before='<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n', root='<html xmlns="http://www.w3.org/1999/xhtml">')
    answer("xhtml", utf8("xhtml", **xml), "application/xhtml+xml")
    answer("xhtml-as-html", utf8("xhtml-as-html", **xml))
    answer("xhtml-type-none", utf8("xhtml-type-none", **xml), None)
    answer("xhtml-as-xml", utf8("xhtml-as-xml", **xml), "text/xml", outcome="not_html")
    answer("html-as-text", utf8("html-as-text"), "text/plain", outcome="not_html")
    answer("json", b'{"name": "json", "html": "<p>not a page</p>"}', "application/json", outcome="not_html")
    answer("png", pages.png(), "image/png", outcome="not_html")
    answer("pdf", pages.pdf(), "application/pdf", outcome="not_html")
    answer("png-as-html", pages.png(20), outcome="binary")
    answer("pdf-as-html", pages.pdf("as html"), outcome="binary")
    answer("gzip-as-html", gzipped(b"no page"), outcome="binary")
    answer("text-type-none", b"A text without any tags, and without a media type.\n", None, outcome="not_html")


def encodings():
    answer("chunked", chunked(utf8("chunked")), fields=["Transfer-Encoding: chunked"], length=False)
    body = chunked(utf8("chunked-odd"), 333, b";name=value", b"X-Checked: yes\r\n")
    answer("chunked-odd", body, fields=["transfer-encoding: Chunked"], length=False)
    body = chunked(pages.large_page("chunked-cut", 9_000).encode())[:-320]
    answer("chunked-cut", body, fields=["Transfer-Encoding: chunked"], length=False, truncated="body")
    answer("chunked-lie", utf8("chunked-lie"), fields=["Transfer-Encoding: chunked"], length=False)
    coders = {"gzip": gzipped, "x-gzip": gzipped, "deflate": pages.zlib.compress, "br": pages.brotli, "zstd": pages.zstd}
    for coding, encode in coders.items():
        answer(f"ce-{coding}", encode(utf8(f"ce-{coding}")), fields=[f"Content-Encoding: {coding}"])
    answer("ce-raw-deflate", pages.raw_deflate(utf8("ce-raw-deflate")), fields=["Content-Encoding: deflate"])
    body = chunked(gzipped(utf8("ce-gzip-chunked")))
    answer("ce-gzip-chunked", body, fields=["Content-Encoding: gzip", "Transfer-Encoding: chunked"], length=False)
    answer("ce-gzip-gzip", gzipped(gzipped(utf8("ce-gzip-gzip"))), fields=["Content-Encoding: gzip, gzip"])
    answer("ce-gzip-lie", utf8("ce-gzip-lie"), fields=["Content-Encoding: gzip"])
    answer("ce-unknown", utf8("ce-unknown"), fields=["Content-Encoding: snowflake"])
    answer("ce-utf-8", utf8("ce-utf-8"), fields=["Content-Encoding: UTF-8"])
    # Cut late, so that the case's sentence is still in the text.
    long = pages.large_page("ce-gzip-cut", 40_000).encode()
    answer("ce-gzip-cut", gzipped(long)[:-900], fields=["Content-Encoding: gzip"], truncated="body")
    answer("te-gzip", gzipped(utf8("te-gzip")), fields=["Transfer-Encoding: gzip"], length=False)
    answer("te-gzip-chunked", chunked(gzipped(utf8("te-gzip-chunked"))), fields=["Transfer-Encoding: gzip, chunked"], length=False)


def lengths_and_statuses():
    answer("length-none", utf8("length-none"), length=False)
    body = utf8("length-too-long")
    answer("length-too-long", body, length=len(body) + 1000, truncated="body")
    body = utf8("range")
    rest = body[60:]
    fields = [f"Content-Range: bytes 60-{len(body) - 1}/{len(body)}"]
    answer("range", rest, fields=fields, status="206 Partial Content", truncated="range")
    answer("moved", utf8("moved"), fields=["Location: /landing"], status="301 Moved Permanently", outcome="status")
    answer("found", utf8("found"), fields=["Location: /landing"], status="302 Found", outcome="status")
    answer("landing", utf8("landing"))
    answer("not-modified", b"", None, fields=['ETag: "1"'], status="304 Not Modified", length=False, outcome="status")
    answer("no-content", b"", None, status="204 No Content", length=False, outcome="not_html")
    answer("missing", utf8("missing"), status="404 Not Found", outcome="status")
    answer("failing", utf8("failing"), status="500 Internal Server Error", outcome="status")
    answer("created", utf8("created"), status="201 Created")
    answer("empty", b"", says="")
    answer("twin-one", utf8("twins"), name="twins")
    answer("twin-two", utf8("twins"), name="twins")


def charsets():
    def coded(path, label, content_type="text/html", head="", spoken=None, charset=None, **more):
        text = page(path, sentence_too=spoken, head=head)
        answer(path, text.encode(label), content_type, says=spoken or sentence(path), charset=charset or label, **more)

    declared = "text/html; charset=utf-8"
    coded("utf8-is-1252", "windows-1252", declared)
    coded("utf8-is-1252-meta", "windows-1252", head="<meta charset=utf-8>")
    coded("latin1-is-1252", "windows-1252", "text/html; charset=iso-8859-1")
    coded("latin1-is-utf8", "utf-8", "text/html; charset=iso-8859-1", charset="utf-8")
    coded("charset-unknown", "utf-8", "text/html; charset=snowflake")
    coded("charset-empty", "utf-8", "text/html; charset=")
    coded("charset-quoted", "windows-1252", 'text/html; charset="windows-1252"')
    japanese = "港の上の喫茶店の帳面に、旅人が短い文を書き残し、女将がそれを声に出して読んだ。"
    coded("shift-jis", "shift_jis", "text/html; charset=Shift_JIS", spoken=japanese)
    coded("shift-jis-meta", "shift_jis", head='<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', spoken=japanese)
    coded("shift-jis-undeclared", "shift_jis", spoken=japanese)
    coded("euc-jp", "euc_jp", "text/html; charset=EUC-JP", spoken=japanese, charset="euc-jp")
    chinese = "旅客在港口上面的咖啡馆的留言簿里写了一句话，老板娘大声读了出来。"
    coded("gb2312", "gb2312", "text/html; charset=gb2312", spoken=chinese, charset="gbk")
    russian = "Путешественник написал несколько слов в книге кафе над старой гаванью, и хозяйка прочла их вслух."
    coded("koi8-r", "koi8_r", "text/html; charset=koi8-r", spoken=russian, charset="koi8-r")
    body = page("utf-16-bom")
    answer("utf-16-bom", b"\xff\xfe" + body.encode("utf-16-le"), charset="utf-16le")
    body = page("utf-16-header")
    answer("utf-16-header", body.encode("utf-16-le"), "text/html; charset=utf-16le", charset="utf-16le")
    body = page("utf-16be-bom")
    answer("utf-16be-bom", b"\xfe\xff" + body.encode("utf-16-be"), charset="utf-16be")
    answer("utf-8-bom", b"\xef\xbb\xbf" + utf8("utf-8-bom"))


def heads():
    def raw(path, lines, end=b"\r\n", **truth):
        body = utf8(path)
        lines = [line % len(body) if b"%d" in line else line for line in lines] + [b"Connection: close"]
        truth.setdefault("content_type", "text/html")
        add(path, end.join([*lines, b"", b""]) + body, says=sentence(path), **truth)

    status, length = b"HTTP/1.1 200 OK", b"Content-Length: %d"
    raw("head-odd-case", [status, b"cOnTeNt-TyPe: text/html", b"CONTENT-LENGTH: %d"])
    raw("head-folded", [status, b"Content-Type: text/html;", b"\tcharset=utf-8", length], content_type="text/html; charset=utf-8")
    raw("head-lf-only", [status, b"Content-Type: text/html", length], b"\n")
    raw("head-repeated", [status, b"Content-Type: text/html", b"Content-Type: text/html", length, b"X-A: 1", b"X-A: 2"])
    raw("head-repeated-other", [status, b"Content-Type: text/html", b"Content-Type: text/plain", length])
    raw("head-blanks", [status, b"Content-Type :   text/html  ", length])
    raw("head-no-colon", [status, b"this line has no colon", b"Content-Type: text/html", length])
    raw("head-latin-1", [status, b"Content-Type: text/html", b"X-Place: caf\xe9", length])
    raw("head-utf-8", [status, b"Content-Type: text/html", "X-Place: café".encode(), length])
    raw("head-many", [status, b"Content-Type: text/html", length, *(b"X-Field-%03d: %s" % (n, b"v" * 60) for n in range(90))])
    raw("head-long-line", [status, b"Content-Type: text/html", b"X-Long: " + b"v" * 7000, length])
    raw("head-no-reason", [b"HTTP/1.1 200", b"Content-Type: text/html", length])
    raw("head-http-1.0", [b"HTTP/1.0 200 OK", b"Content-Type: text/html", length])
    add("head-none-at-all", utf8("head-none-at-all"), says=sentence("head-none-at-all"), status=0)


def urls_and_sizes():
    answer("long/" + "a-very-long-path/" * 200 + "end", utf8("long"), name="long")
    answer("caf%C3%A9/%E6%B8%AF?q=%E6%B8%AF&r=a%20b", utf8("non-ascii"), name="non-ascii")
    answer("query?a=1&b=%3Ctag%3E&c=[x]|y", utf8("query"), name="query")
    answer("large", pages.large_page("large", 3_000_000).encode())
    # A page that quotes a record, line by line as in an archive.
    quoted = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\n<pre>\r\n\r\n"
    answer("quoted-record", utf8("quoted-record").replace(b"</article>", f"<pre>\r\n\r\n{quoted}</pre></article>".encode()))
    answer("archive", gzipped(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"), "application/warc", outcome="not_html")


media_types()
encodings()
lengths_and_statuses()
charsets()
heads()
urls_and_sizes()

BY_PATH = {case.path: case for case in CASES}
assert len(BY_PATH) == len(CASES), "two cases with one path"
# The paths that recorders fetch: all cases, then two of them again and one with the body of
# another. Recorders that know duplicates write revisits of these. The answer without a head comes
# last, because warcprox stops using a server that sends one.
DUPLICATES = ["/twin-two", "/plain", "/chunked"]
LAST = ["/head-none-at-all"]
PATHS = [case.path for case in CASES if case.path not in DUPLICATES[:1] + LAST] + DUPLICATES + LAST
# The paths for HEAD requests, where recorders can send them.
HEAD_PATHS = ["/plain", "/ce-gzip", "/chunked", "/missing"]
