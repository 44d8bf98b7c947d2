"""Compares the decisions of the stage decontaminate with datatrove's. See __main__.py."""
