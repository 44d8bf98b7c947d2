"""Models the contents of a disk after a power cut.

It replays a log of changes (by shim.c) on a model that loses unsynced data.

The model promises only what POSIX promises. Bytes of a file are durable after the file was synced,
and names in a folder after the folder was synced (a rename within a folder is one change). The disk
may lose later changes. The model makes three kinds of disk:

  strict  loses everything that was not synced
  torn    keeps a random part: the first few changes of each folder and of each file, and of the next write to a file its first bytes
          or zeros (the length was written, the bytes were not)
  whole   loses nothing, as after SIGKILL
"""

import os
from pathlib import Path

FOLDER = object()


class File:
    def __init__(self, synced=b""):
        self.bytes = bytearray(synced)
        self.synced = synced
        self.pending = []

    def change(self, offset, data):
        """A write, or a cut at `offset` if `data` is None."""
        self.pending.append((offset, data))
        apply(self.bytes, offset, data)

    def sync(self):
        self.synced, self.pending = bytes(self.bytes), []

    def after(self, kind, chance):
        if kind == "whole":
            return bytes(self.bytes)
        out = bytearray(self.synced)
        if kind == "torn" and self.pending:
            kept = chance.randrange(len(self.pending) + 1)
            for offset, data in self.pending[:kept]:
                apply(out, offset, data)
            if kept < len(self.pending) and (cut := self.pending[kept])[1]:
                offset, data = cut
                some = data[: chance.randrange(len(data))]
                apply(out, offset, some if chance.random() < 0.5 else bytes(len(data)))
        return bytes(out)


def apply(content, offset, data):
    if data is None:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def read_log(path):
    """The changes in order: (what, path, other path, number, bytes)."""
    data, at, changes = Path(path).read_bytes(), 0, []
    while at < len(data):
        end = data.index(b"\n", at)
        what, name, more, a, b = data[at:end].decode().split("\t")
        # A run may name its own folder `.`.
        name = os.path.normpath(name)
        at = end + 1
        written = b""
        if what == "write":
            written = data[at : at + int(b)]
            at += int(b)
        changes.append((what, name, more, int(a), written))
    return changes


class Disk:
    """The folder `root`, which holds what it held before the changes."""

    def __init__(self, root, changes):
        self.root = str(root)
        self.names = {self.root: FOLDER}
        for path in Path(root).rglob("*"):
            if not path.is_symlink():
                self.names[str(path)] = FOLDER if path.is_dir() else File(path.read_bytes())
        self.durable = dict(self.names)
        self.pending = {}
        for change in changes:
            self.play(*change)

    def play(self, what, path, more, number, data):
        if what == "create":
            self.link(path, File())
        elif what == "mkdir":
            self.link(path, FOLDER)
        elif what == "write":
            self.names[path].change(number, data)
        elif what == "truncate":
            self.names[path].change(number, None)
        elif what == "rename":
            if os.path.dirname(path) != os.path.dirname(more):
                raise ValueError("a rename from folder to folder is not modelled")
            self.names[more] = self.names.pop(path)
            self.pending.setdefault(os.path.dirname(path), []).append((path, more, self.names[more]))
        elif what in ("unlink", "rmdir"):
            self.names.pop(path, None)
            self.pending.setdefault(os.path.dirname(path), []).append((path, None, None))
        elif what == "fsync":
            entry = self.names.get(path)
            if entry is FOLDER:
                for change in self.pending.pop(path, []):
                    rename(self.durable, *change)
            elif entry is not None:
                entry.sync()

    def link(self, path, entry):
        self.names[path] = entry
        self.pending.setdefault(os.path.dirname(path), []).append((None, path, entry))

    def write(self, kind, chance):
        """Makes the files that the disk has after the power cut, where `root` has none."""
        names = dict(self.names if kind == "whole" else self.durable)
        if kind == "torn":
            for changes in self.pending.values():
                for change in changes[: chance.randrange(len(changes) + 1)]:
                    rename(names, *change)
        for path in sorted(names):
            above = os.path.dirname(path)
            if path != self.root and above not in names:
                # The disk lost the folder of the file, and the file with it.
                del names[path]
                continue
            place = Path(path)
            if names[path] is FOLDER:
                place.mkdir(exist_ok=True)
            else:
                place.write_bytes(names[path].after(kind, chance))


def rename(names, old, new, entry):
    if old is not None:
        names.pop(old, None)
    if new is not None:
        names[new] = entry
