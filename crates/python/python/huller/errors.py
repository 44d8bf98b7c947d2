"""The exceptions of huller.

Every exception is a :class:`HullerError`. An exception about an input is also an :class:`OSError`
and has ``file`` and ``offset``. The offset is in bytes of the file as it is stored, and 0 if the
file could not be opened. An exception about an output is also an :class:`OSError` and has ``file``.
"""

__all__ = ["ArchiveError", "ArchiveNotFoundError", "DamagedRecordError", "HullerError", "OutputError"]


class HullerError(Exception):
    """The base class of all exceptions of huller."""


class ArchiveError(HullerError, OSError):
    """An input cannot be opened, or cannot be read to its end."""

    def __init__(self, message, file=None, offset=0):
        super().__init__(message)
        self.file = file
        self.offset = offset

    def __reduce__(self):
        return type(self), (str(self), self.file, self.offset)


class ArchiveNotFoundError(ArchiveError, FileNotFoundError):
    """An input does not exist."""


class DamagedRecordError(HullerError):
    """A record is damaged (``read_warc(..., errors="raise")``).

    The reader can still return the next record.
    """

    def __init__(self, message, file=None, offset=None, reason=None):
        super().__init__(message)
        self.file = file
        self.offset = offset
        self.reason = reason

    def __reduce__(self):
        return type(self), (str(self), self.file, self.offset, self.reason)


class OutputError(HullerError, OSError):
    """An output cannot be written, or exists already."""

    def __init__(self, message, file=None):
        super().__init__(message)
        self.file = file

    def __reduce__(self):
        return type(self), (str(self), self.file)
