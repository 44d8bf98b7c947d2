#!/usr/bin/env python3
"""Run every attack of gen_hostile.py and check what is said to be right, beside two peers.

    hostile.py [--scale 1.0] [--only A,B] [--group G] [--peers] [--report DIR]

Writes the attacks with HULLER_SHARED/gen_hostile.py (or ../shared beside the repository), in a virtual environment of its
own that has the two modules it needs, and fails unless there are 160. Each attack is one run of `huller extract -j1` under
`ulimit -v` of its memory limit and 1 GB more. Checked are the exit status, both good pages around the attack, what became
of the attack, the account (against rows and rejects), peak memory as wait4 reports it, and CPU seconds.

--peers runs FastWARC + resiliparse and warcio + trafilatura on the same files, up to 30 CPU seconds and 8 GB each; they are
measured, not gated. --report DIR writes the table to DIR/README.md. With --in-check it makes do with the modules that
the running Python has (148 cases without them), for `make check`.

Exits with 1 if an attack went wrong, with 2 if there are not 160. Linux, Python 3.10 or newer.
"""

import argparse
import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "benches" / "peers")]
from bench import machine  # noqa: E402
from hostile_rules import FLAGS, Rows, check_account, check_end  # noqa: E402

CASES = 160
MODULES = ["zstandard==0.25.0", "brotli==1.2.1"]
PEERS = ["fastwarc-resiliparse", "warcio-trafilatura"]
PEER_SECONDS, PEER_MB = 30, 8192
STATUS_KILLED = -9


def python_with(folder, requirements):
    """A virtual environment that has them."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements]
    subprocess.run(command, check=True)
    return python


class Run:
    """A process that has ended: status, memory, time."""

    def __init__(self, command, limit_mb, seconds, stderr, cpu_seconds="unlimited"):
        # The shell sets the limits and becomes the program, so that wait4 reports the program.
        limits = f"ulimit -v {limit_mb * 1024}; ulimit -t {cpu_seconds}; ulimit -c 0"
        shell = ["/bin/sh", "-c", limits + '; exec "$@"', "sh"]
        waited = 0.0
        words = shell + [str(word) for word in command]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if waited > seconds:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.002)
            # Not by the clock: that goes on while this and the run are stopped.
            waited += 0.002
        process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.mb = usage.ru_maxrss / 1024
        self.cpu = usage.ru_utime + usage.ru_stime


def apart(work):
    """Does `work` in a process of its own, so that this one stays small: its memory would count as the next program's."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault to be told
            result = [f"{type(error).__name__}: {error}"]
        with os.fdopen(writing, "w") as out:
            json.dump(result, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        result = json.load(answer)
    os.waitpid(child, 0)
    return result


def lines(path):
    with open(path, "rb") as file:
        yield from file


def check_run(case, out, rejects, status, stderr, scale):
    """All that is wrong with what a run of ours left."""
    rows = Rows(case)
    for path in sorted(out.glob("*.jsonl")):
        for line in lines(path):
            rows.add(line)
    if list(out.rglob("*.part")):
        rows.faults.append("an unfinished output was left")
    reasons = {}
    for line in lines(rejects):
        reason = json.loads(line.decode("utf-8"))["reason"]
        reasons[reason] = reasons.get(reason, 0) + 1
    stats = json.loads((out / "_huller" / "stats.json").read_text())
    faults = check_end(case, status, stderr) + rows.check()
    return faults + check_account(case, stats["total"], len(stats["unusable"]), rows.count, reasons, scale)


def attack(huller, case, inputs, work, scale):
    """Runs ours on one attack."""
    out, rejects, log = work / "out", work / "rejects.jsonl", work / "stderr"
    shutil.rmtree(out, ignore_errors=True)
    rejects.write_bytes(b"")
    command = [huller, "extract", inputs / case["file"], "-o", out, "-j1", "-q", "--compress", "none"]
    command += ["--rejects", rejects, *FLAGS.get(case["name"], [])]
    seconds = max(60, 6 * case["max_seconds"])
    with open(log, "wb") as stderr:
        run = Run(command, case["max_rss_mb"] + 1024, seconds, stderr)
    said = log.read_text("utf-8", "replace")
    faults = apart(lambda: check_run(case, out, rejects, run.status, said, scale))
    if run.status == STATUS_KILLED:
        faults.insert(0, f"not done after {seconds} s")
    if run.mb > case["max_rss_mb"]:
        faults.append(f"{run.mb:.0f} MB, {case['max_rss_mb']} allowed")
    if run.cpu > case["max_seconds"]:
        faults.append(f"{run.cpu:.1f} CPU s, {case['max_seconds']} allowed")
    return run, faults


def attack_peer(peer, python, case, inputs, work):
    """Runs a peer on one attack: how it ended, and how many of the good pages it gave."""
    out = work / "peer.jsonl"
    out.write_bytes(b"")
    command = [python, ROOT / "benches" / "peers" / "python" / "hostile.py", peer, inputs / case["file"], out]
    # What it takes is its own time: the machine may be busy with other things.
    run = Run(command, PEER_MB, 20 * PEER_SECONDS, subprocess.DEVNULL, PEER_SECONDS)

    def good():
        rows = Rows({**case, "attack": "skip"})
        for line in lines(out):
            if line.endswith(b"\n"):
                rows.add(line)
        lost = [mark for mark in case["good"] if mark not in rows.good]
        return [len(case["good"]) - len(lost), len(rows.faults)]

    came, spoilt = apart(good)
    wanted = len(case["good"])
    # The kernel that keeps the limit counts a little more than it reports.
    if run.status in (STATUS_KILLED, -signal.SIGXCPU) and run.cpu >= 0.9 * PEER_SECONDS:
        outcome = "not finished"
    elif run.status < 0:
        outcome = f"killed by signal {-run.status}"
    elif came < wanted or spoilt:
        outcome = f"lost {max(wanted - came, spoilt)} of {wanted}"
    elif wanted == 0:
        outcome = "-"
    else:
        outcome = "both" if wanted == 2 else "kept"
    if outcome == "not finished" and came < wanted:
        outcome += f", lost {wanted - came} of {wanted}"
    return {"outcome": outcome, "mb": run.mb, "cpu": run.cpu, "lost": wanted - came, "spoilt": spoilt, "finished": outcome[:3] != "not"}


def peer_cells(results, case):
    if case["group"] == "file" and not case["good"] or case["file"].endswith(".jsonl"):
        return ["", "", ""] * len(results)
    cells = []
    for result in results:
        cells += [result["outcome"], f"{result['mb']:.0f}", f"{result['cpu']:.2f}"]
    return cells


def table(rows, peers):
    head = ["attack", "what is right", "ours", "MB", "of", "CPU s", "of"]
    for peer in peers:
        head += [f"good pages, {peer}", "MB", "CPU s"]
    out = ["| " + " | ".join(head) + " |", "|" + " --- |" * 3 + " ---: |" * 4 + " --- | ---: | ---: |" * len(peers)]
    for case, run, faults, peer_results in rows:
        what = case["behaviour"].replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
        cells = [case["name"], what, "; ".join(faults) or "right"]
        cells += [f"{run.mb:.0f}", str(case["max_rss_mb"]), f"{run.cpu:.2f}", str(case["max_seconds"])]
        out.append("| " + " | ".join(cells + peer_cells(peer_results, case)) + " |")
    return out


def report(args, rows, peers, version):
    right = sum(not faults for _, _, faults, _ in rows)
    text = ["# Attacks", "", "    make hostile" + (" PEERS=1" if peers else ""), ""]
    text += [f"* {name}: {value}" for name, value in machine.describe(machine.load()) if "load" not in name]
    text += [
        f"* {version}, one worker, defaults; scale {args.scale}",
        "* each run under `ulimit -v` of its memory limit and 1 GB more; MB is the peak that wait4 reports (what lies below that of",
        "  the script that starts the programs, some 20 MB, shows as that); CPU is user and system",
        "* right: exit status, both good pages whole, the attack given or counted as the generator says, rows and rejects equal to",
        "  the account, valid UTF-8 and JSON, memory and CPU seconds within the limits",
    ]
    text += [f"* {name}: with `{' '.join(flags)}`, since pages are cut at 16 MB by default" for name, flags in FLAGS.items()]
    worst = max(rows, key=lambda row: row[1].mb / row[0]["max_rss_mb"])
    slowest = max(rows, key=lambda row: row[1].cpu)
    text += ["", f"**{right} of {len(rows)} right.** Most memory for its limit: {worst[0]['name']}, {worst[1].mb:.0f} of "]
    text[-1] += f"{worst[0]['max_rss_mb']} MB; most time: {slowest[0]['name']}, {slowest[1].cpu:.2f} s."
    for place, peer in enumerate(peers):
        asked = [row for row in rows if row[0]["good"] and not row[0]["file"].endswith(".jsonl")]
        lost = sum(row[3][place]["lost"] > 0 for row in asked)
        hung = sum(not row[3][place]["finished"] for row in asked)
        most = max(row[3][place]["mb"] for row in asked)
        text += ["", f"{peer}: good pages lost in {lost} of {len(asked)} attacks that have any and a container it knows, {hung} not "]
        text[-1] += f"finished in {PEER_SECONDS} CPU seconds, at most {most:.0f} MB."
    return "\n".join(text + [""] + table(rows, peers)) + "\n"


def shared():
    for folder in [os.environ.get("HULLER_SHARED"), ROOT.parent / "shared"]:
        if folder and (Path(folder) / "gen_hostile.py").is_file():
            return Path(folder)
    raise SystemExit("error: no gen_hostile.py\nhint: set HULLER_SHARED to the folder that holds it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--huller", type=Path, default=ROOT / "target" / "release" / "huller")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", help="names of cases")
    parser.add_argument("--group", choices=["html", "http", "warc", "file"])
    parser.add_argument("--list", action="store_true", help="list the cases, and end")
    parser.add_argument("--peers", action="store_true", help="run the peers as well")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write the table there")
    parser.add_argument("--in-check", action="store_true", help="no environment of its own, fewer cases will do")
    parser.add_argument("--venv", type=Path, default=ROOT / "target" / "venv-hostile", help="where the modules go")
    args = parser.parse_args()

    generator = [shared() / "gen_hostile.py", "--scale", str(args.scale)]
    for flag in ["only", "group"]:
        if value := getattr(args, flag):
            generator += ["--" + flag, value]
    if args.list:
        return subprocess.run([sys.executable, *generator, "--list"], check=True).returncode
    python = Path(sys.executable) if args.in_check else python_with(args.venv, MODULES)
    peer_python, peers = None, PEERS if args.peers else []
    if peers:
        requirements = ROOT / "benches" / "peers" / "python" / "requirements.txt"
        peer_python = python_with(args.venv.with_name("venv-peers"), ["-U", "pip"])
        python_with(args.venv.with_name("venv-peers"), ["-r", requirements])

    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        work = Path(name)
        inputs = work / "cases"
        # What the generator says of modules that are not there is said by the number of cases.
        subprocess.run([python, *generator, inputs], check=True, stdout=subprocess.DEVNULL)
        cases = json.loads((inputs / "manifest.json").read_text())["cases"]
        if len(cases) != CASES and not (args.only or args.group or args.in_check):
            print(f"error: {len(cases)} cases, not {CASES}", file=sys.stderr)
            return 2
        rows = []
        for case in cases:
            run, faults = attack(args.huller, case, inputs, work, args.scale)
            results = [attack_peer(peer, peer_python, case, inputs, work) for peer in peers]
            rows.append((case, run, faults, results))
            beside = "".join(f"  {peer}: {result['outcome']}, {result['mb']:.0f} MB, {result['cpu']:.1f} s" for peer, result in zip(peers, results))
            print(f"{case['name']:28} {run.mb:4.0f} MB {run.cpu:6.2f} s  {'; '.join(faults) or 'right'}{beside}", flush=True)

    for place, peer in enumerate(peers):
        # Whatever a peer raises counts against it, so one that is called wrongly would look like a bad one.
        if not any(row[0]["good"] and row[3][place]["lost"] == row[3][place]["spoilt"] == 0 for row in rows):
            print(f"error: {peer} gave no good page whole, whatever the attack: it does not work here", file=sys.stderr)
            return 2
    wrong = sum(bool(faults) for _, _, faults, _ in rows)
    print(f"{len(rows) - wrong} of {len(rows)} right")
    if args.report:
        version = machine.output(args.huller, "--version")
        args.report.mkdir(parents=True, exist_ok=True)
        (args.report / "README.md").write_text(report(args, rows, peers, version))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
