"""Films made on the command line: of a match of the scorebook, and of a disputed turn of a recording."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from display.page.story import story
from display.screens.camera import CameraPicture
from display.words.sentences import words_for
from engine.record.corrections import Setting
from engine.record.course import CourseStep
from engine.rules.events import MatchEvent, event_to_json
from firmware.book.scorebook.book import Played
from firmware.book.scores.pages import day_of
from firmware.core.config import load_config
from firmware.core.errors import EngardeError
from firmware.extras.film.scenes import (
    GIF,
    GIF_SIZE,
    SIZE,
    Picture,
    expect_film,
    length_s,
    pictures,
    rate_of,
    scenes,
    write_film,
)
from firmware.table.camera.recorded import RecordedCamera
from vision.frame import Frame
from vision.look import Look
from vision.overlay import draw_recognised

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
    """The frame with all that was recognised in it, in sizes every player plays."""
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
