"""From the light on the sensor to the picture it gives: shake, exposure, noise.

Noise is added where its strength is the same for every brightness and taken back from there: the two tables below are
that way there and back. Source: Anscombe, "The transformation of Poisson, binomial and negative-binomial data", 1948.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box
from vision.synthetic.disturbances import Disturbances
from vision.synthetic.sprite import Floats32, as_picture

_TILE_MARGIN_PX = 320
_GAMMA = 2.2
_MAX_SHAKE_PX = 3.0
_FULL_CELL = 480.0  # electrons in a white cell when the light is hard: signal to noise 22
_STRONGEST_NOISE = 9.0  # grey levels; cameras smooth the rest away


@dataclass(frozen=True, slots=True)
class Exposure:
    """One exposure's circumstances: where the camera points (pixels), how it moves meanwhile, its gain."""

    shift_px: tuple[float, float]
    smear_px: tuple[float, float]
    gain: float
    noise_at: tuple[int, int]
    noise_flipped: bool


class Sensor:
    """Turns composed pictures into exposures. Everything random depends on seed and index alone."""

    def __init__(self, width: int, height: int, disturbances: Disturbances, seed: int) -> None:
        self._frame = Box(0, 0, width, height)
        self._disturbances = disturbances
        self._seed = seed
        rng = random.Random(f"drift {seed}")
        self._waves = [(rng.uniform(0.15, 3.0), rng.uniform(0, math.tau), rng.uniform(0, math.tau)) for _ in range(4)]
        self._brighter: Picture | None = None
        self._darker: Picture | None = None
        self._there = np.arange(256, dtype=np.float64)
        self._back = np.arange(256, dtype=np.uint8)
        if disturbances.noise > 0:
            self._prepare_noise(disturbances.noise)

    def moment(self, index: int, t_s: float) -> Exposure:
        """The circumstances of this exposure."""
        strength = self._disturbances
        rng = random.Random(f"frame {self._seed} {index}")
        drift_x = sum(math.sin(hz * t_s + a) for hz, a, _ in self._waves) / 2
        drift_y = sum(math.sin(hz * t_s + b) for hz, _, b in self._waves) / 2
        size = strength.shake
        shift = (size * (0.8 * drift_x + rng.gauss(0, 0.25)), size * (0.8 * drift_y + rng.gauss(0, 0.25)))
        smear_size = size * strength.motion_blur * 1.6
        smear = tuple(min(abs(rng.gauss(0, smear_size)), _MAX_SHAKE_PX) for _ in range(2))
        gain = 1.0 + strength.flicker * 0.05 * math.sin(2.1 * index + self._waves[0][1])
        at = (rng.randrange(_TILE_MARGIN_PX), rng.randrange(_TILE_MARGIN_PX))
        return Exposure(shift, (smear[0], smear[1]), gain, at, rng.random() < 0.5)

    def expose(self, light: Picture, moment: Exposure, brightness: float) -> Picture:
        """The picture of this light; a new array."""
        seen = self._shaken(light, moment)
        table = np.clip(np.arange(256) * brightness * moment.gain, 0, 255)
        if self._brighter is None or self._darker is None:
            return np.asarray(cv2.LUT(seen, np.round(table).astype(np.uint8)), dtype=np.uint8)
        there = np.round(np.interp(table, np.arange(256), self._there)).astype(np.uint8)
        y, x = moment.noise_at
        view = (slice(y, y + self._frame.y1), slice(x, x + self._frame.x1))
        noise = [self._brighter[view], self._darker[view]]
        if seen.ndim == 3:
            noise = [as_picture(cv2.merge([tile] * 3)) for tile in noise]
        more, less = reversed(noise) if moment.noise_flipped else noise
        noisy = cv2.LUT(seen, there)
        cv2.add(noisy, more, noisy)
        cv2.subtract(noisy, less, noisy)
        return np.asarray(cv2.LUT(noisy, self._back), dtype=np.uint8)

    def _shaken(self, light: Picture, moment: Exposure) -> Picture:
        dx, dy = moment.shift_px
        if self._disturbances.shake == 0:
            return light
        smear_x, smear_y = moment.smear_px
        kernel_x, kernel_y = shift_kernel(dx, smear_x), shift_kernel(dy, smear_y)
        return as_picture(cv2.sepFilter2D(light, -1, kernel_x, kernel_y, borderType=cv2.BORDER_REPLICATE))

    def _prepare_noise(self, strength: float) -> None:
        """The tables there and back and the bank of noise, for this strength."""
        levels = np.arange(256) / 255.0
        light = np.maximum(levels, 1e-3) ** _GAMMA
        electrons = _FULL_CELL / strength**2
        read_noise = 2.0 + 4.0 * strength
        sigma_light = np.sqrt(light * electrons + read_noise**2) / electrons
        sigma = 255.0 * sigma_light * light ** (1 / _GAMMA - 1) / _GAMMA
        sigma = np.minimum(sigma, _STRONGEST_NOISE * strength)
        steps = np.concatenate([[0.0], np.cumsum(1.0 / ((sigma[1:] + sigma[:-1]) / 2))])
        self._there = steps * 255.0 / steps[-1]
        self._back = np.round(np.interp(np.arange(256), self._there, np.arange(256))).astype(np.uint8)
        size = (self._frame.y1 + _TILE_MARGIN_PX, self._frame.x1 + _TILE_MARGIN_PX)
        noise = np.random.default_rng([self._seed, 77]).standard_normal(size, dtype=np.float32)
        # Cells share a little of their neighbours' noise once the colours are worked out of the mosaic.
        shared = np.asarray(cv2.GaussianBlur(noise, (3, 3), 0.45), dtype=np.float32)
        whole = np.round(shared * np.float32(255.0 / steps[-1] / float(shared.std())))
        self._brighter = np.clip(whole, 0, 255).astype(np.uint8)
        self._darker = np.clip(-whole, 0, 255).astype(np.uint8)


def shift_kernel(shift_px: float, smear_px: float) -> Floats32:
    """A row of weights that moves a picture by a fraction of a pixel and smears it along its way."""
    reach = math.ceil(abs(shift_px) + smear_px / 2 + 1)
    weights = np.zeros(2 * reach + 1)
    samples = max(1, math.ceil(smear_px * 4))
    for number in range(samples):
        at = reach - (shift_px + smear_px * ((number + 0.5) / samples - 0.5))
        low = math.floor(at)
        weights[low] += (1 - (at - low)) / samples
        weights[low + 1] += (at - low) / samples
    return weights.astype(np.float32)
