"""Parts of the scripts that measure: the peers, one run, the corpus, the machine, tables, fits."""
