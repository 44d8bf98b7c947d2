#!/usr/bin/env python3
"""One long run over a corpus with a hundredth of it damaged: memory stays flat, and every record is accounted for.

    long-run.py [--gb N] [--distinct N] [--huller PROGRAM] [-j N] [--seed N] [--work DIR]

Writes N GB (uncompressed; 3) of archives with damage of all kinds (scripts/corrupter.py) and runs `huller extract` over them
in one go. Of these 5 GB at most (--distinct) are written, and linked to until there are enough: each copy is a folder of its own,
read, written and counted like the first. Memory and open files are sampled five times a second; the median of the last tenth must lie within 5 % of that
of the second tenth, and no more files may be open. Then a counter that knows only the corrupter's list reads rows and rejects:
every record that is to give a row must have given one, every other must be listed with its reason and place, and the sums
must be those of the account. The corpus is removed at the end.

Exits with 1 if anything differs. Linux, Python 3.10 or newer, standard library only.
"""

import argparse
import collections
import gzip
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import corrupter  # noqa: E402

# Counted and not listed, since they are no pages.
NOT_LISTED = {"request", "not_html"}


def watch(process):
    """Memory in KB and number of open files, five times a second, until the process ends."""
    samples = []
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
            samples.append((memory, len(os.listdir(f"/proc/{process.pid}/fd"))))
        except (OSError, StopIteration):
            break
        time.sleep(0.2)
    process.wait()
    return samples


def flatness(samples):
    """What is wrong with the course of memory and files."""
    tenth = len(samples) // 10
    if tenth < 3:
        return ["the run was too short to tell"]
    second, last = samples[tenth : 2 * tenth], samples[-tenth:]
    early, late = (statistics.median(memory for memory, _ in part) / 1024 for part in (second, last))
    peaks = [max(memory for memory, _ in part) / 1024 for part in (second, last)]
    files = [max(files for _, files in part) for part in (second, last)]
    print(f"memory: median {early:.1f} MB in the second tenth, {late:.1f} in the last ({100 * (late / early - 1):+.1f} %); "
          f"peaks {peaks[0]:.1f} and {peaks[1]:.1f}, of all {max(memory for memory, _ in samples) / 1024:.1f}; {len(samples)} samples")
    tenths = [statistics.median(memory for memory, _ in samples[i * tenth : (i + 1) * tenth]) / 1024 for i in range(10)]
    print("median memory of each tenth: " + " ".join(f"{memory:.1f}" for memory in tenths))
    print(f"open files: at most {files[0]} in the second tenth, {files[1]} in the last")
    faults = [] if late <= 1.05 * early else ["memory grows"]
    return faults + (["open files grow"] if files[1] > files[0] else [])


def write_copies(folder, args, listing):
    """The corpus in folders `0`, `1` and so on; gives how many there are, bytes uncompressed, and files."""
    copies = math.ceil(args.gb / args.distinct)
    raw, files = corrupter.write_corpus(folder / "0", int(args.gb * 1e9 / copies), args.seed, listing)
    for copy in range(1, copies):
        (folder / str(copy)).mkdir()
        for file in (folder / "0").iterdir():
            (folder / str(copy) / file.name).hardlink_to(file)
    return copies, copies * raw, copies * files


def expected(listing, copy, found):
    """What the list says of a copy: ids of rows, reasons by place, sums. Of two reasons it allows, that which was `found`."""
    rows, places, sums, repairs = set(), set(), collections.Counter(), collections.Counter()
    kinds = collections.Counter()
    with open(listing) as lines:
        for line in lines:
            entry = json.loads(line)
            kinds[entry["kind"] or "sound"] += 1
            reason, file = entry["reason"], f"{copy}/{entry['file']}"
            if reason is None:
                rows.add(entry["id"])
            else:
                either = [one for one in reason.split(" or ") if (file, entry["offset"], one) in found]
                reason = either[0] if either else reason.split(" or ")[0]
                sums[reason] += 1
                if reason not in NOT_LISTED:
                    places.add((file, entry["offset"], reason))
            if entry.get("repair"):
                repairs[entry["repair"]] += 1
    return rows, places, sums, repairs, kinds


def ids(folder):
    """Ids of the rows in it, and how many came twice."""
    seen, twice = set(), 0
    for path in folder.rglob("*.jsonl.gz"):
        with gzip.open(path) as lines:
            for line in lines:
                name = json.loads(line)["id"]
                twice += name in seen
                seen.add(name)
    return seen, twice


def compare(out, rejects, listing, copies):
    """What is wrong with rows, rejects and account."""
    faults, written = [], 0
    sums, repairs, kinds = collections.Counter(), collections.Counter(), collections.Counter()
    listed = [json.loads(line) for line in rejects.read_text().splitlines()]
    found = {(reject["input"], reject["offset"], reject["reason"]) for reject in listed}
    unexplained = set(found)
    for copy in range(copies):
        seen, twice = ids(out / str(copy))
        rows, places, *more = expected(listing, copy, found)
        for total, part in zip([sums, repairs, kinds], more):
            total.update(part)
        for what, wrong in [("rows twice", twice), ("rows missing", len(rows - seen)), ("rows too many", len(seen - rows))]:
            if wrong:
                faults.append(f"{wrong} {what} in copy {copy}")
        if lost := places - found:
            faults.append(f"{len(lost)} records lost without a word, such as {sorted(lost)[:3]}")
        unexplained -= places
        written += len(rows)
    if unexplained:
        faults.append(f"{len(unexplained)} records listed for nothing, such as {sorted(unexplained)[:3]}")
    if len(listed) != len(found):
        faults.append(f"{len(listed) - len(found)} rejects twice")
    account = json.loads((out / "_huller" / "stats.json").read_text())["total"]
    counted = {**account["skipped"], **account["failed"]}
    if counted != dict(sums) or account["repaired"] != dict(repairs):
        faults.append(f"the account has {counted} and {account['repaired']}, the list {dict(sums)} and {dict(repairs)}")
    if (account["written"], account["records"]) != (written, written + sum(sums.values())):
        faults.append(f"the account has {account['written']} of {account['records']} records, the list {written}")
    print("records: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    print(f"account: {account['written']} rows, {counted}, mended {account['repaired']}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gb", type=float, default=3)
    parser.add_argument("--distinct", type=float, default=5, metavar="GB", help="no more than that is written, and read again and again (5)")
    parser.add_argument("--huller", type=Path, default=ROOT / "target" / "release" / "huller")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help="where to work; needs three quarters of what is distinct, and a fifth of N GB")
    args = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="long-run-", dir=args.work))
    try:
        listing = work / "list.jsonl"
        copies, raw, files = write_copies(work / "in", args, listing)
        out, rejects = work / "out", work / "rejects.jsonl"
        command = [args.huller, "extract", work / "in", "-o", out, "-q", f"-j{args.jobs}", "--rejects", rejects, "--compress", "gzip", "--level", "1"]
        begun = time.monotonic()
        process = subprocess.Popen(command)
        samples = watch(process)
        seconds = time.monotonic() - begun
        print(f"{raw / 1e9:.2f} GB in {files} files, {copies} times {raw / copies / 1e9:.2f} GB, seed {args.seed}, -j{args.jobs}: {seconds:.0f} s, exit status {process.returncode}")
        faults = [] if process.returncode == 0 else [f"exit status {process.returncode}"]
        faults += flatness(samples) + compare(out, rejects, listing, copies)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("; ".join(faults) or "right: memory is flat, and list, outputs and account agree record by record")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
