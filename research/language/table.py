#!/usr/bin/env python3
"""Writes the tables of benches/language/README.md from the results of `measure.sh`.

    table.py OUT
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from texts import CODES, LENGTHS

OUT = Path(sys.argv[1])
ENGINES = "huller eldc cld2 lid.176.ftz py3langid whatlang whichlang lingua".split()
# Other codes for the same language.
SAME = dict(pair.split(":") for pair in "no:nob iw:heb jw:jav ku:ckb cmn:zho pes:fas arb:ara azj:aze ekk:est lvs:lav zsm:msa ory:ori npi:nep khk:mon swh:swa als:sqi uzn:uzb wuu:zho".split())
SOURCES = ("sentences", "docs", "udhr")


def code(name):
    name = name if name in SAME else name.split("-")[0]
    return SAME.get(name) or CODES.get(name) or name


def rows(path):
    return [line.split("\t") for line in path.read_text("utf8").rstrip("\n").split("\n")]


def found(kind, engine):
    path = OUT / f"{kind}.{engine}.found"
    return [(code(row[0]), float(row[1])) for row in rows(path)] if path.exists() else None


def scores(truth, answers, languages):
    """Mean accuracy of the languages, and macro F1, in percent; over the texts of these languages."""
    right, given, all_ = defaultdict(int), defaultdict(int), defaultdict(int)
    for language, answer in zip(truth, answers):
        if language in languages:
            all_[language] += 1
            given[answer] += 1
            right[language] += language == answer
    if not all_:
        return None
    f1 = [2 * right[language] / (all_[language] + given[language]) for language in all_]
    accuracy = [right[language] / all_[language] for language in all_]
    return 100 * sum(accuracy) / len(all_), 100 * sum(f1) / len(f1)


def heading(first):
    cells = [f"{source} {length}" for source in SOURCES for length in LENGTHS]
    return f"| {first} | " + " | ".join(cells) + " |\n|---|" + "---:|" * len(cells)


def row(name, answers, languages, test):
    cells = []
    for source in SOURCES:
        for length in LENGTHS:
            places = [at for at, line in enumerate(test) if line[0] == source and line[2] == str(length) and at < len(answers) and answers[at]]
            both = scores([test[at][1] for at in places], [answers[at][0] for at in places], languages)
            cells.append("{:.1f} / {:.1f}".format(*both) if both else "")
    return f"| {name} | " + " | ".join(cells) + " |"


test = rows(OUT / "test.tsv")
answers = {engine: found("test", engine) for engine in ENGINES}
if (OUT / "test.lingua.quarter").exists():  # lingua is given every fourth text
    answers["lingua"] = [None] * len(test)
    for at, (name, score) in zip(range(0, len(test), 4), rows(OUT / "test.lingua.quarter")):
        answers["lingua"][at] = code(name), float(score)
answers = {engine: answer for engine, answer in answers.items() if answer}


def knows(engine):
    """Languages of which an engine gets a fifth of the longer texts right: the others it doesn't have."""
    right, all_ = defaultdict(int), defaultdict(int)
    for line, answer in zip(test, answers[engine]):
        if answer and int(line[2]) >= 200:
            all_[line[1]] += 1
            right[line[1]] += answer[0] == line[1]
    return {language for language in all_ if right[language] >= 0.2 * all_[language]}


known = {engine: knows(engine) for engine in answers}
ours = known["huller"]
print(f"## All {len(ours)} languages of ours\n\nAccuracy / macro F1 in percent, mean over languages; a language that a peer lacks counts as wrong.\n")
print(heading("engine (its languages)"))
for engine in answers:
    print(row(f"{engine} ({len(known[engine] & ours)})", answers[engine], ours, test))
print("\n## Pairs: only the languages that both have\n\n" + heading("engine"))
for engine in answers:
    if engine != "huller":
        both = known[engine] & ours
        print(row(f"huller, {len(both)} languages", [mine if its else None for mine, its in zip(answers["huller"], answers[engine])], both, test))
        print(row(engine, answers[engine], both, test))
wrong = defaultdict(int)
for line, answer in zip(test, answers["huller"]):
    if line[2] == "200" and line[1] in ours and answer[0] != line[1]:
        wrong[line[0], line[1], answer[0]] += 1
most = sorted(wrong.items(), key=lambda item: -item[1])[:24]
print("\n## What ours takes for another, of up to 100 texts of 200 characters\n\n" + ", ".join(f"{a} {b} as {c}: {n}" for (a, b, c), n in most))

print("\n## Score\n\nOf ours, over the languages it has and over those it lacks.\n\n| score | texts | right, percent | texts in languages it lacks |\n|---|---:|---:|---:|")
bounds = [0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 1.01]
for low, high in zip(bounds, bounds[1:]):
    inside = [(line[1], answer[0]) for line, answer in zip(test, answers["huller"]) if low <= answer[1] < high]
    have = [language == answer for language, answer in inside if language in ours]
    print(f"| {low:.2f} to {min(high, 1):.2f} | {len(have)} | {100 * sum(have) / max(1, len(have)):.1f} | {len(inside) - len(have)} |")

if (OUT / "pages.tsv").exists():
    pages = rows(OUT / "pages.tsv")
    print(f"\n## Gold texts of {len(pages)} pages\n\n| engine | right | percent |\n|---|---:|---:|")
    for engine in ENGINES:
        if answer := found("pages", engine):
            right = sum(line[1] == given for line, (given, _) in zip(pages, answer))
            print(f"| {engine} | {right} | {100 * right / len(pages):.2f} |")
print("\n## Time\n\nMicroseconds a text, one thread, fastest round.\n\n| engine | pages of 7.2 KB | 1,000 characters | 200 | 50 |\n|---|---:|---:|---:|---:|")
for engine in ENGINES:
    cells = []
    for kind in ("pages", "1000", "200", "50"):
        path = OUT / f"time.{kind}.{engine}"
        cells.append(f"{int(path.read_text()) / 1000:.1f}" if path.exists() and re.fullmatch(r"\d+\s*", path.read_text()) else "")
    print(f"| {engine} | " + " | ".join(cells) + " |")
