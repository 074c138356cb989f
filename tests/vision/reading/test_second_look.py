"""The plain way is taken once the table is at rest, and what it reads stands like anything else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE
from tests.vision.conftest import STANDING, Watched, card, names, steady
from vision.belief import LONG_S
from vision.cells import CELL_PX
from vision.frame import Frame, Picture
from vision.geometry import Box
from vision.marks.labels import LabelReader, LabelReading
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.tags import aruco_dictionary, parse_payload
from vision.synthetic import figure_at

pytestmark = pytest.mark.slow

CARDS = tuple(card(name, 160.0 + 90.0 * at, -150.0, 20.0 * at) for at, name in enumerate(("3b", "4c", "5e")))


def watching(seed: int = 1, strength: str = "typical") -> Watched:
    """Eyes before a table with three cards, five frames a second."""
    watched = Watched(strength, seed=seed)
    watched.seconds_a_frame = 0.2
    watched.scene = replace(STANDING, cards=CARDS)
    return watched


def stock(y: Picture) -> tuple[set[Card], set[int]]:
    """What zxing-cpp and ArUco read of the whole picture as they come."""
    codes = zxingcpp.read_barcodes(y, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    read = {known[1] for code in codes if (known := parse_payload(str(code.text))) is not None}
    words = aruco_dictionary(TABLE.dictionary)
    _, ids, _ = cv2.aruco.ArucoDetector(words, cv2.aruco.DetectorParameters()).detectMarkers(y)
    return read, set() if ids is None else {int(number) for number in np.ravel(ids)}


@pytest.mark.parametrize(("seed", "strength"), [(1, "typical"), (2, "hard"), (5, "hard"), (8, "hard")])
def test_a_single_picture_shows_the_eyes_whatever_the_plain_way_reads(seed: int, strength: str) -> None:
    watched = watching(seed, strength)
    frame = watched.frame()
    cards, ids = stock(frame.y)
    look = watched.eyes.look(frame)
    assert cards
    assert cards <= set(look.seen.cards)
    assert (look.seen.white is not None) >= (4 in ids)
    assert (look.seen.black is not None) >= (5 in ids)


def test_what_only_the_plain_way_reads_is_on_the_table_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own way reads no label at all."""
    monkeypatch.setattr(LabelReader, "read", lambda *given, **how: LabelReading((), ()))
    look = watching().show(20)
    assert (names(look), steady(look)) == (["3b", "4c", "5e"], True)


def test_the_plain_way_is_taken_before_anything_is_steady_and_seldom_while_nothing_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times: list[float] = []
    now = 0.0
    plain = LabelReader.plain

    def noted(reader: LabelReader, y: Picture) -> object:
        times.append(now)
        return plain(reader, y)

    monkeypatch.setattr(LabelReader, "plain", noted)
    watched, steady_s = watching(), None
    y, eyes = watched.frame().y, watched.eyes
    for number in range(150):
        now = number * 0.2
        look = eyes.look(Frame(number, now, y))
        if steady_s is None and steady(look):
            steady_s = now
    assert steady_s is not None
    assert any(at < steady_s for at in times)
    late = [at for at in times if at > 3.0]
    assert 1 <= len(late) <= 30.0 / LONG_S


def without_markers(watched: Watched, from_x_mm: float) -> Frame:
    """A frame in which no corner marker is seen that lies farther along the piste."""
    frame = watched.frame()
    y = frame.y.copy()
    for corner in TABLE.corners:
        if corner.x > from_x_mm:
            x_px, y_px = watched.px(*corner[1:])
            y[y_px - 90 : y_px + 90, max(0, x_px - 90) : x_px + 90] = 90
    return replace(frame, y=y)


@pytest.mark.parametrize(
    ("from_x_mm", "black", "spaces", "unplaced"),
    [
        pytest.param(300.0, 5, (3, 5), (), id="markers at one end tell much of what is near them"),
        pytest.param(-100.0, 20, (None, None), tuple(Side), id="without any nobody knows which space a tag lies on"),
    ],
)
def test_while_the_board_is_lost_cards_are_seen_and_fencers_where_the_markers_tell_enough(
    from_x_mm: float, black: int, spaces: tuple[int | None, int | None], unplaced: tuple[Side, ...]
) -> None:
    watched = watching(3)
    watched.scene = replace(watched.scene, black=figure_at(TABLE, Side.BLACK, black))
    look = watched.eyes.look(without_markers(watched, from_x_mm))
    assert look.table.sight is Sight.BLIND
    assert {str(card) for card in look.seen.cards} == {"3b", "4c", "5e"}
    assert ((look.seen.white, look.seen.black), look.seen.unplaced) == (spaces, unplaced)
    assert look.table.figures.white.space is None


def test_a_card_that_lies_outside_the_play_area_is_seen_and_is_not_on_the_table() -> None:
    look = watching(5).show(20, cards=(*CARDS, card("1d", TABLE.play_area.x1 + 25.0)))
    assert {str(card) for card in look.seen.cards} == {"1d", "3b", "4c", "5e"}
    assert (names(look), steady(look)) == (["3b", "4c", "5e"], True)


def test_a_tag_that_left_its_place_unseen_is_forgotten_once_the_plain_way_reads_it_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it stood each cell is as bright as before in the mean, and our own way reads the tag nowhere."""
    watched, find_in = watching(), MarkerFinder.find_in
    watched.show(20)
    stood, (x_px, y_px) = watched.frame().y, watched.px(*TABLE.tag_mm(20))
    rows, columns = (slice((at - 40) // CELL_PX * CELL_PX, (at + 48) // CELL_PX * CELL_PX) for at in (y_px, x_px))
    means = cv2.resize(stood[rows, columns], None, fx=1 / CELL_PX, fy=1 / CELL_PX, interpolation=cv2.INTER_AREA)

    def left(y: Picture) -> Picture:
        y = y.copy()
        y[rows, columns] = np.kron(means, np.ones((CELL_PX, CELL_PX), np.uint8))
        return y

    def found(finder: MarkerFinder, y: Picture, box: Box, *, quick: bool = False) -> tuple[Marker, ...]:
        tags = find_in(finder, y, box, quick=quick)
        return tags if box.x1 - box.x0 > 1000 else tuple(tag for tag in tags if tag.id != TABLE.fencer_ids.black)

    monkeypatch.setattr(MarkerFinder, "find_in", found)
    look = watched.show(30, left, black=figure_at(TABLE, Side.BLACK, 16))
    assert (look.table.figures.black.space, steady(look)) == (16, True)
