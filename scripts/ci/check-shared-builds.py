#!/usr/bin/env python3
"""Refuses libraries that the program and the Python package would build apart.

Both workspaces build below one target/, and share a library if its version and features are equal.
A difference costs minutes of the check, since tantivy, arrow and parquet depend on most others.
"""

import collections
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As the test builds the workspace, with what its tests need.
PROGRAM = ["--workspace", "--exclude", "huller-remote", "-e", "normal,build,dev"]
PACKAGE = ["--manifest-path", "crates/python/Cargo.toml", "-e", "normal,build"]


def libraries(arguments):
    """The features of each version of each library from a registry."""
    command = [os.environ.get("CARGO", "cargo"), "tree", "--locked", "--prefix", "none", "-f", "{p}|{f}", *arguments]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    found = collections.defaultdict(set)
    for line in filter(None, lines):
        package, _, features = line.removesuffix(" (*)").partition("|")
        words = package.split(" ")
        # A path follows the version of a crate of ours.
        if not any(word.startswith("(/") for word in words[2:]):
            found[words[0], words[1]].update(filter(None, features.split(",")))
    return found


def differences(program, package):
    """A line for each library that only the features or the version keep from being shared."""
    versions = collections.defaultdict(set)
    for name, version in program:
        versions[name].add(version)
    for (name, version), features in sorted(package.items()):
        if name in versions and version not in versions[name]:
            yield f"{name} is {version} in crates/python/Cargo.lock, and {', '.join(sorted(versions[name]))} in Cargo.lock"
        missing = sorted(program.get((name, version), features) - features)
        surplus = sorted(features - program.get((name, version), features))
        if missing:
            yield f"{name} {version}: crates/python/Cargo.toml needs the features {', '.join(missing)}"
        if surplus:
            yield f"{name} {version}: Cargo.toml needs the features {', '.join(surplus)}"


def main():
    found = list(differences(libraries(PROGRAM), libraries(PACKAGE)))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
