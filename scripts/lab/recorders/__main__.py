"""The command line: installs, records, compares, reports.

The exit status is 0 if every difference is decided. It is 1 if a difference is undecided, a decided
one no longer occurs, a revisit has the wrong text, or a recorder failed. It is 3 if only recorders are missing; with
--allow-missing they are named, and the status is 0.
"""

import argparse
import shutil
import sys
from pathlib import Path

from . import compare, decided, node_recorders, report, revisits, scrapy_exporters, warcio_python, warcprox, wget, wpull
from .family import Recording, RecorderFailed
from .install import READERS, NotInstalled, packages
from .server import serving

ROOT = Path(__file__).resolve().parents[3]
FAMILIES = {
    "wget": wget,
    "warcio": warcio_python,
    "warcprox": warcprox,
    "wpull": wpull,
    "scrapy": scrapy_exporters,
    "node": node_recorders,
}


def arguments():
    parser = argparse.ArgumentParser(
        prog="python3 -m recorders",
        description="Archives as real recorders make them, held against warcio and FastWARC.",
        epilog=__doc__.partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--huller", type=Path, default=ROOT / "target" / "release" / "huller", metavar="PROGRAM")
    parser.add_argument("--work", type=Path, default=ROOT / "target" / "recorders", metavar="DIR", help="programs and recordings go here")
    parser.add_argument("--only", action="append", choices=FAMILIES, help="only this family; repeatable. No report is complete then")
    parser.add_argument("--recorded", action="store_true", help="compare the recordings of the last run, record nothing")
    parser.add_argument("--allow-missing", action="store_true", help="succeed though recorders cannot be installed")
    parser.add_argument("--undecided", type=Path, metavar="FILE", help="write undecided differences as entries for decided.toml")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write README.md there")
    return parser.parse_args()


def record(family, work):
    """Records with one family; gives what was made, and what went wrong."""
    out = work / "recorded" / family
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    problem = None
    with serving() as address:
        recording = Recording(installed=work / "installed", out=out, address=address)
        try:
            FAMILIES[family].record(recording)
        except NotInstalled as reason:
            problem = f"not installed: {reason}"
        except RecorderFailed as reason:
            problem = f"failed: {reason}"
    lines = [f"{address}", *(f"{name}\t{maker}" for name, maker in recording.made.items())]
    (out / "made.tsv").write_text("\n".join(lines) + "\n")
    if problem:
        (out / "problem").write_text(problem)


def recorded(family, work):
    """What the last run of a family made: address of the server, files with their makers, problem."""
    out = work / "recorded" / family
    if not (out / "made.tsv").is_file():
        return "", {}, "not recorded yet"
    address, *lines = (out / "made.tsv").read_text().splitlines()
    problem = out / "problem"
    return address, dict(line.split("\t") for line in lines), problem.read_text() if problem.is_file() else None


def main():
    args = arguments()
    families = args.only or list(FAMILIES)
    reader = packages(args.work / "installed", "readers", READERS) / "python"
    problems, results, resolved = {}, [], []
    for family in families:
        if not args.recorded:
            print(f"recording: {family}", file=sys.stderr)
            record(family, args.work)
        address, made, problem = recorded(family, args.work)
        if problem:
            problems[family] = problem
        for name, maker in made.items():
            path = args.work / "recorded" / family / name
            results.append(compare.compare(f"{family}/{name}", path, maker, address, args.huller.resolve(), reader))
        folder = args.work / "recorded" / family
        resolved += revisits.compare(family, folder, reader, args.huller.resolve(), args.work / "installed")
    verdict = decided.judge(results)
    text = report.write(results, resolved, verdict, problems, args.huller)
    print(text)
    if args.undecided:
        args.undecided.write_text(decided.as_entries(verdict.undecided, results))
    if args.report:
        args.report.mkdir(parents=True, exist_ok=True)
        (args.report / "README.md").write_text(text)
    failed = any(problem.startswith("failed") or problem.startswith("not recorded") for problem in problems.values())
    if verdict.undecided or verdict.stale or failed or any(one.wrong for one in resolved):
        return 1
    return 3 if problems and not args.allow_missing else 0


if __name__ == "__main__":
    sys.exit(main())
