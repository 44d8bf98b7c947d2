#!/usr/bin/env python3
"""Asks datatrove's MinHash about texts, for crates/refine/tests/minhash.rs.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python ask_datatrove_minhash.py TEXTS.jsonl > ORACLE.jsonl

TEXTS has one JSON object with a key "text" on each line. Each line of ORACLE has the text, what datatrove's `simplify_text` makes of
it, the words that its tokenizer finds in that, and the signature by the default `MinhashConfig`: 14 lists of 8 numbers, null if the
text has too few words.
"""

import json
import sys

from datatrove.pipeline.dedup.minhash import MinhashDedupSignature
from datatrove.utils.text import simplify_text

SIGNER = MinhashDedupSignature(output_folder="/tmp")

for line in sys.stdin if len(sys.argv) < 2 else open(sys.argv[1], encoding="utf-8"):
    text = json.loads(line)["text"]
    simplified = simplify_text(text, SIGNER.config.norm_config)
    shingles = SIGNER.get_shingles(text)
    row = {
        "text": text,
        "simplified": simplified,
        "words": list(SIGNER.word_tokenizer.word_tokenize(simplified)),
        "signature": SIGNER.get_signature(shingles) if shingles.size else None,
    }
    print(json.dumps(row, ensure_ascii=False))
