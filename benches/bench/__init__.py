"""Measurements of huller and its peers. `python3 -m bench --help`, in this package's folder or with it on PYTHONPATH, lists them.

A command is a file in `commands/`: its docstring is its help, `add_arguments` declares its options,
and `run` executes it. The other files are shared parts: the peers, one run, the corpus, tables.
`huller bench` measures machine, time and memory (huller_bench.py). Python 3.10 or newer, standard
library only, unless a command says otherwise.
"""
