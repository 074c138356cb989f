"""A desk at a table that is laid by hand, tick by tick."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from engine.record.corrections import Correction, Remove, Replace, Setting
from engine.record.notation import print_move
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Entry, Settings, correct, enter, open_match, take_up
from engine.table.observation import (
    CardReading,
    Doubt,
    DoubtReason,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from engine.table.presses import Button, Note, Press
from engine.table.step import step
from tests.matches import course_of, turn

BUTTON = Settings(settle_s=1.0, quiet_s=0.5, patience_s=4.0, give_up_s=10.0)
AUTO = replace(BUTTON, end_turn=EndTurn.AUTO)
_STEP: Final = re.compile(r"([^=?>]*?)(?: ?= ([^?>]*?))?(?: ?\? ([^>]*?))?(?: ?> (.*))?")
_LABELS: Final = {"unread": DoubtReason.HALF_HIDDEN, "shines": DoubtReason.BURNT, "lit": DoubtReason.LIGHT}


class AtTheTable:
    """Drives a desk tick by tick with a table that is laid by hand."""

    def __init__(self, settings: Settings = BUTTON, rules: str = "ferti-advanced") -> None:
        self.settings = settings
        self.desk, _ = open_match(MatchEvent(rules, Side.WHITE, 5))
        self.t_s = 0.0
        self.since_s = 0.0
        self.spaces: BySide[int | None] = BySide(1, 23)
        self.cards: list[CardReading] = []
        self.sight = Sight.STEADY
        self.why: Why | None = None
        self.why_side: Side | None = None
        self.problem = FigureProblem.BETWEEN_SPACES
        self.glimpsed: tuple[Card, ...] = ()
        self.unread: tuple[Doubt, ...] = ()
        self.outshone: tuple[Doubt, ...] = ()

    def lay(self, *names: str, x_mm: float = 300.0) -> None:
        for name in names:
            card = Card.parse(name)
            self.cards = [reading for reading in self.cards if reading.card != card]
            self.cards.append(CardReading(card, x_mm, -100.0, self.t_s))
        self.since_s = self.t_s

    def take(self, *names: str) -> None:
        self.cards = [reading for reading in self.cards if str(reading.card) not in names]
        self.since_s = self.t_s

    def played(self, *turns: TurnEvent) -> None:
        """These were played, and lie and stand there as they should."""
        for each in turns:
            self.desk, _ = enter(self.desk, each, self.t_s, each.cards)
            self.lay(*map(str, each.cards))
            self.stand(each.white, each.black)

    def cover(self, *names: str) -> None:
        """Nothing is seen of these any more."""
        self.cards = [replace(each, covered=each.covered or str(each.card) in names) for each in self.cards]

    def stand(self, white: int | None, black: int | None) -> None:
        self.spaces = BySide(white, black)
        self.since_s = self.t_s

    def look(self, *buttons: Button) -> tuple[Entry, ...]:
        self.t_s += 0.1
        presses = tuple(Press(self.t_s, button) for button in buttons)
        self.desk, entries = step(self.desk, self.seen(), presses, self.settings)
        return entries

    def seen(self) -> TableObservation:
        """The table as it is now."""
        figures = self.spaces.map(lambda space: FigureReading(space, None if space else self.problem))
        return TableObservation(
            self.t_s,
            self.since_s,
            figures,
            tuple(self.cards),
            self.sight,
            self.why,
            self.why_side,
            doubts=(
                *(Doubt(0.0, 0.0, 0.0, DoubtReason.COVERED, card) for card in self.glimpsed),
                *self.unread,
                *self.outshone,
            ),
        )

    @property
    def state(self) -> PublicState:
        assert self.desk.state is not None
        return self.desk.state

    @property
    def said(self) -> Note:
        """The note that is shown."""
        assert self.desk.note is not None
        return self.desk.note

    @property
    def proposed(self) -> TurnEvent | None:
        """The turn that is offered."""
        return self.desk.offer.event if self.desk.offer is not None else None

    def see(self, why: Why | None = None, sight: Sight | None = None) -> None:
        """The eyes see the table from now on, or do not for this reason."""
        self.sight, self.why = sight or (Sight.STEADY if why is None else Sight.CHECKING), why

    def turn(self, names: str, white: int | None, black: int | None) -> None:
        """Lay these cards, and put the fencers there."""
        self.lay(*names.split())
        self.stand(white, black)

    def wait(self, for_s: float) -> list[Entry]:
        return [entry for _ in range(round(for_s / 0.1)) for entry in self.look()]

    def press(self, button: Button, wait_s: float = 1.0) -> Entry:
        entries = [*self.look(button), *self.wait(wait_s)]
        assert len(entries) == 1, entries
        return entries[0]

    def tell(self, *steps: str) -> None:
        """Do all this one after the other; a step may end with what came of it.

        ``3a 2b 4-23`` lays cards and puts the fencers there (``x``: nobody can tell where), ``take 3a``, ``cover 3a``;
        ``take`` takes all; ``lain 3a``: only these lie there, and did before. ``white``, ``undo``: a button is pressed
        and a second passes, or as much as ``white+0.5`` says; ``+2``: time passes. ``hand``, ``tag_hidden white``: why
        the eyes do not see, until ``see``. ``glimpse 5b``, ``unread``, ``shines``, ``lit``: a card or a label that is
        not read, since now or another time (``unread -5``), until ``clear``.

        ``= 3a 4-23``: a turn was accepted; ``= ! no_cards``: it was refused; ``= round``, ``= yield``, several with a
        semicolon; nothing else fell. ``? card_unsure 5b``: the note that is shown, ``? -`` none. ``> 3a 4-23``: the
        turn that is proposed.
        """
        for each in steps:
            found = _STEP.fullmatch(each)
            assert found is not None, each
            doing, fell, note, proposed = found.groups()
            entries = self.did(doing.split())
            assert "; ".join(map(told, entries)) == (fell or ""), each
            if note is not None:
                assert self.noted or note == "-", each
            if proposed is not None:
                assert ("-" if self.proposed is None else laid(self.proposed)) == proposed, each

    def did(self, words: Sequence[str]) -> Sequence[Entry]:
        first, *names = words
        button, _, wait_s = first.partition("+")
        if button in ("white", "black", "act", "undo", "menu"):
            return [*self.look(Button(button)), *self.wait(float(wait_s or 1.0))]
        if first.startswith("+"):
            return self.wait(float(first))
        if first in ("take", "cover"):
            (self.take if first == "take" else self.cover)(*(names or [str(each.card) for each in self.cards]))
        elif first == "lain":
            self.cards = [CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in names]
        elif first == "glimpse":
            self.glimpsed = tuple(map(Card.parse, names))
        elif first in _LABELS:
            label = Doubt(240.0, -90.0, float(names[0]) if names else self.t_s, _LABELS[first])
            self.unread, self.outshone = ((), (label,)) if first == "lit" else ((label,), ())
        elif first == "clear":
            self.glimpsed, self.unread, self.outshone = (), (), ()
        elif first in ("auto", "see"):
            self.settings = AUTO if first == "auto" else self.settings
            self.see()
            self.why_side = None
        elif first in [why.value for why in Why]:
            self.see(Why(first))
            self.why_side = Side(names[0]) if names else None
        else:
            self.lay(*(word for word in words if "-" not in word))
            for white, black in (word.split("-") for word in words if "-" in word):
                self.stand(*(None if space == "x" else int(space) for space in (white, black)))
        return ()

    @property
    def noted(self) -> str:
        """The note that is shown, in words; empty for none."""
        note = self.desk.note
        if note is None:
            return ""
        facts = (note.side, note.problem, note.why)
        return " ".join([note.kind.value, *(each.value for each in facts if each), *map(str, note.cards)])


MATCH: Final[tuple[Event, ...]] = (MatchEvent("ferti-advanced"), RoundEvent(), turn("3a", 4, 23), turn("4a", 4, 19))
"""White on 4, Black on 19; White to act; 3a and 4a were played."""


class Resumed(AtTheTable):
    """A desk taken up again; what lies there lay there before."""

    def __init__(self, *events: Event, after_lesson: bool = False) -> None:
        super().__init__()
        self.desk = take_up(course_of(*(events or MATCH)), after_lesson=after_lesson)
        self.problem = FigureProblem.LYING
        self.stand(self.state.spaces.white, self.state.spaces.black)
        self.tell(f"lain {' '.join(map(str, self.state.played))}")

    @property
    def noted(self) -> str:
        return f"{'playing' if self.desk.comparing is None else 'comparing'} {super().noted or '-'}"

    def corrected(self, *changes: Setting | Replace | Remove) -> None:
        self.desk, _ = correct(self.desk, Correction(changes, "misread"), self.t_s)


class Partly(AtTheTable):
    """White on 4 is to act, Black stands on 15; a four was laid and White's figure moved, but its tag is hidden.

    So near the end only an advance fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.desk, _ = enter(self.desk, RoundEvent(), 0.0)
        self.played(turn("4c", 5, 23), turn("5c", 5, 18), turn("1c", 4, 18), turn("3c", 4, 15))
        self.cards, self.problem = [], FigureProblem.HIDDEN
        self.t_s = self.since_s = 1.0
        self.look()
        self.tell("4a 4-15", "tag_hidden white")


def laid(event: TurnEvent) -> str:
    """A turn as a story has it."""
    return " ".join([*map(str, event.cards), f"{event.white}-{event.black}"])


def told(entry: Entry) -> str:
    """What fell, as a story has it."""
    if entry.ruling.code is not None:
        return f"! {entry.ruling.code.value}"
    if isinstance(entry.event, Correction):
        return " ".join(
            [entry.event.name, *(print_move(each) for each in entry.event.changes if isinstance(each, Setting))]
        )
    how = " confirmed" if entry.confirmed else " by hand" if entry.by_hand else ""
    return (laid(entry.event) if isinstance(entry.event, TurnEvent) else entry.event.name) + how


def at_play() -> AtTheTable:
    """A round has begun."""
    at = AtTheTable()
    (entry,) = at.wait(1.2)
    assert isinstance(entry.event, RoundEvent)
    return at


@pytest.fixture
def table() -> AtTheTable:
    return at_play()
