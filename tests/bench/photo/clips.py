"""Scripted clips, each from a seed: a table, a camera, a light, and what people do there."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from photo import things
from photo.render import Caster, Patch
from photo.session import Held, Session
from photo.studio import CardThing, FigureThing
from photo.worlds import NAMES, begin, card_look, spots


def clip_lay(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Cards laid apart, one by one, by hands from several sides; a fencer moved."""
    session, rng = begin(seed, save=save, name="lay", messy=int(rng_of(seed).integers(0, 5)), **how)
    names = list(rng.permutation(NAMES))
    for number, (x, y) in enumerate(spots(session, rng, 3)):
        thing = CardThing(str(names[number]), x, y, float(rng.uniform(0, 360)), look=card_look(rng))
        session.lay(
            thing,
            seed=int(rng.integers(12)),
            away=float(rng.choice([90, 70, 115, 60, 180, 0])),
            frames=int(rng.integers(5, 10)),
        )
    session.move(
        "white",
        session.space(int(rng.integers(1, 24))),
        seed=int(rng.integers(12)),
        away=float(rng.choice([90, 75, 120])),
    )
    session.rest(6)
    return session


def clip_pile(seed: int, save: Path | None = None, **how: Any) -> Session:
    """A pile that grows card by card, askew; then taken away."""
    session, rng = begin(seed, save=save, name="pile", **how)
    names = [str(name) for name in rng.permutation(NAMES)]
    (x, y), *_ = spots(session, rng, 1)
    for level in range(5):
        thing = CardThing(
            names[level],
            x + float(rng.normal(0, 5)),
            y + float(rng.normal(0, 5)),
            float(rng.normal(0, 9)) + 180 * int(rng.integers(2)),
            0.4 + 0.3 * level,
            look=card_look(rng),
        )
        session.lay(thing, seed=int(rng.integers(12)), away=float(rng.choice([90, 70, 110])), rest=7)
    session.take(set(names[:5]), seed=2, rest=32)
    return session


def clip_fan(seed: int, save: Path | None = None, **how: Any) -> Session:
    """A hand of cards laid as a fan at once, each cutting into the next one's labels; some face down."""
    session, rng = begin(seed, save=save, name="fan", **how)
    names = [str(name) for name in rng.permutation(NAMES)]
    x0, x1, y0, y1 = session.studio.setup.area
    cx, cy = (x0 + x1) / 2 + float(rng.normal(0, 30)), (y0 + y1) / 2 - 20
    step, gap = float(rng.uniform(4, 16)), float(rng.uniform(14, 62))
    cards = []
    for number in range(5):
        off = number - 2
        thing = CardThing(
            names[number] if rng.random() < 0.85 else None,
            cx + off * gap,
            cy - abs(off) * step * 0.6,
            -off * step + float(rng.normal(0, 2)),
            0.4 + 0.35 * number,
            look={"tilt": (float(rng.normal(0, 0.01)), float(rng.normal(0, 0.01)))},
        )
        cards.append(thing)
    away = 90.0
    session.hand([(cx, cy - 340, 70), (cx, cy, 14)], 6, away, seed=int(rng.integers(12)), pose="flat")
    session.put(cards)
    session.hand([(cx, cy, 14), (cx, cy - 340, 70)], 5, away, seed=int(rng.integers(12)), pose="flat")
    session.rest(14)
    session.put([])
    session.rest(LATE_REST)
    return session


LATE_REST = 30


def clip_held(seed: int, save: Path | None = None, **how: Any) -> Session:
    """A card or a fan held still over the play area for a long time, then taken back: nothing was laid.

    A hand was there before, and the table lay bare for some seconds.
    """
    session, rng = begin(seed, save=save, name="held", **how)
    names = [str(name) for name in rng.permutation(NAMES)]
    (x, y), *_ = spots(session, rng, 1)
    z = float(rng.uniform(12, 120))
    many = int(rng.integers(1, 5))
    away = float(rng.choice([90, 70, 110, 180]))

    def holds(hx: float, hy: float, hz: float) -> Held:
        patches: list[Patch] = []
        casters: list[Caster] = []
        for number in range(many):
            thing = CardThing(
                names[number],
                hx + 30 * (number - many / 2),
                hy + 34,
                -12.0 * (number - many / 2) + (away - 90),
                hz + 0.4 * number,
                None,
                {},
            )
            patches += session.studio.card_patches(thing, 500 + number, lying=False)
            casters.append(Caster(things.sheet(thing.x, thing.y, hz, 63, 88, thing.turn), 0.95))
        return patches, casters

    c, s = math.cos(math.radians(away)), math.sin(math.radians(away))
    seed_hand = int(rng.integers(12))
    far = (x - 340 * c, y - 340 * s, z + 20)
    session.hand([far, (x, y, z)], 6, away, seed=seed_hand)
    session.hand([(x, y, z), far], 6, away, seed=seed_hand)
    session.rest(12)
    session.hand([far, (x, y, z)], 6, away, seed=seed_hand, holds=holds)
    still = session.hand_at(x, y, z, away, seed=seed_hand, holds=holds)
    session.rest(int(rng.integers(10, 60)), [still])
    session.hand([(x, y, z), far], 6, away, seed=seed_hand, holds=holds)
    session.rest(12)
    return session


def clip_fingers(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Cards lie; a hand rests on them hiding parts of labels, goes, comes back, cards change under it."""
    session, rng = begin(seed, save=save, name="fingers", **how)
    names = [str(name) for name in rng.permutation(NAMES)]
    places = spots(session, rng, 3)
    cards = [
        CardThing(names[n], x, y, float(rng.uniform(0, 360)), look=card_look(rng)) for n, (x, y) in enumerate(places)
    ]
    session.put(cards)
    session.rest(8)
    x, y = places[0]
    away = float(rng.choice([90, 70, 110, 180, 0]))
    c, s = math.cos(math.radians(away)), math.sin(math.radians(away))
    seed_hand = int(rng.integers(12))
    at = (x + float(rng.normal(0, 12)), y + float(rng.normal(0, 12)), 16.0)
    far = (x - 340 * c, y - 340 * s, 70.0)
    session.hand([far, at], 5, away, seed=seed_hand, pose="flat")
    session.rest(int(rng.integers(4, 30)), [session.hand_at(*at, away, seed=seed_hand, pose="flat")])
    # Under the hand another card comes to lie on the first one.
    session.put([*cards, CardThing(names[5], x + 3, y - 2, cards[0].turn, 0.8)])
    session.hand([at, far], 5, away, seed=seed_hand, pose="flat")
    session.rest(LATE_REST)
    return session


def clip_figures(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Fencers between spaces, turned, tilted, lying, in a hand, away; and the light changes."""
    session, rng = begin(seed, save=save, name="figures", **how)
    where = int(rng.integers(2, 22))
    session.move(
        "white",
        session.space(where, off=float(rng.choice([0.5, -0.5, 0.45, 0.1, -0.15]))),
        seed=int(rng.integers(12)),
        rest=9,
    )
    session.move(
        "black",
        session.space(int(rng.integers(1, 24)), turn=float(rng.normal(0, 18)), tag_tilt=tuple(rng.normal(0, 0.05, 2))),
        seed=int(rng.integers(12)),
        away=float(rng.choice([90, 60, 120])),
        rest=9,
    )
    lying = session.space(where)
    session.move("white", FigureThing(lying.x, lying.y, lying.z, 0.0, {"lying": True}), seed=3, rest=20)
    session.move("white", session.space(int(rng.integers(1, 24))), seed=4, rest=9)
    old = session.figures["black"]
    # Held still just over the track for a while.
    held = session.space(int(rng.integers(1, 24)))
    lifted = float(rng.uniform(5, 60))
    session.put(black=None)

    def holds(x: float, y: float, z: float) -> Held:
        tab, body, casters = session.studio.figure(
            "black", FigureThing(held.x, held.y, held.z + lifted, 5.0, {"lifted": 0.01})
        )
        return tab + body, casters

    session.rest(
        14, [session.hand_at(held.x, held.y - 5, held.z + lifted + 60, 90.0, seed=5, pose="grip", holds=holds)]
    )
    session.put(black=old)
    session.rest(9)
    return session


def clip_quick(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Things appear without any hand seen (a slow camera), lie half outside, stacked exactly, half over the edge."""
    session, rng = begin(seed, save=save, name="quick", messy=3, **how)
    x0, x1, y0, y1 = session.studio.setup.area
    names = [str(name) for name in rng.permutation(NAMES)]
    cards = [
        CardThing(
            names[0], x0 + float(rng.uniform(-40, 30)), float(rng.uniform(y0 + 40, y1 - 40)), float(rng.uniform(0, 360))
        ),
        CardThing(
            names[1], x1 - float(rng.uniform(-40, 30)), float(rng.uniform(y0 + 40, y1 - 40)), float(rng.uniform(0, 360))
        ),
        CardThing(names[2], (x0 + x1) / 2, (y0 + y1) / 2, 10.0),
    ]
    session.put(cards)
    session.rest(9)
    session.put([*cards, CardThing(names[3], (x0 + x1) / 2 + 0.3, (y0 + y1) / 2 - 0.2, 10.2, 0.75)])
    session.rest(9)
    stripe = float(rng.uniform(6, 25))
    session.put(
        [
            *cards,
            CardThing(names[4], (x0 + x1) / 2 + stripe, (y0 + y1) / 2 - stripe, 30.0, 0.75),
            CardThing(None, (x0 + x1) / 2 - 60, (y0 + y1) / 2, 55.0, 1.1),
        ]
    )
    session.rest(9)
    session.move("black", session.space(int(rng.integers(1, 24))), seed=1)
    session.put([])
    session.rest(LATE_REST)
    return session


def clip_weather(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Lamps go down and up, focus is lost and found, a cloud passes, a hand in the dusk."""
    session, rng = begin(seed, save=save, name="weather", **how)
    names = [str(name) for name in rng.permutation(NAMES)]
    cards = [
        CardThing(names[n], x, y, float(rng.uniform(0, 360)), look=card_look(rng))
        for n, (x, y) in enumerate(spots(session, rng, 3))
    ]
    session.put(cards)
    session.rest(8)
    for dim in (0.7, 0.4, 0.2, 0.06, 0.02, 0.02):
        session.rest(2, dim=dim)
    session.rest(8)
    for blur in (1.0, 2.0, 3.5, 3.5, 3.5, 2.0):
        session.rest(2, defocus=blur)
    session.rest(13)
    for dim in (1.5, 2.5, 4.0, 8.0):
        session.rest(2, dim=dim)
    session.rest(8)
    session.lay(CardThing(names[4], cards[0].x + 20, cards[0].y + 10, 35.0, 0.8), seed=int(rng.integers(12)))
    session.rest(8)
    return session


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng((seed, 3))


CLIPS = {
    "lay": clip_lay,
    "pile": clip_pile,
    "fan": clip_fan,
    "held": clip_held,
    "fingers": clip_fingers,
    "figures": clip_figures,
    "quick": clip_quick,
    "weather": clip_weather,
}


def clip_unseen_hand(seed: int, save: Path | None = None, *, figure_too: bool = True, **how: Any) -> Session:
    """A hand that is hard to tell from the table holds a card, then a fencer, quite still: nothing was laid.

    A hand was there before, and the table lay bare for some seconds.
    """
    top = ["black_glass", "oak", "pine", "walnut"][seed % 4]
    session, rng = begin(seed, save=save, name="unseen_hand", top=top, **how)
    # A dark sleeve on a dark table, a bare arm of the wood's own brightness on a pale one.
    hand_seed = 3 if top in ("black_glass", "walnut") else [5, 11, 10][seed % 3]
    (x, y), *_ = spots(session, rng, 1)
    z = float(rng.uniform(14, 90))
    thing = CardThing(str(rng.permutation(NAMES)[0]), 0, 0, float(rng.normal(0, 15)))
    holds = session.holding_card(thing)
    far = (x, y - 340, z + 20)
    session.hand([far, (x, y, z)], 6, 90.0, seed=hand_seed)
    session.hand([(x, y, z), far], 6, 90.0, seed=hand_seed)
    session.rest(12)
    session.hand([far, (x, y, z)], 6, 90.0, seed=hand_seed, holds=holds)
    still = [session.hand_at(x, y, z, 90.0, seed=hand_seed, holds=holds)]
    session.rest(12, still)
    session.hand([(x, y, z), far], 6, 90.0, seed=hand_seed, holds=holds)
    session.rest(4)
    if not figure_too:
        return session
    old = session.figures["white"]
    at = session.space(int(rng.integers(1, 24)))
    lifted = float(rng.uniform(8, 60))
    session.put(white=None)

    def figure(hx: float, hy: float, hz: float) -> Held:
        tab, body, casters = session.studio.figure(
            "white", FigureThing(at.x, at.y, at.z + lifted, 4.0, {"lifted": 0.01})
        )
        return tab + body, casters

    session.rest(
        20, [session.hand_at(at.x, at.y - 4, at.z + lifted + 60, 90.0, seed=hand_seed, pose="grip", holds=figure)]
    )
    session.put(white=old)
    session.rest(9)
    return session


CLIPS["unseen_hand"] = clip_unseen_hand


def clip_foreign(seed: int, save: Path | None = None, **how: Any) -> Session:
    """Cards of another deck and codes like ours, partly under fingers and other cards: none of them is ever ours."""
    session, rng = begin(seed, save=save, name="foreign", kind="plain", **how)
    other = "B" if session.studio.setup.deck == "A" else "A"
    names = [str(name) for name in rng.permutation(NAMES)]
    places = spots(session, rng, 4)
    cards = [CardThing(names[n], x, y, float(rng.uniform(0, 360)), deck=other) for n, (x, y) in enumerate(places)]
    session.put(cards)
    session.rest(7)
    # A card face down, and one of ours, across one label each of the foreign ones.
    x, y = cards[0].x, cards[0].y
    across = [
        CardThing(None, x + float(rng.uniform(-45, 45)), y + float(rng.uniform(30, 55)), float(rng.uniform(0, 90)), 0.8)
    ]
    x, y = cards[1].x, cards[1].y
    across.append(
        CardThing(
            names[9], x + float(rng.uniform(20, 50)), y + float(rng.uniform(-50, 50)), float(rng.uniform(0, 360)), 0.8
        )
    )
    session.put([*cards, *across])
    session.rest(10)
    for card in cards[2:]:
        at = (card.x + float(rng.normal(0, 14)), card.y + float(rng.normal(0, 22)), 14.0)
        session.hand([(at[0], at[1] - 340, 70), at], 4, 90.0, seed=int(rng.integers(12)))
        session.rest(8, [session.hand_at(*at, 90.0, seed=int(rng.integers(12)))])
    session.rest(8)
    return session


CLIPS["foreign"] = clip_foreign
