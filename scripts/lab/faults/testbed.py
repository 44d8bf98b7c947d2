"""Runs one command with faults in a separate folder."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from .outputs import differences

# Seconds; far longer than any run takes, since a busy disk may delay a run.
PATIENCE = 600

# A file of the user beside the outputs.
NOTES = "notes.txt"

# Signs of an error in a library's wording for developers, which messages must not contain.
RAW = ("panicked at", "Os {", "IoError", "kind: ", "RUST_BACKTRACE")


def compile_shim(folder):
    """The library of shim.c."""
    shim = folder / "shim.so"
    source = Path(__file__).with_name("shim.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim, source, "-ldl", "-lpthread"], check=True)
    return shim


def outputs(files):
    """The files without parts and run files: a journal may name the files of two runs."""
    return {name: digest for name, digest in files.items() if not name.endswith(".part") and "_huller" not in name}


class Testbed:
    """A folder with inputs (`in`) and the place of one run, and the verdicts so far."""

    def __init__(self, huller, shim, work, name, command):
        self.huller, self.shim, self.work, self.name, self.command = huller, shim, work, name, command
        self.place, self.hits = work / "run", work / "hits"
        command.write_inputs(work / "in")
        for step in command.prepare:
            if callable(step):
                step(work)
            else:
                subprocess.run([huller, *step.split()], cwd=work, check=True, stderr=subprocess.DEVNULL)
        self.failed = self.done = self.struck = 0
        self.fresh()
        self.inputs = self.seen_inputs()
        self.before = self.outcome()
        if command.earlier:
            status, said = self.run(*command.earlier)
            assert status == 0, said
            self.before = self.outcome()
            self.fresh()
        status, said = self.run()
        assert status == 0, said
        self.expected = self.outcome()
        assert self.expected != self.before, "the command changes nothing"
        # The outcome without the order of inputs, since a failed input is processed last.
        self.expected_unordered = self.unordered()

    def fresh(self):
        """Removes all that a run wrote; what users have beside it is there again."""
        if self.place.exists():
            self.clear()
        else:
            self.place.mkdir()
        if self.command.changes:
            shutil.copytree(self.work / self.command.changes, self.place, dirs_exist_ok=True)
        (self.place / "in").symlink_to(self.work / "in")
        (self.place / NOTES).write_text("mine\n")
        for name in self.command.files:
            path = self.place / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(self.command.bytes_before)

    def clear(self, keep=()):
        """Empties the place, which may be a disk of its own."""
        for path in self.place.iterdir():
            if path.name in keep:
                continue
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def own_inputs(self):
        """Replaces the shared inputs by a copy that the test may change."""
        (self.place / "in").unlink()
        shutil.copytree(self.work / "in", self.place / "in")

    def seen_inputs(self):
        """What shows whether a run changed its inputs."""
        found = [(path, path.stat()) for path in sorted((self.work / "in").rglob("*"))]
        return [(path, seen.st_size, seen.st_mtime_ns) for path, seen in found]

    def start(self, *more, arguments=None, **environment):
        """Starts a run with more arguments; variables are for the shim, which is loaded if there are any."""
        command = [self.huller, *(arguments or self.command.arguments).split(), *more]
        variables = {**os.environ, **environment}
        if environment:
            self.hits.write_text("")
            variables.update(LD_PRELOAD=str(self.shim), FAULT_ROOT=str(self.place), FAULT_HIT=str(self.hits))
        return subprocess.Popen(command, cwd=self.place, env=variables, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *more, arguments=None, **environment):
        """Runs to the end; gives exit status and messages."""
        status, said, _ = self.run_with_rows(*more, arguments=arguments, **environment)
        return status, said

    def run_with_rows(self, *more, arguments=None, **environment):
        """The same, and what went to standard output."""
        process = self.start(*more, arguments=arguments, **environment)
        # Wait second by second. The clock continues while both processes are stopped or the machine
        # sleeps, and that is not a hang.
        for _ in range(PATIENCE):
            try:
                rows, said = process.communicate(timeout=1)
                return process.returncode, said.decode(), rows
            except subprocess.TimeoutExpired:
                pass
        # The system calls show whether the run waits for the disk, for a processor, or for itself.
        threads = [f"{task.joinpath('comm').read_text().strip()}: {task.joinpath('syscall').read_text().split()[0]}"
                   for task in Path(f"/proc/{process.pid}/task").iterdir()]
        process.kill()
        process.communicate()
        return "hung", f"after {PATIENCE} s, threads and their system calls: {', '.join(threads)}", b""

    def calls(self, op, *more, name="*"):
        """The calls of a kind that a run makes."""
        path = self.work / "calls"
        path.write_text("")
        self.run(*more, FAULT=f"{op}:{name}:0:1", FAULT_CALLS=str(path))
        return read_hits(path)

    def hit(self):
        """The calls that were struck by the last run."""
        found = read_hits(self.hits)
        self.struck += bool(found)
        return found

    def is_input(self, path):
        return (path + "/").startswith(f"{self.place}/in/")

    def outcome(self):
        """What the run made, and what stands beside it."""
        return self.command.outcome(self.huller, self.place)

    def unordered(self):
        """The same without the order of inputs."""
        files = self.outcome()
        journal = self.place / "out" / "_huller" / "run.journal"
        if journal.exists():
            logs = dict.fromkeys(f"{log}_{what}" for log in ("rejects", "dropped") for what in ("bytes", "digest"))
            entries = [{**json.loads(line), **logs} for line in journal.read_text().splitlines()]
            files["out/_huller/run.journal"] = sorted(json.dumps(entry) for entry in entries)
        decisions = self.place / "out" / "_huller" / "dedup.journal"
        if decisions.exists():
            lines = decisions.read_text().splitlines()
            # A run that could not read all inputs has decided without the missing ones.
            decided = [line for line in lines if line.startswith('{"decided"')][-1:]
            files["out/_huller/dedup.journal"] = sorted(line for line in lines if not line.startswith('{"decided"')) + decided
        for name in ("rejects.jsonl", "dropped/dropped.jsonl"):
            if (self.place / name).exists():
                files[name] = sorted((self.place / name).read_text().splitlines())
        return files

    def again(self):
        """What the user says to go on after a failure."""
        return list(self.command.flags[:1]) if self.command.has_folder() else []

    def resumed(self, ordered=True, listed=True):
        """Goes on without faults; gives what is wrong. A folder that could not be listed hides inputs: where all are compared, the run begins anew."""
        status, said = self.run(*self.again())
        if status == 3 and not listed and "--overwrite" in said:
            status, said = self.run("--overwrite")
        if status != 0:
            return f"resume ended with {status}: {said.strip()}"
        wrong = differences(self.expected, self.outcome())
        if wrong and not ordered:
            wrong = differences(self.expected_unordered, self.unordered())
        if self.seen_inputs() != self.inputs:
            return "the inputs were changed"
        return f"differs after {' '.join(self.again()) or 'another run'}: {', '.join(wrong)}" if wrong else ""

    def half_written(self, status):
        """Says which file that the command replaces is neither what it was nor what it becomes."""
        if self.command.changes:
            return self.mixed_file()
        whole = self.command.whole
        if whole and status != 1 and (self.place / whole).exists():
            is_one = outputs(self.outcome()) in (outputs(self.before), outputs(self.expected))
            return "" if is_one else f"{whole} is there and the files are of two runs"
        # After a failed input the other inputs are processed.
        for name in self.command.files if status != 1 else ():
            path = self.place / name
            before = self.command.bytes_before
            if not path.exists() or path.read_bytes() != before and self.outcome().get(name) != self.expected[name]:
                return f"'{name}' is neither the earlier nor the new file"
        return ""

    def mixed_file(self):
        """Says which file that the command changes is neither the old nor the new one. Files of the command's own work do not count."""
        found = self.outcome()
        for name in sorted({*found, *self.before, *self.expected}):
            # The journal and its sums may have some inputs as they were, and others as they become.
            is_work = name.endswith((".part", ".new")) or name.startswith("out/_huller/run.")
            if not is_work and found.get(name) not in (self.before.get(name), self.expected.get(name)):
                return f"'{name}' is neither the old nor the new file"
        return ""

    def verdict(self, what, *faults):
        """Counts one check, which failed if any of the faults is not empty."""
        wrong = "; ".join(fault for fault in faults if fault)
        self.done += 1
        self.failed += bool(wrong)
        if wrong:
            print(f"  {self.name}: {what}: {wrong}", flush=True)


def read_hits(path):
    return [tuple(line.split("\t", 1)) for line in path.read_text().splitlines()]


def ended(status, said, expected, *words):
    """What is wrong with how a run ended."""
    if status != expected:
        return f"exit status {status}, {expected} expected: {said.strip()[-400:]}"
    missing = [word for word in words if word not in said]
    raw = [word for word in RAW if word in said]
    if missing or raw:
        return f"the message {f'lacks {missing}' if missing else f'shows {raw}'}: {said.strip()[-400:]}"
    return ""
