"""Pages of a few large tiles with pictures: where one begins, in a match, after one, and what lies behind them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from display.i18n import Words
from display.menu.lines import Do, Goto, Line, Open
from display.menu.model import Item, Menu, Page
from display.words.sentences import shown_name
from engine.lessons.lessons import LESSON_BY_ID, LESSONS
from engine.players.bots.strengths import RIVALS
from engine.puzzles.collection import puzzle_of_the_day
from engine.rules.track import BySide, Side
from firmware.ui.menu.page import MenuPage, line, pages_under
from firmware.ui.menu.pages.learning import STAR, stars_of, to_warm_up
from firmware.ui.menu.state import MenuState

ACROSS: Final = 3
"""So many tiles stand side by side."""


def tile(say: Words, key: Line, name: str, sign: str, *, text: str = "", note: str = "") -> Item:
    """A tile with this picture; its words are ``tiles.NAME`` and ``tiles.NAME_note`` where none are given."""
    note = note or say.say(f"tiles.{name}_note")
    return Item(key, text or say.say(f"tiles.{name}"), note=note, sign=sign)


def tiles_page(title: str, *tiles: Item | None) -> Page:
    """These tiles; None is left out."""
    return Page(title, tuple(each for each in tiles if each is not None), columns=ACROSS, gallery=True)


class HomePage(MenuPage, id="home"):
    """The last players, and what there is to do; first of all to go on, or to begin as last time."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        names = now.names if now.against not in RIVALS else now.names.put(Side.BLACK, now.against)
        begins = Item(Do.BEGIN, say.say("tiles.play"), note=_begin_note(say, names), sign="swords")
        first = tile(say, Do.CLOSE, "go_on", "play") if now.is_playing else begins
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
        pause = Do.RESUME if now.paused else Do.PAUSE
        return tiles_page(
            say.say("menu.title"),
            tile(say, Do.CLOSE, "go_on", "play", note=say.say("menu.go_on_note")),
            tile(say, pause, pause.value, "pause", note=say.say(f"menu.{pause.value}_note")),
            _take_back(say, now),
            tile(say, Goto.WRONG, "wrong", "speech"),
            tile(say, Goto.OFF, "stop", "cross"),
            tile(say, Goto.MORE, "more", "menu"),
        )

    def _in_a_lesson(self, say: Words) -> Page:
        """The page during a lesson, or a puzzle on the board."""
        puzzling = self.now.puzzling_at_table
        of = "puzzle_" if puzzling else ""
        offered = {
            Do.CLOSE: f"{of}go_on",
            Do.LESSON_AGAIN: f"{of}again",
            **({} if puzzling else {Do.LESSON_SHOW: "show"}),
            Do.LESSON_SKIP: f"{of}skip",
            Do.LESSON_LEAVE: "leave",
        }
        items = [line(say, key, f"lessons.menu.{name}") for key, name in offered.items()]
        items.append(Item(Goto.LEARN, say.say("lessons.menu.all"), note=say.say("lessons.menu.learn_note")))
        items += [line(say, page) for page in (Goto.SETTINGS, Goto.SIGHT, Goto.OFF)]
        return Page(say.say("lessons.menu.learn"), tuple(items))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        teacher = self.now.teacher
        match key:
            case Do.LESSON_AGAIN if teacher is not None:
                teacher.again()
            case Do.LESSON_SHOW if teacher is not None:
                teacher.prove()
            case Do.LESSON_SKIP if teacher is not None:
                teacher.skip()
            case Do.LESSON_LEAVE:
                self.now.left = True
                self.now.stop()
            case _:
                return super().chosen(key, menu)
        return None


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
        items = [coach_line(say, do) for do in now.offers if do is not Do.BEGIN_OPEN]
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
            Item(Do.BEGIN, say.say("tiles.rematch"), note=_begin_note(say, self.now.names), sign="swords"),
            tile(say, Goto.PAST.of(number), "review", "eye") if number else None,
            tile(say, Goto.SHARE.of(number), "share", "arrow_up") if number else None,
            tile(say, Goto.START, "another", "play", note=say.say("menu.start_note")),
            _take_back(say, self.now),
            tile(say, Goto.HOME, "start", "menu"),
        )


def _take_back(say: Words, now: MenuState) -> Item | None:
    """The tile that undoes the last turn, if there is one."""
    last = now.last
    return tile(say, Do.UNDO, "take_back", "arrow_left", note=say.say("menu.undo_note", what=last)) if last else None


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
    Do.HINTS: ("coach.menu_hints", "coach.menu_hints_note"),
    Do.OPEN_HANDS: ("coach.menu_open", "coach.menu_open_note"),
    Do.END_HINTS: ("coach.menu_end_hints", "coach.menu_end_note"),
    Do.END_OPEN_HANDS: ("coach.menu_end_open", "coach.menu_end_note"),
    Do.RETELL: ("retold.menu", "retold.menu_note"),
    Do.BEGIN_OPEN: ("coach.menu_first", "coach.menu_first_note"),
}
"""What the coach may offer: its words and its note."""


def coach_line(say: Words, do: Do) -> Item:
    """The line of something that the coach offers."""
    text, note = COACH[do]
    return Item(do, say.say(text), note=say.say(note))
