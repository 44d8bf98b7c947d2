"""Tests one long run over a corpus with a hundredth of it damaged.

Memory must stay flat, and the statistics must cover every record.

    faults long-run [--gb N] [--distinct N] [--huller PROGRAM] [-j N] [--seed N] [--work DIR]

Writes N GB (3, before compression) of archives with damage of all kinds (`damaged-corpus` of
crates/testkit) and runs `huller extract` over them once. At most 5 GB (--distinct) are distinct.
The rest are links in other folders, which the run reads, writes and counts like the first. Memory
and open files are sampled five times a second: the median memory of the last tenth must be within 5
% of that of the second tenth, and the number of open files must not grow. Then a counter that knows
only the list of written records reads rows and rejects. Every record that should give a row must
have given one, and every other record must be listed with its reason and place. The sums must be
those of the statistics.

Exits with 1 if anything differs. Removes the corpus at the end.
"""

import collections
import gzip
import json
import math
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

# Records of these kinds are counted but not listed, because they are not pages.
NOT_LISTED = {"request", "not_html"}


def add_arguments(parser):
    parser.add_argument("--gb", type=float, default=3, metavar="N")
    parser.add_argument("--distinct", type=float, default=5, metavar="GB", help="write no more than this, and link to it (5)")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="workers (2)")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where to work; needs three quarters of --distinct and a fifth of --gb")


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
    """What is wrong with memory and open files over time."""
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
    program = ["cargo", "run", "--quiet", "--release", "--package", "huller-testkit", "--bin", "damaged-corpus", "--"]
    command = [*program, folder / "0", str(int(args.gb * 1e9 / copies)), str(args.seed), listing]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent).stdout
    raw, files = map(int, printed.split())
    for copy in range(1, copies):
        (folder / str(copy)).mkdir()
        for file in (folder / "0").iterdir():
            (folder / str(copy) / file.name).hardlink_to(file)
    return copies, copies * raw, copies * files


def expected(listing, copy, found):
    """What the list says of a copy: ids of rows, reasons by place, sums. Where it allows two reasons, takes the one in `found`."""
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
    """Ids of the rows in a folder, and how many came twice."""
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
    account = json.loads((out / "_huller" / "run.account").read_text())["total"]
    counted = {**account["skipped"], **account["failed"]}
    if counted != dict(sums) or account["repaired"] != dict(repairs):
        faults.append(f"the account has {counted} and {account['repaired']}, the list {dict(sums)} and {dict(repairs)}")
    if (account["written"], account["records"]) != (written, written + sum(sums.values())):
        faults.append(f"the account has {account['written']} of {account['records']} records, the list {written}")
    print("records: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    print(f"account: {account['written']} rows, {counted}, mended {account['repaired']}")
    return faults


def run(args):
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

