"""Compares huller with two other readers on archives of real recorders; every difference is
decided.

`python3 -m recorders --help`, in the folder above this package or with that on PYTHONPATH. A server
on the loopback interface (server.py) answers with odd headers and bodies (cases.py). Each family of
recorders is a file that records these answers. The package compares huller's records with those of
warcio and FastWARC, and its rows with the truth of the cases (compare.py). The differences must be
those of decided.toml, which explains each. Linux, Python 3.11 or newer, standard library only;
recorders and readers are installed into a separate folder (install.py), which needs access to PyPI
and npm.
"""
