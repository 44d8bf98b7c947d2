"""Files of rows to one full-text index on Ray: one task a file, and a join at the end.

python examples/ray_index.py ROWS OUT.index [--address auto] [--overwrite]

ROWS is a folder with files of rows, such as the output of ray_extract.py. All nodes must see it and
OUT.index. Each task makes an index of its file beside OUT.index, in a folder of its own. Ray repeats
a task whose worker dies, so only the indexes of the tasks that ended are joined.
"""

import argparse
import os
import shutil
import sys
import uuid

import huller
import ray


@ray.remote(num_cpus=1, max_retries=3)
def index(path, work):
    part = os.path.join(work, uuid.uuid4().hex)
    counts = huller.index(path, part, threads=1, memory=256 << 20)
    return part, counts["unusable"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows")
    parser.add_argument("out")
    parser.add_argument("--address", help="of a cluster; a local one if there is none")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing index")
    arguments = parser.parse_args()
    files = [os.path.join(folder, name) for folder, _, names in os.walk(arguments.rows) for name in names]
    files = sorted(path for path in files if path.endswith((".parquet", ".jsonl", ".jsonl.gz", ".jsonl.zst")))
    ray.init(address=arguments.address, include_dashboard=False, log_to_driver=False)
    work = os.path.abspath(arguments.out) + ".parts-" + uuid.uuid4().hex
    os.makedirs(work)
    try:
        results = ray.get([index.remote(os.path.abspath(path), work) for path in files])
        counts = huller.index([part for part, _ in results], arguments.out, overwrite=arguments.overwrite)
    finally:
        shutil.rmtree(work)
    unusable = [one for _, several in results for one in several]
    for one in unusable:
        print(f"{one['input']}: {one['error']}", file=sys.stderr)
    print(f"{len(counts['inputs'])} files, {sum(one['written'] for one in counts['inputs'])} rows in the index")
    return 1 if unusable else 0


if __name__ == "__main__":
    sys.exit(main())
