"""Pictures of heavy JPEG: their cells jump by whole steps, and that is no change of the table."""

from __future__ import annotations

from itertools import groupby

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE, renderer_of
from vision.cells import thumbnail
from vision.change.gate import change, steepness, step_of_blocks
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.look import Look
from vision.synthetic import Scene, SceneCard, SceneHand, figure_at

pytestmark = pytest.mark.slow


def packed(y: Picture, quality: int) -> Picture:
    """A picture as it comes out of JPEG of this quality."""
    _, data = cv2.imencode(".jpg", y, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)


def slope(low: float, high: float, seed: int = 1, noise: float = 3.0) -> Picture:
    """An even surface that grows brighter to the right, with noise."""
    rows = np.linspace(low, high, 1152) + np.zeros((648, 1))
    rng = np.random.default_rng(seed)
    return np.clip(np.round(rows + noise * rng.standard_normal(rows.shape)), 0, 255).astype(np.uint8)


# Of the mean of a block the standard's table has 16 at quality 50, 40 at 20, 67 at 12, 160 at 5; an eighth of that.
@pytest.mark.parametrize(("quality", "step"), [(20, 5.0), (12, 67 / 8), (8, 12.5), (5, 20.0)])
def test_the_step_of_a_strongly_compressed_picture_is_found(quality: int, step: float) -> None:
    assert step_of_blocks(thumbnail(packed(slope(30, 230), quality))) == pytest.approx(step, rel=0.02)


@pytest.mark.parametrize("quality", [30, 50, 80, 100])
def test_a_finely_compressed_picture_has_no_step_that_would_count_as_change(quality: int) -> None:
    assert step_of_blocks(thumbnail(packed(slope(30, 230), quality))) < 4.0


def test_two_even_surfaces_are_no_ladder() -> None:
    two = slope(80, 80, noise=0.5)
    two[:, 500:] = slope(120, 120, noise=0.5)[:, 500:]
    assert step_of_blocks(thumbnail(two)) == 0.0
    assert step_of_blocks(np.zeros((40, 40), np.float32)) == 0.0


def test_several_uneven_surfaces_are_no_ladder() -> None:
    even = np.arange(40, 160, 20)
    uneven = np.add.outer(even, np.arange(8)).ravel()
    for levels, step in ((even, 20.0), (uneven, 0.0)):
        assert step_of_blocks(np.repeat(levels, 2)[None].repeat(81, axis=0).astype(np.float32)) == step


def test_cells_that_jump_by_a_step_are_no_change_and_a_card_is() -> None:
    before, now = packed(slope(60, 160, seed=1), 12), packed(slope(60, 160, seed=2) + np.uint8(4), 12)
    seen, older = thumbnail(now), thumbnail(before)
    assert np.count_nonzero(np.abs(seen - older) > 6.0) > 300  # by more than what counts as change
    assert not change(seen, older, steepness(seen)).cells.any()
    laid = slope(60, 160, seed=2)
    laid[200:440, 400:570] = 200
    seen = thumbnail(packed(laid, 12))
    cells = change(seen, older, steepness(seen)).cells
    assert cells[27:53, 52:69].all()
    assert np.count_nonzero(cells) < 30 * 22


@pytest.mark.parametrize(("quality", "strength"), [(12, "typical"), (12, "hard"), (6, "typical")])
def test_a_picture_of_heavy_jpeg_is_no_hand_for_ever(quality: int, strength: str) -> None:
    eyes, renderer = Eyes(TABLE), renderer_of(TABLE, strength, seed=5)
    standing = figure_at(TABLE, Side.WHITE, 3), figure_at(TABLE, Side.BLACK, 20)
    cards = (
        SceneCard(Card.parse("2c"), 300.0, -150.0, 0.0, 0),
        SceneCard(Card.parse("4a"), 420.0, -170.0, 10.0, 0),
    )

    def look(number: int, many: int, hands: tuple[SceneHand, ...] = ()) -> Look:
        y = renderer.render(Scene(cards[:many], *standing, hands), number, number / 10).y
        return eyes.look(Frame(number, number / 10, packed(y, quality)))

    first = [look(number, 1).table for number in range(16)]
    assert [table.sight for table in first[-2:]] == [Sight.STEADY] * 2
    hand = (SceneHand(Side.WHITE, 420.0, -150.0, height_mm=20.0),)
    assert [look(number, 1, hand).table.sight for number in range(16, 20)] == [Sight.CHECKING] * 4
    then = [look(number, 2).table for number in range(20, 36)]
    # One look of many cannot be read so coarsely packed; nothing is doubted for longer.
    waits = [len(list(run)) for sight, run in groupby(table.sight for table in then) if sight is not Sight.STEADY]
    assert max(waits) <= 3
    (*_, last) = (table for table in then if table.sight is Sight.STEADY)
    assert [str(card.card) for card in last.cards] == ["2c", "4a"]
