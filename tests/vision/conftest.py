"""What tests of the eyes have in common: eyes that watch a table which changes from call to call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE, renderer_of
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Camera
from vision.look import Look
from vision.marks.foreign import Run, in_process
from vision.printed.table import Table
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, figure_at
from vision.synthetic.scene import PRINTED, CardMake

STANDING = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))


class Watched:
    """Eyes that are shown a scene which changes from call to call, ten frames a second unless told otherwise."""

    def __init__(
        self,
        strength: str = "typical",
        camera: Camera | None = None,
        seed: int = 1,
        *,
        table: Table = TABLE,
        run: Run = in_process,
    ) -> None:
        self.table, self.strength, self.seed = table, strength, seed
        self.renderer = renderer_of(table, strength, seed)
        if camera is not None:
            self.seen_from(camera)
        self.eyes = Eyes(table, run=run)
        self.scene = STANDING
        self.index = 0
        self.seconds_a_frame = 0.1

    def seen_from(self, camera: Camera) -> None:
        """Somebody moves the camera there."""
        self.renderer = Renderer(self.table, camera, PRESETS[self.strength], self.seed)

    def show(self, times: int = 6, change: Callable[[Picture], Picture] | None = None, **changes: object) -> Look:
        """So many frames of the scene with these changes, each picture changed in its turn; the last look."""
        return self.looks(times, change, **changes)[-1]

    def looks(self, times: int, change: Callable[[Picture], Picture] | None = None, **changes: object) -> list[Look]:
        self.scene = replace(self.scene, **changes)  # type: ignore[arg-type]
        found = []
        for _ in range(times):
            frame = self.frame()
            found.append(self.eyes.look(frame if change is None else replace(frame, y=change(frame.y))))
        return found

    def frame(self) -> Frame:
        frame = self.renderer.render(self.scene, self.index, self.index * self.seconds_a_frame)
        self.index += 1
        return frame

    def blank(self, y: Picture) -> Look:
        """A picture of another thing."""
        self.index += 1
        return self.eyes.look(Frame(self.index, self.index / 10, y))

    def px(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> tuple[int, int]:
        """The pixel where a place of the table is seen."""
        x, y = self.renderer.camera.project([(x_mm, y_mm, z_mm)])[0].tolist()
        return int(x), int(y)


def card(
    name: str, x_mm: float, y_mm: float = -150.0, turn_deg: float = 0.0, level: int = 0, make: CardMake = PRINTED
) -> SceneCard:
    return SceneCard(Card.parse(name), x_mm, y_mm, turn_deg, level, make=make)


def names(look: Look) -> list[str]:
    """The cards that are agreed on, sorted."""
    return sorted(str(reading.card) for reading in look.table.cards)


def steady(look: Look) -> bool:
    return look.table.sight is Sight.STEADY


def lit(y: Picture, gain: float) -> Picture:
    """A picture in so many times its light."""
    return np.asarray(np.clip(y * np.float32(gain), 0, 255), dtype=np.uint8)


@pytest.fixture
def noting() -> Callable[..., Callable[..., Any]]:
    """``noting(calls, what, does)`` is ``does``, which first adds to ``calls`` what ``what`` says of its call."""

    def made(calls: list[Any], what: Callable[..., object], does: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: object, **how: object) -> Any:
            calls.append(what(*given))
            return does(*given, **how)

        return called

    return made
