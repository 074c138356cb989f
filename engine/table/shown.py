"""The desk as it is shown beside the match: the open turn, remedies that are still to be done, the note."""

from __future__ import annotations

from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.rulings import Remedy, RemedyKind, Ruling, RulingCode
from engine.rules.state import Phase, PublicState
from engine.table.comparison import put_back
from engine.table.desk import Desk
from engine.table.observation import TableObservation
from engine.table.possible_turns import next_step
from engine.table.presses import Note, NoteKind
from engine.table.stand_ins import AskedCards, understood
from engine.table.table_reading import (
    OpenTurn,
    new_cards,
    read_open_turn,
    setup_remedies,
    with_discards_at_rest,
    without_taken,
)


def open_turn(desk: Desk, seen: TableObservation, middle_x_mm: float) -> OpenTurn | None:
    """The turn as seen so far, under the record's names of the cards."""
    if desk.state is None or desk.comparing is not None:
        return None
    asked = AskedCards(desk.asked_about, desk.asked_s)
    seen, _ = understood(desk.state, seen, desk.stand_ins, desk.opened_s, middle_x_mm, asked)
    seen = without_taken(seen, desk.taken)
    seen = with_discards_at_rest(seen, desk.state, desk.discards, desk.opened_s)
    return read_open_turn(desk.state, seen, desk.opened_s)


def to_put_right(desk: Desk, seen: TableObservation) -> tuple[Remedy, ...]:
    """The remedies still to be done: of a set-up, or of the refused turn as far as it still stands so."""
    state, ruling = desk.state, desk.ruling
    if desk.comparing is not None:
        return put_back(desk.comparing.difference) if desk.comparing.difference is not None else ()
    if state is None or state.phase in (Phase.SETUP, Phase.ROUND_OVER):
        return setup_remedies(state, seen)
    if ruling is None or ruling.ok:
        return ()
    onward = _going_on(state, desk.refused_table, ruling)
    remedies = onward if onward is not None else ruling.remedies
    there = {reading.card for reading in new_cards(state, seen)} | {*state.played}
    return tuple(
        remedy
        for remedy in remedies
        if (remedy.card is None or remedy.card in there)
        and (remedy.side is None or remedy.space is None or seen.figures[remedy.side].space != remedy.space)
    )


def _going_on(state: PublicState, refused: TurnEvent | None, ruling: Ruling) -> tuple[Remedy, ...] | None:
    """The step that makes a turn of one whose fencer moved too far or not far enough, where it is shorter than undoing
    the turn: the fencer's way back, and every card taken up. A fencer that was forgotten only has to go."""
    side = state.to_act
    if refused is None or side is None or ruling.code not in (RulingCode.WRONG_DISTANCE, RulingCode.ATTACK_VALUE):
        return None
    stands, began = refused.spaces[side], state.spaces[side]
    ends = [began + move * side.forward for move in next_step(state, refused.cards, refused.spaces).moves]
    nearest = min(ends, key=lambda space: abs(space - stands), default=None)
    if nearest is None or (stands != began and abs(nearest - stands) > abs(began - stands) + len(refused.cards)):
        return None
    return (Remedy(RemedyKind.MOVE_FIGURE, side=side, space=nearest),)


def note_to_show(desk: Desk, news: Note | None, now_s: float) -> Note | None:
    """The desk's note; ``news`` stand for their time although the first round begins, but not over a player's turn."""
    quiet = desk.note is None or desk.note.kind is NoteKind.TABLE_AGREES
    nobody_played = desk.ruling is None or desk.ruling.event in (MatchEvent.name, RoundEvent.name)
    fresh = news is not None and now_s < news.t_s + news.hold_s
    return news if fresh and quiet and nobody_played else desk.note
