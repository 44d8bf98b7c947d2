"""Records with warcio, as its manual shows. Needs an environment with warcio and requests.

    warcio_capture.py FILE     (in a folder with job.json; FILE is capture.warc.gz, capture.warc or writer.warc.gz)
"""

import io
import json
import sys

# Import this before requests, so that warcio can replace its connections.
from warcio.capture_http import capture_http

import requests
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def capture(name, job):
    with capture_http(name, gzip=name.endswith(".gz"), append=False):
        for method, urls in [("GET", job["urls"]), ("HEAD", job["head"])]:
            for url in urls:
                try:
                    requests.request(method, url, timeout=20)
                except Exception as error:  # those of requests, and of warcio for an answer without a head
                    print(method, url, repr(error))


def write(name, job):
    """The manual's way: the head as requests has parsed it, the body as it came. Then records of the other types."""
    with open(name, "wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record(name, {"software": "warcio", "format": "WARC File Format 1.1"}))
        last = None
        for url in job["urls"]:
            try:
                answer = requests.get(url, headers={"Accept-Encoding": "identity"}, stream=True, timeout=20, allow_redirects=False)
                body = answer.raw.read(decode_content=False)
            except Exception as error:  # those of requests, of urllib3 for cut bodies, of http.client
                print(url, repr(error))
                continue
            head = StatusAndHeaders(f"{answer.status_code} {answer.reason}", answer.raw.headers.items(), protocol="HTTP/1.0")
            last = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head)
            writer.write_record(last)
        page, uri = b"<!DOCTYPE html><title>A file</title><p>A page that came from a disk, as a resource, and not from a server.</p>", "file:///page.html"
        for kind, media, block in [
            ("resource", "text/html", page),
            ("resource", "text/plain", b"a file"),
            ("metadata", "application/warc-fields", b"via: http://127.0.0.1/\r\n"),
            ("conversion", "text/plain", b"text of a page"),
        ]:
            writer.write_record(writer.create_warc_record(uri, kind, payload=io.BytesIO(block), warc_content_type=media))
        digest, date = last.rec_headers["WARC-Payload-Digest"], last.rec_headers["WARC-Date"]
        url = last.rec_headers["WARC-Target-URI"]
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_revisit_record(url, digest, url, date, http_headers=head))
        writer.write_record(writer.create_revisit_record(url, digest, url, date))


if __name__ == "__main__":
    with open("job.json") as file:
        job = json.load(file)
    (write if sys.argv[1].startswith("writer") else capture)(sys.argv[1], job)
