"""Matches, lessons, pauses, stops, power cuts, eyes and lamps that fail and a lost folder of pictures, in any order.

The game goes on, and the scorebook has what was accepted, and no more.
"""

from __future__ import annotations

import queue
import shutil
import tempfile
import threading
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from display.menu.model import Act, Menu
from engine.record.course import Course, JournalEntry, follow
from engine.rules.events import Event, MatchEvent, UndoEvent
from engine.rules.state import Phase
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import read_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import parsed
from firmware.cli.sitting import lessons as lessons_module
from firmware.cli.sitting.sitting import Sitting
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.setup import TABLE_FILE, Setup, table_of
from firmware.table.loop.loop import Loop
from firmware.table.loop.requests import Begin, Enter
from firmware.table.loop.situation import nothing_seen
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.panel.devices import Panel
from firmware.table.panel.gpio import Sounder
from firmware.table.panel.patterns import PanelAudience
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.ui.lessons.progress import Bookmark
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.recall import Recall
from tests.firmware.conftest import whole_match
from vision.frame import GONE, Frame
from vision.look import Drawn, Look, Seen

pytestmark = pytest.mark.parts_fail
TABLE = table_of(TABLE_FILE)


class PowerCut(BaseException):
    """The program is no more."""


class Program:
    """``engarde play`` in a thread of its own; it stands still wherever it waits for a frame.

    It is the camera, the eyes, which are blind so that nothing falls by itself, the panel and its lamps.
    """

    run = None
    back_areas = back_tokens = ()
    parts = devices = ()  # of a panel
    table = TABLE
    calibration = best_calibration = None

    def __init__(self, folder: Path, points: int) -> None:
        self._folder, self._points = folder, points
        self._goes_on: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._stands: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._index = 0
        self.pressed: list[Button] = []
        self.over = False
        self.failing: set[str] = set()
        self.agreed: list[MatchEvent] = []
        self._thread = threading.Thread(target=self._plays)
        self._thread.start()
        self._wait()

    def _plays(self) -> None:
        error: BaseException | None = None
        try:
            with ExitStack() as held, redirect_stdout(StringIO()):
                wish = self._wish()
                play_command.play(wish, self._sitting(wish), held)
        except PowerCut:
            pass
        except BaseException as found:  # the test raises it
            error = found
        self.over = True
        self._stands.put(error)

    def _wish(self) -> Any:
        config = self._folder / "config.toml"
        config.write_text("", encoding="utf-8")
        given = ["--camera", "0", "--headless", "--config", str(config), "--rules", "ferti-advanced"]
        given += ["--scorebook", str(self._folder / "book.sqlite"), "--starter", "white"]
        given += ["--points", str(self._points)]
        given += ["--out", str(self._folder / "out")]
        return parsed(play_command.Play, given).wish()

    def _sitting(self, wish: Any) -> Sitting:
        myself: Any = self
        panel = Panel(myself, myself, Sounder(), "")
        camera = OpenCamera(myself, RecordedPresses(), live=True, agree=self.agreed.append)
        given = (None, camera, Setup(TABLE, TABLE_FILE.read_text(encoding="utf-8")), None, myself, myself)
        dog = WatchdogAudience(Notifier({}), lambda: False, lambda: 0.0)
        return Sitting(wish.table, panel, PanelAudience(myself, Sounder()), *given, Recall(0.0, 0.0), dog)

    def read(self) -> Frame | None:
        self._stands.put(None)
        if not self._goes_on.get():
            raise PowerCut
        self._index += 1
        return Frame(self._index, self._index * 0.25, GONE)

    def look(self, frame: Frame) -> Look:
        self._perhaps_fails("eyes")
        return Look(Seen(), nothing_seen(frame.t_s), Drawn(), None, TABLE)

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None: ...

    def show(self, lamps: Any) -> None:
        self._perhaps_fails("lamps")

    def _perhaps_fails(self, part: str) -> None:
        if part in self.failing:
            self.failing.remove(part)
            raise ValueError(f"the {part} fail, once")

    def close(self) -> None: ...

    def reopen(self) -> None: ...

    def frames(self, count: int = 3) -> None:
        """So many moments, or fewer where it ends."""
        for _ in range(count):
            if not self.over:
                self._goes_on.put(True)
                self._wait()

    def cut(self) -> None:
        """The power is cut."""
        if not self.over:
            self._goes_on.put(False)
            self._wait()
        self._thread.join()

    def _wait(self) -> None:
        error = self._stands.get()
        if error is not None:
            raise error


class AtTheSitting(RuleBasedStateMachine):
    """What was accepted is entered by hand, as where there is no camera."""

    def __init__(self) -> None:
        super().__init__()
        self.held = ExitStack()
        self.folder = Path(self.held.enter_context(tempfile.TemporaryDirectory(prefix="engarde-sitting-")))
        self.held.enter_context(mock.patch.dict("os.environ", {"ENGARDE_DECKS": str(self.folder / "decks")}))
        made: tuple[tuple[str, Any, Any], ...] = (
            ("menu", play_command, TableMenu),
            ("lesson's menu", lessons_module, TableMenu),
        )
        for name, module, kind in made:
            self.held.enter_context(mock.patch.object(module, kind.__name__, self._noting(name, kind)))
        self.held.enter_context(mock.patch("firmware.cli.sitting.sitting.Loop", self._looped))
        self.made: dict[str, Any] = {}
        self.matches: list[list[JournalEntry]] = []
        self.course: Course | None = None
        self.coming: list[Event] = []
        self.paused = self.learns = False
        self.points = 1
        self.program: Any = None

    def _looped(self, *given: Any, mode: str, **named: Any) -> Any:
        loop = Loop(*given, mode=mode, **named)
        if mode == "play":
            self.made["loop"] = loop
        return loop

    def _noting(self, name: str, made: Any) -> Any:
        def make(*given: Any, **named: Any) -> Any:
            self.made[name] = made(*given, **named)
            return self.made[name]

        return make

    @initialize(points=st.sampled_from([1, 6]))
    def begin(self, points: int) -> None:
        self.points = points
        self.accepted(self.match)
        self.start()

    @property
    def match(self) -> MatchEvent:
        """The one that is begun next."""
        return MatchEvent("ferti-advanced", points=self.points)

    def start(self) -> None:
        self.paused = self.learns = False
        if self.course is not None and self.over:
            self.accepted(self.match)
        self.program = Program(self.folder, self.points)
        self.program.frames()
        assert self.program.agreed == [self.match], "who plays there knows how long it goes on"

    @property
    def over(self) -> bool:
        return self.course is not None and self.course.state.phase is Phase.MATCH_OVER

    def accepted(self, entry: JournalEntry) -> None:
        """What becomes of the match by this, where it is accepted."""
        course, ruling = follow(None if isinstance(entry, MatchEvent) else self.course, entry)
        if not ruling.ok:
            return
        if isinstance(entry, MatchEvent):
            self.matches.append([])
            self.coming = [*whole_match(len(self.matches), self.points)[1:]]
        self.course = course
        self.matches[-1].append(entry)

    @precondition(lambda self: not self.learns)
    @rule()
    def something_falls(self) -> None:
        """The next event of the match, entered by hand."""
        done = sum(1 for step in self.course.steps) - 1 if self.course is not None else 0
        if done < len(self.coming):
            self.asks(self.coming[done])

    @precondition(lambda self: not self.learns)
    @rule()
    def takes_back(self) -> None:
        self.asks(UndoEvent())

    def asks(self, event: Event) -> None:
        self.made["loop"].ask(Enter(event))
        self.program.frames()
        self.accepted(event)

    @precondition(lambda self: not self.learns)
    @rule()
    def another_match(self) -> None:
        self.made["loop"].ask(Begin(self.match))
        self.program.frames()
        self.accepted(self.match)

    @precondition(lambda self: not self.learns and not self.over)
    @rule()
    def pause(self) -> None:
        """The menu button, where there is no screen."""
        self.program.pressed.append(Button.MENU)
        self.program.frames()
        self.paused = not self.paused
        assert bool(self.made["loop"].held) == self.paused

    @precondition(lambda self: not self.learns)
    @rule()
    def learn(self) -> None:
        self.made["menu"].now.learn(Bookmark("moving"))
        self.program.frames()
        self.learns, self.paused = True, False

    @precondition(lambda self: self.learns)
    @rule(buttons=st.lists(st.sampled_from([Button.WHITE, Button.BLACK, Button.UNDO]), max_size=3))
    def answer(self, buttons: list[Button]) -> None:
        self.program.pressed += buttons
        self.program.frames()

    @precondition(lambda self: self.learns)
    @rule()
    def leave_the_lesson(self) -> None:
        self.made["lesson's menu"].choose(Act("lesson_leave"), Menu())
        self.program.frames()
        self.learns = False

    @precondition(lambda self: not self.learns)
    @rule()
    def stop_and_start_again(self) -> None:
        self.made["menu"].now.stop()
        self.program.frames()
        assert self.program.over
        self.program.cut()
        self.start()

    @rule(part=st.sampled_from(["eyes", "lamps"]))
    def a_part_fails(self, part: str) -> None:
        """When it is asked for something the next time."""
        self.program.failing.add(part)
        self.program.frames()

    @rule()
    def the_folder_of_pictures_is_lost(self) -> None:
        """As on a stick that is pulled out, or comes back."""
        out = self.folder / "out"
        if out.is_dir():
            shutil.rmtree(out)
            out.write_text("a file", encoding="utf-8")
        else:
            out.unlink(missing_ok=True)

    @rule()
    def power_cut(self) -> None:
        self.program.cut()
        self.start()

    @invariant()
    def it_goes_on(self) -> None:
        assert self.program is None or not self.program.over

    @invariant()
    def the_book_and_the_table_have_what_was_accepted(self) -> None:
        if not self.matches:
            return
        book = read_scorebook(self.folder / "book.sqlite")
        assert book is not None
        with book:
            kept = [[row.event for row in played.rows] for played in book.replay_all()]
        assert kept == self.matches
        assert self.course is not None
        if not self.learns:
            assert self.made["loop"].desk.state == self.course.state

    def teardown(self) -> None:
        if self.program is not None:
            self.program.cut()
        self.held.close()


AtTheSitting.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestAtTheSitting = pytest.mark.slow(AtTheSitting.TestCase)
