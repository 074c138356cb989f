"""Rounds with open hands at the simulated table: with eyes that see perfectly, and on rendered frames."""

from __future__ import annotations

import random

import pytest

from engine.players.players import Bot, GreedyBot, RandomBot
from engine.rules.events import MatchEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.extras.simulation.director import OpenHandsDirector
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.ui.coach.coach import Coach, Mode
from tests.firmware.ui.scene_table import TICK_S, SceneTable
from tests.tables import SMALL_TABLE
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL

pytestmark = pytest.mark.slow


class Reader:
    """Notes whose turns were told, and what was wrong with a hand while nobody's hand was over the table."""

    def __init__(self) -> None:
        self.told: dict[Side, int] = {}
        self.turns: set[tuple[Side, int]] = set()

    def attend(self, moment: Moment) -> None:
        state, panel = moment.desk.state, moment.view.panel
        if state is not None and state.to_act is not None and panel is not None and "can do" in panel.title:
            assert panel.title.split()[1].lower() == state.to_act.value
            if panel.lines[0].cards or "no legal turn" in panel.lines[0].text:
                self.turns.add((state.to_act, len(state.played)))


class Watched(SceneTable):
    """Two players with open hands, and the coach between their table and the loop."""

    def __init__(self, table: Table, seed: int, mistakes: float, points: int = 1) -> None:
        match = MatchEvent(sorted(RULE_SETS)[seed % 3], Side.WHITE, points)
        bots: BySide[Bot] = BySide(GreedyBot(), RandomBot() if seed % 2 else GreedyBot())
        self.director = OpenHandsDirector(table, match, bots, random.Random(seed), tick_s=TICK_S, mistakes=mistakes)
        super().__init__(table, self.director)
        self.reader = Reader()
        people = People(BySide("White", "Black"), "en")
        self.coach = Coach(table.play_area, people)
        self.loop = self.refereed(people, [self.coach], [self.reader, self], settle_s=1.0)
        self.coach.propose(Mode.OPEN)
        self.loop.open(match)


def same(ours: PublicState | None, true: PublicState) -> bool:
    """Whether the referee's state is the true one, in whatever order the cards of a turn were read."""
    assert ours is not None
    return ours._replace(played=()) == true._replace(played=()) and set(ours.played) == set(true.played)


@pytest.mark.parametrize("seed", range(8))
def test_rounds_with_open_hands_end_as_the_truth_says(table: Table, seed: int) -> None:
    at = Watched(table, seed, mistakes=0.3 if seed > 3 else 0.0)
    at.loop.run()
    assert at.coach.is_on(Mode.OPEN)
    assert at.loop.desk.state is not None
    assert at.loop.desk.state.phase is Phase.MATCH_OVER
    assert same(at.loop.desk.state, at.director.state)
    assert at.director.tally.wrong == []
    assert at.director.tally.unanswered == 0
    # Every turn was told before it was made: the hand that lies there is the one that was dealt.
    assert len(at.reader.turns) >= at.director.tally.turns - 1


def test_an_open_handed_round_on_rendered_frames() -> None:
    """Question, both buttons, hands laid open, two turns with what each could do, read by the real eyes."""
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 1), 2, 0.0, TYPICAL, open_hands=True)
    reader, asked = Reader(), []

    class Questions:
        def attend(self, moment: Moment) -> None:
            asked.append(moment.view.verdict.headline)

    people = People(BySide("White", "Black"), "en")
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), (reader, Questions()), people)
    while match.turns < 2:
        assert match.loop.advance() is not None
        assert match.loop.frames < 260
    assert "Play this match with open cards?" in asked
    assert "You both agreed: play with open cards." in asked
    assert {side for side, _ in reader.turns} == set(Side)
    assert len(reader.turns) >= 2
    assert match.director.tally.wrong == []
    assert match.loop.desk.state is not None
    assert len(match.loop.desk.state.played) == match.loop.desk.verdicts - 2  # match and round: no turn was refused
