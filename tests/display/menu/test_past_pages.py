"""Past matches in the menu: pages that open one another, a round drawn turn by turn, and every word said."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from display.i18n import Words, words
from display.menu.lines import Do, Goto, Of, Open
from display.menu.model import Item, Key, Menu, MenuPlace, Page, step
from display.menu.reading import menu_aloud
from display.menu.rounds import PastRound, said_of, unsaid_of
from display.screens.menu import MenuPart, draw_menu
from display.view import Mark, PanelLine
from firmware.ui.menu.machine import PastLine
from firmware.ui.menu.past import PastMatch
from tests.display.covering import LANGUAGE_SIZES, PRINTS
from tests.display.menu_showcase import MenuContext, page_of, shown_pages

ROUNDS = Item(Goto.ROUND.of(3, 1), "Round 1: 1 : 0"), Item(Goto.ROUND.of(3, 2), "Round 2: 1 : 1")
MATCH = PastMatch(PastLine(3, "Ana 5:2 Bo"), ROUNDS)


def past_page(say: Words, past: PastMatch | None) -> Page:
    return page_of(Menu((MenuPlace(Goto.PAST.of(3)),)), MenuContext(say.language, past_match=past))


def round_page(say: Words, menu: Menu, past: PastRound | None) -> Page:
    menu = menu if menu.here.page.page == Goto.ROUND.page else Menu((MenuPlace(Goto.ROUND.of(3, 1)),))
    return page_of(menu, MenuContext(say.language, past_round=past))


def history_page(say: Words, lines: tuple[PastLine, ...], page: Open = Goto.HISTORY) -> Page:
    return page_of(Menu((MenuPlace(page),)), MenuContext(say.language, history=lines))


def the_round(language: str = "en") -> PastRound:
    return next(each.page.past for each in shown_pages(language) if each.page.past is not None)


def test_the_pages_lead_to_one_another() -> None:
    say = words("en")
    listed = history_page(say, (MATCH.line,))
    assert [item.key for item in listed.items] == [Goto.PAST.of(3)]
    assert history_page(say, ()).lines == ("No match has been finished yet.",)
    other = PastLine(4, "Ana 5:0 Bot", elsewhere=True)
    assert [item.key for item in history_page(say, (other, MATCH.line)).items] == [Goto.PAST.of(3), Goto.ELSEWHERE]
    assert [item.key for item in history_page(say, (other, MATCH.line), Goto.ELSEWHERE).items] == [Goto.PAST.of(4)]
    opened = past_page(say, MATCH)
    assert [item.key for item in opened.items] == [
        *(Goto.ROUND.of(3, number) for number in (1, 2)),
        *(Of(do, 3) for do in (Do.FILM, Do.PAGE, Do.CARD, Do.GIF, Do.RECORD)),
    ]
    assert past_page(say, replace(MATCH, facts=("19:30", "Rounds: 2"))).lines == ("19:30", "Rounds: 2")
    assert [item.key for item in past_page(say, replace(MATCH, busy=True)).items[2:]] == [Of(Do.STOP_MAKING, 3)]
    assert Of(Do.CARD, 3) not in [item.key for item in past_page(say, replace(MATCH, over=False)).items]
    assert past_page(say, None).lines == round_page(say, Menu(), None).lines == ("This can’t be read any more.",)


def test_up_and_down_go_through_the_turns() -> None:
    say, past = words("en"), the_round()
    menu: Menu | None = Menu((MenuPlace(Goto.HISTORY), MenuPlace(Goto.ROUND.of(3, 1))))
    seen = []
    for _ in past.turns:
        assert menu is not None
        page = round_page(say, menu, past)
        assert page.past is not None
        seen.append(page.past.at)
        menu, did = step(menu, Key.DOWN, page)
        assert did is None
    assert seen == list(range(len(past.turns)))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_a_round_is_drawn_whole_and_touched_turn_by_turn(language: str, size: tuple[int, int]) -> None:
    past = the_round(language)
    for theme in PRINTS.values():
        for at in range(len(past.turns)):
            menu = Menu((MenuPlace(Goto.ROUND.of(3, 1), at),))
            page = round_page(words(language), menu, past)
            drawn = draw_menu(pygame.Surface(size), page, menu, language, theme)
            assert not [text.text for text in drawn.texts if text.cut]
            rows = [target for target in drawn.targets if target.part is MenuPart.ROW]
            offers = [len(past.turns) + place for place, each in enumerate(past.mistakes) if each.number == at]
            assert [target.number for target in rows] == [*range(len(past.turns)), *offers]
            for target in rows:
                assert drawn.at(target.box.center) == target


def test_a_mistake_is_offered_with_its_turn_and_by_its_own_line() -> None:
    say, past = words("en"), the_round()
    (mistake,) = past.mistakes
    last = len(past.turns)
    for at, offer in ((0, None), (mistake.number, f"Make it a puzzle for {mistake.name}")):
        page = round_page(say, Menu((MenuPlace(Goto.ROUND.of(3, 1), at),)), past)
        assert page.past is not None
        assert (page.past.offer and page.past.offer[0]) == offer
    at_line = Menu((MenuPlace(Goto.ROUND.of(3, 1), last),))
    page = round_page(say, at_line, past)
    assert page.past is not None
    assert page.past.at == mistake.number
    assert step(at_line, Key.CHOOSE, page) == (at_line, Of(Do.KEEP_PUZZLE, mistake.number))
    kept = round_page(say, at_line, replace(past, mistakes=(replace(mistake, kept=True),)))
    assert kept.items[last].text == f"Kept as a puzzle for {mistake.name}"


def test_what_is_said_of_a_turn_is_said_there() -> None:
    past = the_round()
    assert said_of(past) == ()
    last = len(past.turns) - 1
    here = replace(past, at=last)
    assert [line.mark for line in said_of(here)] == [Mark.NOW, Mark.PLAIN]
    assert said_of(here)[1].text == past.turns[last].note
    assert unsaid_of(here) == ""


def test_what_hung_on_a_turn_is_said_below_where_the_review_says_more() -> None:
    past = the_round()
    last = len(past.turns) - 1
    more = replace(past.review, lines=(*past.review.lines, PanelLine("Better: advance 1.", Mark.GOOD)))
    full = replace(past, review=more, mistakes=())
    page = round_page(words("en"), Menu((MenuPlace(Goto.ROUND.of(3, 1), last),)), full)
    assert page.items[last].note == past.turns[last].note
    assert [line.mark for line in said_of(replace(full, at=last))] == [Mark.NOW, Mark.GOOD]
    assert page.items[0].note == ""
    bare = replace(past, review=replace(past.review, lines=()), at=last)
    assert [line.text for line in said_of(bare)] == [past.turns[last].text, past.turns[last].note]


def test_what_is_said_of_a_turn_is_read_aloud() -> None:
    past = the_round()
    menu = Menu((MenuPlace(Goto.ROUND.of(3, 1), len(past.turns) - 1),))
    page = round_page(words("en"), menu, past)
    assert page.past is not None
    told = menu_aloud(words("en"), menu, page)
    assert {line.text for line in said_of(page.past)} <= set(told)
