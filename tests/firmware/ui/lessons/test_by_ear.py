"""A match played by ear: what is read aloud is all that both players know of it, and the transcript is kept.

The players at the simulated table see no screen. A listener makes out of the sentences alone how the game stands, and
they hold that against the truth after every turn, as they hold the screen's words in the other tests.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.players.players import GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.state import Attack, AttackKind, Phase
from engine.rules.track import START, BySide, Side
from engine.table.desk import Settings
from firmware.extras.simulation.director import Director, GameShown, Shown
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.recording.replay import NoJournal
from firmware.table.sound.voice import SETTLED_S, Reader, ended
from tests.firmware.ui.scene_table import SceneTable
from vision.printed.table import Table

KEPT = Path(__file__).with_name("spoken_match.txt")
NUMBERS = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
SIDES = {"Ana": Side.WHITE, "Ben": Side.BLACK}
MATCH = MatchEvent("ferti-advanced", Side.WHITE, 2)


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
        glance = GameShown(self.phase, self.to_act, self.spaces, self.pile, self.attack, self.score)
        self._sight.watch(Shown(self.heard, self.ok, glance))

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
    people = People(BySide("Ana", "Ben"), "en")
    settings = Settings(middle_x_mm=table.play_area.middle[0])
    given: Any = (sight, sight, sight, NoJournal(), [listener], settings, people)
    loop = Loop(*given, mode="play")
    loop.open(MATCH)
    for _ in range(30_000):
        if loop.advance() is None:
            return director, listener
    raise AssertionError("it does not end")


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
