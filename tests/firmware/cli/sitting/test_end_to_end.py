"""A whole match through rendered frames: eyes, referee, scorebook, screen, lamps. The main job, at its smallest."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from display.i18n import LANGUAGES
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchJournal, open_scorebook
from firmware.extras.simulation.actors import StuckMatchError
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import Audience, Moment, People
from firmware.table.panel.gpio import Sounder
from firmware.table.panel.patterns import PanelAudience
from firmware.table.recording.replay import NoJournal
from firmware.ui.screen.printers import JsonPrinter, PictureWriter, VerdictPrinter, moments_that_matter
from firmware.ui.screen.screens import draw_moment
from tests.firmware.conftest import LampRecord
from tests.tables import SMALL_TABLE
from vision.synthetic.camera import TYPICAL

pytestmark = pytest.mark.slow

PLAN = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 1), seed=3, mistakes=0.4, disturbances=TYPICAL)


class BuzzerRecord(Sounder):
    """Counts how often the buzzer began to sound."""

    def __init__(self) -> None:
        super().__init__()
        self.on, self.began = False, 0

    def sound(self, on: bool) -> None:
        self.began += on and not self.on
        self.on = on

    def close(self) -> None:
        self.sound(False)


class DiskFirst:
    """Holds the rule that an event is on disk before anybody is shown its verdict."""

    def __init__(self, journal: MatchJournal) -> None:
        self._journal = journal

    def attend(self, moment: Moment) -> None:
        accepted = sum(entry.ruling.ok for entry in moment.entries)
        assert self._journal.seq >= accepted
        state = moment.desk.state
        assert state is not None
        depth, before = 0, state.previous
        while before is not None:
            depth, before = depth + 1, before.previous
        assert self._journal.seq == depth + 1


def test_a_match_is_refereed_from_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.ui.screen.screens.png_of", lambda surface: b"a picture")  # packing takes long
    with open_scorebook(tmp_path / "book.sqlite") as book:
        journal = book.begin(BySide("Anna", "Ben"), mode="demo", seed=PLAN.seed)
        lamps, verdicts, lines = LampRecord(), io.StringIO(), io.StringIO()
        buzzer = BuzzerRecord()
        writer = PictureWriter(tmp_path / "shown", draw_moment, moments_that_matter())
        audience: list[Audience] = [
            DiskFirst(journal),
            VerdictPrinter(verdicts),
            JsonPrinter(lines),
            PanelAudience(lamps, buzzer),
            writer,
        ]
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
    assert buzzer.began >= report.tally.caught
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_go_round_all_languages(language: str) -> None:
    people = People(BySide("White", "Black"), language)
    heard = []
    for _ in LANGUAGES:
        people.speak_next()
        heard.append(people.language)
    assert heard[-1] == language
    assert set(heard) == set(LANGUAGES)
