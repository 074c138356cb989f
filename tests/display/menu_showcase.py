"""Every page of the menu as it looks in the middle of a match, for people to look at and for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import SimpleNamespace
from typing import Any, Final, cast

from display.i18n import Words, words
from display.menu.asking import faces_page, leaving_page
from display.menu.model import (
    Act,
    Goto,
    Item,
    Line,
    Menu,
    MenuPlace,
    Mistake,
    Open,
    Page,
    PastRound,
    PastTurn,
    Person,
    Pick,
    Rivalry,
    leave,
)
from display.view import NO_NAMES, FencerView, Mark, PanelLine, PisteView, Pose
from display.words.lessons import reply_lines
from display.words.review import GraphPoint, ReviewView, scale_of
from display.words.sentences import lamps_line, preset_name, score_text, with_capital, words_for
from display.words.verdicts import step_text
from engine.lessons.lesson import LESSON_BY_ID, LESSONS
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import FRESH, Attempt, Puzzle, PuzzleTheme, answer, judge_answer, solutions
from engine.record.course import Course, follow
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.legal import Play
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.possible_turns import named_by
from firmware.book.scorebook.schema import AT_A_TABLE
from firmware.book.scores.ratings import Rating
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.ui.lessons.progress import Pupil, Solved
from firmware.ui.menu.machine import CheckLine, PastLine
from firmware.ui.menu.pages.start import RULES
from firmware.ui.menu.past import PastMatch
from firmware.ui.menu.state import MenuState, TurnLine
from firmware.ui.menu.table_menu import PAGES
from firmware.ui.screen.asking import LANGUAGE, WELCOME, WHO, WHOM, Asking, Guests
from tests.display.showcase import CLOSE, NAMES, situations, turn

OTHERS: Final = ("Clara", "Bo")
"""Who plays here besides the two of the match."""
_BY_THEMSELVES: Final = ("who", "exercises", "counting")
"""Pages that show what is made anew each time."""
EVERY_PAGE: Final[Mapping[str, Open]] = {
    **{each.id: Open(each.id) for each in PAGES if each.id not in _BY_THEMSELVES},
    "write": Goto.WRITE.of(Side.WHITE),
    "write_other": Goto.WRITE.of(NAMES.black),
    "face": Goto.FACE.of(Side.WHITE),
    "turn": Goto.TURN.of(5),
    "restore": Goto.RESTORE.of(0),
    "check": Goto.CHECK.of("3-1"),
    "puzzle": Goto.PUZZLE.of(PUZZLES[0].id),
    "past": Goto.PAST.of(21),
    "share": Goto.SHARE.of(21),
    "theme": Goto.THEME.of("attacked"),
    "past_round": Goto.ROUND.of(21, 1),
    "person": Goto.PERSON.of(NAMES.white),
    "numbers": Goto.NUMBERS.of(NAMES.white),
    "honours": Goto.HONOURS.of(NAMES.white),
    "rename": Goto.RENAME.of(NAMES.black),
    "forget": Goto.FORGET.of(NAMES.black),
    "puzzle_own": Goto.PUZZLE.of("own-1"),
}
"""Every page there is, or one of its kind, by the name of its picture."""
HONOURS: Final = (
    "first", "clean", "comeback", "last_touch", "row", "stronger", "all_ways", "rivals", "maestro", "points"
)  # fmt: skip
HOWS: Final = ("touch_direct", "touch_indirect", "cards", "distance", "stuck")
"""Feats, and ways to make a point, as the scorebook tells them."""
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
    PuzzleTheme.SURE_HIT,
    "ferti-advanced",
    Side.WHITE,
    "+5a +5b +4a +4b",
    BySide(tuple(map(Card.parse, ("1a", "2a", "4c", "4d", "4e"))), ()),
    counts=True,
    certain=True,
)
"""A puzzle made of a mistake, with the other's hand hidden."""


def pupil(
    name: str, lessons: int = 0, puzzles: Iterable[str] = (), rating: float = 1500.0, streak: int = 0, **more: Any
) -> Pupil:
    """Who has learned so many lessons, the first ones, and solved these puzzles."""
    solving = Solved(frozenset(puzzles), Rating(rating), streak)
    return Pupil(name, frozenset(each.id for each in LESSONS[:lessons]), frozenset(puzzles), solving=solving, **more)


PUPILS: Final = {
    Side.WHITE: pupil(
        NAMES.white,
        4,
        (*(each.id for place, each in enumerate(PUZZLES) if place % 3), "own-2"),
        1612.0,
        4,
        own=(replace(_OWN, id="own-2"), _OWN),
    ),
    Side.BLACK: pupil(NAMES.black, 3, (each.id for each in PUZZLES[2::3]), 1498.0),
}
"""Two who have learned and solved something."""


class Given(SimpleNamespace):
    """These values; whatever else is asked of it does nothing."""

    def __getattr__(self, name: str) -> Any:
        return Given()

    def __call__(self, *_: Any, **__: Any) -> None: ...


@dataclass(frozen=True)
class MenuContext:
    """A ``MenuState`` of given values, where there is no match, scorebook or machine to read them from."""

    language: str
    state: PublicState | None = None
    names: BySide[str] = NO_NAMES
    known: tuple[str, ...] = ()
    last: str = ""
    paused: bool = False
    turns: tuple[TurnLine, ...] = ()
    rules: str = RULES[0]
    starter: str = "white"
    points: int = 5
    settings: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[PastLine, ...] = ()
    past_match: PastMatch | None = None
    past_round: PastRound | None = None
    health: tuple[str, ...] = ()
    checks: tuple[CheckLine, ...] = ()
    sight: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    told: str = ""
    coach: tuple[Act, ...] = ()
    pupils: Mapping[Side, Pupil] = field(default_factory=dict)
    next_lesson: str = ""
    attempt: Attempt = FRESH
    day: int = 0
    rivalry: Rivalry | None = None
    house: tuple[Item, ...] = ()
    in_common: str = ""
    person: Person | None = None
    warm_up: int = 0
    teaching: bool = False
    puzzling_at_table: bool = False
    against: str | None = None
    levels: Mapping[str, OwnLevel] = field(default_factory=dict)
    can_set_up: bool = False
    can_focus: bool = False
    change: tuple[str, ...] = ()
    number: int = 0
    seated: bool = False

    is_playing, named, own = MenuState.is_playing, MenuState.named, MenuState.own
    cards_of_round = ()
    kept = SimpleNamespace(of=Pupil)

    @property
    def people(self) -> People:
        return People(self.names, self.language)

    look = None

    @property
    def config(self) -> Config:
        return replace(Config(), starter=self.starter, **self.settings)

    @property
    def machine(self) -> Any:
        return Given(
            number=self.number,
            modes=AT_A_TABLE,
            can_focus=self.can_focus,
            known=SimpleNamespace(levels=self.levels),
            history=lambda language: self.history,
            health=lambda look, language: self.health,
            sight=lambda look, language: self.sight,
        )

    @property
    def home(self) -> Any:
        return SimpleNamespace(
            rivalry=lambda: self.rivalry,
            everybody=lambda: self.house,
            in_common=lambda: self.in_common,
            person=lambda name: self.person,
        )

    @property
    def past(self) -> Any:
        return Given(match=lambda *_: self.past_match, round=lambda *_: self.past_round)

    @property
    def renaming(self) -> Any:
        return SimpleNamespace(change_of=lambda do, name: self.change)

    @property
    def coach_offers(self) -> Mapping[Act, Any]:
        return {do: leave() for do in self.coach if do != Act("begin_open")}

    @property
    def open_match(self) -> Mapping[Act, Any]:
        return {do: leave() for do in self.coach if do == Act("begin_open")}

    def __getattr__(self, name: str) -> Any:
        """What lines do is done by nobody here."""
        return Given()

    @property
    def answer(self) -> str:
        return self.told

    def attempt_at(self, puzzle: Puzzle) -> Attempt:
        return self.attempt


def page_of(menu: Menu, context: MenuContext) -> Page:
    """The page that is shown, with these values."""
    place = menu.here.page
    made = _MADE_BY[place.page](cast(Any, context)).shown(words(context.language), menu, place)
    return replace(made, lines=(*made.lines, context.told)) if context.told and made.board is None else made


def past_page(say: Words, past: PastMatch | None) -> Page:
    """The page of this past match."""
    return page_of(Menu((MenuPlace(Goto.PAST.of(3)),)), MenuContext(say.language, past_match=past))


def round_page(say: Words, menu: Menu, past: PastRound | None) -> Page:
    """The page of this round, as the menu stands on it."""
    menu = menu if menu.here.page.page == Goto.ROUND.page else Menu((MenuPlace(Goto.ROUND.of(3, 1)),))
    return page_of(menu, MenuContext(say.language, past_round=past))


_MADE_BY: Final = {each.id: each for each in PAGES}


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
    before = MenuContext(language)
    yield from _page("main-before", Menu(), before)
    yield from _page("history-none", Menu(_path(Goto.HISTORY)), before)
    yield from _page("home-first", Menu((MenuPlace(Goto.HOME),)), replace(before, pupils=context.pupils))
    again = replace(before, names=NAMES, pupils=context.pupils, rivalry=context.rivalry)
    yield from _page("home-again", Menu((MenuPlace(Goto.HOME),)), again)
    teaching = replace(context, teaching=True)
    yield from _page("main-lesson", Menu(), teaching)
    yield from _page("main-puzzle", Menu(), replace(teaching, puzzling_at_table=True))
    puzzle = next(puzzle for puzzle in PUZZLES if puzzle.grade == max(each.grade for each in PUZZLES))
    where, say, plays = _path(Goto.PUZZLE.of(puzzle.id)), words(language), [each.play for each in solutions(puzzle)]
    for number, attempt in enumerate(_ATTEMPTS):
        reply = reply_lines(say, puzzle, judge_answer(puzzle, plays[-number]), whole=attempt.over)
        told = " ".join(reply) if attempt.over or attempt.wrong else ""
        yield from _page(f"puzzle-{number}", Menu(where), replace(context, attempt=attempt, told=told))
    why = reply_lines(say, _OWN, judge_answer(_OWN, answer(_OWN)), whole=True)
    solved = replace(context, attempt=Attempt(right=True), told=" ".join(why))
    yield from _page("puzzle-own-solved", Menu(_path(Goto.PUZZLE.of(_OWN.id))), solved)
    named = named_by(puzzle.public, plays[0])[:1]
    yield from _page("puzzle-tapped", Menu(where, {Pick.NAMED: named, Pick.WAY: plays[0]}), context)
    yield from _cards(context)
    yield from _page("settings-camera", Menu(_path(Goto.SETTINGS)), replace(context, can_set_up=True, can_focus=True))
    learned = {side: replace(pupil, lessons=frozenset(LESSON_BY_ID)) for side, pupil in context.pupils.items()}
    yield from _page("learn-done", Menu(_path(Goto.LEARN)), replace(context, pupils=learned))
    yield from _page("settings-adjusting", Menu(_path(Goto.SETTINGS), adjusting=True), context)
    own = OwnLevel(next(iter(STRENGTHS)), 12)
    guests = Guests(OTHERS, {OTHERS[0]: "owl"}, own=(NAMES.white, own))
    face = words(language).say("welcome.face", name=NAMES.black)
    asking = {
        "leaving": leaving_page(language),
        "faces": faces_page(words(language), Side.WHITE, face, lambda _, menu: menu),
    }
    for name, page in (
        *(("language", LANGUAGE), ("welcome", WELCOME), ("welcome-table", WELCOME), ("opponents", WHOM)),
        ("people", WHO.of(Side.BLACK)),
    ):
        asks = Asking(language, guests, at_table=name == "welcome-table")
        asks.open(page)
        asking[name] = asks.page
    for name, asked in asking.items():
        yield ShownPage(name, Menu(), asked)


def _path(page: Open) -> tuple[MenuPlace, ...]:
    return (MenuPlace(page),) if page in (Goto.MAIN, Goto.HOME) else (MenuPlace(Goto.MAIN), MenuPlace(page))


def _page(name: str, menu: Menu, context: MenuContext) -> Iterator[ShownPage]:
    page = page_of(menu, context)
    yield ShownPage(name, menu, page)
    last = len(page.items) - 1
    if last > 0:
        here = MenuPlace(menu.here.page, last)
        at_last = Menu((*menu.path[:-1], here), menu.values, menu.text)
        yield ShownPage(f"{name}-last", at_last, page_of(at_last, context))


def _cards(context: MenuContext) -> Iterator[ShownPage]:
    """A past match with the picture of its result chosen: with a code to its page, and where that is switched off."""
    path = _path(EVERY_PAGE["past"])
    for name, coded in (("past-coded", True), ("past-switched-off", None)):
        assert context.past_match is not None
        shown = replace(context, past_match=replace(context.past_match, coded=coded))
        keys = [item.key for item in page_of(Menu(path), shown).items]
        at_card = Menu((*path[:-1], replace(path[-1], at=keys.index(Act("card", context.past_match.line.number)))))
        yield ShownPage(name, at_card, page_of(at_card, shown))


def _context(language: str, name: str) -> MenuContext:
    say, named = words(language), words_for(language, NAMES)
    course: Course | None = None
    for event in (MatchEvent("ferti-advanced"), *_PLAYED):
        course, _ = follow(course, event)
    assert course is not None
    turns = tuple(
        TurnLine(number, step_text(named, step), step.entry.cards)
        for number, step in enumerate(course.round_steps, start=1)
        if isinstance(step.entry, TurnEvent)
    )
    return MenuContext(
        language,
        situations()[name].state,
        NAMES,
        OTHERS,
        last=turns[-1].text,
        turns=turns,
        settings={"language": language},
        history=tuple(PastLine(day, _match(say, day), elsewhere=day < 15) for day in (21, 20, 19, 18, 17, 12, 9)),
        past_match=PastMatch(PastLine(21, _match(say, 21)), _past_rounds(say), facts=_past_facts(say)),
        past_round=_round(say),
        sight=(say.say("menu.sight_error", error_mm=say.decimal(0.12, 2)), say.say("menu.sight_spaces", count=23)),
        health=(
            say.say("menu.health_eyes", what=say.say("menu.works")),
            lamps_line(say, wired=False),
            say.say("menu.health_sound", what=say.say("menu.works")),
            say.say("menu.health_book", count=120),
        ),
        checks=_checks(say),
        backups=(say.say("menu.copy", where="STICK", number=3), say.say("menu.own_copy", number=12)),
        told=say.say("menu.copied", where="STICK", count=120) if name == "reveal" else "",
        pupils=PUPILS,
        next_lesson="distance",
        **home_facts(language),
        day=738_000,
    )


def _past_rounds(say: Words) -> tuple[Item, ...]:
    how = say.say("past.not_parried", how=say.say("home.how.touch_indirect"))
    note = say.say("past.round_told", starter=NAMES.black, winner=NAMES.white, count=11, how=how)
    return tuple(
        Item(Goto.ROUND.of(21, number), say.say("past.round", round=number, score=f"{number} : 0"), note=note)
        for number in (1, 2, 3)
    )


def _rivalry(say: Words) -> Rivalry:
    met = say.say("home.met", date=say.day(date(2026, 11, 20)), white=NAMES.white, black=NAMES.black, score="5 : 3")
    return Rivalry(NAMES, BySide("fox", ""), BySide(7, 4), say.say("home.won"), met)


def _person(say: Words) -> Person:
    """Somebody with everything there is to show."""
    points = [1500.0 + 14 * number * (-1) ** (number // 3) for number in range(18)]
    curve = tuple((each, each - 260 + 8 * number, each + 260 - 8 * number) for number, each in enumerate(points))
    names = (NAMES.black, *OTHERS, "Maximilian")
    note = say.say("home.standing", won=7, lost=4)
    against = tuple(
        Item(Goto.PERSON.of(name), say.say("home.against", name=name, won=7, lost=4), note=note) for name in names
    )
    feats = tuple(_feat(say, *each) for each in enumerate(HONOURS))
    numbers = [
        say.say("home.number.matches", count=18, won=11, lost=7, unfinished=2),
        say.say("home.number.streak_won", count=3, longest=5),
        say.say("home.number.points", count=78, lost=61),
        say.say("home.number.length", rounds=say.decimal(7.4), turns=say.decimal(10.9), drawn=4, count=133),
        say.say("home.number.begins", matches=9, begun=66, share="52", other="47"),
    ]
    for how in HOWS:
        text = say.say(f"home.how.{how}")
        numbers.append(say.say("home.number.by", how=with_capital(text), made=12, lost=9))
    rating = say.say("home.rating", points=1612, reach=143)
    for preset in RULES:
        under = {"preset": preset_name(say, preset), "rating": rating}
        numbers.append(say.say("home.number.under", won=9, played=14, **under))
    numbers += [
        say.say("people.points", what=what, count=78, lost=61) for what in (NAMES.black, preset_name(say, RULES[0]))
    ]
    titles = say.say("home.curve"), say.say("home.form")
    form = tuple(number % 3 > 0 for number in range(10))
    standing = say.say("home.standing", won=11, lost=7)
    return Person(NAMES.white, "fox", rating, curve, form, standing, against, feats, tuple(numbers), *titles)


def _feat(say: Words, place: int, name: str) -> Item:
    title, how = say.say(f"home.honour.{name}"), say.say(f"home.honour_how.{name}")
    if place % 2 == 0:
        return Item(Act("show", name), title, note=how)
    return Item(Goto.PAST.of(place + 3), title, value=say.say("home.in_match", number=place + 3), note=how)


def home_facts(language: str) -> dict[str, Any]:
    """What the pages of those who play here show, as fields of a ``MenuContext``."""
    say = words(language)
    told = say.say("home.house", count=40, rounds=say.decimal(7.4), turns=say.decimal(10.9), share="51")
    own = {"house": _house(say), "in_common": told, "change": _change(say)}
    return {"rivalry": _rivalry(say), "person": _person(say), **own}


def _change(say: Words) -> tuple[str, ...]:
    """What is said before somebody is forgotten, and before two names become one: longer than either."""
    new = say.say("people.becomes", name=NAMES.black, new=NAMES.white, count=12)
    return new, say.say("people.joins", new=NAMES.white), say.say("people.gone", name=NAMES.black)


def _past_facts(say: Words) -> tuple[str, ...]:
    rules = " \u00b7 ".join(("19:30", preset_name(say, RULES[0]), say.say("label.points", count=5)))
    return rules, say.say("past.length", rounds=9, turns=98), say.say("past.set")


def _house(say: Words) -> tuple[Item, ...]:
    rating = say.say("home.rating", points=1612, reach=143)
    faces = dict(zip((NAMES.white, NAMES.black, *OTHERS), ("fox", "", "owl", "cat"), strict=True))
    return tuple(Item(Goto.PERSON.of(name), name, note=rating, portrait=face) for name, face in faces.items())


def _round(say: Words) -> PastRound:
    """A round of a few turns, as far as it is reviewed."""
    stood = ((1, 23), (5, 23), (5, 18))
    tables = [PisteView(BySide(*(FencerView(space, None, Pose.GUARD, False) for space in at))) for at in stood]
    turns = [PastTurn(say.say("page.starts", side=NAMES.white), tables[0])]
    hung = say.say("retold.touch_proven", side=NAMES.white, other=NAMES.black, value=3, count=2)
    turns += [PastTurn(f"{number}. {_advance(say)}", tables[number], note=hung) for number in (1, 2)]
    chances = enumerate(((0.5, None), (0.55, (0.75, 0.6, 0.9)), (0.4, (0.25, 0.25, 0.25))))
    points = tuple(
        GraphPoint(number, white, white - 0.05, white + 0.05, shown=shown) for number, (white, shown) in chances
    )
    went = {"before": "45\u00a0(40\u201350)", "after": "60\u00a0(55\u201365)"}
    told = f"2. {say.say('review.turn', turn=_advance(say), side=NAMES.black, **went)}"
    told = say.say("review.turn_shown", told=told, side=NAMES.black, before="25\u00a0(10\u201340)", after=75)
    lines = (PanelLine(told, Mark.NOW),)
    title, axis = say.say("review.title", round=1), say.say("review.axis", side=NAMES.white)
    note = " ".join(
        (f"{say.say('review.how')}.", *(say.say(f"review.{key}") for key in ("note", "note_signs", "note_shown")))
    )
    view = ReviewView(title, axis, scale_of(say), points, 2, lines, note)
    return PastRound(tuple(turns), view, mistakes=(Mistake(2, NAMES.black),))


def _advance(say: Words) -> str:
    return say.say("accepted.advance", side=NAMES.white, moved=4)


def _checks(say: Words) -> tuple[CheckLine, ...]:
    """Two of them: one with the longest that a check has to tell."""
    gone = "libcamera gives no picture: the camera was found, and then nothing came from it for five seconds"
    told = {
        "found": say.say("doctor.said", said=gone),
        "expected": say.say("doctor.camera_seen.expected", camera="auto"),
        "cure": say.say("doctor.camera_seen.look"),
    }
    verdict = with_capital(say.say("checks.fail"))
    lines = (f"{verdict} (3-1)", *(say.say(f"checks.{key}", text=text) for key, text in told.items()))
    return (
        CheckLine(
            "1-2",
            say.say("checks.of.power"),
            say.say("checks.pass"),
            (say.say("checks.found", text=say.say("doctor.power.good")),),
            True,
        ),
        CheckLine("3-1", say.say("checks.of.camera_seen"), say.say("checks.fail"), lines),
    )


def _match(say: Words, day: int) -> str:
    names, score = {"white": NAMES.white, "black": NAMES.black}, score_text(5, (day - 12) % 5)
    return say.say("menu.history_line", date=say.day(date(2026, 11, day)), score=score, **names)
