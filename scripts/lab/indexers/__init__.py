"""Compares runs over indexes of other programs with runs over whole archives. See __main__.py."""
