"""Trains classifiers with fastText and compares huller's scores with fastText's. See __main__.py."""
