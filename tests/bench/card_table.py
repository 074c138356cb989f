"""Rests at a table with cards of one family: sizes, labels stuck by hand, piles, fans, cards half covered; the truth.

A rest is a table on which something was laid and nothing moves any more. Of each rest it is told what the eyes made of
it: cards read, codes that are called unread although their card is known, cards half hidden that nobody noticed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from engine.rules.cards import DECK, Card
from vision.agree.agreement import in_footprint
from vision.look import Look
from vision.printed.card_shape import LabelPose, finder_places
from vision.printed.table import CardSize, Table
from vision.synthetic.scene import CardMake, SceneCard, StuckLabel

LOOKS = 16
CLEARED_LOOKS = 30  # clearing a table takes some seconds
_WIDTHS_MM, _HEIGHTS_MM = (44.0, 70.0), (63.0, 110.0)
_OFF_MM, _OFF_DEG = 4.0, 4.0
_UPSIDE_DOWN = 1 / 40
_APART_MM = 27.0  # of two labels' middles, across or down: they do not lie on one another
_NUDGED = 0.4
_MAX_CARDS = 13
_FINDER_HALF_MM = 4.2
_SAME_CODE_MM = 5.0


class Family(NamedTuple):
    """One family's deck: each card as it is made."""

    size: CardSize
    makes: dict[Card, CardMake]


def family(rng: random.Random, qr_mm: float) -> Family:
    """A deck whose labels were stuck on by hand; every fourth one was printed, and they lie exactly."""
    size = CardSize(rng.uniform(*_WIDTHS_MM), rng.uniform(*_HEIGHTS_MM))
    neat = rng.random() < 0.25
    margin = (rng.uniform(4.5, 7.5), rng.uniform(4.5, 7.5))
    return Family(size, {card: _make(rng, size, margin, qr_mm, neat) for card in DECK})


def _make(rng: random.Random, size: CardSize, margin: tuple[float, float], qr_mm: float, neat: bool) -> CardMake:
    across, along = (side / 2 - edge - qr_mm / 2 for side, edge in zip(size, margin, strict=True))
    while True:
        labels = []
        for end in (1.0, -1.0):
            off = 0.0 if neat else _OFF_MM * math.sqrt(rng.random())
            way, turn = rng.uniform(0, math.tau), 0.0 if neat else rng.uniform(-_OFF_DEG, _OFF_DEG)
            upside_down = not neat and rng.random() < _UPSIDE_DOWN
            turned = (0.0 if end > 0 else 180.0) + (180.0 if upside_down else 0.0)
            labels.append(
                StuckLabel(-end * across + off * math.cos(way), end * along + off * math.sin(way), turned + turn)
            )
        one, other = labels
        if max(abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm)) >= min(_APART_MM, 2 * along):
            return CardMake(size, tuple(labels))


@dataclass
class Counts:
    """What came of the rests that were looked at."""

    rests: int = 0
    steady: int = 0
    laid: int = 0
    read: int = 0
    wrong: int = 0
    false_unread: int = 0
    hidden: int = 0
    noticed: int = 0
    orders: int = 0
    restarts: int = 0
    twice: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Sums."""
        for name in ("rests", "steady", "laid", "read", "wrong", "false_unread", "hidden", "noticed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("orders", "restarts", "twice"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures += other.failures


def story(rng: random.Random, table: Table, deck: Family, rests: int) -> Iterator[tuple[SceneCard, ...]]:
    """What lies on the table at each rest, the lowest first; empty where it was cleared."""
    lying: list[SceneCard] = []
    left = list(DECK)
    rng.shuffle(left)
    area = table.play_area
    style = "open"
    for _ in range(rests):
        if not left or len(lying) > _MAX_CARDS:
            lying, left = [], list(DECK)
            rng.shuffle(left)
            yield ()
            continue
        if rng.random() < 0.3 or not lying:
            style = rng.choice(["open", "pile", "pile", "half", "fan", "fan", "heap"])
        many = rng.randint(2, 3) if style == "fan" else rng.choice([1, 1, 1, 2])
        reach = math.hypot(*deck.size) / 2
        x, y = rng.uniform(area.x0 + reach, area.x1 - reach), rng.uniform(area.y0 + 45.0, area.y1 - 45.0)
        turn = rng.choice([0.0, 0.0, 90.0, 180.0, rng.uniform(0, 360)]) + rng.gauss(0, 6)
        if style in ("pile", "half", "heap") and lying:
            under = lying[-1]
            apart = {"pile": 5.0, "half": 22.0, "heap": 35.0}[style]
            way = rng.uniform(0, math.tau)
            off = apart * rng.uniform(0.3, 1.2)
            x, y = under.x_mm + off * math.cos(way), under.y_mm + off * math.sin(way)
            turn = under.turn_deg + rng.gauss(0, 6 if style != "heap" else 50) + rng.choice([0.0, 180.0])
            if not area.holds(x, y):
                x, y = area.middle
            if rng.random() < _NUDGED:
                lying[-1] = replace(
                    under,
                    x_mm=under.x_mm + rng.uniform(-3, 3),
                    y_mm=under.y_mm + rng.uniform(-3, 3),
                    turn_deg=under.turn_deg + rng.uniform(-2, 2),
                )
        step = rng.uniform(10.0, 30.0) if style == "fan" else rng.uniform(0.0, 40.0)
        along = math.radians(turn + rng.choice([0.0, 0.0, 90.0]))
        for number in range(min(many, len(left))):
            card = left.pop()
            lying.append(
                SceneCard(
                    card,
                    x + number * step * math.cos(along),
                    y + number * step * math.sin(along),
                    turn + rng.gauss(0, 2) * (number > 0),
                    len(lying),
                    make=deck.makes[card],
                )
            )
        yield tuple(lying)


def labels_of(card: SceneCard) -> tuple[LabelPose, ...]:
    """Where a card's labels really lie."""
    upright = LabelPose((card.x_mm, card.y_mm), card.turn_deg + 90.0)
    return tuple(
        LabelPose(upright.towards(label.x_mm, -label.y_mm), upright.turn_deg + label.turn_deg)
        for label in card.make.labels
    )


def is_under(card: SceneCard, place: tuple[float, float], grown_mm: float) -> bool:
    """Whether a place lies under this card."""
    return in_footprint(card.x_mm, card.y_mm, card.turn_deg + 90.0, place, grown_mm, card.make.size)


def bare_finders(card: SceneCard, lying: tuple[SceneCard, ...], qr_mm: float) -> list[tuple[float, float]]:
    """The finder patterns of a card's labels that nothing lies on."""
    above = lying[[other.card for other in lying].index(card.card) + 1 :]
    return [
        place
        for label in labels_of(card)
        for place in finder_places(label, qr_mm)
        if not any(is_under(other, place, _FINDER_HALF_MM) for other in above)
    ]


def judge_rest(
    counts: Counts,
    lying: tuple[SceneCard, ...],
    before: tuple[SceneCard, ...],
    looks: list[Look],
    table: Table,
    of: str,
) -> None:
    """Holds the last of these looks against the truth, and what changed while nothing did."""
    seen = looks[-1].table
    agreed, true = {reading.card for reading in seen.cards}, {card.card for card in lying}
    counts.rests += 1
    counts.steady += seen.why is None
    fresh = [card for card in lying if all(card.card != other.card for other in before)]
    counts.laid += len(fresh)
    counts.read += sum(card.card in agreed for card in fresh)
    for name in agreed - true:
        counts.wrong += 1
        counts.failures.append(f"{of}: wrong card {name}")
    orders = [tuple(reading.card for reading in look.table.cards) for look in looks[-4:]]
    counts.orders += sum(one != other for one, other in pairwise(orders))
    lie = {frozenset((reading.card, reading.laid_at_s) for reading in look.table.cards) for look in looks[-4:]}
    if len(lie) == 1 and len({look.table.since_s for look in looks[-4:]}) > 1:
        counts.restarts += 1
        counts.failures.append(f"{of}: the waiting began anew")
    known = agreed | {*seen.glimpsed}
    for code in seen.unread:
        at = (code.x_mm, code.y_mm)
        # Of what light burns out the middle is told, wherever on the card that is; of a code its finder pattern.
        owners = [
            card.card
            for card in lying
            if (code.glares and is_under(card, at, _SAME_CODE_MM))
            or any(
                math.dist(at, place) < _SAME_CODE_MM
                for label in labels_of(card)
                for place in finder_places(label, table.qr_mm)
            )
        ]
        if not owners or all(card in known for card in owners):
            counts.false_unread += 1
            names = ", ".join(map(str, owners)) or "nothing there"
            counts.failures.append(f"{of}: false unread at {at[0]:.0f}, {at[1]:.0f} ({names})")
    for card in fresh:
        if card.card in known:
            continue
        bare = bare_finders(card, lying, table.qr_mm)
        if not any(table.play_area.holds(*place) for place in bare):
            continue
        counts.hidden += 1
        if any(math.dist((code.x_mm, code.y_mm), place) < 4 * _SAME_CODE_MM for code in seen.unread for place in bare):
            counts.noticed += 1
        else:
            counts.failures.append(f"{of}: {card.card} is half hidden and nobody noticed")


Render = Callable[[tuple[SceneCard, ...], int], Look]
