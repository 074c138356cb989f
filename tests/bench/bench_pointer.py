"""``bench_pointer.py``: everything that can be done at the simulated table, by pointer and keys alone, start to end.

In a window without a screen (under Xvfb with ``SDL_VIDEODRIVER=x11``), with the real renderer and the real eyes: a
match to one point against the fencer, one against a second person, one against the companion, lessons 1 to 4 with their
mistakes, five puzzles by doing them, and a match that is kept without a camera. By finger in a window of 800 x 480, by
mouse in one of 1920 x 1080. ``--only`` names some of them, ``--size`` one size, ``--pictures DIR`` writes what the
window showed last of each. Exit status 1 where one did not come to its end. Run from the project's folder with
PYTHONPATH=. (the hands are those of the tests).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
from bench_by_hand import a_match

from display.menu.lines import Do, Goto, Of
from engine.lessons.lessons import LESSONS
from engine.puzzles.collection import PUZZLES
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.cli import main
from firmware.commands import demo, teach
from firmware.hands import opened
from firmware.lessons.progress import FILE, Progress
from firmware.scorebook.book import open_scorebook
from firmware.screen import screens
from firmware.sitting import lessons as sitting_lessons
from tests.firmware.hands.conftest import Script, TriedWindow, Unpaced
from tests.firmware.hands.test_lessons_at_the_table import Taught, lesson_taken
from tests.firmware.hands.test_puzzles_at_the_table import solved

SIZES: Final = {(800, 480): True, (1920, 1080): False}
"""Windows, and whether a finger is used there."""
FIRST: Final = tuple(each.id for each in LESSONS[:4])
"""The lessons that a newcomer gets first."""
SOLVED: Final = 5
NO_CAMERA: Final = "no camera"
PATIENCE: Final = 4000
"""Pictures that something is waited for: the real eyes take longer than those of the tests."""

Done = list[str]


class Slow(TriedWindow):
    """At which somebody waits as long as the real eyes need, and uses a finger where there is one."""

    def __init__(self, size: tuple[int, int], plays: Any, finger: bool) -> None:
        pygame.display.init()
        super().__init__(size, plays)
        self.person.finger = finger
        self.person.patience = PATIENCE


def match(*sides: Side) -> Callable[[Any, Path, Done], Script]:
    def person(me: Any, folder: Path, done: Done) -> Script:
        yield from me.play_match(*sides)
        done.append(f"{me.state.score.white}:{me.state.score.black} after {me.state.round} rounds")

    return person


def companion(me: Any, folder: Path, done: Done) -> Script:
    yield from me.play_companion()
    done.append(f"{me.state.score.white}:{me.state.score.black} after {me.state.round} rounds")


def lesson(name: str) -> Callable[[Any, Path, Done], Script]:
    def person(me: Any, folder: Path, done: Done) -> Script:
        answered: list[tuple[str, str]] = []
        yield from lesson_taken(me, TAUGHT, folder, answered)
        done.append(f"{name} learned after {len(answered)} mistakes and answers")

    return person


def puzzles(me: Any, folder: Path, done: Done) -> Script:
    yield from me.until(lambda view: view.phase is Phase.TURN)
    me.key(pygame.K_m)
    yield from me.wait(3)
    first = PUZZLES[0].id
    for line in (Goto.LEARN, Goto.PUZZLES, Of(Goto.PUZZLE, first), Of(Do.LESSON, f"puzzle:{first}")):
        yield from me.choose(line)
    for number, puzzle in enumerate(PUZZLES[:SOLVED]):
        yield from solved(me, puzzle, first_wrong=number == 1)
    pupil = Progress(folder / FILE).of("Anna")
    done.append(f"{len(pupil.solving.tried)} tried, {len(pupil.puzzles)} solved at the first try")


TAUGHT: Final = Taught()


def games() -> dict[str, tuple[Callable[[Any, Path, Done], Script], tuple[str, ...]]]:
    play = ("play", "--camera", "synthetic", "--points", "1", "--white", "Anna", "--starter", "white", "--seed", "1")
    teach_words = ("teach", "--camera", "synthetic", "--player", "Anna", "--player", "Ben", "--no-game")
    found: dict[str, tuple[Callable[[Any, Path, Done], Script], tuple[str, ...]]] = {
        "fencer": (match(Side.WHITE), (*play, "--against", "fencer")),
        "person": (match(*Side), (*play, "--black", "Ben")),
        "companion": (companion, (*play, "--bot", "black")),
        "puzzles": (puzzles, (*play, "--against", "novice")),
    }
    for name in FIRST:
        found[f"lesson {name}"] = (lesson(name), (*teach_words, "--lesson", name))
    return found


def how(finger: bool) -> str:
    return "finger" if finger else "mouse"


def keep_picture(surface: pygame.Surface | None, name: str, pictures: Path | None) -> None:
    if surface is not None and pictures is not None:
        width, height = surface.get_size()
        pygame.image.save(surface, pictures / f"{name.replace(' ', '-')}-{width}x{height}.png")


def run(name: str, size: tuple[int, int], finger: bool, pictures: Path | None) -> bool:
    """Do it once; whether it came to its end."""
    plays, words = games()[name]
    done: Done = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "config.toml"
        settings.write_text("")

        def person(me: Any) -> Script:
            yield from plays(me, Path(folder), done)
            keep_picture(me.window.surface, name, pictures)

        for module in (screens, demo):
            setattr(module, "open_window", lambda **_: Slow(size, person, finger))  # noqa: B010
        setattr(teach, "give_lessons", lambda *given, **more: GIVEN(*given, **{**more, "look": TAUGHT}))  # noqa: B010
        began_s = time.monotonic()
        status = main([*words, "--scorebook", str(Path(folder) / "book.sqlite"), "--config", str(settings)])
    told = done[0] if done else "NOT ENDED"
    print(f"{size[0]}x{size[1]} by {how(finger)}: {name}: {told}, {time.monotonic() - began_s:.0f} s", flush=True)
    return status == 0 and bool(done)


GIVEN: Final = sitting_lessons.give_lessons


def without_camera(size: tuple[int, int], finger: bool, pictures: Path | None) -> bool:
    """A match of bots entered by taps on the page for it; whether the book holds what they played."""
    pygame.display.init()
    with tempfile.TemporaryDirectory() as folder, open_scorebook(Path(folder) / "book.sqlite") as book:
        taps, spent_s, right = a_match(book, Path(folder), 1, Random(1), size, finger=finger)
    keep_picture(pygame.display.get_surface(), NO_CAMERA, pictures)
    counted = ", ".join(f"{count} in {each} taps" for each, count in sorted(taps.items()))
    told = "as played" if right else "NOT as played"
    print(f"{size[0]}x{size[1]} by {how(finger)}: {NO_CAMERA}: {counted}, {told}, {spent_s:.0f} s", flush=True)
    return right


def bench() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=[*games(), NO_CAMERA], help="only this (may be repeated)")
    parser.add_argument("--size", choices=[f"{width}x{height}" for width, height in SIZES], help="only this size")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="what the window showed last of each")
    given = parser.parse_args()
    setattr(opened, "PacedSource", Unpaced)  # noqa: B010 - nobody waits for the clock on the wall
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    ended = [
        without_camera(size, finger, given.pictures) if name == NO_CAMERA else run(name, size, finger, given.pictures)
        for size, finger in SIZES.items()
        if given.size in (None, f"{size[0]}x{size[1]}")
        for name in given.only or [*games(), NO_CAMERA]
    ]
    print(f"{sum(ended)} of {len(ended)} came to their end.")
    return 0 if all(ended) else 1


if __name__ == "__main__":
    sys.exit(bench())
