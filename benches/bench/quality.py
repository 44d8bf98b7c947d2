"""Mean LCS F1 of our methods and of the peers, from files of scores."""

import csv
import gzip
from collections import defaultdict
from statistics import mean

# The sets whose unweighted mean is MEAN10 of `huller eval`.
HEADLINE_SETS = (
    "wcxb", "cleaneval_en", "cleaneval_zh", "dragnet", "l3s_gn1", "big9", "chaos_utomo", "scrapinghub", "cwced_zh",
    "zh_portals",
)  # fmt: skip
MEAN = "MEAN10"


def rows(path):
    """The lines of a CSV file, plain or gzip, as dictionaries."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="") as file:
        yield from csv.DictReader(file)


def of_ours(path):
    """F1 by method, in the profile that ships, from a report of `huller eval --format csv`; predictions have no profile."""
    tuned = (row for row in rows(path) if row["profile"] in ("tuned", "") and row["dataset"] == MEAN)
    return {row["extractor"]: float(row["lcs_f1"]) for row in tuned if row["lcs_f1"]}


def of_peers(path):
    """F1 by peer, from scores by page; a peer without scores on one of the sets has none."""
    scores = defaultdict(lambda: defaultdict(list))
    for row in rows(path):
        if row["dataset"] in HEADLINE_SETS and row["lcs_F1"]:
            scores[row["peer"]][row["dataset"]].append(float(row["lcs_F1"]))
    whole = {peer: sets for peer, sets in scores.items() if len(sets) == len(HEADLINE_SETS)}
    return {peer: mean(mean(pages) for pages in sets.values()) for peer, sets in whole.items()}


def load(ours, peers):
    """F1 by name, and a line for each missing file. A later file of ours overrides earlier ones."""
    found, notes = {}, []
    given = [(path, of_ours, "--quality") for path in ours or [None]] + [(peers, of_peers, "--peer-quality")]
    for path, read, option in given:
        if path is None:
            notes.append(f"no file of scores given ({option})")
        elif not path.exists():
            notes.append(f"no scores at '{path.name}' ({option})")
        else:
            found |= read(path)
    return found, notes
