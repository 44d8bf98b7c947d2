"""Writes the result of a run as a document: a table of files, decided and undecided differences."""

import platform
import subprocess
from pathlib import Path

from .cases import CASES
from .install import READERS


def write(results, resolved, verdict, problems, huller):
    parts = [title(huller), table(results, verdict), revisits(resolved)]
    if problems:
        parts.append("## Not recorded\n\n" + "\n".join(f"* **{family}**: {problem}" for family, problem in problems.items()) + "\n")
    if verdict.undecided:
        parts.append("## Undecided differences\n\n" + "\n".join(map(line, verdict.undecided)) + "\n")
    if verdict.stale:
        parts.append("## Decided differences that no longer occur\n\n" + "\n".join(map(line, verdict.stale)) + "\n")
    parts.append(decisions(verdict))
    parts.append(unrecorded(results))
    return "\n".join(parts)


def title(huller):
    version = subprocess.run([huller, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return (
        "# Archives of real recorders, against warcio and FastWARC\n\n"
        f"    scripts/lab/run recorders\n\n* {version}, {commit()}\n* {len(CASES)} cases; readers {', '.join(READERS[:2])}\n"
        f"* Python {platform.python_version()}, {platform.system()}\n"
    )


def commit():
    """What the tree stands at."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "no commit known"


def table(results, verdict):
    head = "| file | made by | records | rows | checks | differences | decided | undecided |\n|---|---|---:|---:|---:|---:|---:|---:|\n"
    rows = []
    for result in results:
        count, decided = len(result.differences), verdict.decided[result.file]
        rows.append(f"| {result.file} | {result.maker} | {result.records} | {result.rows} | {result.checks} | {count} | {decided} | {count - decided} |")
    sums = [sum(numbers) for numbers in zip(*([r.records, r.rows, r.checks, len(r.differences)] for r in results), strict=True)] or [0] * 4
    decided = sum(verdict.decided.values())
    rows.append(f"| all {len(results)} |  | {' | '.join(map(str, sums))} | {decided} | {sums[3] - decided} |")
    return head + "\n".join(rows) + f"\n\nDecided differences that no longer occur: {len(verdict.stale)}.\n"


def revisits(resolved):
    head = "## Revisits\n\n| file | index | revisits | with a row | wrong |\n|---|---|---:|---:|---:|\n"
    rows = [f"| {one.file} | {one.index} | {one.revisits} | {one.rows} | {len(one.wrong)} |" for one in resolved]
    wrong = [f"* {one.file}, {one.index}: {text}" for one in resolved for text in one.wrong]
    return head + "\n".join(rows) + "\n" + "".join(f"\n{text}" for text in wrong) + "\n"


def line(difference):
    d = difference
    return f"* {d.file}, {d.record}, {d.field}: huller `{shown(d.huller)}`, {d.against} `{shown(d.other)}`"


def shown(value):
    """A value on one line."""
    return value.encode("unicode_escape").decode() if any(ord(char) < 32 for char in value) else value


def decisions(verdict):
    head = "## Decided differences\n\n| against | field | huller | other | places | reason |\n|---|---|---|---|---:|---|\n"
    rows = [
        f"| {entry['against']} | {entry['field']} | {shown(entry['huller'])} | {shown(entry['other'])} | {verdict.used[number]} | {' '.join(entry['reason'].split())} |"
        for number, entry in enumerate(verdict.entries)
    ]
    return head + "\n".join(row.replace("||", "| |") for row in rows) + "\n"


def unrecorded(results):
    """Cases of which a recorder wrote no response: its client refused the answer, or made a revisit or another path of it."""
    lines = []
    for result in results:
        short = [path if len(path) < 50 else f"{path[:47]}..." for path in result.unrecorded]
        if 0 < len(short) < 20:
            lines.append(f"* {result.file}: {', '.join(f'`{path}`' for path in short)}")
        elif short:
            lines.append(f"* {result.file}: {len(short)} cases")
    return "## Cases without a response\n\nThe client refused the answer, or the recorder wrote a revisit.\n\n" + "\n".join(lines) + "\n"
