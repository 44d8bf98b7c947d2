"""Derives the filter thresholds of a language from a reference sample, as FineWeb2 does, and writes a configuration.

python examples/thresholds.py measured/*.jsonl looked-at/dropped.jsonl > LANGUAGE.toml

The files are rows of `huller refine --signals --compress none`, and of its `--dropped DIR --dropped-rows all`.

FineWeb2 (Penedo et al., 2025, arXiv 2506.20920) adapts the thresholds of FineWeb to each language by statistics of
texts in it. This program follows two of its rules:

* "10Tail": a threshold is where a filter drops a tenth of the reference texts, as trusted texts of Wikipedia.
* The least score of the language is its median minus its standard deviation, at least 0.3 and at most 0.9.

Stop words are the words that make up 0.8 % of all words, and at least eight. Rules that FineWeb2 turns off stay off.
"""

import argparse
import collections
import gzip
import json
import statistics
import sys

# A setting, the figure that it bounds, and whether it is the largest or the least value that stays.
BOUNDS = [
    ("gopher-repetition", "max_duplicate_lines", "gopher_repetition.dup_line_frac", "largest"),
    ("gopher-quality", "max_mean_word_length", "gopher_quality.mean_word_length", "largest"),
    ("gopher-quality", "min_alphabetic_words", "gopher_quality.alphabetic_words", "least"),
    ("fineweb", "min_stopped_lines", "fineweb.stopped_lines", "least"),
    ("fineweb", "max_lines_per_word", "fineweb.lines_per_word", "largest"),
]
GRAMS = [
    ("top_grams", "gopher_repetition.top_{}_gram", range(2, 5)),
    ("duplicate_grams", "gopher_repetition.duplicated_{}_n_grams", range(5, 11)),
]
# FineWeb2 has these settings in all languages. Three rules of Gopher and one of FineWeb are off.
FIXED = {
    "gopher-repetition": ["max_duplicate_paragraphs = 0", "max_duplicate_line_chars = 0", "max_duplicate_paragraph_chars = 0"],
    "gopher-quality": ["min_mean_word_length = 0", "min_stop_words = 2"],
    "fineweb": ["max_short_lines = 1", "max_duplicate_chars = 0.1", "allow_no_stopped_line = true"],
}


def read(path):
    """Yields the rows of a file of JSON Lines, compressed by gzip or not."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def quantile(values, share):
    """The least value that at least this share of the sorted values does not exceed."""
    return values[min(len(values) - 1, max(0, -int(-share * len(values) // 1) - 1))]


def bound(figures, name, side, dropped):
    """The threshold at which a rule drops this share of the texts, rounded so that it drops no more."""
    values = sorted(figures[name])
    if not values:
        sys.exit(f"error: no row has the figure {name!r}; measure with --signals --stages language,gopher-repetition,gopher-quality,fineweb")
    step = 1e-9
    if side == "largest":
        return abs(-(-(quantile(values, 1 - dropped) - step) * 1000 // 1) / 1000)
    return (quantile(values, dropped) + step) * 1000 // 1 / 1000


def stop_words(words, most):
    """The words that make up at least 0.8 % of all, and at least the eight most frequent."""
    common, total = words.most_common(most), sum(words.values())
    return [word for at, (word, count) in enumerate(common) if at < 8 or count >= 0.008 * total]


def main():
    arguments = argparse.ArgumentParser(description="Derives filter thresholds of a language from rows with signals.")
    arguments.add_argument("rows", nargs="+", help="files of rows (JSON Lines) of one language")
    arguments.add_argument("--drop", type=float, default=0.1, help="the share of the texts that each rule drops (0.1)")
    arguments.add_argument("--language", help="rows in this language only, such as deu")
    options = arguments.parse_args()
    figures, words, scores, languages = collections.defaultdict(list), collections.Counter(), [], collections.Counter()
    for row in (row for path in options.rows for row in read(path)):
        if options.language and row.get("language") != options.language:
            continue
        for name, figure in row.get("signals", {}).items():
            if isinstance(figure, (int, float)):
                figures[name].append(figure)
        words.update(word for word in row["text"].split() if word.isalpha())
        languages[row.get("language")] += 1
        if row.get("language_score") is not None:
            scores.append(row["language_score"])
    if len(languages) != 1:
        sys.exit(f"error: the rows are in {len(languages)} languages; choose one with --language: {dict(languages)}")
    (language, count), *_ = languages.items()
    lines = [f"# Thresholds from {count} reference texts: each rule drops {options.drop:.0%} of them."]
    lines += ['stages = ["url", "language", "gopher-repetition", "fineweb", "gopher-quality", "mask"]']
    if language:
        lines += ["", "[stage.language]", f"keep = {json.dumps([language])}"]
        if len(scores) > 1:
            score = max(0.3, min(0.9, statistics.median(scores) - statistics.pstdev(scores)))
            lines.append(f"min_score = {score:.3f}")
    for stage, fixed in FIXED.items():
        lines += ["", f"[stage.{stage}]", *fixed]
        lines += [f"{setting} = {bound(figures, name, side, options.drop):.3f}" for of, setting, name, side in BOUNDS if of == stage]
        if stage == "gopher-repetition":
            for setting, name, sizes in GRAMS:
                bounds = [(n, bound(figures, name.format(n), "largest", options.drop)) for n in sizes]
                # A bound of 0 would drop every text that repeats anything.
                pairs = [f"[{n}, {most:.3f}]" for n, most in bounds if most > 0]
                lines.append(f"{setting} = [{', '.join(pairs)}]")
        if stage == "gopher-quality":
            lines.append(f"stop_words = {json.dumps(stop_words(words, 30), ensure_ascii=False)}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
