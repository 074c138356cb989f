"""The camera that best explains where printed squares of known places appear.

A least-squares fit of pose, focal length, middle and radial distortion, by Gauss and Newton; a step that leads away is
halved. What the squares cannot tell (a single view of flat markers says little about the lens) is held by what is known
beforehand: the data sheet's field of view and that lenses for such cameras distort little, or the lens as it was found
before. Each such belief counts as one more observation with its own spread. So do the hands that made the table: every
marker may lie a little off its place and turned, all of them a little higher or lower than the track, all squares
printed a little large, and a fencer stands where somebody put it. What the fit does not know shows in its covariance,
from which ``vision.board.worst_case`` tells how far off the spaces may be. Light bleeds: a camera's tone curve makes
white grow into black, and every black square comes out smaller by the same part of a pixel on each side. That part is
found along with the lens, or the lens would be bent to explain it. Source: Hartley and Zisserman, "Multiple View
Geometry", appendix 6.

Not every observation is believed alike: a hand at a marker's edge pulls a corner, and a marker may lie where nobody
measured it. So corners and places have Student's t instead of a normal distribution: the further one is off, the less
it weighs. Source: Lange, Little and Taylor, "Robust statistical modeling using the t distribution", JASA 1989.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import DOUBT, UNLIKELY
from vision.geometry import Camera, Floats, field_of_view

# What is measured beforehand, as standard deviations. Of what is seen:
CORNER_SD_PX: Final = 0.3
STILL_SD_PX: Final = 0.7
"""Of an edge, as light bleeds over it, and so of all of a still picture from one light to another: it was seen to shift
by 2.3 px in hard light (READING.md, "At rest")."""
# Of the lens: its focal length in parts of it, k1 and k2; and its middle in parts of the picture's width.
LENS_SD: Final = 0.04
MIDDLE_SD: Final = 6.0 / 2304
# Of what people lay or measure: a marker, each of its corners and its height; and a figure's base on its space.
MARKER_SD_MM: Final = 0.8
FIGURE_SD_MM: Final = 2.2
FREEDOM: Final = 3.0  # degrees of Student's t: few, as a marker that lies elsewhere may lie anywhere

LENS: Final = slice(6, 11)
CAMERA: Final = LENS.stop
"""A camera's parameters: turn 3, shift 3, logarithm of the focal length, middle 2, k1, k2."""
_BLEED, _SIZE, _LEVEL, _OWN = range(CAMERA, CAMERA + 4)
"""Where they stand after a camera's parameters; last come each square's own: along x, along y, turn."""
_SPARED: Final = math.exp(DOUBT)  # nats: what a step that spares less would change nobody knows anyway
_QUARTER: Final = np.array([-1.0, 1.0])  # a point turned by that is how it moves when turned a little


class Square(NamedTuple):
    """A printed square in view: corners (4, 2) px, and how it lies: turned about ``pivot_mm`` (3,), its middle at
    ``arm_mm`` (3,) from there. ``place_sd_mm`` says how exactly each corner is known; ``on_board`` whether it shares
    the corner markers' height.
    """

    id: int
    px: Floats
    pivot_mm: Floats
    side_mm: float
    place_sd_mm: float
    arm_mm: Floats = np.zeros(3)
    on_board: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LensBelief:
    """The lens as known beforehand: its five parameters as in ``CAMERA``, and their covariance (5, 5)."""

    mean: Floats
    covariance: Floats

    @classmethod
    def of_field(cls, hfov_deg: float, width: int, height: int) -> LensBelief:
        """The data sheet's lens."""
        return cls(lens_parameters(field_of_view(hfov_deg, width, height), np.zeros(2)), usual_spread(width))

    def allows(self, lens: Floats) -> bool:
        """Whether a lens (5,) may be this one."""
        apart = lens - self.mean
        return float(apart @ np.linalg.solve(self.covariance, apart)) <= UNLIKELY

    @property
    def starts(self) -> tuple[LensBelief, ...]:
        """This lens, and those that are half and twice as long, each as uncertain as if nobody had told how long."""
        covariance = self.covariance.copy()
        covariance[0, 0] = math.log(2) ** 2
        longer = np.eye(len(self.mean))[0] * math.log(2)
        return tuple(LensBelief(self.mean + step * longer, covariance) for step in (0, -1, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A camera that sees M ``squares``, and how well it is known.

    ``parameters`` (N,) are the camera's, in the order of ``CAMERA``, about the squares' centre, and after them what all
    squares share and each one's own; ``known`` (N, N) is their covariance.
    ``cost`` is the negative logarithm of how likely all this is, but for what fits of the same squares have in common.
    ``factor`` is by how much larger than believed the misfit's variance is; 1 where it is as believed or smaller.
    ``misses_px`` (M, 4) is how far each square's corners are from where it was found, ``expected_px`` (M, 4, 2) where
    they would be without noise, and ``place_squared`` (M,) how far each square lies from its place, in squared standard
    deviations.
    """

    squares: tuple[Square, ...]
    camera: Camera
    known: Floats
    cost: float
    factor: float
    misses_px: Floats
    expected_px: Floats
    place_squared: Floats
    parameters: Floats

    def counts(self, factor: float = 1.0) -> NDArray[np.bool_]:
        """Which corners (M, 4) are where they should be, the misfit's variance being larger by a factor."""
        return np.asarray((self.misses_px / CORNER_SD_PX) ** 2 <= UNLIKELY * factor)

    @property
    def lies_right(self) -> NDArray[np.bool_]:
        """Which squares (M,) lie where they should, half of their corners at least: a hand pulls no more."""
        return np.asarray((self.place_squared <= UNLIKELY) & (self.counts(self.factor).mean(axis=1) >= 0.5))

    def is_about(self, other: Fit) -> bool:
        """Whether this is the camera of another fit of these squares: they differ by less than nobody knows of it.

        A turn is the rest of a whole one the other way round, too: of cameras that look down both are found.
        """
        apart = (self.parameters - other.parameters)[:CAMERA]
        turn = other.parameters[:3]
        round_about = apart + np.append(turn * (2 * math.pi / np.linalg.norm(turn)), np.zeros(CAMERA - 3))
        known = self.known[:CAMERA, :CAMERA]
        return any(float(each @ np.linalg.solve(known, each)) < 1.0 for each in (apart, round_about))

    @property
    def agrees(self) -> bool:
        """Whether every corner and every square is where it should be."""
        return bool(self.counts().all() and self.lies_right.all())


def usual_spread(width: int) -> Floats:
    """How exactly a lens is known of which nobody says how exactly, for pictures of this width: covariance (5, 5)."""
    middle_sd = MIDDLE_SD * width
    return np.diag(np.square([LENS_SD, middle_sd, middle_sd, LENS_SD, LENS_SD]))


def outwards(px: Floats) -> Floats:
    """How each corner of squares seen at (4 M, 2) px moves when their sides move outwards by one pixel, (4 M, 2)."""
    squares = px.reshape(-1, 4, 2)
    arms = squares - squares.mean(axis=1, keepdims=True)
    return np.asarray((arms / np.linalg.norm(arms, axis=2, keepdims=True) * np.sqrt(2.0)).reshape(-1, 2))


def first_poses(squares: Sequence[Square], belief: LensBelief) -> tuple[Floats, ...]:
    """One or two poses (turn 3, shift 3 about the squares' centre) from which a fit may start, the likelier one first.

    Flat points are seen alike from two sides when they are far away for their size.
    """
    points = np.vstack([each.pivot_mm + each.arm_mm + unit_square() * each.side_mm / 2 for each in squares])
    px = np.vstack([square.px for square in squares])
    flat = float(np.ptp(points[:, 2])) == 0
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        points - centre_of(squares),
        px,
        *matrix_and_distortion(belief.mean),
        flags=cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP,
    )
    return tuple(
        np.concatenate([np.ravel(turn), np.ravel(shift)]).astype(np.float64)
        for turn, shift in zip(turns[:count], shifts[:count], strict=True)
    )


def centre_of(squares: Sequence[Square]) -> Floats:
    """The mean of the squares' middles, (3,) mm: the point that a fit's pose is about."""
    return np.asarray(np.mean([square.pivot_mm + square.arm_mm for square in squares], axis=0))


def parameters_about(camera: Camera, centre_mm: Floats) -> Floats:
    """A camera's parameters about a point, (11,): see ``CAMERA``."""
    turn, _ = cv2.Rodrigues(camera.R)
    return np.concatenate([np.ravel(turn), camera.t + camera.R @ centre_mm, lens_parameters(camera.K, camera.dist)])


def lens_parameters(matrix: Floats, distortion: Floats) -> Floats:
    """The five of a lens in ``CAMERA``."""
    focal = np.log((matrix[0, 0] + matrix[1, 1]) / 2)
    return np.array([focal, matrix[0, 2], matrix[1, 2], distortion[0], distortion[1]])


def matrix_and_distortion(lens: Floats) -> tuple[Floats, Floats]:
    """The camera matrix (3, 3) and k1 k2 p1 p2 k3 (5,) of a lens in ``CAMERA``."""
    focal = float(np.exp(lens[0]))
    matrix = np.array([[focal, 0.0, lens[1]], [0.0, focal, lens[2]], [0.0, 0.0, 1.0]])
    return matrix, np.array([lens[3], lens[4], 0.0, 0.0, 0.0])


def fit_camera(squares: Sequence[Square], belief: LensBelief, size: tuple[int, int], pose: Floats) -> Fit | None:
    """The camera for these squares, from a first pose about their centre; None when it does not see them.

    ``pose`` may go on with the lens (11 parameters in all).
    """
    problem = _Problem(squares, belief)
    try:
        with np.errstate(all="ignore"):
            parameters, state = problem.solve(pose)
        covariance = np.asarray(np.linalg.inv(state.curve), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None  # what no camera sees so may lead to one so far away that nothing depends on where it is
    camera = camera_of(parameters, problem.centre, size)
    points = problem.points(parameters)[0] + problem.centre
    if not np.isfinite(state.cost) or float(camera.depth_mm(points).min()) <= 0:
        return None
    px = camera.project(points)
    spare = 8 * len(squares) + problem.believed - len(parameters)
    return Fit(
        squares=tuple(squares),
        camera=camera,
        known=covariance,
        cost=state.cost,
        factor=max(1.0, state.misfit / max(spare, 1)),
        misses_px=state.misses_px.reshape(-1, 4),
        expected_px=(px + parameters[_BLEED] * outwards(px)).reshape(-1, 4, 2),
        place_squared=state.place_squared,
        parameters=parameters,
    )


def own_places(count: int) -> NDArray[np.intp]:
    """Where in a fit's parameters the two stand that say how far beside its place each of the squares lies, (M, 2)."""
    return _OWN + np.arange(3 * count).reshape(count, -1)[:, :2]


class _State(NamedTuple):
    """The cost of a fit with some parameters: see ``Fit``; gradient and approximate curvature of the cost; the weighted
    sum of squares.
    """

    cost: float
    slope: Floats
    curve: Floats
    misfit: float
    place_squared: Floats
    misses_px: Floats


class _Problem:
    """The observations and beliefs of one fit."""

    def __init__(self, squares: Sequence[Square], belief: LensBelief) -> None:
        self.centre = centre_of(squares)
        self._px = np.vstack([square.px for square in squares])
        self._out = outwards(self._px)
        self._pivots = np.repeat([square.pivot_mm - self.centre for square in squares], 4, axis=0)
        self._arms = np.repeat([square.arm_mm for square in squares], 4, axis=0)
        self._squares = np.vstack([unit_square() * square.side_mm / 2 for square in squares])
        self._level = np.repeat([float(square.on_board) for square in squares], 4)
        self._place_sd_mm = np.array([square.place_sd_mm for square in squares])
        self._places = own_places(len(squares))
        own = [sd for each in squares for sd in (np.inf, np.inf, _share(each.place_sd_mm, each.side_mm))]
        size_sd = _share(MARKER_SD_MM, max(square.side_mm for square in squares))
        level_sd_mm = math.sqrt(2) * MARKER_SD_MM  # against the track's, which was measured as well
        printed = [STILL_SD_PX, size_sd, level_sd_mm]
        spread = np.concatenate([np.full(CAMERA, np.inf), printed, own])
        self._belief = np.diag(1 / spread**2)
        self._belief[LENS, LENS] = np.linalg.inv(belief.covariance)
        self._believed = np.zeros(len(spread))
        self._believed[LENS] = belief.mean
        self.believed = int(np.isfinite(spread).sum()) + self._places.size + len(belief.mean)

    def points(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """The corners about the centre (4 M, 3), and how they move with their square's turn and with the size."""
        own = np.repeat(parameters[_OWN:].reshape(len(self._places), -1), 4, axis=0)
        c, s = np.cos(own[:, 2]), np.sin(own[:, 2])
        corners = self._squares * np.exp(parameters[_SIZE])
        turned = _turned(self._arms + corners, c, s)
        points = self._pivots + turned
        points[:, :2] += own[:, :2]
        points[:, 2] += self._level * parameters[_LEVEL]
        return points, turned[:, 1::-1] * _QUARTER, _turned(corners, c, s)

    def solve(self, pose: Floats) -> tuple[Floats, _State]:
        parameters = self._believed.copy()
        parameters[: len(pose)] = pose
        self._start_where_seen(parameters)
        state = self._state(parameters)
        for _ in range(2 * len(parameters)):  # at most: a fit takes ten
            if not np.isfinite(state.cost):
                break
            step = np.linalg.solve(state.curve, -state.slope)
            spares = -float(state.slope @ step) / 2  # nats, were the cost as curved everywhere
            new = self._state(parameters + step)
            while not new.cost < state.cost and spares > _SPARED:
                step, spares = step / 2, spares / 2
                new = self._state(parameters + step)
            spared = state.cost - new.cost
            if not spared > 0:
                break
            parameters, state = parameters + step, new
            if spared < _SPARED:
                break
        return parameters, state

    def _start_where_seen(self, parameters: Floats) -> None:
        """Let each square lie where the camera of a start sees it: which of them lie elsewhere is not known yet."""
        camera = camera_of(parameters, self.centre, (1, 1))
        for number, height in enumerate(self._pivots[::4, 2] + self._arms[::4, 2] + self.centre[2]):
            seen = camera.at_height(self._px[4 * number : 4 * number + 4], height).mean(axis=0)
            off = seen - (self._pivots + self._arms)[4 * number, :2] - self.centre[:2]
            if np.isfinite(off).all():
                parameters[self._places[number]] = off

    def _state(self, parameters: Floats) -> _State:
        matrix, dist = matrix_and_distortion(parameters[LENS])
        points, by_turn, by_size = self.points(parameters)
        seen, jacobian = cv2.projectPoints(points, parameters[:3], parameters[3:6], matrix, dist)
        miss = (np.asarray(seen).reshape(-1, 2) + parameters[_BLEED] * self._out - self._px) / CORNER_SD_PX
        rows = np.asarray(jacobian, dtype=np.float64)
        turn, _ = cv2.Rodrigues(parameters[:3])
        # How a pixel moves with its point, (4 M, 2, 3): as with the camera's shift, turned into the board's frame.
        by_point = (rows[:, 3:6] @ np.asarray(turn)).reshape(-1, 2, 3)
        change = np.zeros((miss.size, len(parameters)))
        # Columns of OpenCV: turn 3, shift 3, fx fy, cx cy, k1 k2 p1 p2 k3.
        change[:, :6] = rows[:, :6]
        change[:, 6] = (rows[:, 6] + rows[:, 7]) * matrix[0, 0]
        change[:, 7:11] = rows[:, 8:12]
        change[:, _BLEED] = self._out.ravel()
        change[:, _SIZE] = np.einsum("nij,nj->ni", by_point, by_size).ravel()
        change[:, _LEVEL] = (by_point[:, :, 2] * self._level[:, None]).ravel()
        turned = np.einsum("nij,nj->ni", by_point[:, :, :2], by_turn)
        count, each = len(self._places), np.arange(len(self._places))
        own_change = np.zeros((count, 8, count, 3))
        own_change[each, :, each] = np.dstack([by_point[:, :, :2], turned]).reshape(count, 8, -1)
        change[:, _OWN:] = own_change.reshape(len(change), -1)
        change /= CORNER_SD_PX
        corner_cost, corner_weights, corner_misfit = _t_distributed((miss**2).sum(axis=1))
        place_squared = (parameters[self._places] ** 2).sum(axis=1) / self._place_sd_mm**2
        place_cost, place_weights, place_misfit = _t_distributed(place_squared)
        drift = parameters - self._believed
        belief = self._belief.copy()
        belief[self._places, self._places] += (place_weights / self._place_sd_mm**2)[:, None]
        weighted = change.T * np.repeat(corner_weights, 2)
        pulled = float(drift @ self._belief @ drift)
        return _State(
            corner_cost + place_cost + pulled / 2,
            weighted @ miss.ravel() + belief @ drift,
            weighted @ change + belief,
            corner_misfit + place_misfit + pulled,
            place_squared,
            np.linalg.norm(miss, axis=1) * CORNER_SD_PX,
        )


def _t_distributed(squared: Floats) -> tuple[float, Floats, float]:
    """Of pairs of misses with these squared lengths, in standard deviations: the negative logarithm of how likely they
    are, what each weighs in a sum of squares with the same gradient, and that sum.
    """
    weights = weight_of(squared)
    return float(((FREEDOM + 2) / 2 * np.log1p(squared / FREEDOM)).sum()), weights, float(weights @ squared)


def weight_of(squared: Floats) -> Floats:
    """How much a pair of misses counts whose squared length is that, in standard deviations."""
    return np.asarray((FREEDOM + 2) / (FREEDOM + squared))


def _share(sd_mm: float, side_mm: float) -> float:
    """How exactly a square's side is known, in parts of it, and its turn, in radians, whose corners are so exactly."""
    return sd_mm / (math.sqrt(2) * side_mm)


def unit_square() -> Floats:
    """Corners of a level square around the origin, half a side being 1: from the top left, clockwise, (4, 3)."""
    return np.array([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, -1.0, 0.0]])


def _turned(points: Floats, c: Floats, s: Floats) -> Floats:
    turned = points.copy()
    turned[:, 0] = c * points[:, 0] - s * points[:, 1]
    turned[:, 1] = s * points[:, 0] + c * points[:, 1]
    return turned


def camera_of(parameters: Floats, centre: Floats, size: tuple[int, int]) -> Camera:
    """The camera with these parameters about a point, for pictures of this width and height."""
    rotation, _ = cv2.Rodrigues(parameters[:3])
    turn = np.asarray(rotation, dtype=np.float64)
    return Camera(*matrix_and_distortion(parameters[LENS]), turn, parameters[3:6] - turn @ centre, *size)
