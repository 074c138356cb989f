"""Does a place still look like the label read there: under glare, beside it, and once something else lies there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.rules.cards import DECK, Card
from tests.tables import SMALL_TABLE as TABLE
from vision.agree.agreement import PlaceState
from vision.agree.place_looks import corners_mm, still_there
from vision.geometry import Camera
from vision.printed.card_shape import LabelPose
from vision.printed.tags import payload, qr_bits

MODULE_PX = 4
PX_PER_MM = 84 / TABLE.qr_mm
CAMERA = Camera(
    np.array([[1000.0 * PX_PER_MM, 0.0, 81.5], [0.0, 1000.0 * PX_PER_MM, 81.5], [0.0, 0.0, 1.0]]),
    np.zeros(5),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 1000.0]),
    164,
    164,
)
"""Straight above the label's middle."""
Grey = NDArray[np.uint8]


def lit(picture: NDArray[np.float64], seed: int) -> Grey:
    """A picture as a camera takes it: a little blurred, noisy, and clipped where it is too bright."""
    blurred = cv2.GaussianBlur(picture, (0, 0), 1.2)
    noisy = blurred + np.random.default_rng(seed).normal(0.0, 3.0, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def paper(card: Card | None, white: float = 225.0) -> NDArray[np.float64]:
    """White paper, with the card's label on it if there is one."""
    picture = np.full((164, 164), white)
    if card is not None:
        bits = np.kron(qr_bits(payload(card, "A")), np.ones((MODULE_PX, MODULE_PX)))
        picture[40:124, 40:124] = np.where(bits > 0, 40.0, white)
    return picture


def glare(across: float, down: float, size: float) -> NDArray[np.float64]:
    y, x = np.mgrid[0:164, 0:164]
    return np.asarray(320.0 * np.exp(-((x - across) ** 2 + (y - down) ** 2) / (2 * size**2)))


def looks(picture: Grey, card: Card, off_mm: float = 0.0) -> PlaceState:
    """What is said of a card's label at about its place."""
    return still_there(picture, card, CAMERA.project(corners_mm(LabelPose((off_mm, -off_mm), 90.0), TABLE)), TABLE)


@pytest.mark.parametrize("off_mm", [0.0, 1.2])
@pytest.mark.parametrize("card", DECK[::4])
def test_the_same_label_is_the_same_and_another_is_not(card: Card, off_mm: float) -> None:
    other = next(one for one in DECK if one != card)
    assert looks(lit(paper(card), 2), card, off_mm) is PlaceState.SAME
    assert looks(lit(paper(other), 2), card, off_mm) is PlaceState.DIFFERENT
    assert looks(lit(np.full((164, 164), 60.0), 2), card, off_mm) is PlaceState.DIFFERENT


@pytest.mark.parametrize("card", DECK[::4])
@pytest.mark.parametrize("across", [70.0, 100.0, 130.0])
@pytest.mark.parametrize("size", [15.0, 30.0, 60.0])
def test_a_label_under_glare_is_never_said_to_be_gone(card: Card, across: float, size: float) -> None:
    shining = lit(paper(card) + glare(across, 90.0, size), 3)
    assert looks(shining, card) is not PlaceState.DIFFERENT


@pytest.mark.parametrize("card", DECK[::4])
def test_white_paper_in_strong_light_is_not_taken_for_the_label_where_something_else_is_drawn(card: Card) -> None:
    drawn = paper(None, white=270.0)
    cv2.line(drawn, (78, 124), (124, 82), 60.0, 9)
    cv2.line(drawn, (84, 82), (118, 124), 60.0, 9)
    assert looks(lit(drawn, 4), card) is not PlaceState.SAME


@pytest.mark.parametrize("card", DECK[::4])
def test_a_label_of_which_light_leaves_hardly_anything_is_burnt(card: Card) -> None:
    assert looks(lit(paper(card) + glare(82.0, 82.0, 80.0), 3), card) is PlaceState.BURNT
    assert looks(lit(paper(None, white=300.0), 5), card) is PlaceState.BURNT


@pytest.mark.parametrize("card", DECK[::4])
def test_one_pixel_that_burns_does_not_hide_that_a_bright_cloth_with_dots_lies_there(card: Card) -> None:
    y, x = np.mgrid[0:164, 0:164]
    dotted = lit(np.where(((y % 46 - 23) ** 2 + (x % 46 - 23) ** 2) < 14**2, 105.0, 236.0), 2)
    dotted[60, 60] = 255
    assert looks(dotted, card) is PlaceState.DIFFERENT


@pytest.mark.parametrize("white", [120.0, 180.0, 240.0])
def test_white_paper_that_is_brighter_than_the_label_was_is_not_burnt(white: float) -> None:
    assert looks(lit(paper(None, white), 5), DECK[0]) is PlaceState.DIFFERENT


@pytest.mark.parametrize("card", DECK[::4])
def test_what_a_sleeve_leaves_of_a_label_speaks_for_it(card: Card) -> None:
    picture = paper(card)
    picture[:, 90:] = 70.0
    assert looks(lit(picture, 6), card) is PlaceState.SAME
    other = next(one for one in DECK if one != card)
    assert looks(lit(picture, 6), other) is PlaceState.DIFFERENT


@pytest.mark.parametrize("woven", [True, False])
def test_a_patterned_table_is_no_part_of_any_label(woven: bool) -> None:
    """Of so many ways to cut a label one always agrees with a few threads or grains."""
    rng, said = np.random.default_rng(7), set()
    for seed in range(20):
        threads = rng.normal(0.0, 1.0, (1, 164)) + rng.normal(0.0, 1.0, (164, 1))
        grains = np.kron(rng.normal(0.0, 1.0, (41, 41)), np.ones((4, 4)))
        pattern = np.asarray(14.0 * threads if woven else 20.0 * grains, dtype=np.float64)
        said |= {looks(lit(90.0 + pattern, seed), card) for card in DECK}
    assert PlaceState.SAME not in said
