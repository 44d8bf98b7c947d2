#!/usr/bin/env python3
"""Estimates the value of each group of features and of more pages for `hull`: ablation, learning
curve.

    study.py --tables DIR --output study.md [--sets NAME ...] [--others NAME ...]

The estimate uses the tables of `huller features`, without making texts. It is the F1 of the tokens
of the chosen blocks against those of the gold, as a mean over the pages of a set and then over the
sets. Blocks are chosen as `hull` chooses them. The forest that judges a page of the training sets
has seen no page of its domain. There is one forest for all pages, and comments count as content
only on pages that the gold calls forums. The figures are therefore slightly below those of the
whole extractor: compare them only with each other.
"""

import argparse
import pathlib

import numpy as np

import hull

GROUPS = {
    "text of the block": ["chars", "words", "link_share", "links", "punctuation", "end", "tags", "markup"],
    "element and place": ["tag", "parent_tag", "heading", "depth", "in_"],
    "class words": ["near_"],
    "position": ["index", "index_from_end", "relative_index", "text_before", "from_headline", "from_title", "from_first_long",
                 "from_last_long", "from_heading", "from_stretch", "heading_before", "title_share"],
    "looks and records": ["look_", "alike_", "record_"],
    "P value (003)": ["p_", "up_to_p", "down_to_p"],
    "text density (001, CETD)": ["density_", "up_to_density", "down_to_density"],
    "cells (000)": ["cell_"],
    "points (Readability)": ["points_", "up_to_points", "down_to_points", "from_points"],
    "other sums around": ["text_share_", "links_share_", "blocks_", "punctuation_", "paragraphs_", "long_"],
    "neighbours": ["links_before", "links_after", "tag_before", "tag_after", "words_after", "same_look"],
}
SHARES = [0.1, 0.25, 0.5, 0.75, 1.0]
SETTINGS = dict(hull.CONTENT, iterations=120, learning_rate=0.12)


def is_of(name, group):
    exact = lambda prefix: name == prefix or prefix.endswith("_") and name.startswith(prefix)
    return any(exact(prefix) or prefix in ("links_before", "links_after", "same_look") and name.startswith(prefix)
               for prefix in group)


def judge(tables, features, trained, fold, rng, share=1.0):
    """The probability of every block, by forests that have not seen its domain."""
    target = hull.targets(tables)
    chance = np.zeros(len(target))
    for at in range(-1, fold.max() + 1):
        test = fold == at
        if not test.any():
            continue
        pages = trained & ~test & (rng.random(len(fold)) < share)
        weight = hull.weights(tables, pages)
        rows = np.nonzero(pages[tables.page] & ~np.isnan(target))[0]
        model = hull.fit(SETTINGS, tables.values[np.ix_(rows, features)], target[rows], weight[rows], 0)
        rows = np.nonzero(test[tables.page])[0]
        chance[rows] = model.predict(tables.values[np.ix_(rows, features)], prediction_type="Probability")[:, 1]
    comment = tables.column("near_comment") < hull.FAR
    forum = (tables.type == "forum")[tables.page]
    return np.where(comment & ~forum, 0, chance)


def f1(tables, chance):
    """The mean F1 of every set."""
    words = np.maximum(tables.column("words"), 1)
    label = tables.label
    of_set = {}
    for page, info in enumerate(tables.pages):
        if info["gold_tokens"] is None:
            continue
        rows = slice(tables.start[page], tables.start[page + 1])
        order = np.argsort(-chance[rows], kind="stable")
        n, p = words[rows][order], chance[rows][order]
        expected = np.cumsum(n * p) / (np.cumsum(n) + (n * p).sum() + 1e-9)
        taken = order[: np.argmax(expected) + 1] if len(order) else order
        tokens, matched = label["tokens"][rows][taken].sum(), label["matched"][rows][taken].sum()
        of_set.setdefault(info["dataset"], []).append(2 * matched / max(tokens + info["gold_tokens"], 1))
    return {name: float(np.mean(values)) for name, values in of_set.items()}


def main():
    parser = argparse.ArgumentParser(description="Ablation and learning curve of hull.")
    parser.add_argument("--tables", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="+", default=hull.SETS)
    parser.add_argument("--others", nargs="+", default=["cleaneval_en", "cleaneval_zh", "dragnet", "l3s_gn1", "big9", "chaos_utomo"])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    hull.THREADS = args.threads

    tables = hull.Tables(args.tables, args.sets + args.others)
    trained = np.isin(tables.set, args.sets)
    fold = np.where(trained, tables.folds(args.folds), -1)
    names = tables.features
    usual = [at for at, name in enumerate(names) if not name.startswith(("page_", "kind_"))]
    lines = ["| forest of | features | mean of the sets that train | mean of the others |", "|---|---:|---:|---:|"]

    def run(label, features, share=1.0):
        means = f1(tables, judge(tables, features, trained, fold, np.random.default_rng(0), share))
        mean = lambda sets: np.mean([means[name] for name in sets if name in means])
        lines.append(f"| {label} | {len(features)} | {mean(args.sets):.4f} | {mean(args.others):.4f} |")
        print(lines[-1], flush=True)

    run("all features", usual)
    for group, prefixes in GROUPS.items():
        run(f"all but {group}", [at for at in usual if not is_of(names[at], prefixes)])
    papers = [name for name in GROUPS if "0" in name or "Readability" in name]
    run("papers' and baselines' figures alone", [at for at in usual if any(is_of(names[at], GROUPS[name]) for name in papers)])
    for share in SHARES[:-1]:
        run(f"all features, {share:.0%} of the pages", usual, share)
    args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
