"""Prints how an engine declares the fields of passages: Elasticsearch, Quickwit, Vespa, PostgreSQL.

    python examples/passage_schemas.py ENGINE [NAME]

NAME is the name of the index, of the document type or of the table (`passages`). docs/passages.md
says how to load passages afterwards. Add a field for vectors yourself: its width is your model's.
"""

import json
import sys

# The fields of docs/passages.md in their order. A key is found by its whole value.
FIELDS = {
    "id": "key",
    "parent_id": "key",
    "ordinal": "number",
    "of": "number",
    "url": "key",
    "anchor": "key",
    "title": "words",
    "headings": "list of words",
    "language": "key",
    "prefix": "words",
    "context": "words",
    "text": "words",
    "start": "number",
    "end": "number",
    "text_start": "number",
    "text_end": "number",
    "kinds": "list of key",
    "tokens": "number",
    "digest": "key",
}
SEARCHED = ["prefix", "context", "text"]


def elasticsearch(name):
    """The body of the request that creates an index of Elasticsearch or OpenSearch."""
    types = {
        # A longer key is stored, but not found.
        "key": {"type": "keyword", "ignore_above": 8191},
        "words": {"type": "text"},
        "number": {"type": "integer"},
    }
    properties = {field: types[kind.removeprefix("list of ")] for field, kind in FIELDS.items()}
    return json.dumps({"mappings": {"dynamic": False, "properties": properties}}, indent=2)


def quickwit(name):
    """The index configuration of Quickwit."""
    settings = {
        "key": {"type": "text", "tokenizer": "raw"},
        "words": {"type": "text", "tokenizer": "default", "record": "position"},
        "number": {"type": "u64", "fast": True},
        "list of key": {"type": "array<text>", "tokenizer": "raw"},
        "list of words": {"type": "array<text>", "tokenizer": "default", "record": "position"},
    }
    mapping = {"mode": "lenient", "field_mappings": [{"name": field, **settings[kind]} for field, kind in FIELDS.items()]}
    search = {"default_search_fields": SEARCHED}
    return json.dumps({"version": "0.8", "index_id": name, "doc_mapping": mapping, "search_settings": search}, indent=2)


def vespa(name):
    """The schema of Vespa: the file NAME.sd of an application."""
    types = {"key": "string", "words": "string", "number": "int", "list of key": "array<string>", "list of words": "array<string>"}
    lines = [f"schema {name} {{", f"    document {name} {{"]
    for field, kind in FIELDS.items():
        lines.append(f"        field {field} type {types[kind]} {{")
        if kind.endswith("words"):
            lines += ["            indexing: index | summary", "            index: enable-bm25"]
        else:
            lines.append("            indexing: attribute | summary")
        lines.append("        }")
    lines += ["    }", "    fieldset default {", f"        fields: {', '.join(SEARCHED)}", "    }", "}"]
    return "\n".join(lines)


def postgresql(name):
    """The table for COPY of CSV files. Lists are JSON."""
    types = {"key": "text", "words": "text", "number": "integer", "list of key": "jsonb", "list of words": "jsonb"}
    columns = [f'"{field}" {types[kind]}' for field, kind in FIELDS.items()]
    return f"CREATE TABLE {name} (\n    {f',{chr(10)}    '.join(columns)},\n    PRIMARY KEY (id)\n);\nCREATE INDEX ON {name} (url);"


ENGINES = {"elasticsearch": elasticsearch, "quickwit": quickwit, "vespa": vespa, "postgresql": postgresql}

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ENGINES:
        sys.exit(f"{__doc__}\nENGINE is one of: {', '.join(ENGINES)}")
    print(ENGINES[sys.argv[1]](*sys.argv[2:] or ["passages"]))
