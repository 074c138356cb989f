"""Cases that ask for the eyes' numbers: pictures and places made once, and what is read in them and measured.

Each belongs to rooms of `vision/`. What it tells is counted or measured: ``+`` before a name means that more is better,
``-`` that less is, and ``~`` that neither is. Counts differ if they are not the same, measures from ``SAME`` on.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import cv2
import numpy as np
from bench_held import CARD, HELD, NOISE_PX, Hold
from bench_start import SIX, draw, misplaced, pulled, worst_mm
from card_table import family, labels_of, story
from hard_table import story as hard_story
from hard_table import with_width
from scene_clutter import SceneClutter
from why_cases import KINDS, Clip, Step
from why_cases import start as started
from why_spoil import After, Defocus, Dim, Spoil, Spot
from why_worlds import Simulated, State, World

from engine.rules.track import Side
from engine.table.observation import Why
from tests.tables import TABLE
from tests.vision.board import conftest as seen
from tests.vision.board import test_pose_watch as watching
from vision.board.calibration import SURE_SIDE_PX, Calibration, CalibrationError, calibrate_markers
from vision.board.calibration_text import read_calibration
from vision.board.zones import zones_of
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Camera
from vision.marks.foreign import in_process
from vision.marks.labels import Label, LabelReader
from vision.marks.remnants import search_remnants
from vision.marks.tag_match import match_tags
from vision.marks.work import Work
from vision.printed.card_shape import CardShapes, rectangle_mm
from vision.printed.table import Table
from vision.sights.observe import card_sights, figure_reading, label_place
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, SceneHand, camera_variant, figure_at

SAME: Final = 0.02  # of a measure: what rounding and the order of sums may do is far less
KEPT: Final = Path(__file__).parent / "corpus" / "calibration" / "seed-whole"
Told = dict[str, float]


class Case(NamedTuple):
    """``shown`` makes the pictures, with the eyes as they are; ``told`` says what is read in them."""

    name: str
    rooms: tuple[str, ...]
    shown: Callable[[], Any]
    told: Callable[[Any], Told]


class Shot(NamedTuple):
    """A picture of cards at rest, its camera, and the labels in it: their cards and middles in mm."""

    y: Picture
    camera: Camera
    table: Table
    labels: tuple[tuple[str, tuple[float, float]], ...]


def shots(width: int, strength: str, seeds: Sequence[int], light: float = 1.0) -> list[Shot]:
    """Piles and fans of a family's cards, and somebody else's codes beside them."""
    table, made = with_width(TABLE, width), []
    for seed in seeds:
        camera, rng = camera_variant(table, seed, 1.0), random.Random(seed)
        renderer = Renderer(table, camera, PRESETS[strength], seed)
        deck = family(rng, table.qr_mm)
        scenes = [cards for cards in story(rng, table, deck, 12) if len(cards) > 3]
        for index, cards in enumerate(scenes[-2:]):
            clutter = (SceneClutter("qr", 480.0, -300.0, 9.0 * seed), SceneClutter("coin", 90.0, -80.0))
            other = SceneCard(cards[0].card, 560.0, -250.0, 17.0 * seed, deck="Q")
            scene = Scene((*cards, other), *standing(table), things=clutter, light=light)
            labels = tuple((str(card.card), label.place) for card in cards for label in labels_of(card))
            made.append(Shot(renderer.render(scene, index, index / 8).y, camera, table, labels))
    return made


def standing(table: Table) -> tuple[Any, Any]:
    return figure_at(table, Side.WHITE, 3), figure_at(table, Side.BLACK, 20)


def cards_read(made: Sequence[Shot]) -> Told:
    """Labels read whole and from what is left, how far off, and what that cost."""
    told = defaultdict[str, float](float)
    off_mm = []
    for y, camera, table, labels in made:
        zones = zones_of(Calibration(camera, 0.0, 0.0), table)
        work = Work(in_process)
        reader = LabelReader(work)
        reading = reader.read(y, zones.play_box, zones.module_px)
        given = (y, zones.play_box, camera, table, zones.module_px, reading.labels, reading.unread, reader)
        steps, costs = search_remnants(*given), list[float]()
        while True:
            try:
                costs.append(next(steps))
            except StopIteration as end:
                found = end.value
                break
        told["-work"] += work.spent + sum(costs)
        told["-dearest step"] = max(told["-dearest step"], *costs)
        told["~unread"] += len(reading.unread) + sum(code.label is None for code in found)
        told["+hints"] += sum(code.hint is not None and str(code.hint) in dict(labels) for code in found)
        for label in (*reading.labels, *(code.label for code in found if code.label is not None)):
            at = camera.at_height(label.corners, 0.0).mean(axis=0)
            off = [math.dist(place, at) for name, place in labels if name == str(label.card)]
            if label.deck != table.deck_letter:
                told["~foreign"] += 1
            elif off and min(off) < table.qr_mm:
                told["+read cut" if label.cut else "+read whole"] += 1
                off_mm.append(min(off))
            else:
                told["-wrong"] += 1
    return {**told, "-off mm": float(np.mean(off_mm))}


def tags_found(_: None) -> Told:
    """Fencers' tags, put down somewhat askew, over whose edge paper lies: found where they stand, and elsewhere."""
    told, white = defaultdict[str, float](float), TABLE.fencer_ids.white
    for number in range(40):
        renderer = Renderer(TABLE, camera_variant(TABLE, number, 1.0), PRESETS["hard"], number)
        space, turn_deg = 1 + 3 * number % 23, -12.0 + 5.0 * (number % 6)
        scene = Scene((), replace(figure_at(TABLE, Side.WHITE, space), turn_deg=turn_deg), None)
        y = renderer.render(scene, 0, 0.0).y
        x_mm, y_mm, z_mm = TABLE.tag_mm(space)
        off_mm = TABLE.fencer_size_mm * (0.36 if number % 2 else -1.36)
        paper = rectangle_mm((x_mm + off_mm + TABLE.fencer_size_mm / 2, y_mm), 0.0, TABLE.fencer_size_mm / 2, 20.0)
        corners = renderer.camera.project([(*at, z_mm) for *at, _ in paper])
        cv2.fillConvexPoly(y, np.rint(corners).astype(np.int32), 190)
        for tag in match_tags(y, renderer.camera, TABLE, (white,)):
            right = figure_reading(tag, renderer.camera, TABLE).space == space
            told["+found" if right else "-elsewhere"] += 1
    return {**told}


def starts() -> list[tuple[Any, Table]]:
    """The starting position before many cameras, some with a corner pulled, or a marker laid beside its place."""
    made = []
    for seed in range(14):
        start = draw(seed, SIX if seed % 5 == 4 else TABLE, hide=seed % 2 == 0, tags=seed % 7 != 6)
        table = start.table
        made.append((start, table))
        made.append((pulled(start, seed), table))
        made.append(misplaced(start, seed, table, (8.0, 12.0, 60.0)[seed % 3]))
    return made


def calibrated(made: Sequence[tuple[Any, Table]]) -> Told:
    """How far off the spaces are, are told to be, and how many points were projected for it."""
    told, projected = defaultdict[str, float](float), cv2.projectPoints

    def counted(*given: Any) -> Any:
        told["-projections"] += 1
        return projected(*given)

    for start, table in made:
        with patch.object(cv2, "projectPoints", counted), suppress(CalibrationError):
            found = calibrate_markers([start.markers], table, start.camera.width, start.camera.height)
            off = worst_mm(found, start.camera, start.table)
            told["+calibrated"] += 1
            told["-off mm"] += min(off, 20.0)
            told["-told mm"] += min(found.worst_mm or 0.0, 20.0)
            told["-likely mm"] += min(found.likely_mm or 0.0, 20.0)
            told["-told falsely"] += off > (found.worst_mm or 0.0)
            told["+spaces seen well"] += sum(view.tag_side_px >= SURE_SIDE_PX for view in found.spaces(table))
            told["~used"] += len(found.used)
            told["~left out"] += len(found.left_out)
            told["~focal sd"] += math.sqrt(found.lens.covariance[0, 0])
    return {**told}


def watched(_: None) -> Told:
    """A board at rest, knocked, bumped a little, a hand at a marker, heads gone: when what was known, and how well."""
    camera, told = watching.CAMERA, defaultdict[str, float](float)
    with suppress(CalibrationError):
        told["+files read"] += bool(read_calibration(KEPT.read_bytes()))
    two, four = seen.seen_by(camera, ids=(2, 3)) + seen.tags(camera), seen.seen_by(camera) + seen.tags(camera)
    for seed, by_px in enumerate((1.0, 1.7, 2.5, 4.0, 9.0, 25.0)):
        case = watching.Watched(watching.Shown(seed))

        def shown(seconds: float, markers: Any, *, suspicious: bool = False, case: Any = case) -> None:
            before = case.pose.places
            for _ in range(round(5 * seconds)):
                case.look(0.2, markers, suspicious=suspicious)
                told["-looks until it was where it is"] += case.pose.places == before

        shown(0.2, two)
        told["-off mm at once"] += watching.off_mm(case.pose.calibration, camera)
        shown(5, two)
        told["-off mm of two"] += watching.off_mm(case.pose.calibration, camera)
        shown(15, four)
        told["-off mm of four"] += watching.off_mm(case.pose.calibration, camera)
        shown(3, seen.pulled(four, 3, 1, (6.0, 2.0)), suspicious=True)
        told["-places with a hand"] += case.pose.places
        moved = [each._replace(corners=each.corners + by_px) for each in four]
        shown(2, moved, suspicious=True)
        shown(20, moved)
        told["~handed on"] += case.handed
        told["~places"] += case.pose.places
        told["-parts"] += len(case.finder.parts)
        told["-wholes"] += case.finder.whole
    return {**told}


class Film(NamedTuple):
    """Frames with their times, and of each what lies and stands there, and the reasons that are true if it is asked."""

    frames: list[tuple[float, Picture]]
    truth: list[tuple[frozenset[str], int | None, int | None, tuple[str, ...] | None]]


def trouble(kind: str, seed: int = 3) -> Film:
    """A made trouble of `why_cases.py`."""
    world = Simulated(seed)
    return filmed(world, KINDS[kind](world, random.Random(f"{kind} {seed}")))


def worse(why: Why, spoils: Callable[[World, State], Sequence[Spoil]], seed: int = 3) -> Film:
    """A table at rest that is spoiled a little more from frame to frame, and then a little less."""
    world = Simulated(seed)
    state = started(world, random.Random(seed), 2)
    ways = [None] * 8 + list(spoils(world, state))
    return filmed(world, Clip((why,), [Step(state, spoil, asked=True) for spoil in ways + ways[::-1]]))


def filmed(world: World, made: Clip) -> Film:
    film = Film([], [])
    for index, (state, spoil, asked) in enumerate((step.state, step.spoil, step.asked) for step in made.steps):
        y = world.picture(state, index)
        film.frames.append((index / 10.0, y if spoil is None else spoil(y, index)))
        whys = tuple(why.value for why in made.whys) if asked else None
        film.truth.append((frozenset(card.name for card in state.cards), state.white, state.black, whys))
    return film


def lamps(y: Picture, index: int) -> Picture:
    """The sun comes through a blind, its shadows with sharp edges."""
    rows, columns = np.mgrid[0 : y.shape[0], 0 : y.shape[1]]
    lit = np.where((rows + columns) // 140 % 2, 1.0, 1.4)
    return np.asarray(np.clip(y * (lit if index > 7 else 1.0), 0, 255), dtype=np.uint8)


def lights(world: World, state: State) -> list[Spoil]:
    """A lamp mirrored on a fencer's tag and a card's label, larger after every second frame."""
    assert state.white is not None
    at = world.px([world.table.tag_mm(state.white), (*state.cards[0].labels_mm()[0], 0.0)]).tolist()
    return [After(tuple(Spot((x, y), (size, size), 2.0) for x, y in at)) for size in range(8, 64, 4) for _ in range(2)]


def darker(*_: object) -> list[Spoil]:
    return [Dim(0.5 * 0.8**number, 3.0, 1) for number in range(20)]


def softer(*_: object) -> list[Spoil]:
    return [Defocus(0.3 * number) for number in range(1, 14)]


def drawn(
    scenes: Iterable[Scene], strength: str = "typical", quality: int = 100, seed: int = 3, every_s: float = 0.1
) -> Film:
    """Scenes one after the other; compressed as a webcam does it, under a lamp that flickers, below quality 100."""
    renderer, film = Renderer(TABLE, camera_variant(TABLE, seed, 1.0), PRESETS[strength], seed), Film([], [])
    for index, scene in enumerate(scenes):
        y = renderer.render(scene, index, index * every_s).y
        if quality < 100:
            lit = np.clip(y * (1.0 + 0.012 * math.sin(2.1 * index)), 0, 255).astype(np.uint8)
            coded = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
            y = np.asarray(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
        film.frames.append((index * every_s, y))
        film.truth.append((frozenset(str(card.card) for card in scene.cards), None, None, None))
    return film


def rests(of: int) -> Iterator[Scene]:
    """A table at rest: each of some piles and fans of a family's cards for half a second."""
    rng = random.Random(of)
    for cards in story(rng, TABLE, family(rng, TABLE.qr_mm), 10):
        yield from [Scene(cards, *standing(TABLE))] * 6


def lamp() -> Iterator[Scene]:
    """A lamp is switched off and on while cards lie there."""
    for light in [1.0] * 12 + [0.55] * 10 + [0.9] * 10 + [0.12] * 8:
        yield replace([*rests(1)][-1], light=light)


def arms(first: int, away: int, again: int) -> Iterator[Scene]:
    """A hand that is there in the first frames, is away, and comes again."""
    scene = [*rests(1)][-1]
    hand = SceneHand(Side.WHITE, 200.0, -60.0, height_mm=20.0)
    for many, hands in ((first, (hand,)), (away, ()), (again, (hand,)), (away, ())):
        yield from [replace(scene, hands=hands)] * many


def pushed() -> Iterator[Scene]:
    """A card and a fencer that lie and stand still, then a few millimetres farther, and so on."""
    card, (white, black) = next(rests(1)).cards[0], standing(TABLE)
    for by_mm in (0.0, 3.0, 6.0, 10.0, 15.0, 25.0):
        moved = Scene((replace(card, x_mm=card.x_mm + by_mm),), replace(white, x_mm=white.x_mm + by_mm / 2), black)
        yield from [moved] * 8


def held(_: None) -> Told:
    """Cards in a hand, lying and bent, each second printed to fit a page: in how many looks they pass for level."""
    told, rng, shapes = defaultdict[str, float](float), np.random.default_rng(1), CardShapes.of(TABLE)
    for name, how in HELD.items():
        for number in range(60):
            printed = replace(TABLE, qr_mm=TABLE.qr_mm * (1.0 - 0.03 * (number % 2)))
            camera, hold = camera_variant(TABLE, number % 6, 1.0), Hold(how, rng, printed)
            for labels in [hold.labels() for _ in range(4)]:
                shown = [camera.project(label) + rng.normal(0.0, NOISE_PX, (4, 2)) for label in labels]
                places = (label_place(Label(TABLE.deck_letter, CARD, corners), camera, TABLE) for corners in shown)
                level = [sight.is_level for sight in card_sights(filter(None, places), shapes)]
                told[("+" if name.startswith("lying") else "-") + name] += sum(level)
    return {**told}


def looked(film: Film) -> Told:
    """What the frames agree on, held against the truth, and what they cost."""
    eyes, told, places = Eyes(TABLE), defaultdict[str, float](float), set[tuple[float, float]]()
    for index, ((t_s, y), (cards, white, black, whys)) in enumerate(zip(film.frames, film.truth, strict=True)):
        look = eyes.look(Frame(index, t_s, y))
        seen, why = look.table, look.table.why and look.table.why.value
        held = {str(card.card) for card in seen.cards}
        places |= {(card.x_mm, card.y_mm) for card in seen.cards}
        told["+cards"] += len(held & cards)
        told["-cards wrong"] += len(held - cards)
        for space, true in ((seen.figures.white.space, white), (seen.figures.black.space, black)):
            told["~standing"] += space is not None
            told["+figures"] += space is not None and space == true
            told["-figures wrong"] += space is not None and true is not None and space != true
        told["+steady"] += why is None
        told["+reasons"] += whys is not None and why in whys
        told["-reasons false"] += whys is not None and why is not None and why not in whys
        told["~doubts"] += len(seen.unread) + len(seen.glimpsed)
        told["~arms"] += look.arm is not None
        told["-work"] += eyes._work.spent
    return {**told, "~places": float(len(places))}


SEEING: Final = ("agree", "belief", "cells", "change", "reading", "sights")
"""Rooms that tell something only of frames one after the other."""
BLIND: Final = ("defocus_first", "glare_new", "glare_known", "dim", "dark_first", "smear")
CASES: Final = (
    Case("near piles", ("marks",), lambda: shots(2304, "typical", range(4)), cards_read),
    Case("far piles", ("marks",), lambda: shots(1440, "typical", range(4, 8)), cards_read),
    Case("hard piles", ("marks",), lambda: shots(1900, "hard", range(8, 14)), cards_read),
    Case("worn piles", ("marks",), lambda: shots(1560, "hard", range(14, 26)), cards_read),
    Case("covered tags", ("marks",), lambda: None, tags_found),
    Case("starts", ("board",), starts, calibrated),
    Case("board", ("board",), lambda: None, watched),
    Case("lamp", SEEING, lambda: drawn(lamp()), looked),
    Case("held", ("sights",), lambda: None, held),
    Case("pushed", SEEING, lambda: drawn(pushed()), looked),
    Case("rests", SEEING, lambda: drawn(rests(2)), looked),
    Case("hard light", (*SEEING, "marks"), lambda: drawn(islice(hard_story(TABLE, 3), 70), "hard"), looked),
    *(Case(kind, SEEING, partial(trouble, kind), looked) for kind in ("hand", "moved", "lifted")),
    Case("JPEG 8", ("change",), lambda: drawn(lamp(), quality=8), looked),
    Case("arm first", ("change",), lambda: drawn(arms(6, 8, 6), "hard"), looked),
    Case("arm left", ("belief", "change"), lambda: drawn(arms(0, 3, 30), every_s=1.0), looked),
    Case("other lamps", ("change",), lambda: worse(Why.HAND, lambda *_: [lamps] * 16), looked),
    Case("hand that stays", ("change",), lambda: drawn(arms(0, 8, 50), "hard"), looked),
    Case("JPEG 5", ("change",), lambda: drawn(lamp(), quality=5), looked),
    Case("less light", ("why",), lambda: worse(Why.DARK, darker), looked),
    Case("out of focus", ("why",), lambda: worse(Why.BLUR, softer), looked),
    Case("more glare", ("why",), lambda: worse(Why.GLARE, lights), looked),
    *(Case(kind, ("why",), partial(trouble, kind), looked) for kind in BLIND),
)
