"""The pages on which the match is corrected: figures, score, and the turns of this round."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from display.i18n import Words
from display.menu.model import Act, Goto, Item, Line, Menu, Of, Open, Page, Pick
from display.words.sentences import refusal, shown_name, side_name
from display.words.verdicts import step_text
from engine.record.corrections import Change, Correction, CorrectionError, Remove, Replace, Setting
from engine.record.course import Course, correct
from engine.rules.cards import LETTERS, VALUES, Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import SPACES, BySide, Side
from firmware.table.loop.requests import Enter
from firmware.ui.menu.page import MenuPage, choice, line
from firmware.ui.menu.pages.keeper import BY_HAND
from firmware.ui.menu.state import TurnLine

MAX_MORE: Final = 20
"""So many points more than anybody has can be chosen."""


class _Correction(MenuPage):
    """A page that corrects the match. Where later turns would no longer hold they are named first, and it has to be
    chosen once more."""

    def correct(self, key: Line, menu: Menu) -> Menu | None:
        """Correct the match as was chosen; where that cannot be, the page stays and says why."""
        now, course = self.now, self.now.course
        change = None if course is None else change_chosen(key, menu, course)
        if course is None or change is None:
            return None
        correction = Correction((change,), BY_HAND)
        try:
            fallen = correct(course, correction).fallen
        except CorrectionError:
            now.told = f"{now.named.say('menu.cannot')} {self._why_not(change, course)}".strip()
            return menu
        if fallen and now.named_before != change:
            now.named_before = change
            named = [step_text(now.named, course.round_steps[each.turn - 1]) for each in fallen]
            now.told = now.named.say("menu.falls", count=len(named), what="; ".join(named))
            return menu
        now.ask(Enter(correction))
        return None

    def apply(self, say: Words, key: Line) -> Item:
        """The line that makes the correction."""
        return Item(key, say.say("menu.apply"), does=partial(self.correct, key))

    def _why_not(self, change: Change, course: Course) -> str:
        """Why this cannot be, of all that the menu lets anybody choose."""
        say = self.now.named
        if isinstance(change, Replace):
            before = course.round_steps[change.turn - 1].state.previous
            return refusal(say, judge(before, change.event)[1])
        if isinstance(change, Setting):
            figures = change.figures is not None
            return say.say("menu.cannot_figures" if figures else "menu.cannot_score", count=course.state.points)
        return ""


class CorrectPage(MenuPage, id="correct"):
    """Corrections to choose from: figures, score, and each turn, the last one first."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        state = self.now.state
        # Once a round is over its figures stand where they stand: its last turn is changed instead.
        standing = state is not None and state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL)
        items = [line(say, Goto.FIGURES)] if standing else []
        items += [line(say, Goto.SCORE)]
        items += [Item(Goto.TURN.of(each.number), each.text) for each in reversed(self.now.turns)]
        return Page(say.say("menu.correct"), tuple(items), (say.say("menu.correct_lines"),))


class FiguresPage(_Correction, id="figures"):
    """On which spaces the figures stand."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        state = self.now.state
        assert state is not None
        track, stand = range(1, SPACES + 1), state.spaces
        # A fencer is known by its colour, a score by who has it.
        items = [_number(menu, Of(Pick.SPACE, side), side_name(say, side), track, stand[side]) for side in Side]
        items.append(self.apply(say, Act("set_figures")))
        return Page(say.say("menu.figures"), tuple(items), (say.say("menu.figures_note"),))


class ScorePage(_Correction, id="score"):
    """The points of both."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        state = self.now.state
        assert state is not None
        highest = max(score for _, score in state.score.items()) + MAX_MORE
        points = range(min(state.points, highest) + 1)
        items = [
            _number(menu, Of(Pick.SCORE, side), shown_name(say, side, self.now.names[side]), points, score)
            for side, score in state.score.items()
        ]
        items.append(self.apply(say, Act("set_score")))
        return Page(say.say("menu.score"), tuple(items), (say.say("menu.score_note"),))


class TurnPage(_Correction, id="turn"):
    """A turn of this round: its cards to be replaced, or all of it removed."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        turn = place.number
        here = next((each for each in self.now.turns if each.number == turn), TurnLine(turn, ""))
        items = []
        for at, card in enumerate(here.cards):
            text = say.say("menu.card_was", card=str(card))
            items.append(choice(menu, Of(Pick.CARD, turn, at), text, CARDS, card))
        if here.cards:
            items.append(self.apply(say, Act("replace", turn)))
        remove = Act("remove", turn)
        items.append(line(say, remove, "menu.remove", partial(self.correct, remove)))
        return Page(say.say("menu.turn"), tuple(items), (here.text,) if here.text else ())


CARDS: Final = {card: str(card) for value in VALUES for letter in LETTERS for card in [Card(value, letter)]}
"""The cards a mis-read one may have been, in the order of the CHOICE that corrects it."""


def change_chosen(key: Line, menu: Menu, course: Course) -> Change | None:
    """The change that this line makes with the values on its page; None if they are as before."""
    state = course.state
    match key:
        case Act("remove", int(number)):
            return Remove(number)
        case Act("replace", int(number)):
            turn = course.round_steps[number - 1].entry
            if not isinstance(turn, TurnEvent):
                return None
            cards = tuple(menu.chosen(Of(Pick.CARD, number, at), card) for at, card in enumerate(turn.cards))
            return None if cards == turn.cards else Replace(number, replace(turn, cards=cards))
        case Act("set_figures"):
            spaces = BySide(*(menu.chosen(Of(Pick.SPACE, side), state.spaces[side]) for side in Side))
            return None if spaces == BySide(state.spaces.white, state.spaces.black) else Setting(figures=spaces)
    score = BySide(*(menu.chosen(Of(Pick.SCORE, side), state.score[side]) for side in Side))
    return None if score == BySide(state.score.white, state.score.black) else Setting(score=score)


def _number(menu: Menu, key: Of, text: str, numbers: range, now: int) -> Item:
    return choice(menu, key, text, {number: str(number) for number in numbers}, now)
