"""Compares huller's results on one file with warcio, FastWARC and the truth of the cases.

Every disagreement is a `Difference` with its place, its field and both values. Values that vary
from run to run (addresses, dates, digests, places) are described by their relation, so that a
difference reads the same in every run.
"""

import base64
import difflib
import json
import shutil
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .cases import CASES
from .family import INSIDE

TRUTH = {unquote(case.path): case for case in CASES}
READERS = ("warcio", "fastwarc")
# Reasons in the statistics that the rejects do not list one by one, since such records are not
# meant as pages.
UNLISTED = "not_html"


@dataclass(frozen=True, order=True)
class Difference:
    file: str
    against: str
    field: str
    record: str
    huller: str
    other: str


@dataclass
class Result:
    file: str
    maker: str
    records: int = 0
    rows: int = 0
    checks: int = 0
    # Compared records by reader and field.
    checked: dict = field(default_factory=lambda: defaultdict(set))
    # Cases for which the recorder wrote no response.
    unrecorded: list = field(default_factory=list)
    differences: list = field(default_factory=list)

    def check(self, against, what, record, huller, other, told=None):
        """Notes a difference if the values do; `told` gives the two texts that stand for them."""
        self.checks += 1
        self.checked[against, what].add(record)
        if huller != other:
            one, two = told(huller, other) if told else (show(huller), show(other))
            self.differences.append(Difference(self.file, against, what, record, one, two))


def show(value):
    return "-" if value is None else str(value)


def sizes(huller, other):
    """How two pairs of length and digest relate."""

    def size(mine, yours):
        if not isinstance(mine, list):
            return show(mine)
        if not isinstance(yours, list):
            return "bytes"
        return "longer" if mine[0] > yours[0] else "shorter" if mine[0] < yours[0] else "other bytes"

    return size(huller, other), size(other, huller)


def apart(huller, other):
    """How far two places or lengths lie apart."""
    return "-" if huller is None else "n", "-" if other is None else f"n{other - (huller or 0):+}"


def unlike(huller, other):
    """For values that vary from run to run."""
    return "-" if huller is None else "one", "-" if other is None else "another"


def compare(file, path, maker, address, huller, reader):
    result = Result(file, maker)
    out = path.parent / "huller" / path.name
    rows, rejects, account = extract(huller, path, out)
    result.rows = len(rows)
    if path.suffix == ".jsonl":
        against_feed(result, path, rows, account)
        return result
    listings = [tidy(listing) for listing in lines(output([huller, "records", "--json", path.name], path.parent))]
    result.records = len(listings)
    found = json.loads(output([reader, INSIDE / "readers.py", path.name], path.parent))
    name(listings, address)
    for against in READERS:
        if isinstance(found[against], str):
            result.check(against, "file", "-", "read", found[against])
            continue
        name(found[against], address)
        against_reader(result, against, listings, found[against])
        rows_against_reader(result, against, rows, found[against])
    rows_against_truth(result, rows, rejects, found["warcio"], address)
    against_account(result, rows, account, found["warcio"])
    return result


def output(command, folder):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def extract(huller, path, out):
    """Rows, rejects and account of a run of `huller extract`."""
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(exist_ok=True)
    command = [huller, "extract", path.name, "-o", out, "--digest", "--compress", "none", "--quiet", "--rejects", out.parent / "rejects.jsonl"]
    (out.parent / "rejects.jsonl").unlink(missing_ok=True)
    output(command, path.parent)
    rows = [row for file in sorted(out.glob("*.jsonl")) for row in lines(file.read_text())]
    account = json.loads((out / "_huller" / "run.account").read_text())["total"]
    return rows, lines((out.parent / "rejects.jsonl").read_text()), account


def tidy(listing):
    """A listing of `huller records` in the terms of readers.py."""
    size, sha1 = listing["payload_len"], listing["payload_sha1"]
    listing["payload"] = listing["error"] or ([size, sha1] if sha1 is not None else None)
    return listing


def path_of(uri, address):
    """The part of an address that is the same in every run."""
    return unquote((uri or "").strip("<>").replace(address, "", 1))


def name(records, address):
    """Gives every record a name that says what it is of; the second of that kind is `… #2`."""
    seen = Counter()
    for record in records:
        label = f"{record['type']} {path_of(record['uri'], address)}".strip()
        seen[label] += 1
        record["name"] = label if seen[label] == 1 else f"{label} #{seen[label]}"


def pairs(ours, theirs):
    """Records of both in the same order; None stands where one side has none."""
    matcher = difflib.SequenceMatcher(None, [record["name"] for record in ours], [record["name"] for record in theirs], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(ours[a:b], theirs[c:d], strict=True)
        else:
            yield from ((record, None) for record in ours[a:b])
            yield from ((None, record) for record in theirs[c:d])


def against_reader(result, against, listings, records):
    for ours, theirs in pairs(listings, records):
        label = (ours or theirs)["name"]
        result.check(against, "record", label, "found" if ours else "not found", "found" if theirs else "not found")
        if ours and theirs:
            for what, told in [("offset", apart), ("length", apart), ("uri", unlike), ("date", unlike)]:
                if (ours[what], theirs[what]) != (None, None):
                    result.check(against, what, label, ours[what], theirs[what], told)
            for what in ["type", "status", "content_type"]:
                result.check(against, what, label, ours[what], theirs[what])
            if ours["type"] != "request":
                result.check(against, "payload", label, ours["payload"], theirs["payload"], sizes)


def rows_against_reader(result, against, rows, records):
    places = {record["offset"]: record for record in records}
    for row in rows:
        record = places.get(row["warc_record_offset"])
        label = f"row {record['name']}" if record else f"row {row['url']}"
        result.check(against, "row's place", label, "a record" if row["warc_record_offset"] is not None else None, "a record" if record else None)
        if not record:
            continue
        result.check(against, "row's id", label, row["id"], record["id"].removeprefix("<urn:uuid:").removesuffix(">"), unlike)
        result.check(against, "row's url", label, row["url"], record["uri"].strip("<>"), unlike)
        result.check(against, "row's date", label, row["date"], record["date"], unlike)
        result.check(against, "row's length", label, row["warc_record_length"], record["length"], apart)
        result.check(against, "row's status", label, row["status"], record["status"])
        result.check(against, "row's content_type", label, row["content_type"], record["content_type"])
        if against == "warcio":
            result.check(against, "row's digest", label, row["digest"], digest(record), unlike)


def digest(record):
    """The digest that the row must have: the header's if that is a SHA-1, else that of the stored payload."""
    header = record["payload_digest"] or ""
    if header.lower().startswith("sha1:"):
        value = header[5:]
        return f"sha1:{base64.b32encode(bytes.fromhex(value)).decode() if len(value) == 40 else value}"
    stored = record["stored"]
    return f"sha1:{stored[2]}" if stored and len(stored) == 3 else None


def rows_against_truth(result, rows, rejects, records, address):
    """What became of every response, beside what the case says."""
    by_place = {row["warc_record_offset"]: row for row in rows}
    reasons = {reject["offset"]: reject["reason"] for reject in rejects}
    recorded = set()
    for record in records:
        if record["type"] not in ("response", "resource", "conversion"):
            continue
        row = by_place.get(record["offset"])
        outcome = "row" if row else reasons.get(record["offset"], UNLISTED)
        if record["type"] == "conversion":
            # The text of a page, as WET files have it.
            result.check("truth", "outcome", record["name"], outcome, "row")
            continue
        if record["type"] == "resource":
            expected = "row" if record["content_type"].startswith("text/html") else UNLISTED
            result.check("truth", "outcome", record["name"], outcome, expected)
            continue
        path = path_of(record["uri"], address)
        case = TRUTH.get(path)
        if case is None:
            result.check("truth", "outcome", record["name"], outcome, "no case")
            continue
        recorded.add(path)
        result.check("truth", "outcome", record["name"], outcome, case.outcome)
        if row and case.outcome == "row":
            result.check("truth", "text", record["name"], case.says in row["text"], True)
            for what in ["charset", "truncated", "status", "content_type"]:
                result.check("truth", what, record["name"], row[what] or "", getattr(case, what) or "")
    result.unrecorded = sorted(path for path in TRUTH if path not in recorded)


def against_account(result, rows, account, records):
    types = Counter(record["type"] for record in records)
    for kind in ["warcinfo", "request", "metadata", "revisit"]:
        result.check("account", kind, "-", account["skipped"].get(kind, 0), types[kind])
    result.check("account", "written", "-", account["written"], len(rows))
    result.check("account", "failed", "-", sum(account["failed"].values()), 0)
    total = account["written"] + sum(account["skipped"].values()) + sum(account["failed"].values())
    result.check("account", "sum", "-", total, account["records"])
    result.check("account", "records", "-", account["records"], len(records))


def against_feed(result, path, rows, account):
    """A feed of JSON Lines: every line is a row, with the sentence of its case."""
    fed = lines(path.read_text())
    result.records = len(fed)
    result.check("json", "records", "-", account["records"], len(fed))
    result.check("json", "written", "-", account["written"], len(rows))
    by_url = Counter(row["url"] for row in rows)
    texts = {row["url"]: row["text"] for row in rows}
    recorded = set()
    for line in fed:
        path_there = unquote(urlsplit(line["url"])._replace(scheme="", netloc="").geturl())
        recorded.add(path_there)
        case = TRUTH.get(path_there)
        result.check("json", "row", path_there, by_url[line["url"]] > 0, True)
        if case and case.says and line["url"] in texts:
            result.check("truth", "text", path_there, case.says in texts[line["url"]], True)
    result.unrecorded = sorted(path for path in TRUTH if path not in recorded)
