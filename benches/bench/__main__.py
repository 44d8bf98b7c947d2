"""The command line: finds the command and calls it."""

import argparse
import sys

from .commands import COMMANDS


def main():
    parser = argparse.ArgumentParser(
        prog="python3 -m bench",
        description="Measurements of huller and its peers. In the help of the commands, `bench` stands for `python3 -m bench`.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.__doc__.partition("\n")[0],
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(execute=module.run)
    args = parser.parse_args()
    return args.execute(args)


if __name__ == "__main__":
    sys.exit(main())
