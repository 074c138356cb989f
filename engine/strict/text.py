"""JSON and TOML from outside, read within bounds.

Every file, message, request and line of a pipe is read here, whoever made it. The values that come back have text that
UTF-8 can carry, finite numbers of at most 18 digits and at most 32 levels of nesting: a database, a page or another
program takes all of them.
"""

from __future__ import annotations

import codecs
import json
import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Plain: TypeAlias = Any
"""None, a bool, an int, a float, a str, or a list or a dict (with str keys) of these."""

MAX_DIGITS: Final = 18
"""Every number of so many digits fits into 64 bits, the widest that SQLite has."""
MAX_NUMBER: Final = 10**MAX_DIGITS - 1
MAX_DEPTH: Final = 32
"""Four times the deepest format of ours, a table's survey."""
MAX_BYTES: Final = 1 << 24
"""Sixteen times the longest file of ours, a sitting's recorded acts of an evening."""
MAX_KEY_PARTS: Final = 20
"""Of a TOML key such as ``a.b.c``; ours have three at most. tomllib keeps every beginning of a key: a hundred thousand
parts, in a quarter of a megabyte, fill the memory of any machine."""
MAX_FAULTS: Final = 20
"""As many as anybody mends before reading again."""
_SUSPECT: Final = re.compile(r"\\u[dD]|\d{18}|\d[eE]")
"""Whatever JSON without any of this says, all its text is UTF-8 and all its numbers are within bounds."""
_STEP: Final = re.compile(r"[\w-]{1,40}")
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w.-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_KEY_PARTS}}}")


class MalformedError(ValueError):
    """Bytes or values from outside that cannot be used; the message says what was expected and what was found.

    ``path`` leads to the place from the outermost value, such as ``acts[2].card``; empty for the whole. ``more`` are
    further faults of the same value, at most ``MAX_FAULTS`` in all; the message is of the first.
    """

    def __init__(self, problem: str, path: str = "", more: Sequence[MalformedError] = ()) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem, self.path, self.more = problem, path, tuple(more)

    @classmethod
    def of(cls, faults: Sequence[MalformedError]) -> MalformedError:
        """These faults of one value as one error."""
        first, *more = [each for fault in faults for each in (fault, *fault.more)][:MAX_FAULTS]
        return cls(first.problem, first.path, more)

    def under(self, step: str | int) -> MalformedError:
        """The same, told from one step farther out: a member's name or a list's index."""
        named = f"[{step}]" if isinstance(step, int) else step if _STEP.fullmatch(step) else shown(step)
        join = "" if not self.path or self.path.startswith("[") else "."
        return MalformedError(self.problem, f"{named}{join}{self.path}", [each.under(step) for each in self.more])


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is read at most: bytes in UTF-8, and levels of nesting."""

    bytes: int = MAX_BYTES
    depth: int = MAX_DEPTH


BOUNDS: Final = Bounds()


def text_of(data: bytes | str, max_bytes: int = MAX_BYTES) -> str:
    """These bytes as text, without a byte order mark at its beginning.

    Raises MalformedError for more bytes, for other bytes than UTF-8, and for text that UTF-8 cannot carry.
    """
    if isinstance(data, str):
        data = _utf8(data)
    if len(data) > max_bytes:
        raise MalformedError(f"expected at most {max_bytes} bytes, found {len(data)}")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        found = "UTF-16" if wide else f"the byte {data[error.start]:#04x} in line {line}"
        raise MalformedError(f"expected text in UTF-8, found {found}; save it as UTF-8") from error


def json_of(data: bytes | str, bounds: Bounds = BOUNDS) -> Plain:
    """The one JSON value that these bytes are.

    Raises MalformedError, and nothing else, for what is no JSON in UTF-8 and for: a name that stands twice in an
    object, half of a surrogate pair, NaN and infinities, numbers of more digits, deeper nesting, more bytes.
    """
    text = text_of(data, bounds.bytes)
    value = unbounded_json_of(text)
    if text.count("[") + text.count("{") > bounds.depth or _SUSPECT.search(text):
        _expect_plain(value, bounds.depth)
    return value


def unbounded_json_of(text: str) -> Plain:
    """The same with text, numbers and nesting as they come, NaN and infinities apart: for whoever looks at every value.

    Raises MalformedError, and nothing else.
    """
    text = text.strip(_BLANKS)  # ``decode`` looks for them twice with an expression
    value, end = _parsed(_DECODER.raw_decode, text, "JSON")
    if end != len(text):
        raise MalformedError(f"expected one JSON value, found {shown(text[end:])} behind it")
    return value


def toml_of(data: bytes | str) -> dict[str, Plain]:
    """The values of this TOML, within the same bounds as JSON; dates and times are refused: no format of ours has any.

    Raises MalformedError, and nothing else.
    """
    text = text_of(data)
    if _LONG_KEY.search(text):
        raise MalformedError(f"expected keys of at most {MAX_KEY_PARTS} parts, found a longer one")
    value: dict[str, Plain] = _parsed(tomllib.loads, text.replace("\r\n", "\n").replace("\r", "\n"), "TOML")
    _expect_plain(value, MAX_DEPTH)
    return value


def _parsed(parse: Callable[[str], Any], text: str, said: str) -> Any:
    try:
        return parse(text)
    except MalformedError:
        raise
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        why = "a number has thousands of digits" if type(error) is ValueError else error
        raise MalformedError(f"expected {said}, found {shown(text)}: {why}") from error


NOTHING: Final = object()
"""Stands for a member that is not there."""


def shown(value: object, most: int = 40) -> str:
    """A value in a sentence about it, cut to so many characters."""
    if value is NOTHING:
        return "nothing"
    quoted = f'"{repr(value[: most + 1])[1:-1]}"' if isinstance(value, str) else _compact(value)
    return quoted if len(quoted) <= most else f"{quoted[: most - 1]}…"


def _compact(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _object(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedError(f"expected each name once, found {shown(twice)} twice")
    return found


def _constant(name: str) -> Plain:
    raise MalformedError(f"expected a finite number of at most {MAX_DIGITS} digits, found {name}")


_BLANKS: Final = " \t\n\r"
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MalformedError(f"expected text that UTF-8 can carry, found {text[error.start]!r}") from error


def _expect_plain(value: Plain, levels: int) -> None:
    """Raises MalformedError for what the parsers let pass: surrogates, deep nesting, long numbers, dates of TOML."""
    match value:
        case str():
            _utf8(value)
        case dict() | list() if levels == 0:
            raise _too_deep()
        case dict() | list():
            for step, each in value.items() if isinstance(value, dict) else enumerate(value):
                try:
                    if isinstance(step, str):
                        _utf8(step)
                    _expect_plain(each, levels - 1)
                except MalformedError as error:
                    raise error.under(step) from error
        case None | bool():
            pass
        case float() if math.isfinite(value):
            pass
        case int() if abs(value) <= MAX_NUMBER:
            pass
        case int() | float():
            found = "one of more" if isinstance(value, int) else value  # Python refuses to write the longest
            raise MalformedError(f"expected a finite number of at most {MAX_DIGITS} digits, found {found}")
        case _:
            raise MalformedError(f"expected text, numbers, true and false, found {value!s:.40}")


def _too_deep() -> MalformedError:
    return MalformedError("expected few levels of nesting, found more than any file of this program has")
