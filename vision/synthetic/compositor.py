"""Keeps the picture of the last scene and paints again only where something changed.

The result never depends on what was painted before: every pixel is a pure function of the sprites over it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import cv2

from vision.frame import Picture
from vision.geometry import Box
from vision.synthetic.sprite import Sprite

PaintedLayer = tuple[Hashable, Sprite]
"""A sprite and what it was made from: equal keys mean equal sprites. A key may come more than once."""


class Compositor:
    """Sprites over a background, seen through a lens that blurs by ``blur_px`` (standard deviation, 0 for none)."""

    def __init__(self, background: Picture, blur_px: float) -> None:
        self._background = background
        self._blur_px = blur_px
        self._reach_px = 0 if blur_px == 0 else max(1, round(3 * blur_px + 0.5))
        self._frame = Box(0, 0, background.shape[1], background.shape[0])
        self._sharp = background.copy()
        self._soft = background.copy()
        self._layers: list[PaintedLayer] = []
        self._soften(self._frame)

    def show(self, layers: Sequence[PaintedLayer]) -> Picture:
        """The picture with these layers, in painting order. It is the compositor's own: copy it to keep it."""
        for rect in joined(self._changed(layers)):
            self._sharp[rect.slices] = self._background[rect.slices]
            for _, sprite in layers:
                sprite.paint(self._sharp, rect)
            self._soften(rect)
        self._layers = list(layers)
        return self._soft

    def _changed(self, layers: Sequence[PaintedLayer]) -> list[Box]:
        """Where layers came, went or changed their order."""
        before = {key for key, _ in self._layers}
        after = {key for key, _ in layers}
        changed = [sprite.rect for key, sprite in self._layers if key not in after]
        changed += [sprite.rect for key, sprite in layers if key not in before]
        stayed_before = [layer for layer in self._layers if layer[0] in after]
        stayed_after = [layer for layer in layers if layer[0] in before]
        if [key for key, _ in stayed_before] != [key for key, _ in stayed_after]:
            changed += [sprite.rect for _, sprite in stayed_after]
        inside = [rect.clipped(self._frame) for rect in changed]
        return [rect for rect in inside if not rect.empty]

    def _soften(self, rect: Box) -> None:
        if self._reach_px == 0:
            self._soft[rect.slices] = self._sharp[rect.slices]
            return
        wanted = rect.grown(self._reach_px).clipped(self._frame)
        source = wanted.grown(self._reach_px).clipped(self._frame)
        size = 2 * self._reach_px + 1
        blurred = cv2.GaussianBlur(self._sharp[source.slices], (size, size), self._blur_px)
        x, y = wanted.x0 - source.x0, wanted.y0 - source.y0
        self._soft[wanted.slices] = blurred[y : y + wanted.y1 - wanted.y0, x : x + wanted.x1 - wanted.x0]


def joined(rects: Sequence[Box]) -> list[Box]:
    """Rectangles without overlaps that hold all of these: overlapping ones become one around both."""
    apart: list[Box] = []
    for rect in rects:
        growing = rect
        merged = True
        while merged:
            merged = False
            for other in apart:
                if not growing.clipped(other).empty:
                    apart.remove(other)
                    growing = growing.joined(other)
                    merged = True
                    break
        apart.append(growing)
    return apart
