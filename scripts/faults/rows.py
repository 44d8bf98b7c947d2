"""Faults of the commands that read rows: `refine`, `dedup` and `index`, at every change of the disk that they make."""

import errno
import json
import os
import subprocess

from .testbed import Testbed

COMMANDS = {
    "refine": ["refine", "in", "-o", "out", "-q", "-j2", "--stages", "normalise,signature"],
    "dedup": ["dedup", "in", "-o", "out", "-q", "-j2", "--by", "url,text,near"],
    "index": ["index", "in", "-o", "out", "-q", "-j2", "--memory", "256M"],
}
# Rows of each input.
ROWS = 600


class RowsTestbed(Testbed):
    """A folder with files of rows, and the output of one command."""

    def __init__(self, huller, work, command):
        self.command = command
        super().__init__(huller, work)

    def arguments(self):
        return self.command

    def write_inputs(self):
        for number, name in enumerate(["a.jsonl", "b.jsonl", "deep/a.jsonl"]):
            path = self.work / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(row(number * ROWS + n) for n in range(ROWS)) + "no row\n")

    def contents(self):
        """Digests of all files of the run. The files of an index have random names, so of it what it answers."""
        meta = self.place / "out" / "meta.json"
        if not meta.exists():
            return super().contents()
        search = [self.huller, "search", "out", "ferry", "--json", "--limit", "5000"]
        found = subprocess.run(search, cwd=self.place, capture_output=True, text=True, check=False)
        return {"payload": json.loads(json.loads(meta.read_text())["payload"]), "found": sorted(found.stdout.splitlines())}


def row(number):
    """A row; one in five repeats the text of an earlier one."""
    of = number // 5 if number % 5 == 4 else number
    words = " ".join(f"word{of * 7 + n}" for n in range(12))
    return json.dumps({"id": str(number), "url": f"http://host{number % 9}.test/{number}", "text": f"The ferry {of} runs: {words}"}) + "\n"


def strike(bed, command, most, chance):
    """Kills the command and makes its calls fail, at each change of the disk or at `most` of them; resumes."""
    work = bed.work / command
    work.mkdir()
    own = RowsTestbed(bed.huller, work, COMMANDS[command])
    own.fresh()
    times = own.count("change", "*")
    if times == 0:
        own.verdict(command, "a run changes nothing")
    places = sorted(chance.sample(range(1, times + 1), min(most, times)))
    for nth in places:
        for act, expected in [("kill", -9), ("killed", -9), (str(errno.ENOSPC), 5), (str(errno.EIO), 5)]:
            own.fresh()
            status, said = own.run(FAULT=f"change:*:{nth}:{act}")
            # Threads make calls in any order, so the last may not come; what only tidies up may fail.
            is_harmless = status == 0 and own.contents() == own.expected
            wrong = "" if is_harmless or status == expected else f"exit status {status}, {expected} expected: {said.strip()[-300:]}"
            panicked = f"panicked: {said.strip()[-300:]}" if "panicked at" in said else ""
            own.verdict(f"{command}: {name_of(act)} at change {nth} of {times}", wrong, panicked, own.resumed())
    bed.done += own.done
    bed.failed += own.failed


def name_of(act):
    return os.strerror(int(act)) if act.isdigit() else act
