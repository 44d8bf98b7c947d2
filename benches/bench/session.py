"""Shared parts of the commands: options, the check for an idle machine, the report's folder."""

import csv
import datetime
import os
import platform
import sys
import time
from pathlib import Path
from statistics import median

from . import huller_bench
from .huller_bench import HULLER, ROOT, Machine


def session_arguments(parser, name, name_help="of the report"):
    """Adds the options that all these commands have."""
    parser.add_argument("--huller", type=Path, default=HULLER, metavar="PROGRAM", help="the program that is measured")
    parser.add_argument("--name", default=name, help=name_help)
    parser.add_argument("--out-dir", type=Path, metavar="DIR", help="for the report (benches/runs/DATE-NAME)")
    parser.add_argument("--wait", type=int, default=0, metavar="S", help="wait at most so many seconds for other programs to end (0)")
    parser.add_argument("--busy-ok", action="store_true", help="run and record although the machine is busy")


def new_folder(args, name):
    """The folder of the report; ends the program if it exists."""
    folder = args.out_dir or ROOT / "benches" / "runs" / f"{datetime.date.today()}-{name}"
    if folder.exists():
        raise SystemExit(f"error: '{folder}' exists\nhint: --name or --out-dir")
    return folder


def idle_machine(busy_ok, wait=0):
    """The machine; ends the program if other programs still keep it busy after so many seconds."""
    end = time.monotonic() + wait
    machine = Machine()
    while machine.is_busy() and not busy_ok:
        if time.monotonic() >= end:
            raise SystemExit(f"error: other programs keep {machine.others:.2f} cores busy\nhint: --busy-ok")
        time.sleep(min(5, wait))
        machine = Machine()
    return machine


class Session:
    """One call of a command, from its checks to its report."""

    def __init__(self, args, name=None):
        self.args = args
        self.folder = new_folder(args, name or args.name)
        if not os.access(args.huller, os.X_OK):
            raise SystemExit(f"error: no program '{args.huller}'\nhint: make build")
        self.machine = idle_machine(args.busy_ok, args.wait)
        self.others = self.machine.others
        self.environment = {}

    def measured(self, runs):
        """Call it after the last run: notes the machine, and what other programs took of it in the median run."""
        self.others = median(run.others_cores for run in runs)
        self.environment = {
            "processor": self.machine.processor,
            "kernel": self.machine.kernel,
            "other programs": f"{self.machine.others:.2f} cores before, {self.others:.2f} in the median run",
            "rustc": huller_bench.output("rustc", "--version"),
            "python": platform.python_version(),
            "commit": huller_bench.commit(),
        }

    def head(self, title):
        """The first lines of a report: title, command line, machine."""
        words = [Path(word).name if word.startswith("/") else word for word in sys.argv[1:]]
        lines = [f"# {title}", "", f"    python3 -m bench {' '.join(words)}", ""]
        return lines + [f"* {name}: {value}" for name, value in self.environment.items()]

    def record(self, text, table, columns, rows):
        """Prints the report and writes it with a table of all runs, unless other programs disturbed them."""
        print(text)
        if self.others > self.machine.most_others and not self.args.busy_ok:
            raise SystemExit(
                f"error: other programs kept {self.others:.2f} cores busy, nothing is recorded\nhint: --busy-ok"
            )
        self.folder.mkdir(parents=True)
        (self.folder / "README.md").write_text(text)
        with (self.folder / table).open("w", newline="") as file:
            written = csv.writer(file)
            written.writerow(columns)
            written.writerows(rows)
