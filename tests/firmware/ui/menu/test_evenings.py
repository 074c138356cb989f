"""Evenings at a table with a menu, as text: what is chosen, what is shown, what is in the book."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from display.menu.model import Act, Goto, Key, Line, Of, Open, Pick, Rub
from display.menu.settings import Setting
from display.screens.menu import MenuPart
from display.view import PisteView, ViewModel
from display.window import Window
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, take_up
from engine.table.presses import Button, NoteKind, Press
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.file import NotKeptError
from firmware.book.scorebook.schema import SIMULATED
from firmware.table.loop.moment import Moment
from firmware.table.loop.requests import Announce, Begin, Enter, Hold, Release, TakeUp
from firmware.table.sound.voice import Reader
from firmware.ui.coach.coach import Coach
from firmware.ui.menu.table_menu import TableMenu
from tests.firmware.conftest import SetClock, fill, whole_match
from tests.firmware.scenes import Evening, SetEvening
from tests.firmware.ui.menu.conftest import AtAMenu, AtTheTable, ByWindow
from tests.scenes import played, scenes
from tests.waiting import until
from vision.camera.settling import Settling
from vision.frame import GONE
from vision.printed.table import PlayArea

SCENES, AT_THE_WINDOW = (Path(__file__).with_name(name) for name in ("evenings.txt", "window.txt"))
ASKED = {
    "classic": (Begin(MatchEvent("ferti-classic", Side.BLACK, 1)),),
    "endless": (Begin(MatchEvent("ferti-classic", Side.BLACK, 10**9)),),
    "long": (Enter(MatchEvent("ferti-advanced", Side.WHITE, 3)),),
    "turn": (Enter(RoundEvent()), Enter(TurnEvent((Card(5, "a"),), 6, 23))),
    "yield": (Enter(YieldEvent()),),
    "salvaged": (Announce(NoteKind.BOOK_SALVAGED, 12),),
}
WRONG = ("correct", "manual", "plain", "sight", "health")
"""Pages behind the line of what helps; all others are behind that of more."""
BEGAN_S = 1_800_000_000.0


def named(line: Line) -> str:
    """A line of the menu as the scenes call it."""
    match line:
        case Open(page, which, part):
            told: tuple[object, ...] = (page, which, part)
        case Of(what, which, part):
            told = (what.value, which, part)
        case Act(deed, which, part):
            told = (deed, which, part)
        case Setting(path=path):
            told = (path,)
        case Pick():
            told = (line.value,)
        case _:
            told = (str(line),)
    return ":".join(f"{each.value if isinstance(each, Side) else each}" for each in told).removesuffix(":0").rstrip(":")


def _piste(piste: PisteView) -> str:
    spaces = piste.fencers.map(lambda fencer: fencer.space)
    return f"{spaces.white}-{spaces.black}, distance {piste.distance}{' not counted yet' * piste.distance_pending}"


class AtTheMenu(Evening, AtAMenu):
    """A line that is not on the page is looked for behind the tile that leads to it."""

    moment: Moment | None
    book: Scorebook
    tap: Callable[..., None]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.done: list[str] = []
        self.loop.audience = (*self.loop.audience, self)

    def attend(self, moment: Moment) -> None:
        self.moment = moment
        self.done += [type(each).__name__ for each in moment.requests if not isinstance(each, Hold | Release)]

    @property
    def view(self) -> ViewModel | None:
        return None if self.moment is None else self.moment.view

    def facts(self) -> Iterator[tuple[str, object]]:
        menu, page = self.menu.menu, self.menu.page
        yield "page", page and page.title
        if menu is not None and page is not None:
            yield "says", [re.sub(r"^\d\d:\d\d", "hh:mm", each) for each in page.lines]
            yield "lines", " ".join(named(each.key) for each in page.items if not isinstance(each.key, str | Rub))
            item = page.items[menu.here.at] if menu.here.at < len(page.items) else None
            yield "at", item and [each for each in (item.text, item.value, item.note) if each]
            yield "written", menu.text
            yield "board", page.board and [page.board.ask, page.board.told, *map(str, page.board.named)]
            yield "marked", page.board and [*page.board.spaces]
            yield "piste", page.board and page.board.piste and _piste(page.board.piste)
            yield "ways", [each.text for each in page.items if named(each.key).startswith("way:")]
            yield "rivals", page.rivalry and [page.rivalry.names, page.rivalry.won, page.rivalry.met]
            person = page.person
            yield "person", person and [person.rating, person.standing, *person.form, f"{len(person.curve)} matches"]
            yield "turn", page.past and _piste(page.past.turns[page.past.at].piste)
        yield "held", {*self.loop.held}
        yield "offered", self.view and self.view.offered
        yield "over", "the program ends" if self.moment is None and self.loop.desk.state else ""
        yield "trouble writing", self.moment and self.moment.trouble
        yield "carried out", " ".join(self.done)
        self.done.clear()
        matches = self.book.matches()
        yield "book", [f"{each.id} {each.names.white} {each.names.black}" for each in matches]
        yield "corrected", [each.event.why for each in self.last.corrections] if matches else []
        playing = self.loop.desk.state
        kept = [self.book.replay(each.id) for each in matches]
        assert playing is None or not kept or kept[-1].match.mode != "play" or playing in [each.state for each in kept]

    @property
    def last(self) -> Any:
        """The newest match of the book, judged anew."""
        return self.book.replay(self.book.matches()[-1].id)

    def find(self, name: str) -> Line:
        """The line of this name on the page that is shown, or the tile that it is behind."""
        name = name.replace("+", " ")
        lines: dict[str, Line] = {named(item.key): item.key for item in self.page.items}
        tile = "wrong" if name in WRONG and "wrong" in lines else "more"
        return lines[name] if name in lines else lines[tile]

    def lead(self, name: str) -> Iterator[Line]:
        """The lines to choose, one after the other, to have chosen this one."""
        first = self.find(name)
        yield first
        if named(first) != name.replace("+", " "):
            yield self.find(name)

    def do_met(self, white: str, black: str, seed: str) -> None:
        """Two people have met before; ``+`` stands for a blank in a name."""
        fill(self.book, BySide(white.replace("+", " "), black.replace("+", " ")), whole_match(int(seed)))
        self.menu.now.machine.known_names()

    def do_tap(self, *names: str) -> None:
        for name in names:
            for line in self.lead(name):
                self.tap(line)

    def do_ask(self, name: str) -> None:
        self.loop.ask(*ASKED[name])
        self.wait(1.0)

    def do_take_up(self) -> None:
        """The match is taken up again, as after a restart."""
        assert self.loop.desk.course is not None
        self.loop.ask(TakeUp(take_up(self.loop.desk.course)))
        self.wait(1.0)

    def do_coached(self) -> None:
        """A coach hears what the menu leaves."""
        self.menu.now.coach = coach = Coach(PlayArea(68.0, 548.0, -260.0, -60.0), self.loop.people)
        self.loop.helpers = (*self.loop.helpers, coach)
        self.wait(0.3)

    def do_retell(self) -> None:
        self.menu.now.retell()
        self.wait(0.2)


class MenuEvening(AtTheMenu, SetEvening, AtTheTable):
    """A table without a window, at which the buttons are pressed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folder = folder
        self.reader, self.heard = Reader(), list[str]()
        self.do_starts("white")  # and not by lot

    def facts(self) -> Iterator[tuple[str, object]]:
        yield from super().facts()
        yield "names", self.loop.people.names
        yield "language", self.loop.people.language
        yield "set", [f"{setting.path} = {value}" for setting, value in self.applied]
        self.applied.clear()
        yield "ends turns", self.moment.settings.end_turn if self.moment else EndTurn.BUTTON
        yield "heard", list(filter(None, self.heard))
        self.heard.clear()
        yield "private", "shown nowhere" if self.menu.is_private else ""
        yield "tested", [self.tested, self.feedback.asked]
        yield "kept settings", self.settings_file.read_text(encoding="utf-8") if self.settings_file.is_file() else ""
        yield "stick", [each.name for each in sorted((self.folder / "media").glob("*/*"))]
        yield "agreed", self.loop.people.agreed
        wanted = self.menu.now.wanted
        yield "then", wanted.name if isinstance(wanted, Path) else wanted

    def do_begin(self) -> None:
        self.begin()

    def do_lay(self, *cards: str) -> None:
        self.lay(" ".join(cards))

    def do_play(self, white: str, black: str, *cards: str) -> None:
        self.play(int(white), int(black), " ".join(cards))

    def do_open(self, *names: str) -> None:
        """Open the menu, and choose these lines with the buttons, one page after the other."""
        self.go_to()
        for name in names:
            for line in self.lead(name):
                self.go_to(line)

    def do_to(self, name: str) -> None:
        self.to(self.find(name))

    def do_hand(self, *names: str) -> None:
        """Enter a turn by hand and leave the page."""
        if self.here != Goto.MANUAL:
            self.do_open("manual")
        self.do_tap(*names)
        while self.menu.menu is not None:
            self.menu.key(Key.BACK)
        self.wait(0.2)

    def do_set(self, name: str, *value: str) -> None:
        self.set_to(self.find(name), " ".join(value))

    def do_write(self, *letters: str) -> None:
        for letter in re.sub(r"U\+(\w{4})", lambda found: chr(int(found[1], 16)), " ".join(letters)):
            self.menu.write(letter)

    def do_key(self, *keys: str) -> None:
        for key in keys:
            self.menu.key(Key(key))
        self.wait(0.1)

    def do_by_ear(self) -> None:
        """All that the screen says is read out, as the settings say."""
        self.menu.now.config = replace(self.menu.now.config, voice="full")

    def do_hear(self, *buttons: str) -> None:
        """What is read out after these buttons, once the screen stands still."""
        self.pressed += map(Button, buttons)
        for _ in range(12):
            self.moment = moment = self.loop.advance()
            assert moment is not None
            aloud = moment.view.heard
            self.heard.append(self.reader.news(aloud.aloud, self.t_s, aloud.aloud_page))

    def do_adjust(self, name: str, key: str) -> None:
        self.menu.adjust(self.keys.index(self.find(name)), Key(key))
        self.wait(0.1)

    def do_starts(self, starter: str) -> None:
        self.menu.now.config = replace(self.menu.now.config, starter=starter)

    def do_without_screen(self) -> None:
        self.menu = TableMenu(self.menu.now, shown=lambda: False)
        self.loop.helpers = (self.menu, *self.loop.helpers[1:])

    def do_stick(self, how: str = "in") -> None:
        if how == "in":
            (self.folder / "media" / "STICK").mkdir(parents=True)
        else:
            (self.folder / "media" / "STICK").rename(self.folder / "gone")

    def do_spoil(self) -> None:
        """The first copy on the stick is cut in half."""
        copy = self.folder / "media" / "STICK" / "engarde-scorebook-0001.sqlite"
        copy.write_bytes(copy.read_bytes()[:2000])

    def do_camera_goes(self) -> None:
        read = self.read
        self.read = lambda: replace(read(), y=GONE)  # type: ignore[method-assign, type-var]

    def do_simulated(self) -> None:
        self.machine.modes = (SIMULATED,)

    def do_rename(self, name: str, *new: str) -> None:
        """Somebody's page, and another name written there on a keyboard, up to what that would change."""
        self.do_open("people", f"person:{name}", f"write:{name}")
        self.do_write(*new)
        self.do_tap(f"take_name:{name}")

    def do_pause(self) -> None:
        self.menu.now.pause(on=True)

    def do_camera_settles(self) -> None:
        self.feedback.settling = Settling(self.feedback, 0.0)

    def do_settings_locked(self) -> None:
        """What is set cannot be written down."""
        self.settings_file.mkdir()

    def do_locked(self) -> None:
        """Nothing that is in the book can be changed."""
        self.book.connection.execute("PRAGMA query_only = on")

    def do_disk(self, how: str) -> None:
        """Nothing can be written into the book until the disk is well."""

        def full(*_: object) -> int:
            raise NotKeptError("the disk is full.")

        self.book.write = full if how == "full" else partial(Scorebook.write, self.book)  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_the_evening_goes_as_written(scene: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    evening = MenuEvening(tmp_path)
    with evening.book:
        assert played(SCENES, scene, evening, request) == scene


class WindowEvening(AtTheMenu, ByWindow):
    """The whole program at a window, without a camera: touched, and keys pressed."""

    def facts(self) -> Iterator[tuple[str, object]]:
        yield from super().facts()
        for _, name in self.people.names.items():
            solving = self.progress.of(name).solving
            solved = len(self.progress.of(name).puzzles)
            yield f"{name} solved", solving.tried and f"{solved} of {len(solving.tried)}, {solving.streak} in a row"

    def do_key(self, *keys: str) -> None:
        self.key(*(key if len(key) == 1 else getattr(pygame, f"K_{key.upper()}") for key in keys))

    def do_panel(self, *buttons: str) -> None:
        """The buttons of a panel."""
        for button in map(Button, buttons):
            self.menu.hear((Press(self.camera.t_s, button),), self.camera.t_s)
            self.wait(0.1)

    def do_touch(self, button: str) -> None:
        """A button of the table's screen."""
        self.button(button)

    def do_finger(self, part: str, name: str = "") -> None:
        """On what leads back, or on the arrow beside a line."""
        number = self.keys.index(self.find(name)) if name else 0
        drawn = next(each for each in self.drawn().targets if (each.part, each.number) == (MenuPart[part], number))
        self.touch(drawn.box.center)

    def do_reviewed(self) -> None:
        """The round that is looked at was gone through."""
        assert until(lambda: not self.page.past.review.progress)

    def do_quit(self) -> None:
        """The window is closed."""
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        self.wait(0.1)

    def do_camera(self, how: str) -> None:
        self.camera.picture = np.full((720, 1280), 90, np.uint8) if how == "comes" else None

    def do_way(self, *text: str) -> None:
        """Tap the turn with these words."""
        self.tap(next(item.key for item in self.page.items if item.text == " ".join(text)))

    def do_move(self, *spaces: str) -> None:
        """Each plays a card and moves so far, one after the other."""
        for far in map(int, spaces):
            self.do_tap(f"lay:{abs(far)}")
            self.do_way("Advance" if far > 0 else "Retreat", f"{abs(far)}")
            self.do_tap("turn")


@pytest.mark.slow
@pytest.mark.parametrize("scene", scenes(AT_THE_WINDOW))
def test_the_evening_at_the_window_goes_as_written(
    scene: str, window: Window, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("menu.state", "lessons.solving"):  # the day of the matches, on which nothing of them is due
        monkeypatch.setattr(f"firmware.ui.{module}.day_number", datetime.fromtimestamp(BEGAN_S).toordinal)
    with open_scorebook(tmp_path / "book.sqlite", SetClock(wall=BEGAN_S)) as book:
        evening = WindowEvening(window, book, tmp_path)
        evening.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 1))
        assert played(AT_THE_WINDOW, scene, evening, request) == scene
