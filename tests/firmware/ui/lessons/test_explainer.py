"""A rule of the later lessons is explained in a match once, the first time that it happens to one who takes them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from display.words.sentences import words_for
from engine.lessons.lesson import CLASSIC, LESSONS
from engine.lessons.occasions import Occasion
from engine.players.players import Bot, GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.extras.simulation.director import Director
from firmware.table.loop.moment import Moment, People
from firmware.ui.lessons.explainer import Explainer
from firmware.ui.lessons.progress import FILE, Progress
from tests.firmware.ui.scene_table import TICK_S, SceneTable
from vision.printed.table import Table

pytestmark = pytest.mark.slow

MATCH = MatchEvent("ferti-advanced", Side.WHITE, 2)
ANA_BEN = BySide("Ana", "Ben")


class Watched(SceneTable):
    """A match of two at the simulated table; ``panels`` are those that were shown, each once as long as it stood."""

    def __init__(self, table: Table, progress: Progress, names: BySide[str], seed: int) -> None:
        bots: BySide[Bot] = BySide(GreedyBot(), GreedyBot())
        director = Director(table, MATCH, bots, random.Random(seed), tick_s=TICK_S)
        super().__init__(table, director)
        self.panels: list[tuple[str, ...]] = []
        self._told: object = None
        people = People(names, "en")
        loop = self.refereed(people, [Explainer(people, progress)], [self])
        loop.open(MATCH)
        loop.run()
        assert director.state.phase is Phase.MATCH_OVER

    def attend(self, moment: Moment) -> None:
        super().attend(moment)
        panel = moment.view.panel
        if panel is not None and (panel, moment.desk.verdicts) != self._told:
            self._told = (panel, moment.desk.verdicts)
            self.panels.append((panel.title, *(line.text for line in panel.lines)))


def learns(progress: Progress, name: str, lessons: Any = CLASSIC) -> None:
    for lesson in lessons:
        progress.learned([name], lesson.id)


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress(tmp_path / FILE)


@pytest.fixture
def play(table: Table, progress: Progress) -> Any:
    return lambda names=ANA_BEN, seed=3: Watched(table, progress, names, seed).panels


def titles() -> Iterator[str]:
    say = words_for("en", ANA_BEN)
    for occasion in Occasion:
        yield say.say("lessons.met.title", title=say.say(f"lessons.{occasion.lesson}.title"))


def test_each_rule_is_explained_once_and_that_is_remembered(play: Any, progress: Progress, tmp_path: Path) -> None:
    learns(progress, "Ana")
    first = play()
    told = [title for title, _ in first]
    assert {*told} <= {*titles()}
    assert len(told) == len({*told}) >= 3, told
    kept = Progress(tmp_path / FILE)
    assert kept.notice == ""
    assert len(kept.of("Ana").explained) == len(told)
    assert kept.of("Ben").explained == frozenset(), "Ben takes no lessons"
    assert play() == [], "the same match once more"


def test_whoever_took_no_lesson_or_has_learned_them_all_is_told_nothing(play: Any, progress: Progress) -> None:
    assert play() == []
    learns(progress, "Ana", LESSONS)
    assert play() == []
    learns(progress, "Ben")
    assert play() != [], "one of the two is enough"


def test_a_bot_and_a_side_without_a_name_learn_nothing(play: Any, progress: Progress) -> None:
    for name in ("White", "Bot (novice)"):
        learns(progress, name)
    assert play(BySide("White", "Bot (novice)")) == []
    learns(progress, "Ana")
    assert play(BySide("Ana", "Bot (novice)")) != []
    assert progress.of("Bot (novice)").explained == frozenset()
