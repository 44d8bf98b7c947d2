"""Compares the stage `decontaminate` with datatrove's filter on the same rows and tasks, and measures its cost.

    scripts/lab/run decontamination ROWS...

That command installs datatrove into target/decontamination/venv, builds the program, and runs this
package as `python3 -m decontamination PROGRAM FOLDER ROWS...`.

ROWS are files of rows (JSON Lines, also compressed with zstd), with a member `text`. The tasks are pieces of a random
third of the texts, of 3 to 40 words, in other case and punctuation; each has a question before
its answer. Two comparisons follow:

* Own words: huller decides about the texts as they are. datatrove cuts words with spaCy.
* Given words: huller decides about datatrove's words, each written as a code of letters that both tools take as one word.
  So only the rule is compared.

Then the cost is measured against an index of 100,000 n-grams. Exit status 1 if a decision differs
given the same words, or if more than .5 % differ with huller's own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from datatrove.pipeline.decont.n_grams import NGramsDecontConfig, NGramsDecontIndexer
from datatrove.utils.text import ngrams, simplify_text

import stage_cost

# At least this share of decisions is equal with huller's own words.
LEAST_EQUAL = 0.995
NGRAMS = 100_000
LONGEST_TEXT = 100_000
# Characters of a word of a task.
LONGEST_WORD = 100


class Rule:
    """datatrove's rule, over its own words."""

    def __init__(self) -> None:
        self.config = NGramsDecontConfig()
        # Past the check for lighteval, which only loads tasks of its own.
        self.indexer = object.__new__(NGramsDecontIndexer)
        NGramsDecontIndexer.__init__(self.indexer, "unused")
        self.hashes: set[int] = set()

    def words(self, text: str) -> list[str]:
        return self.indexer.tokenizer.word_tokenize(simplify_text(text, self.config.norm_config))

    def add(self, task: dict) -> None:
        self.hashes.update(self.indexer.compute_hashes(task["label"], task["query"]))

    def drops(self, words: list[str]) -> bool:
        found = (" ".join(ngram) for ngram in ngrams(words, self.config.n_grams))
        return any(self.indexer.hash_func(ngram) in self.hashes for ngram in found)


class Codes:
    """Codes of letters in place of words."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}

    def text(self, words: list[str]) -> str:
        return " ".join(self.code(word) for word in words)

    def code(self, word: str) -> str:
        known = self.codes.get(word)
        if known is None:
            number, letters = len(self.codes), ""
            for _ in range(6):
                number, letter = divmod(number, 20)
                letters += "bcdfghjklmnpqrstvwxz"[letter]
            known = self.codes[word] = "zq" + letters
        return known


def make_tasks(texts: list[str], random_: random.Random) -> list[dict]:
    """Pieces of texts, half of them as long as an n-gram or somewhat shorter or longer."""
    tasks = []
    for text in random_.sample(texts, len(texts) // 3):
        words = text.split(" ")
        length = random_.choice([random_.randint(3, 40), random_.randint(9, 15)])
        start = random_.randrange(max(1, len(words) - length))
        # A text without spaces is one word.
        piece = [word[:LONGEST_WORD] for word in words[start : start + length]]
        border = random_.randrange(len(piece))
        sides = [" ".join(side) for side in (piece[:border], piece[border:])]
        if random_.random() < 0.5:
            sides = [side.upper().replace(" ", ", ") for side in sides]
        tasks.append({"task": "planted", "query": sides[0], "label": sides[1]})
    return tasks


def write_lines(path: Path, lines: list[dict]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def against(tasks: Path) -> list[str]:
    return ["--stages", "decontaminate", "--set", f'decontaminate.against=["{tasks}"]']


def kept(program: str, folder: Path, texts: list[str], tasks: list[dict]) -> set[int]:
    """The numbers of the texts that huller keeps."""
    rows, against_ = folder / "rows.jsonl", folder / "tasks.jsonl"
    write_lines(rows, [{"id": str(number), "text": text} for number, text in enumerate(texts)])
    write_lines(against_, tasks)
    command = [program, "refine", rows, "-o", folder / "kept", "--overwrite", "--quiet", "--compress", "none"]
    subprocess.run([*command, *against(against_)], check=True)
    lines = (folder / "kept" / "rows.jsonl").read_text().splitlines()
    return {int(json.loads(line)["id"]) for line in lines}


def compare(name: str, ours: set[int], theirs: list[bool]) -> float:
    equal = [(number not in ours) == drops for number, drops in enumerate(theirs)]
    print(f"{name}: {sum(equal)} of {len(equal)} decisions equal, {sum(theirs)} texts dropped by datatrove")
    for number in [number for number, same in enumerate(equal) if not same][:10]:
        print(f"  text {number}: {'dropped' if theirs[number] else 'kept'} by datatrove alone")
    return sum(equal) / max(1, len(equal))


def main() -> int:
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    random_ = random.Random(12)
    texts = [text[:LONGEST_TEXT] for text in stage_cost.read_texts(sys.argv[3:])]
    tasks = make_tasks(texts, random_)
    rule, codes = Rule(), Codes()
    for task in tasks:
        rule.add(task)
    words = [rule.words(text) for text in texts]
    theirs = [rule.drops(of_text) for of_text in words]
    own = compare("own words", kept(program, folder, texts, tasks), theirs)
    coded_tasks = [
        {**task, **{side: codes.text(rule.words(task[side])) for side in ("query", "label")}} for task in tasks
    ]
    coded = kept(program, folder, [codes.text(of_text) for of_text in words], coded_tasks)
    given = compare("given words", coded, theirs)
    # N-grams that no text has, so that each one of the texts is looked up.
    label = " ".join("".join(random_.choices("qxzjkv", k=7)) for _ in range(NGRAMS + 11))
    write_lines(folder / "many.jsonl", [{"label": label, "task": "many"}])
    print(f"cost against {NGRAMS} n-grams:", flush=True)
    stage_cost.report(program, texts, against(folder / "many.jsonl"))
    return int(own < LEAST_EQUAL or given < 1)


if __name__ == "__main__":
    sys.exit(main())
