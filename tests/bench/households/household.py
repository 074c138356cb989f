"""A household from a seed: where its camera hangs, how its cards and labels are, what its people do besides playing.

Every topic is drawn by dice of its own, so that another draw in one leaves all others as they were.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide
from firmware.tools.guide import ABOVE, PLAYERS, Mounting, heights
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import Table, load_table

TABLE_FILE: Final = Path(__file__).parents[3] / "hardware" / "table.toml"
PRINTED: Final = load_table(TABLE_FILE)
"""The table as its file says it: what the referee is told, but for the camera."""

Label = tuple[float, float, float]
Bgr = tuple[float, float, float]
_SKINS: Final[Sequence[Bgr]] = (
    (120, 150, 205),
    (150, 178, 228),
    (70, 98, 150),
    (48, 66, 100),
    (100, 128, 190),
    (34, 46, 70),
)
_SLEEVES: Final[Sequence[Bgr | None]] = (
    None,
    None,
    (34, 30, 30),
    (228, 230, 232),
    (130, 90, 60),
    (40, 40, 170),
    (90, 120, 60),
)
_WEIGHTS: Final = {
    "Camera Module 3": 10,
    "Camera Module 3 Wide": 4,
    "HQ Camera, 6 mm lens": 3,
    "HQ Camera, 4 mm lens": 2,
    "Camera Module 2, whole sensor": 1,
}


@dataclass(frozen=True, slots=True)
class View:
    """A camera as it really hangs. ``bend``: k1 k2 k3 p1 p2; ``middle_off_px``: of the picture's middle."""

    position_mm: tuple[float, float, float]
    target_mm: tuple[float, float, float]
    roll_deg: float
    hfov_deg: float
    bend: tuple[float, float, float, float, float]
    middle_off_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Person:
    """A player's hands: skin and sleeve (None: bare), a ring, how the arm comes in, how tall the figure is.

    ``cloth_sleeve``: the sleeve has the colour of what lies on the table.
    """

    skin: Bgr
    sleeve: Bgr | None
    cloth_sleeve: bool
    ring: bool
    towards_deg: float
    figure_mm: float


@dataclass(frozen=True, slots=True)
class Cards:
    """The deck: size, the labels' margin as meant, how far off they are stuck, sleeves that shine, bent cards."""

    size_mm: tuple[float, float]
    margin_mm: float
    label_off_mm: float
    label_off_deg: float
    upside_down: float
    sleeve: float
    bent: float
    told: bool

    def labels(self, rng: random.Random) -> tuple[Label, Label]:
        """Where both labels of one card lie: from its left and top edge, and how far turned."""
        return self._label(rng), self._label(rng)

    def _label(self, rng: random.Random) -> Label:
        off, way = self.label_off_mm * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        turn_deg = rng.uniform(-1.0, 1.0) * self.label_off_deg
        if rng.random() < self.upside_down:
            turn_deg += 180.0
        most = [side - PRINTED.qr_mm - 2.0 for side in self.size_mm]
        x, y = self.margin_mm + off * math.cos(way), self.margin_mm + off * math.sin(way)
        return min(max(x, 2.0), most[0]), min(max(y, 2.0), most[1]), turn_deg


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happens besides: at the start (in frames), at which turn of the sitting, and how often a turn is spoiled."""

    hand_frames: int
    hand_at: str
    box_frames: int
    box_on: int
    dark_frames: int
    bump_turn: int | None
    bump_deg: float
    lamp_turns: tuple[int, ...]
    leaning: float
    sloppy: float
    illegal: float


@dataclass(frozen=True, slots=True)
class Household:
    """Everything that one sitting is made of. The same seed gives the same household."""

    seed: int
    module: CameraModule
    mounting: str
    view: View
    bumped: View
    hfov_told_deg: float
    calibrated: bool
    top: str
    mat: bool
    print_scale: float
    sheet_scaled: bool
    corner_off_mm: tuple[int, float, float]
    people: BySide[Person]
    cards: Cards
    trouble: Trouble
    piled: bool
    rules: str

    def told(self) -> str:
        """The table file of this household, as text: as printed, with the camera's own section."""
        kept = TABLE_FILE.read_text(encoding="utf-8").split("[camera]")[0]
        if self.cards.told:
            width, height = self.cards.size_mm
            own = f"\nsize_mm = [{width}, {height}]\nlabel_mm = [{self.cards.margin_mm}, {self.cards.margin_mm}]"
            kept = kept.replace("[cards]", "[cards]" + own, 1)
        camera = f"width = {self.module.width}\nheight = {self.module.height}\nhfov_deg = {self.hfov_told_deg}\n"
        return f"{kept}[camera]\n{camera}"

    def __str__(self) -> str:
        cards, trouble = self.cards, self.trouble
        width, height = cards.size_mm
        said = [
            f"{self.module.name} {self.mounting} at {self.view.position_mm[2]:.0f} mm",
            "calibrated" if self.calibrated else "not calibrated",
            f"field told {self.hfov_told_deg / self.view.hfov_deg - 1:+.1%}",
            f"{self.top}{' with a mat' if self.mat else ''}",
            f"cards {width:.0f} x {height:.0f}{' told' if cards.told else ''} margin {cards.margin_mm:.1f} "
            f"off {cards.label_off_mm:.1f} mm {cards.label_off_deg:.1f} deg",
            f"print {self.print_scale:.1%}{' all' if self.sheet_scaled else ''}",
            f"marker {self.corner_off_mm[0]} off {math.hypot(*self.corner_off_mm[1:]):.1f} mm",
            f"figures {self.people.white.figure_mm:.0f} {self.people.black.figure_mm:.0f} mm",
            "piled" if self.piled else "spread",
        ]
        said += [f"{cards.upside_down:.0%} of labels upside down"] if cards.upside_down else []
        said += [f"hand first {trouble.hand_frames} at {trouble.hand_at}"] if trouble.hand_frames else []
        said += [f"box on {trouble.box_on} first {trouble.box_frames}"] if trouble.box_frames else []
        said += [f"dark first {trouble.dark_frames}"] if trouble.dark_frames else []
        said += [f"bump at {trouble.bump_turn} by {trouble.bump_deg:.1f} deg"] if trouble.bump_turn is not None else []
        said += [f"lamps at {' '.join(map(str, trouble.lamp_turns))}"] if trouble.lamp_turns else []
        said += ["leaning"] if trouble.leaning else []
        return ", ".join(said)


def household(seed: int, tops: Sequence[str]) -> Household:
    """The household of this seed; ``tops`` are the table tops there are."""

    def dice(topic: str) -> random.Random:
        return random.Random(f"household {seed} {topic}")

    rng = dice("camera")
    module, mounting, view = _camera(rng)
    bump_deg = rng.uniform(0.2, 1.6)
    rest = dice("rest")
    scale = dice("print")
    corner = dice("corner")
    off, way = corner.uniform(0.5, 5.0) * (corner.random() < 0.4), corner.uniform(0, 2 * math.pi)
    return Household(
        seed=seed,
        module=module,
        mounting=mounting.name,
        view=view,
        bumped=_nudged(view, bump_deg, dice("bump")),
        hfov_told_deg=round(module.hfov_deg * (1 + rng.gauss(0.0, 0.015)), 2),
        calibrated=rng.random() < 0.35,
        top=rest.choice(list(tops)),
        mat=rest.random() < 0.3,
        print_scale=scale.choice((1.0, round(scale.uniform(0.97, 1.03), 4))),
        sheet_scaled=scale.random() < 0.5,
        corner_off_mm=(corner.randrange(4), round(off * math.cos(way), 2), round(off * math.sin(way), 2)),
        people=BySide(_person(dice("white"), 1), _person(dice("black"), -1)),
        cards=_cards(dice("cards")),
        trouble=_trouble(dice("trouble"), bump_deg),
        piled=rest.random() < 0.6,
        rules=rest.choice(sorted(RULE_SETS)),
    )


def true_table(home: Household) -> Table:
    """The table as it really came out of the printer and onto the board."""
    scale = home.print_scale
    board = scale if home.sheet_scaled else 1.0
    number, dx, dy = home.corner_off_mm
    table = PRINTED
    return replace(
        table,
        board_size_mm=table.board_size_mm * scale,
        fencer_size_mm=table.fencer_size_mm * scale,
        fencer_offset_mm=table.fencer_offset_mm,
        qr_mm=table.qr_mm * scale,
        spaces_mm=tuple(place._replace(x=place.x * board, y=place.y * board) for place in table.spaces_mm),
        corners=tuple(
            corner._replace(x=corner.x * board + dx * (k == number), y=corner.y * board + dy * (k == number))
            for k, corner in enumerate(table.corners)
        ),
    )


def _camera(rng: random.Random) -> tuple[CameraModule, Mounting, View]:
    by_name = {module.name: module for module in MODULES}
    places = [
        (by_name[name], mounting, weight)
        for name, weight in _WEIGHTS.items()
        for mounting in (ABOVE, PLAYERS)
        if heights(by_name[name], mounting, PRINTED)[1] is not None
    ]
    module, mounting, _ = rng.choices(places, [weight for _, _, weight in places])[0]
    lowest, highest = heights(module, mounting, PRINTED)
    assert highest is not None
    height_mm = rng.uniform(lowest.height_mm, highest.height_mm)
    wide = module.hfov_deg > 90
    bend = (
        rng.uniform(-0.06, 0.02) if wide else rng.gauss(0.0, 0.03),
        rng.uniform(-0.01, 0.012) if wide else rng.gauss(0.0, 0.01),
        0.0,
        rng.gauss(0.0, 3e-4),
        rng.gauss(0.0, 3e-4),
    )
    middle = (rng.gauss(0.0, 5.0), rng.gauss(0.0, 5.0))
    hfov_deg = module.hfov_deg * (1 + rng.gauss(0.0, 0.005))
    jitter = [rng.gauss(0.0, sd) for sd in (10.0, 10.0, 0.0, 8.0, 8.0)]
    roll_deg = rng.gauss(0.0, 1.2)
    (x, y, z), (tx, ty, _) = mounting.place(PRINTED, height_mm)
    view = View(
        (x + jitter[0], y + jitter[1], z), (tx + jitter[3], ty + jitter[4], 0.0), roll_deg, hfov_deg, bend, middle
    )
    return module, mounting, view


def _nudged(view: View, by_deg: float, rng: random.Random) -> View:
    x, y, z = view.position_mm
    tx, ty, tz = view.target_mm
    reach_mm, way = math.dist(view.position_mm, view.target_mm) * math.radians(by_deg), rng.uniform(0, 2 * math.pi)
    target = (tx + reach_mm * math.cos(way), ty + reach_mm * math.sin(way), tz)
    position = (x + rng.gauss(0.0, 2.0), y + rng.gauss(0.0, 2.0), z + rng.gauss(0.0, 1.0))
    return View(position, target, view.roll_deg + rng.gauss(0.0, 0.3), view.hfov_deg, view.bend, view.middle_off_px)


def _person(rng: random.Random, side: int) -> Person:
    return Person(
        skin=rng.choice(_SKINS),
        sleeve=rng.choice(_SLEEVES),
        cloth_sleeve=rng.random() < 0.2,
        ring=rng.random() < 0.35,
        towards_deg=90.0 - side * rng.uniform(-8.0, 28.0),
        figure_mm=rng.uniform(40.0, 80.0),
    )


def _cards(rng: random.Random) -> Cards:
    width = rng.uniform(44.0, 70.0)
    width = rng.choice((width, width, 57.0, 63.0))
    height = {57.0: 88.0, 63.0: 88.0}.get(width, min(max(width * rng.uniform(1.38, 1.6), 64.0), 112.0))
    return Cards(
        size_mm=(round(width, 1), round(height, 1)),
        margin_mm=round(rng.uniform(4.0, min(8.0, width - 31.0, height / 2 - 26.0)), 1),
        label_off_mm=rng.choice((0.5, 1.0, rng.uniform(0.0, 4.0))),
        label_off_deg=rng.choice((1.0, rng.uniform(0.0, 4.0))),
        upside_down=0.08 if rng.random() < 0.15 else 0.0,
        sleeve=rng.choice((0.0, 0.0, 0.0, 0.5, 1.0, 2.0)),
        bent=rng.choice((0.0, 0.0, 0.3)),
        told=rng.random() < 0.25,
    )


def _trouble(rng: random.Random, bump_deg: float) -> Trouble:
    first = rng.random()
    return Trouble(
        hand_frames=rng.choice((1, 2, 6, 20, rng.randint(1, 50))) if first < 0.4 else 0,
        hand_at=rng.choice(("white", "black", "marker 3", "marker 2", "cards", "middle")),
        box_frames=rng.randint(3, 40) if 0.4 <= first < 0.5 else 0,
        box_on=rng.randrange(4),
        dark_frames=rng.randint(3, 20) if 0.5 <= first < 0.6 else 0,
        bump_turn=rng.randint(1, 9) if rng.random() < 0.35 else None,
        bump_deg=bump_deg,
        lamp_turns=tuple(sorted(rng.sample(range(1, 12), rng.randint(1, 3)))) if rng.random() < 0.4 else (),
        leaning=rng.choice((0.0, 0.0, 0.0, 0.4)),
        sloppy=rng.choice((0.0, 0.15, 0.5)),
        illegal=rng.choice((0.0, 0.1, 0.2)),
    )
