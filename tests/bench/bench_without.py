"""What each mechanism of the eyes is worth: every one switched off in turn, over the same films and households.

    PYTHONPATH=. .venv/bin/python tests/bench/bench_without.py --film FOLDER            # the whole table
    PYTHONPATH=. .venv/bin/python tests/bench/bench_without.py --film FOLDER --only arm "gate: bands" --households 6

The whole table, two of the film's variants with rests cut to 2.4 s and three households of each renderer without each
of the mechanisms, takes about 20 minutes on two quiet cores: 70 s of one core for each of 33 rows.

A film is a folder as the path tracer's `film` writes it (`film.json`, `light/`, `dark/`, `truth/`). Its variants: as
it is; an arm over the board in the first second or the first six frames; in little light; on a chequered cloth,
with and without the arm. The cloth is drawn over the table where no card lies, from the film's own truth and lens.

The mechanisms are switched off from outside, by the flat list below: the product knows no such switch. A row says what
became of it: turns ruled as they were played, rulings that were wrong, cards held where cards lay at each rest's end,
rests that ended with a trouble told although nothing was in the way. The last figures stand in
`vision/WITHOUT.md`.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import cv2
import numpy as np
from bench_households import one as one_household
from households.refereed import NoJournal
from households.tally import Fate
from households.traced import TracedWorld

from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Entry, Settings
from engine.table.observation import Sight
from engine.table.presses import Button, Press
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.printed.table import load_table

ROOT: Final = Path(__file__).parents[2]
FPS: Final = 5.0
ARM_LEVELS: Final = 8
"""Where a picture with an arm differs by so many grey levels from the one without, the cloth is not seen."""


def give(value: Any) -> Callable[..., Any]:
    """A function that gives this value, whatever it is asked."""
    return lambda *_args, **_named: value


def no_cells(of: int) -> Callable[..., Any]:
    """A function that gives a mask without any cell, as large as its argument of this number."""
    return lambda *args, **_named: np.zeros(args[of].shape, np.uint8)


def no_known_cards(*given: Any) -> Any:
    """No cell is a card's."""
    return np.zeros(given[-1], np.uint8)


def all_uneven(_y: Picture, cells: tuple[slice, slice], _side: int, **_named: object) -> Any:
    """A code may be anywhere."""
    return np.ones([part.stop - part.start for part in cells], np.uint8)


Switch = tuple[str, str, Callable[[], Any]]
"""Module and class, attribute, and what stands in for it."""
SWITCHES: Final[dict[str, tuple[Switch, ...]]] = {
    "nothing": (),
    # change
    "arm": (("change.arm.ArmWatch", "look", lambda: no_cells(1)),),
    "arm: outline": (("change.outline", "outline", lambda: give(1.0)),),
    "arm: what is around it": (("change.outline", "stands_out", lambda: give(1.0)),),
    "arm: same surface": (("change.outline", "correlation", lambda: give(0.0)),),
    "arm: other lamps": (("change.arm", "lamps_changed", lambda: give(False)),),
    "arm: bare ground": (("change.ground.GroundWatch", "bare", lambda: no_cells(1)),),
    "arm: let go after 12 s": (("change.arm", "LONG_S", lambda: math.inf),),
    "arm: untold for 3 s": (("change.arm", "BRIEFLY_S", lambda: math.inf),),
    "arm: cards are no arm": (("reading.detect", "cells_at_cards", lambda: no_known_cards),),
    "reading: beneath a hand that stays": (("reading.detect", "STARVED_FRAMES", lambda: 10**9),),
    "gate: bands": (("change.gate", "_bands", lambda: lambda _, before: np.zeros((len(before), 1), np.float32)),),
    "gate: JPEG steps": (("change.gate", "step_of_blocks", lambda: give(0.0)),),
    "gate: clipped gain": (("change.gate", "CLIPPED", lambda: math.inf),),
    "standstill": (("eyes", "stands_still", lambda: give(False)),),
    "texture": (("change.regions", "may_hold_codes", lambda: all_uneven),),
    "room gain": (("cells", "room_gain", lambda: give(1.0)),),
    # why
    "why: glare on tags": (("why.why", "is_burnt", lambda: give(False)),),
    "why: outshone": (("why.why.WhyWatch", "_lights", lambda: give(([], []))),),
    "why: bare ground": (
        ("change.ground.GroundWatch", "is_bare", lambda: give(False)),
        ("change.ground.GroundWatch", "changed", lambda: no_cells(1)),
    ),
    "why: blur": (("why.why.WhyWatch", "_blurs", lambda: give(False)),),
    "why: dark": (("why.why", "is_dark", lambda: give(False)),),
    "why: displaced": (("why.why.WhyWatch", "displaced", lambda: property(give(False))),),
    "why: moved": (("why.why.WhyWatch", "has_moved", lambda: give(False)),),
    # agree
    "agree: glimpses": (("agree.agreement.CardMemory", "glimpsed", lambda: property(give(()))),),
    "agree: unread codes": (("agree.agreement", "_step_unread", lambda: give(())),),
    "agree: looks at places": (("agree.place_looks.PlaceMemory", "looks", lambda: give(())),),
    "agree: places before cards": (("agree.place_looks.PlaceMemory", "remember", lambda: give(None)),),
    "agree: figures beside a hand": (("agree.agreement", "PATIENCE_S", lambda: 1e-6),),
    "agree: codes explained": (("eyes", "unexplained", lambda: lambda codes, *_: tuple(codes)),),
    # reading
    "reading: cut codes": (
        ("reading.cut_codes.CutCodes", "look", lambda: give(())),
        ("reading.cut_codes.CutCodes", "waiting", lambda: property(give(False))),
        ("reading.cut_codes.CutCodes", "waits_at", lambda: give(False)),
    ),
    "reading: second look": (
        ("reading.second_look.SecondLook", "look", lambda: give(None)),
        ("reading.second_look.SecondLook", "waiting", lambda: property(give(False))),
    ),
    "reading: doubted tags": (("reading.detect.Detector", "doubt", lambda: give(None)),),
    "reading: pending": (("eyes.Eyes", "_is_pending", lambda: give(False)),),
    "reading: tags by their modules": (("reading.detect", "match_tags", lambda: give(())),),
    # sights
    "sights: what came beside a card": (("change.ground.GroundWatch", "came", lambda: no_cells(1)),),
    "sights: what lies flat only": (("sights.flat", "_MAX_MISFIT", lambda: (math.inf, math.inf)),),
    "sights: card size learned": (("sights.sightings.Sightings", "learn", lambda: give(False)),),
}  # fmt: skip


@contextmanager
def switched_off(name: str) -> Iterator[None]:
    """Takes this mechanism away as long as it lasts."""
    with ExitStack() as until:
        for where, attribute, stand_in in SWITCHES[name]:
            module, _, last = where.rpartition(".")
            is_class = last[:1].isupper()
            owner = import_module(f"vision.{module if is_class else where}")
            replaced = patch.object(getattr(owner, last) if is_class else owner, attribute, stand_in())
            until.enter_context(replaced)
        yield


@dataclass(frozen=True)
class Row:
    """What became of a film or household. ``rests`` without anything in the way, ``troubled`` those told otherwise."""

    turns: int = 0
    ruled: int = 0
    wrong: int = 0
    cards: int = 0
    held: int = 0
    rests: int = 0
    troubled: int = 0
    broken: int = 0

    def __add__(self, other: Row) -> Row:
        return Row(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Variant:
    """How a film is shown."""

    name: str
    arm_first: int = 0
    dark: bool = False
    cloth: bool = False


VARIANTS: Final = (
    Variant("plain"),
    Variant("arm 5", arm_first=5),
    Variant("arm 6", arm_first=6),
    Variant("dark", dark=True),
    Variant("cloth", cloth=True),
    Variant("cloth, arm 6", arm_first=6, cloth=True),
)


class Cloth(TracedWorld):
    """A film on another cloth: chequered, 22 mm a square and four threads finer, as bright in the mean."""

    def __init__(self, folder: Path, *, dark: bool, cloth: bool) -> None:
        self._chequered = False
        self._woven: Any = None
        super().__init__(folder)
        self._truth, self._chequered = folder / "truth", cloth
        self._light = folder / ("dark" if dark else "light")

    def plain(self, name: str) -> Picture:
        image = super().plain(name)
        if not self._chequered:
            return image
        if self._woven is None:
            self._woven = self._weave(image.shape)
        free = np.full(image.shape, 255, np.uint8)
        before = name
        if name.endswith("_arm"):  # traced with an arm over the picture before it
            before = "start" if name == "t01_arm" else f"t{int(name[1:3]) - 1:02d}"
            free = (cv2.absdiff(image, super().plain(before)) < ARM_LEVELS).astype(np.uint8)
        truth = json.loads((self._truth / f"{before}.gt.json").read_text(encoding="utf-8"))
        for card in truth["cards"]:
            cv2.fillPoly(free, [np.array(card["outline_px"], np.float32).round().astype(np.int32)], 0)
        woven = np.where(free > 0, self._woven, np.float32(1.0))
        return np.asarray(np.clip(image * woven, 0, 255), np.uint8)

    def _weave(self, shape: tuple[int, ...]) -> Any:
        """What each pixel of the table before the board is multiplied by."""
        turn, shift = np.array(self.film["R_world_to_cam"]), np.array(self.film["t_world_to_cam"])
        lens, bend = np.array(self.film["K"]), np.array(self.film["dist"])
        down, across = np.mgrid[0 : shape[0], 0 : shape[1]]
        seen = np.stack([across.ravel(), down.ravel()], 1).astype(np.float64)
        rays = cv2.undistortPoints(seen[:, None], lens, bend)[:, 0]
        rays = np.column_stack([rays, np.ones(len(rays))]) @ turn
        eye = -turn.T @ shift
        reach = (-8.0 - eye[2]) / rays[:, 2]
        x, y = (eye[:2] + rays[:, :2] * reach[:, None]).T
        coarse = (np.floor(x / 22) + np.floor(y / 22)) % 2
        fine = (np.floor((x + y) / 5.5)) % 2
        level = np.where(coarse > 0, 1.2 - 0.3 * fine, 0.45 + 0.3 * fine)
        bare = (y < -75) & (reach > 0)  # before the board with its markers and figures
        woven = np.where(bare, level, 1.0).reshape(shape[0], shape[1]).astype(np.float32)
        return cv2.GaussianBlur(woven, (0, 0), 0.9)


class Shown:
    """A film's frames in memory with its presses and truth: camera, buttons and audience of a loop."""

    def __init__(self, folder: Path, variant: Variant, hold_s: float, most_turns: int) -> None:
        world = Cloth(folder, dark=variant.dark, cloth=variant.cloth)
        film, self.frames, self.rests = world.film, list[Picture](), dict[int, str]()
        self.presses: dict[int, Button] = {}
        self.rules, self.starter, self.truth = film["rules"], Side(film["starter"]), film["pictures"]
        self.turns = [turn for turn in film["turns"] if "cards" in turn][:most_turns]
        if variant.arm_first:
            first = film["first_arm"]
            arm = world.noisy(world.with_arm(first["picture"], first["arm"], first["shift_px"]), 1)
            self.frames += [arm] * variant.arm_first
        for shot in film["shots"]:
            name, arm_name = shot["picture"], shot.get("arm")
            if most_turns < int(name[1:3] if name[0] == "t" else 0):
                break
            rest = arm_name is None and shot["seconds"] > 1.0
            count = max(1, round(min(shot["seconds"], hold_s if rest else 9.0) * FPS))
            image = world.plain(name) if arm_name is None else world.with_arm(name, arm_name, shot["shift_px"])
            copies = [world.noisy(image, len(self.frames) + number) for number in range(4 if rest else 1)]
            if "press" in shot:
                self.presses[len(self.frames) + count - 2] = Button(shot["press"])
            self.frames += [copies[number % len(copies)] for number in range(count)]
            if rest:
                self.rests[len(self.frames) - 1] = name


class Watched:
    """One run of the loop over a shown film. ``run`` gives its row."""

    def __init__(self, shown: Shown, table_file: Path) -> None:
        self._shown, self._index, self._entries = shown, 0, list[Entry]()
        self._row = Row(turns=len(shown.turns))
        settings, people = Settings(end_turn=EndTurn.BUTTON), People(BySide("White", "Black"), "en")
        eyes = Eyes(load_table(table_file))
        self._loop = Loop(self, eyes, self, NoJournal(), (self,), settings, people, mode="play")
        self._loop.open(MatchEvent(shown.rules, shown.starter, 5))

    def read(self) -> Frame | None:
        if self._index == len(self._shown.frames):
            return None
        frame = Frame(self._index, self._index / FPS, self._shown.frames[self._index])
        self._index += 1
        return frame

    def close(self) -> None:
        pass

    def due(self, now_s: float) -> tuple[Press, ...]:
        button = self._shown.presses.get(self._index - 1)
        return () if button is None else (Press(now_s, button),)

    def attend(self, moment: Moment) -> None:
        self._entries += moment.entries
        name = self._shown.rests.get(self._index - 1)
        if name is None:
            return
        lying, held = set(self._shown.truth[name]["cards"]), {str(one.card) for one in moment.look.table.cards}
        troubled = moment.look.table.sight is not Sight.STEADY
        self._row += Row(cards=len(lying), held=len(lying & held), rests=1, troubled=int(troubled))

    def run(self) -> Row:
        self._loop.run()
        at = ruled = wrong = 0
        for entry in self._entries:
            if not isinstance(entry.event, TurnEvent) or not entry.ruling.ok:
                continue
            event = (sorted(map(str, entry.event.cards)), entry.event.white, entry.event.black)
            turns = [(sorted(turn["cards"]), turn["white"], turn["black"]) for turn in self._shown.turns]
            if event in turns[at:]:
                ruled, at = ruled + 1, turns.index(event, at) + 1
            else:
                wrong += 1
        return replace(self._row, ruled=ruled, wrong=wrong)


def watched(shown: Shown, table_file: Path) -> Row:
    """The row of a film's variant."""
    return Watched(shown, table_file).run()


def of_household(renderer: str, seed: int) -> Row:
    """The row of a sitting in a household."""
    tally, _ = one_household((renderer, seed, ("button", "auto")[seed % 2], 1, 14, None, None, ""))
    turns = tally.counts("turn")
    wrong = sum(each.fate is Fate.WRONG for _, each in tally.happenings)
    return Row(sum(turns.values()), turns[Fate.RIGHT], wrong, broken=len(tally.broken))


RUNS: Final[dict[str, Callable[[], Row]]] = {}
"""What is run for each column of the table, by its name: each process of a pool has its own."""


def measured(name: str, column: str) -> Row:
    """The row of a column without one mechanism."""
    try:
        with switched_off(name):
            return RUNS[column]()
    except Exception as error:
        print(f"  without {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return Row(broken=1)


def table_of(results: dict[str, dict[str, Row]], columns: Sequence[str]) -> Iterator[str]:
    yield "| without | " + " | ".join(columns) + " | wrong rulings | cards held | false troubles |"
    yield "|---|" + "---|" * (len(columns) + 3)
    for name, rows in results.items():
        total = sum(rows.values(), Row())
        ruled = (
            f"{row.ruled}/{row.turns}" + (" broken" if row.broken else "") for row in map(rows.get, columns) if row
        )
        held, troubled = f"{total.held}/{total.cards}", f"{total.troubled}/{total.rests}"
        yield f"| {name} | " + " | ".join(ruled) + f" | {total.wrong} | {held} | {troubled} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = ", ".join(each.name for each in VARIANTS)
    parser.add_argument("--film", type=Path, metavar="FOLDER", help="a film as the path tracer writes it")
    parser.add_argument("--variants", nargs="+", default=["plain", "cloth, arm 6"], metavar="NAME", help=known)
    parser.add_argument("--table", type=Path, default=ROOT / "hardware" / "table.toml", help="the film's table file")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these mechanisms (default all)")
    parser.add_argument("--turns", type=int, default=99, help="turns of each film at most")
    parser.add_argument("--hold", type=float, default=2.4, metavar="S", help="each rest of a film is cut to this")
    parser.add_argument("--households", type=int, default=3, metavar="N", help="households of each renderer as well")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default 2)")
    given = parser.parse_args()
    cv2.setNumThreads(1)  # what is forked has no other threads to wait for
    chosen = ["nothing", *(name for name in SWITCHES if name != "nothing" and (not given.only or name in given.only))]
    runs: dict[str, Callable[[], Row]] = {}
    for variant in VARIANTS if given.film else ():
        if variant.name in given.variants and (not variant.dark or (given.film / "dark").is_dir()):
            shown = Shown(given.film, variant, given.hold, given.turns)
            runs[variant.name] = partial(watched, shown, given.table)
    for seed in range(1, given.households + 1):
        runs |= {f"{renderer} {seed}": partial(of_household, renderer, seed) for renderer in ("photo", "synthetic")}
    columns = list(runs)
    results: dict[str, dict[str, Row]] = {}
    # Forked: the films' frames are made once and shared.
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("fork"), RUNS.update, (runs,)) as pool:
        waiting = {name: [pool.submit(measured, name, column) for column in columns] for name in chosen}
        for name, rows in waiting.items():
            results[name] = {column: row.result() for column, row in zip(columns, rows, strict=True)}
            print(list(table_of({name: results[name]}, columns))[-1], flush=True)
    print("\n".join(table_of(results, columns)))
    return 1 if any(row.wrong for rows in results.values() for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
