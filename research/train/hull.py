#!/usr/bin/env python3
"""Trains the model of `hull` from tables that `huller features` wrote.

    hull.py --tables DIR --output hull.bin --report report.md [--sets NAME ...] [--copies stripped] [--folds 3 --fold-models DIR]

The recipe, with reasons:

* The label of a block is the fraction of its tokens that the gold text has, and the loss is the
  cross-entropy with it. If the gold consists of snippets, blocks with a wanted snippet are content,
  blocks with an unwanted one are not, and the others have no label.
* A block whose class names mark a comment is not content, except on forum pages. The forests thus
  learn the body without comments, independently of the gold of a data set, and `hull` adds comments
  back on pages that are threads.
* Every page occurs twice in training: as it is, and, at half the weight, without the attributes
  that reveal the purpose of an element (`strip.py`; `--copies`). The comments of the copy are those
  of the page itself. The forests thus know names, but do not depend on them.
* The weight of a block is how much it can change its page's F1; the weight of a page of a set of n
  pages is 1 / n^0.5.
* Training leaves out three of four short blocks that are not content, and counts the fourth four
  times.
* There are three forests for content. The forest for articles has no features of the whole page: it
  does better on data sets that it has not seen, and on lists and products, of which there are few.
  The forest for pages of other types has these features, since there the whole page decides about
  content. The forest for forums learns from forums alone: features that mark comments elsewhere
  mark posts there.
* The forests for page types learn from pages whose gold names their type, and from the set
  `trafilatura`, whose pages are articles except where `page_types.csv` names another type. Sets of
  articles prevent that articles of other languages and times are taken for lists. They have half
  the weight, since half of all pages are articles anyway.
* A first fit of a quarter of the trees selects the features with the highest gain; for forums, of
  which there are few pages, fewer than half as many.
* `hull` assumes that the log-odds of all blocks of a page share an unknown error. With that error
  known, a block is more certain than on average over the error. The log-odds of the forests for
  articles and forums therefore count 1.6 times. The forest for other pages is too certain by about
  the same factor, and counts once.
* Folds are by domain: the model that judges a page has not seen its domain.

Deterministic for a given seed and number of threads, which is one.
"""

import argparse
import csv
import json
import pathlib
import struct
import sys
import tempfile

import numpy as np
from catboost import CatBoost, Pool

LABELS = ["page", "tokens", "matched", "with", "without"]
# Data sets whose licence permits a model that ships (NOTICE).
SETS = ["wcxb", "scrapinghub", "cwced_zh", "zh_portals", "webmainbench_sample", "trafilatura"]
TYPES = ["article", "collection", "documentation", "forum", "listing", "product", "service"]
KEPT = {"article": 85, "forum": 40, "other": 85}
# The weight of a block with a snippet. The few of them represent the whole page.
SNIPPETS = 5.0
# Weight of a copy of a page.
COPY = 0.5
# Trees of each forest for content; the learning rate falls with their number.
TREES = {"article": 200, "forum": 200, "other": 400}
# Factor on the log-odds.
SLOPE = {"article": 1.6, "forum": 1.6, "other": 1.0}
CONTENT = dict(loss_function="CrossEntropy", depth=6, l2_leaf_reg=3)
# Each split of the forests for page types may use a random three tenths of the features, since many
# features are nearly equal.
PAGE = dict(loss_function="Logloss", iterations=300, depth=4, learning_rate=0.05, l2_leaf_reg=5, rsm=0.3)
# The weight of a page of a set that holds only or mostly articles, for the forests for page types.
ARTICLES = 0.5
# A set whose gold names no types. Nearly all of its pages are articles. The types of the others,
# found by hand, are in TYPES_BY_HAND.
NEARLY_ARTICLES = "trafilatura"
TYPES_BY_HAND = pathlib.Path(__file__).with_name("page_types.csv")
# Distance to the nearest class name that contains "comment"; 15 means that no such name is near.
FAR = 15


class Tables:
    """The tables of some data sets, concatenated; then those of their copies."""

    def __init__(self, folder, sets, copies=()):
        tables, self.pages = [], []
        names = [(name, "") for name in sets] + [(name, f".{kind}") for kind in copies for name in sets]
        for name, kind in names:
            table = np.load(folder / f"{name}{kind}.npy")
            pages = [json.loads(line) for line in open(folder / f"{name}{kind}.pages.jsonl", encoding="utf-8")]
            for page in pages:
                page["is_copy"] = bool(kind)
            table["page"] += len(self.pages)
            tables.append(table)
            self.pages += pages
        names = tables[0].dtype.names
        self.features = [name for name in names if name not in LABELS]
        self.values = np.concatenate(
            [np.column_stack([table[name] for name in self.features]) for table in tables]
        )
        self.label = {name: np.concatenate([table[name] for table in tables]) for name in LABELS}
        self.page = self.label["page"]
        self.start = np.searchsorted(self.page, np.arange(len(self.pages) + 1))
        of = lambda key: np.array([page[key] or "" for page in self.pages])
        self.set, self.type = of("dataset"), of("page_type")
        self.domain = np.array([page["domain"] or page["id"] for page in self.pages])
        self.has_text = np.array([page["gold_tokens"] is not None for page in self.pages])
        self.is_copy = np.array([page["is_copy"] for page in self.pages])
        self.comment = self.column("near_comment") < FAR
        self.carry_comments()

    def carry_comments(self):
        """Marks as comments of the copies what class names of the pages themselves call comments."""
        original = {page["id"]: at for at, page in enumerate(self.pages) if not page["is_copy"]}
        tokens = self.label["tokens"]
        for at in np.nonzero(self.is_copy)[0]:
            first = original[self.pages[at]["id"]]
            ours, theirs = (slice(self.start[page], self.start[page + 1]) for page in (at, first))
            if np.array_equal(tokens[ours], tokens[theirs]):
                self.comment[ours] = self.comment[theirs]
                continue
            # Where blocks differ, a block is a comment if the text that begins at the same place is
            # a comment.
            ends = np.cumsum(tokens[theirs])
            places = np.searchsorted(ends, np.cumsum(tokens[ours]) - tokens[ours], side="right")
            if len(ends):
                self.comment[ours] = self.comment[theirs][np.minimum(places, len(ends) - 1)]

    def column(self, name):
        return self.values[:, self.features.index(name)]

    def folds(self, count):
        """A fold for every page. Pages of a domain share a fold; folds have about the same size."""
        domains = {}
        for page, domain in enumerate(self.domain):
            domains.setdefault(domain, []).append(page)
        sizes, fold = [0] * count, np.zeros(len(self.pages), int)
        for _, pages in sorted(domains.items(), key=lambda item: (-len(item[1]), item[0])):
            smallest = sizes.index(min(sizes))
            sizes[smallest] += len(pages)
            fold[pages] = smallest
        return fold


def targets(tables):
    """The label of every block; NaN for a block without one."""
    tokens = np.maximum(tables.label["tokens"], 1)
    target = tables.label["matched"] / tokens
    snippets = ~tables.has_text[tables.page]
    wanted, unwanted = tables.label["with"] > 0, tables.label["without"] > 0
    target[snippets] = np.nan
    target[snippets & unwanted] = 0
    target[snippets & wanted] = 1
    forum = (tables.type == "forum")[tables.page]
    target[tables.comment & ~forum] = 0
    target[tables.label["tokens"] == 0] = np.nan
    return target


def weights(tables, pages):
    """The weight of every block, for a model of some of the pages."""
    tokens = tables.label["tokens"].astype(float)
    text = np.add.reduceat(np.append(tokens * ~tables.comment, 0), np.minimum(tables.start[:-1], len(tokens)))
    gold = [page["gold_tokens"] for page in tables.pages]
    # Half of a page without gold text counts as content.
    content = np.array([half // 2 if known is None else known for known, half in zip(gold, text)])
    weight = tokens / (np.maximum(content, 50)[tables.page] + tokens) + 0.02
    pages = pages & ~tables.is_copy
    size = {name: np.count_nonzero(pages & (tables.set == name)) for name in set(tables.set)}
    per_page = np.array([max(size[name], 1) ** -0.5 for name in tables.set])
    per_page[tables.is_copy] *= COPY
    weight *= np.where(tables.has_text, 1.0, SNIPPETS)[tables.page]
    return weight * per_page[tables.page]


def fit(settings, values, target, weight, seed):
    model = CatBoost(
        dict(
            settings,
            random_seed=seed,
            border_count=32,
            bootstrap_type="Bernoulli",
            subsample=0.66,
            thread_count=THREADS,
            allow_writing_files=False,
            verbose=0,
        )
    )
    model.fit(Pool(values, target, weight=weight))
    return model


def fit_content(tables, pages, seed, kind, features=None):
    """A forest that detects content on articles, forums or other pages, and the features it uses."""
    if kind == "forum":
        pages = pages & (tables.type == "forum")
    target, weight = targets(tables), weights(tables, pages)
    cheap = (tables.label["tokens"] < 12) & (target < 0.05)
    lucky = np.random.default_rng(seed).random(len(target)) < 0.25
    rows = np.nonzero(pages[tables.page] & ~np.isnan(target) & (~cheap | lucky))[0]
    weight = np.where(cheap, 4 * weight, weight)

    def train(columns, share=1.0, haste=1.0):
        settings = dict(CONTENT, iterations=int(share * TREES[kind]), learning_rate=haste * 24 / TREES[kind])
        return fit(settings, tables.values[np.ix_(rows, columns)], target[rows], weight[rows], seed)

    if features is None:
        unknown = ("kind_", "page_") if kind == "article" else ("kind_",)
        known = [at for at, name in enumerate(tables.features) if not name.startswith(unknown)]
        gains = train(known, share=0.25, haste=2).get_feature_importance()
        features = sorted(known[at] for at in np.argsort(-gains, kind="stable")[:KEPT[kind]])
    return train(features), features


def fit_types(tables, pages, seed):
    """One forest per page type that detects it, and the features they use. Learns from pages whose type is known."""
    features = [at for at, name in enumerate(tables.features) if name.startswith(("page_", "kind_"))]
    one_type = [name for name in set(tables.set) if len(set(tables.type[tables.set == name])) == 1]
    with open(TYPES_BY_HAND, encoding="utf-8") as file:
        by_hand = {row["id"]: row["type"] for row in csv.DictReader(file)}
    ids = [page["id"] for page in tables.pages]
    types = np.where(tables.set == NEARLY_ARTICLES, [by_hand.get(name, "article") for name in ids], tables.type)
    rows = np.nonzero(pages & (types != "") & (tables.start[:-1] < tables.start[1:]))[0]
    values = tables.values[np.ix_(tables.start[rows], features)]
    weight = np.where(tables.is_copy[rows], COPY, 1.0) * np.where(np.isin(tables.set[rows], one_type), ARTICLES, 1.0)
    forests = [fit(PAGE, values, types[rows] == name, weight, seed) for name in TYPES]
    return forests, features


def write(path, names, forests):
    """Writes a model file. `forests`: name, slope, CatBoost model, and the features that its columns are."""
    used = sorted({feature for *_, features in forests for feature in features})
    place = {feature: at for at, feature in enumerate(used)}
    text = lambda value: struct.pack("<B", len(value)) + value.encode()
    out = [b"HULL", struct.pack("<II", 1, len(used))]
    out += [text(names[feature]) for feature in used]
    out.append(struct.pack("<I", len(forests)))
    for name, slope, model, features in forests:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            model.save_model(file.name, format="json")
            dump = json.load(open(file.name))
        factor, (bias,) = dump["scale_and_bias"]
        trees = [
            ([(place[features[split["float_feature_index"]]], split["border"]) for split in tree["splits"]],
             [leaf * factor for leaf in tree["leaf_values"]])
            for tree in dump["oblivious_trees"]
        ]
        scale = max(abs(leaf) for _, leaves in trees for leaf in leaves) / 32767
        out.append(text(name) + struct.pack("<ffI", slope * scale, slope * bias, len(trees)))
        for splits, leaves in trees:
            out.append(struct.pack("<B", len(splits)))
            out += [struct.pack("<Hf", *split) for split in splits]
            out += [struct.pack("<h", round(leaf / scale)) for leaf in leaves]
    path.write_bytes(b"".join(out))


def train(tables, pages, seed, path, features):
    """Trains all forests on some pages and writes them. Returns the forests for content by kind, each with its features."""
    content = {kind: fit_content(tables, pages, seed, kind, features.get(kind)) for kind in KEPT}
    types, page_features = fit_types(tables, pages, seed)
    forests = [(f"content:{kind}", SLOPE[kind], *forest) for kind, forest in content.items()]
    forests += [(f"page:{name}", 1.0, model, page_features) for name, model in zip(TYPES, types)]
    write(path, tables.features, forests)
    return content


def calibration(tables, pages, model, features):
    """Ten rows: probability, share of content among blocks of that probability, tokens."""
    target, tokens = targets(tables), tables.label["tokens"]
    rows = np.nonzero(pages[tables.page] & ~np.isnan(target))[0]
    chance = model.predict(tables.values[np.ix_(rows, features)], prediction_type="Probability")[:, 1]
    lines = []
    for tenth in range(10):
        inside = np.minimum((chance * 10).astype(int), 9) == tenth
        count = tokens[rows][inside]
        if count.sum():
            found = (target[rows][inside] * count).sum() / count.sum()
            lines.append(f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | {found:.3f} | {count.sum()} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description="Trains the model of hull.")
    parser.add_argument("--tables", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--report", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--copies", nargs="*", default=[], help="kinds of copies of the sets: NAME.KIND.npy")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--fold-models", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="more threads are faster, and not quite reproducible")
    args = parser.parse_args()
    global THREADS
    THREADS = args.threads

    tables = Tables(args.tables, args.sets, args.copies)
    everything = np.ones(len(tables.pages), bool)
    content = train(tables, everything, args.seed, args.output, {})
    features = {kind: used for kind, (_, used) in content.items()}
    report = ["# Training of hull", ""]
    report += [f"{np.count_nonzero(~tables.is_copy)} pages, copies {' '.join(args.copies) or 'none'}, {len(tables.page)} blocks, seed {args.seed}: {', '.join(args.sets)}.", ""]
    if args.folds:
        args.fold_models.mkdir(parents=True, exist_ok=True)
        fold = tables.folds(args.folds)
        lines = []
        for at in range(args.folds):
            forests = train(tables, fold != at, args.seed, args.fold_models / f"{at}.bin", features)
            if at == 0:
                lines = calibration(tables, (fold == at) & ~tables.is_copy, *forests["article"])
            with open(args.fold_models / f"{at}.ids", "w", encoding="utf-8") as file:
                file.writelines(tables.pages[page]["id"] + "\n" for page in np.nonzero((fold == at) & ~tables.is_copy)[0])
        report += ["## Calibration of the forest for articles, one fold", "", "| probability | content | tokens |", "|---|---|---|", *lines, ""]
    for kind, (model, used) in content.items():
        report += [f"## Gain of the features, {kind}", "", "| feature | % of the gain |", "|---|---:|"]
        gains = sorted(zip(model.get_feature_importance(), used), reverse=True)
        report += [f"| {tables.features[at]} | {gain:.2f} |" for gain, at in gains] + [""]
    args.report.write_text("\n".join(report) + "\n", encoding="utf-8")
    print(f"{args.output}: {args.output.stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
