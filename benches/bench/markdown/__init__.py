"""Splits Markdown of huller and of others into elements."""
