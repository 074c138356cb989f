"""The reason for not seeing is told from what must be readable, before it is told from what is missing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight, Why
from tests.tables import TABLE, renderer_of
from tests.vision.why.conftest import Told, looks
from vision.belief import LONG_S
from vision.board.pose_watch import BoardSeen
from vision.board.zones import Zones
from vision.cells import thumbnail
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Box
from vision.marks.markers import Marker
from vision.synthetic import Scene, SceneCard, figure_at
from vision.why.sharpness import Clarity, is_dark
from vision.why.why import WhyWatch

pytestmark = pytest.mark.slow

TABLE_CARD = Card.parse("3b")
SHAPE = (320, 480)


def noisy(grey: float, noise: float, contrast: float = 0.0) -> Picture:
    """A picture of two halves, one brighter by the contrast."""
    y = np.full(SHAPE, grey) + np.random.default_rng(1).normal(0.0, noise, SHAPE)
    y[:, SHAPE[1] // 2 :] += contrast
    return np.asarray(np.clip(y, 0, 255), dtype=np.uint8)


def test_dark_is_where_black_and_white_differ_by_hardly_more_than_noise() -> None:
    def dark(y: Picture, seen: Clarity | None) -> bool:
        return is_dark(y, thumbnail(y), seen)

    assert dark(noisy(12, 2), None)
    assert dark(noisy(35, 6, 25), Clarity(2.0, 30.0, 60.0, False))
    assert not dark(noisy(35, 2, 25), Clarity(2.0, 30.0, 60.0, False))
    assert dark(noisy(35, 1, 25), Clarity(2.0, 11.0, 60.0, False))
    assert not dark(noisy(90, 8), None)  # evenly grey: something lies before the camera
    assert not dark(noisy(35, 6, 25), Clarity(2.0, 30.0, 140.0, False))  # the markers are lit
    assert dark(noisy(30, 9, 20), None)
    assert is_dark(noisy(200, 1), np.zeros(0, np.float32), None)  # none of the table is in view


def test_why_a_board_was_never_found() -> None:
    def said(y: Picture) -> Why:
        watch = WhyWatch()
        watch.look(y, thumbnail(y), ())
        return watch.unfound()

    sharp = np.zeros(SHAPE, np.uint8) + np.uint8(60)
    sharp[40:280, 60:90] = sharp[100:140, 200:400] = 200
    assert said(sharp) is Why.BOARD_LOST
    assert said(np.asarray(cv2.blur(sharp, (9, 9)), dtype=np.uint8)) is Why.BLUR
    assert said(np.asarray(cv2.blur(sharp, (9, 1)), dtype=np.uint8)) is Why.BLUR
    assert said(np.asarray(sharp // 12, dtype=np.uint8)) is Why.DARK
    assert said(np.full(SHAPE, 120, np.uint8)) is Why.BOARD_LOST


@pytest.fixture(scope="module")
def still() -> Picture:
    """Both fencers, and a card."""
    card = SceneCard(TABLE_CARD, 300.0, -160.0)
    scene = Scene((card,), figure_at(TABLE, Side.WHITE, 5), figure_at(TABLE, Side.BLACK, 18))
    return renderer_of(TABLE, "none").render(scene, 0, 0.0).y


def whys(still: Picture, spoiled: Picture, frames: int = 6) -> list[Why | None]:
    """What is said of these pictures after a second of plain ones."""
    said = [look.table.why for look in looks(Eyes(TABLE), *[still] * 10, *[spoiled] * frames)]
    assert said[9] is None
    return said[10:]


def test_a_smear_is_said_to_be_blur_whichever_way_it_goes(still: Picture) -> None:
    for size in ((8, 1), (1, 8)):
        said = whys(still, np.asarray(cv2.blur(still, size), dtype=np.uint8))
        assert set(said[1:]) == {Why.BLUR}


def test_too_little_light_is_dark_although_it_is_not_black(still: Picture) -> None:
    dim = still.astype(np.float32) / 6 + np.random.default_rng(2).normal(20.0, 9.0, still.shape)
    assert set(whys(still, np.clip(dim, 0, 255).astype(np.uint8))[1:]) == {Why.DARK}


@pytest.mark.parametrize("noise", [0.5, 5.0])
@pytest.mark.parametrize("light", [0.05, 0.1, 0.11, 0.12, 0.15, 0.2])
def test_in_whatever_light_the_card_is_read_or_the_dark_is_told(still: Picture, light: float, noise: float) -> None:
    random, eyes = np.random.default_rng(3), Eyes(TABLE)
    for number in range(8):
        dim = still * light + 2.0 + random.normal(0.0, noise, still.shape)
        told = eyes.look(Frame(number, number / 2, np.clip(dim, 0, 255).astype(np.uint8))).table
    assert told.why is Why.DARK or [card.card for card in told.cards] == [TABLE_CARD]
    if light >= 0.2:
        assert told.sight is Sight.STEADY


def test_a_bump_is_said_at_once_and_until_it_is_understood(still: Picture) -> None:
    bumped = np.roll(still, (14, 22), (0, 1))
    said = whys(still, bumped, 12)
    assert Why.MOVED in said[:3]  # the corner markers are not asked again at once
    first = said.index(Why.MOVED)
    assert set(said[:first]) <= {Why.HAND}
    assert set(said[first:]) <= {Why.MOVED, None}
    assert said[-1] is None


def burning(told: Told, y: Picture, radius_px: int, *places_mm: tuple[float, float]) -> Picture:
    """The picture with light that burns at these places."""
    y = y.copy()
    for place in places_mm:
        cv2.circle(y, told.px(*place), radius_px, (255,), -1)
    return y


def test_light_on_every_marker_is_glare_and_no_board_that_was_lost(still: Picture) -> None:
    burnt = burning(Told(still, 1), still, 62, *(corner[1:3] for corner in TABLE.corners))
    assert set(whys(still, burnt)[1:]) == {Why.GLARE}


def test_light_on_both_labels_of_a_card_is_glare_until_it_is_gone_or_was_told_for_long(still: Picture) -> None:
    told = Told(still)
    burnt = burning(told, still, 44, (287.0, -140.5), (313.0, -179.5))
    said = [look.table for look in looks(told.eyes, *[burnt] * 10, begins_s=1.0)]
    assert {table.why for table in said[3:]} == {Why.GLARE}
    assert all(len(table.cards) == 1 for table in said)
    for shown, begins_s, why in ((still, 2.0, None), (burnt, 3.0, Why.GLARE), (burnt, 3.0 + LONG_S, None)):
        last = looks(told.eyes, *[shown] * 8, begins_s=begins_s)[-1].table
        assert (last.why, len(last.cards)) == (why, 1)


def test_a_card_that_comes_with_the_light_in_which_it_lies_is_glare_and_no_hand() -> None:
    """A round light looks like a thing larger than a card, which nobody knows from a hand without an arm."""
    scene = Scene((), figure_at(TABLE, Side.WHITE, 5), figure_at(TABLE, Side.BLACK, 18))
    laid = Scene((SceneCard(TABLE_CARD, 300.0, -160.0),), scene.white, scene.black)
    bare, card = (renderer_of(TABLE, "none").render(shown, 0, 0.0).y for shown in (scene, laid))
    told = Told(bare)
    light = np.zeros(card.shape, np.float32)
    cv2.circle(light, told.px(300.0, -160.0), 170, 400.0, -1)
    burnt = np.clip(card + cv2.GaussianBlur(light, (0, 0), 30.0), 0, 255).astype(np.uint8)
    said = [look.table for look in looks(told.eyes, *[burnt] * 10, begins_s=1.0)]
    assert {table.why for table in said[2:]} == {Why.GLARE}
    assert {len(table.cards) for table in said} == {0}


@pytest.mark.parametrize("soft_px", [1.7, 1.8])
def test_a_picture_that_may_be_too_soft_is_blurred_until_one_was_sharp(soft_px: float) -> None:
    def edges_of(px: float) -> Picture:
        y = np.full((320, 480), 235, np.uint8)
        y[100:180, 100:180] = 20
        return np.asarray(cv2.GaussianBlur(y, (0, 0), px), dtype=np.uint8)

    marker = Marker(0, np.array([[100.0, 100.0], [180.0, 100.0], [180.0, 180.0], [100.0, 180.0]]) - 0.5)
    watch = WhyWatch()

    def told(px: float) -> tuple[bool, bool]:
        """With modules for which the sharp picture is sharp, and the soft one neither sharp nor surely illegible."""
        y = edges_of(px)
        watch.look(y, thumbnail(y), (marker,))
        assert watch.trouble(BoardSeen.FOUND, zones_with(4.0), 0.0) is None
        return watch.blurred, watch.cleared

    assert told(soft_px) == (True, False)
    assert told(0.5) == (False, True)
    assert told(0.5) == (False, False)
    assert told(soft_px) == (False, False)


def zones_with(module_px: float) -> Zones:
    """A small picture that shows nothing but the table, with modules of this size."""
    table, box = np.ones((SHAPE[0] // 8, SHAPE[1] // 8), np.uint8), Box(0, 0, SHAPE[1], SHAPE[0])
    return Zones(table, table, table, box, box, {}, module_px)


@pytest.mark.parametrize(("module_px", "blurred"), [(1.5, True), (1.7, False)])
def test_a_picture_with_too_few_pixels_is_never_sharp_enough(module_px: float, blurred: bool) -> None:
    """Nobody could read a label in it, however sharp it is: a table that seems bare need not be.

    Without any marker nobody can tell another blur.
    """
    watch, y = WhyWatch(), noisy(120, 1)
    watch.look(y, thumbnail(y), ())
    assert watch.trouble(BoardSeen.FOUND, zones_with(module_px), 0.0) is None
    assert watch.blurred is blurred
    assert watch.cleared is not blurred


def test_light_on_half_of_the_markers_is_glare_when_the_board_is_lost() -> None:
    corners = np.array([[240.0, 160.0], [296.0, 160.0], [296.0, 216.0], [240.0, 216.0]])
    lit = noisy(90, 1)
    lit[160:216, 240:296] = 255
    for outlines, why in (
        ((corners, corners + 60.0), Why.GLARE),
        ((corners, corners + 60.0, corners - 60.0), Why.BOARD_LOST),
        ((), Why.BOARD_LOST),
    ):
        watch = WhyWatch()
        watch.look(lit, thumbnail(lit), ())
        assert watch.trouble(BoardSeen.LOST, replace(zones_with(4.0), markers_px=outlines), 0.0) is why


def test_a_camera_that_is_never_quite_sharp_is_taken_as_it_is(still: Picture) -> None:
    """Soft, but not beyond doubt illegible: doubted for three seconds, and then the readers may try."""
    soft = np.asarray(cv2.GaussianBlur(still, (0, 0), 1.4), dtype=np.uint8)
    said = [look.table.why for look in looks(Eyes(TABLE), *[soft] * 30, fps=5)]
    assert set(said[3:14]) == {Why.BLUR}
    assert Why.BLUR not in said[17:]


def test_what_lay_there_in_a_smear_is_looked_for_once_the_picture_is_sharp(still: Picture) -> None:
    """A smear along the rows leaves the means of cells as they are: nothing seems to change when it ends."""
    smeared = np.asarray(cv2.blur(still, (7, 1)), dtype=np.uint8)
    said = [look.table for look in looks(Eyes(TABLE), *[smeared] * 10, *[still] * 5)]
    assert {(table.why, len(table.cards)) for table in said[:10]} == {(Why.BLUR, 0)}
    assert all(table.why is not None or len(table.cards) == 1 for table in said[10:])
    assert said[-1].why is None


def test_what_an_unread_card_leaves_behind_is_nothing_that_came(still: Picture) -> None:
    """It was learned with the table while it lay there; where it lay the lamp burns, as it did before."""
    told = Told(still, 4)
    lamp, card, (x, y) = burning(told, still, 40, (300.0, -150.0)), still.copy(), told.px(300.0, -150.0)
    cv2.rectangle(card, (x - 90, y - 120), (x + 90, y + 120), (150,), -1)
    shining = []
    for number, shown in enumerate([lamp] * 60 + [card] * 30 + [lamp] * 10):
        assert told.sees(shown, number / 10) is None
        unread = ((300.0, -150.0),) if shown is card else ()
        shining.append(told.hint(number / 10, held=(), unread=unread).burnt)
    assert shining[90:] == [()] * 10


@pytest.mark.parametrize(("lies", "handed"), [(True, True), (False, True), (False, False)])
def test_what_burns_where_a_hand_was_may_be_a_card_and_where_nobody_was_it_is_the_table(
    still: Picture, lies: bool, handed: bool
) -> None:
    told = Told(still)
    assert len(told.held) == 1
    burnt, doubts = burning(told, still, 60, (420.0, -150.0)), []
    for number in range(60):
        assert told.sees(burnt, number / 10) is None
        hint = told.hint(number / 10, number == 50 * (not handed), held=None if lies else ())
        doubts.append(len(hint.outshone))
    assert doubts[-10:] == [int(handed)] * 10


def test_light_that_shines_where_the_view_moved_to_is_told_as_the_first_is(still: Picture) -> None:
    """Nobody knows what lies in it."""
    told = Told(still)
    burnt = burning(told, still, 60, (420.0, -150.0))
    for board, begins_s in ((BoardSeen.FOUND, 0.0), (BoardSeen.MOVED, 22.0)):
        moved = told.sees(burnt, begins_s, board)
        assert moved is (None if board is BoardSeen.FOUND else Why.MOVED)
        assert [told.hint(begins_s + s).why for s in (0.0, 1.0, 20.0)] == [Why.GLARE, Why.GLARE, None]
