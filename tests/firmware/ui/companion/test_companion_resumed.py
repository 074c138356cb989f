"""A match against the companion that was cut off goes on with ``engarde play``: it plays on, and chooses the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest

from display.screens.compose import Arrangement
from display.window import Window
from engine.companion.backs import DeckBacks
from engine.companion.companion import CompanionWish, Plan, name_of
from engine.players.players import GreedyBot
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.state import Phase
from engine.rules.track import Side
from engine.table.comparison import Comparing
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands import play as play_command
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import open_coach
from firmware.cli.sitting.sitting import Sitting
from firmware.cli.sitting.wish import TableWish
from firmware.extras.simulation.actors import Shown
from firmware.extras.simulation.camera import TICK_S, backs_by_lot
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.recorded import RecordedCamera
from firmware.table.camera.setup import Setup
from firmware.table.loop.moment import Moment
from firmware.table.loop.requests import Agree
from firmware.table.panel.devices import no_panel
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from firmware.ui.companion.companion import TableCompanion
from firmware.ui.companion.deck_file import save_deck
from firmware.ui.screen.recall import Recall
from tests.firmware.ui.scene_table import SceneTable
from vision.frame import Frame
from vision.printed.table import load_table

TABLE_FILE = Path(__file__).parents[4] / "hardware" / "table.toml"
TABLE = load_table(TABLE_FILE)
DARK = np.zeros((8, 8), np.uint8)
"""What the camera shows: the eyes of these tests need no picture, but a camera that is there."""


class PowerCutError(Exception):
    """The program is gone in the middle of a frame."""


class Room:
    """A table that stays as it is while the program beside it ends and begins again. ``cut`` says when it ends."""

    def __init__(self, seed: int, side: Side, folder: Path) -> None:
        backs = backs_by_lot(seed)
        save_deck(DeckBacks("A", backs))
        match = MatchEvent("ferti-advanced", Side.WHITE, 1)
        rng = random.Random(seed)
        self.director = WithCompanion(TABLE, match, GreedyBot(), side, backs, rng, tick_s=TICK_S)
        self.new_table: Callable[[], Any] = lambda: SceneTable(TABLE, self.director)
        self.index = 0
        self.moments: list[Moment] = []
        self.companion: TableCompanion | None = None
        self.cut: Callable[[Room], bool] = lambda room: False
        self.folder = folder
        self.table: Any = None
        self.window: Window | None = None

    def read(self) -> Frame | None:
        if self.moments and self.cut(self):
            raise PowerCutError
        self.table.index = self.index
        frame: Frame | None = self.table.read()
        self.index = self.table.index
        return None if frame is None else Frame(frame.index, frame.t_s, DARK)

    def due(self, now_s: float) -> Any:
        return self.table.due(now_s)

    def close(self) -> None:
        pass

    def test(self) -> None:
        pass

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.table.shown = Shown.of(moment.desk, moment.view)

    def sit(self, wish: TableWish, held: ExitStack, say: Any, *, window: Any = None) -> Sitting:
        panel, myself = no_panel(""), self
        any_self: Any = myself
        return Sitting(
            wish,
            panel,
            any_self,
            self.window,
            OpenCamera(any_self, any_self, live=True),
            Setup(TABLE, TABLE_FILE.read_text(encoding="utf-8")),
            None,
            any_self,
            self.table.eyes,
            Recall(0.0, 0.0),
            WatchdogAudience(Notifier({}), lambda: False, lambda: 0.0),
        )

    def play(self, *options: str) -> None:
        """``engarde play`` with these options, by its own function."""
        self.table, self.moments = self.new_table(), []
        (self.folder / "config.toml").write_text("", encoding="utf-8")
        own = ["--camera", "0", "--headless", "--config", str(self.folder / "config.toml")]
        parsed(play_command.Play, [*own, "--scorebook", str(self.folder / "book.sqlite"), *options]).do()

    @property
    def plan(self) -> Plan | None:
        """What the companion asks for and nobody has done yet."""
        asked = self.companion.asked if self.companion is not None else None
        return asked.plan if asked is not None and asked.wish is CompanionWish.TURN else None


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Side], Room]:
    monkeypatch.setenv("ENGARDE_DECKS", str(tmp_path / "decks"))

    def enter(seed: int, side: Side) -> Room:
        made = Room(seed, side, tmp_path)

        def seated(*given: Any, meanwhile: bool, recorded: bool) -> TableCompanion:
            assert meanwhile  # at a real table it thinks beside the loop; here no frame takes any time
            made.companion = TableCompanion(*given, meanwhile=False, recorded=recorded)
            return made.companion

        monkeypatch.setattr(play_command, "TableCompanion", seated)
        monkeypatch.setattr(play_command, "open_sitting", made.sit)
        return made

    return enter


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "side", "strength"), [(1, Side.BLACK, "novice"), (4, Side.WHITE, "master")])
def test_it_plays_on_and_chooses_the_same(
    room: Callable[[int, Side], Room], capsys: pytest.CaptureFixture[str], seed: int, side: Side, strength: str
) -> None:
    at = room(seed, side)

    def cut(now: Room) -> bool:
        state = now.moments[-1].desk.state
        return now.plan is not None and state is not None and len(state.played) >= 4

    at.cut = cut
    with pytest.raises(PowerCutError):
        at.play("--bot", side.value, "--strength", strength, "--starter", "white", "--points", "1")
    before, stood = at.plan, at.moments[-1].desk.state
    assert before is not None
    at.cut = lambda now: now.plan is not None or now.moments[-1].desk.verdicts > 0
    with pytest.raises(PowerCutError):
        at.play()  # nobody says again who plays: the book knows
    assert "Going on with the match of" in capsys.readouterr().err
    assert at.moments[0].desk.comparing == Comparing(restarted=True)
    assert at.moments[0].view.match.names[side] == name_of(strength)
    assert at.plan == before
    assert at.moments[-1].desk.state == stood
    at.cut = lambda now: False
    at.play("--bot", side.other.value, "--strength", "maestro")  # what goes on is what was begun
    last = at.moments[-1].desk.state
    assert last is not None
    assert last.phase is Phase.MATCH_OVER
    assert last.score == at.director.state.score
    with open_scorebook(at.folder / "book.sqlite") as book:
        (played,) = book.replay_all()
    assert played.finished
    assert played.match.names[side] == name_of(strength)
    assert played.course is not None
    done = [step.entry for step in played.course.steps if isinstance(step.entry, TurnEvent)]
    assert before.event() in done


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A screen of which only the glass is missing; frames come when the room gives them."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    made = Window(pygame.display.set_mode((640, 360)))
    made.arrangement = Arrangement.TABLE
    yield made
    pygame.display.quit()


@pytest.mark.slow
def test_at_a_screen_the_round_that_is_over_is_told_again_by_its_key(
    room: Callable[[int, Side], Room], window: Window
) -> None:
    """``engarde play`` offers it in its hint, and does it."""
    at = room(1, Side.BLACK)
    at.window = window
    told: list[bool] = []

    def over(now: Room) -> bool:
        view = now.moments[-1].view
        if view.can_retell and not told:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_e, unicode="e"))
        told.append(view.verdict.tag == "Replay")
        return told[-1]

    def cut(now: Room) -> bool:
        state = now.moments[-1].desk.state
        assert state is not None
        return state.phase is Phase.MATCH_OVER and over(now)

    at.cut = cut
    with pytest.raises(PowerCutError):
        at.play("--bot", "black", "--starter", "white", "--points", "1")
    assert at.moments[-1].held
    assert at.moments[-1].match.ending is not None


def test_play_records_the_backs_and_what_both_agreed_to(
    room: Callable[[int, Side], Room], window: Window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    coaches: list[Any] = []
    agreed: list[Agree] = []
    real = open_coach

    def opened(*given: Any, **more: Any) -> Any:
        coaches.append(real(*given, **more))
        return coaches[-1]

    monkeypatch.setattr(play_command, "open_coach", opened)
    at = room(1, Side.BLACK)
    at.window = window

    attend = at.attend

    def attends(moment: Moment) -> None:
        attend(moment)
        if len(at.moments) == 21:
            agreed.append(Agree(("help",)))
            coaches[0]._asked += agreed

    monkeypatch.setattr(at, "attend", attends)
    at.cut = lambda now: now.index >= 32
    with pytest.raises(PowerCutError):
        at.play("--bot", "black", "--new", "--record", str(tmp_path / "match.engarde"))
    asked = []
    with closing(RecordedCamera(tmp_path / "match.engarde")) as camera:
        match = camera.setup.match
        while True:
            asked.append([request for request in camera.asks() if isinstance(request, Agree)])
            if camera.read() is None:
                break
    assert [each for each in asked if each] == [agreed]
    assert (asked.index(agreed), len(asked)) == (21, 33)
    assert match is not None
    assert match.backs is not None
    assert match.backs.complete
    assert match.backs.tokens == backs_by_lot(1)
