"""datatrove's chain from pages to signatures, as its users build it: for `python3 -m bench night`.

    night.py CORPUS.warc.gz FOLDER [MODEL]

Reads an archive, takes the text by trafilatura, applies the filters of FineWeb (repetition,
Gopher's quality, C4's, FineWeb's own), masks addresses, writes JSON Lines, and makes MinHash
signatures of the remaining rows. Then it finds and removes near duplicates. It uses one process and
one task, because the comparison is by CPU seconds. The language filter is left out, since its model
would have to be downloaded.

With MODEL, a fastText classifier with the labels `hq` and `cc`, the chain is DCLM's instead:
addresses, repetition, Gopher's quality and the classifier, without duplicates.
"""

import sys
from pathlib import Path

from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.filters import (
    C4QualityFilter,
    FastTextClassifierFilter,
    FineWebQualityFilter,
    GopherQualityFilter,
    GopherRepetitionFilter,
    URLFilter,
)
from datatrove.pipeline.formatters import PIIFormatter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter, ParquetWriter


def execute(name, folder, steps, tasks=1):
    executor = LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=1, logging_dir=str(folder / "logs" / name))
    executor.run()


def dclm(corpus, folder, model):
    chain = [
        WarcReader(str(corpus.parent), glob_pattern=corpus.name),
        URLFilter(),
        Trafilatura(favour_precision=True, timeout=10),
        GopherRepetitionFilter(),
        GopherQualityFilter(),
        FastTextClassifierFilter(model, keep_labels=[("hq", 0.018112)], newline_replacement=" "),
        JsonlWriter(str(folder / "rows"), compression=None),
    ]
    execute("dclm", folder, chain)


def main():
    corpus, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if len(sys.argv) > 3:
        return dclm(corpus, folder, sys.argv[3])
    config = MinhashConfig()
    at = {name: str(folder / name) for name in ("rows", "signatures", "buckets", "removed", "kept")}
    chain = [
        WarcReader(str(corpus.parent), glob_pattern=corpus.name),
        Trafilatura(favour_precision=True, timeout=10),
        GopherRepetitionFilter(),
        GopherQualityFilter(),
        C4QualityFilter(filter_no_terminal_punct=False),
        FineWebQualityFilter(),
        PIIFormatter(),
        JsonlWriter(at["rows"], compression=None),
    ]
    execute("chain", folder, chain)
    sign = [JsonlReader(at["rows"]), MinhashDedupSignature(output_folder=at["signatures"], config=config)]
    execute("signatures", folder, sign)
    buckets = [MinhashDedupBuckets(input_folder=at["signatures"], output_folder=at["buckets"], config=config)]
    execute("buckets", folder, buckets, tasks=config.num_buckets)
    cluster = [MinhashDedupCluster(input_folder=at["buckets"], output_folder=at["removed"], config=config)]
    execute("cluster", folder, cluster)
    kept = [JsonlReader(at["rows"]), MinhashDedupFilter(input_folder=at["removed"]), ParquetWriter(at["kept"])]
    execute("kept", folder, kept)


if __name__ == "__main__":
    main()
