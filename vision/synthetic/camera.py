"""The simulated camera: where it stands, what disturbs its picture, and its sensor with shake, exposure and noise.

Noise is added where its strength is the same for every brightness and taken back from there: two tables are that way
there and back. Source: Anscombe, "The transformation of Poisson, binomial and negative-binomial data", 1948."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, fields
from typing import Final

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Camera, look_at
from vision.printed.table import Table
from vision.synthetic.drawing import Floats32, as_picture

TYPICAL_STRENGTH: Final = 0.5


@dataclass(frozen=True, slots=True)
class Disturbances:
    """One strength from 0 to 1 for each disturbance. Raises ValueError for a strength outside.

    - ``uneven_light``: the lamp stands to one side, corners are darker
    - ``shadows``: soft shadows of figures, cards and hands
    - ``glare``: reflections of the lamp on board and cards
    - ``defocus``: the lens is not quite in focus
    - ``motion_blur``: exposure time, for what moves and for a shaken camera
    - ``shake``: the camera is not quite still
    - ``noise``: of the sensor, stronger in the dark
    - ``flicker``: brightness changes a little from frame to frame
    """

    uneven_light: float = 0.0
    shadows: float = 0.0
    glare: float = 0.0
    defocus: float = 0.0
    motion_blur: float = 0.0
    shake: float = 0.0
    noise: float = 0.0
    flicker: float = 0.0

    def __post_init__(self) -> None:
        for name in NAMES:
            strength = getattr(self, name)
            if not 0.0 <= strength <= 1.0:
                raise ValueError(
                    f"disturbance {name}: expected a strength 0 (none) to 1 (hard), found {strength}; typical is 0.5"
                )

    @staticmethod
    def all(strength: float) -> Disturbances:
        """Every disturbance at the same strength."""
        return Disturbances(**dict.fromkeys(NAMES, strength))


NAMES: Final = tuple(field.name for field in fields(Disturbances))
NONE: Final = Disturbances()
TYPICAL: Final = Disturbances.all(TYPICAL_STRENGTH)
HARD: Final = Disturbances.all(1.0)
PRESETS: Final = {"none": NONE, "typical": TYPICAL, "hard": HARD}


# A Camera Module 3 on a gooseneck between the players; a mild barrel distortion as its lens has.
POSITION_MM: Final = (0.0, -400.0, 600.0)
TARGET_MM: Final = (0.0, -88.0, 0.0)
LENS: Final = (-0.035, 0.006, 0.0, 0.0, 0.0)
_EDGE_PX: Final = 10.0


def default_camera(table: Table) -> Camera:
    """The camera above the players' side, square to the piste, with everything in view."""
    return _camera(table, (0.0, 0.0, 0.0), (0.0, 0.0), 0.0)


def camera_variant(table: Table, seed: int, strength: float = 0.5) -> Camera:
    """A camera as somebody would really clamp it: off-centre, tilted and turned, more so with ``strength`` to 1.

    The same seed gives the same camera; at strength 0 it is the default. All corner markers and the play area stay in
    view: a pose that would lose some of them is drawn back towards the default until it does not.
    """
    rng = random.Random(f"camera {seed}")
    ways = [rng.uniform(-1.0, 1.0) for _ in range(6)]
    for drawn_back in (1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1):
        x, y, z, aim_x, aim_y, roll = (way * strength * drawn_back for way in ways)
        camera = _camera(table, (90.0 * x, 60.0 * y, 40.0 * z), (25.0 * aim_x, 16.0 * aim_y), 3.5 * roll)
        if holds_scene(camera, table):
            return camera
    return default_camera(table)


def _camera(table: Table, shift_mm: tuple[float, float, float], aim_mm: tuple[float, float], roll_deg: float) -> Camera:
    middle = table.space_mm(12)
    position = (
        POSITION_MM[0] + shift_mm[0] + middle.x,
        POSITION_MM[1] + shift_mm[1] + middle.y,
        POSITION_MM[2] + shift_mm[2],
    )
    target = (TARGET_MM[0] + aim_mm[0] + middle.x, TARGET_MM[1] + aim_mm[1] + middle.y, TARGET_MM[2])
    camera = table.camera
    return look_at(position, target, roll_deg, camera.hfov_deg, camera.width, camera.height, LENS)


def holds_scene(camera: Camera, table: Table) -> bool:
    """Whether every corner marker with its margin and the play area with the cards on its edge are in view."""
    half_mm = 0.65 * table.board_size_mm
    area = table.play_area
    points = [
        (corner.x + across * half_mm, corner.y + along * half_mm, corner.z)
        for corner in table.corners
        for across in (-1, 1)
        for along in (-1, 1)
    ]
    points += [(x, y, 0.0) for x in (area.x0 - 45, area.x1 + 45) for y in (area.y0 - 30, area.y1)]
    px = camera.project(points)
    return bool((px > _EDGE_PX).all() and (px < np.array([camera.width, camera.height]) - _EDGE_PX).all())


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
