"""Stages of the user's own, written in Python, between the built-in ones.

:func:`stage` makes a stage of a function over batches. A :class:`Chain` cuts the stages of a call
into parts: built-in stages, which run in Rust on all cores, and functions, which run in the calling
thread.
"""

import collections
import collections.abc
import functools
import sys
import typing as _t

from huller import row_stages
from huller._huller import STAGES, Counters, RowStages, stage_names
from huller.frames import array_of, filtered, frame_of, without_views

if _t.TYPE_CHECKING:
    import pyarrow

_Function = _t.Callable[["pyarrow.RecordBatch"], _t.Any]


class Stage:
    """A stage in Python. :func:`huller.stage` makes it."""

    def __init__(self, function: _Function, name: str | None = None, columns: _t.Iterable[str] | None = None, batch_rows: int = 1024) -> None:
        if not callable(function):
            raise TypeError(f"stage() takes a function over record batches, not {type(function).__name__}")
        functools.update_wrapper(self, function)
        self.__qualname__ = getattr(function, "__qualname__", type(function).__qualname__)
        name = getattr(function, "__name__", type(function).__name__) if name is None else name
        if not name or not all(letter.isalnum() or letter in "_-." for letter in name):
            raise ValueError(f"the stage needs a name of letters, digits, '-' and '_', not {name!r}: set name=")
        if name in STAGES:
            raise ValueError(f"there is a built-in stage {name!r}: set name= to another name")
        if batch_rows < 1:
            raise ValueError("batch_rows must be at least 1")
        self.function = function
        self.name = name
        self.columns = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
        self.batch_rows = batch_rows

    def __call__(self, rows: "pyarrow.RecordBatch") -> _t.Any:
        return self.function(rows)

    def __repr__(self) -> str:
        return f"huller.stage({self.name!r})"

    def __reduce__(self) -> _t.Any:
        """Pickles a decorated function of a module by its name, and others by their function.

        Engines send the functions of a program, whose module other processes lack, by their code.
        """
        module = sys.modules.get(self.__module__)
        if self.__module__ != "__main__" and getattr(module, self.__qualname__, None) is self:
            return self.__qualname__
        return Stage, (self.function, self.name, self.columns, self.batch_rows)

    def apply(self, rows: "pyarrow.Table", text: str, fixed: bool) -> "tuple[pyarrow.Table, pyarrow.ChunkedArray | None]":
        """Returns all rows as the function changed them, and for each row the reason if it is dropped.

        With ``fixed`` the function can add no columns.
        """
        import pyarrow

        reasons, changed = [], collections.defaultdict(list)
        count, drops = 0, False
        for batch in rows.to_batches(max_chunksize=self.batch_rows):
            if not batch.num_rows:
                continue
            reason, columns = self._answer(batch)
            drops |= reason.null_count < len(reason)
            reasons.append(reason)
            for name, column in columns.items():
                changed[name].append(column)
            count += 1
        for name, pieces in changed.items():
            if fixed and name not in rows.schema.names:
                raise ValueError(f"stage {self.name!r} returned a column {name!r}, which the rows do not have; only huller.refine adds columns")
            if len(pieces) != count:
                raise ValueError(f"stage {self.name!r} returned the column {name!r} for some batches only")
            rows = _with_column(rows, name, pieces)
            if name == text and rows.column(name).null_count:
                raise ValueError(f"stage {self.name!r} returned a text that is null; drop the row, or return an empty text")
        return rows, pyarrow.chunked_array(reasons, pyarrow.string()) if drops else None

    def _answer(self, batch: "pyarrow.RecordBatch") -> "tuple[pyarrow.Array, dict[str, _t.Any]]":
        """Calls the function. Returns a reason or null for each row, and the changed columns."""
        import pyarrow
        import pyarrow.compute

        given = batch if self.columns is None else batch.select(self.columns)
        answer = self.function(without_views(given))
        if answer is None:
            return pyarrow.nulls(batch.num_rows, pyarrow.string()), {}
        if isinstance(answer, collections.abc.Mapping):
            columns = {name: array_of(column) for name, column in answer.items()}
        elif (frame := frame_of(answer)) is not None:
            columns = {name: frame.column(name) for name in frame.schema.names}
        else:
            verdict = array_of(answer)
            columns = {"keep" if pyarrow.types.is_boolean(verdict.type) else "reason": verdict}
        for name, column in columns.items():
            if len(column) != batch.num_rows:
                raise ValueError(f"stage {self.name!r} returned {len(column)} values ({name!r}) for {batch.num_rows} rows")
        keep, reason = columns.pop("keep", None), columns.pop("reason", None)
        return self._reasons(keep, reason, batch.num_rows), columns

    def _reasons(self, keep: _t.Any, reason: _t.Any, count: int) -> "pyarrow.Array":
        import pyarrow
        import pyarrow.compute

        reasons = pyarrow.nulls(count, pyarrow.string())
        if reason is not None:
            kinds = (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.null())
            if reason.type not in kinds:
                raise TypeError(f"stage {self.name!r} returned values of {reason.type}; it may return Booleans (keep), strings (reasons) or columns")
            reasons = pyarrow.compute.binary_join_element_wise(f"{self.name}:", _whole(reason).cast(pyarrow.string()), "")
        if keep is not None:
            if not pyarrow.types.is_boolean(keep.type):
                raise TypeError(f"stage {self.name!r} returned {keep.type} as 'keep'; it takes Booleans")
            dropped = pyarrow.scalar(f"{self.name}:dropped", pyarrow.string())
            kept = pyarrow.compute.fill_null(_whole(keep), False)
            reasons = pyarrow.compute.if_else(kept, reasons, pyarrow.compute.coalesce(reasons, dropped))
        return reasons


def _whole(array: _t.Any) -> "pyarrow.Array":
    """Returns an array of one chunk."""
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def _with_column(rows: "pyarrow.Table", name: str, pieces: list[_t.Any]) -> "pyarrow.Table":
    import pyarrow

    known = [rows.schema.field(name).type] if name in rows.schema.names else []
    kinds = known + [piece.type for piece in pieces if not pyarrow.types.is_null(piece.type)] + [pyarrow.null()]
    column = pyarrow.chunked_array([_whole(piece).cast(kinds[0]) for piece in pieces], kinds[0])
    if known:
        return rows.set_column(rows.schema.names.index(name), name, column)
    return rows.append_column(name, column)


class Dropped:
    """The rows that are left while a table passes a chain, and the reasons of the others."""

    def __init__(self, count: int) -> None:
        import pyarrow

        self.count = count
        self.left = pyarrow.array(range(count), pyarrow.int64())
        self.places: list[_t.Any] = []
        self.reasons: list[_t.Any] = []

    def drop(self, rows: "pyarrow.Table", reasons: _t.Any) -> "pyarrow.Table":
        """Returns the rows without a reason."""
        import pyarrow.compute

        if reasons is None or reasons.null_count == len(reasons):
            return rows
        kept = pyarrow.compute.is_null(reasons)
        gone = pyarrow.compute.invert(kept)
        self.places.append(self.left.filter(_whole(gone)))
        self.reasons.append(_whole(reasons.filter(gone)))
        self.left = self.left.filter(_whole(kept))
        return filtered(rows, kept)

    def counts(self) -> dict[str, int]:
        """Returns the number of dropped rows for each reason."""
        counts: collections.Counter[str] = collections.Counter()
        for reasons in self.reasons:
            counts.update({entry["values"]: entry["counts"] for entry in reasons.value_counts().to_pylist()})
        return dict(counts)

    def column(self) -> "pyarrow.Array":
        """Returns the reason of each row of the whole table, null for rows that are left."""
        import pyarrow

        reasons: list[str | None] = [None] * self.count
        for places, names in zip(self.places, self.reasons):
            for place, name in zip(places.to_pylist(), names.to_pylist()):
                reasons[place] = name
        return pyarrow.array(reasons, pyarrow.string())

    def order(self, start: int) -> "pyarrow.Array":
        """Returns the place of each row of the whole table in a table that has the rows that are left, and from ``start`` on the whole table."""
        import pyarrow

        places = list(range(start, start + self.count))
        for at, place in enumerate(self.left.to_pylist()):
            places[place] = at
        return pyarrow.array(places, pyarrow.int64())

    def spread(self) -> "pyarrow.Array":
        """Returns the place of each row of the whole table among those that are left, or null."""
        import pyarrow

        places: list[int | None] = [None] * self.count
        for at, place in enumerate(self.left.to_pylist()):
            places[place] = at
        return pyarrow.array(places, pyarrow.int64())


class Chain:
    """The stages of a call that has stages in Python, in order."""

    def __init__(self, given: list[_t.Any], options: dict[str, _t.Any]) -> None:
        built_in = [one for one in given if isinstance(one, str)]
        options = {name: value for name, value in options.items() if name != "stages"}
        if built_in:
            options["stages"] = built_in
        known = {name: options[name] for name in ("stages", "preset", "lang", "set", "config") if options.get(name) is not None}
        names = stage_names(**known)
        #: The options of the call, with the built-in stages alone.
        self.options = options
        # `lang` may put the stage `language` first. Without built-in stages in the list, those of
        # the preset come first.
        place = len(names) - len(built_in)
        self._steps: list[tuple[int, int] | Stage] = []
        start = 0
        for one in given:
            if isinstance(one, str):
                place += 1
                continue
            if place > start or not self._steps:
                self._steps.append((start, place))
                start = place
            self._steps.append(one)
        if len(names) > start:
            self._steps.append((start, len(names)))
        own = [step.name for step in self._steps if isinstance(step, Stage)]
        if len(set(own)) < len(own):
            raise ValueError(f"two stages have one name ({', '.join(own)}): set name= of one of them")
        self._parts: dict[tuple[int, int], RowStages] = {}

    @staticmethod
    def of(options: dict[str, _t.Any]) -> "Chain | None":
        """Returns the chain of a call with these options, or ``None`` if all its stages are built in."""
        given = options.get("stages")
        if given is None or isinstance(given, str):
            return None
        given = [given] if callable(given) else list(given)
        given = [one if isinstance(one, (str, Stage)) else Stage(one) for one in given]
        return Chain(given, options) if any(isinstance(one, Stage) for one in given) else None

    @property
    def first(self) -> int:
        """The number of built-in stages before the first stage in Python."""
        return self._steps[0][1] if isinstance(self._steps[0], tuple) else 0

    def run(
        self,
        rows: "pyarrow.Table",
        dropped: Dropped,
        *,
        text: str,
        url: str,
        threads: int,
        is_begun: bool,
    ) -> "pyarrow.Table":
        """Passes rows through the stages, and returns those that are left.

        With ``is_begun`` the rows have passed the first built-in stages already, and have all
        columns.
        """
        has_signals = is_begun and self.first > 0
        for number, step in enumerate(self._steps):
            if isinstance(step, Stage):
                rows, reasons = step.apply(rows, text, is_begun)
            elif step[0] == step[1] or (number == 0 and is_begun):
                continue
            else:
                part = self._part(step)
                rows, reasons = row_stages.apply(
                    part, rows, text=text, url=url, threads=threads, earlier_signals=has_signals
                )
                has_signals = True
            rows = dropped.drop(rows, reasons)
        return rows

    def _part(self, step: tuple[int, int]) -> RowStages:
        """Returns the stages of a part. They are made once, since they may read models."""
        if step not in self._parts:
            known = ("stages", "preset", "lang", "set", "signals", "config")
            options = {name: self.options[name] for name in known if name in self.options}
            self._parts[step] = RowStages(*step, **options)
        return self._parts[step]


class ChainedBatches:
    """The record batches of an archive behind a chain. After an interruption it continues."""

    def __init__(self, rows: _t.Any, chain: Chain, counters: Counters, schema: "pyarrow.Schema") -> None:
        self._rows = rows
        self._chain = chain
        self._counters = counters
        self._schema = schema
        self._current: _t.Any = None

    def __iter__(self) -> "ChainedBatches":
        return self

    def __next__(self) -> "pyarrow.RecordBatch":
        import pyarrow

        while True:
            if self._current is None:
                self._current = next(self._rows)
            rows = pyarrow.Table.from_batches([self._current])
            dropped = Dropped(rows.num_rows)
            rows = self._chain.run(rows, dropped, text="text", url="url", threads=1, is_begun=True)
            self._counters._count_rows(0, dropped.counts(), were_written=True)
            self._current = None
            if rows.num_rows:
                rows = rows.select(self._schema.names).cast(self._schema).combine_chunks()
                return rows.to_batches()[0]


@_t.overload
def stage(function: _Function) -> Stage: ...
@_t.overload
def stage(*, name: str | None = None, columns: _t.Iterable[str] | None = None, batch_rows: int = 1024) -> _t.Callable[[_Function], Stage]: ...
def stage(
    function: _Function | None = None, *, name: str | None = None, columns: _t.Iterable[str] | None = None, batch_rows: int = 1024
) -> _t.Any:
    """Makes a stage of a function, for the list ``stages`` of ``refine``, ``stream`` and ``extract_many``.

    The function receives a ``pyarrow.RecordBatch`` of at most ``batch_rows`` rows, with all columns
    or with ``columns`` only. Views of strings, which polars has, are large strings there. It runs in the calling thread and holds the interpreter's lock, so it
    uses one core. It returns one of

    * ``None``, which keeps all rows unchanged,
    * a Boolean for each row: true keeps it. False and null drop it for the reason ``NAME:dropped``,
    * a string for each row: null keeps it, and any other string drops it for the reason
      ``NAME:STRING``,
    * columns with new values, as a dictionary or a data frame. Its columns ``keep`` (Booleans) and
      ``reason`` (strings) drop rows. Only ``refine`` takes columns that the rows lack.

    Values may be arrays of Arrow or NumPy, lists, or columns of polars and pandas. ``name`` is by
    default the name of the function. Use it as a decorator, or as ``stage(function)``.
    """
    if function is None:
        return lambda function: Stage(function, name, columns, batch_rows)
    return Stage(function, name, columns, batch_rows)
