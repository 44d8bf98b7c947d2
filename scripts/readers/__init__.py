"""Holds every format that huller writes against programs that read it. See __main__.py."""
