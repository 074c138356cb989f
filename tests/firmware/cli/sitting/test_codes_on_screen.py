"""A telephone held before the whole screen at the end of a match reads the play and the address of its page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

import cv2
import numpy as np
import pygame
import pytest
import zxingcpp

from display.draw.theme import CLEAR_LARGE, DEFAULT
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement
from display.window import Window
from display.words.present import present
from firmware.cli.sitting.board import BG_STATS, Codes
from tests.display.showcase import NAMES, situations

pytestmark = pytest.mark.slow

ADDRESS = "http://192.168.178.20:8765/"
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
AFTER_S = 60.0
"""By then the victory was celebrated."""
PHOTOGRAPH_PX = 1700
"""How wide a telephone's picture of the screen is: no pixel of one lies on a pixel of the other."""
CAMERA = CameraPicture(bytes((96, 110, 118)) * (64 * 36), 64, 36)


@pytest.fixture
def window(request: pytest.FixtureRequest) -> Iterator[Window]:
    """A window of the size and theme that were asked for, over a match with a scoreboard."""
    size, theme = request.param
    pygame.display.init()
    opened = Window(pygame.display.set_mode(size), theme)
    opened.codes = Codes(lambda: ADDRESS, lambda: 1234)
    yield opened
    pygame.display.quit()


def read(surface: pygame.Surface) -> set[str]:
    """What is read off a blurred picture of the whole screen, a little turned, that does not keep to its pixels."""
    width, height = surface.get_size()
    rows = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)
    grey = cv2.cvtColor(rows, cv2.COLOR_RGB2GRAY)
    share = PHOTOGRAPH_PX / width
    grey = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA if share < 1 else cv2.INTER_LINEAR)
    turn = cv2.getRotationMatrix2D((grey.shape[1] / 2, grey.shape[0] / 2), 3.0, 0.95)
    photograph = cv2.GaussianBlur(cv2.warpAffine(grey, turn, grey.shape[::-1]), (0, 0), 1.0)
    return {found.text for found in zxingcpp.read_barcodes(photograph)}


@pytest.mark.parametrize(
    "window",
    [(size, theme) for size in SIZES for theme in (DEFAULT, CLEAR_LARGE)],
    indirect=True,
    ids=lambda wish: f"{wish[0][0]}x{wish[0][1]}-{wish[1].name}",
)
@pytest.mark.parametrize("arrangement", [Arrangement.TABLE, Arrangement.BOTH])
def test_the_play_and_the_page_are_read_off_the_whole_screen(window: Window, arrangement: Arrangement) -> None:
    window.arrangement = arrangement
    language = LANGUAGES[SIZES.index(window.surface.get_size())]
    view = present(replace(situations()["match_over"], language=language, mode="play"))
    for now_s in (0.0, AFTER_S):
        window.show(view, CAMERA if arrangement is Arrangement.BOTH else None, now_s)
    found = read(window.surface)
    assert f"{ADDRESS}match/1234" in found
    link = next(text for text in found if text.startswith(BG_STATS))
    play = json.loads(unquote(link.removeprefix(BG_STATS)))
    assert [player["name"] for player in play["players"]] == [NAMES.white, NAMES.black]
    assert [player["score"] for player in play["players"]] == [5, 2]
    assert [player["winner"] for player in play["players"]] == [True, False]
