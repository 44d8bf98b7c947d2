"""Holds runs over indexes of other programs against runs over whole archives. See __main__.py."""
