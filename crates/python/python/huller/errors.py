"""What huller raises.

Every exception is a :class:`HullerError`. Those of inputs are an :class:`OSError` too and say where: ``file`` and ``offset``
(bytes in the file as it lies there; 0 where it could not be opened at all). Those of outputs are an :class:`OSError` too, with ``file``.
"""

__all__ = ["ArchiveError", "ArchiveNotFoundError", "DamagedRecordError", "HullerError", "OutputError"]


class HullerError(Exception):
    """Something could not be done."""


class ArchiveError(HullerError, OSError):
    """An input cannot be read at all, or not to its end."""

    def __init__(self, message, file=None, offset=0):
        super().__init__(message)
        self.file = file
        self.offset = offset

    def __reduce__(self):
        return type(self), (str(self), self.file, self.offset)


class ArchiveNotFoundError(ArchiveError, FileNotFoundError):
    """There is no such input."""


class DamagedRecordError(HullerError):
    """A record is damaged (``read_warc(..., errors="raise")``). The reader can be asked for the next one all the same."""

    def __init__(self, message, file=None, offset=None, reason=None):
        super().__init__(message)
        self.file = file
        self.offset = offset
        self.reason = reason

    def __reduce__(self):
        return type(self), (str(self), self.file, self.offset, self.reason)


class OutputError(HullerError, OSError):
    """An output cannot be written, or is there already."""

    def __init__(self, message, file=None):
        super().__init__(message)
        self.file = file

    def __reduce__(self):
        return type(self), (str(self), self.file)
