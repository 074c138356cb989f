"""Recordings of matches with open hands and with the companion are ruled the same as when they were made."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent, RevealEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn
from firmware.cli.main import main
from firmware.extras.simulation.director import OpenHandsDirector
from firmware.table.camera.recorded import header_of
from firmware.table.camera.setup import RecordedMatch, Setup
from firmware.table.loop.moment import Moment, People
from firmware.table.recording.recorder import Recorder
from firmware.ui.coach.coach import Coach, Mode
from tests.firmware.ui.scene_table import TICK_S, SceneTable
from tests.tables import TABLE, TABLE_FILE
from vision.frame import GONE, Frame
from vision.look import Look
from vision.printed.table import Table

pytestmark = pytest.mark.slow


def quiet(said: str) -> None:
    raise AssertionError(said)


class SameEyes:
    """Eyes that see at every frame what was seen at it when the recording was made."""

    def __init__(self, looks: dict[float, Look], table: Table) -> None:
        self.looks, self.table = looks, table
        self.back_areas: tuple[Any, ...] = ()
        self.back_tokens: tuple[str, ...] = ()

    def watch_backs(self, areas: Any, tokens: Any = ()) -> None:
        self.back_areas, self.back_tokens = tuple(areas), tuple(tokens)

    def look(self, frame: Frame) -> Look:
        return self.looks[round(frame.t_s, 3)]


class Blank:
    """Frames without a picture, as a recording of a camera that is gone has them."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def read(self) -> Frame | None:
        frame = self.source.read()
        return None if frame is None else Frame(frame.index, frame.t_s, GONE)

    def close(self) -> None:
        pass


@pytest.fixture
def again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[Path, dict[float, Look]], str]:
    """Referees a recording with these looks, and gives what is said of it."""
    (tmp_path / "config.toml").write_text("", encoding="utf-8")
    monkeypatch.setenv("ENGARDE_DECKS", str(tmp_path / "no-decks"))

    def referee(path: Path, looks: dict[float, Look], *options: str) -> str:
        monkeypatch.setattr(
            "firmware.cli.sitting.sitting.Eyes", lambda table, calibration, lens=None, run=None: SameEyes(looks, table)
        )
        config = ["--headless", "--config", str(tmp_path / "config.toml")]
        assert main(["play", "--camera", str(path), *config, *options]) == 0
        return capsys.readouterr().err

    return referee


class OpenTable(SceneTable):
    """Two players with open hands, recorded."""

    def __init__(self, path: Path) -> None:
        match = MatchEvent("ferti-advanced", Side.WHITE, 1)
        bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
        super().__init__(TABLE, OpenHandsDirector(TABLE, match, bots, random.Random(3), tick_s=TICK_S))
        self.looks: dict[float, Look] = {}
        self.rulings = 0
        people = People(BySide("Ana", "Ben"), "en")
        coach = Coach(TABLE.play_area, people)
        begun = RecordedMatch((match,), people.names, EndTurn.BUTTON, 1.0, opened=True)
        header = header_of(Setup(TABLE, TABLE_FILE.read_text(encoding="utf-8"), None, begun))
        recorder = Recorder(path, header, 1000, quiet)
        loop = self.refereed(people, [coach, recorder], [self], recorder.source(Blank(self)), settle_s=1.0)
        coach.propose(Mode.OPEN)
        loop.open(match)
        loop.run()
        recorder.close()

    def look(self, frame: Frame) -> Look:
        self.looks[round(frame.t_s, 3)] = look = super().look(frame)
        return look

    def attend(self, moment: Moment) -> None:
        super().attend(moment)
        self.rulings += len(moment.entries)


def test_open_hands_are_no_turn_in_a_recording_either(again: Callable[..., str], tmp_path: Path) -> None:
    table = OpenTable(tmp_path / "open.engarde")
    assert table.rulings > 5
    told = again(tmp_path / "open.engarde", table.looks, "--bot", "white", "--coach")
    assert f"{table.rulings} rulings, the same as when it was recorded." in told
    assert "--bot is left out" in told
    assert "--coach is left out" in told


def test_without_what_was_agreed_to_it_would_be_ruled_otherwise(
    again: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a recording of before: it is read, and the difference is said."""
    monkeypatch.setattr("firmware.table.recording.recorder.note_of", lambda request: None)
    table = OpenTable(tmp_path / "old.engarde")
    assert "The rulings differ from the recorded ones" in again(tmp_path / "old.engarde", table.looks)


class Recorded:
    """A match against the companion with a recorder at it; its cards are turned over in their slots at a reveal."""

    def __init__(self, path: Path, *, with_backs: bool = True) -> None:
        self.path, self.with_backs = path, with_backs
        self.looks: dict[float, Look] = {}

    def __call__(self, played: Any) -> None:
        loop = played.loop
        show, look = played.director.stage.show, played.eyes.look

        def turned(side: Side, card: Any, number: int, aside: Any = (0.0, 0.0)) -> Any:
            placed = show(side, card, number, aside)
            return placed if side is not Side.BLACK else type(placed)(card, *TABLE.slots_mm[number])

        def looked(frame: Frame) -> Look:
            seen: Look = look(frame)
            self.looks[round(frame.t_s, 3)] = seen
            return seen

        played.director.stage.show, played.eyes.look = turned, looked
        course = loop.desk.course
        backs = played.deck if self.with_backs else None
        begun = RecordedMatch(
            (course.steps[0].entry,), loop.people.names, EndTurn.BUTTON, 1.0, opened=True, backs=backs
        )
        header = header_of(Setup(TABLE, TABLE_FILE.read_text(encoding="utf-8"), None, begun))
        self.recorder = Recorder(self.path, header, 1000, quiet)
        loop._source = self.recorder.source(Blank(loop._source))
        loop.helpers = (*loop.helpers, self.recorder)


@pytest.mark.parametrize(("seed", "points"), [(3, 2), (1, 1), (2, 1)])
def test_a_match_with_the_companion_is_ruled_the_same_though_its_deck_is_not_known_here(
    play_match: Callable[..., Any], again: Callable[..., str], tmp_path: Path, seed: int, points: int
) -> None:
    recorded = Recorded(tmp_path / "bot.engarde")
    played = play_match(seed, Side.BLACK, points=points, change=recorded)
    recorded.recorder.close()
    entries = [entry for moment in played.moments for entry in moment.entries]
    assert seed != 3 or any(isinstance(entry.event, YieldEvent) and entry.by_hand for entry in entries)
    told = again(recorded.path, recorded.looks)
    assert f"{len(entries)} rulings, the same as when it was recorded." in told


def test_without_the_backs_a_reveal_in_the_slots_would_be_ruled_otherwise(
    play_match: Callable[..., Any], again: Callable[..., str], tmp_path: Path
) -> None:
    differ = 0
    for seed in (1, 2, 4):
        recorded = Recorded(tmp_path / f"{seed}.engarde", with_backs=False)
        played = play_match(seed, Side.BLACK, change=recorded)
        recorded.recorder.close()
        shown = any(isinstance(entry.event, RevealEvent) for moment in played.moments for entry in moment.entries)
        if shown:
            differ += "The rulings differ" in again(recorded.path, recorded.looks)
    assert differ
