"""A match as a film: the table screen from the first card to the last, in half a minute to a minute.

What decides gets more of the time than a step forward; moves and the victory are staged as at the table. The pictures
are made from the record, so that there is a film of any match, whether it was recorded or not.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
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
from firmware.core.errors import EngardeError
from firmware.core.io.files import whole_file

GIF: Final = ".gif"
MP4: Final = ".mp4"
GIF_RATE: Final = 8
GIF_WIDTH: Final = 480
GIF_SIZE: Final = (960, 540)
"""The size at which a GIF is drawn before it is shrunk."""


class FilmError(EngardeError):
    """A film that cannot be written."""


def expect_film(path: Path) -> None:
    """Make sure by its name that this can be a film. Raises FilmError."""
    if path.suffix.lower() not in (MP4, GIF):
        raise FilmError(f"{path}: a film is a file named .mp4 or .gif; give it one of these endings.")


def rate_of(path: Path) -> int:
    """How many pictures a second a film of this name has."""
    return GIF_RATE if path.suffix.lower() == GIF else RATE


def write_film(path: Path, pictures: Iterable[Picture], count: int, tell: Callable[[int], None]) -> None:
    """Write the film, there whole or not at all. ``tell`` is told the percents done, each once, of ``count`` pictures.

    Raises FilmError and OSError.
    """
    expect_film(path)
    with tempfile.TemporaryDirectory(prefix="engarde-film-") as folder:
        aside = Path(folder) / f"film{path.suffix.lower()}"
        counted = _counted(pictures, count, tell)
        if path.suffix.lower() == GIF:
            _gif(aside, counted)
        else:
            _mp4(aside, counted)
        with aside.open("rb") as made, whole_file(path) as stream:
            shutil.copyfileobj(made, stream)


def _counted(pictures: Iterable[Picture], count: int, tell: Callable[[int], None]) -> Iterable[Picture]:
    told = -1
    for number, picture in enumerate(pictures):
        percent = min(99, 100 * number // max(1, count))
        if percent != told:
            told = percent
            tell(percent)
        yield picture
    tell(100)


def _mp4(path: Path, pictures: Iterable[Picture]) -> None:
    writer: Any = None
    try:
        for picture in pictures:
            if writer is None:
                height, width = picture.shape[:2]
                code = cv2.VideoWriter.fourcc(*"mp4v")
                writer = cv2.VideoWriter(str(path), code, RATE, (width, height))
                if not writer.isOpened():
                    raise FilmError("this machine's OpenCV writes no MP4 films; take .gif.")
            writer.write(picture)
    finally:
        if writer is not None:
            writer.release()


def _gif(path: Path, pictures: Iterable[Picture]) -> None:
    film = cv2.Animation()
    small = []
    for picture in pictures:
        height = round(picture.shape[0] * GIF_WIDTH / picture.shape[1])
        small.append(cv2.resize(picture, (GIF_WIDTH, height), interpolation=cv2.INTER_AREA))
    film.frames = small
    film.durations = [round(1000 / GIF_RATE)] * len(small)
    if not cv2.imwriteanimation(str(path), film):
        raise FilmError("the GIF could not be written; take .mp4.")


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
"""Time for a turn that only moves, if there is time for all."""
MOVED_S: Final = 0.7
"""A move is over after this; where a turn gets less, it is shown faster."""
WEIGHTS: Final = {"plain": 1.0, "attack": 1.6, "hands": 2.2, "end": 3.0}


@dataclass(frozen=True, slots=True)
class FilmScene:
    """A view shown for so long. ``seen``: the table as the camera saw it then, where that was recorded."""

    view: ViewModel
    lasts_s: float
    seen: CameraPicture | None = None


def scenes(story: Story, title: str, detail: str, seen: Mapping[int, CameraPicture] | None = None) -> list[FilmScene]:
    """The whole match, cut. ``title`` stands under the first picture, ``detail`` in the line over the verdict.

    ``seen``: pictures of the table by the number of the entry in the match, 0 the first after the match began. A
    recording begins with the first round: under the title lies the table that was set up for it.
    """
    begin = VerdictView(Tone.READY, story.opening.match.round_text, title)
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
        eyes=EyesView(Sight.STEADY, None, detail or view.match.preset_text, used=False),
        piles=replace(view.piles, unseen=()),
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
