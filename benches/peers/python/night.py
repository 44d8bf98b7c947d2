"""datatrove's chain from pages to signatures, as its users build it: for `python3 -m bench night`.

    night.py CORPUS.warc.gz FOLDER

Reads an archive, takes the text by trafilatura, applies the filters of FineWeb (repetition,
Gopher's quality, C4's, FineWeb's own), masks addresses, writes JSON Lines, and makes MinHash
signatures of the remaining rows. Then it finds and removes near duplicates. It uses one process and
one task, because the comparison is by CPU seconds. The language filter is left out, since its model
would have to be downloaded.
"""

import sys
from pathlib import Path

from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.formatters import PIIFormatter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter, ParquetWriter


def execute(name, folder, steps, tasks=1):
    executor = LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=1, logging_dir=str(folder / "logs" / name))
    executor.run()


def main():
    corpus, folder = Path(sys.argv[1]), Path(sys.argv[2])
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
