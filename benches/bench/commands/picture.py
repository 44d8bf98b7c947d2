"""Draws README's picture, quality against speed, from the table of extraction alone.

    bench picture docs/measurements.md docs/pictures

Writes quality-speed-light.svg and quality-speed-dark.svg. The tests compare them with the table.
"""

from pathlib import Path

from .. import picture


def add_arguments(parser):
    parser.add_argument("table", type=Path, help="the file with the table, by `bench table --readme FILE`")
    parser.add_argument("folder", type=Path, help="where the pictures go")


def run(args):
    args.folder.mkdir(parents=True, exist_ok=True)
    for path, text in picture.files(args.table, args.folder):
        path.write_text(text)
        print(path)
    return 0
