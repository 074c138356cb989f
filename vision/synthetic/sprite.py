"""The pieces of a picture: rectangles of pixels laid over what lies beneath them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.geometry import Box

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing's change to the picture: ``beneath * keep / 255 + add``.

    ``keep`` is (h, w) for luminance, (h, w, 3) for colour; ``add`` the same, or None for a shadow.
    """

    rect: Box
    keep: Picture
    add: Picture | None = None

    def paint(self, canvas: Picture, clip: Box) -> None:
        """Lays this over the canvas inside ``clip``."""
        area = self.rect.clipped(clip)
        if area.empty:
            return
        rows, columns = Box(*(edge - self.rect[i % 2] for i, edge in enumerate(area))).slices
        target = canvas[area.slices]
        mixed = cv2.multiply(target, self.keep[rows, columns], scale=1 / 255)
        if self.add is not None:
            mixed = cv2.add(mixed, self.add[rows, columns])
        target[...] = mixed


def sprite_of(rect: Box, pixels: Picture) -> Sprite:
    """A sprite from premultiplied pixels whose last channel is opacity: (h, w, 2) luminance or (h, w, 4) colour."""
    channels = cv2.split(pixels)
    hidden = cv2.bitwise_not(channels[-1])
    if len(channels) == 2:
        return Sprite(rect, as_picture(hidden), as_picture(channels[0]))
    return Sprite(rect, as_picture(cv2.merge([hidden] * 3)), as_picture(cv2.merge(channels[:3])))


def luminance(bgra: Picture) -> Picture:
    """(h, w, 4) premultiplied colour as (h, w, 2) luminance and opacity."""
    grey = cv2.cvtColor(np.ascontiguousarray(bgra[:, :, :3]), cv2.COLOR_BGR2GRAY)
    return as_picture(cv2.merge([grey, np.ascontiguousarray(bgra[:, :, 3])]))


def premultiplied(bgr: Picture, opacity: Picture) -> Picture:
    """(h, w, 3) colour and (h, w) opacity as one (h, w, 4) premultiplied picture."""
    colour = cv2.multiply(bgr, cv2.merge([opacity] * 3), scale=1 / 255)
    return as_picture(np.dstack([colour, opacity]))


def laid_over(below: Picture, above: Picture) -> Picture:
    """One premultiplied picture laid over another of as many channels."""
    channels = above.shape[2]
    keep = cv2.merge([cv2.bitwise_not(np.ascontiguousarray(above[:, :, -1]))] * channels)
    return as_picture(cv2.add(cv2.multiply(below, keep, scale=1 / 255), above))


def as_picture(values: object) -> Picture:
    """Pixels as OpenCV wants them: uint8, one row after the other."""
    return np.ascontiguousarray(values, dtype=np.uint8)
