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
from tests.tables import TABLE, renderer_of
from vision.change.arm import ABSORBED_AFTER_S
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.look import Look
from vision.marks.labels import LabelReader, LabelReading
from vision.printed.tags import aruco_dictionary, parse_payload
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow

SCENE = Scene(
    white=figure_at(TABLE, Side.WHITE, 3),
    black=figure_at(TABLE, Side.BLACK, 20),
    cards=tuple(
        SceneCard(Card.parse(name), 160.0 + 90.0 * at, -150.0, 20.0 * at, 0)
        for at, name in enumerate(("3b", "4c", "5e"))
    ),
)


def frames(count: int, seed: int = 1, strength: str = "typical") -> list[Frame]:
    renderer = renderer_of(TABLE, strength, seed)
    return [renderer.render(SCENE, number, number * 0.2) for number in range(count)]


def stock(y: Picture) -> tuple[set[Card], set[int]]:
    """What zxing-cpp and ArUco read of the whole picture as they come."""
    codes = zxingcpp.read_barcodes(y, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    read = {known[1] for code in codes if (known := parse_payload(str(code.text))) is not None}
    words = aruco_dictionary(TABLE.dictionary)
    _, ids, _ = cv2.aruco.ArucoDetector(words, cv2.aruco.DetectorParameters()).detectMarkers(y)
    return read, set() if ids is None else {int(number) for number in np.ravel(ids)}


@pytest.mark.parametrize(("seed", "strength"), [(1, "typical"), (2, "hard"), (5, "hard"), (8, "hard")])
def test_a_single_picture_shows_the_eyes_whatever_the_plain_way_reads(seed: int, strength: str) -> None:
    frame = frames(1, seed, strength)[0]
    cards, ids = stock(frame.y)
    look = Eyes(TABLE).look(frame)
    assert cards
    assert cards <= set(look.seen.cards)
    assert (look.seen.white is not None) >= (4 in ids)
    assert (look.seen.black is not None) >= (5 in ids)


def blind_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on our own way reads no label at all."""
    monkeypatch.setattr(LabelReader, "read", lambda *given, **how: LabelReading((), ()))


def test_what_only_the_plain_way_reads_is_on_the_table_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    blind_reader(monkeypatch)
    eyes = Eyes(TABLE)
    look: Look | None = None
    for frame in frames(20):
        look = eyes.look(frame)
    assert look is not None
    assert sorted(str(card.card) for card in look.table.cards) == ["3b", "4c", "5e"]
    assert look.table.sight is Sight.STEADY


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
    eyes = Eyes(TABLE)
    shown = frames(1)[0]
    steady_s = None
    for number in range(150):
        now = number * 0.2
        look = eyes.look(Frame(number, now, shown.y))
        if steady_s is None and look.table.sight is Sight.STEADY:
            steady_s = now
    assert steady_s is not None
    assert any(at < steady_s for at in times)
    late = [at for at in times if at > 3.0]
    assert 1 <= len(late) <= 30.0 / ABSORBED_AFTER_S


def test_cards_are_seen_although_the_board_is_lost() -> None:
    y = frames(1)[0].y.copy()
    y[:560] = 90  # the track with all its markers
    y[:, :250] = y[:, -250:] = 90
    look = Eyes(TABLE).look(Frame(0, 0.0, y))
    assert look.table.sight is Sight.BLIND
    assert {str(card) for card in look.seen.cards} == {"3b", "4c", "5e"}
    assert (look.seen.white, look.seen.black) == (None, None)


def test_fencers_are_seen_where_the_markers_in_view_tell_enough_and_nothing_is_agreed_on() -> None:
    """Two markers at one end of the board say much about what is near them and little about the other end."""
    renderer = renderer_of(TABLE, "typical", 3)
    frame = renderer.render(replace(SCENE, black=figure_at(TABLE, Side.BLACK, 5)), 0, 0.0)
    camera = renderer.camera
    y = frame.y.copy()
    for corner in TABLE.corners:
        if corner.x > 300:
            x_px, y_px = np.round(camera.project([(corner.x, corner.y, corner.z)])[0]).astype(int)
            y[y_px - 90 : y_px + 90, x_px - 90 : x_px + 90] = 90
    look = Eyes(TABLE).look(Frame(0, 0.0, y))
    assert look.table.sight is Sight.BLIND
    assert look.seen.white == 3
    assert look.seen.black == 5
    assert look.table.figures.white.space is None
    assert {str(card) for card in look.seen.cards} == {"3b", "4c", "5e"}


def test_a_card_that_lies_outside_the_play_area_is_seen_and_is_not_on_the_table() -> None:
    renderer = renderer_of(TABLE, "typical", 5)
    beside = SceneCard(Card.parse("1d"), TABLE.play_area.x1 + 25.0, -150.0, 0.0, 0)
    shown = renderer.render(replace(SCENE, cards=(*SCENE.cards, beside)), 0, 0.0)
    eyes = Eyes(TABLE)
    look = eyes.look(shown)
    for number in range(1, 20):
        look = eyes.look(Frame(number, number * 0.2, shown.y))
    assert {str(card) for card in look.seen.cards} == {"1d", "3b", "4c", "5e"}
    assert sorted(str(card.card) for card in look.table.cards) == ["3b", "4c", "5e"]
    assert look.table.sight is Sight.STEADY


def test_a_tag_that_is_read_and_cannot_be_placed_is_told_of() -> None:
    """Without any corner marker nobody knows which space a tag lies on."""
    renderer = renderer_of(TABLE, "typical", 3)
    y = renderer.render(SCENE, 0, 0.0).y.copy()
    for corner in TABLE.corners:
        x_px, y_px = np.round(renderer.camera.project([(corner.x, corner.y, corner.z)])[0]).astype(int)
        y[y_px - 90 : y_px + 90, max(0, x_px - 90) : x_px + 90] = 90
    look = Eyes(TABLE).look(Frame(0, 0.0, y))
    assert look.table.sight is Sight.BLIND
    assert (look.seen.white, look.seen.black) == (None, None)
    assert look.seen.unplaced == tuple(Side)
