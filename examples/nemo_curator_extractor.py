"""huller as the extractor of NeMo Curator's stage that reads Common Crawl.

python examples/nemo_curator_extractor.py ARCHIVE.warc.gz

Curator's iterator gives records with `url`, `warc_id`, `source_id` and `content`. The extractor
turns each into a row. In a pipeline, pass it to `DocumentDownloadExtractStage(extractor=…)`.
Written for NeMo Curator 1.4.
"""

import sys
from typing import Any

import huller
from nemo_curator.stages.text.download import DocumentExtractor
from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
from nemo_curator.tasks import FileGroupTask


class Huller(DocumentExtractor):
    """Text and metadata of each page. `options` are those of `huller.extract`."""

    def __init__(self, **options):
        self.options = options

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        if not record.get("content"):
            return None
        page = huller.extract(record["content"], url=record["url"], **self.options)
        if not page.text:
            return None  # Curator drops the record
        known = {name: record[name] for name in ("url", "warc_id", "source_id")}
        return {**known, "title": page.title, "published": page.published, "text": page.text}

    def input_columns(self) -> list[str]:
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        return ["url", "warc_id", "source_id", "title", "published", "text"]


def main():
    # Curator's executors call the stage in the same way, on many machines.
    stage = DocumentIterateExtractStage(iterator=CommonCrawlWarcIterator(), extractor=Huller())
    batch = stage.process(FileGroupTask(dataset_name="crawl", data=sys.argv[1:]))
    frame = batch.to_pandas()
    longest = frame["text"].str.len().idxmax()
    print(f"{len(frame)} pages; the longest is {frame['title'][longest]!r}")


if __name__ == "__main__":
    main()
