"""A film put into a file: MP4 for everything that plays films, GIF for where only pictures are taken."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import cv2

from firmware.book.scores.film import RATE, Picture
from firmware.core.errors import EngardeError
from firmware.core.io.files import whole_file

GIF: Final = ".gif"
MP4: Final = ".mp4"
GIF_RATE: Final = 8
GIF_WIDTH: Final = 480
GIF_SIZE: Final = (960, 540)
"""What a GIF is drawn at before it is shrunk."""


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
