"""The printed pieces on a table, cut out of rendered pages, laid before a camera, and read by the eyes."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from engine.table.observation import Sight
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Camera
from vision.printed.card_shape import LABEL_MARGIN_MM, USUAL_SIZE
from vision.printed.table import Table
from vision.synthetic.poses import camera_variant, default_camera

pytestmark = pytest.mark.slow

WOOD = 118
SHARED = [Card(1, "a"), Card(2, "c"), Card(3, "b"), Card(4, "e"), Card(5, "d")]


class Scene:
    """A picture of a table top onto which flat pieces are laid."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        rng = np.random.default_rng(3)
        self.y = rng.normal(WOOD, 3.0, (camera.height, camera.width)).clip(0, 255).astype(np.uint8)

    def lay(self, piece: Any, size_mm: tuple[float, float], at: Any, turn_deg: float = 0.0) -> None:
        """A picture of so many millimetres, its middle at a place of the board frame, turned counter-clockwise."""
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm) / 2
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        corners = half @ np.array([[c, s], [-s, c]]) + at[:2]
        px = self.camera.project(np.column_stack([corners, np.full(4, at[2])]))
        high, wide = piece.shape
        source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - 0.5
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), px.astype(np.float32))
        size = (self.camera.width, self.camera.height)
        # The print is much finer than the picture: it is averaged, as a lens does.
        fine = cv2.GaussianBlur(piece, (0, 0), 1.6)
        seen = cv2.warpPerspective(fine, matrix, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(np.full_like(piece, 255), matrix, size, flags=cv2.INTER_LINEAR)
        # Paper is no perfect white and ink no perfect black.
        toned = 28 + seen.astype(np.float32) * 0.78
        share = cover.astype(np.float32) / 255
        self.y = np.asarray(toned * share + self.y * (1 - share), dtype=np.uint8)

    def frames(self, count: int) -> Any:
        rng = np.random.default_rng(5)
        looks = [(self.y + rng.integers(-3, 4, self.y.shape, np.int16)).clip(0, 255).astype(np.uint8) for _ in "ab"]
        for index in range(count):
            yield Frame(index, index / 10, looks[index % 2])


def piece_around(page: Any, middle: Any, size: tuple[float, float], turn: bool = False) -> Any:
    part = cv2.cvtColor(page.part(middle[0] - size[0] / 2, middle[1] - size[1] / 2, *size), cv2.COLOR_RGB2GRAY)
    return part[::-1, ::-1] if turn else part


def cut_cards(pages: Any, size: tuple[float, float], table: Table) -> dict[Card, Any]:
    found = {}
    inset = LABEL_MARGIN_MM + table.qr_mm / 2
    reach = (USUAL_SIZE.width_mm / 2 - inset, USUAL_SIZE.height_mm / 2 - inset)
    for page in pages:
        for label in page.labels():
            if label.corners[0][1] < label.corners[3][1]:
                found[label.card] = piece_around(page, label.corners.mean(axis=0) + np.array(reach), size)
    return found


def set_up(printed: Any, table: Table, camera: Camera) -> Scene:
    scene = Scene(camera)
    corners = {marker.id: (page, marker) for page in printed("corners") for marker in page.markers()}
    for corner in table.corners:
        page, marker = corners[corner.id]
        scene.lay(piece_around(page, marker.corners.mean(axis=0), (40.0, 40.0)), (40.0, 40.0), corner[1:])
    stand(scene, printed, table, 6, 17)
    return scene


def stand(scene: Scene, printed: Any, table: Table, *spaces: int) -> None:
    """Lay White's and Black's printed tags where they are on these spaces."""
    (page,) = printed("tabs")
    tags = {marker.id: marker for marker in page.markers()}
    for side, space in zip(Side, spaces, strict=True):
        plate = piece_around(page, tags[table.fencer_ids[side]].corners.mean(axis=0), (25.6, 25.6))
        scene.lay(plate, (25.6, 25.6), table.tag_mm(space))


@pytest.mark.parametrize(
    ("name", "size", "seed"), [("cards", (63.0, 88.0), None), ("cards", (63.0, 88.0), 9), ("labels", (62.0, 87.0), 4)]
)
def test_the_eyes_read_what_was_printed_cut_and_laid(
    printed: Any, table: Table, name: str, size: tuple[float, float], seed: int | None
) -> None:
    camera = default_camera(table) if seed is None else camera_variant(table, seed)
    scene = set_up(printed, table, camera)
    cards = cut_cards(printed(name), size, table)
    assert sorted(cards) == sorted(DECK)
    for number, card in enumerate(SHARED):
        turn_deg = 17.0 * number - 30.0 + (180.0 if number % 2 else 0.0)
        scene.lay(cards[card], size, (116.0 + 92.0 * number, -155.0, 0.0), turn_deg)
    eyes = Eyes(table)
    for frame in scene.frames(16):
        look = eyes.look(frame)
    assert look.table.sight is Sight.STEADY
    assert (look.table.figures.white.space, look.table.figures.black.space) == (6, 17)
    assert sorted(look.seen.cards) == sorted(SHARED)
    assert sorted(reading.card for reading in look.table.cards) == sorted(SHARED)


def test_the_joined_track_is_a_board_the_eyes_find(printed: Any, table: Table) -> None:
    """Mat and track with all that is printed on them; the cards lie on the mat's tinted halves."""
    scene = Scene(default_camera(table))
    pages = printed("track")
    by_id = {marker.id: (page, marker) for page in pages for marker in page.markers()}
    first, last = by_id[0][0], by_id[1][0]
    for page, near, left in ((first, 0, True), (last, 1, False)):
        marker = by_id[near][1]
        x, y = marker.corners.mean(axis=0)
        corner = next(one for one in table.corners if one.id == near)
        # A page's own part of the drawing, from its outer edge to well before its seam.
        x0, x1 = (x - 20.0, x + 190.0) if left else (x - 190.0, x + 20.0)
        part = page.part(x0, y - 20.0, x1 - x0, 130.0)
        middle = (corner.x + (x0 + x1) / 2 - x, corner.y + 20.0 - 65.0, 0.0)
        scene.lay(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), (x1 - x0, 130.0), middle)
    mat = cv2.cvtColor(printed("mat")[1].part(30.0, 60.0, 140.0, 150.0), cv2.COLOR_RGB2GRAY)
    scene.lay(mat, (140.0, 150.0), (308.0, -160.0, 0.0))
    cards = cut_cards(printed("cards"), (63.0, 88.0), table)
    scene.lay(cards[Card(5, "e")], (63.0, 88.0), (290.0, -150.0, 0.0), 12.0)
    stand(scene, printed, table, 2, 23)
    eyes = Eyes(table)
    for frame in scene.frames(16):
        look = eyes.look(frame)
    assert look.table.sight is Sight.STEADY
    assert (look.table.figures.white.space, look.table.figures.black.space) == (2, 23)
    assert [reading.card for reading in look.table.cards] == [Card(5, "e")]
