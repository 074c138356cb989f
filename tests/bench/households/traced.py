"""Households path traced by the renderer that lies beside the project: a script for it, and its film refereed.

The renderer knows no rules: the turns are drawn here and are legal. What it wrote is kept, so that a seed that was
traced once is only looked at again.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from households.household import PRINTED, Household, Person, true_table
from households.layout import Layout
from households.people import Script
from households.photo_world import lens_of, setup_of
from households.refereed import ASKING, RefereedTable, partial_happening
from households.room import Laid, Room
from households.tally import Fate, Tally, cause_of

from engine.players.players import GreedyBot
from engine.players.simulation import play, start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.legal import GiveUp, turn_event
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PlayerView
from engine.rules.track import START, Side
from engine.table.desk import EndTurn, Entry
from engine.table.presses import Button, Press
from firmware.extras.simulation.director import misplay
from vision.frame import Picture

LIGHTS: Final = ("window_day", "evening_lamp", "low_light", "glare")
LIGHTS_BEYOND: Final = LIGHTS[:-1]
"""For a camera higher than the glaring lamp, which would hang before it."""
_LAMP_MM: Final = 850.0
TURNS: Final = 5
FIGURE_MM: Final = 58.0
"""How high the renderer's own figures are, about."""
_SAMPLES: Final = 9
_COPIES: Final = 4


def script(home: Household) -> dict[str, Any]:
    """The film of this household's first turns, as the renderer takes it."""
    rng = random.Random(f"household {home.seed} film")
    lens = lens_of(home.view, setup_of(home))
    k1, k2, k3, p1, p2 = lens.bend
    scale, (number, dx, dy) = home.print_scale, home.corner_off_mm
    still = dict.fromkeys(("pos_mm", "target_mm", "roll_deg", "focal", "principal_px", "k"), 0)
    markers = [
        {"id": corner.id, "center": [corner.x + dx * (k == number), corner.y + dy * (k == number)], "rot_deg": 0}
        for k, corner in enumerate(PRINTED.corners)
    ]
    mean_mm = (home.people.white.figure_mm + home.people.black.figure_mm) / 2
    margin = min(home.cards.margin_mm, *((side - 25.0 * scale - 2.0) for side in home.cards.size_mm))
    return {
        "name": f"household {home.seed}",
        "preset": rng.choice(LIGHTS if lens.position[2] < _LAMP_MM else LIGHTS_BEYOND),
        "seed": home.seed,
        "spp": _SAMPLES,
        "rules": home.rules,
        "cards": {"size": list(home.cards.size_mm), "label_margin": margin, "qr_mm": 25.0 * scale},
        "set": {
            "random_clutter": 0,  # it may lie on a marker or a tag for the whole film
            "camera": {
                "pos": [float(value) for value in lens.position],
                "target": list(home.view.target_mm),
                "up": [0, 1, 0],
                "roll_deg": home.view.roll_deg,
                "hfov_deg": home.view.hfov_deg,
                "dist": [k1, k2, p1, p2, k3],
                "size": [home.module.width, home.module.height],
                "jitter": still,
            },
        },
        "contract": {
            "fencer": {"scale": mean_mm / FIGURE_MM},
            "aruco": {
                "board": {"size": 30.0 * scale, "white_margin": 3.75 * scale, "markers": markers},
                "fencers": {"size": 20.0 * scale, "white_margin": 2.5 * scale},
            },
        },
        "players": {
            "white": _player(home.people.white, "right", rng),
            "black": _player(home.people.black, "left", rng),
        },
        "turns": _turns(home, rng),
    }


def _player(person: Person, side: str, rng: random.Random) -> dict[str, Any]:
    linear = [round((value / 255) ** 2.2, 3) for value in reversed(person.skin)]
    cloths = ("mw_navy_blue", "mw_fabricPlain", "mw_fabricPattern", "rs_gray-felt")
    return {
        "skin": linear,
        "side": side,
        "cloth": rng.choice(cloths),
        "length": 460,
        "sleeve_start": 30 if person.sleeve or person.cloth_sleeve else 150,
        "scale": round(rng.uniform(0.9, 1.08), 2),
    }


def _turns(home: Household, rng: random.Random) -> list[dict[str, Any]]:
    """The first turns of a round that bots play, one of them wrong at first."""
    opened, _ = judge(None, MatchEvent(home.rules, Side.WHITE, 1))
    assert opened is not None
    full = start_round(opened, rng)
    room, layout = Room(), Layout(home, true_table(home), rng)
    spoil = rng.randrange(TURNS - 1)
    turns: list[dict[str, Any]] = []
    while len(turns) < TURNS and full.public.phase is Phase.TURN:
        side = full.public.to_act
        assert side is not None
        chosen = GreedyBot().choose(PlayerView(full.public, side, full.hands[side]), rng)
        if isinstance(chosen, GiveUp):
            break
        event = turn_event(full.public, chosen)
        for number, card in enumerate(event.cards):
            room.cards[card] = layout.turn_card(room, card, event.cards[:number])
        before = full.public
        hand = full.hands[side]
        full, ruling = play(full, event)
        turn: dict[str, Any] = {
            "player": side.value,
            "cards": [_lying(room.cards[card]) for card in event.cards],
            "white": event.white,
            "black": event.black,
            "action": None if ruling.action is None else ruling.action.value,
            "parry": _parry(ruling),
        }
        tries = (misplay(before, event, hand, rng) for _ in range(12 * (len(turns) == spoil)))
        wrong = next((one for one in tries if one is not None and {*one.event.cards} == {*event.cards}), None)
        if wrong is not None:
            _, refused = judge(before, wrong.event)
            assert refused.code is not None
            turn["wrong"] = {"white": wrong.event.white, "black": wrong.event.black, "code": refused.code.value}
        turns.append(turn)
    return turns


def _lying(laid: Laid) -> list[Any]:
    return [str(laid.card), round(laid.x_mm, 1), round(laid.y_mm, 1), round(laid.turn_deg, 1)]


def _parry(ruling: Ruling) -> dict[str, int] | None:
    return None if ruling.parry is None else {"value": ruling.parry.value, "count": ruling.parry.count}


def trace(home: Household, renderer: Path, out: Path) -> Path:
    """The folder of this household's film, traced unless it is there. Raises RuntimeError where it cannot be."""
    folder = out / f"household-{home.seed:04d}"
    if (folder / "film.json").is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "script.json"
    file.write_text(json.dumps(script(home), indent=1), encoding="utf-8")
    own = renderer / "venv" / "bin" / "python"
    python = str(own) if own.exists() else "python3"
    command = [python, "-m", "egrender", "film", str(file.resolve()), "-o", str(folder.resolve())]
    done = subprocess.run(
        command,
        cwd=renderer,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: os.nice(15),
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-400:]}")
    return folder


class TracedWorld:
    """A film's pictures with what was laid over them. ``image`` is what the camera sees now."""

    fps = 5.0

    def __init__(self, folder: Path) -> None:
        self.film: dict[str, Any] = json.loads((folder / "film.json").read_text(encoding="utf-8"))
        self._light = folder / "light"
        width, height = self.film["size"]
        noise = np.random.default_rng(1).standard_normal((height + 64, width + 64), np.float32)
        self._noise = (noise * 1.3).round().astype(np.int16)
        self.image: Picture = self.plain("start")

    def plain(self, name: str) -> Picture:
        return self._read(f"{name}.jpg", cv2.IMREAD_GRAYSCALE)

    def with_arm(self, name: str, arm: str, shift_px: int) -> Picture:
        layer, shade = self._read(f"arm_{arm}.png", cv2.IMREAD_UNCHANGED), self._read(f"arm_{arm}.shade.png", 0)
        moved = np.array([[1, 0, shift_px], [0, 1, 0]], np.float64)
        size = (shade.shape[1], shade.shape[0])
        layer = cv2.warpAffine(layer, moved, size, flags=cv2.INTER_NEAREST).astype(np.float32)
        shade = cv2.warpAffine(shade, moved, size, flags=cv2.INTER_NEAREST, borderValue=255)
        grey, alpha = cv2.cvtColor(layer[..., :3], cv2.COLOR_BGR2GRAY), layer[..., 3] / 255
        under = self.plain(name).astype(np.float32) * (shade.astype(np.float32) / 255)
        return np.clip(under * (1 - alpha) + grey * alpha, 0, 255).astype(np.uint8)

    def noisy(self, image: Picture, number: int) -> Picture:
        height, width = image.shape
        y, x = np.random.default_rng(number).integers(0, 64, 2)
        cut = self._noise[y : y + height, x : x + width]
        return np.asarray(np.clip(image + (cut if number % 2 else -cut), 0, 255), np.uint8)

    def picture(self, room: Room, index: int) -> Picture:
        return self.image

    def calibration_frames(self, room: Room) -> list[Picture]:
        best = self.plain(self.film["calibrate_with"])
        return [self.noisy(best, 10_000 + number) for number in range(3)]

    def _read(self, name: str, how: int) -> np.ndarray:
        image = cv2.imread(str(self._light / name), how)
        if image is None:
            raise RuntimeError(f"{self._light / name} is not there or is no picture")
        return image


class FilmSitting(RefereedTable):
    """A traced film with its buttons before the referee; what he does not rule is entered by hand."""

    def __init__(self, home: Household, world: TracedWorld, end_turn: EndTurn, save: Path | None = None) -> None:
        super().__init__(home, world, end_turn, save=save)
        self._film, self._traced = world.film, world
        self.script = self._shown()

    def run(self) -> Tally:
        """Show it to its end."""
        self.loop.run()
        self.tally.frames = self.index
        return self.tally

    def _shown(self) -> Script:
        for _ in range(self.home.trouble.hand_frames):
            first = self._film["first_arm"]
            self._traced.image = self._noisy(self._traced.with_arm(first["picture"], first["arm"], first["shift_px"]))
            yield
        shots = list(self._film["shots"])
        yield from self._hold(shots.pop(0))
        yield from self.judge("round", 1, RoundEvent(), self._said(), "set up")
        for turn in self._film["turns"]:
            self.entries.clear()
            name = f"t{turn['turn']:02d}"
            for wanted in ([name + "_wrong"] if "wrong" in turn else []) + [name]:
                while shots:
                    shot = shots.pop(0)
                    yield from self._hold(shot)
                    if shot["picture"] == wanted and "press" in shot:
                        break
                yield from self._ruled(turn, wanted == name)

    def _ruled(self, turn: dict[str, Any], legal: bool) -> Script:
        how = turn if legal else turn["wrong"]
        cards = tuple(Card.parse(name) for name in how["cards"])
        event = TurnEvent(cards, how["white"], how["black"])
        what = f"{turn['player']} {' '.join(how['cards'])} -> {event.white}, {event.black}"
        if legal:
            yield from self.judge("turn", turn["turn"], event, self._said(), what)
            return
        said = self._said()
        happening = partial_happening("illegal", turn["turn"], what, said, *cause_of(self.look, self.room))
        self.note(happening(self._fate(said, event, how["code"])))
        self.entries.clear()

    def _fate(self, said: object, event: TurnEvent, code: str) -> Fate:
        if isinstance(said, Entry):
            right = self.same(said.event, event) and said.ruling.code is not None and said.ruling.code.value == code
            return Fate.RIGHT if right else Fate.WRONG
        if self.end_turn is EndTurn.AUTO:
            return Fate.RIGHT
        return Fate.ASKED if said in ASKING else Fate.MISSING

    def _said(self) -> Any:
        """What was ruled or asked since this turn began."""
        if self.entries:
            return self.entries[-1]
        note = None if self.moment is None else self.moment.desk.note
        return None if note is None else note.kind

    def _hold(self, shot: dict[str, Any]) -> Script:
        name, count = shot["picture"], max(1, round(shot["seconds"] * self.world.fps))
        self._know(name)
        arm: str | None = shot.get("arm")
        image = self._traced.plain(name) if arm is None else self._traced.with_arm(name, arm, shot["shift_px"])
        copies = [self._noisy(image, number) for number in range(min(_COPIES, count))]
        press_at = count - round(self._film["press_before_end"] * self.world.fps) - 8
        for number in range(count):
            if number == press_at and "press" in shot and self.end_turn is EndTurn.BUTTON:
                self._presses += (Press(self.t_s, Button(shot["press"])),)
            self._traced.image = copies[number % len(copies)]
            yield

    def _noisy(self, image: Picture, number: int = 0) -> Picture:
        return self._traced.noisy(image, self.index + number)

    def _know(self, name: str) -> None:
        """The truth of this picture: what lies there, and where the fencers stand."""
        true = self._film["pictures"][name]
        self.room.cards = {}
        for level, card in enumerate(map(Card.parse, true["cards"])):
            self.room.cards[card] = Laid(card, 0.0, 0.0, 0.0, level, self.home.cards.size_mm, ((0.0,) * 3,) * 2)
        for side in Side:
            space = true[side.value] or START[side]
            self.room.figures[side] = self.layout.stand(Room(), side, space)
