"""What spoils a picture: glare, blur, darkness, a bump, things laid over it. All in linear light, as in a camera."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import GONE, Picture

Spoil = Callable[[Picture, int], Picture]
"""Takes a picture and its number in the clip, gives the spoiled one."""

_GAMMA = 2.2
_TO_LINEAR = ((np.arange(256) / 255.0) ** _GAMMA).astype(np.float32)


def _linear(y: Picture) -> NDArray[np.float32]:
    return np.asarray(_TO_LINEAR[y], dtype=np.float32)


def _picture(light: NDArray[np.float32]) -> Picture:
    return np.asarray(np.round(255.0 * np.clip(light, 0.0, 1.0) ** (1 / _GAMMA)), dtype=np.uint8)


@dataclass(frozen=True)
class Spot:
    """A lamp mirrored in something smooth: middle and half axes in px, its strength (1: white by itself)."""

    at: tuple[float, float]
    half: tuple[float, float]
    strength: float

    def __call__(self, y: Picture, index: int) -> Picture:
        (x, down), (across, along) = self.at, self.half
        height, width = y.shape
        x0, x1 = max(0, int(x - 3 * across)), min(width, int(x + 3 * across) + 1)
        y0, y1 = max(0, int(down - 3 * along)), min(height, int(down + 3 * along) + 1)
        if x1 <= x0 or y1 <= y0:
            return y
        columns = ((np.arange(x0, x1, dtype=np.float32) - np.float32(x)) / np.float32(across)) ** 2
        rows = ((np.arange(y0, y1, dtype=np.float32) - np.float32(down)) / np.float32(along)) ** 2
        # Flat in the middle, soft at the edge: a lamp has a size.
        shine = np.exp(-((columns[None, :] + rows[:, None]) ** 2)) * np.float32(self.strength)
        out = y.copy()
        out[y0:y1, x0:x1] = _picture(_linear(y[y0:y1, x0:x1]) + shine)
        return out


@dataclass(frozen=True)
class Smear:
    """The camera moves so many px while it exposes, in this direction."""

    length_px: float
    turn_deg: float

    def __call__(self, y: Picture, index: int) -> Picture:
        reach = math.ceil(self.length_px / 2) + 1
        size, dense = 2 * reach + 1, 8
        kernel = np.zeros((size, size))
        way = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        many = max(2, math.ceil(self.length_px * dense))
        for number in range(many):
            along = self.length_px * ((number + 0.5) / many - 0.5)
            x, down = reach + along * way[0], reach + along * way[1]
            for dx in (0, 1):
                for dy in (0, 1):
                    at_x, at_y = math.floor(x) + dx, math.floor(down) + dy
                    kernel[at_y, at_x] += (1 - abs(x - at_x)) * (1 - abs(down - at_y))
        return _picture(np.asarray(cv2.filter2D(_linear(y), -1, (kernel / kernel.sum()).astype(np.float32))))


@dataclass(frozen=True)
class Defocus:
    """A point becomes a disc of this radius."""

    radius_px: float

    def __call__(self, y: Picture, index: int) -> Picture:
        reach = math.ceil(self.radius_px) + 1
        dense = 4
        steps = (np.arange((2 * reach + 1) * dense) + 0.5) / dense - reach - 0.5
        disc = (steps[:, None] ** 2 + steps[None, :] ** 2 <= self.radius_px**2).astype(np.float32)
        kernel = cv2.resize(disc, (2 * reach + 1, 2 * reach + 1), interpolation=cv2.INTER_AREA)
        return _picture(np.asarray(cv2.filter2D(_linear(y), -1, kernel / kernel.sum())))


@dataclass(frozen=True)
class Dim:
    """So much of the light is left; the sensor's noise stays as it is (grey levels in the dark)."""

    left: float
    noise: float
    seed: int

    def __call__(self, y: Picture, index: int) -> Picture:
        rng = np.random.default_rng((self.seed, index))
        light = _linear(y) * np.float32(self.left)
        light += rng.standard_normal(y.shape, dtype=np.float32) * np.float32(self.noise / 255.0)
        return _picture(light)


@dataclass(frozen=True)
class Bump:
    """The camera looks elsewhere: px across and down, degrees about the middle."""

    across_px: float
    down_px: float
    turn_deg: float

    def __call__(self, y: Picture, index: int) -> Picture:
        height, width = y.shape
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), self.turn_deg, 1.0)
        matrix[:, 2] += np.array((self.across_px, self.down_px))
        return np.asarray(
            cv2.warpAffine(y, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT),
            dtype=np.uint8,
        )


@dataclass(frozen=True)
class Things:
    """Something of one colour, with a little texture and a soft edge, over each of these outlines (N, 2) px.

    ``grey`` is how bright it is where all of the picture has a mean of ``mean``: light that flickers falls on it too.
    """

    outlines: tuple[NDArray[np.float64], ...]
    grey: float
    seed: int
    mean: float

    def __call__(self, y: Picture, index: int) -> Picture:
        rng = np.random.default_rng(self.seed)
        grey = self.grey * float(y.mean()) / self.mean
        out = y.copy()
        for outline in self.outlines:
            mask = np.zeros(y.shape, np.uint8)
            cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255, cv2.LINE_AA)
            x, down, width, height = cv2.boundingRect(np.round(outline).astype(np.int32))
            here = (slice(max(0, down - 4), down + height + 4), slice(max(0, x - 4), x + width + 4))
            part = cv2.GaussianBlur(mask[here], (0, 0), 1.0).astype(np.float32) / 255.0
            grain = cv2.GaussianBlur(rng.standard_normal(part.shape).astype(np.float32), (0, 0), 2.0)
            thing = np.clip(grey + 14.0 * grain, 0, 255)
            out[here] = np.round(out[here] * (1 - part) + thing * part).astype(np.uint8)
        return out


@dataclass(frozen=True)
class After:
    """One after the other."""

    parts: tuple[Spoil, ...]

    def __call__(self, y: Picture, index: int) -> Picture:
        for part in self.parts:
            y = part(y, index)
        return y


def gone(y: Picture, index: int) -> Picture:
    """The camera is gone."""
    return GONE
