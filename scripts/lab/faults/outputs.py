"""The files of a run, compared byte for byte with those of an unbroken run."""

import hashlib

# Clocks and the lock differ from run to run.
NOT_COMPARED = {"_huller/lock", "_huller/run.timing"}


def digests(folder, without=None):
    """Digest of every file below a folder that a resumed run must make like an unbroken one; `without` names a folder to leave out."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        compared = "/".join(path.parts[-2:]) not in NOT_COMPARED and not (without and name.startswith(f"{without}/"))
        if path.is_file() and compared:
            files[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


def differences(expected, found):
    """Names of the files that differ or exist on one side only."""
    return [name for name in sorted(set(expected) | set(found)) if expected.get(name) != found.get(name)]
