"""The command line: finds the command and calls it."""

import argparse
import sys
from pathlib import Path

from . import inject, kill, long_run, memory
from .archives import ROOT

COMMANDS = {"inject": inject, "kill": kill, "long-run": long_run, "memory": memory}


def main():
    parser = argparse.ArgumentParser(prog="python3 -m faults", description="Whole runs of huller under faults.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.__doc__.partition("\n")[0],
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument("--huller", type=Path, default=ROOT / "target" / "release" / "huller", metavar="PROGRAM")
        command.add_argument("--seed", type=int, default=1, metavar="N")
        module.add_arguments(command)
        command.set_defaults(execute=module.run)
    args = parser.parse_args()
    args.huller = args.huller.resolve()
    return args.execute(args)


if __name__ == "__main__":
    sys.exit(main())
