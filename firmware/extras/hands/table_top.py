"""The simulated table as hands leave it: what they do, as values and as lines of a file, and the table after it.

Lengths are in millimetres in the board frame. Angles turn counter-clockwise seen from above; a card at 0 degrees has
its top towards +y. Source: FORMATS.md, "A sitting as a file".
"""

from __future__ import annotations

import io
import json
import math
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TextIO, TypeAlias

from engine.rules.cards import DECK, Card, CardName
from engine.rules.track import SPACES, START, BySide, Side
from engine.strict.text import MalformedError, Plain, json_of
from engine.strict.values import Alias, Discriminator, Flattened, Range, plain, read
from engine.table.presses import Button
from firmware.core.errors import EngardeError
from firmware.core.io.files import MAX_LIST, new_stream, read_text
from firmware.extras.simulation.actors import ELBOW_X_MM, ELBOW_Y_MM
from vision.printed.table import Table
from vision.synthetic.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM, Scene, SceneCard, SceneFigure, SceneHand, figure_at

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


HAND_S: Final = 0.4
"""So long the hand that laid, took or moved something is still over it."""
CARRIED_MM: Final = 22.0
"""So high above the table a thing is carried."""
_FINGERS_BELOW_MM: Final = 40.0  # a card is held at its lower edge, a fencer at its base
_REACH_MM: Final = math.hypot(CARD_WIDTH_MM, CARD_HEIGHT_MM)  # cards farther apart do not lie on one another
_SWEPT_MM: Final = (308.0, -150.0)
_NEAR_TRACK_MM: Final = 40.0
_REMEMBERED_S: Final = 0.3  # where a hand came from makes it a blur


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table from one time to another; what it holds is in the air meanwhile."""

    side: Side
    x_mm: float
    y_mm: float
    from_s: float
    until_s: float
    card: Card | None = None
    figure: Side | None = None
    velocity_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class TableTop:
    """The table with what is on it. ``cards`` lie in the order in which they were laid; ``deck`` is as last dealt.

    ``backs`` are the tokens on the cards' backs, where they have any.
    """

    table: Table
    cards: tuple[SceneCard, ...]
    figures: BySide[SceneFigure]
    hands: tuple[Hand, ...] = ()
    deck: tuple[Card, ...] = ()
    backs: Mapping[Card, str] | None = None

    def lying(self, card: Card) -> SceneCard | None:
        """This card as it lies on the table; None where it does not."""
        return next((each for each in self.cards if each.card == card), None)

    def scene(self, now_s: float) -> Scene:
        """The camera's scene now: cards and fencers, and the hands over them with what they hold."""
        here = [hand for hand in self.hands if hand.from_s <= now_s < hand.until_s]
        held = {hand.card for hand in here}
        lifted = {hand.figure for hand in here}
        return Scene(
            cards=tuple(card for card in self.cards if card.card not in held),
            white=None if Side.WHITE in lifted else self.figures.white,
            black=None if Side.BLACK in lifted else self.figures.black,
            hands=tuple(self._seen(hand) for hand in here),
        )

    def _seen(self, hand: Hand) -> SceneHand:
        holds: SceneCard | SceneFigure | None = None
        down_mm = _FINGERS_BELOW_MM
        if hand.card is not None:
            lay = self.lying(hand.card)
            turn_deg, face_up = (lay.turn_deg, lay.face_up) if lay is not None else (0.0, True)
            holds = self._card(hand.card, hand.x_mm, hand.y_mm, turn_deg, face_up=face_up, level=len(self.cards))
            holds = replace(holds, lifted_mm=CARRIED_MM)
        elif hand.figure is not None:
            holds = replace(self.figures[hand.figure], x_mm=hand.x_mm, y_mm=hand.y_mm, lifted_mm=CARRIED_MM)
            down_mm = 10.0
        x_mm, y_mm = hand.x_mm, hand.y_mm - down_mm
        from_deg = math.degrees(math.atan2(ELBOW_Y_MM - y_mm, ELBOW_X_MM[hand.side] - x_mm))
        return SceneHand(hand.side, x_mm, y_mm, from_deg, holds=holds, velocity_mm_s=hand.velocity_mm_s)

    def _card(self, card: Card, x_mm: float, y_mm: float, turn_deg: float, *, face_up: bool, level: int) -> SceneCard:
        back = None if self.backs is None else self.backs[card]
        return SceneCard(card, x_mm, y_mm, turn_deg, level, face_up, back=back)


def table_top(table: Table, backs: Mapping[Card, str] | None = None) -> TableTop:
    """The table as a round finds it: no cards, the fencers on 1 and 23."""
    white, black = (figure_at(table, side, START[side]) for side in Side)
    return TableTop(table, (), BySide(white, black), backs=backs)


def after(top: TableTop, act: Act, t_s: float) -> TableTop:
    """The table after this act at this time. A press changes nothing on it."""
    top = replace(top, hands=tuple(hand for hand in top.hands if hand.until_s > t_s - _REMEMBERED_S))
    match act:
        case Deal(deck):
            return replace(top, deck=deck)
        case Lay(card, x_mm, y_mm, turn_deg, face_up):
            others = tuple(each for each in top.cards if each.card != card)
            under = [each.level for each in others if math.hypot(each.x_mm - x_mm, each.y_mm - y_mm) < _REACH_MM]
            placed = top._card(card, x_mm, y_mm, turn_deg, face_up=face_up, level=1 + max(under, default=-1))
            return _reached(replace(top, cards=(*others, placed)), _nearer(x_mm), x_mm, y_mm, t_s)
        case Take(card):
            lying = top.lying(card)
            if lying is None:
                return top
            left = tuple(each for each in top.cards if each.card != card)
            return _reached(replace(top, cards=left), _nearer(lying.x_mm), lying.x_mm, lying.y_mm, t_s)
        case MoveFigure(side, x_mm, y_mm):
            return _moved(top, SceneFigure(side, x_mm, y_mm, z_mm=_height_mm(top.table, x_mm, y_mm)), t_s)
        case MoveTo(side, space):
            return _moved(top, figure_at(top.table, side, space), t_s)
        case Cover(x_mm, y_mm, s, held, figure):
            side = figure or _nearer(x_mm)
            hand = Hand(side, x_mm, y_mm, t_s, t_s + s, held, figure, _velocity(top, side, x_mm, y_mm, t_s))
            return _with_hand(top, hand)
        case Clear():
            swept = table_top(top.table, top.backs)
            return _reached(replace(swept, hands=top.hands, deck=top.deck), Side.WHITE, *_SWEPT_MM, t_s)
    return top


def _moved(top: TableTop, figure: SceneFigure, t_s: float) -> TableTop:
    standing = replace(top, figures=top.figures.put(figure.side, figure))
    return _reached(standing, figure.side, figure.x_mm, figure.y_mm, t_s)


def _reached(top: TableTop, side: Side, x_mm: float, y_mm: float, t_s: float) -> TableTop:
    """With the hand that has just opened its fingers there."""
    return _with_hand(top, Hand(side, x_mm, y_mm, t_s, t_s + HAND_S))


def _with_hand(top: TableTop, hand: Hand) -> TableTop:
    """A player acts with one hand: where it is now it is nowhere else."""
    others = tuple(other for other in top.hands if other.side is not hand.side)
    return replace(top, hands=(*others, hand))


def _velocity(top: TableTop, side: Side, x_mm: float, y_mm: float, t_s: float) -> tuple[float, float]:
    """How fast that hand came here from where it was seen last."""
    before = next((hand for hand in top.hands if hand.side is side), None)
    if before is None or t_s <= before.from_s:
        return 0.0, 0.0
    during_s = t_s - before.from_s
    return (x_mm - before.x_mm) / during_s, (y_mm - before.y_mm) / during_s


def _nearer(x_mm: float) -> Side:
    """Whose arm reaches there: White sits at the left."""
    return Side.WHITE if x_mm < _SWEPT_MM[0] else Side.BLACK


def _height_mm(table: Table, x_mm: float, y_mm: float) -> float:
    """How high a fencer's base stands there: on the nearest space, or beside the track."""
    place = min(table.spaces_mm, key=lambda place: math.hypot(place.x - x_mm, place.y - y_mm))
    return place.z if math.hypot(place.x - x_mm, place.y - y_mm) < _NEAR_TRACK_MM else 0.0
