"""What was done in the menu while a match was recorded is done again when it is refereed from the recording."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine.record.corrections import Correction, Setting
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, EndTurn
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.camera.recorded import header_of
from firmware.table.camera.setup import RecordedMatch, Setup
from firmware.table.loop.moment import NoJournal, People
from firmware.table.loop.requests import MENU, Begin, EndTurns, Enter, Hold, LookAfresh, Release
from firmware.table.recording.recorder import Recorder
from firmware.ui.screen.printers import JsonPrinter
from tests.tables import SMALL_TABLE, SMALL_TABLE_TEXT
from vision.synthetic.camera import PRESETS

pytestmark = pytest.mark.slow

TABLE_FILE = Path(__file__).parents[4] / "hardware" / "table.toml"
PLAN = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 2), seed=5, mistakes=0.0, disturbances=PRESETS["typical"])


def quiet(said: str) -> None:
    raise AssertionError(said)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The menu is opened before any match has begun, and used for all that makes a difference to the rulings."""
    path = tmp_path_factory.mktemp("recorded") / "menu.rec"
    live = io.StringIO()
    people = People(BySide("White", "Black"), "en")
    match = SimulatedMatch(PLAN, SMALL_TABLE, NoJournal(), (JsonPrinter(live),), people)
    loop = match.loop
    loop.desk = Desk()
    begun = RecordedMatch((PLAN.match,), people.names, EndTurn.BUTTON, PLAN.settle_s, opened=False)
    recorder = Recorder(path, header_of(Setup(SMALL_TABLE, SMALL_TABLE_TEXT, None, begun)), 1000, quiet)
    loop._source = recorder.source(loop._source)
    loop.helpers = (*loop.helpers, recorder)
    for number in range(50):
        if number == 10:
            loop.ask(Hold(MENU))
        if number == 15:
            loop.ask(Begin(MatchEvent("ferti-classic", Side.BLACK, 3), BySide("Ana", "Bo")))
        if number == 16:
            loop.ask(Enter(RoundEvent()))
        if number == 17:
            loop.ask(Enter(TurnEvent((Card(1, "a"),), 1, 20)))  # refused
        if number == 18:
            loop.ask(Enter(TurnEvent((Card(3, "e"),), 1, 20)))
        if number == 20:
            loop.ask(Enter(Correction((Setting(score=BySide(1, 0)),), "by hand")))
        if number == 22:
            loop.ask(Enter(UndoEvent()))
            loop.ask(Release(MENU))
        if number == 30:
            loop.ask(EndTurns(EndTurn.AUTO))
        if number == 35:
            loop.ask(LookAfresh())
        assert loop.advance() is not None
    recorder.close()
    return path, [json.loads(line) for line in live.getvalue().splitlines()]


def test_it_is_ruled_the_same(
    recorded: tuple[Path, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, live = recorded
    book_path = tmp_path / "book.sqlite"
    assert main(["play", "--camera", str(path), "--headless", "--json", "--scorebook", str(book_path)]) == 0
    captured = capsys.readouterr()
    assert [json.loads(line) for line in captured.out.splitlines()] == live
    names = [line["event"]["event"] for line in live]
    assert names[:6] == ["match", "round", "turn", "turn", "correct", "undo"]
    assert [line["ruling"]["ok"] for line in live[:4]] == [True, True, False, True]
    assert f"{len(live)} rulings, the same as when it was recorded." in captured.err
    with open_scorebook(book_path) as book:
        (played,) = book.replay_all()
    assert played.match.names == BySide("Ana", "Bo")
    assert [row.event.name for row in played.rows] == [line["event"]["event"] for line in live if line["ruling"]["ok"]]
