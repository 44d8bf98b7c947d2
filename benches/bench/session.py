"""What the commands that measure huller share: their options, the check for an idle machine, the folder of the report."""

import csv
import datetime
import os
import sys
from pathlib import Path

from . import machine
from .machine import ROOT

MAX_LOAD = 0.7
MAX_OTHERS = 0.15  # cores that other programs may keep busy during the runs
HULLER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "huller"


def session_arguments(parser, name, name_help="of the report"):
    """Adds the options that all these commands have."""
    parser.add_argument("--huller", type=Path, default=HULLER, metavar="PROGRAM")
    parser.add_argument("--name", default=name, help=name_help)
    parser.add_argument("--out-dir", type=Path, metavar="DIR", help="for the report (benches/runs/DATE-NAME)")
    parser.add_argument("--wait", type=int, default=0, metavar="S", help="wait at most so many seconds for the load to fall (0)")
    parser.add_argument("--busy-ok", action="store_true", help="run and record although the machine is busy")


def new_folder(args, name):
    """The folder of the report; ends the program if it exists."""
    folder = args.out_dir or ROOT / "benches" / "runs" / f"{datetime.date.today()}-{name}"
    if folder.exists():
        raise SystemExit(f"error: '{folder}' exists\nhint: --name or --out-dir")
    return folder


class Session:
    """One call of a command, from its checks to its report."""

    def __init__(self, args, name=None, huller=True):
        self.args = args
        self.folder = new_folder(args, name or args.name)
        if huller and not os.access(args.huller, os.X_OK):
            raise SystemExit(f"error: no program '{args.huller}'\nhint: make build")
        if not args.busy_ok:
            machine.wait_until_idle(MAX_LOAD, args.wait)
        self.load = machine.load()
        if self.load > MAX_LOAD and not args.busy_ok:
            raise SystemExit(f"error: the machine is busy, its load is {self.load:.2f}\nhint: --busy-ok")
        self.others = machine.Others()
        self.environment = []

    def measured(self):
        """Call it after the last run: notes the machine and what other programs took of it."""
        self.others = self.others.cores()
        self.environment = machine.describe(self.load, self.others)

    def head(self, title):
        """The first lines of a report: title, command line, machine."""
        words = [Path(word).name if word.startswith("/") else word for word in sys.argv[1:]]
        lines = [f"# {title}", "", f"    python3 -m bench {' '.join(words)}", ""]
        return lines + [f"* {name}: {value}" for name, value in self.environment]

    def record(self, text, table, columns, rows):
        """Prints the report and writes it with a table of all runs, unless other programs disturbed them."""
        print(text)
        if self.others > MAX_OTHERS and not self.args.busy_ok:
            raise SystemExit(
                f"error: other programs kept {self.others:.2f} cores busy, nothing is recorded\nhint: --busy-ok"
            )
        self.folder.mkdir(parents=True)
        (self.folder / "README.md").write_text(text)
        with (self.folder / table).open("w", newline="") as file:
            written = csv.writer(file)
            written.writerow(columns)
            written.writerows(rows)
