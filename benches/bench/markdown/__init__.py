"""Markdown of ours and of others, taken apart."""
