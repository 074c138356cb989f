"""Every code on the sheets, read again from a rendered page by our own readers, and measured."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.cards import DECK
from engine.rules.track import BySide
from vision.marks.labels import Label
from vision.printed.card_shape import CardShapes, LabelPose
from vision.printed.table import CardSize, Corner, Table, TablePoint
from vision.sights.observe import LabelPlace, card_sights

pytestmark = pytest.mark.slow

PAPERS = ("a4", "letter")
CARD_SHEETS = ("labels", "spares", "cards")
QUIET, MODULES = 4, 21


def middle(label: Label) -> Any:
    return label.corners.mean(axis=0)


def turned(label: Label) -> bool:
    """Whether the code stands on its head."""
    return bool(label.corners[0][1] > label.corners[3][1])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", CARD_SHEETS)
def test_every_card_has_two_labels_that_either_library_reads(printed: Any, name: str, paper: str) -> None:
    by_zxing: Counter[Any] = Counter()
    by_zbar: Counter[Any] = Counter()
    for page in printed(name, paper=paper):
        for label in page.labels(use_zbar=False):
            assert label.deck == "A"
            by_zxing[label.card, turned(label)] += 1
            # zbar misses some of many codes in a large picture (vision/READING.md): it gets them singly, as in play.
            x, y = middle(label)
            for alone in page.labels(use_zxing=False, within=(x - 19.0, y - 19.0, 38.0, 38.0)):
                by_zbar[alone.card, turned(alone)] += 1
    assert by_zxing == by_zbar == {(card, way): 1 for card in DECK for way in (False, True)}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", CARD_SHEETS)
def test_codes_are_true_to_size_and_their_quiet_zones_white(printed: Any, name: str, paper: str, table: Table) -> None:
    check_codes(printed(name, paper=paper), table.qr_mm)


def check_codes(pages: Any, qr_mm: float) -> None:
    quiet = qr_mm / MODULES * QUIET
    seen = 0
    for page in pages:
        for label in page.labels():
            low = label.corners.min(axis=0) - quiet / 2
            size = label.corners.max(axis=0) + quiet / 2 - low
            left, top, right, bottom = page.ink_box(*low, *size)
            assert right - left == pytest.approx(qr_mm, abs=0.14)
            assert bottom - top == pytest.approx(qr_mm, abs=0.14)
            zone = page.part(left - quiet + 0.1, top - quiet + 0.1, qr_mm + 2 * quiet - 0.2, qr_mm + 2 * quiet - 0.2)
            edge = round((quiet - 0.2) * zone.shape[0] / (qr_mm + 2 * quiet - 0.2))
            ring = zone.copy()
            ring[edge:-edge, edge:-edge] = 255
            assert ring.min() == 255, label.card
            seen += 1
    assert seen == 50


@pytest.mark.parametrize("name", CARD_SHEETS)
def test_the_eyes_make_25_cards_of_50_labels_where_they_expect_them(printed: Any, name: str, table: Table) -> None:
    cards = []
    for page in printed(name):
        places = []
        for label in page.labels():
            x, y = middle(label)
            pose = LabelPose((float(x), -float(y)), 270.0 if turned(label) else 90.0)
            places.append(LabelPlace(label.card, pose))
        for sight in card_sights(places, CardShapes.of(table)):
            assert len(sight.labels) == 2
            # Each label alone has to lead to the same middle of the card.
            ((ax, ay), _), ((bx, by), _) = sight.poses
            assert abs(ax - bx) == pytest.approx(63.0 - 2 * 6.0 - 25.0, abs=0.3)
            assert abs(ay - by) == pytest.approx(88.0 - 2 * 6.0 - 25.0, abs=0.3)
            assert math.dist(((ax + bx) / 2, (ay + by) / 2), (sight.x_mm, sight.y_mm)) < 0.3
            cards.append(sight.card)
    assert sorted(cards) == sorted(DECK)


def upright_card(page: Any, label: Label) -> Any:
    """The card of this label, cut out with the label at its top left, in grey and as coloured mask."""
    x, y = middle(label)
    along, down = 63.0 / 2 - 6.0 - 12.5, 88.0 / 2 - 6.0 - 12.5
    way = -1.0 if turned(label) else 1.0
    cx, cy = x + way * along, y + way * down
    part = page.part(cx - 31.5, cy - 44.0, 63.0, 88.0)
    return part[::-1, ::-1] if turned(label) else part


def ink(part: Any) -> Any:
    """Where a value's own colour is; grey text and black modules are none."""
    spread = part.max(axis=2).astype(int) - part.min(axis=2)
    return ((spread > 60) & (part.min(axis=2) < 190)).astype(np.uint8)


def blobs(mask: Any, scale: float) -> list[Any]:
    """Left, top, width, height in mm of every patch larger than a square millimetre, the largest patch first."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = sorted((stats[n] for n in range(1, count)), key=lambda box: -box[4])
    return [box[:4] / scale for box in found if box[4] > scale**2]


def cut_out(mask: Any, box: Any, scale: float) -> Any:
    left, top, wide, high = np.round(box * scale).astype(int)
    return mask[top : top + high, left : left + wide]


def centred(shape: Any) -> Any:
    """A shape on a square of 90 pixels, as high as that."""
    rows, columns = np.flatnonzero(shape.any(axis=1)), np.flatnonzero(shape.any(axis=0))
    tight = shape[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = min(90, round(90 * tight.shape[1] / tight.shape[0]))
    square = np.zeros((90, 90), np.uint8)
    left = (90 - wide) // 2
    square[:, left : left + wide] = cv2.resize(tight, (wide, 90), interpolation=cv2.INTER_AREA)
    return square


def digit_seen(mask: Any) -> int:
    """Which digit a shape most resembles, of those two other fonts draw: one gives the 1 a foot, one does not."""
    likeness: dict[float, int] = {}
    for digit in range(1, 6):
        for font in (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX):
            drawn = np.zeros((200, 160), np.uint8)
            cv2.putText(drawn, str(digit), (20, 160), font, 5, 255, 24, cv2.LINE_AA)
            likeness[float(np.corrcoef(centred(mask * 255).ravel(), centred(drawn).ravel())[0, 1])] = digit
    return likeness[max(likeness)]


@pytest.mark.parametrize("name", ["labels", "cards"])
def test_the_value_stands_beside_its_own_code_large_and_counted_in_pips(printed: Any, name: str) -> None:
    for page in printed(name):
        scale = page.grey.shape[1] / page.size_mm[0]
        for label in page.labels():
            card = upright_card(page, label)
            beside = ink(card[round(3 * scale) : round(36 * scale), round(36 * scale) : round(61 * scale)])
            digit, *pips = blobs(beside, scale)
            assert digit[3] > 18.0, "a digit to be read across the table"
            assert digit_seen(cut_out(beside, digit, scale)) == label.card.value
            assert len(pips) == label.card.value
            assert all(pip[3] < 6.0 and pip[1] > digit[1] + digit[3] for pip in pips)


@pytest.mark.parametrize("name", ["labels", "cards"])
def test_a_fanned_hand_shows_the_value_at_each_cards_left_edge(printed: Any, name: str) -> None:
    for page in printed(name):
        scale = page.grey.shape[1] / page.size_mm[0]
        for label in page.labels():
            strip = ink(upright_card(page, label)[:, : round(15.2 * scale)])
            field = blobs(strip, scale)[0]
            assert field[2] > 12.0
            white = 1 - cut_out(strip, field, scale)
            digit = next(box for box in blobs(white, scale) if box[1] > 0.5 and box[1] + box[3] < field[3] - 0.5)
            assert digit[3] > 10.0, "a digit to be read at arm's length"
            assert digit_seen(cut_out(white, digit, scale)) == label.card.value


def check_markers(pages: Any, size_mm: float, expected: Counter[int], cells: int = 8) -> None:
    found: Counter[int] = Counter()
    cell = size_mm / cells
    for page in pages:
        for marker in page.markers():
            sides = np.linalg.norm(np.roll(marker.corners, -1, axis=0) - marker.corners, axis=1)
            assert np.abs(sides - size_mm).max() < 0.15, marker.id
            assert marker.corners[0].sum() == pytest.approx(marker.corners.sum(axis=1).min()), "upright on the page"
            low = marker.corners.min(axis=0) - cell + 0.1
            zone = page.part(*low, size_mm + 2 * cell - 0.2, size_mm + 2 * cell - 0.2).copy()
            edge = round((cell - 0.2) / (size_mm + 2 * cell - 0.2) * zone.shape[0])
            zone[edge:-edge, edge:-edge] = 255
            assert zone.min() == 255, f"the white margin of marker {marker.id}"
            found[marker.id] += 1
    assert found == expected


@pytest.mark.parametrize("paper", PAPERS)
def test_markers_are_true_to_size_upright_and_once_each(printed: Any, paper: str, table: Table) -> None:
    check_markers(printed("corners", paper=paper), table.board_size_mm, Counter({0: 1, 1: 1, 2: 1, 3: 1}))
    check_markers(printed("track", paper=paper), table.board_size_mm, Counter({0: 1, 1: 1, 2: 1, 3: 1}))
    check_markers(printed("tabs", paper=paper), table.fencer_size_mm, Counter({4: 2, 5: 2}))


def test_no_other_sheet_shows_the_camera_a_mark(printed: Any) -> None:
    for name in ("start", "mat"):
        for page in printed(name):
            assert (page.labels(), page.markers()) == ((), ())
    assert [page.labels() for page in printed("tabs")] == [()]


@pytest.fixture(scope="module")
def other(table: Table) -> Table:
    """Another deck, other sizes, other ids, six markers."""
    corners = tuple(
        Corner(number, x, y, 0.0)
        for number, x, y in ((7, -50, 50), (1, 330, 50), (6, 712, 50), (2, 712, -50), (0, 330, -50), (3, -50, -50))
    )
    return replace(
        table,
        deck_letter="Q",
        qr_mm=21.0,
        spaces_mm=tuple(TablePoint(30.0 * number, 0.0, 0.0) for number in range(23)),
        board_size_mm=36.0,
        corners=corners,
        fencer_ids=BySide(5, 4),
        fencer_size_mm=16.0,
        fencer_offset_mm=TablePoint(3.0, -30.0, 6.0),
    )


def test_all_follows_another_table(printed: Any, other: Table) -> None:
    pages = printed("labels", table=other)
    assert {label.deck for page in pages for label in page.labels()} == {"Q"}
    check_codes(pages, 21.0)
    six = Counter(corner.id for corner in other.corners)
    check_markers(printed("corners", table=other), 36.0, six)
    check_markers(printed("track", table=other), 36.0, six)
    check_markers(printed("tabs", table=other), 16.0, Counter({4: 2, 5: 2}))


def test_another_dictionary(printed: Any, table: Table) -> None:
    small = replace(table, dictionary="DICT_4X4_50")
    check_markers(printed("corners", table=small), 30.0, Counter({0: 1, 1: 1, 2: 1, 3: 1}), cells=6)


def test_cards_of_another_size(printed: Any) -> None:
    pages = printed("labels", card=CardSize(59.0, 91.0))
    places: dict[Any, list[Any]] = {}
    for page in pages:
        for label in page.labels():
            places.setdefault(label.card, []).append(middle(label))
    assert sorted(places) == sorted(DECK)
    for one, two in places.values():
        assert abs(one - two) == pytest.approx((59.0 - 12.0 - 25.0, 91.0 - 12.0 - 25.0), abs=0.3)
