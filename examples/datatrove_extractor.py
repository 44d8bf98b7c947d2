"""huller as the extractor of a datatrove pipeline, in place of Trafilatura.

python examples/datatrove_extractor.py CRAWL OUT

The pipeline reads WARC files by datatrove, extracts by huller, and writes JSON Lines.
"""

import sys

import huller
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter


class Huller(BaseExtractor):
    """The main text of each page. `options` are those of `huller.extract`, such as `extractor`."""

    name = "huller"
    _requires_dependencies = ["huller"]

    def __init__(self, timeout: float = 1, **options):
        super().__init__(timeout)  # seconds for a page
        self.options = options

    def extract(self, text: str) -> str:
        """Returns the text of a page. datatrove drops a page whose text is empty."""
        return huller.extract(text, **self.options).text or ""


def main():
    crawl, out = sys.argv[1:3]
    LocalPipelineExecutor(
        pipeline=[
            WarcReader(crawl, glob_pattern="*.warc.gz"),
            Huller(extractor="hull"),
            JsonlWriter(out),
        ],
        tasks=1,
        logging_dir=f"{out}/logs",
    ).run()


if __name__ == "__main__":
    main()
