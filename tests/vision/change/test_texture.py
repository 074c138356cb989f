"""Where a code may be: codes are never missed, what is even or a mere edge is passed by."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import DECK
from vision.cells import CELL_PX
from vision.change.regions import READ_MARGIN_CELLS, boxes_around, may_hold_codes, worth_reading
from vision.frame import Picture
from vision.geometry import Box
from vision.printed.qr import qr_bits
from vision.printed.tags import QR_MODULES, payload

SIDE = 240
ALL = (slice(0, SIDE // 8), slice(0, SIDE // 8))
ALL_DUE = np.ones((SIDE // CELL_PX, SIDE // CELL_PX), np.uint8)


def label(module_px: float, at: tuple[float, float], turn_deg: float, tones: tuple[int, int], blur: float) -> Picture:
    """A label on a grey ground, its middle there, turned, black and white as told, blurred by so many modules."""
    printed = np.kron(
        np.pad(np.where(qr_bits(payload(DECK[8], "A")), *tones), 2, constant_values=tones[1]), np.ones((8, 8))
    )
    middle = (printed.shape[1] / 2, printed.shape[0] / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn_deg, module_px / 8), np.float64)
    matrix[:, 2] += np.array(at) - np.array(printed.shape[::-1]) / 2
    ground = sum(tones) // 2
    seen = cv2.warpAffine(printed.astype(np.uint8), matrix, (SIDE, SIDE), flags=cv2.INTER_AREA, borderValue=ground)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), blur * module_px), dtype=np.uint8)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.floats(2.0, 6.0),
    st.floats(90.0, 150.0),
    st.floats(90.0, 150.0),
    st.floats(0.0, 90.0),
    st.sampled_from([(10, 80), (15, 230), (120, 200)]),
    st.floats(0.1, 0.6),
)
def test_a_label_is_never_passed_by(
    module_px: float, x: float, y: float, turn_deg: float, tones: tuple[int, int], blur: float
) -> None:
    found = may_hold_codes(label(module_px, (x, y), turn_deg, tones, blur), ALL, 3)
    inner_px = QR_MODULES * module_px / 3  # within the square however it is turned
    rows = slice(int((y - inner_px) // 8) + 1, int((y + inner_px) // 8))
    columns = slice(int((x - inner_px) // 8) + 1, int((x + inner_px) // 8))
    assert found[rows, columns].mean() > 0.6


@pytest.mark.parametrize("noise", [0.0, 3.0, 6.0])
def test_even_things_slopes_and_lines_are_passed_by(noise: float) -> None:
    picture = np.tile(np.linspace(60, 200, SIDE), (SIDE, 1)) + np.random.default_rng(1).normal(0, noise, (SIDE, SIDE))
    cv2.line(picture, (0, 40), (SIDE, 60), 230, 2)
    picture[150:] -= 40.0  # the edge of something
    assert not may_hold_codes(np.clip(picture, 0, 255).astype(np.uint8), ALL, 3).any()


def test_only_the_asked_cells_are_looked_at() -> None:
    picture = label(4.0, (120.0, 120.0), 0.0, (10, 230), 0.2)
    assert may_hold_codes(picture, (slice(4, 20), slice(6, 16)), 3).shape == (16, 10)
    assert not may_hold_codes(picture, (slice(0, 6), slice(0, 6)), 3).any()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.floats(2.2, 6.0),
    st.floats(90.0, 150.0),
    st.floats(90.0, 150.0),
    st.floats(0.0, 90.0),
    st.sampled_from([(10, 80), (15, 230), (120, 200)]),
    st.floats(0.1, 0.5),
)
def test_all_of_a_label_is_worth_reading(
    module_px: float, x: float, y: float, turn_deg: float, tones: tuple[int, int], blur: float
) -> None:
    worth = worth_reading(label(module_px, (x, y), turn_deg, tones, blur), ALL_DUE, module_px)
    inner_px = QR_MODULES * module_px / 3  # within the square however it is turned
    rows = slice(int((y - inner_px) // CELL_PX) + 1, int((y + inner_px) // CELL_PX))
    columns = slice(int((x - inner_px) // CELL_PX) + 1, int((x + inner_px) // CELL_PX))
    assert worth[rows, columns].mean() > 0.6


@pytest.mark.parametrize("turn_deg", [0, 7, 20, 30])
def test_a_board_with_its_edge_and_its_shadow_is_not(turn_deg: int) -> None:
    picture = np.full((SIDE, SIDE), 70.0)
    picture[:100] = 150.0
    picture[100:112] = 40.0
    picture[130:133] = 200.0  # a line printed on a mat
    turned = cv2.warpAffine(
        picture,
        cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), turn_deg, 1.0),
        (SIDE, SIDE),
        borderMode=cv2.BORDER_REPLICATE,
    )
    noisy = turned + np.random.default_rng(turn_deg).normal(0, 4, picture.shape)
    worth = worth_reading(np.clip(noisy, 0, 255).astype(np.uint8), ALL_DUE, 5.0)
    assert not worth.any()


def test_only_what_is_due_is_read_however_uneven_it_is_beside_it() -> None:
    due = np.zeros_like(ALL_DUE)
    due[:, :12] = 1
    worth = worth_reading(label(4.0, (120.0, 120.0), 20.0, (10, 230), 0.2), due, 4.0)
    assert worth.any()
    assert not worth[:, 12:].any()


def test_boxes_hold_what_is_due_with_a_margin_and_never_cut_a_known_mark() -> None:
    due = np.zeros_like(ALL_DUE)
    due[3:5, 20:23] = due[20:22, 10:12] = 1
    within = Box(0, 0, SIDE, SIDE)
    margin_px = READ_MARGIN_CELLS * CELL_PX
    low, high = boxes_around(due, within, [])
    assert low == Box(80, 160, 96, 176).grown(margin_px)
    assert high == Box(160, 24, 184, 40).grown(margin_px)
    mark = np.array([[64.0, 128.0], [72.0, 128.0], [72.0, 136.0], [64.0, 136.0]])
    whole, other = boxes_around(due, within, [mark])
    assert whole == low.joined(Box(64, 128, 72, 136).grown(margin_px))
    assert other == high
    assert boxes_around(np.zeros_like(due), within, [mark]) == []
