"""Plain values from outside as frozen dataclasses, and back.

A format is declared once, as a dataclass whose annotations say what each member may be:

    @dataclass(frozen=True, slots=True)
    class Press:
        t_s: Annotated[float, Range(0, 86_400), Alias("t")]
        button: Button
        note: Annotated[str, Length(0, 40)] = ""

    read(Press, json_of(line)) -> Press, or MalformedError: "t: expected a number from 0 to 86400, found -1"

Known annotations: None, bool, int, float, str, enumerations (by value), Literal, dataclasses and named tuples, tuples,
frozensets, Mapping and dict with str keys, unions with None, and unions of dataclasses with a ``Discriminator``. A
member with a default may be missing. Undeclared members are refused, unless ``others`` lets them pass. A ValueError of
a class's own ``__post_init__`` refuses members that contradict each other.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from enum import Enum
from functools import cache
from itertools import repeat
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from engine.strict.text import MAX_FAULTS, MAX_NUMBER, NOTHING, MalformedError, Plain, shown

T = TypeVar("T")
Read: TypeAlias = Callable[[Plain], Any]


@dataclass(frozen=True, slots=True)
class Range:
    """A number, of ``unit`` such as seconds, from ``low`` to ``high``, both included."""

    low: float
    high: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these values, where they are only known as the program runs; else ``Literal`` says so."""

    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Length:
    """From ``low`` to ``high`` characters of a text, or members of a tuple or mapping."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text that matches this pattern as a whole; ``said`` names it in a sentence: "32 hexadecimal digits"."""

    pattern: str
    said: str


LINE: Final = Pattern(
    r"[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*",
    "one line of text, without signs that steer a terminal or turn the line",
)
"""Of what pages, screens and papers show as it is."""


@dataclass(frozen=True, slots=True)
class Alias:
    """The member's name outside, where it is not the attribute's."""

    name: str


@dataclass(frozen=True, slots=True)
class Written:
    """The member is written even at its default."""


@dataclass(frozen=True, slots=True)
class Discriminator:
    """The member that tells a union's dataclasses apart; each has its word there as a class variable ``name``.

    Of several with one word the first that fits is read.
    """

    by: str


@dataclass(frozen=True, slots=True)
class Flattened:
    """The member's own members stand among those of the dataclass that it belongs to."""


@dataclass(frozen=True, slots=True)
class AsList:
    """The members of the dataclass or named tuple are a list outside, in their order."""


@dataclass(frozen=True, slots=True)
class Converter:
    """The value goes through ``change``, and back through ``back``.

    ``change`` raises ValueError for a value that is not ``said``: "a card such as 3b".
    """

    change: Callable[[Any], Any]
    back: Callable[[Any], Any]
    said: str


@overload
def read(kind: type[T], value: Plain, *, others: bool = False) -> T: ...
@overload
def read(kind: Any, value: Plain, *, others: bool = False) -> Any: ...
def read(kind: Any, value: Plain, *, others: bool = False) -> Any:
    """This plain value as a ``kind``, a type or an annotation; ``others``: undeclared members are left out, everywhere.

    Raises MalformedError, and nothing else, where the value does not fit; its message leads to the place, and ``more``
    has what else does not fit.
    """
    return reader(kind, others)(value)


def plain(kind: Any, value: Any) -> Plain:
    """The plain value that ``read`` makes this value from; members at their default only where they are ``Written``."""
    return _writer(kind)(value)


def expected(kind: Any) -> str:
    """The words for a value of this kind, as the sentence has them that refuses another."""
    try:
        read(kind, NOTHING)
    except MalformedError as error:
        return error.problem.removeprefix("expected ").removesuffix(", found nothing")
    return "anything"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``, did you mean X?`` for the known word most like this one; empty when none is like it."""
    close = difflib.get_close_matches(word[:_MAX_WORD], list(known), n=1)
    return f", did you mean {close[0]}?" if close else ""


_MAX_WORD: Final = 60
"""Characters: twice the longest word of any format. Comparing takes the square of a word's length."""


@cache
def reader(kind: Any, others: bool = False) -> Read:
    """``read`` for values of this kind, looked up once: for what is read a hundred thousand times a second."""
    inner, notes = _parts(kind)
    if get_origin(inner) in (Union, types.UnionType):
        return _union(get_args(inner), notes, others)
    return _noted(_reader_of_one(inner, notes, others), notes)


def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        return inner, tuple(notes)
    return kind, ()


def _note(notes: tuple[Any, ...], kind: type[T]) -> T | None:
    """The first annotation of this kind."""
    return next((note for note in notes if isinstance(note, kind)), None)


def _union(kinds: tuple[Any, ...], notes: tuple[Any, ...], others: bool) -> Read:
    options = [each for each in kinds if each is not types.NoneType]
    told = _note(notes, Discriminator)
    if told is not None:
        words = {each.name: [reader(one, others) for one in options if one.name == each.name] for each in options}
        inner = _told_apart(told.by, {word: _first_of(readers) for word, readers in words.items()}, others)
    else:
        inner = _first_of([reader(Annotated[(each, *notes)] if notes else each, others) for each in options])
    return (lambda value: None if value is None else inner(value)) if len(options) < len(kinds) else inner


def _told_apart(by: str, readers: Mapping[str, Read], others: bool) -> Read:
    def reads(value: Plain) -> Any:
        members = _members(value)
        word = members.get(by, NOTHING)
        reader = readers.get(word) if isinstance(word, str) else None
        if reader is None:
            guess = did_you_mean(word, readers) if isinstance(word, str) else ""
            raise MalformedError(f"expected one of {', '.join(readers)}, found {shown(word)}{guess}", by)
        return reader(members if others else {name: each for name, each in members.items() if name != by})

    return reads


def _first_of(readers: list[Read]) -> Read:
    if len(readers) == 1:
        return readers[0]

    def reads(value: Plain) -> Any:
        problems = []
        for reader in readers:
            try:
                return reader(value)
            except MalformedError as error:
                problems.append(error)
        # Where something wrong was found tells more than where something else would have been wanted.
        raise max(problems, key=lambda problem: not problem.problem.endswith("found nothing"))

    return reads


def _reader_of_one(kind: Any, notes: tuple[Any, ...], others: bool) -> Read:
    origin, inside = get_origin(kind), get_args(kind)
    made = origin or kind
    change = _note(notes, Converter)
    if change is not None:
        return _changed(change)
    if kind is Any:
        return lambda value: value
    if kind is None or kind is types.NoneType:
        return _one_of({None: None})
    if origin is Literal:
        return _one_of({each: each for each in inside})
    known = _note(notes, OneOf)
    if known is not None:
        return _one_of({each: each for each in known.values})
    if kind in _SCALARS:
        return _scalar(kind, notes)
    if isinstance(made, type) and issubclass(made, Enum):
        return _one_of({each.value: each for each in made})
    if made is tuple:
        return _tuple(inside, others)
    if made is frozenset:
        alike = _tuple((*inside, ...), others)
        return lambda value: frozenset(alike(value))
    if made in (dict, Mapping):
        worth = reader(inside[1], others)
        return lambda value: _all_of((name, worth, each) for name, each in _members(value).items())
    if dataclasses.is_dataclass(made) or hasattr(made, "_fields"):
        record = _record(made, inside, others)
        return _listed(_declared(made, inside), record) if AsList() in notes else record
    raise TypeError(f"no reader is known for {kind}")


_SCALARS: Final[Mapping[Any, str]] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _scalar(kind: Any, notes: tuple[Any, ...]) -> Read:
    between = _note(notes, Range) or Range(-MAX_NUMBER, MAX_NUMBER)
    said = _SCALARS[kind]
    if kind in (int, float) and between.high < MAX_NUMBER:
        unit = f" of {between.unit}" if between.unit else ""
        said = f"{said}{unit} from {between.low:.15g} to {between.high:.15g}"

    low, high, types = between.low, between.high, (float, int) if kind is float else (kind,)

    bounded = kind in (int, float) and (low, high) != (-math.inf, math.inf)

    def reads(value: Plain) -> Any:
        # An exact check: True equals 1 and is none.
        if type(value) not in types or (bounded and not low <= value <= high):
            raise MalformedError(f"expected {said}, found {shown(value)}")
        return float(value) if kind is float else value

    return reads


def _one_of(known: Mapping[Any, Any]) -> Read:
    named = ", ".join(each if isinstance(each, str) else str(shown(each)) for each in known)
    words = [each for each in known if isinstance(each, str)]
    exact = {(type(each), each): made for each, made in known.items()}

    def reads(value: Plain) -> Any:
        if isinstance(value, list | dict) or (type(value), value) not in exact:
            guess = did_you_mean(value, words) if isinstance(value, str) else ""
            raise MalformedError(f"expected {'one of ' if len(known) > 1 else ''}{named}, found {shown(value)}{guess}")
        return exact[(type(value), value)]

    return reads


_REFUSALS: Final = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
"""Errors of a converter for a value it does not take."""


def _changed(change: Converter) -> Read:
    make = change.change

    def reads(value: Plain) -> Any:
        try:
            return make(value)
        except _REFUSALS as error:
            raise MalformedError(f"expected {change.said}, found {shown(value)}") from error

    return reads


def _tuple(inside: tuple[Any, ...], others: bool) -> Read:
    alike = len(inside) == 2 and inside[1] is ...
    readers = [reader(each, others) for each in inside if each is not ...]
    change = _note(_parts(inside[0])[1], Converter)
    quick = readers[0] if change is None else change.change  # without a step in Python for each

    def reads(value: Plain) -> Any:
        if not isinstance(value, list):
            raise MalformedError(f"expected a list, found {shown(value)}")
        if not alike and len(value) != len(readers):
            raise MalformedError(f"expected a list of {len(readers)}, found {len(value)}")
        if alike:
            try:
                return tuple(map(quick, value))
            except _REFUSALS:
                pass  # all that does not fit is told below
        pairs = zip(repeat(readers[0]) if alike else readers, value)  # noqa: B905
        return tuple(_all_of((number, *pair) for number, pair in enumerate(pairs)).values())

    return reads


def _all_of(parts: Iterable[tuple[Any, Read, Plain]]) -> dict[Any, Any]:
    """The result of each reader, by name or place. Raises MalformedError, with all that does not fit."""
    made = {}
    faults: list[MalformedError] = []
    for step, reader, value in parts:
        try:
            made[step] = reader(value)
        except MalformedError as error:
            _add(faults, error.under(step))
    _tell(faults)
    return made


@dataclass(frozen=True, slots=True)
class _Member:
    attribute: str
    name: str
    kind: Any
    default: Any
    """MISSING where it has to be there."""
    beside: bool
    written: bool


@cache
def _declared(made: Any, inside: tuple[Any, ...]) -> tuple[_Member, ...]:
    """The members of a dataclass or named tuple, its type variables replaced by ``inside``."""
    hints = get_type_hints(made, include_extras=True)
    if dataclasses.is_dataclass(made):
        defaults = {
            field.name: field.default if field.default_factory is MISSING else field.default_factory()
            for field in dataclasses.fields(made)
            if field.init
        }
    else:
        defaults = {name: made._field_defaults.get(name, MISSING) for name in made._fields}
    variables = dict(zip(getattr(made, "__parameters__", ()), inside, strict=bool(inside)))
    members = []
    for attribute, default in defaults.items():
        kind = hints[attribute]
        kind = variables.get(kind, kind) if isinstance(kind, TypeVar) else kind
        notes = _parts(kind)[1]
        alias = _note(notes, Alias)
        name = attribute if alias is None else alias.name
        members.append(_Member(attribute, name, kind, default, Flattened() in notes, Written() in notes))
    return tuple(members)


def _record(made: Any, inside: tuple[Any, ...], others: bool) -> Read:
    members = _declared(made, inside)
    plan = [(each, reader(each.kind, others)) for each in members]
    short = [(each.name, each.default, reader) for each, reader in plan]
    names = {member.name for member in members if not member.beside}
    whole = any(member.beside for member in members)

    def reads(value: Plain) -> Any:
        found = _members(value)
        if not whole and (others or found.keys() <= names):
            try:
                fit = [one(found[name]) if name in found or end is MISSING else end for name, end, one in short]
                return made(*fit)
            except (ValueError, KeyError):
                pass  # what does not fit is told below, all of it
        rest = {name: each for name, each in found.items() if name not in names}
        unknown = sorted(rest)[:MAX_FAULTS] if not others and not whole else []
        told = (f"nothing of that name is known{did_you_mean(strange, names)}" for strange in unknown)
        faults = [MalformedError(said).under(strange) for said, strange in zip(told, unknown, strict=True)]
        given = {}
        for member, reader in plan:
            try:
                if member.beside:
                    given[member.attribute] = reader(rest)
                elif member.name in found:
                    given[member.attribute] = reader(found[member.name])
                elif member.default is MISSING:
                    reader(NOTHING)
                    raise MalformedError("expected a value, found nothing")
            except MalformedError as error:
                _add(faults, error if member.beside else error.under(member.name))
        _tell(faults)
        try:
            return made(**given)
        except MalformedError:
            raise
        except ValueError as error:  # of __post_init__: members that contradict each other
            raise MalformedError(str(error)) from error

    return reads


def _listed(members: tuple[_Member, ...], reader: Read) -> Read:
    names = [member.name for member in members]

    def reads(value: Plain) -> Any:
        if not isinstance(value, list) or len(value) != len(names):
            raise MalformedError(f"expected [{', '.join(names)}], found {shown(value)}")
        return reader(dict(zip(names, value, strict=True)))

    return reads


def _add(faults: list[MalformedError], fault: MalformedError) -> None:
    """Note a fault. Raises MalformedError where there are as many as anybody reads."""
    faults.append(fault)
    if len(faults) >= MAX_FAULTS:
        _tell(faults)


def _tell(faults: list[MalformedError]) -> None:
    if faults:
        raise MalformedError.of(faults)


def _noted(reader: Read, notes: tuple[Any, ...]) -> Read:
    """The reader, and afterwards the notes about size and form."""
    size = _note(notes, Length)
    like = _note(notes, Pattern)
    if size is None and like is None:
        return reader
    form = re.compile(like.pattern) if like is not None else None

    def reads(value: Plain) -> Any:
        if like is not None and not isinstance(value, str):
            raise MalformedError(f"expected {like.said}, found {shown(value)}")
        made = reader(value)
        if size is not None and not size.low <= len(made) <= size.high:
            unit = "characters" if isinstance(made, str) else "members"
            wanted = f"{size.low}" if size.low == size.high else f"{size.low} to {size.high}"
            raise MalformedError(f"expected {wanted} {unit}, found {len(made)}")
        if form is not None and form.fullmatch(made) is None:
            raise MalformedError(f"expected {like.said if like else ''}, found {shown(value)}")
        return made

    return reads


def _members(value: Plain) -> Mapping[str, Plain]:
    if not isinstance(value, dict):
        raise MalformedError(f"expected an object, found {shown(value)}")
    return value


@cache
def _writer(kind: Any) -> Read:
    inner, notes = _parts(kind)
    origin, inside = get_origin(inner), get_args(inner)
    made = origin or inner
    change = _note(notes, Converter)
    if change is not None:
        return change.back
    if origin in (Union, types.UnionType):
        told = _note(notes, Discriminator)
        return _union_writer(inside, told)
    if made is tuple and inside:
        alike = len(inside) == 2 and inside[1] is ...
        writers = [_writer(each) for each in inside if each is not ...]
        return lambda value: [
            write(each) for write, each in zip(writers * len(value) if alike else writers, value, strict=True)
        ]
    if made is frozenset:
        return sorted
    if made in (dict, Mapping) and inside:
        write = _writer(inside[1])
        return lambda value: {name: write(each) for name, each in value.items()}
    if isinstance(made, type) and issubclass(made, Enum):
        return lambda value: value.value
    if dataclasses.is_dataclass(made) or hasattr(made, "_fields"):
        members = _declared(made, inside)
        if AsList() not in notes:
            return _record_writer(members)
        in_order = [(member.attribute, _writer(member.kind)) for member in members]
        return lambda value: [write(getattr(value, attribute)) for attribute, write in in_order]
    return lambda value: value


def _union_writer(inside: tuple[Any, ...], told: Discriminator | None) -> Read:
    options = [each for each in inside if each is not types.NoneType]
    if told is not None:
        return lambda value: None if value is None else {told.by: value.name, **_writer_of(value)(value)}
    if len(options) == 1:
        return lambda value: None if value is None else _writer(options[0])(value)
    return lambda value: _writer_of(value)(value)


def _writer_of(value: Any) -> Read:
    kind: Any = type(value)
    return _writer(kind)


def _record_writer(members: tuple[_Member, ...]) -> Read:
    writers = [(member, _writer(member.kind)) for member in members]

    def writes(value: Any) -> Plain:
        written: dict[str, Plain] = {}
        for member, write in writers:
            each = getattr(value, member.attribute)
            if member.beside:
                written |= write(each)
            elif member.written or each != member.default or type(each) is not type(member.default):
                written[member.name] = write(each)
        return written

    return writes
