"""Pages of the menu: tiles, players, past matches and puzzles; what they offer, and every word of theirs said."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from display.i18n import LANGUAGES, Words, words
from display.menu.model import (
    Act,
    Goto,
    Item,
    Key,
    Line,
    Menu,
    MenuPlace,
    Open,
    Page,
    PastRound,
    Pick,
    is_card,
    kind_of,
    said_of,
    step,
)
from display.menu.reading import menu_aloud
from display.screens.menu import MenuPart
from display.view import Mark, PanelLine
from display.words.puzzles import puzzle_text
from engine.lessons.lesson import LESSONS
from engine.players.bots.strengths import rival_name
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import FRESH, Attempt, Puzzle, answer
from engine.rules.track import BySide, Side
from engine.table.possible_turns import named_by
from firmware.ui.menu.machine import PastLine
from firmware.ui.menu.pages.puzzles import grouped, next_puzzle
from firmware.ui.menu.past import PastMatch
from tests.display.drawn import LANGUAGE_SIZES, PRINTS, draw_menu
from tests.display.menu_showcase import MenuContext, home_facts, page_of, past_page, pupil, round_page, shown_pages
from tests.display.showcase import situations

SHOWN = situations()
FULL = MenuContext(
    "en",
    names=BySide("Ana", "Bo"),
    last="Ana advances 3",
    number=7,
    pupils={Side.WHITE: pupil("Ana", len(LESSONS), stars={lesson.id: 2 for lesson in LESSONS})},
    coach=(Act("hints"), Act("retell")),
    settings={"voice": "full"},
)
PLAYING, OVER = replace(FULL, state=SHOWN["advance"].state), replace(FULL, state=SHOWN["match_over"].state)


def page(place: Open, context: MenuContext) -> Page:
    return page_of(Menu((MenuPlace(place),)), context)


def reached(place: Open, context: MenuContext) -> set[Line]:
    """All pages and deeds that can be come to from here."""
    found: set[Line] = set()
    waiting: list[Open] = [place]
    while waiting:
        here = waiting.pop()
        for item in page(here, context).items:
            kind = kind_of(item.key)
            if item.key not in found and isinstance(kind, Open | Act):
                found.add(item.key)
                if isinstance(item.key, Open) and item.key not in (Goto.START, Goto.SETTINGS):
                    waiting.append(item.key)
    return {kind_of(key) for key in found}


@pytest.mark.parametrize(("place", "context"), [(Goto.HOME, FULL), (Goto.MAIN, PLAYING), (Goto.OVER, OVER)])
def test_whatever_is_wanted_lies_behind_them(place: Open, context: MenuContext) -> None:
    everywhere: set[Open | Act] = {
        Goto.START,
        Goto.SETTINGS,
        Goto.LEARN,
        Goto.PUZZLES,
        Goto.HISTORY,
        Goto.PEOPLE,
        Goto.SIGHT,
    }
    everywhere |= {Goto.HEALTH, Goto.CARE, Goto.OFF, Goto.HAND, Act("hints"), Act("retell"), Goto.PUZZLE}
    assert reached(place, context) >= everywhere
    if place == Goto.MAIN:
        assert reached(place, context) >= {
            Act("close"),
            Act("pause"),
            Act("undo"),
            Goto.CORRECT,
            Goto.MANUAL,
            Goto.PLAIN,
        }
    if place == Goto.OVER:
        assert reached(place, context) >= {Act("begin"), Goto.PAST, Goto.SHARE, Act("undo")}


def test_one_alone_at_the_simulated_table_plays_a_bot_by_the_first_tile() -> None:
    alone = MenuContext("en", seated=True, against=rival_name("novice"))
    assert "Bot (novice)" in page(Goto.HOME, alone).items[0].note


def test_every_puzzle_is_found_by_what_one_sees_of_it() -> None:
    found = []
    for group in grouped():
        part = 0
        while True:
            items = page(Goto.THEME.of(group.value, part), FULL).items
            found += [
                item.key.which for item in items if isinstance(item.key, Open) and kind_of(item.key) == Goto.PUZZLE
            ]
            assert all(item.position is not None for item in items if kind_of(item.key) == Goto.PUZZLE)
            part += 1
            if not any(kind_of(item.key) == Goto.THEME for item in items):
                break
    assert sorted(map(str, found)) == sorted(puzzle.id for puzzle in PUZZLES)


def test_many_people_are_lines_with_their_ratings() -> None:
    for count, pictured in ((12, True), (13, False)):
        names = [f"P{number}" for number in range(count)]
        house = tuple(Item(Goto.PERSON.of(name), name, note="Rating 1500") for name in names)
        page = page_of(Menu((MenuPlace(Goto.PEOPLE),)), MenuContext("en", house=house))
        assert page.gallery is pictured
        assert [item.key for item in page.items] == [Goto.PERSON.of(name) for name in names]
        assert ("Rating 1500" in page.items[0].text) is not pictured


def test_who_is_drawn_is_read_aloud() -> None:
    facts = home_facts("en")
    rivalry, person = facts["rivalry"], facts["person"]
    home, somebody = Menu((MenuPlace(Goto.HOME),)), Menu((MenuPlace(Goto.PERSON.of(person.name)),))
    context = replace(MenuContext("en", **facts), names=rivalry.names)
    told = menu_aloud(words("en"), home, page_of(home, context))
    score = f"{rivalry.names.white} {rivalry.won.white} : {rivalry.won.black} {rivalry.names.black}, matches won"
    assert {score, rivalry.met} <= set(told)
    assert {person.rating, person.standing} <= set(menu_aloud(words("en"), somebody, page_of(somebody, context)))


ROUNDS = Item(Goto.ROUND.of(3, 1), "Round 1: 1 : 0"), Item(Goto.ROUND.of(3, 2), "Round 2: 1 : 1")
MATCH = PastMatch(PastLine(3, "Ana 5:2 Bo"), ROUNDS)


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
        *(Act(do, 3) for do in ("film", "page", "card", "gif", "record")),
    ]
    assert past_page(say, replace(MATCH, facts=("19:30", "Rounds: 2"))).lines == ("19:30", "Rounds: 2")
    assert [item.key for item in past_page(say, replace(MATCH, busy=True)).items[2:]] == [Act("stop_making", 3)]
    assert Act("card", 3) not in [item.key for item in past_page(say, replace(MATCH, over=False)).items]
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
    assert step(at_line, Key.CHOOSE, page) == (at_line, Act("keep_puzzle", mistake.number))
    kept = round_page(say, at_line, replace(past, mistakes=(replace(mistake, kept=True),)))
    assert kept.items[last].text == f"Kept as a puzzle for {mistake.name}"


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


BEGINNERS = {Side.WHITE: pupil("Ana"), Side.BLACK: pupil("Bo")}


def shown(puzzle: Puzzle, attempt: Attempt = FRESH, told: str = "", language: str = "en", **values: object) -> Page:
    context = MenuContext(language, names=BySide("Ana", "Bo"), pupils=BEGINNERS, attempt=attempt, told=told)
    tapped: dict[Line, object] = {Pick[name.upper()]: value for name, value in values.items()}
    return page_of(Menu((MenuPlace(Goto.PUZZLE.of(puzzle.id)),), tapped), context)


@pytest.mark.slow
def test_the_position_is_drawn_with_all_that_the_answer_depends_on() -> None:
    for puzzle in PUZZLES:
        board = shown(puzzle).board
        assert board is not None
        own = [item.text for item in shown(puzzle).items if is_card(item.key)]
        assert own == [str(card.value) for card in puzzle.hand(puzzle.side)]
        assert [(hand.side, len(hand.cards)) for hand in board.hands] == [
            (puzzle.side.other, len(puzzle.hand(puzzle.side.other)))
        ]
        assert (board.piste.attack is None) is (puzzle.public.attack is None)
        assert bool(board.played) is puzzle.counts
        assert len(board.played) in (0, len(puzzle.public.played))
        assert board.ask == puzzle_text(words("en"), puzzle).task  # it says how many are in the pile


@pytest.mark.slow
def test_tapping_the_cards_shows_the_turn_before_it_is_the_answer() -> None:
    for puzzle in PUZZLES[::5]:
        best = answer(puzzle)
        page = shown(puzzle, named=named_by(puzzle.public, best)[:1], way=best)
        assert page.items[-1].key == Act("answer", puzzle.id)
        board = page.board
        assert board is not None
        assert board.piste.distance == puzzle.public.distance - best.move
        assert board.piste.distance_pending is (best.move != 0)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_theme_that_asks_stands_in_quotes_in_a_hint_and_not_over_the_solution(language: str) -> None:
    """No sentence ends in two marks, and what is solved asks nothing more."""
    for puzzle in {each.theme: each for each in PUZZLES}.values():
        title = puzzle_text(words(language), puzzle).title
        hint, over = (shown(puzzle, each, language=language).board for each in (Attempt(hints=1), Attempt(shown=True)))
        assert hint is not None
        assert over is not None
        assert title in hint.told
        assert "?." not in hint.told
        assert title not in over.ask


def test_the_next_puzzle_is_one_that_nobody_here_has_solved() -> None:
    one, two, three, *others = (puzzle.id for puzzle in PUZZLES)
    pupils = {Side.WHITE: pupil("Ana", 0, (one, two)), Side.BLACK: pupil("Bo", 0, (two, three))}
    assert next_puzzle(pupils) == PUZZLES[3]
    assert next_puzzle(pupils, PUZZLES[3]) == PUZZLES[4]
    assert next_puzzle(pupils, PUZZLES[-1]) == PUZZLES[3]
    assert next_puzzle({**pupils, Side.BLACK: pupil("Bo", 0, (three, *others))}) is None
