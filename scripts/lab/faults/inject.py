"""Injects faults into the commands that write files, resumes them, and compares byte for byte.

    faults inject [--huller PROGRAM] [--command NAME] [--only KIND] [--places N] [--cuts N] [--seed N]

Runs each command of commands.py over small inputs with damage. A preloaded C library (shim.c,
compiled here) makes a chosen call fail. Then the script continues without it: by --resume where the
command has it, otherwise by another run. The files of the command must equal those of an unbroken
run, byte for byte, and all other files must stay unchanged. A command that changes a finished run
is repeated, and each of its files is whole at any time: the old one or the new one. A failed call leads to exit status 5
and a message with the file, the cause and a remedy. A failed call on an input leads to 1, with the
input's name. The command may also reach the right outcome.

  errors     ENOSPC and EIO at every call that changes the disk; of writes, after half the bytes too
  kills      SIGKILL before, during and after the same calls
  reads      EIO at every call that opens or reads
  again      a run is killed in the middle; every call of the one that goes on fails, or kills it
  overwrite  the same for a run with --overwrite over a finished one
  inputs     inputs fail for good, vanish, grow, or come back; rows to a pipe
  folder     read-only, or in use by another run: refused
  full       a full tmpfs (needs the right to mount), enlarged
  power      the power is cut after any change; unsynced data is lost in part or wholly (disk.py)

Exits with 1 if anything is wrong. Needs a C compiler.
"""

import random
import tempfile
from pathlib import Path

from . import disks, inputs, sweep
from .commands import COMMANDS
from .testbed import Testbed, compile_shim

EVERY = {"errors": sweep.errors, "kills": sweep.kills, "reads": sweep.reads}
# Kinds for commands that have their own folder and can be resumed.
FOLDERS = {"again": sweep.again, "overwrite": sweep.overwrite, "inputs": inputs.inputs}
DISKS = {"folder": disks.folder, "full": disks.full, "power": disks.power}
KINDS = (*EVERY, *FOLDERS, *DISKS)


def add_arguments(parser):
    parser.add_argument("--command", choices=COMMANDS, metavar="NAME", help=f"one command: {', '.join(COMMANDS)}")
    parser.add_argument("--only", choices=KINDS, metavar="KIND", help=f"one kind of fault: {', '.join(KINDS)}")
    parser.add_argument("--places", type=int, default=1000, metavar="N", help="calls of a run to strike (1000: all)")
    parser.add_argument("--cuts", type=int, default=100, metavar="N", help="moments of a power cut (100), four disks each")


def run(args):
    failed = done = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        shim = compile_shim(Path(name))
        for command in [args.command] if args.command else COMMANDS:
            work = Path(name, command)
            work.mkdir()
            bed = Testbed(args.huller, shim, work, command, COMMANDS[command])
            kinds = {**EVERY, **(FOLDERS if bed.command.has_folder() else {}), **DISKS}
            if "--overwrite" not in bed.command.flags:
                kinds.pop("overwrite", None)
            for kind in [kind for kind in kinds if args.only in (None, kind)]:
                before = bed.done, bed.failed, bed.struck
                kinds[kind](bed, args.cuts if kind == "power" else args.places, random.Random(args.seed))
                checks, wrong, struck = (now - then for now, then in zip((bed.done, bed.failed, bed.struck), before))
                print(f"{command} {kind}: {struck} faults, {checks - wrong} of {checks} right", flush=True)
            failed, done = failed + bed.failed, done + bed.done
    print(f"{done - failed} of {done} right")
    return 1 if failed else 0
