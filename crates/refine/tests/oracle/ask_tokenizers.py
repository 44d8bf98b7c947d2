#!/usr/bin/env python3
"""Asks a tokenizer's own library how many tokens texts are, for crates/refine/tests/tokens.rs.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python ask_tokenizers.py TOKENIZER TEXTS.jsonl > COUNTS.txt

TOKENIZER is a tokenizer.json, which `tokenizers` reads, or a list of ranks, which `tiktoken` reads with the expression that goes with the
file's name. TEXTS has one JSON object with a key "text" on each line; COUNTS one number for each.
"""

import json
import sys

GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
CL100K = r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
O200K = "|".join(
    [
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?""",
        r"""\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+""",
    ]
)

path, texts = sys.argv[1:]
if path.endswith(".json"):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)

    def count(text):
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

else:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    pattern = next(pattern for name, pattern in (("o200k", O200K), ("cl100k", CL100K), ("", GPT2)) if name in path)
    encoding = tiktoken.Encoding(path, pat_str=pattern, mergeable_ranks=load_tiktoken_bpe(path), special_tokens={})

    def count(text):
        return len(encoding.encode_ordinary(text))


for line in open(texts, encoding="utf-8"):
    print(count(json.loads(line)["text"]))
