#!/usr/bin/env python3
"""Asks datatrove's MinHash deduplication which texts are one cluster, for crates/dedup/tests/corpora/datatrove.rs.

    python3 -m venv VENV && VENV/bin/pip install -r ../../../refine/tests/oracle/requirements.txt
    VENV/bin/python ask_datatrove_clusters.py [TEXTS] > clusters.jsonl

Makes TEXTS (400) texts, some of them from others by edits, of words that every tokenizer finds alike: Latin letters between spaces. Runs
stages 1 to 3 with the default MinhashConfig, and writes for each text the number of its cluster, null if it is alone.
"""

import json
import random
import struct
import sys
import tempfile

from datatrove.data import Document
from datatrove.pipeline.dedup.minhash import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature

random.seed(25)
LETTERS = "bcdfghklmnprstvz"
VOCABULARY = sorted({"".join(random.choice(LETTERS) + random.choice("aeiou") for _ in range(3)) for _ in range(3000)})


def texts(count):
    made = []
    for _ in range(count):
        if made and random.random() < 0.6:
            words = list(random.choice(made[-60:]))
            for _ in range(random.randrange(5)):
                words[random.randrange(len(words))] = random.choice(VOCABULARY)
        else:
            words = [random.choice(VOCABULARY) for _ in range(random.choice([3, 40, 60, 80]))]
        made.append(words)
    return [" ".join(words) for words in made]


made = texts(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
with tempfile.TemporaryDirectory() as folder:
    documents = (Document(text=text, id=str(at)) for at, text in enumerate(made))
    MinhashDedupSignature(folder + "/signatures").run(documents, 0, 1)
    for bucket in range(14):
        MinhashDedupBuckets(folder + "/signatures", folder + "/buckets").run(None, bucket, 14)
    MinhashDedupCluster(folder + "/buckets", folder + "/clusters", save_cluster_id=True).run(None, 0, 1)
    with open(folder + "/clusters/000000.clusters", "rb") as file:
        clusters = dict(struct.iter_unpack("<2I", file.read()))
for at, text in enumerate(made):
    print(json.dumps({"text": text, "cluster": clusters.get(at)}))
