"""JSON Lines of huller as a Hugging Face data set, also where a field is null in the first rows.

python examples/load_json.py CORPUS/*.jsonl.zst [OPTIONS OF THE RUN]

`datasets` guesses types from the first rows, and fails if a field is null there and text later. The
schema of huller tells it the types. Give the options that add columns, such as --markdown, as in
the run that wrote the rows.
"""

import argparse

import datasets
import huller


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    huller.options.add_arguments(parser, "stream_schema")
    arguments = parser.parse_args()
    schema = huller.stream_schema(**huller.options.from_arguments(arguments, "stream_schema"))
    features = datasets.Features.from_arrow_schema(schema)
    rows = datasets.load_dataset("json", data_files=arguments.files, features=features, split="train")
    authors = sum(1 for author in rows["author"] if author)
    print(f"{rows.num_rows} rows, {authors} with an author; columns: {', '.join(rows.column_names[:4])}, …")


if __name__ == "__main__":
    main()
