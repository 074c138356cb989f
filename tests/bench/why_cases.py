"""Made troubles, each a short clip by seed: a table at rest, then what keeps it from being seen, then not any more."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from why_spoil import After, Bump, Defocus, Dim, Smear, Spoil, Spot, Things, gone
from why_worlds import Lying, Pixels, State, World

from engine.table.observation import Why

REST, TROUBLE, AWAY = 12, 16, 16
FIRST_LOOKS = 9


@dataclass(frozen=True)
class Step:
    """One frame: what is there, how its picture is spoiled, and whether the why is asked for."""

    state: State
    spoil: Spoil | None = None
    asked: bool = False


@dataclass
class Clip:
    """Frames and the whys that are true in those asked for.

    ``harmless``: where all cards are read all the same, there is nothing to name. ``brief``: the trouble ends by
    itself, as when a bumped camera is understood: what is named until then counts.
    """

    whys: tuple[Why, ...]
    steps: list[Step] = field(default_factory=list)
    harmless: bool = False
    brief: bool = False


Made = Callable[[World, random.Random], Clip]
_NAMES = [f"{value}{letter}" for value in range(1, 6) for letter in "abcde"]


def start(world: World, rng: random.Random, cards: int | None = None) -> State:
    """Some cards apart from each other, both fencers somewhere."""
    if world.fixed is not None:
        return world.fixed
    area, lying = world.table.play_area, list[Lying]()
    names = rng.sample(_NAMES, 25)
    for _ in range(rng.randrange(1, 4) if cards is None else cards):
        for _ in range(200):
            x, y = rng.uniform(area.x0 + 55, area.x1 - 55), rng.uniform(area.y0 + 55, area.y1 - 55)
            if all(math.dist((x, y), (one.x_mm, one.y_mm)) > 112 for one in lying):
                lying.append(Lying(names.pop(), x, y, rng.choice((rng.gauss(0, 8), rng.uniform(0, 360)))))
                break
    white = rng.randrange(2, 12)
    return State(tuple(lying), white, rng.randrange(white + 3, 23))


def _over(world: World, x_mm: float, y_mm: float, size_mm: float, strength: float, z_mm: float = 0.0) -> Spot:
    here, right, far = world.px([(x_mm, y_mm, z_mm), (x_mm + size_mm, y_mm, z_mm), (x_mm, y_mm + size_mm, z_mm)])
    half = (float(np.linalg.norm(right - here)), float(np.linalg.norm(far - here)))
    return Spot((float(here[0]), float(here[1])), half, strength)


def _clip(whys: tuple[Why, ...], state: State, spoil: Spoil | None, during: State | None = None, **how: bool) -> Clip:
    """At rest, then spoiled, then at rest again."""
    during = during or state
    steps = [Step(state)] * REST
    steps += [Step(during, spoil, asked=number >= 5) for number in range(TROUBLE)]
    return Clip(whys, [*steps, *[Step(state)] * AWAY], **how)


def _from_the_start(clip: Clip) -> Clip:
    """Without the rest before. What is seen first is looked at twice, which takes most of a second, in any light."""
    steps = clip.steps[REST:]
    return replace(clip, steps=[replace(step, asked=step.asked and n >= FIRST_LOOKS) for n, step in enumerate(steps)])


def _laying(world: World, state: State, card: Lying, spoil: Spoil | None) -> list[Step]:
    """A hand brings a card, which lies there from then on."""
    steps = []
    for part in (0.3, 0.65, 1.0):
        at = (card.x_mm, card.y_mm - 60 - 250 * (1 - part))
        steps.append(Step(replace(state, hand=at), spoil))
    after = replace(state, cards=(*state.cards, card))
    for part in (1.0, 0.5, 0.2):
        at = (card.x_mm, card.y_mm - 60 - 250 * (1 - part))
        steps.append(Step(replace(after, hand=at), spoil))
    return steps


def hand(world: World, rng: random.Random) -> Clip:
    state = start(world, rng)
    area = world.table.play_area
    on_track = rng.random() < 0.3
    x, y = rng.uniform(area.x0 + 40, area.x1 - 40), -20.0 if on_track else rng.uniform(area.y0 + 60, area.y1)
    steps = [Step(state)] * REST
    steps += [Step(replace(state, hand=(x, y - 300 * (1 - part)))) for part in (0.3, 0.6, 0.85)]
    steps += [Step(replace(state, hand=(x, y)), asked=True)] * TROUBLE
    steps += [Step(replace(state, hand=(x, y - 300 * (1 - part)))) for part in (0.8, 0.5, 0.2)]
    return Clip((Why.HAND,), [*steps, *[Step(state)] * AWAY])


def _dim(rng: random.Random, low: float, high: float) -> Dim:
    return Dim(math.exp(rng.uniform(math.log(low), math.log(high))), rng.uniform(0.15, 0.5), rng.randrange(1000))


def dark(world: World, rng: random.Random) -> Clip:
    return _clip((Why.DARK,), start(world, rng), _dim(rng, 0.0002, 0.004))


def dark_first(world: World, rng: random.Random) -> Clip:
    return _from_the_start(_clip((Why.DARK,), start(world, rng), _dim(rng, 0.0002, 0.004)))


def dim(world: World, rng: random.Random) -> Clip:
    """Too little light to read labels by, not yet black."""
    return _clip((Why.DARK,), start(world, rng), _dim(rng, 0.004, 0.02), harmless=True)


def dim_first(world: World, rng: random.Random) -> Clip:
    return _from_the_start(_clip((Why.DARK,), start(world, rng), _dim(rng, 0.004, 0.02), harmless=True))


def _label_burnt(world: World, rng: random.Random, card: Lying, both: bool) -> Spoil:
    spots = [
        _over(world, x + rng.uniform(-3, 3), y + rng.uniform(-3, 3), rng.uniform(15, 24), rng.uniform(1.2, 4.0))
        for x, y in (card.labels_mm() if both else card.labels_mm()[:1])
    ]
    return After(tuple(spots))


def glare_known(world: World, rng: random.Random) -> Clip:
    """Over both labels of a card that lies there."""
    state = start(world, rng)
    return _clip((Why.GLARE,), state, _label_burnt(world, rng, rng.choice(state.cards), both=True))


def glare_one(world: World, rng: random.Random) -> Clip:
    """Over one label of a card whose other one is plain."""
    state = start(world, rng)
    return _clip((Why.GLARE,), state, _label_burnt(world, rng, rng.choice(state.cards), both=False), harmless=True)


def glare_half(world: World, rng: random.Random) -> Clip:
    """Over the one label that another card left of a card."""
    area = world.table.play_area
    while True:
        state = start(world, rng, 1)
        lower = state.cards[0]
        x, y = lower.labels_mm()[1]
        # The upper one must lie clear of the fencers' tags as well.
        if area.holds(2 * x - lower.x_mm, 2 * y - lower.y_mm) and 2 * y - lower.y_mm < area.y1 - 55:
            break
    names = [name for name in _NAMES if name != lower.name]
    upper = Lying(rng.choice(names), 2 * x - lower.x_mm, 2 * y - lower.y_mm, lower.turn_deg + rng.gauss(0, 6))
    both = replace(state, cards=(lower, upper))
    steps = [Step(state)] * 6 + _laying(world, state, upper, None)
    clip = _clip((Why.GLARE,), both, _label_burnt(world, rng, lower, both=False))
    return replace(clip, steps=steps + clip.steps)


def glare_first(world: World, rng: random.Random) -> Clip:
    state = start(world, rng)
    spoil = _label_burnt(world, rng, rng.choice(state.cards), both=True)
    return _from_the_start(_clip((Why.GLARE,), state, spoil))


def glare_new(world: World, rng: random.Random) -> Clip:
    """A card laid right into the glare: both of its labels are burnt out, or all of it."""
    state = start(world, rng, rng.randrange(0, 2))
    area = world.table.play_area
    while True:
        x, y = rng.uniform(area.x0 + 55, area.x1 - 55), rng.uniform(area.y0 + 55, area.y1 - 55)
        if all(math.dist((x, y), (one.x_mm, one.y_mm)) > 112 for one in state.cards):
            break
    name = next(name for name in _NAMES if all(name != one.name for one in state.cards))
    card = Lying(name, x, y, rng.gauss(0, 10))
    spoil: Spoil = _label_burnt(world, rng, card, both=True)
    if rng.random() < 0.4:
        spoil = _over(world, x, y, rng.uniform(42, 60), rng.uniform(0.9, 2.0))
    there = rng.random() < 0.5  # the table shines as well, before the card comes
    after = replace(state, cards=(*state.cards, card))
    steps = [Step(state, spoil if there else None)] * REST + _laying(world, state, card, spoil)
    steps += [Step(after, spoil, asked=number >= 5) for number in range(TROUBLE)]
    return Clip((Why.GLARE,), [*steps, *[Step(after)] * AWAY])


def _tag_px(world: World, state: State, rng: random.Random) -> tuple[float, float, float]:
    space = rng.choice([space for space in (state.white, state.black) if space is not None])
    tag = world.table.tag_mm(space)
    return tag[0], tag[1], tag[2]


def glare_tag(world: World, rng: random.Random) -> Clip:
    state = start(world, rng)
    x, y, z = _tag_px(world, state, rng)
    return _clip((Why.GLARE,), state, _over(world, x, y, rng.uniform(11, 24), rng.uniform(1.5, 4.0), z))


def glare_markers(world: World, rng: random.Random) -> Clip:
    """Over every corner marker."""
    spots = [_over(world, c.x, c.y, rng.uniform(17, 30), rng.uniform(1.5, 4.0), c.z) for c in world.table.corners]
    return _clip((Why.GLARE,), start(world, rng), After(tuple(spots)))


def smear(world: World, rng: random.Random) -> Clip:
    return _clip((Why.BLUR,), start(world, rng), Smear(rng.uniform(3, 8), rng.uniform(0, 180)), harmless=True)


def smear_first(world: World, rng: random.Random) -> Clip:
    clip = _clip((Why.BLUR,), start(world, rng), Smear(rng.uniform(4, 9), rng.uniform(0, 180)), harmless=True)
    return _from_the_start(clip)


def defocus(world: World, rng: random.Random) -> Clip:
    return _clip((Why.BLUR,), start(world, rng), Defocus(rng.uniform(2, 9)), harmless=True)


def defocus_first(world: World, rng: random.Random) -> Clip:
    return _from_the_start(_clip((Why.BLUR,), start(world, rng), Defocus(rng.uniform(2, 9)), harmless=True))


def moved(world: World, rng: random.Random) -> Clip:
    """The camera is bumped and stays so."""
    state = start(world, rng)
    far = rng.choice((-1, 1)) * rng.uniform(8, 60), rng.choice((-1, 1)) * rng.uniform(6, 40)
    bump = Bump(*far, rng.uniform(-1.5, 1.5))
    steps = [Step(state)] * REST + [Step(state, bump, asked=True)] * (TROUBLE + AWAY)
    return Clip((Why.MOVED,), steps, brief=True)


def moving(world: World, rng: random.Random) -> Clip:
    """The camera goes on moving."""
    state = start(world, rng)
    step = rng.choice((-1, 1)) * rng.uniform(4, 9), rng.uniform(-6, 6)
    ways = [*range(8), *range(8, 0, -1)]
    steps = [Step(state)] * REST
    steps += [Step(state, Bump(n * step[0], n * step[1], 0.1 * n), asked=n > 1) for n in ways]
    return Clip((Why.MOVED,), [*steps, *[Step(state)] * AWAY])


def _outlines(world: World, mm: list[tuple[float, float, float]], half_mm: float, rng: random.Random) -> list[Pixels]:
    found = []
    for x, y, z in mm:
        turn = rng.uniform(0, math.pi / 2)
        corners = [
            (x + half_mm * math.cos(turn + n * math.pi / 2), y + half_mm * math.sin(turn + n * math.pi / 2), z)
            for n in range(4)
        ]
        found.append(world.px(corners))
    return found


def _mean(world: World, state: State) -> float:
    return float(world.picture(state, 0).mean())


def lost(world: World, rng: random.Random) -> Clip:
    """Something lies on every corner marker."""
    corners = [(c.x, c.y, c.z) for c in world.table.corners]
    outlines, grey, seed = tuple(_outlines(world, corners, 34, rng)), rng.uniform(40, 230), rng.randrange(1000)
    state = start(world, rng)
    return _clip((Why.BOARD_LOST,), state, Things(outlines, grey, seed, _mean(world, state)))


def lost_away(world: World, rng: random.Random) -> Clip:
    """The camera looks somewhere else, or something large stands before it."""
    wide = np.array([[-9, -9], [2400, -9], [2400, 1400], [-9, 1400]], float)
    state = start(world, rng)
    things = Things((wide,), rng.uniform(90, 200), rng.randrange(1000), _mean(world, state))
    return _clip((Why.BOARD_LOST,), state, things)


def lost_first(world: World, rng: random.Random) -> Clip:
    return _from_the_start(lost(world, rng))


def hidden(world: World, rng: random.Random) -> Clip:
    """Something lies on a fencer's tag."""
    state = start(world, rng)
    tag = _tag_px(world, state, rng)
    outlines, grey = tuple(_outlines(world, [tag], rng.uniform(18, 26), rng)), rng.uniform(30, 225)
    return _clip((Why.TAG_HIDDEN,), state, Things(outlines, grey, rng.randrange(1000), _mean(world, state)))


def lifted(world: World, rng: random.Random) -> Clip:
    """A fencer is taken off the table."""
    state = start(world, rng)
    side = rng.choice(("white", "black"))
    space = state.white if side == "white" else state.black
    assert space is not None
    x = world.table.space_mm(space).x
    off = replace(state, white=None) if side == "white" else replace(state, black=None)
    steps = [Step(state)] * REST
    steps += [Step(replace(state, hand=(x, -10 - 300 * (1 - part)))) for part in (0.3, 0.65, 1.0)]
    steps += [Step(replace(off, hand=(x, -10 - 300 * (1 - part)))) for part in (0.7, 0.3)]
    steps += [Step(off, asked=number >= 5) for number in range(TROUBLE + 8)]
    return Clip((Why.TAG_HIDDEN,), [*steps, *[Step(state)] * AWAY])


def camera(world: World, rng: random.Random) -> Clip:
    return _clip((Why.CAMERA_LOST,), start(world, rng), gone)


WITH_HANDS: dict[str, Made] = {"hand": hand, "glare_new": glare_new, "glare_half": glare_half, "lifted": lifted}
ALONE: dict[str, Made] = {
    "dark": dark,
    "dark_first": dark_first,
    "dim": dim,
    "dim_first": dim_first,
    "glare_known": glare_known,
    "glare_one": glare_one,
    "glare_first": glare_first,
    "glare_tag": glare_tag,
    "glare_markers": glare_markers,
    "smear": smear,
    "smear_first": smear_first,
    "defocus": defocus,
    "defocus_first": defocus_first,
    "moved": moved,
    "moving": moving,
    "lost": lost,
    "lost_away": lost_away,
    "lost_first": lost_first,
    "hidden": hidden,
    "camera": camera,
}
KINDS: dict[str, Made] = {**WITH_HANDS, **ALONE}
