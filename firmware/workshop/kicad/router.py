"""Finds tracks for every net on two layers: every net takes its cheapest way, and contested places become dearer.

Nets are laid one after the other over what others hold, until nobody shares a place; a place that was shared costs more
in every later round. Source of the idea: L. McMurchie and C. Ebeling, "PathFinder", 1995.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from firmware.workshop.kicad.footprints import GRID_MM, HOLES_MM, SIDE_MM, PlacedPart, pad_of

TRACK_MM: Final = 0.3
CLEARANCE_MM: Final = 0.2
VIA_MM: Final = 0.8
VIA_DRILL_MM: Final = 0.4
_COLUMNS: Final = int(SIDE_MM / GRID_MM) + 1
_EDGE_MM: Final = 1.0
_HOLE_FREE_MM: Final = 3.6  # from a screw's middle: its head lies there
_VIA_COST: Final = 6.0
_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class Routed:
    """Of one net: its tracks as layer, start, end, and its vias, in millimetres."""

    tracks: tuple[tuple[int, tuple[float, float], tuple[float, float]], ...]
    vias: tuple[tuple[float, float], ...]


def route(parts: Iterable[PlacedPart]) -> dict[str, Routed]:
    """Every net's tracks. Raises ValueError when no way is found without touching."""
    board = _Board(tuple(parts))
    return board.solve()


class _Board:
    def __init__(self, parts: tuple[PlacedPart, ...]) -> None:
        self._pads: dict[str, list[tuple[int, int]]] = {}
        self._blocked: list[str | None] = [None] * (_COLUMNS * _COLUMNS)
        self._history = [0.0] * (2 * _COLUMNS * _COLUMNS)
        self._users: dict[int, set[str]] = {}
        for one in parts:
            nets = {pad_of(foot): net for foot, net in one.part.feet.items()}
            for pad, x, y in one.pads():
                net = nets.get(pad.number, f"{one.part.ref} {pad.number}")
                self._block(x, y, one.footprint.ring_mm / 2 + CLEARANCE_MM + TRACK_MM / 2, net)
                if pad.number in nets:
                    self._pads.setdefault(net, []).append((round(x / GRID_MM), round(y / GRID_MM)))
        for x, y in HOLES_MM:
            self._block(x, y, _HOLE_FREE_MM, "a screw")
        for column in range(_COLUMNS):
            for row in range(_COLUMNS):
                x, y = column * GRID_MM, row * GRID_MM
                if not (_EDGE_MM <= x <= SIDE_MM - _EDGE_MM and _EDGE_MM <= y <= SIDE_MM - _EDGE_MM):
                    self._blocked[column * _COLUMNS + row] = "the edge"
        # The rings themselves belong to their nets, whoever's clearance reaches over them.
        for net, pads in self._pads.items():
            for column, row in pads:
                self._blocked[column * _COLUMNS + row] = net

    def _block(self, x: float, y: float, radius: float, net: str) -> None:
        reach = int(radius / GRID_MM) + 1
        for column in range(round(x / GRID_MM) - reach, round(x / GRID_MM) + reach + 1):
            for row in range(round(y / GRID_MM) - reach, round(y / GRID_MM) + reach + 1):
                if 0 <= column < _COLUMNS and 0 <= row < _COLUMNS:
                    near = (column * GRID_MM - x) ** 2 + (row * GRID_MM - y) ** 2 < radius**2 - 1e-9
                    place = column * _COLUMNS + row
                    if near:
                        other = self._blocked[place]
                        self._blocked[place] = net if other in (None, net) else "two pads"

    def solve(self) -> dict[str, Routed]:
        order = sorted(self._pads, key=lambda net: (len(self._pads[net]), net))
        ways: dict[str, list[list[int]]] = {}
        for number in range(_ROUNDS):
            dear = 0.6 * 1.5 ** min(number, 12)
            contested = {net for users in self._users.values() if len(users) > 1 for net in users}
            for net in order if number == 0 else [net for net in order if net in contested]:
                self._lift(net, ways.get(net, []))
                ways[net] = self._net(net, dear)
                self._hold(net, ways[net])
            shared = [place for place, users in self._users.items() if len(users) > 1]
            if not shared:
                return {net: _routed(way) for net, way in ways.items()}
            for place in shared:
                self._history[place] += 1.0
        raise ValueError(f"no way was found for every net: {len(shared)} places are still shared; place the parts anew")

    def _held(self, way: list[int]) -> set[int]:
        """What a way takes: its places, and round a via those beside it."""
        size = _COLUMNS * _COLUMNS
        found = set(way)
        for here, there in pairwise(way):
            if here % size == there % size:
                for place in (here % size, there % size):
                    for step in (0, 1, -1, _COLUMNS, -_COLUMNS):
                        found |= {place + step, place + step + size}
        return found

    def _lift(self, net: str, ways: list[list[int]]) -> None:
        for way in ways:
            for place in self._held(way):
                self._users.get(place, set()).discard(net)

    def _hold(self, net: str, ways: list[list[int]]) -> None:
        for way in ways:
            for place in self._held(way):
                self._users.setdefault(place, set()).add(net)

    def _net(self, net: str, dear: float) -> list[list[int]]:
        """A tree over all pads of a net, grown from the first one."""
        size = _COLUMNS * _COLUMNS
        pads = [column * _COLUMNS + row for column, row in self._pads[net]]
        tree = {pads[0], pads[0] + size}
        waiting = set(pads[1:])
        ways = []
        while waiting:
            way = self._way(net, tree, waiting, dear)
            ways.append(way)
            tree |= set(way)
            end = way[-1] % size
            waiting.discard(end)
            tree |= {end, end + size}
        return ways

    def _way(self, net: str, tree: set[int], aims: set[int], dear: float) -> list[int]:
        size = _COLUMNS * _COLUMNS
        best = dict.fromkeys(tree, 0.0)
        before: dict[int, int] = {}
        heap = [(0.0, place) for place in tree]
        heapq.heapify(heap)
        pads = {column * _COLUMNS + row for column, row in self._pads[net]}
        while heap:
            cost, here = heapq.heappop(heap)
            if cost > best[here]:
                continue
            if here % size in aims:
                way = [here]
                while way[-1] in before:
                    way.append(before[way[-1]])
                return way[::-1]
            layer = here // size
            for step in (1, -1, _COLUMNS, -_COLUMNS, 0):
                if step == 0:
                    there = (here + size) % (2 * size)
                    # A pad is on both layers without a via; a via keeps off pads.
                    if here % size in pads:
                        more = 0.1
                    elif self._blocked[here % size] is not None or not self._via_fits(here % size, net):
                        continue
                    else:
                        more = _VIA_COST
                else:
                    there = here + step
                    owner = self._blocked[there % size]
                    if owner is not None and owner != net:
                        continue
                    # Each layer has its way to run: the other one costs more.
                    more = 1.0 if (abs(step) == 1) == (layer == 0) else 1.6
                others = len(self._users.get(there, set()) - {net})
                total = cost + more * (1 + self._history[there]) * (1 + dear * others)
                if total < best.get(there, float("inf")):
                    best[there], before[there] = total, here
                    heapq.heappush(heap, (total, there))
        raise ValueError(f"net {net} has no way at all; place the parts anew")

    def _via_fits(self, place: int, net: str) -> bool:
        """Whether no other net's pad or edge is beside it; a square pad reaches further at its corners."""
        beside = (1, -1, _COLUMNS, -_COLUMNS, _COLUMNS + 1, _COLUMNS - 1, -_COLUMNS + 1, -_COLUMNS - 1)
        return all(self._blocked[place + step] in (None, net) for step in beside)


def _routed(ways: list[list[int]]) -> Routed:
    """Places as tracks, straight ones in one piece, and vias where a way changes layers off a pad."""
    size = _COLUMNS * _COLUMNS
    tracks, vias = [], []
    for way in ways:
        start = 0
        for number in range(1, len(way) + 1):
            turns = number == len(way) or _step(way, number) != _step(way, start + 1)
            if turns:
                if _step(way, start + 1) == 0 and len(way) > 1:
                    vias.append(_mm(way[start]))
                elif number - 1 > start:
                    tracks.append((way[start] // size, _mm(way[start]), _mm(way[number - 1])))
                start = number - 1
    return Routed(tuple(tracks), tuple(dict.fromkeys(vias)))


def _step(way: list[int], number: int) -> int:
    """From the place before to this one; 0 for another layer."""
    size = _COLUMNS * _COLUMNS
    if number >= len(way):
        return -1
    change = way[number] - way[number - 1]
    return 0 if abs(change) == size else change


def _mm(place: int) -> tuple[float, float]:
    column, row = divmod(place % (_COLUMNS * _COLUMNS), _COLUMNS)
    return round(column * GRID_MM, 3), round(row * GRID_MM, 3)
