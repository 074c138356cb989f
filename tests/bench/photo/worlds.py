"""Random tables, cameras, lights and clutter, each from a seed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from photo import textures, things
from photo.render import Light, Patch, Sensor
from photo.session import Session
from photo.setups import Setup, random_lens, random_setup
from photo.studio import Mover, Studio

from vision.eyes import Eyes
from vision.printed.table import read_table

NAMES = [f"{value}{letter}" for value in range(1, 6) for letter in "abcde"]


def random_lights(rng: np.random.Generator) -> tuple[list[Light], float]:
    warm, cold, white = (0.62, 0.88, 1.12), (1.2, 1.02, 0.82), (1.0, 1.0, 1.0)

    def pick() -> tuple[float, float, float]:
        return (warm, cold, white)[int(rng.integers(3))]

    def place(z_mm: float) -> tuple[float, float, float]:
        return float(rng.uniform(-500, 1100)), float(rng.uniform(-900, 800)), z_mm

    kind = int(rng.integers(6))
    if kind == 0:
        return [Light(place(900.0), 0.9, pick(), 60)], 0.15
    if kind == 1:
        return [Light(place(1300.0), 0.6, pick(), 300), Light(place(900.0), 0.4, pick(), 80)], 0.35
    if kind == 2:  # a window from one side
        return [
            Light((-900.0, float(rng.uniform(-300, 500)), 700.0), 0.8, cold, 500),
            Light(place(1200.0), 0.15, warm, 80),
        ], 0.3
    if kind == 3:  # a low lamp: strong fall-off
        return [Light((float(rng.uniform(0, 600)), float(rng.uniform(-300, 300)), 480.0), 0.8, warm, 50)], 0.12
    if kind == 4:
        return [
            Light(place(1000.0), 0.5, pick(), 20),
            Light(place(1000.0), 0.5, pick(), 20),
            Light(place(1100.0), 0.4, pick(), 20),
        ], 0.15
    return [Light((1300.0, 300.0, 900.0), 0.7, cold, 30, blinds=True)], 0.35


def random_sensor(rng: np.random.Generator, hard: float, seed: int) -> Sensor:
    return Sensor(
        exposure=float(rng.uniform(0.55, 0.95)) if rng.random() < 0.8 else float(rng.choice([0.22, 1.15])),
        noise=float(rng.uniform(0.004, 0.012 + 0.018 * hard)),
        psf=float(rng.uniform(0.45, 0.6 + 0.3 * hard)),
        vignette=float(rng.uniform(0.0, 0.8)),
        flicker=float(rng.choice([0.0, 0.0, 0.02, 0.05])) * hard,
        drift=float(rng.choice([0.0, 0.02, 0.05])) * hard,
        sharpen=float(rng.choice([0.0, 0.5, 1.0])),
        jpeg=int(rng.choice([100, 95, 88, 75])),
        shake=float(rng.choice([0.0, 0.0, 0.15, 0.3])) * hard,
        seed=seed,
    )


def random_studio(
    seed: int,
    *,
    kind: str | None = None,
    hard: float = 1.0,
    channels: int = 1,
    wide: bool = False,
    setup: Setup | None = None,
    top: str | None = None,
) -> Studio:
    rng = np.random.default_rng((seed, 7))
    made = setup or random_setup(rng, kind)
    lens, made = random_lens(rng, made, hard=hard, wide=wide)
    lights, ambient = random_lights(rng)
    return Studio(
        made,
        lens,
        lights,
        random_sensor(rng, hard, seed),
        top=top or str(rng.choice(textures.TOPS)),
        seed=seed,
        ambient=ambient,
        channels=channels,
        top_gloss=float(rng.choice([0.0, 0.0, 0.15, 0.4])),
        mat=bool(rng.random() < 0.3),
    )


def clutter(session: Session, rng: np.random.Generator, many: int) -> None:
    """Strange things around and in the play area, never upon what has to be read at the start."""
    x0, x1, y0, _y1 = session.studio.setup.area
    studio = session.studio
    for _ in range(many):
        inside = rng.random() < 0.5
        x = float(rng.uniform(x0 + 20, x1 - 20)) if inside else float(rng.uniform(x0 - 120, x1 + 120))
        y = float(rng.uniform(y0 + 15, y0 + 45)) if inside else float(rng.uniform(y0 - 110, y0 - 50))
        turn = float(rng.uniform(0, 360))
        kind = str(
            rng.choice(["qr", "qr2", "near", "deck", "tag", "family", "chess", "news", "coin", "cup", "sheet", "pen"])
        )
        if kind in ("qr", "qr2", "near", "deck", "sheet"):
            if kind == "qr":
                cells = textures.any_code(
                    str(
                        rng.choice(["https://example.org/a/long/address?q=1", "WIFI:S:home;T:WPA;P:secret;;", "12345"])
                    ),
                    error="m",
                    micro=False,
                )
            elif kind == "qr2":
                cells = textures.any_code("EG1:" + studio.setup.deck + ":3B", version=2, error="l", micro=False)
                cells = textures.any_code(
                    str(
                        rng.choice(
                            ["EG2:A:3B", "EG1:A:6A", "EG1:A:3F", "EG1:A3B", "eg1:a:3b", "EG1:AA:3B", "EG1:A:3B "]
                        )
                    ),
                    error="l",
                    micro=False,
                )
            elif kind == "near":
                cells = textures.any_code(
                    f"EG1:{studio.setup.deck}:{rng.choice(['0A', '6B', '3F', '9Z'])}", version=1, error="h", micro=False
                )
            elif kind == "deck":
                other = "B" if studio.setup.deck == "A" else "A"
                cells = textures.any_code(
                    f"EG1:{other}:{str(rng.choice(NAMES)).upper()}",
                    version=1,
                    error="h",
                    mode="alphanumeric",
                    micro=False,
                )
            else:
                if inside:
                    continue
                # A spare label of our own deck, outside the play area: it is no card that was laid.
                y = min(y, y0 - 60)
                cells = textures.any_code(
                    f"EG1:{studio.setup.deck}:{str(rng.choice(NAMES)).upper()}",
                    version=1,
                    error="h",
                    mode="alphanumeric",
                    micro=False,
                )
            image = np.repeat(np.repeat(textures.ink(np.where(cells, 0, 255).astype(np.uint8)), 8, 0), 8, 1)
            size = 25.0 * cells.shape[0] / 21
            studio.clutter.append(Patch(things.sheet(x, y, 0.2, size, size, turn), image))
        elif kind in ("tag", "family"):
            image = (
                textures.marker(int(rng.integers(8, 580)))
                if kind == "tag"
                else textures.marker(
                    int(rng.integers(0, 8)),
                    str(rng.choice(["DICT_APRILTAG_16h5", "DICT_4X4_50", "DICT_APRILTAG_25h9", "DICT_ARUCO_ORIGINAL"])),
                )
            )
            studio.clutter.append(Patch(things.sheet(x, y, 0.2, 30, 30, turn), image))
        elif kind == "chess":
            board = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((16, 16)))
            studio.clutter.append(
                Patch(things.sheet(x, y, 0.3, 70, 70, turn), textures.ink((board * 255).astype(np.uint8)))
            )
        elif kind == "news":
            studio.clutter.append(
                Patch(things.sheet(x, y0 - 90, 0.2, 180, 120, turn * 0.1), textures.newspaper(rng, 180, 120))
            )
        elif kind == "coin":
            image, alpha = things.disc((80, 140, 180), 0.3, int(rng.integers(9)))
            studio.clutter.append(Patch(things.sheet(x, y, 1.5, 23, 23), image, alpha, gloss=1.0))
        elif kind == "pen":
            studio.clutter.append(
                Patch(things.sheet(x, y, 6, 9, 140, turn), np.full((20, 4, 3), (120, 40, 20), np.uint8), gloss=0.6)
            )
        elif kind == "cup" and not inside:
            body, casters = things.cup(x, y0 - 90, float(rng.uniform(28, 42)), float(rng.uniform(50, 95)))
            studio.standing.append(Mover(body, casters))


def spots(session: Session, rng: np.random.Generator, many: int) -> list[tuple[float, float]]:
    """Places in the play area, apart from each other, their cards wholly inside."""
    x0, x1, y0, y1 = session.studio.setup.area
    found: list[tuple[float, float]] = []
    for _ in range(400):
        x, y = float(rng.uniform(x0 + 50, x1 - 50)), float(rng.uniform(y0 + 52, y1 - 52))
        if all(math.hypot(x - a, y - b) > 95 for a, b in found):
            found.append((x, y))
        if len(found) == many:
            break
    return found


def card_look(rng: np.random.Generator) -> dict[str, Any]:
    look: dict[str, Any] = {}
    if rng.random() < 0.35:
        look["sleeve"] = float(rng.choice([0.5, 1.0, 2.0, 4.0]))
    if rng.random() < 0.25:
        look["bend_mm"] = float(rng.uniform(1, 4))
        look["bend_across"] = bool(rng.random() < 0.5)
    if rng.random() < 0.15:
        look["cut_quiet"] = True
    return look


def begin(
    seed: int,
    *,
    kind: str | None = None,
    hard: float = 1.0,
    wide: bool = False,
    save: Path | None = None,
    name: str = "",
    messy: int = 0,
    setup: Setup | None = None,
    top: str | None = None,
) -> tuple[Session, np.random.Generator]:
    """A session with both fencers standing somewhere and the board found."""
    studio = random_studio(seed, kind=kind, hard=hard, wide=wide, setup=setup, top=top)
    session = Session(
        studio, Eyes(read_table(studio.setup.toml())), fps=[5.0, 8.0, 10.0][seed % 3], save=save, name=f"{name}{seed}"
    )
    rng = np.random.default_rng((seed, 11))
    if messy:
        clutter(session, rng, messy)
    white = int(rng.integers(1, 20))
    session.put([], white=session.space(white), black=session.space(int(rng.integers(white + 1, 24))))
    session.rest(9)
    return session, rng
