#!/usr/bin/env python3
"""Asks datatrove's own classes about texts, for crates/refine/tests/parity.rs.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python ask_datatrove.py TEXTS.jsonl > ORACLE.jsonl

TEXTS has one JSON object with a key "text" on each line. Each line of ORACLE has the text, the words that datatrove's tokenizer
made of it, for each filter why it drops the text (null: it keeps it), what C4 makes of the text with the number of sentences of
each line that it asked about, and the masked text. Every filter sees the text as it was, not as another filter left it.
"""

import json
import sys

from datatrove.data import Document
from datatrove.pipeline.filters import c4_filters
from datatrove.pipeline.filters.c4_filters import C4QualityFilter
from datatrove.pipeline.filters.fineweb_quality_filter import FineWebQualityFilter
from datatrove.pipeline.filters.gopher_quality_filter import GopherQualityFilter
from datatrove.pipeline.filters.gopher_repetition_filter import GopherRepetitionFilter
from datatrove.pipeline.formatters.pii import PIIFormatter
from datatrove.utils.text import split_into_sentences, split_into_words

GOPHER_QUALITY = GopherQualityFilter()
GOPHER_REPETITION = GopherRepetitionFilter()
FINEWEB = FineWebQualityFilter()
# FineWeb uses the second.
C4 = C4QualityFilter()
C4_LENIENT = C4QualityFilter(filter_no_terminal_punct=False)
PII = PIIFormatter()

asked = []


def counted_sentences(text, language):
    sentences = split_into_sentences(text, language)
    asked.append(len(sentences))
    return sentences


c4_filters.split_into_sentences = counted_sentences


def reason(filter, text):
    """Why the filter drops the text, and the text that it leaves."""
    document = Document(text=text, id="")
    result = filter.filter(document)
    return (None if result is True else result[1]), document.text


def cleaned(filter, text):
    asked.clear()
    why, left = reason(filter, text)
    return {"reason": why, "text": left if why is None else None, "sentences": list(asked)}


def masked(text):
    # The formatter goes on where it stopped in the last text. Ours decides about each row by the
    # row alone.
    PII.emails_replacer._replace_i = 0
    PII.ip_replacer._replace_i = 0
    return PII.format(text)


for line in sys.stdin if len(sys.argv) < 2 else open(sys.argv[1], encoding="utf-8"):
    text = json.loads(line)["text"]
    row = {
        "text": text,
        "words": split_into_words(text),
        "gopher_quality": reason(GOPHER_QUALITY, text)[0],
        "gopher_repetition": reason(GOPHER_REPETITION, text)[0],
        "fineweb": reason(FINEWEB, text)[0],
        "c4": cleaned(C4, text),
        "c4_lenient": cleaned(C4_LENIENT, text),
        "masked": masked(text),
    }
    print(json.dumps(row, ensure_ascii=False))
