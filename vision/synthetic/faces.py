"""Flat faces of one colour: bases, boxes, mugs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.synthetic.paint import Colour
from vision.synthetic.plane import Optics
from vision.synthetic.sprite import as_picture

_FINER: Final = 3


class Facet(NamedTuple):
    """The convex hull of some points (N, 3) mm as seen, in one colour."""

    points_mm: Floats
    colour: Colour


def draw_faces(optics: Optics, faces: Iterable[Facet], rect: Box) -> Picture:
    """The faces, later ones over earlier ones, as premultiplied BGRA (h, w, 4)."""
    fine = np.zeros(((rect.y1 - rect.y0) * _FINER, (rect.x1 - rect.x0) * _FINER, 4), np.uint8)
    for face in faces:
        px = (optics.camera.project(face.points_mm) - (rect.x0, rect.y0) + 0.5) * _FINER - 0.5
        hull = cv2.convexHull(np.round(px * 16).astype(np.int32))
        cv2.fillConvexPoly(fine, hull, (*face.colour, 255), cv2.LINE_8, 4)
    return as_picture(cv2.resize(fine, (rect.x1 - rect.x0, rect.y1 - rect.y0), interpolation=cv2.INTER_AREA))
