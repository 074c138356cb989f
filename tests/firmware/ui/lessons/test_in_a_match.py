"""Lessons in the middle of a match: chosen in the menu, given at the same table, and then the match goes on."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from display.menu.model import Act, Menu
from engine.lessons.lesson import Telling
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Settings
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.sitting import lessons as session
from firmware.cli.sitting.household import menu_of
from firmware.cli.sitting.sitting import Sitting
from firmware.cli.sitting.wish import TableWish
from firmware.core.config import load_config
from firmware.extras.simulation.pupils import Pupils
from firmware.table.camera.camera import CameraWanted, OpenCamera, camera_spec
from firmware.table.camera.setup import Setup
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import People
from firmware.table.panel.devices import no_panel
from firmware.table.panel.patterns import PanelAudience
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.ui.lessons.progress import FILE, Bookmark, Progress, progress_path
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.recall import Recall
from tests.firmware.ui.scene_table import SceneTable, forever
from tests.waiting import until
from vision.printed.table import Table

NAMES = BySide("Ana", "Ben")


class House:
    """A match under way at a live table whose two players may turn pupils."""

    def __init__(self, folder: Path, table: Table) -> None:
        self.players = Pupils(table, random.Random(1), 0.2)
        sight: Any = SceneTable(table, self.players)
        self.sight = sight
        self.config = load_config(_empty(folder))
        panel = no_panel("")
        self.sitting = Sitting(
            TableWish(self.config, CameraWanted(camera_spec("0")), folder / "book.sqlite"),
            panel,
            PanelAudience(panel.lights, panel.sounder),
            None,
            OpenCamera(sight, sight, live=True),
            Setup(table, ""),
            None,
            sight,
            sight,
            Recall(0.0, 0.0),
            WatchdogAudience(Notifier({}), lambda: False, lambda: 0.0),
        )
        self.book = open_scorebook(folder / "book.sqlite")
        journal = self.book.begin(NAMES, mode="play")
        self.progress = Progress(progress_path(self.book.path))
        self.people = People(NAMES, "en")
        machine = menu_of(self.config, EndTurn.BUTTON, self.book, self.sitting)
        self.menu = TableMenu(MenuState(self.people, *machine, progress=self.progress), shown=lambda: False)
        self.lesson_menus: list[TableMenu] = []
        given: Any = (sight, sight, sight, journal, [], Settings(), self.people, [self.menu])
        self.loop = Loop(*given, mode="play")
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 5))
        self.players._script = forever()
        for _ in range(20):
            self.loop.advance()
        assert self.loop.desk.state is not None
        assert self.loop.desk.state.phase is Phase.TURN

    def learn(self, monkeypatch: pytest.MonkeyPatch, until: str) -> bool:
        """Give the lesson that was chosen; somebody stops in the menu once this one is learned."""
        real = session.give_lessons

        def watched(sitting: Sitting, people: People, lessons: Any) -> Any:
            self.players._script = self.players._take_lessons()

            def look(told: Telling, over: bool) -> None:
                if until in self.progress.of("Ana").lessons and not over:
                    self.lesson_menus[-1].choose(Act("lesson_leave"), Menu())
                self.players.look(told, over)

            return real(sitting, people, lessons, look=look)

        def chosen(*given: Any, **more: Any) -> TableMenu:
            self.lesson_menus.append(TableMenu(*given, **more))
            return self.lesson_menus[-1]

        monkeypatch.setattr(play_command, "give_lessons", watched)
        monkeypatch.setattr(session, "TableMenu", chosen)
        assert self.menu.now.lesson is not None
        machine = menu_of(self.config, EndTurn.BUTTON, self.book, self.sitting)
        lessons = session.Lessons(self.menu.now.lesson, Settings(), self.progress, machine)
        return play_command._learn(lessons, self.loop, self.people, self.menu, self.sitting)


def _empty(folder: Path) -> Path:
    path = folder / "config.toml"
    path.write_text("")
    return path


@pytest.mark.slow
def test_a_match_waits_for_the_lessons_and_is_compared_with_the_table_when_it_goes_on(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, table)
    before = house.loop.desk
    house.menu.now.learn(Bookmark("moving"))
    assert house.loop.advance() is None
    assert house.menu.now.lesson == Bookmark("moving")
    assert house.learn(monkeypatch, "moving")
    house.players._script = forever()
    assert house.loop.advance() is not None
    assert house.loop.desk.course is before.course, "nothing of a lesson is in the match"
    assert house.loop.desk.comparing is not None, "the fencers stand where the lesson left them"
    assert house.loop.desk.verdicts > before.verdicts
    for _ in range(5):
        moment = house.loop.advance()
    assert moment is not None
    assert moment.view.remedies, "they are to go back to where the match has them"
    assert moment.view.verdict.headline == "Back to the match: put everything back as it was"
    house.sight._presses += (Press(moment.frame.t_s, Button.WHITE),)
    for _ in range(5):
        house.loop.advance()
    assert house.loop.desk.course is before.course, "nor is what it left"
    for side in Side:
        del house.players.stage.figures[side]
        house.players.stage.put_figure(side, before.state.spaces[side] if before.state else 0)
    house.players.stage.clear_cards()
    for _ in range(8):
        moment = house.loop.advance()
    assert moment is not None
    assert moment.desk.comparing is None
    assert moment.desk.state == before.state
    played = [*house.book.replay_all()]
    house.book.close()
    assert played[0].course is not None
    assert [step.entry.name for step in played[0].course.steps] == [MatchEvent.name, RoundEvent.name]
    assert Progress(tmp_path / FILE).of("Ben").lessons == {"moving"}


def test_going_on_begins_at_the_first_lesson_that_is_not_learned(tmp_path: Path, table: Table) -> None:
    house = House(tmp_path, table)
    house.progress.learned(["Ana", "Ben"], "first")
    house.menu.now.learn_on()
    assert house.menu.now.lesson == Bookmark("moving")
    house.book.close()


def test_every_check_of_the_doctor_is_in_the_menu(tmp_path: Path, table: Table) -> None:
    house = House(tmp_path, table)
    assert until(lambda: house.menu.now.checks)
    checks = house.menu.now.checks
    headings = [check.heading for check in checks]
    assert {"Memory card", "Camera", "Panel", "Scorebook"} <= set(headings)
    book = checks[headings.index("Scorebook")]
    assert book.well
    assert str(house.book.path) in book.lines[1]
    house.book.close()
