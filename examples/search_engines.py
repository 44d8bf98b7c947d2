"""The mapping of Elasticsearch (or OpenSearch) and the index configuration of Quickwit for rows.

python examples/search_engines.py elasticsearch [OPTIONS OF THE RUN] > mapping.json

Both are made from huller's own table of fields, so every field has its type. Load the rows that
`huller extract --schema es-bulk` or `--schema quickwit` writes:

    curl -X PUT localhost:9200/pages -H 'Content-Type: application/json' -d @mapping.json
    zstd -dc corpus/*.jsonl.zst | curl localhost:9200/pages/_bulk -H 'Content-Type: application/x-ndjson' --data-binary @-

    quickwit index create --index-config index.json
    zstd -dc corpus/*.jsonl.zst | quickwit index ingest --index pages
"""

import argparse
import json

import huller
import pyarrow

# Fields that people search as words. All other strings are found by their whole value.
WORDS = ("title", "text", "description", "comments", "markdown")
# Fields that are stored and not searched.
STORED = ("html", "source_html", "blocks", "signals", "classes", "source")
# Numbers and flags, by their type in Arrow: the types of Elasticsearch and of Quickwit.
OTHERS = {
    pyarrow.int32(): ("integer", "i64"),
    pyarrow.int64(): ("long", "i64"),
    pyarrow.float64(): ("double", "f64"),
    pyarrow.bool_(): ("boolean", "bool"),
}


def elasticsearch(schema):
    properties = {}
    for field in schema:
        if pyarrow.types.is_struct(field.type):
            properties[field.name] = {"type": "object", "enabled": False}
        elif field.name in WORDS:
            properties[field.name] = {"type": "text"}
        elif field.name in STORED:
            properties[field.name] = {"type": "keyword", "index": False, "doc_values": False}
        elif field.name == "date":
            properties[field.name] = {"type": "date", "ignore_malformed": True}
        elif field.type in OTHERS:
            properties[field.name] = {"type": OTHERS[field.type][0]}
        else:
            # A longer value is stored, but not found.
            properties[field.name] = {"type": "keyword", "ignore_above": 8191}
    return {"mappings": {"dynamic": False, "properties": properties}}


def quickwit(schema):
    fields = []
    for field in schema:
        if pyarrow.types.is_struct(field.type):
            fields.append({"name": field.name, "type": "json", "indexed": False})
        elif field.name in WORDS:
            fields.append({"name": field.name, "type": "text", "tokenizer": "default", "record": "position"})
        elif field.name in STORED:
            fields.append({"name": field.name, "type": "text", "indexed": False})
        elif field.name == "date":
            fields.append({"name": field.name, "type": "datetime", "input_formats": ["rfc3339"], "fast": True})
        elif field.type in OTHERS:
            fields.append({"name": field.name, "type": OTHERS[field.type][1], "fast": True})
        else:
            fields.append({"name": field.name, "type": "text", "tokenizer": "raw"})
    # No timestamp_field: Quickwit refuses documents without one, and a row may have no date.
    mapping = {"mode": "lenient", "field_mappings": fields}
    search = {"default_search_fields": ["title", "text"]}
    return {"version": "0.8", "index_id": "pages", "doc_mapping": mapping, "search_settings": search}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=["elasticsearch", "quickwit"])
    # The options of the run that add fields, such as --markdown.
    huller.options.add_arguments(parser, "stream_schema")
    arguments = parser.parse_args()
    schema = huller.stream_schema(**huller.options.from_arguments(arguments, "stream_schema"))
    make = elasticsearch if arguments.engine == "elasticsearch" else quickwit
    print(json.dumps(make(schema), indent=2))


if __name__ == "__main__":
    main()
