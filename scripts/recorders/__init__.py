"""Archives as real recorders make them, read by huller and by two other readers; every difference is decided.

`python3 -m recorders --help`, in the folder above this package or with that on PYTHONPATH. A server on the loopback interface (server.py)
answers with odd headers and bodies (cases.py). Each family of recorders is a file that records these answers. What huller makes of the
archives is held against warcio and FastWARC, and its rows against the truth of the cases (compare.py). Differences must be those of
decided.toml, which says why each is right. Linux, Python 3.11 or newer, standard library only; recorders and readers are installed into
a folder of their own (install.py), for which PyPI and npm must be in reach.
"""
