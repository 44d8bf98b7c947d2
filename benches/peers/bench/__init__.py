"""Parts of scripts/bench-peers.py: the peers, one run, the corpus, the machine, the table."""
