"""Tables of many makes, and cameras over them: the geometry comes first, the table file is written from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from photo.lens import Lens, aimed

DECKS = "ABCDEFGHKMXZ"


@dataclass(frozen=True)
class Setup:
    """The printed geometry, board millimetres (FORMATS.md, "The table file")."""

    deck: str
    spaces: tuple[tuple[float, float, float], ...]
    pitch: float | None
    corners: tuple[tuple[int, float, float, float], ...]
    area: tuple[float, float, float, float]  # x0 x1 y0 y1
    hfov: float = 66.0
    size: tuple[int, int] = (2304, 1296)
    ids: tuple[int, int] = (4, 5)
    tag_mm: float = 20.0
    marker_mm: float = 30.0
    offset: tuple[float, float, float] = (0.0, -32.0, 3.0)
    qr_mm: float = 25.0
    card_mm: tuple[float, float] = (63.0, 88.0)

    def toml(self) -> str:
        track = (
            f"spaces = 23\npitch_mm = {self.pitch}" if self.pitch else f"spaces_mm = {[list(p) for p in self.spaces]}"
        )
        return f"""[deck]
letter = "{self.deck}"
[track]
{track}
[board]
dictionary = "DICT_APRILTAG_36h11"
size_mm = {self.marker_mm}
corners = {[list(c) for c in self.corners]}
[fencers]
white = {self.ids[0]}
black = {self.ids[1]}
size_mm = {self.tag_mm}
offset_mm = {list(self.offset)}
[cards]
qr_mm = {self.qr_mm}
[play_area]
x_mm = {[self.area[0], self.area[1]]}
y_mm = {[self.area[2], self.area[3]]}
[camera]
width = {self.size[0]}
height = {self.size[1]}
hfov_deg = {self.hfov}
"""

    def points(self) -> np.ndarray:
        """Everything that a camera has to see, (N, 3)."""
        x0, x1, y0, y1 = self.area
        edge = self.marker_mm * 0.75
        found = [(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)]
        found += [(x + dx, y + dy, z) for _, x, y, z in self.corners for dx in (-edge, edge) for dy in (-edge, edge)]
        found += [(x, y + self.offset[1] - 14, z) for x, y, z in self.spaces]
        return np.array(found, float)


PLAIN = Setup(
    "A",
    tuple((28.0 * n, 0.0, 0.0) for n in range(23)),
    28.0,
    ((0, -45.0, 45.0, 0.0), (1, 661.0, 45.0, 0.0), (2, 661.0, -45.0, 0.0), (3, -45.0, -45.0, 0.0)),
    (68.0, 548.0, -260.0, -60.0),
)


def random_setup(rng: np.random.Generator, kind: str | None = None) -> Setup:
    """Another table: ``kind`` plain, pitch, stepped, bent, beside or behind (None: any)."""
    kind = kind or str(rng.choice(["plain", "pitch", "pitch", "stepped", "stepped", "bent", "beside", "behind"]))
    if kind == "plain":
        return PLAIN
    pitch = (
        float(np.round(rng.uniform(22, 31 if kind == "beside" else 34), 1))
        if kind != "beside"
        else float(rng.integers(22, 26))
    )
    length = 22 * pitch
    deck = str(rng.choice(list(DECKS)))
    heights = np.zeros(23)
    across = np.zeros(23)
    if kind == "stepped":
        step, level = float(rng.uniform(4, 12)), 0.0
        places = sorted(int(n) for n in rng.choice(np.arange(2, 22), 4, replace=False))
        ups = [1, 1, -1, -1] if rng.random() < 0.6 else [1, 1, 1, -1]
        for number in range(23):
            if number in places:
                level += step * ups[places.index(number)]
            heights[number] = level
    if kind == "bent" or (kind == "stepped" and rng.random() < 0.3):
        bow = float(rng.uniform(12, 28)) * (1 if rng.random() < 0.5 else -1)
        part = np.linspace(-1, 1, 23)
        across = bow * (1 - part**2) - (bow if bow > 0 else 0)
    spaces = tuple((round(pitch * n, 2), round(float(across[n]), 2), round(float(heights[n]), 2)) for n in range(23))
    ends = (-45.0, length + 45.0)
    low = -45.0 + float(min(across.min(), 0))
    flipped = rng.random() < 0.25
    ids = (5, 4) if flipped else (4, 5)
    corners = ((0, ends[0], 45.0, 0.0), (1, ends[1], 45.0, 0.0), (2, ends[1], low, 0.0), (3, ends[0], low, 0.0))
    middle = length / 2
    area = (middle - 225, middle + 225, -262.0 + low + 45, -62.0 + low + 45)
    if kind == "beside":
        area = (length + 80, length + 310, -140.0, 110.0)
    elif kind == "behind":
        area = (middle - 220, middle + 220, 60.0, 250.0)
    x0, x1, y0, y1 = (float(round(v)) for v in area)
    even = kind in ("pitch", "beside", "behind")
    return Setup(deck, spaces, pitch if even else None, corners, (x0, x1, y0, y1), ids=ids)


def random_lens(
    rng: np.random.Generator, setup: Setup, *, tilt_deg: float | None = None, hard: float = 1.0, wide: bool = False
) -> tuple[Lens, Setup]:
    """A camera that sees the whole setup, and the setup with the field of view its owner would write down."""
    points = setup.points()
    nominal = 102.0 if wide else 66.0
    true = nominal * (1 + float(rng.normal(0, 0.02)) * hard)
    broad = np.ptp(points[:, 0]) > 850  # too much to see for a camera that is tilted as well
    tilt = float(rng.uniform(0, (12 if broad else 45) * hard)) if tilt_deg is None else tilt_deg
    # Mostly from the players' side, sometimes from an end or from across.
    azimuth = float(rng.choice([0.0, rng.normal(0, 35), rng.uniform(-180, 180)], p=[0.5, 0.35, 0.15])) if hard else 0.0
    roll = float(rng.normal(0, 4)) + float(rng.choice([0, 180], p=[0.85, 0.15]))
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    middle = middle + np.array([rng.normal(0, 15 * hard), rng.normal(0, 10 * hard), 0])
    away = np.array(
        [
            math.sin(math.radians(tilt)) * math.sin(math.radians(azimuth)),
            -math.sin(math.radians(tilt)) * math.cos(math.radians(azimuth)),
            math.cos(math.radians(tilt)),
        ]
    )
    if broad:
        azimuth = 0.0
    if abs(azimuth) > 60:  # the picture's long side must lie along the track
        away[0] *= 0.4
        away /= np.linalg.norm(away)
    slip = rng.normal
    bend = (float(slip(0.0, 0.03)), float(slip(0, 0.01)), 0.0, float(slip(0, 4e-4)), float(slip(0, 4e-4)))
    if wide:
        bend = (
            float(rng.uniform(-0.06, 0.02)),
            float(rng.uniform(-0.01, 0.012)),
            float(rng.normal(0, 0.001)),
            float(slip(0, 4e-4)),
            float(slip(0, 4e-4)),
        )
    off = (float(rng.normal(0, 6 * hard)), float(rng.normal(0, 6 * hard)))
    aspect = 1 + float(rng.normal(0, 0.001))

    def made(distance: float) -> Lens:
        target = middle.copy()
        lens = aimed(tuple(target + away * distance), tuple(target), roll, true, setup.size, bend, off, aspect)
        for _ in range(3):  # aim so that what matters is in the middle of the picture
            px, _ = lens.seen(points)
            low, high = px.min(axis=0), px.max(axis=0)
            shift = (low + high) / 2 - np.array(lens.middle)
            ray = lens.turn.T @ np.array([shift[0] / lens.focal[0], shift[1] / lens.focal[1], 1.0])
            target = target + (ray / -ray[2] * lens.position[2] + lens.position - target) * np.array([0.8, 0.8, 0])
            target[2] = 0
            lens = aimed(tuple(target + away * distance), tuple(target), roll, true, setup.size, bend, off, aspect)
        return lens

    if not (hard and rng.random() < 0.08):  # people turn a camera until the track lies along the picture
        ends, _ = made(900.0).seen(np.array([setup.spaces[0], setup.spaces[-1]]))
        slope = math.degrees(math.atan2(*(ends[1] - ends[0])[::-1]))
        roll += slope if abs(slope) < 90 else slope - math.copysign(180.0, slope)
        roll += float(rng.normal(0, 3))
    near, far = 150.0, 3000.0
    for _ in range(16):
        distance = (near + far) / 2
        px, depth = made(distance).seen(points)
        fits = depth.min() > 50 and (px > 24).all() and (px < np.array(setup.size) - 25).all()
        near, far = (near, distance) if fits else (distance, far)
    return made(far * float(rng.uniform(1.0, 1.0 + 0.06 * hard))), replace(setup, hfov=nominal)
