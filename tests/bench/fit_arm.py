"""Learns the weights by which ``vision/change/outline.py`` tells a thing from light and from the table it has left.

``PYTHONPATH=. .venv/bin/python tests/bench/fit_arm.py``: tables of both renderers, bare and with a hand at places drawn
at random. Two pictures of a table are held against each other; of each piece that differs and reaches in over the
picture's edge, the renderers' exact masks say whether an arm is there now, or was there before. And the bare table is
lit otherwise, with its pattern and without, where neither is true. Printed are the weights of a logistic regression
with these three outcomes, to be written to ``outline.py``, and how many pieces of other households they tell wrongly.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: as the product has it

import cv2
import numpy as np
from households.household import Household, household
from households.people import TablePeople
from households.photo_world import PhotoWorld, tops
from households.room import Reaching, Room
from households.synthetic_world import SyntheticWorld
from numpy.typing import NDArray
from photo.render import Canvas

from engine.rules.cards import DECK
from engine.rules.track import START, Side
from vision.cells import CELL_PX, Thumb, relit, thumbnail
from vision.change.arm import MIN_CELLS, margin_of
from vision.change.gate import change, steepness
from vision.change.outline import features, pieces
from vision.geometry import Box

HERE, LEFT, LIGHT = range(3)
KINDS: Final = ("an arm", "one that has left", "light", "light on a table without a pattern")
HANDS: Final = 6
LIGHTS: Final = 4
"""Of a table, each with its pattern and without."""
FILLED: Final = 0.2
"""Of a piece an arm fills so much at least, the rest may be its shadow; and of one without an arm a quarter of that."""
PLAIN: Final = 0.1
"""How much a light on a table without a pattern counts: few tables have none."""
COMMON: Final = 3.0
"""So many times as much as anything else counts an arm: in games it is more common still, but one that has left and is
not seen to have costs more. Chosen."""
RIDGE: Final = 0.3
"""What a weight of one costs, twice: little beside some hundred pieces."""

Floats = NDArray[np.float64]
Seen = tuple[Thumb, NDArray[np.bool_]]
"""A picture, and the cells in which an arm is over the table."""


class Piece(NamedTuple):
    """What a piece shows, how much it counts, and what speaks for it."""

    shows: int
    counts: float
    features: tuple[float, float, float]


def over_photo(world: PhotoWorld, room: Room) -> NDArray[np.bool_]:
    """The pixels that show a hand, or what it holds."""
    studio = world._studio(room)
    height, width = studio.owner.shape
    canvas = Canvas(
        np.zeros((height, width, 3), np.float32), np.zeros((height, width, 1), np.float32), studio.owner * 0
    )
    for patch in world._moving(studio, room).patches:
        studio.painter.paint(canvas, patch)
    return np.asarray(canvas.owner != 0)


def over_synthetic(world: SyntheticWorld, room: Room) -> NDArray[np.bool_]:
    """The pixels that show a hand, or what it holds; a shadow lets through what it falls on."""
    stage = world._renderer(room.bumped)._grey
    height, width = world.home.module.height, world.home.module.width
    over = np.zeros((height, width), bool)
    for side in room.hands:
        for sprite in stage._hands(world._hand(room, side)):
            white = np.full((height, width), 255, np.uint8)
            black = np.zeros_like(white)
            sprite.paint(white, Box(0, 0, width, height))
            sprite.paint(black, Box(0, 0, width, height))
            over |= cv2.absdiff(white, black) < 100
    return over


def seen(world: PhotoWorld | SyntheticWorld, room: Room, index: int) -> Seen:
    y = world.picture(room, index)
    if not room.hands:
        return thumbnail(y), np.zeros((y.shape[0] // CELL_PX, y.shape[1] // CELL_PX), bool)
    over = over_photo(world, room) if isinstance(world, PhotoWorld) else over_synthetic(world, room)
    return thumbnail(y), thumbnail(np.asarray(255 * over, np.uint8)) > 127


def looks(
    world: PhotoWorld | SyntheticWorld, home: Household, rng: np.random.Generator
) -> tuple[list[Seen], list[Seen]]:
    """A table as players leave it, twice, and with hands over it."""
    people = TablePeople(home)
    room = people.room
    for side in Side:
        room.figures[side] = people.layout.stand(
            room, side, int(rng.integers(1, 23)) if side is Side.WHITE else START[side]
        )
    for number in rng.permutation(len(DECK))[: int(rng.integers(0, 5))]:
        room.cards[DECK[number]] = people.layout.turn_card(room, DECK[number], ())
    bare = [seen(world, room, index) for index in range(2)]
    hands = []
    for number in range(HANDS):
        side = list(Side)[number % 2]
        room.hands = {side: Reaching(side, rng.uniform(60, 560), rng.uniform(-220, 20), rng.uniform(10, 70))}
        hands.append(seen(world, room, number))
    return bare, hands


def lit(bare: Thumb, rng: np.random.Generator) -> Thumb:
    """The table in other light: a lamp's cone, daylight that falls off, an edge or a bar of light or shade."""
    height, width = bare.shape
    y, x = np.mgrid[:height, :width]
    way, middle = rng.uniform(0, 2 * np.pi), rng.uniform(-40, 40)
    along = (x - width / 2) * np.cos(way) + (y - height / 2) * np.sin(way) - middle
    across = (y - height / 2) * np.cos(way) - (x - width / 2) * np.sin(way) - rng.uniform(-30, 30)
    near = (
        np.exp(-(along**2 + across**2) / (2 * rng.uniform(20, 90) ** 2)),
        _step(along / rng.uniform(10, 40)),
        _step(along / rng.uniform(0.3, 3)),
        _step((rng.uniform(8, 30) - np.abs(along)) / rng.uniform(0.3, 4)),
    )[int(rng.integers(4))]
    gain = 1 + near * rng.uniform(0.2, 0.9)
    return np.asarray(np.minimum(bare * (gain if rng.random() < 0.5 else 1 / gain), 255), np.float32)


def _step(along: Floats) -> Floats:
    """From 0 to 1 across a border, which is two wide."""
    return np.asarray((1 + np.tanh(along)) / 2)


def plain(bare: Thumb, rng: np.random.Generator) -> Thumb:
    """The table without its pattern, and with noise of its own."""
    return np.asarray(cv2.GaussianBlur(bare, (0, 0), 10) + rng.normal(0, 0.5, bare.shape), np.float32)


def judged(now: Seen, before: Seen, counts: float = 1.0) -> Iterator[Piece]:
    """The pieces in which two pictures differ, as ``ArmWatch`` finds them, but for those that are of two kinds."""
    thumb, empty, edge = now[0], relit(before[0], now[0]), margin_of(now[0].shape)
    differs = change(thumb, empty, steepness(thumb)).cells
    joined = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    for box, part in pieces(joined, MIN_CELLS):
        here, then = (float(over[box][part].mean()) for _, over in (now, before))
        least = FILLED / 4
        if not edge[box][part].any() or min(here, then) >= least or least <= max(here, then) < FILLED:
            continue
        shows = HERE if here >= FILLED else LEFT if then >= FILLED else LIGHT
        yield Piece(shows, counts, features(thumb, empty, box, part, edge))


def pieces_of(task: tuple[str, int]) -> list[Piece]:
    """All that one table shows."""
    cv2.setNumThreads(1)
    renderer, seed = task
    home, rng = household(seed, tops()), np.random.default_rng(seed)
    world = PhotoWorld(home) if renderer == "photo" else SyntheticWorld(home)
    (bare, again), hands = looks(world, home, rng)
    found: list[Piece] = []
    for number, hand in enumerate(hands):
        for now, before in ((hand, bare), (bare, hand), (hand, hands[number - 1])):
            found += judged(now, before)
    nobody = bare[1]
    for _ in range(LIGHTS):
        found += judged((lit(again[0], rng), nobody), bare)
        one, other = plain(bare[0], rng), plain(bare[0], rng)
        found += judged((lit(other, rng), nobody), (one, nobody), PLAIN)
    # Each table counts alike for each kind, whatever number of pieces it broke into.
    many = Counter(piece.shows for piece in found)
    return [piece._replace(counts=piece.counts / many[piece.shows] ** 0.5) for piece in found]


def fitted(found: list[Piece]) -> Floats:
    """The weights (2, 4), against a thing: for what has left and for light, of any piece and of its three signs."""
    given = np.array([(1.0, *piece.features) for piece in found])
    kinds = np.array([piece.shows for piece in found])
    counts = np.array([piece.counts for piece in found]) * np.where(kinds == HERE, COMMON, 1.0)
    free = np.flatnonzero([1, 1, 0, 0, 1, 0, 1, 1])  # on a tartan an outline tells nothing of what has left
    ridge = np.tile([0.0, RIDGE, RIDGE, RIDGE], 2)
    weights = np.zeros(8)
    for _ in range(50):  # Newton's method
        odds = np.exp(given @ weights.reshape(2, 4).T)
        likely = odds / (1.0 + odds.sum(axis=1, keepdims=True))
        slope, curve = ridge * weights, np.diag(ridge)
        for one in range(2):
            own = slice(4 * one, 4 * one + 4)
            slope[own] += (counts * (likely[:, one] - (kinds == one + 1))) @ given
            for other in range(2):
                bend = counts * likely[:, one] * ((one == other) - likely[:, other])
                curve[own, 4 * other : 4 * other + 4] += (given.T * bend) @ given
        weights[free] -= np.linalg.solve(curve[np.ix_(free, free)], slope[free])
    return weights.reshape(2, 4)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=48, help="tables of each renderer (default %(default)s)")
    parser.add_argument("--first", type=int, default=75000, help="the first seed (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default %(default)s)")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.seeds)
    tasks = [(renderer, seed) for seed in seeds for renderer in ("photo", "synthetic")]
    with ProcessPoolExecutor(given.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        tables = list(pool.map(pieces_of, tasks))
    learned = 2 * len(tables) // 3
    weights = fitted([piece for table in tables[:learned] for piece in table])
    print("left:", *weights[0].round(1), "light:", *weights[1].round(1))
    for name, some in (("learned from", tables[:learned]), ("kept aside", tables[learned:])):
        found = [piece for table in some for piece in table]
        nats = -np.log(np.exp(np.array([(1.0, *piece.features) for piece in found]) @ weights.T).sum(axis=1))
        kinds = np.array([piece.shows + (piece.counts <= PLAIN) for piece in found])
        wrong = (nats > 0) != (kinds == HERE)
        told = (f"{of}: {wrong[kinds == kind].sum()} of {(kinds == kind).sum()}" for kind, of in enumerate(KINDS))
        print(f"{name}, told wrongly: {', '.join(told)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
