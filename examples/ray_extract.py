"""WARC files to Parquet on Ray: one task a file, as many at a time as there are cores.

python examples/ray_extract.py warc.paths OUT [--address auto] [--preset fineweb …]

The options of huller are those of `huller extract`, such as --extractor, --stages and --fields.
Every node needs `pip install ray` with the wheel of this repository, and the paths. The statistics
of every file go into OUT/run.account, which `huller stats` adds to others. Files that could not be
read are listed there, and the job continues.
"""

import argparse
import json
import os
import sys

import huller
import pyarrow.parquet
import ray


@ray.remote(num_cpus=1, max_retries=3)
def extract(number, name, path, out, options):
    counters = huller.Counters()
    target = os.path.join(out, f"{number:05}-{os.path.basename(path)}.parquet")
    try:
        with huller.stream(path, name=name, counters=counters, **options) as reader:
            # Under its name only when it is whole: a task that was killed leaves no half of one.
            with pyarrow.parquet.ParquetWriter(target + ".part", reader.schema, compression="zstd") as writer:
                for batch in reader:
                    writer.write_batch(batch)
        os.replace(target + ".part", target)
    except huller.ArchiveError as error:
        return {"input": path, "error": str(error)}
    return {"input": name, "bytes": os.path.getsize(path), **json.loads(counters.to_json())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("list")
    parser.add_argument("out")
    parser.add_argument("--address", help="of a cluster; a local one if there is none")
    huller.options.add_arguments(parser, "stream")
    arguments = parser.parse_args()
    options = huller.options.from_arguments(arguments, "stream")
    os.makedirs(arguments.out, exist_ok=True)
    ray.init(address=arguments.address, include_dashboard=False, log_to_driver=False)
    files = [(name, os.path.join(os.path.dirname(arguments.list), path)) for name, path in huller.read_list(arguments.list)]
    tasks = [extract.remote(number, name, path, arguments.out, options) for number, (name, path) in enumerate(files)]
    results = ray.get(tasks)
    inputs = [one for one in results if "error" not in one]
    unusable = [one for one in results if "error" in one]
    with open(os.path.join(arguments.out, "run.account"), "w") as file:
        json.dump({"version": 2, "inputs": inputs, "total": {}, "unusable": unusable}, file)
    print(f"{len(inputs)} files, {sum(one['written'] for one in inputs)} pages, {len(unusable)} files could not be read")
    return 1 if unusable else 0


if __name__ == "__main__":
    sys.exit(main())
