"""Acts of hands at the simulated table, as values; lengths in millimetres in the board frame.

Angles turn counter-clockwise seen from above; a card at 0 degrees has its top towards +y.
Source: FORMATS.md, "A sitting as a file".
"""

from __future__ import annotations

import io
import json
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TextIO, TypeAlias

from engine.rules.cards import DECK, CardName
from engine.rules.track import SPACES, Side
from engine.strict.text import MalformedError, Plain, json_of
from engine.strict.values import Alias, Discriminator, Flattened, Range, plain, read
from engine.table.presses import Button
from firmware.core.errors import EngardeError
from firmware.core.io.files import MAX_LIST, new_stream, read_text

MAX_S: Final = 86_400.0
"""A day."""
FARTHEST_MM: Final = 2_000.0
Place: TypeAlias = Annotated[float, Range(-FARTHEST_MM, FARTHEST_MM)]
Seconds: TypeAlias = Annotated[float, Range(0, MAX_S)]


@dataclass(frozen=True, slots=True)
class Deal:
    """The deck is dealt, from its top: a card each in turn, the starter first, until both have five."""

    name: ClassVar[str] = "deal"
    deck: tuple[CardName, ...]

    def __post_init__(self) -> None:
        if sorted(self.deck) != sorted(DECK):
            raise ValueError(f"expected all {len(DECK)} cards, 1a to 5e, each once, from the top, found another deck")


@dataclass(frozen=True, slots=True)
class Lay:
    """A card is laid with its middle at x, y, over whatever lies there, wherever it was before."""

    name: ClassVar[str] = "lay"
    card: CardName
    x_mm: Place
    y_mm: Place
    turn_deg: Annotated[float, Range(-36_000, 36_000)] = 0.0
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Take:
    """A card is taken off the table; nothing happens where it does not lie there."""

    name: ClassVar[str] = "take"
    card: CardName


@dataclass(frozen=True, slots=True)
class MoveFigure:
    """A fencer is put with the middle of its base at x, y, as exactly as was said."""

    name: ClassVar[str] = "move"
    side: Side
    x_mm: Place
    y_mm: Place


@dataclass(frozen=True, slots=True)
class MoveTo:
    """A fencer is put into the middle of a space, 1 to 23."""

    name: ClassVar[str] = "move"
    side: Side
    space: Annotated[int, Range(1, SPACES)]


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand is over the table for ``s`` seconds, its finger tips at x, y.

    It holds a card, which is not on the table meanwhile, or a fencer, or nothing.
    """

    name: ClassVar[str] = "cover"
    x_mm: Place
    y_mm: Place
    s: Seconds
    card: CardName | None = None
    side: Side | None = None

    def __post_init__(self) -> None:
        if self.card is not None and self.side is not None:
            raise ValueError("a hand holds a card or a fencer; leave card or side out")


@dataclass(frozen=True, slots=True)
class PressButton:
    """A button goes down."""

    name: ClassVar[str] = "press"
    button: Button


@dataclass(frozen=True, slots=True)
class Clear:
    """All cards are taken off the table, and the fencers put where a round begins."""

    name: ClassVar[str] = "clear"


Act: TypeAlias = Annotated[Deal | Lay | Take | MoveTo | MoveFigure | Cover | PressButton | Clear, Discriminator("do")]


@dataclass(frozen=True, slots=True)
class TimedAct:
    """An act at ``t_s`` on the clock of the frames: the first frame from then on shows it."""

    t_s: Annotated[Seconds, Alias("t")]
    act: Annotated[Act, Flattened()]


def read_acts(path: Path) -> tuple[TimedAct, ...]:
    """The file's acts, in the order of their times. Raises EngardeError with file, line and cure."""
    try:
        text = read_text(path, MAX_LIST)
    except OSError as error:
        raise EngardeError(f"--acts {path}: {error.strerror}; FORMATS.md shows what such a file holds.") from error
    acts = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            acts.append(act_from_json(json_of(line)))
        except MalformedError as error:
            cure = "FORMATS.md shows what each line holds"
            raise EngardeError(f"--acts {path}, line {number}: {error}; {cure}.") from error
    return tuple(sorted(acts, key=lambda timed: timed.t_s))


def act_from_json(said: Plain) -> TimedAct:
    """One act: its time stands beside its members. Raises MalformedError."""
    return read(TimedAct, said, others=True)


def act_to_json(timed: TimedAct) -> dict[str, Any]:
    """The same as ``act_from_json`` reads."""
    written: dict[str, Any] = plain(TimedAct, timed)
    return written


class ActWriter:
    """Writes every act down as it is done. A disk that is full costs what follows, and is told once."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._writes = True

    def __call__(self, timed: TimedAct) -> None:
        """One line, in the file at once."""
        if not self._writes:
            return
        try:
            self._out.write(json.dumps(act_to_json(timed)) + "\n")
            self._out.flush()
        except OSError as error:
            self._writes = False
            sys.stderr.write(f"What the hands do is written down no more: {error.strerror}; the game goes on.\n")

    def close(self) -> None:
        """Let go of the file."""
        with suppress(OSError):  # what a full disk did not take is tried once more
            self._out.close()


def open_new(path: Path) -> TextIO:
    """A new file for acts. Raises EngardeError where something is in it already, OSError where none can be made."""
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and not found.st_size:
            path.unlink()
    try:
        return io.TextIOWrapper(io.BufferedWriter(new_stream(path)), encoding="utf-8")
    except FileExistsError:
        raise EngardeError(
            f"--acts-out {path}: there is something in that file already; name another one, or remove it."
        ) from None
