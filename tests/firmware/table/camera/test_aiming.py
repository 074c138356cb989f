"""A new camera is turned the right way: said once it stands, held until all markers are seen or somebody goes on."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from display.i18n import LANGUAGES, words
from display.view import Situation
from display.words.present import present
from engine.table.aim import CameraTurn
from engine.table.desk import Desk
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.table.camera.aiming import Aiming
from firmware.table.loop.moment import Moment
from firmware.table.loop.requests import AIM, Hold, Release
from vision.board.calibration import marker_corners_mm
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.marks.markers import Marker
from vision.printed.table import Table

SHAPE = (1296, 2304)


class AtTheCamera:
    """Somebody who shows a new camera more or less of the board."""

    def __init__(self, table: Table) -> None:
        self.table, self.aiming, self.now_s = table, Aiming(), 0.0

    def looks(
        self, off_px: float, for_s: float = 2.0, *, gone: bool = False, mirrored: bool = False
    ) -> tuple[object, ...]:
        """Show the board this far to the right of where it should be in the picture; what is asked of the loop."""
        asked: list[object] = []
        seen = [
            Marker(number, (corners[:, :2] * (2.6, -2.6) + (351 + off_px, 648)))
            for number, corners in marker_corners_mm(self.table).items()
        ]
        inside = tuple(each for each in seen if (each.corners[:, 0] > 0).all() and (each.corners[:, 0] < 2304).all())
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += 0.1
            frame = Frame(0, self.now_s, np.zeros((0, 0) if gone else SHAPE, np.uint8))
            drawn = Drawn(() if gone else inside)
            look = Look(Seen(), cast(TableObservation, None), drawn, None, self.table, mirrored=mirrored)
            self.aiming.attend(Moment(frame, look, *cast(Any, (None,) * 8)))
            asked += self.aiming.asks()
        return tuple(asked)

    def told(self, language: str = "en") -> Situation:
        return self.aiming.advise(Situation(None, language=language), cast(Look, None), Desk())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mirrored_picture_is_said_to_be_one(table: Table, language: str) -> None:
    camera = AtTheCamera(table)
    assert camera.looks(-5000, mirrored=True) == (Hold(AIM),)
    told = present(camera.told(language)).trouble
    assert told is not None
    assert told.cure == words(language).say("cure.mirrored")


def test_a_camera_that_looks_beside_the_board_is_turned_until_all_is_seen(table: Table) -> None:
    camera = AtTheCamera(table)
    assert camera.looks(-700) == (Hold(AIM),)
    told = camera.told()
    assert told.devices.aim is not None
    assert told.devices.aim.turn is CameraTurn.LEFT
    view = present(told)
    assert view.verdict.headline == view.heard.spoken == "Turn the camera a little to the left."
    assert view.trouble is not None
    assert (view.trouble.text, view.trouble.cure) == ("2 of 4 corner markers seen", view.heard.spoken)
    assert camera.looks(0, for_s=0.5) == ()
    assert camera.told().devices.aim == told.devices.aim  # not yet: it may still be turned
    assert camera.looks(0) == (Release(AIM),)
    assert camera.told().devices.aim is None
    assert camera.looks(-700) == ()  # it was right once: what comes later is trouble like any other


def test_whoever_presses_plays_all_the_same(table: Table) -> None:
    camera = AtTheCamera(table)
    press = (Press(1.0, Button.WHITE),)
    assert camera.aiming.hear(press, 1.0) == press
    camera.looks(-700)
    assert camera.aiming.hear((), 1.0) == ()
    assert camera.aiming.hear(press, 1.0) == ()
    assert camera.aiming.asks() == (Release(AIM),)
    assert camera.aiming.hear(press, 1.0) == press


def test_a_camera_that_is_right_or_not_there_holds_nobody(table: Table) -> None:
    assert AtTheCamera(table).looks(0) == ()
    assert AtTheCamera(table).looks(0, gone=True) == ()


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_it_is_said_in_every_language(table: Table, language: str) -> None:
    camera = AtTheCamera(table)
    camera.looks(700)
    english, said = present(camera.told()).verdict, present(camera.told(language)).verdict
    assert "right" in english.headline
    assert said.headline != english.headline
    assert said.hint != english.hint
