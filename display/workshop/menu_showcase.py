"""Every page of the menu as it looks in the middle of a match, for people to look at and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from display.i18n import Words, words
from display.menu.context import LessonLine, MenuContext, OwnPuzzle, PuzzlerLine, TurnLine
from display.menu.lines import Goto, Line, Of, Pick, Where
from display.menu.model import Menu, Page, Place
from display.menu.pages import page_of
from display.menu.past import PastLine, PastMatch
from display.menu.rounds import Mistake, PastRound, PastTurn
from display.menu.settings import LAYERS
from display.view import FencerView, Mark, PanelLine, Pose
from display.words.lessons import reply_lines
from display.words.review import GraphPoint, ReviewView
from display.words.told import step_text
from display.workshop.showcase import CLOSE, NAMES, situations, turn
from engine.lessons.lessons import LESSONS
from engine.puzzles.attempt import Attempt
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, Theme, judge_answer, solutions
from engine.record.course import Course, follow
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.legal import Play
from engine.rules.track import BySide, Side
from engine.table.turn_entry import named_by

SETTINGS: Final = {"volume_percent": 80, **{f"{name}_percent": 100 for name in LAYERS}}
EVERY_PAGE: Final[Mapping[str, Where]] = {
    **{page.value: page for page in Goto},
    "write": Of(Goto.WRITE, Side.WHITE),
    "face": Of(Goto.FACE, Side.WHITE),
    "turn": Of(Goto.TURN, 5),
    "restore": Of(Goto.RESTORE, 0),
    "puzzle": Of(Goto.PUZZLE, PUZZLES[0].id),
    "past": Of(Goto.PAST, 21),
    "past_round": Of(Goto.ROUND, 21, 1),
    "puzzle_own": Of(Goto.PUZZLE, "own-1"),
}
"""Every page there is, or one of its kind, by the name of its picture."""
_TAPPED: Final[Mapping[str, Mapping[Line, object]]] = {
    "advance": {Pick.NAMED: (4,)},
    "attack_indirect": {Pick.NAMED: (2,), Pick.WAY: Play(2, 2, 1)},
    "reveal": {Pick.NAMED: (2, 3)},
    "touch": {},
    "match_over": {},
    "setup": {},
}
"""What was tapped where turns are entered by hand, in the situation of that name."""
_ATTEMPTS: Final = (
    Attempt(right=True),
    Attempt((Play(0, 1, 0), Play(0, 2, 0))),
    Attempt((Play(0, 1, 0),)),
    Attempt(hints=2),
)
"""How a puzzle may stand: solved, told, to be tried once more, with both hints."""
_PLAYED: Final = (*CLOSE, turn("5b 5c", 9, 14))


_OWN: Final = Puzzle(
    "own-1",
    2,
    Theme.SURE_HIT,
    "ferti-advanced",
    Side.WHITE,
    "+5a +5b +4a +4b",
    BySide(tuple(map(Card.parse, ("1a", "2a", "4c", "4d", "4e"))), ()),
    counts=True,
    certain=True,
)
"""A puzzle made of a mistake, with the other's hand hidden."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page, the menu it is shown for, and a name for its picture."""

    name: str
    menu: Menu
    page: Page


def shown_pages(language: str) -> Iterator[ShownPage]:
    """Every page, in the match in which it is shown, once with its first line chosen and once with its last."""
    context = _context(language, "attack_direct")
    for name, page in EVERY_PAGE.items():
        yield from _page(name, Menu(_path(page), text="Jean-B" if name == "write" else ""), context)
    for name, values in _TAPPED.items():
        yield from _page(f"manual-{name}", Menu(_path(Goto.MANUAL), values), _context(language, name))
    yield from _page("main-before", Menu(), MenuContext(language, settings=SETTINGS))
    teaching = replace(context, teaching=True)
    yield from _page("main-lesson", Menu(), teaching)
    yield from _page("main-puzzle", Menu(), replace(teaching, puzzling=True))
    puzzle = next(puzzle for puzzle in PUZZLES if puzzle.grade == max(each.grade for each in PUZZLES))
    where, say, plays = _path(Of(Goto.PUZZLE, puzzle.id)), words(language), [each.play for each in solutions(puzzle)]
    for number, attempt in enumerate(_ATTEMPTS):
        reply = reply_lines(say, puzzle, judge_answer(puzzle, plays[-number]), whole=attempt.over)
        told = " ".join(reply) if attempt.over or attempt.wrong else ""
        yield from _page(f"puzzle-{number}", Menu(where), replace(context, attempt=attempt, told=told))
    solved = replace(context, attempt=Attempt(right=True))
    yield from _page("puzzle-own-solved", Menu(_path(Of(Goto.PUZZLE, _OWN.id))), solved)
    named = named_by(puzzle.public, plays[0])[:1]
    yield from _page("puzzle-tapped", Menu(where, {Pick.NAMED: named, Pick.WAY: plays[0]}), context)
    yield from _page("settings-adjusting", Menu(_path(Goto.SETTINGS), adjusting=True), context)


def _path(page: Where) -> tuple[Place, ...]:
    return (Place(Goto.MAIN),) if page is Goto.MAIN else (Place(Goto.MAIN), Place(page))


def _page(name: str, menu: Menu, context: MenuContext) -> Iterator[ShownPage]:
    page = page_of(menu, context)
    yield ShownPage(name, menu, page)
    last = len(page.items) - 1
    if last > 0:
        here = Place(menu.here.page, last)
        at_last = Menu((*menu.path[:-1], here), menu.values, menu.text)
        yield ShownPage(f"{name}-last", at_last, page_of(at_last, context))


def _context(language: str, name: str) -> MenuContext:
    say = words(language)
    course: Course | None = None
    for event in (MatchEvent("ferti-advanced"), *_PLAYED):
        course, _ = follow(course, event)
    assert course is not None
    turns = tuple(
        TurnLine(number, step_text(say, step), step.entry.cards)
        for number, step in enumerate(course.round_steps, start=1)
        if isinstance(step.entry, TurnEvent)
    )
    return MenuContext(
        language,
        situations()[name].state,
        NAMES,
        ("Ana", "Bo"),
        last=turns[-1].text,
        turns=turns,
        settings={**SETTINGS, "language": language},
        history=tuple(PastLine(day, _match(say, day)) for day in range(21, 16, -1)),
        past=PastMatch(PastLine(21, _match(say, 21)), ((1, say.say("past.round", round=1, score="1 : 0")),)),
        past_round=_round(say),
        sight=(say.say("menu.sight_error", error="0.31", error_mm="0.12"), say.say("menu.sight_spaces", seen=23)),
        health=(
            say.say("menu.health_eyes", what=say.say("menu.works")),
            say.say("menu.health_lamps", what=say.say("menu.not_there")),
            say.say("menu.health_sound", what=say.say("menu.works")),
            say.say("menu.health_book", count=120),
        ),
        backups=("STICK: engarde-scorebook-0003",),
        told=say.say("menu.copied", where="STICK", count=120) if name == "reveal" else "",
        lessons=tuple(LessonLine(lesson.id, tuple(Side)[: max(0, 4 - place)]) for place, lesson in enumerate(LESSONS)),
        next_lesson="distance",
        puzzles=tuple(LessonLine(puzzle.id, tuple(Side)[: place % 3]) for place, puzzle in enumerate(PUZZLES)),
        puzzlers=(PuzzlerLine(Side.WHITE, 12, 1612, 4), PuzzlerLine(Side.BLACK, 8, 1498, 0)),
        own=(OwnPuzzle(_OWN, NAMES.white), OwnPuzzle(replace(_OWN, id="own-2"), NAMES.white, solved=True)),
        day=738_000,
    )


def _round(say: Words) -> PastRound:
    """A round of a few turns, as far as it is reviewed."""
    stood = ((1, 23), (5, 23), (5, 18))
    fencers = [BySide(*(FencerView(space, None, Pose.GUARD, False) for space in at)) for at in stood]
    turns = [PastTurn(say.say("label.starts", side="white"), fencers[0])]
    turns += [PastTurn(f"{number}. {_advance(say)}", fencers[number]) for number in (1, 2)]
    chances = enumerate((0.5, 0.55, 0.4))
    points = tuple(GraphPoint(number, white, white - 0.05, white + 0.05) for number, white in chances)
    lines = (PanelLine(f"2. {_advance(say)}", Mark.NOW),)
    title, axis = say.say("review.title", round=1), say.say("review.axis", side=NAMES.white)
    view = ReviewView(title, axis, points, 2, lines, say.say("review.note"))
    return PastRound(tuple(turns), view, mistakes=(Mistake(2, NAMES.black),))


def _advance(say: Words) -> str:
    return say.say("accepted.advance", side=NAMES.white, moved=4)


def _match(say: Words, day: int) -> str:
    names, score = {"white": NAMES.white, "black": NAMES.black}, f"5:{day - 17}"
    return say.say("menu.history_line", date=f"2026-11-{day}", score=score, **names)
