"""Commands declared as dataclasses: their fields are their options, and ``do`` carries them out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Protocol, TypeAlias, get_args, get_origin, get_type_hints

_TYPES: Final = frozenset({int, float, Path})


class Command(Protocol):
    """A command line that was read, ready to run."""

    def do(self) -> int:
        """Do it; the exit status."""
        ...


Declared: TypeAlias = type[Command] | Mapping[str, type[Command]]
"""A command, or one for each of its tasks. The first line of a docstring is its line in the help."""


class WrongUseError(ValueError):
    """Options that do not go together: raised as a command is made, and told as argparse tells wrong use."""


def option(help: str, *flags: str, default: Any = None, group: str = "", **given: Any) -> Any:
    """A field that is an option, ``--NAME`` where no flag is given; of a ``group`` only one is taken.

    It is read as its annotation says, a tuple may be given again; all else is as ``add_argument`` has it.
    """
    return field(default=default, metadata={"flags": flags, "group": group, "given": {"help": help, **given}})


def switch(help: str, *flags: str, group: str = "") -> Any:
    """An option that is given or not."""
    return option(help, *flags, default=False, group=group, action="store_true")


def part(
    add: Callable[[argparse.ArgumentParser], object], read: Callable[[argparse.Namespace], Any], **default: Any
) -> Any:
    """A field for options that several commands share: ``add`` declares them, ``read`` makes the field's value.

    ``default``, as a dataclass has it, is for a command that is made without a command line.
    """
    return field(metadata={"add": add, "read": read}, **default)


def add_options(parser: argparse.ArgumentParser, declared: Declared) -> None:
    """The options of a command, or of each of its tasks; ``made`` makes the command of what was given."""
    if isinstance(declared, Mapping):
        tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK", title="tasks")
        for name, kind in declared.items():
            line = (kind.__doc__ or "").partition("\n")[0].rstrip(".")
            add_options(tasks.add_parser(name, help=line, description=f"{line}.", allow_abbrev=False), kind)
        return
    kinds, groups = get_type_hints(declared), dict[str, argparse._ActionsContainer]({"": parser})
    for each in fields(declared):  # type: ignore[arg-type]
        if add := each.metadata.get("add"):
            add(parser)
        elif "given" in each.metadata:
            group, given = each.metadata["group"], {"default": each.default or None, **each.metadata["given"]}
            if group not in groups:
                groups[group] = parser.add_mutually_exclusive_group()
            flags = each.metadata["flags"] or (f"--{each.name.replace('_', '-')}",)
            if flags[0].startswith("-"):
                given["dest"] = each.name
            if not {"type", "action"} & given.keys():
                given |= read_as(kinds[each.name], given)
            groups[group].add_argument(*flags, **given)
    vars(parser).update(getattr(declared, "told", {}))
    parser.set_defaults(kind=declared, wrong_use=parser.error)


def read_as(hint: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of ``add_argument`` that follow from an annotation, beside those ``given``."""
    inner = get_args(hint)[0] if isinstance(hint, UnionType) or get_origin(hint) is Annotated else hint
    again: dict[str, Any] = {}
    if get_origin(inner) is tuple:
        inner, again = get_args(inner)[0], {} if "nargs" in given else {"action": "append"}
    return {**again, "type": inner} if inner in _TYPES else again


def made(args: argparse.Namespace) -> Command:
    """The command that was asked for. Ends the program where options do not go together."""
    given = {}
    for each in fields(args.kind):
        if read := each.metadata.get("read"):
            given[each.name] = read(args)
        elif "given" in each.metadata:
            value = getattr(args, each.name)
            value = each.default if value is None else value  # append() would take an empty tuple for its list
            given[each.name] = tuple(value) if isinstance(value, list) else value
    try:
        command: Command = args.kind(**given)
    except WrongUseError as error:
        args.wrong_use(str(error))
    return command


def parsed(declared: Declared, words: Sequence[str]) -> Any:
    """The command that these words ask for."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_options(parser, declared)
    return made(parser.parse_args(words))
