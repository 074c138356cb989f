"""A round that ends by giving up says so wherever its end is told, and what nobody saw is not claimed."""

from __future__ import annotations

import pytest

from display.i18n import LANGUAGES
from display.menu.model import Goto, Menu, MenuPlace
from display.page.page import About, match_page
from display.page.story import JudgedEntry, story
from display.view import Situation
from display.words.aloud import standing
from display.words.ends import ending_title
from display.words.present import present
from display.words.sentences import words_for
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from tests.display.menu_showcase import MenuContext, page_of

NAMES = BySide("Ana", "Ben")
NOT_PARRIED = {
    "en": "Touch! Ben doesn’t parry: Ana wins the round",
    "de": "Treffer! Ben pariert nicht: Ana gewinnt die Runde",
    "fr": "Touché\u00a0! Ben ne pare pas\u00a0: Ana gagne la manche",
    "nl": "Geraakt! Ben pareert niet: Ana wint de ronde",
}
GIVEN_UP = {
    "en": "Ben gives up: Ana wins the round",
    "de": "Ben gibt auf: Ana gewinnt die Runde",
    "fr": "Ben abandonne\u00a0: Ana gagne la manche",
    "nl": "Ben geeft op: Ana wint de ronde",
}


def turn(cards: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in cards.split()), white, black)


ATTACKED = (turn("5a", 6, 23), turn("5b", 6, 18), turn("5c", 11, 18), turn("2a", 11, 16), turn("5d", 11, 16))
"""A direct attack of White's with one card, which waits for its answer."""


def judged(*events: Event, points: int = 1) -> list[JudgedEntry]:
    """A match of so many points, entry by entry."""
    state: PublicState | None = None
    entries: list[JudgedEntry] = []
    for event in (MatchEvent("ferti-advanced", points=points), RoundEvent(), *events):
        state, ruling = judge(state, event)
        assert ruling.ok
        assert state is not None
        entries.append((event, state, ruling))
    return entries


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("events", "told"), [((*ATTACKED, YieldEvent()), NOT_PARRIED), ((turn("5a", 6, 23), YieldEvent()), GIVEN_UP)]
)
@pytest.mark.parametrize("points", [1, 2])
def test_every_end_says_that_somebody_gave_up(
    events: tuple[Event, ...], told: dict[str, str], points: int, language: str
) -> None:
    """The verdict, what is read aloud, where the match stands, who keeps the score by hand, and the match's page."""
    entries = judged(*events, points=points)
    _, state, ruling = entries[-1]
    situation = Situation(state, ruling, names=NAMES, language=language)
    view, say = present(situation), words_for(language, NAMES)
    over = state.phase is Phase.MATCH_OVER
    assert over is (points == 1)
    assert (view.verdict.detail if over else f"{view.verdict.headline}.") == f"{told[language]}."
    assert f"{told[language]}." in {f"{each.rstrip('.')}." for each in view.heard.aloud}
    assert told[language] in standing(say, situation)
    board = page_of(Menu((MenuPlace(Goto.MANUAL),)), MenuContext(language=language, names=NAMES, state=state)).board
    assert board is not None
    assert view.ending is not None
    assert board.ask == view.ending.title == ending_title(say, state)
    assert (board.told == f"{told[language]}.") is over, "why, under who won the match"
    page = match_page(story(entries, NAMES, language), About(1, "", finished=over))
    assert page.replace("&#x27;", "’").count(told[language]) == 1
