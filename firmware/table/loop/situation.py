"""The situation that the screen shows at one moment, made of the desk and of one look, with its troubles."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Final, NamedTuple

from display.view import Situation, TableSituation, TroubleSpot
from engine.rules.cards import Card
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.desk import Desk
from engine.table.observation import FigureProblem, FigureReading, Sight, TableObservation, Why, half_hidden, outshone
from engine.table.presses import Note, NoteKind
from engine.table.shown import note_to_show, open_turn, to_put_right
from firmware.table.loop.moment import People
from firmware.table.loop.requests import AIM, KEEPER, LESSON
from vision.frame import Frame
from vision.look import Look


class LoopFacts(NamedTuple):
    """Facts of the loop beside desk and look: its mode, who holds it, news for the players, and both hands once they
    were shown. ``middle_x_mm`` is where White's half of the table ends."""

    mode: str
    held: Set[str]
    news: Note | None
    revealed: BySide[tuple[Card, ...]] | None
    middle_x_mm: float


def situation_of(desk: Desk, look: Look, frame: Frame, people: People, facts: LoopFacts) -> Situation:
    """The moment; while the score is kept by hand, without anything the eyes have to say."""
    situation = _as_seen(desk, look, frame, people, facts)
    if KEEPER not in facts.held:
        return situation
    return replace(
        situation,
        table=replace(situation.table, observation=None, open_turn=None, remedies=(), comparing=None, by_hand=False),
        devices=replace(situation.devices, kept_by_hand=True),
    )


def _as_seen(desk: Desk, look: Look, frame: Frame, people: People, facts: LoopFacts) -> Situation:
    seen, now_s = look.table, frame.t_s
    return Situation(
        state=desk.state,
        ruling=desk.ruling,
        verdict_age_s=now_s - desk.verdict_s,
        verdicts=desk.verdicts,
        table=TableSituation(
            open_turn=open_turn(desk, seen, facts.middle_x_mm),
            observation=seen,
            remedies=to_put_right(desk, seen),
            confirm_give_up=desk.give_up_s is not None,
            waiting=desk.waiting is not None,
            note=note_to_show(desk, facts.news, now_s),
            comparing=desk.comparing,
            trouble=trouble_told(desk, look, frame) if not facts.held else None,
            by_hand=desk.unseen is not None and desk.unseen.due,
            offer=desk.offer.turn if desk.offer is not None else None,
        ),
        names=people.names,
        portraits=people.names.map(people.picture_of),
        language=people.language,
        revealed=facts.revealed,
        mode=facts.mode,
        paused=bool(facts.held - {LESSON, KEEPER, AIM}),
        fallen=desk.course.fallen if desk.course is not None else (),
    )


def nothing_seen(t_s: float) -> TableObservation:
    """The table for eyes that failed: nobody can say how it stands."""
    hidden = FigureReading(None, FigureProblem.HIDDEN)
    return TableObservation(t_s, t_s, BySide(hidden, hidden), (), Sight.BLIND, Why.BOARD_LOST)


TOLD_AFTER_S: Final = 3.0
"""For how long the eyes may be unsteady before that is shown; where a press waits, or found no answer, at once."""
SET_UP_S: Final = 15.0
"""The same for hands and hidden tags while nobody is to act: there is much to be laid and put then."""
_OF_HANDS: Final = (Why.HAND, Why.TAG_HIDDEN)


def trouble_told(desk: Desk, look: Look, frame: Frame) -> tuple[TroubleSpot, ...] | None:
    """The places to be shown, none where nobody knows them; None while the players need not be shown anything."""
    seen = look.table
    if desk.state is not None and desk.state.phase is Phase.MATCH_OVER:
        return None
    playing = desk.comparing is not None or (desk.state is not None and desk.state.to_act is not None)
    asked = desk.note is not None and desk.note.kind in (NoteKind.CANNOT_SEE, NoteKind.CARD_HIDDEN)
    if seen.sight is Sight.STEADY:
        hidden = half_hidden(desk.opened_s, seen) if playing and desk.comparing is None else ()
        if asked and not hidden:
            hidden = outshone(desk.opened_s, seen)
        if not any(asked or seen.t_s - label.since_s >= TOLD_AFTER_S for label in hidden):
            return None
        return _spots(look, frame, (None, Why.GLARE))
    if desk.unseen is None:
        return None
    at_once = asked or desk.waiting is not None or desk.offer is not None
    patience_s = TOLD_AFTER_S if playing or seen.why not in _OF_HANDS else SET_UP_S
    if not at_once and seen.t_s - desk.unseen.since_s < patience_s:
        return None
    return _spots(look, frame, (seen.why, None))


def _spots(look: Look, frame: Frame, of: tuple[Why | None, ...]) -> tuple[TroubleSpot, ...]:
    """The troubles of these kinds, in shares of the picture."""
    height, width = frame.y.shape
    return tuple(
        TroubleSpot(
            trouble.why,
            tuple((x / width, y / height) for x, y in trouble.outline.tolist()),
            trouble.side,
            trouble.too_small,
            trouble.mirrored,
        )
        for trouble in look.trouble
        if trouble.why in of and len(trouble.outline)
    )
