"""Entries of the record in one short sentence each, for lists to choose from."""

from __future__ import annotations

from display.i18n import Words
from display.words.ends import reason_text
from display.words.sentences import side_name
from display.words.turns import last_turn
from display.words.verdicts import turn_text
from engine.record.corrections import Setting
from engine.record.course import CourseStep


def step_text(say: Words, step: CourseStep) -> str:
    """What this entry did: ``White advances 3``."""
    if isinstance(step.entry, Setting) and step.entry.won is not None:
        return reason_text(say, step.state)
    if isinstance(step.entry, Setting):
        return say.say("event.correct")
    told = last_turn(step.state, step.ruling)
    if told is not None:
        return turn_text(say, told)
    if step.ruling.event == "yield" and step.ruling.player is not None:
        return say.say("accepted.yield", side=side_name(say, step.ruling.player))
    return say.say(f"event.{step.ruling.event}")
