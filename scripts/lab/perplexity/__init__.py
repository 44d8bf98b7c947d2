"""Trains models with SentencePiece and KenLM and compares huller's perplexities with theirs. See __main__.py."""
