"""Checks every format that huller writes with programs that read it. See __main__.py."""
