"""Where the trouble is, in pixels: at the hand, at the hidden tag, at the markers, at a code nobody reads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules.track import BySide, Side
from engine.table.observation import Doubt, DoubtReason, FigureProblem, FigureReading, Sight, TableObservation, Why
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.board.calibration import Calibration, calibrate
from vision.cells import Mask
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Floats
from vision.printed.table import TablePoint
from vision.synthetic import PRESETS, Renderer, Scene
from vision.why.trouble import Trouble, troubles_of

pytestmark = pytest.mark.slow

SIZE = (2304, 1296)
WHOLE = [[0.0, 0.0], [2303.0, 0.0], [2303.0, 1295.0], [0.0, 1295.0]]


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrate([renderer_of(TABLE, "none").render(Scene(), 0, 0.0)], TABLE)


def seen(why: Why | None, side: Side | None = None, *, black: int | None = 19) -> TableObservation:
    figures = BySide(FigureReading(6), FigureReading(black, None if black else FigureProblem.HIDDEN))
    sight = Sight.STEADY if why is None else Sight.CHECKING
    return TableObservation(1.0, 0.0, figures, (), sight, why, side)


def around(outline: Floats, calibration: Calibration, place: TablePoint) -> bool:
    """Whether this place of the table is about the middle of the outline's box."""
    ((x_px, y_px),) = calibration.camera.project([place])
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    return float(np.hypot(*(middle - (x_px, y_px)))) < 3.0


def at_hand(cells: Mask | None) -> tuple[Trouble, ...]:
    """The places of a hand over these cells."""
    return troubles_of(seen(Why.HAND), SIZE, TABLE, None, arm=cells)


def test_hands_are_outlined_the_largest_first_and_specks_are_not() -> None:
    cells = np.zeros((162, 288), np.uint8)
    cells[100:120, 50:70] = 1
    cells[40:80, 200:230] = 1
    cells[10:12, 10:12] = 1
    large, small = at_hand(cells)
    assert {large.why, small.why} == {Why.HAND}
    assert (large.outline.min(axis=0) == (200.5 * 8 - 0.5, 40.5 * 8 - 0.5)).all()
    assert (large.outline.max(axis=0) == (229.5 * 8 - 0.5, 79.5 * 8 - 0.5)).all()
    assert (small.outline.min(axis=0) == (50.5 * 8 - 0.5, 100.5 * 8 - 0.5)).all()
    cells[100:120, 50:70] = 0
    cells[100:109, 50:59] = 1  # beside an arm that is nothing to look for
    (alone,) = at_hand(cells)
    assert (alone.outline == large.outline).all()
    dented = np.zeros((162, 288), np.uint8)
    dented[40:80, 200:230] = 1
    dented[50:70, 210:230] = 0
    (whole,) = at_hand(dented)
    assert {tuple(point) for point in whole.outline} == {tuple(point) for point in large.outline}
    assert at_hand(np.zeros((162, 288), np.uint8)) == ()
    assert at_hand(None) == ()


@pytest.mark.parametrize("why", [Why.DARK, Why.BLUR, Why.GLARE, Why.BOARD_LOST, Why.MOVED, Why.TAG_HIDDEN])
def test_where_nobody_knows_the_place_it_is_the_whole_picture(why: Why) -> None:
    (trouble,) = troubles_of(seen(why), SIZE, TABLE, None)
    assert (trouble.why, trouble.outline.tolist()) == (why, WHOLE)


def test_a_camera_that_is_gone_has_no_picture_to_show_it_on() -> None:
    assert troubles_of(seen(Why.CAMERA_LOST), (0, 0), TABLE, None) == ()
    assert troubles_of(seen(Why.DARK), (0, 0), TABLE, None) == ()


@pytest.mark.slow
def test_a_blurred_picture_is_told_from_one_that_shows_labels_too_small(calibration: Calibration) -> None:
    (blurred,) = troubles_of(seen(Why.BLUR), SIZE, TABLE, calibration)
    assert not blurred.too_small
    small = replace(TABLE, camera=TABLE.camera._replace(width=640, height=480))
    eyes, renderer = Eyes(small), Renderer(small, None, PRESETS["none"], 1)
    looks = [eyes.look(renderer.render(Scene(), number, number / 8)) for number in range(4)]
    assert {look.table.why for look in looks} == {Why.BLUR}
    (told,) = looks[-1].trouble
    assert (told.why, told.too_small, told.outline[2].tolist()) == (Why.BLUR, True, [639.0, 479.0])


def test_steady_eyes_have_no_trouble(calibration: Calibration) -> None:
    assert troubles_of(seen(None), SIZE, TABLE, calibration) == ()


@pytest.mark.parametrize("why", [Why.TAG_HIDDEN, Why.GLARE])
def test_a_hidden_tag_is_where_its_fencer_stood_last(calibration: Calibration, why: Why) -> None:
    for side, space in ((Side.WHITE, 6), (Side.BLACK, 19)):
        (trouble,) = troubles_of(seen(why, side), SIZE, TABLE, calibration)
        assert (trouble.why, trouble.side) == (why, side)
        assert around(trouble.outline, calibration, TABLE.tag_mm(space))


def test_a_fencer_nobody_saw_yet_may_be_anywhere_on_the_piste(calibration: Calibration) -> None:
    (trouble,) = troubles_of(seen(Why.TAG_HIDDEN, Side.BLACK, black=None), SIZE, TABLE, calibration)
    first, last = calibration.camera.project([TABLE.tag_mm(1), TABLE.tag_mm(23)])
    assert trouble.outline[:, 0].min() < first[0]
    assert trouble.outline[:, 0].max() > last[0]


@pytest.mark.parametrize("why", [Why.BOARD_LOST, Why.MOVED])
def test_a_lost_or_moved_board_is_shown_by_its_markers(calibration: Calibration, why: Why) -> None:
    found = troubles_of(seen(why), SIZE, TABLE, calibration)
    assert [trouble.why for trouble in found] == [why] * len(TABLE.corners)
    for trouble, corner in zip(found, TABLE.corners, strict=True):
        assert around(trouble.outline, calibration, TablePoint(corner.x, corner.y, corner.z))


def test_a_code_nobody_reads_is_shown_with_or_without_other_trouble(calibration: Calibration) -> None:
    code = Doubt(300.0, -150.0, 0.5)
    for why, more in ((None, 0), (Why.TAG_HIDDEN, 1)):
        found = troubles_of(replace(seen(why, Side.WHITE), doubts=(code,)), SIZE, TABLE, calibration)
        assert len(found) == 1 + more
        assert found[-1].why is None
        assert around(found[-1].outline, calibration, TablePoint(300.0, -150.0, 0.0))
    burnt = replace(seen(None), doubts=(replace(code, why=DoubtReason.BURNT),))
    assert [trouble.why for trouble in troubles_of(burnt, SIZE, TABLE, calibration)] == [Why.GLARE]
    light = replace(seen(None), doubts=(replace(code, why=DoubtReason.LIGHT),))
    assert [trouble.why for trouble in troubles_of(light, SIZE, TABLE, calibration)] == [Why.GLARE]
    (there,) = troubles_of(replace(burnt, sight=Sight.CHECKING, why=Why.GLARE), SIZE, TABLE, calibration)
    assert around(there.outline, calibration, TablePoint(300.0, -150.0, 0.0))  # not the whole picture
    blind = replace(seen(Why.DARK), doubts=(code,), sight=Sight.BLIND)
    assert [trouble.why for trouble in troubles_of(blind, SIZE, TABLE, calibration)] == [Why.DARK]


def test_the_eyes_tell_where_it_is(calibration: Calibration) -> None:
    eyes = Eyes(TABLE, calibration)
    dark = Frame(0, 0.0, np.zeros((1296, 2304), np.uint8))
    (trouble,) = eyes.look(dark).trouble
    assert (trouble.why, trouble.outline.tolist()) == (Why.DARK, WHOLE)
    gone = Frame(1, 0.1, np.zeros((0, 0), np.uint8))
    assert eyes.look(gone).trouble == ()
    lost = eyes.look(Frame(2, 0.2, np.full((1296, 2304), 90, np.uint8)))
    assert [trouble.why for trouble in lost.trouble] == [Why.BOARD_LOST] * len(TABLE.corners)
