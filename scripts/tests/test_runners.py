"""Tests the commands `scripts/ci/run`, `scripts/lab/run` and `make` without running their parts."""

import contextlib
import importlib.machinery
import importlib.util
import io
import re
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
VERBS = "help build test lint fmt check docs bench fuzz dist install clean sample wheel".split()


def load_lab():
    """Returns scripts/lab/run as a module."""
    loader = importlib.machinery.SourceFileLoader("lab_run", str(ROOT / "scripts/lab/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lab_run", loader))
    sys.modules["lab_run"] = module
    loader.exec_module(module)
    return module


lab = load_lab()


def ci(*arguments):
    """Returns what scripts/ci/run prints."""
    done = subprocess.run([ROOT / "scripts/ci/run", *arguments], capture_output=True, text=True, check=True)
    return done.stdout


class Make(unittest.TestCase):
    def test_there_are_few_verbs(self):
        makefile = (ROOT / "Makefile").read_text()
        targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
        self.assertEqual(sorted(targets), sorted([*VERBS, "check-rest"]))
        shown = re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)
        self.assertEqual(sorted(shown), sorted(VERBS))


class Check(unittest.TestCase):
    def test_the_rest_is_the_check_without_the_tests(self):
        check = ci("--list", "check").split()
        self.assertEqual(ci("--list", "rest").split(), [part for part in check if part != "test"])
        self.assertTrue(set(ci("--list", "lint").split()) < set(check))

    def test_every_part_has_a_line_and_its_commands(self):
        overview = ci("--help")
        for part in ci("--list", "check", "docs", "format", "portable-all", "stores").split():
            self.assertRegex(overview, rf"(?m)^  {part} +[A-Z]")
            self.assertRegex(ci(part, "--help"), rf"^# {part}: .*\npart_{part}\(\) {{\n")

    def test_an_unknown_part_is_refused(self):
        done = subprocess.run([ROOT / "scripts/ci/run", "none"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))


class Lab(unittest.TestCase):
    # What a job must be given.
    GIVEN = {
        "eval-dev": ["--datasets", "d"],
        "train-nb": ["--datasets", "d"],
        "train-hull": ["--datasets", "d"],
        "known-items": ["--datasets", "d"],
        "escalation": ["--datasets", "d"],
        "search-quality": ["--datasets", "d"],
        "search-day": ["--datasets", "d"],
        "topics": ["folder"],
        "index-cost": ["rows.jsonl"],
        "stage-cost": ["rows.jsonl"],
        "decontamination": ["rows.jsonl"],
    }

    def commands(self, name, *arguments):
        """Returns the commands that a job would run."""
        printed = io.StringIO()
        environment = mock.patch.dict("os.environ", {"CARGO": "cargo"})
        with environment, contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
            self.assertEqual(lab.main([name, *self.GIVEN.get(name, []), *arguments, "--dry-run"]), 0)
        return printed.getvalue().splitlines()

    def test_every_job_has_a_line_and_a_help(self):
        overview = lab.overview()
        for name in lab.JOBS:
            self.assertIn(f"\n  {name} ", overview)
            self.assertIn(f"scripts/lab/run {name}", lab.parser_of(name).format_help())

    def test_every_job_can_be_tried(self):
        for name in lab.JOBS:
            with self.subTest(name):
                self.assertTrue(self.commands(name))

    def test_the_files_of_commands_exist(self):
        for name in lab.JOBS:
            for command in self.commands(name):
                for path in re.findall(r"(?:scripts|research)/[\w./-]+", command):
                    self.assertTrue((ROOT / path).exists(), path)

    def test_a_job_that_needs_the_program_builds_it_first(self):
        built, ran = self.commands("dirty", "--runs", "7")
        self.assertEqual(built, "+ cargo build --release -p huller-cli")
        self.assertTrue(ran.endswith("--bin dirty -- target/release/huller --seed 1 --runs 7 --jobs 1"), ran)
        self.assertEqual(len(self.commands("dirty", "--program", "huller")), 1)

    def test_further_options_go_to_the_program_of_the_job(self):
        self.assertTrue(self.commands("faults", "--only", "power")[-1].endswith("--only power"))

    def test_an_unknown_job_is_refused(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(lab.main(["none"]), 2)


if __name__ == "__main__":
    unittest.main()
