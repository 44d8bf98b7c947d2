"""Runs with faults in a folder of their own."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from .archives import write_archive
from .outputs import contents, differences

# Seconds. Far longer than any run takes; a busy disk may keep one waiting.
PATIENCE = 600

# So that all files of a run are written: signatures beside each output, and rows that stages drop.
STAGES = ["--stages", "length,signature", "--set", "length.min_chars=1500", "--dropped", "dropped", "--dropped-rows", "all"]


class Testbed:
    """A folder with inputs (`in`), outputs of one run (`out`, `rejects.jsonl`) and the verdicts so far."""

    def __init__(self, huller, work):
        self.huller, self.work, self.place = huller, work, work / "run"
        self.shim = work / "shim.so"
        command = ["cc", "-O1", "-shared", "-fPIC", "-o", self.shim, Path(__file__).with_name("shim.c"), "-ldl", "-lpthread"]
        subprocess.run(command, check=True)
        self.write_inputs()
        self.failed = self.done = 0
        self.fresh()
        status, said = self.run()
        assert status == 0, said
        self.expected = self.contents()

    def write_inputs(self):
        (self.work / "in" / "deep").mkdir(parents=True)
        for name, size in [("a.warc.gz", 24_000_000), ("b.warc.gz", 9_000_000), ("deep/c.warc.gz", 12_000_000)]:
            write_archive(self.work / "in" / name, size)

    def fresh(self):
        """Removes all that a run wrote."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        (self.place / "in").symlink_to(self.work / "in")

    def own_inputs(self):
        """Replaces the shared inputs by a copy that the test may change."""
        (self.place / "in").unlink()
        shutil.copytree(self.work / "in", self.place / "in")

    def arguments(self):
        """The command and its options."""
        return ["extract", "in", "-o", "out", "-q", "-j2", "--rejects", "rejects.jsonl", *STAGES]

    def start(self, *more, **environment):
        """Starts a run with more arguments; variables are for the shim, which is loaded if there are any."""
        command = [self.huller, *self.arguments(), *more]
        variables = {**os.environ, **environment}
        if environment:
            variables.update(LD_PRELOAD=str(self.shim), FAULT_ROOT=str(self.place))
        return subprocess.Popen(command, cwd=self.place, env=variables, stderr=subprocess.PIPE, text=True)

    def run(self, *more, **environment):
        """Runs to the end; gives exit status and messages."""
        process = self.start(*more, **environment)
        # Wait second by second: the clock goes on while both processes are stopped or the machine sleeps, and that is not a hang.
        for _ in range(PATIENCE):
            try:
                _, said = process.communicate(timeout=1)
                return process.returncode, said
            except subprocess.TimeoutExpired:
                pass
        # The system calls show whether the run waits for the disk, for a processor, or for itself.
        threads = [f"{task.joinpath('comm').read_text().strip()}: {task.joinpath('syscall').read_text().split()[0]}"
                   for task in Path(f"/proc/{process.pid}/task").iterdir()]
        process.kill()
        process.communicate()
        return "hung", f"after {PATIENCE} s, threads and their system calls: {', '.join(threads)}"

    def contents(self):
        """Digests of all files of the run."""
        return contents(self.place, without="in")

    def unordered(self):
        """The same without the order of inputs: an input that failed is done last, and its rejects and dropped rows come after those of the others."""
        files = self.contents()
        lines = (self.place / "out" / "_huller" / "run.journal").read_text().splitlines()
        logs = dict.fromkeys(f"{log}_{what}" for log in ("rejects", "dropped") for what in ("bytes", "digest"))
        entries = [{**json.loads(line), **logs} for line in lines]
        files["out/_huller/run.journal"] = sorted(json.dumps(entry) for entry in entries)
        for name in ("rejects.jsonl", "dropped/dropped.jsonl"):
            files[name] = sorted((self.place / name).read_text().splitlines())
        return files

    def count(self, op, name, *more):
        """The number of times that a run makes the call."""
        path = self.work / "count"
        path.write_text("0")
        self.run(*more, FAULT=f"{op}:{name}:0:1", FAULT_COUNT=str(path))
        return int(path.read_text())

    def resumed(self):
        """Resumes without faults; gives what is wrong."""
        status, said = self.run("--resume")
        if status != 0:
            return f"resume ended with {status}: {said.strip()}"
        wrong = differences(self.expected, self.contents())
        return f"differs after --resume: {', '.join(wrong)}" if wrong else ""

    def verdict(self, what, *faults):
        """Counts one check, which failed if any of the faults is not empty."""
        wrong = "; ".join(fault for fault in faults if fault)
        self.done += 1
        self.failed += bool(wrong)
        if wrong:
            print(f"  {what}: {wrong}", flush=True)
