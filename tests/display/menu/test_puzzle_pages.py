"""The pages of puzzles: a question shows what is needed to answer it, and never the answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from display.draw.picture import new_surface
from display.i18n import LANGUAGES, words
from display.menu.lines import Do, Goto, Line, Of, Pick
from display.menu.model import Menu, MenuPlace, Page
from display.screens.menu import draw_menu
from display.words.puzzles import play_text, puzzle_text
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import FRESH, Attempt, Puzzle, answer, solutions
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.possible_turns import named_by
from firmware.ui.menu.pages.puzzles import next_puzzle
from tests.display.covering import PRINTS
from tests.display.menu_showcase import MenuContext, page_of, pupil, shown_pages

BEGINNERS = {Side.WHITE: pupil("Ana"), Side.BLACK: pupil("Bo")}
ONE_OF_EACH = tuple({(each.theme, each.public.phase): each for each in PUZZLES}.values())


def shown(puzzle: Puzzle, attempt: Attempt = FRESH, told: str = "", language: str = "en", **values: object) -> Page:
    context = MenuContext(language, names=BySide("Ana", "Bo"), pupils=BEGINNERS, attempt=attempt, told=told)
    tapped: dict[Line, object] = {Pick[name.upper()]: value for name, value in values.items()}
    return page_of(Menu((MenuPlace(Goto.PUZZLE.of(puzzle.id)),), tapped), context)


def texts(page: Page) -> Iterator[str]:
    board = page.board
    assert board is not None
    yield from (page.title, board.ask, board.told, board.head)
    for item in page.items:
        yield from (item.text, item.note)


@pytest.mark.parametrize("puzzle", ONE_OF_EACH, ids=lambda puzzle: puzzle.id)
def test_no_question_shows_its_answer(puzzle: Puzzle) -> None:
    say = words("en")
    for attempt in (FRESH, Attempt(wrong=(solutions(puzzle)[-1].play,))):
        page = shown(puzzle, attempt)
        said = " ".join(texts(page))
        assert puzzle_text(say, puzzle).title not in said  # a theme says too much
        assert play_text(say, puzzle, answer(puzzle)) not in said
        board = page.board
        assert board is not None
        assert board.piste.fencers.map(lambda fencer: fencer.space) == puzzle.public.spaces
        assert not board.piste.distance_pending


@pytest.mark.slow
def test_the_position_is_drawn_with_all_that_the_answer_depends_on() -> None:
    for puzzle in PUZZLES:
        board = shown(puzzle).board
        assert board is not None
        own = [item.text for item in shown(puzzle).items if isinstance(item.key, Of) and item.key.what is Do.LAY]
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
        assert page.items[-1].key == Of(Do.ANSWER, puzzle.id)
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


def test_hints_come_in_two_steps_and_then_the_solution() -> None:
    puzzle = next(each for each in PUZZLES if each.public.phase is not Phase.FINAL)
    title = puzzle_text(words("en"), puzzle).title
    first = named_by(puzzle.public, answer(puzzle))[0]
    one, two = (shown(puzzle, Attempt(hints=hints)).board for hints in (1, 2))
    assert one is not None
    assert two is not None
    assert one.told == f"It is about “{title}”."
    assert two.told == f"It is about “{title}”. The card to lay first is a {first}."
    assert [item.text for item in shown(puzzle, Attempt(hints=2)).items].count("Show the solution") == 1
    over = shown(puzzle, Attempt(hints=2, shown=True), "Because.")
    assert over.board is not None
    assert (over.board.ask, over.board.told) == ("The solution", "Because.")
    assert over.items[0].key == Of(Do.NEXT_PUZZLE, puzzle.id)


def test_the_next_puzzle_is_one_that_nobody_here_has_solved() -> None:
    one, two, three, *others = (puzzle.id for puzzle in PUZZLES)
    pupils = {Side.WHITE: pupil("Ana", 0, (one, two)), Side.BLACK: pupil("Bo", 0, (two, three))}
    assert next_puzzle(pupils) == PUZZLES[3]
    assert next_puzzle(pupils, PUZZLES[3]) == PUZZLES[4]
    assert next_puzzle(pupils, PUZZLES[-1]) == PUZZLES[3]
    assert next_puzzle({**pupils, Side.BLACK: pupil("Bo", 0, (three, *others))}) is None


def every_page(language: str) -> Iterator[Page]:
    ways = (FRESH, Attempt(hints=2), Attempt(right=True), Attempt(right=True, hints=1), Attempt(shown=True))
    for puzzle in PUZZLES[::16]:
        for attempt in ways:
            yield shown(puzzle, attempt, "", language)
        best = answer(puzzle)
        yield shown(puzzle, language=language, named=named_by(puzzle.public, best)[:1], way=best)
    solved = {Side.WHITE: pupil("Ana", 0, (puzzle.id for puzzle in PUZZLES), 1612.0, 4)}
    yield page_of(Menu((MenuPlace(Goto.PUZZLES),)), MenuContext(language, pupils=solved))
    yield from (each.page for each in shown_pages(language) if each.name.startswith("puzzle"))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_fit_the_smallest_screen(language: str) -> None:
    surface = new_surface(800, 480)
    for page in every_page(language):
        for theme in PRINTS.values():
            drawn = draw_menu(surface, page, Menu((MenuPlace(Goto.PUZZLES),)), language, theme)
            assert [text.text for text in drawn.texts if text.cut] == []
