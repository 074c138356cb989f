"""Materials for the simulated table, grown from seeded noise: wood, felt, stone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Picture
from vision.synthetic.sprite import Floats32, as_picture

Colour = tuple[int, int, int]
"""Blue, green, red."""
_EVEN = 128  # the level that stands for a shade of 1


def clouds(shape: tuple[int, int], cells: Sequence[tuple[int, int]], seed: int) -> Floats32:
    """Smooth noise of mean 0 and deviation 1: one octave for each (down, across) count of cells, ever weaker."""
    rng = np.random.default_rng([seed, 5])
    total, octave = np.empty(shape, np.float32), np.empty(shape, np.float32)  # fresh memory costs more than filling it
    weight = 1.0
    for number, (down, across) in enumerate(cells):
        coarse = rng.standard_normal((down, across), dtype=np.float32)
        onto = octave if number else total
        cv2.resize(coarse, (shape[1], shape[0]), onto, interpolation=cv2.INTER_CUBIC)
        if number:
            octave *= np.float32(weight)
            total += octave
        weight *= 0.6
    total -= total.mean()
    deviation = np.sqrt(np.multiply(total, total, out=octave).mean())
    total /= deviation
    return total


def tinted(colour: Colour, shade: Floats32) -> Picture:
    """A colour made darker and brighter by ``shade`` (1 leaves it), (h, w, 3). Uses ``shade`` up."""
    shade *= np.float32(_EVEN)
    levels = np.clip(shade, 0, 255, out=shade).astype(np.uint8)
    tables = [np.clip(np.arange(256) / _EVEN * part, 0, 255).astype(np.uint8) for part in colour]
    return as_picture(cv2.merge([cv2.LUT(levels, table) for table in tables]))


def wood(width: int, height: int, colour: Colour, seed: int, planks: int = 1) -> Picture:
    """Boards lying left to right, with grain."""
    grain = clouds((height, width), [(height // 5, 14), (height // 2, 40), (height, 90)], seed)
    wave = clouds((height, width), [(max(2, planks * 2), 6), (planks * 6, 14)], seed + 1)
    wave *= 5.0
    wave += 0.9 * grain
    rings = np.sin(wave, out=wave)
    rings *= 0.05
    shade = grain
    shade *= 0.055
    shade += 1.0
    shade += rings
    rng = np.random.default_rng([seed, 6])
    edges = np.linspace(0, height, planks + 1).astype(int)
    for top, bottom in itertools.pairwise(edges):
        shade[top:bottom] *= np.float32(rng.uniform(0.9, 1.08))
        shade[max(0, bottom - 2) : bottom + 1] *= np.float32(0.62)
    return tinted(colour, shade)


def felt(width: int, height: int, colour: Colour, seed: int) -> Picture:
    """Cloth: fine fibres and a little unevenness."""
    fibres = clouds((height, width), [(height // 2, width // 2), (height // 4, width // 3), (6, 9)], seed)
    return tinted(colour, 1.0 + np.float32(0.06) * fibres)


def stone(width: int, height: int, colour: Colour, seed: int) -> Picture:
    """Worn flagstone."""
    spots = clouds((height, width), [(9, 5), (28, 16), (height // 3, width // 3), (height, width)], seed)
    return tinted(colour, 1.0 + np.float32(0.05) * spots)
