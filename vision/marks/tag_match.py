"""Fencers' tags of which a part is hidden or in the shade: found by all their modules at once.

Where a finger or the neighbour's tag lies across its edge the usual way finds no square to begin with, and across a
hard shadow no one grey lies between black and white. But how large a tag is and how high it stands is known: the piste
is drawn as it looks from straight above, in shares of the light on the paper around, and the tag laid over it
everywhere. Source: normalised cross-correlation.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np

from vision.belief import SURE
from vision.frame import Picture
from vision.geometry import Camera
from vision.marks.codebook import AGREES, DIFFERS
from vision.marks.markers import Marker
from vision.printed.card_shape import rectangle_mm
from vision.printed.table import Table
from vision.printed.tags import marker_bits

_MODULE_PX: Final = 3  # as it is drawn
_TURNS_DEG: Final = range(-12, 13, 6)


def match_tags(y: Picture, camera: Camera, table: Table, wanted: Collection[int]) -> tuple[Marker, ...]:
    """The wanted tags in a luminance picture, of fencers who stand about upright on the piste.

    A row of its modules may be hidden along one edge; the others are evidence for it or against it.
    """
    if not wanted:
        return ()
    places = np.array(table.tags_mm)
    size_mm, z_mm = table.fencer_size_mm, float(places[:, 2].mean())
    modules = len(marker_bits(0, table.dictionary))
    step_mm, margin_mm = size_mm / modules / _MODULE_PX, 1.5 * size_mm
    (x0, y0, _), (x1, y1, _) = places.min(axis=0) - margin_mm, places.max(axis=0) + margin_mm
    x_mm, y_mm = np.meshgrid(np.arange(x0, x1, step_mm), np.arange(y1, y0, -step_mm))
    px = camera.project(np.stack([x_mm, y_mm, np.full_like(x_mm, z_mm)], axis=2).reshape(-1, 3)).astype(np.float32)
    above = cv2.remap(y, px[:, 0].reshape(x_mm.shape), px[:, 1].reshape(x_mm.shape), cv2.INTER_LINEAR)
    side = modules * _MODULE_PX
    paper = cv2.morphologyEx(above, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    share = np.asarray(cv2.divide(above, paper, scale=255), dtype=np.uint8)
    found = []
    for number in wanted:
        bits = marker_bits(number, table.dictionary)
        white = np.kron(np.pad(~bits, 1, constant_values=True), np.ones((_MODULE_PX, _MODULE_PX)))
        drawn = {turn_deg: _turned((255 * white).astype(np.uint8), turn_deg) for turn_deg in _TURNS_DEG}
        tried = {
            way: cv2.minMaxLoc(cv2.matchTemplate(share, each, cv2.TM_CCOEFF_NORMED)) for way, each in drawn.items()
        }
        turn_deg, (_, _, _, (x, top)) = max(tried.items(), key=lambda each: each[1][1])
        upright = _turned(share[top : top + len(white), x : x + len(white)], -turn_deg)
        wrong = (
            cv2.resize(upright, (modules + 2, modules + 2), interpolation=cv2.INTER_AREA)[1:-1, 1:-1] < 128
        ) != bits
        left = [np.rot90(wrong, edge)[hidden:] for edge in range(4) for hidden in range(2)]
        nats = max(rows.size * AGREES + int(np.count_nonzero(rows)) * (DIFFERS - AGREES) for rows in left)
        if nats >= 2 * SURE:  # the likest of ten thousand
            middle_mm = (len(white) - 1) / 2 * step_mm
            place_mm = float(x_mm[0, x]) + middle_mm, float(y_mm[top, 0]) - middle_mm
            *others, last = ((*at, z_mm) for *at, _ in rectangle_mm(place_mm, turn_deg, size_mm / 2, size_mm / 2))
            found.append(Marker(number, camera.project([last, *others])))
    return tuple(found)


def _turned(square: Picture, turn_deg: float) -> Picture:
    """A square picture, turned about its middle against the clock, white around it."""
    middle = (len(square) - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), turn_deg, 1.0)
    return np.asarray(cv2.warpAffine(square, turn, square.shape, borderValue=(255,)), dtype=np.uint8)
