"""The program that rows are compared with."""

import json
import os
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[3]


def program():
    """The program: ``$HULLER_PROGRAM``, else where cargo puts it."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = os.environ.get("HULLER_PROGRAM") or target / "release/huller"
    return str(found) if shutil.which(str(found)) else None


def as_row(row):
    """A row of Arrow as the program's JSON has it: there some fields are objects. The member `source` of Dolma is a text."""
    row = {name: as_row(value) if isinstance(value, dict) else value for name, value in row.items()}
    objects = {name: json.loads(row[name]) for name in ("source", "signals", "blocks", "classes", "rights") if row.get(name) not in (None, "huller")}
    return {**row, **objects}
