"""The program that rows are compared with."""

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
    """A row of Arrow as the program's JSON has it: these columns are left out where they are null."""
    optional = ("stream_offset", "texts", "page_type", "comments", "html")
    return {name: value for name, value in row.items() if name not in optional or value is not None}
