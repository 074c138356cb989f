"""Labels and markers in pictures: what is read, where, and with which library."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from engine.rules.cards import DECK, Card
from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.marks import foreign
from vision.marks.labels import Label, LabelReader, LabelReaderMissingError
from vision.marks.markers import Marker, MarkerFinder, box_around
from vision.printed.tags import DICTIONARY, OWN_IDS, marker_bits, payload, qr_bits

HEIGHT, WIDTH = 480, 640
ALL = Box(0, 0, WIDTH, HEIGHT)


def shown(bits: np.ndarray, corners: Floats, quiet: int, ground: int = 150) -> Picture:
    """A printed mark with a white margin, seen with its outer corners at these pixels, on a grey ground."""
    scale = 12
    printed = np.kron(np.pad(np.where(bits, 20, 235), quiet, constant_values=235), np.ones((scale, scale)))
    edge, side = quiet * scale, bits.shape[0] * scale
    source = np.array([[edge, edge], [edge + side, edge], [edge + side, edge + side], [edge, edge + side]])
    matrix = cv2.getPerspectiveTransform((source - 0.5).astype(np.float32), corners.astype(np.float32))
    seen = cv2.warpPerspective(
        printed.astype(np.uint8), matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=ground
    )
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), dtype=np.uint8)


def outline(side_px: float, turn_deg: float, squeeze: float = 0.85) -> Floats:
    """A square seen from an angle, turned clockwise on the picture, from its own top left."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    h = side_px / 2
    unit = np.array([[-h, -h], [h, -h], [h, h], [-h, h]])
    turned = unit @ np.array([[c, s], [-s, c]])
    return np.asarray(turned * (1.0, squeeze) + (WIDTH / 2 + 3.3, HEIGHT / 2 - 2.7))


def label_picture(card: Card, corners: Floats, deck: str = "A") -> Picture:
    return shown(qr_bits(payload(card, deck)), corners, 4)


def only(reading: tuple[Label, ...]) -> Label:
    (label,) = reading
    return label


@pytest.mark.parametrize("turn_deg", range(0, 360, 30))
@pytest.mark.parametrize("reader", [LabelReader(use_zbar=False), LabelReader(use_zxing=False)], ids=["zxing", "zbar"])
def test_either_library_reads_a_label_and_its_corners_from_its_own_top_left(reader: LabelReader, turn_deg: int) -> None:
    corners = outline(110.0, turn_deg + 4.0, 1.0)
    label = only(reader.read(label_picture(DECK[7], corners), ALL, 110 / 21).labels)
    assert (label.deck, label.card) == ("A", DECK[7])
    assert np.abs(label.corners - corners).max() < 110 / 21 * 1.2


@pytest.mark.parametrize("card", DECK[::4])
def test_small_labels_are_read_in_a_denser_picture(card: Card) -> None:
    corners = outline(21 * 2.6, 17.0)
    label = only(LabelReader().read(label_picture(card, corners), ALL, 2.6).labels)
    assert label.card == card
    assert np.abs(label.corners - corners).max() < 3.5


@pytest.mark.parametrize("reader", [LabelReader(use_zbar=False), LabelReader(use_zxing=False)], ids=["zxing", "zbar"])
def test_a_label_that_nearly_burns_in_a_lamps_reflection_is_read(reader: LabelReader) -> None:
    """Black is 200 to 240 of 255 there, from its left edge to its right one, and white is full."""
    corners = outline(21 * 3.2, 17.0)
    plain = label_picture(DECK[7], corners).astype(np.float64)
    added = np.interp(np.arange(WIDTH), (corners[:, 0].min(), corners[:, 0].max()), (200.0, 240.0))
    lit = np.minimum(added + plain * (255.0 - added) / 255.0 * 1.3, 255.0).astype(np.uint8)
    assert [label.card for label in reader.read(lit, ALL, 3.2).labels] == [DECK[7]]


def test_only_our_payloads_are_labels_and_other_decks_keep_their_letter() -> None:
    reader = LabelReader()
    assert only(reader.read(label_picture(DECK[3], outline(100, 0), "K"), ALL, 5).labels).deck == "K"
    for text in ("EG1:A:6A", "EG2:A:3B", "EG1:A:3B9", "HELLO"):
        assert reader.read(shown(qr_bits(text), outline(100, 0), 4), ALL, 5).labels == ()


def test_a_label_outside_the_box_is_not_read() -> None:
    picture = label_picture(DECK[3], outline(100, 0))
    assert LabelReader().read(picture, Box(0, 0, 200, HEIGHT), 5).labels == ()
    assert LabelReader().read(picture, Box(10, 10, 10, 10), 5).labels == ()


class _Finds:
    """Stands in for zxing-cpp: sees a code at these corners and cannot read it."""

    class BarcodeFormat:
        QRCode = "QRCode"

    def __init__(self, corners: Floats) -> None:
        self._corners = corners

    def read_barcodes(self, image: Picture, formats: str, try_downscale: bool) -> list[object]:
        """No options beyond the oldest: formats, try_downscale."""

        class Point:
            def __init__(self, at: Floats) -> None:
                self.x, self.y = (int(value) for value in at)

        class Position:
            top_left, top_right, bottom_right, bottom_left = (Point(at) for at in self._corners)

        class Code:
            text, valid, position = "", False, Position

        return [Code]


def test_what_the_reader_sees_and_cannot_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = outline(120.0, 10.0)
    monkeypatch.setitem(sys.modules, "zxingcpp", _Finds(corners))
    reading = LabelReader().read(label_picture(DECK[11], corners), ALL, 6.0)
    assert reading.labels == ()
    assert [np.abs(place - corners).max() < 2.0 for place in reading.unread] == [True]


@pytest.mark.parametrize("outline_px", [40.0, 330.0])
def test_an_outline_of_another_size_is_no_label_of_ours(monkeypatch: pytest.MonkeyPatch, outline_px: float) -> None:
    reader = LabelReader()
    monkeypatch.setitem(sys.modules, "zxingcpp", _Finds(outline(outline_px, 10.0)))
    assert reader.read(label_picture(DECK[11], outline(120.0, 10.0)), ALL, 6.0) == ((), ())


def test_without_any_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("zxingcpp", "pyzbar.pyzbar"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LabelReaderMissingError, match="pip install zxing-cpp"):
        LabelReader()


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("marker_id", OWN_IDS)
def test_our_markers_are_found_to_a_fraction_of_a_pixel(marker_id: int, quick: bool) -> None:
    corners = outline(64.0, 23.0 * marker_id)
    (marker,) = MarkerFinder(DICTIONARY).find(shown(marker_bits(marker_id), corners, 1), quick=quick)
    assert marker.id == marker_id
    assert np.abs(marker.corners - corners).max() < 0.6
    assert np.abs(marker.centre - corners.mean(axis=0)).max() < 0.3


def test_markers_of_the_family_that_are_not_ours_are_not_found() -> None:
    finder = MarkerFinder(DICTIONARY)
    for number in range(8, 30):
        assert finder.find(shown(marker_bits(number), outline(64.0, 0.0), 1)) == ()


def test_a_box_gives_the_whole_pictures_pixels() -> None:
    corners = outline(64.0, 5.0)
    picture = shown(marker_bits(4), corners, 1)
    (marker,) = MarkerFinder(DICTIONARY).find_in(picture, box_around(corners, 25.0, WIDTH, HEIGHT))
    assert np.abs(marker.corners - corners).max() < 0.6
    assert MarkerFinder(DICTIONARY).find_in(picture, Box(0, 0, 120, 120)) == ()


def detects(*found: object) -> SimpleNamespace:
    """A detector that finds these corners and ids, and refuses nothing."""
    return SimpleNamespace(detectMarkers=lambda _: (*found, ()))


@pytest.mark.parametrize("ids", [np.array([[4], [5]]), np.array([4, 5])], ids=["OpenCV 4", "OpenCV 5"])
def test_ids_come_in_either_shape(monkeypatch: pytest.MonkeyPatch, ids: np.ndarray) -> None:
    finder = MarkerFinder(DICTIONARY)
    corners = outline(64.0, 0.0)
    monkeypatch.setattr(foreign, "_detector", lambda *_: detects((corners[None], corners[None] + 9), ids))
    found = finder.find(np.zeros((10, 10), np.uint8))
    assert [marker.id for marker in found] == [4, 5]
    assert all(isinstance(marker, Marker) and marker.corners.shape == (4, 2) for marker in found)
    monkeypatch.setattr(foreign, "_detector", lambda *_: detects((), None))
    assert finder.find(np.zeros((10, 10), np.uint8)) == ()
