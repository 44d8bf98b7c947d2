"""Whole runs of huller under faults: failing system calls, kills, power cuts, damaged archives.

`python3 -m faults --help`, in this package's folder or with it on PYTHONPATH, lists the commands. A command is a file: its docstring
is its help, `add_arguments` declares its options, `run` does it and gives the exit status. Linux, Python 3.10 or newer, standard
library only.
"""
