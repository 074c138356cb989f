"""How long the lessons take, one by one: ``python tests/bench/bench_lessons.py``.

Two simulated pupils take every lesson, at a table whose every card is seen, and make no mistakes, or with ``--mistakes
0.3`` each likely one in three of ten cases. Two figures are measured: the seconds at the table (laying, moving,
pressing, looking), and the seconds that all that is told takes to be read aloud, by espeak-ng at the game's own speed.
Their sum is how long two take who listen to every word before they move, and think no longer than the pupils do. No
people were timed: what they ponder and talk comes on top. The first touch is told from the first lesson's beginning.
"""

from __future__ import annotations

import argparse
import io
import sys
import wave
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

from display.i18n import LANGUAGES
from display.words.sentences import words_for
from engine.lessons.lesson import StepStage
from engine.lessons.lessons import LESSONS
from engine.rules.track import BySide
from firmware.loop.moment import Helper, Moment
from firmware.sound.reader import Reader
from firmware.sound.voice import by_espeak
from vision.printed.table import load_table

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class Taken:
    """One lesson: seconds at the table and of reading aloud, words told, deeds; both seconds until the first touch."""

    table_s: float
    spoken_s: float
    words: int
    deeds: int
    touch: tuple[float, float] | None


class Watch(Helper):
    """Hears a class: what was read aloud and when, until somebody was touched."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language, self._reader = language, Reader()
        self.said: list[str] = []
        self.deeds = 0
        self.now_s = 0.0
        self.spoken_s = 0.0
        self.touch: tuple[float, float] | None = None
        self._at: object = None

    def attend(self, moment: Moment) -> None:
        self.now_s = moment.frame.t_s
        said = self._reader.news(moment.view.aloud, self.now_s, moment.view.aloud_page)
        if said:
            self.said.append(said)
            self.spoken_s += spoken_s(self._language, said)

    def shows(self, told: Any) -> None:
        """What the teacher tells now."""
        if told is self._at:
            return
        self._at = told
        self.deeds += told.stage is StepStage.DO
        if self.touch is None and told.stage is StepStage.WHY:
            self.touch = self.now_s, self.spoken_s


def spoken_s(language: str, text: str) -> float:
    """How long espeak-ng speaks this. Raises RuntimeError where it isn't installed."""
    sound = by_espeak(language, text)
    if not sound:
        raise RuntimeError("espeak-ng says nothing: apt-get install espeak-ng")
    with wave.open(io.BytesIO(sound)) as file:  # a stream's header names no true length
        bytes_a_second: int = file.getframerate() * file.getsampwidth() * file.getnchannels()
    return (len(sound) - 44) / bytes_a_second


def taken(lesson: str, language: str, mistakes: float, seed: int) -> Taken:
    """A class that takes this lesson."""
    room = _classroom()(load_table(ROOT / "hardware" / "table.toml"), lesson, mistakes, seed, language)
    room.stop_after = lesson
    watch = Watch(language)
    attend = room.attend

    def both(moment: Moment) -> None:
        attend(moment)
        watch.shows(room.teacher.shown)
        watch.attend(moment)

    room.attend = both
    room.run()
    told = " ".join(watch.said).split()
    touch = watch.touch if lesson == LESSONS[0].id else None
    return Taken(watch.now_s, watch.spoken_s, len(told), watch.deeds, touch)


def _classroom() -> Any:
    """The lessons' tests have a class whose camera makes no mistakes: no folder of tests is a package."""
    path = ROOT / "tests" / "firmware" / "lessons" / "conftest.py"
    spec = spec_from_file_location("lessons_conftest", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module.Class


def main() -> None:
    parser = argparse.ArgumentParser(description="How long the lessons take, one by one.")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--mistakes", type=float, default=0.0, help="chance of each likely mistake (0)")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--lessons", type=int, default=len(LESSONS), help="only so many, from the first")
    asked = parser.parse_args()
    say = words_for(asked.language, BySide("Ana", "Ben"))
    table_s = told_s = 0.0
    print(f"{'lesson':40} {'deeds':>5} {'words':>5} {'table':>7} {'aloud':>7} {'both':>6} {'from start':>10}")
    for number, lesson in enumerate(LESSONS[: asked.lessons], start=1):
        each = taken(lesson.id, asked.language, asked.mistakes, asked.seed)
        table_s, told_s = table_s + each.table_s, told_s + each.spoken_s
        title = f"{number}. {say.say(f'lessons.{lesson.id}.title')}"
        seconds = f"{each.table_s:6.0f}s {each.spoken_s:6.0f}s"
        minutes = f"{(each.table_s + each.spoken_s) / 60:5.1f}m {(table_s + told_s) / 60:9.1f}m"
        print(f"{title:40} {each.deeds:5} {each.words:5} {seconds} {minutes}", flush=True)
        if each.touch is not None:
            at_s, heard_s = each.touch
            print(f"    the first touch: after {at_s:.0f} s at the table and {heard_s:.0f} s of listening")
    print(f"{'all':40} {'':11} {table_s:6.0f}s {told_s:6.0f}s {(table_s + told_s) / 60:5.1f}m")


if __name__ == "__main__":
    main()
