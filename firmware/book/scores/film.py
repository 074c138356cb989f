"""A match as a film: the table screen from the first card to the last, in half a minute to a minute.

What decides gets more of the time than a step forward; moves and the victory are staged as at the table. The pictures
are made from the record, so that there is a film of any match, whether it was recorded or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pygame
from numpy.typing import NDArray

from display.draw.animation import MATCH_JOY_S, Animator
from display.draw.parts import Painter
from display.draw.theme import Theme
from display.page.story import Role, Shot, Story
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement, composed_parts, layout
from display.view import EyesView, Tone, VerdictView, ViewModel
from engine.table.observation import Sight

Picture = NDArray[np.uint8]
"""Blue, green and red of every pixel, shape (height, width, 3)."""

SIZE: Final = (1280, 720)
RATE: Final = 25
"""Pictures a second."""
MIN_S: Final = 30.0
MAX_S: Final = 60.0
TITLE_S: Final = 2.5
LAST_S: Final = MATCH_JOY_S + 2.0
PLAIN_S: Final = 0.9
"""What a turn gets that only moves, if there is time for all."""
MOVED_S: Final = 0.7
"""A move is over after this; where a turn gets less, it is shown faster."""
WEIGHTS: Final = {"plain": 1.0, "attack": 1.6, "hands": 2.2, "end": 3.0}


@dataclass(frozen=True, slots=True)
class FilmScene:
    """What is shown for so long. ``seen``: the table as the camera saw it then, where that was recorded."""

    view: ViewModel
    lasts_s: float
    seen: CameraPicture | None = None


def scenes(story: Story, title: str, detail: str, seen: Mapping[int, CameraPicture] | None = None) -> list[FilmScene]:
    """The whole match, cut. ``title`` stands under the first picture, ``detail`` in the line over the verdict.

    ``seen``: pictures of the table by the number of the entry in the match, 0 the first after the match began. A
    recording begins with the first round: under the title lies the table that was set up for it.
    """
    begin = VerdictView(Tone.READY, story.opening.round_text, title)
    told = [(replace(story.opening, verdict=begin, remedies=()), "plain", 0)]
    number = 0
    for chapter in story.chapters:
        number += 1  # the round's own beginning
        told.append((chapter.begun, "plain", number))
        for shot in chapter.shots:
            number += 1
            told.append((shot.view, _weight(shot), number))
    lengths = _lengths([kind for _, kind, _ in told[1:]])
    table = {} if seen is None else {0: seen[1], **seen} if 1 in seen else seen
    return [
        FilmScene(_quiet(view, detail), lasts_s, table.get(place))
        for (view, _, place), lasts_s in zip(told, (TITLE_S, *lengths), strict=True)
    ]


def _weight(shot: Shot) -> str:
    if shot.view.ending is not None:
        return "end"
    if shot.side is None:
        return "hands"
    return "attack" if any(laid.role in (Role.ATTACK, Role.PARRY) for laid in shot.laid) else "plain"


def _lengths(kinds: Sequence[str]) -> list[float]:
    """How long each is shown: as long as it is worth, all together within what a film may last."""
    if not kinds:
        return []
    weights = [WEIGHTS[kind] for kind in kinds]
    free_s = sum(weights) * PLAIN_S
    wanted_s = min(MAX_S - TITLE_S - LAST_S, max(MIN_S - TITLE_S - LAST_S, free_s))
    unit_s = wanted_s / sum(weights)
    lengths = [weight * unit_s for weight in weights]
    return [*lengths[:-1], lengths[-1] + LAST_S]


def _quiet(view: ViewModel, detail: str) -> ViewModel:
    """The view without what is only for those at the table: what to do now, and what the camera sees."""
    return replace(
        view,
        remedies=(),
        verdict=replace(view.verdict, hint=""),
        eyes=EyesView(Sight.STEADY, None, detail or view.preset_text, used=False),
        unseen=(),
        can_retell=False,
    )


def length_s(cut: Sequence[FilmScene]) -> float:
    """How long these scenes last together."""
    return sum(scene.lasts_s for scene in cut)


def pictures(
    cut: Sequence[FilmScene], theme: Theme, size: tuple[int, int] = SIZE, rate: int = RATE
) -> Iterator[Picture]:
    """Every picture of the film, one after the other. Needs no screen."""
    surface = pygame.Surface(size)
    painter, animator = Painter(), Animator()
    arrangement = Arrangement.BOTH if any(scene.seen for scene in cut) else Arrangement.TABLE
    places = layout(size, arrangement, with_buttons=False, theme=theme)
    begins_s = shown = film_s = 0.0
    frame = 0
    for number, scene in enumerate(cut):
        last = number == len(cut) - 1
        pace = 1.0 if last else max(1.0, MOVED_S / scene.lasts_s)
        while frame / rate < begins_s + scene.lasts_s:
            now_s = film_s + (frame / rate - begins_s) * pace
            view, progress = animator.step(scene.view, now_s)
            painter.paint(surface, composed_parts(places, view, scene.seen, progress, theme), theme)
            shown = now_s
            frame += 1
            yield _picture(surface)
        begins_s += scene.lasts_s
        film_s = max(film_s + scene.lasts_s * pace, shown)


def _picture(surface: pygame.Surface) -> Picture:
    width, height = surface.get_size()
    rows = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)
    return np.ascontiguousarray(rows[:, :, ::-1])
