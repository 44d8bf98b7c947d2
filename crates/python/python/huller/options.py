"""The options of the program as arguments of programs in Python.

The names and the help come from the program's own table. ``python -m huller.spark`` and the example
for Ray use it, and so can a job of yours::

    parser = argparse.ArgumentParser()
    huller.options.add_arguments(parser, "stream")
    arguments = parser.parse_args()
    reader = huller.stream(path, **huller.options.from_arguments(arguments, "stream"))
"""

import argparse
import dataclasses
import typing as _t

from huller._huller import METHODS, PRESETS, SCHEMAS, SCHEMAS_WITHOUT_NULL, STAGES, options_of

__all__ = ["Option", "add_arguments", "from_arguments", "options"]

_UNITS = {"K": 10, "M": 20, "G": 30}


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a function."""

    #: The keyword, with ``_`` between words. The program's option has ``-`` instead.
    name: str
    #: The help.
    help: str
    #: The kind of its values: ``"flag"``, ``"number"``, ``"text"`` or ``"list"``.
    kind: _t.Literal["flag", "number", "text", "list"]


def options(function: str) -> list[Option]:
    """Returns the options that a function such as ``"stream"`` shares with the program."""
    return [Option(name, " ".join(help.split()), _kind(kind)) for name, kind, help in options_of(function)]


def add_arguments(parser: argparse.ArgumentParser, function: str) -> None:
    """Adds the options of a function to a parser, by the names of the program.

    Each also has its name with ``_``, as Spark's jobs usually have.
    """
    group = parser.add_argument_group("options of huller", "as in `huller extract`, which docs/commands.md describes")
    for option in options(function):
        flags = [f"--{option.name.replace('_', '-')}"]
        if "_" in option.name:
            flags.append(f"--{option.name}")
        if option.name == "extractor":
            flags.append("--extractors")
        extra = f" (one of {', '.join(_names(option.name))})" if _names(option.name) else ""
        help = (option.help + extra).replace("%", "%%")
        if option.kind == "flag":
            group.add_argument(*flags, dest=option.name, action="store_true", default=None, help=help)
        elif option.kind == "list":
            group.add_argument(*flags, dest=option.name, action="append", metavar="NAMES", help=help)
        else:
            kind = _number if option.kind == "number" else str
            group.add_argument(*flags, dest=option.name, type=kind, metavar="N" if option.kind == "number" else "NAME", help=help)


def from_arguments(arguments: argparse.Namespace, function: str) -> dict[str, _t.Any]:
    """Returns the keywords for the function. Options that were not given are left out."""
    found = {}
    for option in options(function):
        value = getattr(arguments, option.name, None)
        if value is None:
            continue
        # A setting of a stage may have commas.
        if option.kind == "list" and option.name != "set":
            value = [word for words in value for word in words.split(",")]
        found[option.name] = value
    return found


def document(function: str) -> str:
    """Returns the options of a function as a paragraph of a docstring."""
    lines = ["", "    Options of the program, with its defaults (``None`` is the default of each):", ""]
    for option in options(function):
        lines += _wrapped(f"* ``{option.name}``: {option.help.replace('`', '``')}.")
    lines += [""]
    if any(option.name == "stages" for option in options(function)):
        lines += _wrapped(f"The stages are {', '.join(STAGES)} (``docs/stages.md``).")
        lines += _wrapped(f"The presets are {', '.join(PRESETS)}.")
    if any(option.name == "extractor" for option in options(function)):
        lines += _wrapped(f"The extractors are {', '.join(METHODS)}.")
    lines += _wrapped("``config``, a :class:`huller.Config`, gives the values of options that are not set.")
    return "\n".join(lines) + "\n    "


def _wrapped(text: str) -> list[str]:
    import textwrap

    indent = "      " if text.startswith("* ") else "    "
    return textwrap.wrap(text, 100, initial_indent="    ", subsequent_indent=indent)


def _names(option: str) -> tuple[str, ...]:
    schemas = (*SCHEMAS, *SCHEMAS_WITHOUT_NULL)
    return {"extractor": ("auto", "all", *METHODS), "stages": STAGES, "preset": PRESETS, "schema": schemas}.get(option, ())


def _kind(kind: str) -> _t.Literal["flag", "number", "text", "list"]:
    if kind == "bool":
        return "flag"
    if kind in ("usize", "u64", "u32", "i32"):
        return "number"
    return "list" if kind.startswith("Vec<") else "text"


def _number(text: str) -> int:
    """Reads a number that may end in K, M or G, each 1,024 times the one before."""
    shift = _UNITS.get(text[-1:].upper(), 0)
    return int(text[:-1] if shift else text) << shift
