"""Pages of a few large tiles with pictures: where one begins, in a match, after one, and what lies behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from display.i18n import Words
from display.menu.model import Act, Deed, Goto, Item, Line, Menu, Open, Page, leave
from display.words.sentences import shown_name
from engine.lessons.lesson import LESSON_BY_ID, LESSONS
from engine.players.bots.strengths import RIVALS
from engine.puzzles.collection import puzzle_of_the_day
from engine.rules.track import BySide, Side
from firmware.ui.menu.page import MenuPage, line, pages_under
from firmware.ui.menu.pages.learning import STAR, stars_of, to_warm_up
from firmware.ui.menu.state import MenuState

ACROSS: Final = 3
"""So many tiles stand side by side."""


def tile(say: Words, key: Line, name: str, sign: str, note: str = "", does: Deed | None = None) -> Item:
    """A tile with this picture; its words are ``tiles.NAME`` and ``tiles.NAME_note`` where no note is given."""
    return Item(key, say.say(f"tiles.{name}"), note=note or say.say(f"tiles.{name}_note"), sign=sign, does=does)


def tiles_page(title: str, *tiles: Item | None) -> Page:
    """These tiles; None is left out."""
    return Page(title, tuple(each for each in tiles if each is not None), columns=ACROSS, gallery=True)


class HomePage(MenuPage, id="home"):
    """The last players, and what there is to do; first of all to go on, or to begin as last time."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        names = now.names if now.against not in RIVALS else now.names.put(Side.BLACK, now.against)
        begins = tile(say, Act("begin"), "play", "swords", _begin_note(say, names), now.begin)
        first = tile(say, Act("close"), "go_on", "play", does=leave()) if now.is_playing else begins
        page = tiles_page("En Garde", first, *_at_leisure(say, now), tile(say, Goto.MORE, "more", "menu"))
        return replace(page, rivalry=now.home.rivalry())


class MainPage(HomePage, id="main"):
    """In a match: pause, take back, corrections, stop. Else the home page."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        if now.teaching:
            return self._in_a_lesson(say)
        if not now.is_playing:
            return super().shown(say, menu, place)
        pause, paused = Act("resume") if now.paused else Act("pause"), leave(partial(now.pause, on=not now.paused))
        return tiles_page(
            say.say("menu.title"),
            tile(say, Act("close"), "go_on", "play", say.say("menu.go_on_note"), leave()),
            tile(say, pause, pause.deed, "pause", say.say(f"menu.{pause.deed}_note"), paused),
            _take_back(say, now),
            tile(say, Goto.WRONG, "wrong", "speech"),
            tile(say, Goto.OFF, "stop", "cross"),
            tile(say, Goto.MORE, "more", "menu"),
        )

    def _in_a_lesson(self, say: Words) -> Page:
        """The page during a lesson, or a puzzle on the board."""
        teacher, of = self.now.teacher, "puzzle_" if self.now.puzzling_at_table else ""
        assert teacher is not None
        offered = {
            Act("close"): (f"{of}go_on", leave()),
            Act("lesson_again"): (f"{of}again", leave(teacher.again)),
            Act("lesson_show"): ("show", leave(teacher.prove)),
            Act("lesson_skip"): (f"{of}skip", leave(teacher.skip)),
            Act("lesson_leave"): ("leave", leave(self.now.leave_lessons)),
        }
        if of:
            del offered[Act("lesson_show")]
        items = [line(say, key, f"lessons.menu.{name}", does) for key, (name, does) in offered.items()]
        items.append(Item(Goto.LEARN, say.say("lessons.menu.all"), note=say.say("lessons.menu.learn_note")))
        items += [line(say, page) for page in (Goto.SETTINGS, Goto.SIGHT, Goto.OFF)]
        return Page(say.say("lessons.menu.learn"), tuple(items))


class WrongPage(MenuPage, id="wrong"):
    """Help if the record, the camera or the machine is wrong."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        state = self.now.state
        items = [line(say, Goto.CORRECT)] if state is not None and state.round else []
        if self.now.is_playing:
            items += [line(say, Goto.MANUAL), line(say, Goto.PLAIN)]
        items += [line(say, page) for page in (Goto.SIGHT, Goto.HEALTH)]
        return Page(say.say("tiles.wrong"), tuple(items))


class MorePage(MenuPage, id="more"):
    """All else: help in this match, other matches, learning, and the machine."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        items = coach_lines(say, now.coach_offers)
        items += [line(say, Goto.HAND)] if now.config.voice == "full" else []
        items += [line(say, Goto.START), *to_warm_up(say, now)]
        if now.is_playing:
            items += [each for each in _at_leisure(say, now) if each is not None]
        if now.pupils and not now.teaching:
            items.append(line(say, Goto.PUZZLES, "lessons.menu.puzzles"))
        items += [line(say, page) for page in (Goto.SETTINGS, Goto.SIGHT, Goto.HEALTH, Goto.CARE, Goto.OFF)]
        items += pages_under(say, self.id)
        return Page(say.say("tiles.more"), tuple(items), columns=2)


class OverPage(MenuPage, id="over"):
    """A match is over: another one of the same two, a look back at it, and its last turn undone."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        number = self.now.machine.number
        return tiles_page(
            say.say("tiles.over"),
            tile(say, Act("begin"), "rematch", "swords", _begin_note(say, self.now.names), self.now.begin),
            tile(say, Goto.PAST.of(number), "review", "eye") if number else None,
            tile(say, Goto.SHARE.of(number), "share", "arrow_up") if number else None,
            tile(say, Goto.START, "another", "play", note=say.say("menu.start_note")),
            _take_back(say, self.now),
            tile(say, Goto.HOME, "start", "menu"),
        )


def _take_back(say: Words, now: MenuState) -> Item | None:
    """The tile that undoes the last turn, if there is one."""
    if not now.last:
        return None
    return tile(say, Act("undo"), "take_back", "arrow_left", say.say("menu.undo_note", what=now.last), leave(now.undo))


def _begin_note(say: Words, names: BySide[str]) -> str:
    two = " \u2013 ".join(shown_name(say, side, names[side]) for side in Side)
    return say.say("tiles.begin_note", two=two)


def _at_leisure(say: Words, now: MenuState) -> tuple[Item | None, ...]:
    """Tiles for learning, puzzles, past matches and players."""
    learn = puzzle = None
    if pupils := now.pupils:
        done = len(frozenset[str]().union(*(pupil.lessons for pupil in pupils.values())).intersection(LESSON_BY_ID))
        stars = sum(stars_of(pupils, each) for each in LESSONS)
        told = say.say("tiles.learn_note", count=done, of=len(LESSONS), stars=f"{stars} {STAR}")
        learn = Item(Goto.LEARN, say.say("tiles.learn"), note=told, sign="star")
    if pupils and not now.teaching:
        puzzle = tile(say, Goto.PUZZLE.of(puzzle_of_the_day(now.day).id), "puzzle", "question")
    matches = tile(say, Goto.HISTORY, "matches", "crown", note=say.say("menu.history_note"))
    return learn, puzzle, matches, tile(say, Goto.PEOPLE, "players", "", note=say.say("menu.people_note"))


COACH: Final = {
    Act("hints"): ("coach.menu_hints", "coach.menu_hints_note"),
    Act("open_hands"): ("coach.menu_open", "coach.menu_open_note"),
    Act("end_hints"): ("coach.menu_end_hints", "coach.menu_end_note"),
    Act("end_open_hands"): ("coach.menu_end_open", "coach.menu_end_note"),
    Act("retell"): ("retold.menu", "retold.menu_note"),
    Act("begin_open"): ("coach.menu_first", "coach.menu_first_note"),
}
"""What the coach may offer: its words and its note."""


def coach_lines(say: Words, offers: Mapping[Act, Deed]) -> list[Item]:
    """The lines of these offers of the coach."""
    told = {do: map(say.say, COACH[do]) for do in offers}
    return [Item(do, text, note=note, does=offers[do]) for do, (text, note) in told.items()]
