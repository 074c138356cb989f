"""A match and lessons by ear: all that both players know of it is read aloud, and the transcripts are kept."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES
from display.menu.model import Goto, Open
from display.words.sentences import words_for
from engine.lessons.lesson import StepStage, Telling
from engine.players.players import GreedyBot
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Attack, AttackKind, Phase
from engine.rules.track import START, BySide, Side
from engine.table.desk import Settings
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import open_scorebook
from firmware.core.config import Config
from firmware.extras.simulation.actors import Shown
from firmware.extras.simulation.camera import simulated_table
from firmware.extras.simulation.director import Director
from firmware.extras.simulation.pupils import Pupils
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.table.sound.voice import SETTLED_S, Reader, ended
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from tests.firmware.ui.scene_table import TICK_S, SceneTable, forever, machine_of
from vision.eyes import Eyes
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL

KEPT = Path(__file__).with_name("spoken_match.txt")
NUMBERS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
SIDES = {"Ana": Side.WHITE, "Ben": Side.BLACK}
MATCH = MatchEvent("ferti-advanced", Side.WHITE, 2)
OPENED, _ = judge(None, MATCH)


class Listener:
    """Hears the screen being read, and knows of the match what was said, and nothing else."""

    def __init__(self, sight: Any) -> None:
        self._sight = sight
        self._reader = Reader()
        self.transcript: list[str] = []
        self.heard = 1
        self.ok = True
        self.phase = Phase.SETUP
        self.to_act: Side | None = None
        self.spaces = START
        self.pile = 15
        self.attack: Attack | None = None
        self.score = BySide(0, 0)

    def attend(self, moment: Moment) -> None:
        said = self._reader.news(moment.view.heard.aloud, moment.frame.t_s)
        if said:
            self.transcript.append(said)
            self.hear(said)
        told = {name: getattr(self, name) for name in ("phase", "to_act", "spaces", "pile", "attack", "score")}
        assert OPENED is not None
        self._sight.watch(Shown(self.heard, self.ok, OPENED._replace(**told)))

    def hear(self, said: str) -> None:
        """Make of one utterance what there is to know in it."""
        if said.startswith(("Set up the round", "Can\u2019t see")):  # nothing was judged
            return
        if self.phase is Phase.ROUND_OVER and not said.startswith("En garde!"):  # what is still to be put away
            return
        self.ok = not said.startswith(("Not allowed", "Are you sure?"))
        if not self.ok:
            self.heard += 1
            return
        if found := re.search(r"Ana on (\d+), Ben on (\d+), distance (\d+)", said):
            self.spaces = BySide(int(found[1]), int(found[2]))
            assert self.spaces.black - self.spaces.white == int(found[3])
        if found := re.search(r"(\d+) cards? in the draw pile", said):
            self.pile = int(found[1])
        if "The draw pile is empty" in said:
            self.pile = 0
        if found := re.search(r"\b(Ana|Ben): (?:play a card|advance|retreat|attack|parry)", said):
            self.to_act = SIDES[found[1]]
        if found := re.search(r"Score: Ana (\d+), Ben (\d+)", said):
            self.score = BySide(int(found[1]), int(found[2]))
        self.attack = self._attack(said)
        self.phase = self._phase(said)
        if self.phase not in (Phase.TURN, Phase.FINAL):
            self.to_act = None
        self.heard += 1

    def _attack(self, said: str) -> Attack | None:
        found = re.search(r"(Direct|Indirect) attack: (Ana|Ben) attacks with (a|two|three|four|five) (\d)", said)
        if found is None:
            return None
        return Attack(SIDES[found[2]], AttackKind(found[1].lower()), int(found[4]), NUMBERS[found[3]])

    def _phase(self, said: str) -> Phase:
        if "wins the match" in said:
            return Phase.MATCH_OVER
        if "Next round" in said or "round is a draw" in said:
            return Phase.ROUND_OVER
        if "lay all your cards face up" in said:
            return Phase.REVEAL
        if "Last defence" in said or "last defence" in said:
            return Phase.FINAL
        return Phase.TURN


def played_by_ear(table: Table, seed: int, mistakes: float) -> tuple[Director, Listener]:
    rng = random.Random(seed)
    director = Director(table, MATCH, BySide(GreedyBot(), GreedyBot()), rng, tick_s=0.2, mistakes=mistakes)
    sight = SceneTable(table, director)
    listener = Listener(sight)
    loop = sight.refereed(People(BySide("Ana", "Ben"), "en"), [], [listener])
    loop.open(MATCH)
    loop.run()
    return director, listener


@pytest.mark.slow
def test_a_match_is_played_to_its_end_by_ear_and_its_transcript_is_kept(table: Table) -> None:
    director, listener = played_by_ear(table, seed=8, mistakes=0.25)
    told = "\n".join(listener.transcript) + "\n"
    assert director.state.phase is Phase.MATCH_OVER
    assert director.tally.wrong == []
    assert director.tally.caught == sum(director.tally.mistakes.values()) > 0
    assert told == KEPT.read_text(encoding="utf-8")


def test_only_what_is_new_is_read_and_only_once_it_stands_still() -> None:
    reader = Reader()
    assert reader.news(("White advances 3", "12 cards"), 0.0) == ""
    assert reader.news(("White advances 3", "12 cards"), SETTLED_S) == "White advances 3. 12 cards."
    assert reader.news(("White advances 3", "12 cards"), 9.0) == ""
    assert reader.news(("Black\u2019s turn!", "12 cards"), 10.0) == ""
    assert reader.news(("White", "12 cards"), 10.2) == "", "a preview that is over before it can be read"
    assert reader.news(("Black\u2019s turn!", "12 cards"), 10.3) == ""
    assert reader.news(("Black\u2019s turn!", "12 cards"), 10.9) == "Black\u2019s turn!"
    assert ended("Prêt\u00a0?") == "Prêt\u00a0?"


LESSONS_KEPT = Path(__file__).with_name("spoken_lessons.txt")
TAKEN = ("first", "parry", "indirect", "curious")
MAX_WORDS = 115


class Ear:
    """What is heard of a class, and what its screen said long enough to be read."""

    def __init__(self, room: Any) -> None:
        self._room = room
        self._reader = Reader()
        self.transcript: list[str] = []
        self.heard: list[tuple[float, str]] = []
        self.stood: dict[tuple[str, ...], float] = {}
        self.told: list[tuple[float, Telling]] = []
        attend = room.attend

        def hears(moment: Moment) -> None:
            attend(moment)
            self._hear(moment)

        room.attend = hears

    def _hear(self, moment: Moment) -> None:
        view, now_s = moment.view, moment.frame.t_s
        said = self._reader.news(view.heard.aloud, now_s, view.heard.aloud_page)
        if said:
            self.transcript.append(said)
            self.heard.append((now_s, said))
        if not self.told or self.told[-1][1] is not self._room.teacher.shown:
            self.told.append((now_s, self._room.teacher.shown))


def taken(lesson_with: Callable[..., Any], lesson: str, mistakes: float = 0.5, language: str = "en") -> Ear:
    room = lesson_with(lesson, mistakes, seed=3, language=language)
    ear = Ear(room)
    room.run()
    return ear


@pytest.mark.slow
def test_whole_lessons_are_heard_and_their_transcript_is_kept(lesson_with: Callable[..., Any]) -> None:
    heard = []
    for lesson in TAKEN:
        ear = taken(lesson_with, lesson)
        heard += [f"== {lesson}", *ear.transcript]
        said = " ".join(ear.transcript)
        for (began_s, told), (until_s, _) in zip(ear.told, ear.told[1:], strict=False):
            if until_s - began_s <= 2 * SETTLED_S or told.lesson.id != lesson:
                continue  # gone before it can be read
            if told.stage is StepStage.SETUP:
                spaces = told.state.spaces
                assert re.search(rf"\b{spaces.white}\b.*\b{spaces.black}\b", said)
                for side, hand in told.hands.items():
                    name = {Side.WHITE: "Ana", Side.BLACK: "Ben"}[side]
                    cards = ", ".join(map(str, hand))
                    assert not hand or re.search(rf"{name}[^.]*: {cards}", said), (name, cards)
            if told.stage in (StepStage.DO, StepStage.ASK) and not told.answer:
                assert ended(_sentence(told, "do")) in said
            if told.answer:
                assert ended(_say(told.spoken)) in said
    assert "\n".join(heard) + "\n" == LESSONS_KEPT.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_few_words_come_before_the_first_touch(lesson_with: Callable[..., Any], language: str) -> None:
    """In the first minute somebody touches somebody: 100 words take 45 s to be read aloud, as the bench measures."""
    ear = taken(lesson_with, "first", 0.0, language)
    touched_s = next(at_s for at_s, told in ear.told if told.stage is StepStage.WHY)
    before = " ".join(said for at_s, said in ear.heard if at_s < touched_s)
    assert 60 < len(before.split()) <= MAX_WORDS
    say = words_for(language, BySide("Ana", "Ben"))
    assert say.say("lessons.first.goal") in before, "the aim, and how many touches win, come first"


def _sentence(told: Telling, part: str) -> str:
    return _say(f"lessons.{told.lesson.id}.{told.step.id}.{part}")


def _say(key: str) -> str:
    return words_for("en", BySide("Ana", "Ben")).say(key)


HAND = ("1b", "2e", "3a", "3c", "5d")


class ByEar:
    """Ana and Ben at the simulated table, who hear the screen read and press the four buttons."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.people = Pupils(table, random.Random(1), TICK_S, mistakes=0.0)
        self.people._script = forever()
        self.camera: Any = simulated_table(table, self.people, TYPICAL, 1)
        self.moments: list[Moment] = []
        self.book = open_scorebook(folder / "book.sqlite")
        names = People(BySide("Ana", "Ben"), "en")
        self.menu = TableMenu(MenuState(names, machine_of(self.book), Config(voice="full")))
        settings = Settings(middle_x_mm=table.play_area.middle[0])
        devices: Any = (self.camera, Eyes(table), self.camera, NoJournal(), [self], settings, names, [self.menu])
        self.loop = Loop(*devices, mode="play")
        self.reader = Reader()
        self.heard = ""
        self.said: list[str] = []
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 2))

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.said.append(self.reader.news(moment.view.heard.aloud, moment.frame.t_s, moment.view.heard.aloud_page))

    def listen(self, button: Button | None = None, seconds: float = 2.0) -> str:
        """What is said within this time after this button."""
        if button is not None:
            self.camera._presses += (Press(self.moments[-1].frame.t_s, button),)
        self.said.clear()
        for _ in range(round(seconds / TICK_S)):
            self.loop.advance()
        return " ".join(filter(None, self.said))

    def goes_to(self, page: Open) -> str:
        """Down to this line of the menu and into it, by the buttons."""
        shown = self.menu.page
        assert shown is not None
        for _ in range([item.key for item in shown.items].index(page)):
            self.listen(Button.BLACK, TICK_S)
        return self.listen(Button.ACT)


@pytest.mark.slow
def test_a_hand_is_read_before_the_table_and_nothing_of_it_is_left_there(table: Table, tmp_path: Path) -> None:
    room = ByEar(table, tmp_path)
    with room.book:
        assert "Round 1." in room.listen(seconds=4.0)
        room.listen(Button.MENU)
        room.goes_to(Goto.MORE)
        assert room.goes_to(Goto.HAND).startswith("Read my cards aloud.")
        stage = room.people.stage
        cards = [Card.parse(name) for name in HAND]
        for number, card in enumerate(cards):
            stage.show(Side.WHITE, card, number)
        assert "You hold 1, 2, 3, 3 and 5." in room.listen(seconds=3.0)
        verdict = room.moments[-1].view.verdict
        assert not {"1", "2", "3", "5"} & {*verdict.headline, *verdict.detail}
        stage.clear_cards()
        room.listen(seconds=2.0)
        for _ in range(2):  # up to the page of all else, and to the menu
            room.listen(Button.UNDO)
        back = room.listen(Button.UNDO, seconds=3.0)
        assert "Ana" in back
        assert "You hold" not in back
        # Ana plays the 5 she was read: the other four were never laid, and nobody is asked about them.
        stage.lay(cards[-1])
        stage.put_figure(Side.WHITE, 6)
        assert "Ana advances 5" in room.listen(seconds=3.0)
        said = room.listen(Button.WHITE, seconds=3.0)
        assert said.startswith("Allowed."), said
        state = room.loop.desk.state
        assert state is not None
        assert [card.value for card in state.played] == [5]
