"""Stages of huller as a filter of a datatrove pipeline, for documents in batches.

python examples/datatrove_filter.py ROWS OUT

ROWS is a folder of JSON Lines (`huller extract CRAWL -o ROWS --schema datatrove --compress gzip`).
Documents pass the stages on all cores of the task, and the reasons are in datatrove's statistics.
"""

import sys

import huller
import pyarrow
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter


class HullerFilter(BaseFilter):
    """Keeps and changes documents as `huller refine` does. `options` are those of `huller.refine`."""

    name = "huller"
    _requires_dependencies = ["huller"]

    def __init__(self, batch_size: int = 1000, exclusion_writer=None, **options):
        super().__init__(exclusion_writer, batch_size)
        self.options = options

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        """Returns for each document whether it is kept, or the reason."""
        texts = [doc.text for doc in batch]
        urls = [doc.metadata.get("url") for doc in batch]
        rows = pyarrow.table({"text": texts, "url": pyarrow.array(urls, pyarrow.string())})
        refined = huller.refine(rows, keep_dropped=True, **self.options)
        for doc, text in zip(batch, refined["text"].to_pylist()):
            doc.text = text
        return [True if reason is None else (False, reason) for reason in refined["dropped"].to_pylist()]

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        return self.filter_batch([doc])[0]


def main():
    rows, out = sys.argv[1:3]
    LocalPipelineExecutor(
        pipeline=[
            JsonlReader(rows, glob_pattern="*.jsonl.gz"),
            HullerFilter(stages=["language", "gopher-quality", "mask"], lang="eng"),
            JsonlWriter(out),
        ],
        tasks=1,
        logging_dir=f"{out}/logs",
    ).run()


if __name__ == "__main__":
    main()
