"""A spider that records. Needs an environment with Scrapy and one exporter of WARC.

    spider.py webarchive|warcio     (in a folder with urls.txt)
"""

import sys
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess


class Spider(scrapy.Spider):
    name = "recorders"

    def start_requests(self):
        for url in Path("urls.txt").read_text().split():
            yield scrapy.Request(url, dont_filter=True)

    def parse(self, response):
        # As in Scrapy's manual. `text` exists only for responses that Scrapy treats as text.
        if hasattr(response, "text"):
            yield {"url": response.url, "html": response.text}


class Warcio:
    """The middleware of scrapy-warcio's manual. A response that the exporter cannot write goes on unrecorded."""

    def __init__(self):
        import scrapy_warcio

        self.warc_date, self.warcio = scrapy_warcio.warc_date, scrapy_warcio.ScrapyWarcIo()

    def process_request(self, request, spider):
        request.meta["WARC-Date"] = self.warc_date()

    def process_response(self, request, response, spider):
        try:
            self.warcio.write(response, request)
        except ValueError as error:
            print(request.url, error)
        return response


COMMON = {
    "ROBOTSTXT_OBEY": False,
    "RETRY_ENABLED": False,
    "HTTPERROR_ALLOW_ALL": True,
    # Requests run one after another, so that records have the same order in every run.
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_TIMEOUT": 20,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "WARNING",
}
WEBARCHIVE = {
    "EXTENSIONS": {"scrapy_webarchive.extensions.WaczExporter": 543},
    # Scrapy resolves a relative path from the root of the file system.
    "SW_EXPORT_URI": str(Path.cwd() / "recorders.wacz"),
    "FEEDS": {"feed.jsonl": {"format": "jsonlines", "overwrite": True}},
}
WARCIO = {"DOWNLOADER_MIDDLEWARES": {"spider.Warcio": 543}}

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    process = CrawlerProcess({**COMMON, **(WEBARCHIVE if sys.argv[1] == "webarchive" else WARCIO)})
    process.crawl(Spider)
    process.start()
