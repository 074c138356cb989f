"""One look at the table: what turns observations and presses into events, as a pure step of the desk.

``step`` is handed the desk as it was and what was seen and pressed, and gives the desk as it is now and the events
that fell.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.record.corrections import Correction, CorrectionError
from engine.rules.cards import Card
from engine.rules.events import Event, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState
from engine.table.asking import Asking, asking, meant, stood_when_pressed
from engine.table.by_hand_offer import READ_S, Offer, offer_of, stands, unanswered, watched
from engine.table.comparison import Difference, as_it_stands, compare
from engine.table.desk import TREMBLE_S, Desk, EndTurn, Entry, Settings, Stepped, enter, rule
from engine.table.observation import Sight, TableObservation, is_quiet, may_begin
from engine.table.presses import Button, Note, NoteKind, Press
from engine.table.stand_ins import NO_STAND_INS, AskedCards, understood
from engine.table.table_reading import (
    GIVES_UP_WHEN_REPEATED,
    Unreadable,
    lain,
    missed_turns,
    perhaps_taken,
    read_reveal,
    read_round_start,
    read_turn,
    same_turn,
    still_taken,
    with_discards_at_rest,
    without_taken,
)

TABLE_IS_RIGHT: Final = "the table is right"
"""Why such a correction was made, as the journal has it."""


def step(desk: Desk, seen: TableObservation, presses: tuple[Press, ...], settings: Settings) -> Stepped:
    """One look at the table, under the record's names of its cards."""
    if desk.state is None or desk.stand_ins == NO_STAND_INS:
        return _step(desk, seen, presses, settings)
    asked = AskedCards(desk.asked_about, desk.asked_s)
    seen, names = understood(desk.state, seen, desk.stand_ins, desk.opened_s, settings.middle_x_mm, asked)
    before = desk.stand_ins
    desk, entries = _step(desk, seen, presses, settings)
    if desk.stand_ins is before and any(entry.ruling.ok for entry in entries):
        desk = replace(desk, stand_ins=names.after(desk.state))
    return desk, entries


def _step(desk: Desk, seen: TableObservation, presses: tuple[Press, ...], settings: Settings) -> Stepped:
    """Presses first, then what falls by itself."""
    desk = replace(desk, taken=still_taken(desk.taken, seen))
    seen = without_taken(seen, desk.taken)
    if (state := desk.state) is not None:
        desk = replace(desk, discards=lain(desk.discards, state, seen, desk.opened_s))
        seen = with_discards_at_rest(seen, state, desk.discards, desk.opened_s)
    desk = _watch(desk, seen)
    if desk.comparing is not None:
        desk, entries = _compare(desk, seen, presses, settings)
        return _forget(replace(desk, stood=None), seen, settings), entries
    desk = _with_bare_table(desk, seen, settings)
    entries = ()
    for press in presses:
        desk, more = _take_press(desk, press, seen)
        entries += more
    desk, more = _answer_waiting(desk, seen, settings)
    entries += more
    if not more:
        desk, more = _by_itself(desk, seen, settings)
        entries += more
    stood = seen if is_quiet(seen, settings.quiet_s) else desk.stood
    return _forget(replace(desk, stood=stood), seen, settings), entries


def hold(desk: Desk) -> Desk:
    """The desk while nothing is judged: what lies there after a pause is not what was pressed for."""
    if desk.waiting is None and desk.unseen is None and desk.offer is None:
        return desk
    return replace(desk, waiting=None, unseen=None, offer=None)


def _watch(desk: Desk, seen: TableObservation) -> Desk:
    """The desk, knowing what the eyes cannot see; a proposal that cannot be meant any more is taken away."""
    state = desk.state
    unseen = watched(desk.unseen, None if desk.comparing is not None else state, seen, desk.opened_s)
    offer = desk.offer
    if offer is not None and (state is None or not stands(offer, unseen, state, seen)):
        offer = None
    return replace(desk, unseen=unseen, offer=offer)


def _compare(desk: Desk, seen: TableObservation, presses: tuple[Press, ...], settings: Settings) -> Stepped:
    """White's button: the table is right. Black's: the record is; once more: go on although they differ.

    After a lesson neither says anything: what it left would become a part of the match, at once or as a turn.
    """
    entries: tuple[Entry, ...] = ()
    for press in presses:
        comparing = desk.comparing
        if comparing is None:
            break
        if press.button is Button.UNDO:
            desk, entries = rule(desk, UndoEvent(), press.t_s)
        elif comparing.rebuilding:
            continue
        elif press.button is Button.WHITE and comparing.difference:  # nobody chooses a difference not shown
            desk = replace(desk, waiting=press, note=None)
        elif press.button is Button.BLACK:
            if comparing.insisted_s is None:
                desk = replace(desk, comparing=replace(comparing, insisted_s=press.t_s), waiting=None, note=None)
            elif press.t_s - comparing.insisted_s >= settings.quiet_s:
                desk = replace(desk, comparing=None, waiting=None, opened_s=press.t_s)
    state, comparing = desk.state, desk.comparing
    if state is None or comparing is None:
        return replace(desk, comparing=None), entries
    if not is_quiet(seen, settings.quiet_s):
        return _tired_of_waiting(desk, seen, settings), entries
    difference = compare(state, seen)
    if not difference:
        note = Note(NoteKind.TABLE_AGREES, seen.t_s) if comparing.restarted and state.round else desk.note
        return replace(desk, comparing=None, waiting=None, note=note, opened_s=seen.t_s), entries
    shown_before = comparing.difference == difference
    desk = replace(desk, comparing=replace(comparing, difference=difference))
    if desk.waiting is None or not shown_before:
        return replace(desk, waiting=None), entries
    desk, more = _table_is_right(replace(desk, waiting=None), state, difference, seen)
    return desk, entries + more


def _table_is_right(desk: Desk, state: PublicState, difference: Difference, seen: TableObservation) -> Stepped:
    """The record is corrected to what lies and stands here; a legal turn that is only not ended is left open."""
    if difference.unreadable is not None:
        side, problem = difference.unreadable.side, difference.unreadable.problem
        return replace(desk, note=Note(NoteKind.FIGURE_UNREADABLE, seen.t_s, side=side, problem=problem)), ()
    setting = as_it_stands(state, seen, desk.opened_s)
    if setting is None:
        return replace(desk, comparing=None), ()
    try:
        desk, entries = rule(desk, Correction((setting,), TABLE_IS_RIGHT), seen.t_s)
    except CorrectionError:
        return replace(desk, note=Note(NoteKind.TABLE_IMPOSSIBLE, seen.t_s)), ()
    return replace(desk, comparing=None), entries


def _tired_of_waiting(desk: Desk, seen: TableObservation, settings: Settings) -> Desk:
    """The desk; a press that has waited too long for the eyes is answered."""
    if desk.waiting is None or seen.t_s - desk.waiting.t_s <= settings.patience_s:
        return desk
    note = Note(NoteKind.CANNOT_SEE, seen.t_s, side=seen.why_side, why=seen.why)
    return replace(desk, waiting=None, note=note, unseen=unanswered(desk.unseen))


def _take_press(desk: Desk, press: Press, seen: TableObservation) -> Stepped:
    state = desk.state
    if desk.offer is not None and press.button is not Button.MENU:
        return _answer_offer(desk, desk.offer, press)
    if press.button is Button.UNDO:
        return rule(desk, UndoEvent(), press.t_s)
    if press.button is Button.MENU or state is None or state.phase is Phase.MATCH_OVER:
        return desk, ()
    side = press.button.side
    if state.to_act is not None and side is not None and side is not state.to_act:
        return replace(desk, note=Note(NoteKind.NOT_YOUR_TURN, press.t_s, side=state.to_act)), ()
    if desk.give_up_s is not None and press.t_s - desk.give_up_s < TREMBLE_S:
        return desk, ()  # still the press that was answered
    return replace(desk, waiting=press, note=None, offer=offer_of(desk.unseen, state, seen)), ()


def _answer_offer(desk: Desk, offer: Offer, press: Press) -> Stepped:
    """The player's own button says that it was so, any other that it was not."""
    if press.button is Button.ACT or press.button.side is offer.turn.player:
        if press.t_s - offer.at_s < READ_S:
            return desk, ()  # nobody has read it yet
        ruled, entries = enter(desk, offer.event, press.t_s, offer.cards)
        return ruled, tuple(replace(entry, confirmed=True) for entry in entries)
    unseen = replace(desk.unseen, declined=True) if desk.unseen is not None else None
    return replace(desk, offer=None, waiting=None, unseen=unseen), ()


def _answer_waiting(desk: Desk, seen: TableObservation, settings: Settings) -> Stepped:
    press, state = desk.waiting, desk.state
    if press is None or state is None:
        return desk, ()
    if not is_quiet(seen, settings.quiet_s):
        stood = stood_when_pressed(desk, press, seen)
        if stood is None:
            return _tired_of_waiting(desk, seen, settings), ()
        seen = stood
    if desk.offer is not None:  # that is the answer, unless what shines can be read in time
        return (desk if seen.t_s - press.t_s <= settings.patience_s else replace(desk, waiting=None)), ()
    desk = replace(desk, waiting=None)
    if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
        start = read_round_start(state, seen)
        if start is not None:
            return rule(desk, start, seen.t_s)
        turns = missed_turns(state, seen, press.button.side) if not state.round or _was_bare(desk) else ()
        if turns:
            return _take_up_round(desk, turns, seen)
        return replace(desk, note=Note(NoteKind.ROUND_NOT_SET_UP, seen.t_s)), ()
    if state.phase is Phase.REVEAL:
        reveal = read_reveal(state, seen, settings.middle_x_mm)
        if reveal is None:
            return replace(desk, note=Note(NoteKind.HANDS_NOT_SHOWN, seen.t_s)), ()
        return rule(desk, reveal, seen.t_s)
    question = asking(state, seen, desk.opened_s, desk.asked_about)
    if question is not None:
        return replace(_asked(desk, seen, question), unseen=unanswered(desk.unseen)), ()
    if taken := desk.asked_about.intersection(perhaps_taken(state, seen, desk.opened_s)):
        desk = replace(desk, taken=desk.taken.union(card for card in taken if isinstance(card, Card)))
        seen = without_taken(seen, desk.taken)
    turn = read_turn(state, seen, desk.opened_s)
    if isinstance(turn, Unreadable):
        note = Note(NoteKind.FIGURE_UNREADABLE, seen.t_s, side=turn.side, problem=turn.problem)
        return replace(desk, note=note), ()
    pressed_for = meant(desk, press, state, seen, turn)
    if pressed_for is None:
        return replace(desk, note=Note(NoteKind.CAME_LATER, seen.t_s)), ()
    if pressed_for != turn and desk.stood is not None:
        ruled, entries = rule(desk, pressed_for, seen.t_s)
        return replace(ruled, opened_s=desk.stood.t_s), entries  # what came later is the next turn's
    return _end_turn(desk, state, seen, turn)


def _end_turn(desk: Desk, state: PublicState, seen: TableObservation, turn: TurnEvent) -> Stepped:
    """The press that ends a turn: giving up when it repeats an empty one, else the turn the table shows."""
    before = desk.refused_table
    if desk.give_up_s is not None and before is not None and same_turn(turn, before):
        return rule(desk, YieldEvent(turn.cards), seen.t_s)
    desk, entries = rule(desk, turn, seen.t_s)
    if turn.spaces == state.spaces and entries[-1].ruling.code in GIVES_UP_WHEN_REPEATED:
        return replace(desk, give_up_s=seen.t_s), entries
    return desk, entries


def _by_itself(desk: Desk, seen: TableObservation, settings: Settings) -> Stepped:
    """Events without a press: a board that is set up, two hands shown in full and, with auto, a legal turn."""
    state = desk.state
    if state is None or desk.waiting is not None:
        return desk, ()
    if desk.note is not None and desk.note.kind is NoteKind.NOT_KEPT:
        return desk, ()  # a disk that is full is not asked again with every frame: a press does
    event: Event | Unreadable | None = None
    if state.phase is Phase.REVEAL and is_quiet(seen, 2 * settings.quiet_s):
        event = read_reveal(state, seen, settings.middle_x_mm)
    elif state.to_act is not None and settings.end_turn is EndTurn.AUTO and is_quiet(seen, settings.settle_s):
        question = asking(state, seen, desk.opened_s, frozenset())
        if question is not None:
            patient = is_quiet(seen, 2 * settings.settle_s)  # the eyes may still find it out
            return (_ask_by_itself(desk, state, seen, question) if patient else desk), ()
        event = read_turn(state, seen, desk.opened_s)
    elif may_begin(seen, settings.quiet_s) and (
        # The last round's end was on the screen long enough, or the table has been set up anew since.
        seen.since_s > desk.verdict_s or seen.t_s - desk.verdict_s >= settings.settle_s
    ):
        event = read_round_start(state, seen)
        if event is None and _was_bare(desk) and is_quiet(seen, settings.settle_s):
            # The last of them may go on: it ends as any turn does.
            turns = missed_turns(state, seen)
            return _take_up_round(desk, turns[:-1], seen, turns[-1]) if turns else (desk, ())
    if event is None or isinstance(event, Unreadable) or not judge(state, event)[1].ok:
        return desk, ()
    return rule(desk, event, seen.t_s)


def _with_bare_table(desk: Desk, seen: TableObservation, settings: Settings) -> Desk:
    """The desk, knowing when the table was last seen without a card; no hand hides one for as long as a turn waits."""
    if seen.cards or seen.sight is Sight.BLIND or desk.state is None or desk.state.to_act is not None:
        return desk
    bare = is_quiet(seen, settings.quiet_s) or seen.t_s - seen.since_s >= settings.settle_s
    return replace(desk, bare_s=seen.t_s) if bare else desk


def _was_bare(desk: Desk) -> bool:
    """Whether every card on the table came since the last ruling: before that none lay there."""
    return desk.bare_s > desk.verdict_s


def _take_up_round(
    desk: Desk, turns: tuple[TurnEvent, ...], seen: TableObservation, going_on: TurnEvent | None = None
) -> Stepped:
    """A round whose start was missed begins and these turns are ruled; the turn ``going_on`` is open since the last."""
    opened_s, entries = desk.opened_s, tuple[Entry, ...]()
    events: tuple[Event, ...] = (RoundEvent(), *turns)
    for event in events:
        desk, more = rule(desk, event, seen.t_s)
        entries += more
    if going_on is not None:
        before = (reading.laid_at_s for reading in seen.cards if reading.card not in going_on.cards)
        desk = replace(desk, opened_s=max(before, default=opened_s))
    return replace(desk, note=Note(NoteKind.ROUND_TAKEN_UP, seen.t_s)), entries


def _ask_by_itself(desk: Desk, state: PublicState, seen: TableObservation, question: Asking) -> Desk:
    """The desk; what would be asked of a press is asked, once, where the turn looks ended.

    Its fencer has moved, or what is read is a legal turn: an attack or a parry moves nobody.
    """
    assert state.to_act is not None
    if desk.note is not None or question.about <= desk.asked_about:
        return desk
    moved = seen.figures[state.to_act].space not in (None, state.spaces[state.to_act])
    turn = read_turn(state, seen, desk.opened_s)
    if not moved and not (isinstance(turn, TurnEvent) and judge(state, turn)[1].ok):
        return desk
    return _asked(desk, seen, question)


def _asked(desk: Desk, seen: TableObservation, question: Asking) -> Desk:
    """The desk once this was asked."""
    asked_s = seen.t_s if question.note.cards else desk.asked_s
    return replace(desk, note=question.note, asked_about=desk.asked_about | question.about, asked_s=asked_s)


def _forget(desk: Desk, seen: TableObservation, settings: Settings) -> Desk:
    """Drop what the table has outlived: a note, an offer to give up, a refusal once things were put elsewhere."""
    state = desk.state
    if state is None or seen.sight is not Sight.STEADY:
        return desk
    if desk.note is not None and seen.since_s > desk.note.t_s and seen.t_s >= desk.note.t_s + desk.note.hold_s:
        desk = replace(desk, note=None)
    if desk.refused_table is None:
        return desk
    lapsed = desk.give_up_s is not None and seen.t_s > desk.give_up_s + settings.give_up_s
    if lapsed or not same_turn(read_turn(state, seen, desk.opened_s), desk.refused_table):
        desk = replace(desk, give_up_s=None, refused_table=None, ruling=None)
    return desk
