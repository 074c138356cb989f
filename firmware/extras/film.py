"""Films made on the command line: of a match of the scorebook, and of a disputed turn of a recording."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pygame

from display.draw.animation import MATCH_JOY_S, Animator
from display.draw.parts import Painter
from display.draw.theme import Theme
from display.page.story import Role, Shot, Story, story
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement, composed_parts, layout
from display.view import EyesView, Tone, VerdictView, ViewModel
from display.words.sentences import words_for
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.rules.events import MatchEvent, event_to_json
from engine.table.observation import Sight
from firmware.book.scorebook.book import Played
from firmware.book.scores.pages import day_of
from firmware.core.config import load_config
from firmware.core.errors import EngardeError
from firmware.core.io.files import whole_file
from firmware.table.camera.recorded import RecordedCamera
from vision.frame import Frame, Picture
from vision.look import Look
from vision.overlay import draw_recognised

GIF: Final = ".gif"
MP4: Final = ".mp4"
GIF_RATE: Final = 8
GIF_WIDTH: Final = 480
GIF_SIZE: Final = (960, 540)
"""The size at which a GIF is drawn before it is shrunk."""


def expect_film(path: Path) -> None:
    """Make sure by its name that this can be a film. Raises EngardeError."""
    if path.suffix.lower() not in (MP4, GIF):
        raise EngardeError(f"{path}: a film is a file named .mp4 or .gif; give it one of these endings.")


def rate_of(path: Path) -> int:
    """How many pictures a second a film of this name has."""
    return GIF_RATE if path.suffix.lower() == GIF else RATE


def write_film(path: Path, pictures: Iterable[Picture], count: int, tell: Callable[[int], None]) -> None:
    """Write the film, there whole or not at all. ``tell`` is told the percents done, each once, of ``count`` pictures.

    Raises EngardeError and OSError.
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
                    raise EngardeError("this machine's OpenCV writes no MP4 films; take .gif.")
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
        raise EngardeError("the GIF could not be written; take .mp4.")


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


STOPPED: Final = 130
"""The exit status of somebody who pressed Ctrl+C."""
FRAME_S: Final = 0.6
LAST_FRAME_S: Final = 3.0
FRAME_WIDTH: Final = 1280


def make_film(played: Played, file: Path, recording: Path | None, language: str, percents: bool = False) -> int:
    """Make the film of a match; 0 then, and 130 where it was stopped, which leaves no file behind.

    ``percents``: say how far it is on standard output, one number a line, for another program, which may not know of
    which match the recording is: one of another is left out.
    Raises EngardeError for a match nothing of which can be read, OSError.
    """
    expect_film(file)
    if played.course is None:
        raise EngardeError(f"nothing of match {played.match.id} can be read: {played.problem}.")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    steps, names = played.course.steps, played.match.names
    say = words_for(language, names)
    seen = None
    if recording is not None:
        with suppress(EngardeError) if percents else nullcontext():
            seen = pictures_of(recording, steps)
    told = story(((step.entry, step.state, step.ruling) for step in steps), names, language)
    title = say.say("page.title", white=told.opening.match.names.white, black=told.opening.match.names.black)
    facts = (say.say("page.match", number=played.match.id), day_of(say, played.match))
    cut = scenes(told, title, " \u00b7 ".join(fact for fact in facts if fact), seen)
    size, rate = (GIF_SIZE if file.suffix.lower() == GIF else SIZE), rate_of(file)
    drawn = pictures(cut, load_config(None).look, size, rate)
    if not _written(file, drawn, round(length_s(cut) * rate), percents):
        return STOPPED
    print(f"Match {played.match.id} was filmed: {length_s(cut):.0f} s, {file}.")
    return 0


def film_turn(file: Path, seen: Iterable[tuple[Frame, Look]]) -> int:
    """The frames that a turn was read from, one after the other, the judged one longest. How many; -1 if stopped.

    Raises EngardeError for another kind of file, OSError.
    """
    expect_film(file)
    looks = [_drawn(frame, look) for frame, look in seen if frame.y.size]
    rate = rate_of(file)

    def shown() -> Iterator[Picture]:
        for number, picture in enumerate(looks):
            lasts_s = LAST_FRAME_S if number == len(looks) - 1 else FRAME_S
            for _ in range(round(lasts_s * rate)):
                yield picture

    count = round(((len(looks) - 1) * FRAME_S + LAST_FRAME_S) * rate)
    return len(looks) if _written(file, shown(), count) else -1


def _drawn(frame: Frame, look: Look) -> Picture:
    drawn = draw_recognised(frame.bgr(), look)
    height = 2 * round(drawn.shape[0] * FRAME_WIDTH / drawn.shape[1] / 2)
    small = cv2.resize(drawn, (FRAME_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _written(file: Path, drawn: Iterable[Picture], count: int, percents: bool = False) -> bool:
    """Whether it was written to its end; what is begun goes where somebody stops it."""

    def tell(percent: int) -> None:
        if percents:
            print(percent, flush=True)
        elif sys.stderr.isatty():
            end = "\r\x1b[K" if percent == 100 else ""
            print(f"\r\x1b[K{file}: {percent} % (Ctrl+C stops){end}", end="", file=sys.stderr, flush=True)

    try:
        write_film(file, drawn, count, tell)
    except KeyboardInterrupt:
        print(f"Stopped: {file} was not written.", file=sys.stderr)
        return False
    return True


WIDTH: Final = 640


def pictures_of(recording: Path, steps: Sequence[CourseStep]) -> Mapping[int, CameraPicture]:
    """A picture of the table by the number of the entry, 0 for the match event; none for those it does not hold.

    ``steps``: a match as it stands, which this has to be a recording of, at least of its first entries. Raises
    EngardeError where it is of another, RecordingError for a damaged one.
    """
    with closing(RecordedCamera(recording)) as source:
        times = _times(recording, list(source.all_verdicts()), steps)
        found: dict[int, CameraPicture] = {}
        waiting = sorted(times.items(), key=lambda each: each[1])
        while waiting and (frame := source.read()) is not None:
            while waiting and round(frame.t_s, 3) >= waiting[0][1]:
                number, _ = waiting.pop(0)
                whole = frame.bgr()
                height = round(whole.shape[0] * WIDTH / whole.shape[1])
                small = cv2.resize(whole, (WIDTH, height), interpolation=cv2.INTER_AREA)
                found[number] = CameraPicture(small.tobytes(), WIDTH, height)
    return found


def _times(recording: Path, verdicts: Sequence[Mapping[str, Any]], steps: Sequence[CourseStep]) -> dict[int, float]:
    """When each entry that stands was judged: what was taken back is left out."""
    stands: list[Mapping[str, Any]] = []
    for verdict in verdicts:
        if not verdict["ruling"]["ok"]:
            continue
        if verdict["event"]["event"] == "undo":
            stands = stands[:-1]
        else:
            stands.append(verdict)
    first = 0 if stands and stands[0]["event"]["event"] == MatchEvent.name else 1
    times: dict[int, float] = {}
    for number, (verdict, step) in enumerate(zip(stands, steps[first:], strict=False), first):
        if isinstance(step.entry, Setting) or verdict["event"] != event_to_json(step.entry):
            raise EngardeError(f"{recording}: entry {number} of it is not that of the match; it records another one.")
        times[number] = round(float(verdict["t"]), 3)
    return times
