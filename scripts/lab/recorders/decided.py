"""The table of decided differences (decided.toml), and the verdict over the differences of a run.

An entry names the reader, the field and both values. It gives the reason for the difference, the
side that is right, and every file and record with this difference. `*` means all records of a file
that are compared in this field. A difference without an entry is undecided. A record of an entry
where the difference does not occur is stale. Both fail.
"""

import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from .compare import Difference

TABLE = Path(__file__).with_name("decided.toml")


@dataclass
class Verdict:
    undecided: list = field(default_factory=list)
    stale: list = field(default_factory=list)
    # Number of decided differences by entry number.
    used: dict = field(default_factory=dict)
    entries: list = field(default_factory=list)
    # Number of decided differences by file.
    decided: dict = field(default_factory=dict)


def read(results):
    """Entries, and what entry each expected difference in these files belongs to."""
    checked = {result.file: result.checked for result in results}
    entries = tomllib.loads(TABLE.read_text())["difference"] if TABLE.is_file() else []
    expected = {}
    for number, entry in enumerate(entries):
        if not entry["reason"].strip():
            raise SystemExit(f"{TABLE.name}: entry {number + 1} gives no reason")
        for file, records in entry["at"].items():
            known = checked.get(file, {}).get((entry["against"], entry["field"]), ())
            for record in known if records == ["*"] else records:
                difference = Difference(file, entry["against"], entry["field"], record, entry["huller"], entry["other"])
                if difference in expected:
                    raise SystemExit(f"{TABLE.name}: twice: {difference}")
                expected[difference] = number
    return entries, expected


def judge(results):
    entries, expected = read(results)
    verdict = Verdict(entries=entries, used=dict.fromkeys(range(len(entries)), 0))
    found = set()
    for result in results:
        verdict.decided[result.file] = 0
        for difference in result.differences:
            found.add(difference)
            number = expected.get(difference)
            if number is None:
                verdict.undecided.append(difference)
            else:
                verdict.used[number] += 1
                verdict.decided[result.file] += 1
    files = {result.file for result in results}
    verdict.stale = sorted(difference for difference in expected if difference.file in files and difference not in found)
    return verdict


def as_entries(differences, results):
    """Undecided differences in the form of the table; the reasons are left to be given."""
    checked = {result.file: result.checked for result in results}
    groups = defaultdict(lambda: defaultdict(list))
    for difference in sorted(differences):
        key = (difference.against, difference.field, difference.huller, difference.other)
        groups[key][difference.file].append(difference.record)
    for (against, what, _, _), at in groups.items():
        for file, records in at.items():
            if len(records) > 1 and set(records) == checked[file][against, what]:
                at[file] = ["*"]
    return "\n".join(entry(*key, at) for key, at in sorted(groups.items()))


def entry(against, what, huller, other, at, reason=""):
    """One entry as it stands in the table."""
    lines = ["[[difference]]"]
    lines += [f"{key} = {quoted(value)}" for key, value in [("against", against), ("field", what), ("huller", huller), ("other", other)]]
    lines += [f"reason = {quoted(reason)}", "[difference.at]"]
    lines += [f"{quoted(file)} = [{', '.join(map(quoted, records))}]" for file, records in at.items()]
    return "\n".join(lines) + "\n"


def quoted(text):
    """A basic string of TOML."""
    escaped = "".join(f"\\u{ord(char):04x}" if ord(char) < 32 else {"\\": "\\\\", '"': '\\"'}.get(char, char) for char in text)
    return f'"{escaped}"'
