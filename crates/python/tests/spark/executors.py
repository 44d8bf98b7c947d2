"""Executors of a local cluster, to be killed."""

import pathlib


def executors_below(ancestor):
    """The processes of executors that descend from a process, by what /proc says."""
    parents, commands = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text()
            commands[int(folder.name)] = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(folder.name)] = int(status.rsplit(")", 1)[1].split()[1])

    def is_ours(number):
        while number in parents:
            if number == ancestor:
                return True
            number = parents[number]
        return False

    backend = b"CoarseGrainedExecutorBackend"
    return [number for number, command in commands.items() if backend in command and is_ours(number)]
