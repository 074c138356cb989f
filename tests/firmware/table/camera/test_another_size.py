"""A match at a camera that gives pictures of another size from its middle on: it goes on, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.observation import Why
from firmware.book.scorebook.book import open_scorebook
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.moment import Moment, People
from tests.fakes.reopened import Reopened
from vision.camera.sources import Source
from vision.camera.webcam import WebCamera
from vision.frame import GONE, Frame, Picture
from vision.synthetic.camera import TYPICAL

pytestmark = pytest.mark.slow
BEFORE, AFTER = 3, 3
SOON = 20  # looks until it is there again


def smaller(image: Picture) -> Picture:
    return np.asarray(cv2.resize(image, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def higher(image: Picture) -> Picture:
    rows = image.shape[0] // 8
    return np.asarray(cv2.copyMakeBorder(image, rows, rows, 0, 0, cv2.BORDER_REPLICATE), dtype=np.uint8)


class ChangingCamera:
    """The simulated table through a driver whose pictures are ``changed`` after some verdicts; and its audience."""

    def __init__(self, changed: Callable[[Picture], Picture]) -> None:
        self._changed = changed
        self._table: Source | None = None
        self._shown = Frame(0, 0.0, GONE)
        driver = partial(Driver, self._take)
        webcam = WebCamera(0, (0, 0), open_capture=lambda device: driver(), clock=lambda: self._shown.t_s)
        self._webcam = Reopened(webcam, lambda: self._shown.t_s, lambda s: None)
        self.lost = self.verdicts = 0

    def before(self, table: Source) -> ChangingCamera:
        self._table = table
        return self

    # -- the source ------------------------------------------------------------------------------------------------

    def read(self) -> Frame | None:
        assert self._table is not None
        shown = self._table.read()
        if shown is None:
            return None
        self._shown = shown
        return replace(self._webcam.read(), index=shown.index, t_s=shown.t_s)

    def close(self) -> None:
        self._webcam.close()

    def _take(self) -> Picture:
        return self._shown.y if self.verdicts < BEFORE else self._changed(self._shown.y)

    # -- the audience ----------------------------------------------------------------------------------------------

    def attend(self, moment: Moment) -> None:
        self.lost += moment.look.table.why is Why.CAMERA_LOST
        self.verdicts += sum(entry.ruling.ok for entry in moment.entries)


class Driver:
    """What OpenCV would open."""

    def __init__(self, take: Callable[[], Picture]) -> None:
        self._take = take

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, what: int, value: float) -> None:
        """Drivers promise much."""

    def release(self) -> None:
        """It can be opened again."""

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        return True, self._take()


@pytest.mark.parametrize("changed", [smaller, higher])
def test_a_match_goes_on_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: Callable[[Picture], Picture]
) -> None:
    camera = ChangingCamera(changed)
    monkeypatch.setattr("firmware.extras.simulation.match.PacedSource", camera.before)
    people = People(BySide("Ana", "Bo"), "en")
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 3), 3, 0.0, TYPICAL)
    with open_scorebook(tmp_path / "book.sqlite") as book:
        journal = book.begin(people.names, mode="demo")
        match = SimulatedMatch(plan, table_of(TABLE_FILE), journal, (camera,), people, paced=True)
        while camera.verdicts < BEFORE + AFTER:
            assert match.loop.advance() is not None
            assert camera.lost < SOON
        (played,) = book.replay_all()
        assert played.problem == ""
        assert played.state == match.loop.desk.state
        assert len(played.rows) == camera.verdicts + 1  # the match's own first
        assert not match.director.tally.wrong
    assert camera.lost
