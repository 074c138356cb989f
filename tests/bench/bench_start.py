"""The starting position, as cameras see it that hang where camera.md says: ``python tests/bench/bench_start.py``.

Figures 40 to 80 mm high stand on 1 and 23; what their bodies and heads hide of a marker's square or margin nobody
reads. Each seed draws a module, a mounting, a height that camera.md calls good, how it was clamped, a lens that is not
quite the data sheet's, hands that laid the markers and put the figures down, and corners as noisy as found ones.
Printed for each: what is readable, how far off the worst of the 23 spaces is, and how far it is told to be.
``--pull`` pulls one corner of one readable marker by 5 to 15 px, ``--misplaced 8`` lays one marker 8 mm off;
``--six`` takes a board with two more markers behind the track; ``--all`` hides nothing.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from firmware.tools.guide import MOUNTINGS, heights
from vision.board.calibration import Calibration, CalibrationError, calibrate_markers
from vision.board.lens_fit import outwards
from vision.camera.modules import MODULES
from vision.geometry import Camera, Floats, look_at
from vision.marks.markers import Marker
from vision.printed.table import CameraFrame, Corner, Table, load_table

TABLE = load_table(Path(__file__).parents[2] / "hardware" / "table.toml")
SIX = replace(TABLE, corners=(*TABLE.corners, Corner(6, 154.0, 45.0, 0.0), Corner(7, 462.0, 45.0, 0.0)))
MARGIN = 1.3  # of a marker with its white margin, in sides of its black square
BODY_MM = 11.0


@dataclass(frozen=True)
class Hands:
    """How the table was made: ``--level`` and so on scale these."""

    marker_mm: float = 0.5
    marker_turn_deg: float = 0.5
    level_mm: float = 1.0
    size: float = 0.005
    figure_mm: float = 2.0
    figure_turn_deg: float = 5.0


@dataclass(frozen=True)
class Start:
    """One drawn camera over one drawn table: its truth, and the markers that are readable."""

    name: str
    camera: Camera
    table: Table
    markers: tuple[Marker, ...]
    pulled_px: float = 0.0


def draw(seed: int, table: Table = TABLE, hands: Hands | None = None, *, hide: bool = True, tags: bool = True) -> Start:
    """The camera and what it reads, for a seed. All markers are in its picture, as camera.md asks."""
    rng = np.random.default_rng((seed, 14))
    for _ in range(200):
        start, whole = _drawn(rng, table, hands or Hands(), hide=hide, tags=tags)
        if whole:
            return start
    raise AssertionError(f"seed {seed}: no camera sees all markers")


def _drawn(rng: np.random.Generator, table: Table, hands: Hands, *, hide: bool, tags: bool) -> tuple[Start, bool]:
    """One camera, and whether all corner markers are in its picture."""
    good = [(mod, mount) for mod in MODULES for mount in MOUNTINGS if heights(mod, mount, TABLE)[1] is not None]
    module, mounting = good[int(rng.integers(len(good)))]
    low, high = heights(module, mounting, TABLE)
    assert high is not None
    height_mm = float(rng.uniform(low.height_mm, high.height_mm))
    lens, target = mounting.place(TABLE, height_mm)
    wide = module.hfov_deg > 90
    k1 = float(rng.normal(-0.03, 0.03) if wide else rng.normal(0.0, 0.03))
    k2 = float(rng.normal(0.0, 0.012) if wide else rng.normal(-0.02, 0.025))
    hfov_deg = 2 * math.degrees(math.atan(math.tan(math.radians(module.hfov_deg / 2)) / (1 + rng.normal(0, 0.02))))
    camera = look_at(lens, target, 0.0, hfov_deg, module.width, module.height, (k1, k2, 0.0, 0.0, 0.0))
    # As somebody clamps it: a little beside that place, aimed a little beside that point, the picture a little turned.
    tilt, _ = cv2.Rodrigues(np.radians(rng.normal(0, (0.6, 0.6, 1.2))))
    turn = tilt @ camera.R
    camera = replace(camera, R=turn, t=-turn @ (camera.position_mm + rng.normal(0, (8, 8, 5))))
    matrix = camera.K.copy()
    matrix[:2, 2] += rng.normal(0, 4 * module.width / 2304, 2)
    camera = replace(camera, K=matrix)
    table = replace(table, camera=CameraFrame(module.width, module.height, module.hfov_deg))
    figures = []
    seen: list[tuple[int, Floats, Floats]] = []
    side = table.board_size_mm * (1 + rng.normal(0, hands.size))
    level_mm = rng.normal(0, hands.level_mm)
    for corner in table.corners:
        middle = np.array(corner[1:]) + np.append(rng.normal(0, hands.marker_mm, 2), level_mm)
        turned = math.radians(rng.normal(0, hands.marker_turn_deg))
        seen.append((corner.id, _square(middle, side, turned), _square(middle, side * MARGIN, turned)))
    for number, space in ((4, 1), (5, 23)):
        off = np.clip(rng.normal(0, hands.figure_mm, 2), -2.2 * hands.figure_mm, 2.2 * hands.figure_mm)
        base = np.array(table.space_mm(space)) + np.append(off, 0.0)
        turned = math.radians(rng.normal(0, hands.figure_turn_deg))
        c, s = math.cos(turned), math.sin(turned)
        x, y, z = table.fencer_offset_mm
        middle = base + np.array([c * x - s * y, s * x + c * y, z + rng.uniform(0, 0.3)])
        figures.append((base, float(rng.uniform(40, 80))))
        if tags:
            own = table.fencer_size_mm
            seen.append((number, _square(middle, own, turned), _square(middle, own * MARGIN, turned)))
    bleed_px = rng.uniform(-0.8, 0.2)
    noise_px = rng.uniform(0.2, 0.3)
    markers, whole = [], True
    for number, square, margin in seen:
        outline = camera.project(margin)
        inside = (outline > 2).all() and (outline < (module.width - 3, module.height - 3)).all()
        whole = whole and bool(inside)
        if inside and not (hide and any(_hides(camera, *figure, outline) for figure in figures)):
            px = camera.project(square)
            markers.append(Marker(number, px + bleed_px * outwards(px) + rng.normal(0, noise_px, (4, 2))))
    name = f"{module.name}, {mounting.name}, {height_mm:.0f} mm"
    return Start(name, camera, table, tuple(markers)), whole


def pulled(start: Start, seed: int) -> Start:
    """The same with one corner of one readable board marker pulled by 5 to 15 px."""
    rng = np.random.default_rng((seed, 15))
    board = [n for n, marker in enumerate(start.markers) if marker.id not in (4, 5)]
    number, corner = board[int(rng.integers(len(board)))], int(rng.integers(4))
    way, far = rng.uniform(0, 2 * math.pi), rng.uniform(5, 15)
    corners = start.markers[number].corners.copy()
    corners[corner] += far * np.array([math.cos(way), math.sin(way)])
    markers = list(start.markers)
    markers[number] = Marker(markers[number].id, corners)
    return replace(start, markers=tuple(markers), pulled_px=far)


def misplaced(start: Start, seed: int, table: Table, off_mm: float) -> tuple[Start, Table]:
    """The table file as it would be had one marker been laid that far off: the readable ones' places are moved."""
    rng = np.random.default_rng((seed, 16))
    board = [marker.id for marker in start.markers if marker.id not in (4, 5)]
    number, way = board[int(rng.integers(len(board)))], rng.uniform(0, 2 * math.pi)
    corners = tuple(
        corner._replace(x=corner.x + off_mm * math.cos(way), y=corner.y + off_mm * math.sin(way))
        if corner.id == number
        else corner
        for corner in table.corners
    )
    return start, replace(table, corners=corners)


def worst_mm(calibration: Calibration, camera: Camera, table: Table) -> float:
    """How far off the tag on the worst of the 23 spaces is read."""
    tags = np.array([table.tag_mm(space) for space in range(1, 24)])
    read = calibration.camera.at_height(camera.project(tags), float(tags[0, 2]))
    return float(np.linalg.norm(read - tags[:, :2], axis=1).max())


def _square(middle: Floats, side: float, turn: float) -> Floats:
    c, s = math.cos(turn) * side / 2, math.sin(turn) * side / 2
    ways = [(-c - s, -s + c), (c - s, s + c), (c + s, s - c), (-c + s, -s - c)]
    return np.array([(middle[0] + x, middle[1] + y, middle[2]) for x, y in ways])


def _hides(camera: Camera, base: Floats, height_mm: float, outline: Floats) -> bool:
    """Whether an upright cylinder stands before any part of an outline (4, 2) px that lies behind it."""
    ways = np.linspace(0, 2 * math.pi, 16, endpoint=False)
    ring = np.column_stack([BODY_MM * np.cos(ways), BODY_MM * np.sin(ways), np.zeros(16)])
    body = camera.project(np.vstack([base + ring, base + ring + (0.0, 0.0, height_mm)]))
    hull = cv2.convexHull(body.astype(np.float32)).reshape(-1, 2)
    area, _ = cv2.intersectConvexConvex(hull, outline.astype(np.float32))
    return area > 0.5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--six", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--no-tags", action="store_true")
    parser.add_argument("--pull", action="store_true")
    parser.add_argument("--misplaced", type=float, default=0.0, metavar="MM")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    blind, off, told, readable = 0, [], [], []
    for seed in range(args.first, args.first + args.seeds):
        start = draw(seed, SIX if args.six else TABLE, hide=not args.all, tags=not args.no_tags)
        table = start.table
        if args.pull:
            start = pulled(start, seed)
        if args.misplaced:
            start, table = misplaced(start, seed, table, args.misplaced)
        ids = [marker.id for marker in start.markers]
        readable.append(sum(number not in (4, 5) for number in ids))
        size = (start.camera.width, start.camera.height)
        try:
            found = calibrate_markers([start.markers], table, *size)
        except CalibrationError as error:
            blind += 1
            print(f"seed {seed}: {start.name}; reads {ids}; BLIND: {error}", flush=True)
            continue
        off.append(worst_mm(found, start.camera, start.table))
        told.append(found.worst_mm or math.nan)
        if not args.quiet or off[-1] > 5.0:
            print(
                f"seed {seed}: {start.name}; reads {ids}; worst space {off[-1]:.2f} mm, told {told[-1]:.2f}; "
                f"left out {found.left_out}; pulled {start.pulled_px:.1f}",
                flush=True,
            )
    counts = ", ".join(f"{readable.count(n)} with {n}" for n in sorted(set(readable)))
    print(f"{args.seeds} cameras: {blind} blind; readable corner markers: {counts}")
    if off:
        true = sum(a <= b for a, b in zip(off, told, strict=True))
        ratio = np.median(np.array(told) / np.array(off))
        print(
            f"worst space: median {np.median(off):.2f} mm, 95 % {np.percentile(off, 95):.2f}, worst {max(off):.2f}, "
            f"{sum(each > 3 for each in off)} over 3 mm, {sum(each > 5 for each in off)} over 5; "
            f"told: median {np.median(told):.2f}, worst {max(told):.2f}, true in {true} of {len(off)}, "
            f"median {ratio:.1f} times the true one"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
