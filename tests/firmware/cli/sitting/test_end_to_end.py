"""A whole match through rendered frames: eyes, referee, scorebook, screen, lamps. The main job, at its smallest."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchJournal, open_scorebook
from firmware.extras.simulation.actors import StuckMatchError
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import Audience, Moment, NoJournal, People
from firmware.table.panel.devices import Sounder
from firmware.table.panel.patterns import PanelAudience
from firmware.ui.screen.printers import JsonPrinter, PictureWriter, VerdictPrinter, moments_that_matter
from firmware.ui.screen.screens import draw_moment
from tests.firmware.conftest import LampRecord
from tests.tables import SMALL_TABLE
from vision.synthetic.camera import TYPICAL

pytestmark = pytest.mark.slow

PLAN = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 1), seed=3, mistakes=0.4, disturbances=TYPICAL)


class DiskFirst:
    """Holds the rule that an event is on disk before anybody is shown its verdict."""

    def __init__(self, journal: MatchJournal) -> None:
        self._journal = journal

    def attend(self, moment: Moment) -> None:
        accepted = sum(entry.ruling.ok for entry in moment.entries)
        assert self._journal.seq >= accepted
        assert moment.desk.course is not None
        assert self._journal.seq == len(moment.desk.course.steps)


def test_a_match_is_refereed_from_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.ui.screen.screens.png_of", lambda surface: b"a picture")  # packing takes long
    with open_scorebook(tmp_path / "book.sqlite") as book:
        journal = book.begin(BySide("Anna", "Ben"), mode="demo", seed=PLAN.seed)
        lamps, verdicts, lines = LampRecord(), io.StringIO(), io.StringIO()
        buzzer = mock.create_autospec(Sounder, instance=True)
        writer = PictureWriter(tmp_path / "shown", draw_moment, moments_that_matter())
        panel = PanelAudience(lamps, buzzer)
        audience: list[Audience] = [DiskFirst(journal), VerdictPrinter(verdicts), JsonPrinter(lines), panel, writer]
        people = People(BySide("Anna", "Ben"), "en")
        match = SimulatedMatch(PLAN, SMALL_TABLE, journal, audience, people)
        match.loop.run()
        report = match.report()
        assert report.state.phase is Phase.MATCH_OVER
        assert report.agrees
        assert report.tally.wrong == []
        assert report.tally.caught == sum(report.tally.mistakes.values()) > 0
        (played,) = book.replay_all()
        assert played.state == report.state
        assert played.finished
        assert played.match.names == BySide("Anna", "Ben")
    pictures = sorted(path.name for path in (tmp_path / "shown").iterdir())
    assert len(pictures) == writer.written
    kinds = {name[4:-4] for name in pictures}
    assert {"round", "open-turn", "match-over"} <= kinds
    assert any(kind.startswith("refused-") for kind in kinds)
    assert "wins the match" in verdicts.getvalue()
    assert lines.getvalue().count('"ok": false') >= report.tally.caught
    sounded = [call.args[0] for call in buzzer.sound.call_args_list]
    began = sum(on and not before for before, on in zip([False, *sounded], sounded, strict=False))
    assert began >= report.tally.caught
    touch = "touch_left" if report.state.score.white else "touch_right"
    assert any(touch in shown for shown in lamps.shown)


def test_eyes_that_measure_wrongly_do_not_get_through_a_match() -> None:
    """The simulated table is good enough that breaking vision breaks the demo: here tags are thought 40 mm higher."""

    match = SimulatedMatch(PLAN, SMALL_TABLE, NoJournal(), (), People(BySide("White", "Black"), "en"))
    match.loop.eyes._sightings._table = replace(
        SMALL_TABLE, fencer_offset_mm=SMALL_TABLE.fencer_offset_mm._replace(z=60.0)
    )
    with pytest.raises(StuckMatchError):
        match.loop.run()
