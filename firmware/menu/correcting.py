"""A correction chosen in the menu: what is to change, and whether it can be."""

from __future__ import annotations

from dataclasses import replace

from display.menu.lines import Do, Line, Of, Pick
from display.menu.model import Menu
from display.words.sentences import refusal, words_for
from display.words.told import step_text
from engine.record.corrections import Change, Correction, CorrectionError, Remove, Replace, Setting
from engine.record.course import Course, correct
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.track import BySide, Side
from firmware.loop.moment import People
from firmware.menu.by_hand import BY_HAND


def change_chosen(key: Line, menu: Menu, course: Course) -> Change | None:
    """What this line changes, with what was picked on its page; None where all of that is as it was."""
    state = course.state
    match key:
        case Of(Do.REMOVE, int(number)):
            return Remove(number)
        case Of(Do.REPLACE, int(number)):
            turn = course.round_steps[number - 1].entry
            if not isinstance(turn, TurnEvent):
                return None
            cards = tuple(menu.chosen(Of(Pick.CARD, number, at), card) for at, card in enumerate(turn.cards))
            return None if cards == turn.cards else Replace(number, replace(turn, cards=cards))
        case Do.SET_FIGURES:
            spaces = BySide(*(menu.chosen(Of(Pick.SPACE, side), state.spaces[side]) for side in Side))
            return None if spaces == BySide(state.spaces.white, state.spaces.black) else Setting(figures=spaces)
    score = BySide(*(menu.chosen(Of(Pick.SCORE, side), state.score[side]) for side in Side))
    return None if score == BySide(state.score.white, state.score.black) else Setting(score=score)


class Correcting:
    """Makes corrections of changes. Where later turns would no longer hold they are named first, and it has to be
    chosen once more."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._named_before: Change | None = None

    def of(self, change: Change, course: Course) -> tuple[Correction | None, str]:
        """The correction of this match that it is; None where it cannot be (yet), and why, in the players' words."""
        say = words_for(self._people.language, self._people.names)
        correction = Correction((change,), BY_HAND)
        try:
            fallen = correct(course, correction).fallen
        except CorrectionError:
            return None, f"{say.say('menu.cannot')} {self._why_not(change, course)}".strip()
        if fallen and self._named_before != change:
            self._named_before = change
            named = [step_text(say, course.round_steps[each.turn - 1]) for each in fallen]
            return None, say.say("menu.falls", count=len(named), what="; ".join(named))
        return correction, ""

    def _why_not(self, change: Change, course: Course) -> str:
        """Why this cannot be, of all that the menu lets anybody choose."""
        say = words_for(self._people.language, self._people.names)
        if isinstance(change, Replace):
            before = course.round_steps[change.turn - 1].state.previous
            return refusal(say, judge(before, change.event)[1])
        if isinstance(change, Setting):
            figures = change.figures is not None
            return say.say("menu.cannot_figures" if figures else "menu.cannot_score", count=course.state.points)
        return ""
