"""What is right for an attack of gen_hostile.py, and whether a run did it.

The manifest says of each case which good pages must come out, how many records there are, what is to become of the attack
(extract, skip, fatal), what its text must and must not hold, and the limits. Everything here follows from that; the two
tables below name the cases whose right behaviour needs a word more.
"""

import json
import re

# The text of the good pages as the generator writes it, six numbered paragraphs each.
PARAGRAPH = (
    "The harbour town kept its lamps lit through the winter, and the ferry crossed twice a day with letters, flour and the "
    "occasional visitor. People in the market spoke of the new bridge as if it had always been there, although the masons had "
    "left only in the autumn."
)
PAGES = {"GOODALPHA": "http://example.test/alpha", "GOODOMEGA": "http://example.test/omega"}

# Flags that a case needs, and why.
FLAGS = {
    # Pages are cut at 16 MB unless told otherwise (the row then says `truncated`); the text to be found stands behind 100 MB.
    "html-huge-attr": ["--max-page-bytes", "128M"],
}

# The attack holds no page of its own: all its records are of another kind, or the file itself is the attack.
NO_PAGE = {"warc-block-size-edges", "file-plain-named-gz", "file-gz-named-plain", "file-bom-before"}


# What is counted and is no page: not in the list of rejects.
NOT_PAGES = {"warcinfo", "request", "metadata", "revisit", "conversion", "continuation", "other_type", "not_html"}


def squeeze(text):
    """Single spaces: where a text breaks its lines is no matter here."""
    return re.sub(r"\s+", " ", text)


class Rows:
    """What the rows of one output hold."""

    def __init__(self, case):
        self.case = case
        self.count = 0
        self.good = {}
        self.attack = []
        self.faults = []

    def add(self, line):
        self.count += 1
        try:
            row = json.loads(line.decode("utf-8"))
            # Halves of surrogate pairs pass as JSON and are no text.
            json.dumps(row, ensure_ascii=False).encode("utf-8")
        except ValueError as error:
            self.faults.append(f"row {self.count} is no JSON in UTF-8: {error}")
            return
        url, text = row.get("url"), row.get("text") or ""
        for mark, page in PAGES.items():
            if url in (page, f"http://example.test/{mark}"):
                whole = squeeze(text)
                missing = [n for n in range(6) if f"{mark} {PARAGRAPH} {n}." not in whole]
                if missing:
                    self.faults.append(f"{mark} lost paragraphs {missing}")
                self.good[mark] = self.good.get(mark, 0) + 1
                return
        self.attack.append(squeeze(text))

    def check(self):
        """What is wrong with them."""
        case, faults = self.case, list(self.faults)
        for mark in case["good"]:
            if self.good.get(mark, 0) != 1:
                faults.append(f"{mark} came out {self.good.get(mark, 0)} times")
        if case["attack"] == "extract" and not self.attack and case["name"] not in NO_PAGE:
            faults.append("no row for the attack")
        for wanted in case.get("must_contain", []):
            if not any(wanted in text + " " for text in self.attack):
                faults.append(f"the text lacks '{wanted.strip()}'")
        for secret in case.get("must_not_contain", []):
            if any(secret in text for text in self.attack):
                faults.append(f"'{secret}' leaked into the text")
        return faults


def check_account(case, account, unusable, rows, rejects, scale):
    """What is wrong with the account; `rejects` are the reasons in the rejects file."""
    faults = []
    lost = {**account["skipped"], **account["failed"]}
    if account["records"] != account["written"] + sum(lost.values()):
        faults.append(f"the account does not add up: {account}")
    if account["written"] != rows:
        faults.append(f"{account['written']} rows in the account, {rows} in the output")
    listed = {reason: count for reason, count in lost.items() if reason not in NOT_PAGES}
    if listed != rejects:
        faults.append(f"the account has {listed}, the list of rejects {rejects}")
    # Stretches that are no record count as one each, and are no records of the file.
    records = account["records"] - account["failed"].get("garbage", 0)
    if case["records"] is not None and records != case["records"]:
        faults.append(f"{records} records, {case['records']} expected")
    # In small, what is over a limit may be within it, and is a page like any other.
    is_page = scale < 1 and rows > len(case["good"])
    if case["attack"] == "skip" and not lost and not account["repaired"] and not is_page:
        faults.append("the attack is counted nowhere")
    if case["attack"] == "fatal" and (unusable != 1 or account["records"] != 0):
        faults.append("the file should count as one that could not be used")
    if case["attack"] != "fatal" and unusable:
        faults.append("the file was given up")
    return faults


def check_end(case, status, stderr):
    """What is wrong with how the program ended."""
    faults = []
    expected = 1 if case["attack"] == "fatal" else 0
    if status != expected:
        faults.append(f"exit status {status}, {expected} expected: {stderr.strip()[-200:]}")
    if "panicked" in stderr:
        faults.append("it panicked")
    if case["attack"] == "fatal" and case["file"] not in stderr:
        faults.append("no message names the file")
    return faults
