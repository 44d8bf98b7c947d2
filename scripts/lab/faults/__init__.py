"""Whole runs of huller under faults: failing system calls, kills, power cuts, damaged archives.

`python3 -m faults --help`, in this package's folder or with it on PYTHONPATH, lists the commands.
Each command is a file: its docstring is its help, `add_arguments` declares its options, and `run`
executes it and returns the exit status. Linux, Python 3.10 or newer, standard library only.
"""
