"""What stands on the screen at one moment, made of the desk and of one look, before anybody adds his words to it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import NamedTuple

from display.view import Situation
from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.desk import Desk
from engine.table.notes import Note
from engine.table.observation import FigureProblem, FigureReading, Sight, TableObservation, Why
from engine.table.shown import note_to_show, open_turn, to_put_right
from firmware.loop.moment import People
from firmware.loop.requests import AIM, KEEPER, LESSON
from firmware.loop.trouble_told import trouble_told
from vision.frame import Frame
from vision.look import Look


class LoopFacts(NamedTuple):
    """What the loop knows beside desk and look: its mode, who holds it, news for the players, and both hands once they
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
        observation=None,
        open_turn=None,
        remedies=(),
        comparing=None,
        by_hand=False,
        kept_by_hand=True,
    )


def _as_seen(desk: Desk, look: Look, frame: Frame, people: People, facts: LoopFacts) -> Situation:
    seen, now_s = look.table, frame.t_s
    return Situation(
        state=desk.state,
        ruling=desk.ruling,
        verdict_age_s=now_s - desk.verdict_s,
        verdicts=desk.verdicts,
        open_turn=open_turn(desk, seen, facts.middle_x_mm),
        observation=seen,
        remedies=to_put_right(desk, seen),
        confirm_give_up=desk.give_up.side if desk.give_up is not None else None,
        waiting=desk.waiting is not None,
        note=note_to_show(desk, facts.news, now_s),
        names=people.names,
        portraits=people.names.map(people.picture_of),
        language=people.language,
        revealed=facts.revealed,
        mode=facts.mode,
        comparing=desk.comparing,
        paused=bool(facts.held - {LESSON, KEEPER, AIM}),
        fallen=desk.course.fallen if desk.course is not None else (),
        trouble=trouble_told(desk, look, frame) if not facts.held else None,
        by_hand=desk.unseen is not None and desk.unseen.due,
        offer=desk.offer.turn if desk.offer is not None else None,
    )


def nothing_seen(t_s: float) -> TableObservation:
    """The table for eyes that failed: nobody can say how it stands."""
    hidden = FigureReading(None, FigureProblem.HIDDEN)
    return TableObservation(t_s, t_s, BySide(hidden, hidden), (), Sight.BLIND, Why.BOARD_LOST)
