"""Sheets rendered again from their PDFs: every code read by our own readers and measured, and laid before the eyes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side
from engine.table.observation import Sight
from tests.tables import TABLE
from tests.vision.sheets.conftest import PX, TOKENS, Print, Printed
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Box, Camera
from vision.marks.labels import Label, LabelReader
from vision.printed.card_shape import LABEL_MARGIN_MM, USUAL_SIZE, CardShapes, LabelPose
from vision.printed.table import CardSize, Corner, TablePoint
from vision.printed.tags import parse_back
from vision.sheets.catalogue import SHEETS
from vision.sheets.page import PAPERS
from vision.sights.observe import LabelPlace, card_sights
from vision.synthetic import camera_variant

pytestmark = pytest.mark.slow

CARD_SHEETS = ("labels", "spares", "cards")
QUIET, MODULES = 4, 21


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", SHEETS)
def test_nothing_lies_within_8_mm_of_the_papers_edge_and_no_other_mark_is_seen(
    printed: Printed, name: str, paper: str
) -> None:
    edge = int(8.0 * PX)
    for page in printed(name, paper=paper):
        assert sorted(page.size_mm) == pytest.approx(sorted(PAPERS[paper][1:]), abs=0.15)
        inside = page.rgb.copy()
        inside[edge:-edge, edge:-edge] = 255
        assert inside.min() == 255
        if name in ("start", "mat", "tabs"):
            assert page.labels == ()
        if name in ("start", "mat"):
            assert page.markers == ()


def turned(label: Label) -> bool:
    """Whether the code stands on its head."""
    return bool(label.corners[0][1] > label.corners[3][1])


def check_codes(pages: tuple[Print, ...], qr_mm: float) -> None:
    """Two of each card's, true to size, with white around them."""
    quiet = qr_mm / MODULES * QUIET
    seen: Counter[Any] = Counter()
    for page in pages:
        for label in page.labels:
            x, y = label.corners.min(axis=0) - quiet / 2
            around = page.part(x, y, qr_mm + quiet, qr_mm + quiet).min(axis=2) < 128
            rows, columns = np.flatnonzero(around.any(axis=1)), np.flatnonzero(around.any(axis=0))
            for dark in (rows, columns):
                assert (dark[-1] - dark[0] + 1) / PX == pytest.approx(qr_mm, abs=0.14)
            left, top = round(x * PX) / PX + columns[0] / PX, round(y * PX) / PX + rows[0] / PX
            check_white(page, left, top, qr_mm, quiet, str(label.card))
            seen[label.card, turned(label)] += 1
    assert seen == {(card, way): 1 for card in DECK for way in (False, True)}


def check_white(page: Print, left: float, top: float, side_mm: float, margin_mm: float, name: str) -> None:
    """Nothing is printed so far around a square."""
    whole = side_mm + 2 * margin_mm - 0.2
    zone = page.part(left - margin_mm + 0.1, top - margin_mm + 0.1, whole, whole).copy()
    edge = round((margin_mm - 0.2) * zone.shape[0] / whole)
    zone[edge:-edge, edge:-edge] = 255
    assert zone.min() == 255, name


def check_markers(pages: tuple[Print, ...], size_mm: float, expected: dict[int, int], cells: int = 8) -> None:
    found: Counter[int] = Counter()
    for page in pages:
        for marker in page.markers:
            sides = np.linalg.norm(np.roll(marker.corners, -1, axis=0) - marker.corners, axis=1)
            assert np.abs(sides - size_mm).max() < 0.15, marker.id
            assert marker.corners[0].sum() == pytest.approx(marker.corners.sum(axis=1).min()), "upright on the page"
            left, top = marker.corners.min(axis=0).tolist()
            check_white(page, left, top, size_mm, size_mm / cells, f"marker {marker.id}")
            found[marker.id] += 1
    assert found == expected


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", CARD_SHEETS)
def test_every_card_has_two_labels_true_to_size_in_white(printed: Printed, name: str, paper: str) -> None:
    check_codes(printed(name, paper=paper), TABLE.qr_mm)


@pytest.mark.parametrize("paper", PAPERS)
def test_markers_are_true_to_size_upright_and_once_each(printed: Printed, paper: str) -> None:
    for name in ("corners", "track"):
        check_markers(printed(name, paper=paper), TABLE.board_size_mm, dict.fromkeys(range(4), 1))
    check_markers(printed("tabs", paper=paper), TABLE.fencer_size_mm, {4: 2, 5: 2})


def test_all_follows_another_table(printed: Printed) -> None:
    """Another deck, other sizes, other ids, six markers; another dictionary; cards of another size."""
    ways = ((7, -50, 50), (1, 330, 50), (6, 712, 50), (2, 712, -50), (0, 330, -50), (3, -50, -50))
    other = replace(
        TABLE,
        deck_letter="Q",
        qr_mm=21.0,
        spaces_mm=tuple(TablePoint(30.0 * number, 0.0, 0.0) for number in range(23)),
        board_size_mm=36.0,
        corners=tuple(Corner(number, x, y, 0.0) for number, x, y in ways),
        fencer_ids=BySide(5, 4),
        fencer_size_mm=16.0,
        fencer_offset_mm=TablePoint(3.0, -30.0, 6.0),
    )
    pages = printed("labels", table=other)
    assert {label.deck for page in pages for label in page.labels} == {"Q"}
    check_codes(pages, 21.0)
    for name in ("corners", "track"):
        check_markers(printed(name, table=other), 36.0, dict.fromkeys((number for number, _, _ in ways), 1))
    check_markers(printed("tabs", table=other), 16.0, {4: 2, 5: 2})
    small = replace(TABLE, dictionary="DICT_4X4_50")
    check_markers(printed("corners", table=small), 30.0, dict.fromkeys(range(4), 1), cells=6)
    places: dict[Card, list[Any]] = {}
    for page in printed("labels", card=CardSize(59.0, 91.0)):
        for label in page.labels:
            places.setdefault(label.card, []).append(label.corners.mean(axis=0))
    assert sorted(places) == sorted(DECK)
    for one, two in places.values():
        assert abs(one - two) == pytest.approx((59.0 - 12.0 - 25.0, 91.0 - 12.0 - 25.0), abs=0.3)


@pytest.mark.parametrize("name", CARD_SHEETS)
def test_the_eyes_make_25_cards_of_50_labels_where_they_expect_them(printed: Printed, name: str) -> None:
    cards = []
    for page in printed(name):
        places = []
        for label in page.labels:
            x, y = label.corners.mean(axis=0)
            pose = LabelPose((float(x), -float(y)), 270.0 if turned(label) else 90.0)
            places.append(LabelPlace(label.card, pose))
        for sight in card_sights(places, CardShapes.of(TABLE)):
            # Each label alone has to lead to the same middle of the card.
            ((ax, ay), _), ((bx, by), _) = sight.poses
            assert abs(ax - bx) == pytest.approx(63.0 - 2 * 6.0 - 25.0, abs=0.3)
            assert abs(ay - by) == pytest.approx(88.0 - 2 * 6.0 - 25.0, abs=0.3)
            assert math.dist(((ax + bx) / 2, (ay + by) / 2), (sight.x_mm, sight.y_mm)) < 0.3
            cards.append(sight.card)
    assert sorted(cards) == sorted(DECK)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_token_of_a_back_is_there_twice_turned_against_itself(printed: Printed, paper: str) -> None:
    seen: dict[str, list[Any]] = {}
    for page in printed("backs", paper=paper):
        assert page.labels == (), "a back says nothing of a card"
        box = Box(0, 0, page.grey.shape[1], page.grey.shape[0])
        for text, corners in LabelReader(use_zbar=False).texts(page.grey, box, TABLE.qr_mm / 21 * PX):
            if (token := parse_back(text)) is not None:
                seen.setdefault(token, []).append((corners + 0.5) / PX)
    assert {token: len(places) for token, places in seen.items()} == dict.fromkeys(TOKENS, 2)
    for one, other in seen.values():
        sides = [np.linalg.norm(corners[1] - corners[0]) for corners in (one, other)]
        assert sides == pytest.approx([TABLE.qr_mm] * 2, abs=0.2)
        across, along = np.abs(one.mean(axis=0) - other.mean(axis=0))
        assert sorted((across, along)) == pytest.approx([0.0, 88.0 - 2 * 6.0 - 25.0], abs=0.3)
        assert (one[0] - one[2]) @ (other[0] - other[2]) < 0


class Scene:
    """A picture of a table top onto which flat pieces are laid."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        rng = np.random.default_rng(3)
        self.y = rng.normal(118, 3.0, (camera.height, camera.width)).clip(0, 255).astype(np.uint8)

    def lay(self, piece: Any, at: Any, turn_deg: float = 0.0) -> None:
        """A part of a print, its middle at a place of the board frame, turned counter-clockwise."""
        piece = cv2.cvtColor(piece, cv2.COLOR_RGB2GRAY)
        high, wide = piece.shape
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array([wide, high]) / PX / 2
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        corners = half @ np.array([[c, s], [-s, c]]) + at[:2]
        px = self.camera.project(np.column_stack([corners, np.full(4, at[2])]))
        source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - 0.5
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), px.astype(np.float32))
        size = (self.camera.width, self.camera.height)
        # The print is much finer than the picture: it is averaged, as a lens does.
        fine = cv2.GaussianBlur(piece, (0, 0), 1.6)
        seen = cv2.warpPerspective(fine, matrix, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(np.full_like(piece, 255), matrix, size, flags=cv2.INTER_LINEAR)
        # Paper is no perfect white and ink no perfect black.
        share = cover.astype(np.float32) / 255
        self.y = np.asarray((28 + seen.astype(np.float32) * 0.78) * share + self.y * (1 - share), dtype=np.uint8)

    def frames(self, count: int) -> Any:
        rng = np.random.default_rng(5)
        looks = [(self.y + rng.integers(-3, 4, self.y.shape, np.int16)).clip(0, 255).astype(np.uint8) for _ in "ab"]
        for index in range(count):
            yield Frame(index, index / 10, looks[index % 2])


def piece_around(page: Print, middle: Any, size: tuple[float, float]) -> Any:
    return page.part(middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size)


@pytest.mark.parametrize(("name", "size", "seed"), [("cards", (63.0, 88.0), 9), ("labels", (62.0, 87.0), 4)])
def test_the_eyes_read_what_was_printed_cut_and_laid(
    printed: Printed, name: str, size: tuple[float, float], seed: int
) -> None:
    """The joined track, the mat with its tinted halves, the tabs' tags, and five cards on the mat."""
    scene = Scene(camera_variant(TABLE, seed))
    by_id = {marker.id: (page, marker) for page in printed("track") for marker in page.markers}
    for corner, left in ((TABLE.corners[0], True), (TABLE.corners[1], False)):
        page, marker = by_id[corner.id]
        x, y = marker.corners.mean(axis=0)
        # A page's own part of the drawing, from its outer edge to well before its seam.
        x0, x1 = (x - 20.0, x + 190.0) if left else (x - 190.0, x + 20.0)
        middle = (corner.x + (x0 + x1) / 2 - x, corner.y + 20.0 - 65.0, 0.0)
        scene.lay(page.part(x0, y - 20.0, x1 - x0, 130.0), middle)
    scene.lay(printed("mat")[1].part(30.0, 60.0, 140.0, 150.0), (308.0, -160.0, 0.0))
    tags = {marker.id: marker for page in printed("tabs") for marker in page.markers}
    for side, space in zip(Side, (2, 23), strict=True):
        plate = piece_around(printed("tabs")[0], tags[TABLE.fencer_ids[side]].corners.mean(axis=0), (25.6, 25.6))
        scene.lay(plate, TABLE.tag_mm(space))
    inset = LABEL_MARGIN_MM + TABLE.qr_mm / 2
    reach = np.array([USUAL_SIZE.width_mm / 2 - inset, USUAL_SIZE.height_mm / 2 - inset])
    cards = {
        label.card: piece_around(page, label.corners.mean(axis=0) + reach, size)
        for page in printed(name)
        for label in page.labels
        if not turned(label)
    }
    shared = [Card(1, "a"), Card(2, "c"), Card(3, "b"), Card(4, "e"), Card(5, "d")]
    for number, card in enumerate(shared):
        turn_deg = 17.0 * number - 30.0 + (180.0 if number % 2 else 0.0)
        scene.lay(cards[card], (116.0 + 92.0 * number, -155.0, 0.0), turn_deg)
    eyes = Eyes(TABLE)
    for frame in scene.frames(16):
        look = eyes.look(frame)
    assert look.table.sight is Sight.STEADY
    assert (look.table.figures.white.space, look.table.figures.black.space) == (2, 23)
    assert sorted(look.seen.cards) == sorted(reading.card for reading in look.table.cards) == shared
