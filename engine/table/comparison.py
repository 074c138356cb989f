"""The table beside the record, before play goes on: what differs, and what it takes to agree.

After a restart, and after a correction, the table may stand otherwise than the record has it: a hand moved on while
nobody looked, or the record was wrong. Nobody but the players knows which, so both are said and they choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.record.corrections import Setting, room_for_cards
from engine.rules.cards import Card
from engine.rules.referee import judge
from engine.rules.rulings import Remedy, RemedyKind
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation
from engine.table.table_reading import Unreadable, new_cards, read_spaces, read_turn

_AS_RECORDED: Final[BySide[int | None]] = BySide(None, None)


@dataclass(frozen=True, slots=True)
class Difference:
    """How the table differs from the record; ``bool(difference)`` is whether it does.

    ``figures``: the space of each fencer who stands elsewhere than in the record, None for one who does not.
    ``recorded``: where the record has both. ``cards`` lie there and the record does not know them. ``unreadable``: a
    fencer who has no space, so that nobody can say yet.
    """

    recorded: BySide[int]
    figures: BySide[int | None] = _AS_RECORDED
    cards: tuple[Card, ...] = ()
    unreadable: Unreadable | None = None

    def __bool__(self) -> bool:
        return self.unreadable is not None or bool(self.cards) or any(space for _, space in self.figures.items())


@dataclass(frozen=True, slots=True)
class Comparing:
    """The table is compared with the record before play goes on: after a restart, and after a correction.

    ``difference`` is None until the eyes agreed. ``insisted_s``: when Black's button said that the record is right;
    None before. ``restarted``: a match was taken up again. ``rebuilding``: a lesson was given at this table, so that
    the record is right whatever lies there: no button says otherwise.
    """

    difference: Difference | None = None
    insisted_s: float | None = None
    restarted: bool = False
    rebuilding: bool = False


def compare(state: PublicState, observation: TableObservation) -> Difference:
    """The difference now. Between rounds there is none: there the table is set up anew.

    While hands are shown only the figures count: cards the record does not know are the hands.
    """
    recorded = state.spaces
    if state.phase not in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
        return Difference(recorded)
    cards: tuple[Card, ...] = ()
    if state.phase is not Phase.REVEAL:
        cards = tuple(reading.card for reading in new_cards(state, observation))
    spaces = read_spaces(observation)
    if isinstance(spaces, Unreadable):
        return Difference(recorded, cards=cards, unreadable=spaces)
    elsewhere = {side: None if space == recorded[side] else space for side, space in spaces.items()}
    return Difference(recorded, BySide(elsewhere[Side.WHITE], elsewhere[Side.BLACK]), cards)


def put_back(difference: Difference) -> tuple[Remedy, ...]:
    """The remedies where the record is right."""
    figures = tuple(
        Remedy(RemedyKind.MOVE_FIGURE, side=side, space=difference.recorded[side])
        for side, space in difference.figures.items()
        if space is not None
    )
    return figures + tuple(Remedy(RemedyKind.TAKE_BACK_CARD, card=card) for card in difference.cards)


def as_it_stands(state: PublicState, observation: TableObservation, opened_s: float) -> Setting | None:
    """The setting where the table is right. None where none is needed: it shows a legal turn that is only not ended.

    Cards the record does not know were played by then, one drawn for each; where the pile does not allow that they
    stay what they look like, the open turn's. ``opened_s`` is when the turn began. Both fencers have to be readable.
    """
    difference = compare(state, observation)
    turn = read_turn(state, observation, opened_s)
    if difference.unreadable is not None or isinstance(turn, Unreadable):
        return None
    if state.to_act is not None and turn.cards and judge(state, turn)[1].ok:
        return None
    moved = any(space is not None for _, space in difference.figures.items())
    cards = difference.cards if room_for_cards(state, len(difference.cards)) else ()
    setting = Setting(turn.spaces if moved else None, None, cards)
    return None if setting.empty else setting
