"""A whole match at the simulated table, put together the way the real one is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.companion.backs import DeckBacks
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot
from engine.rules.events import MatchEvent, TurnEvent, YieldEvent
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from firmware.extras.simulation.camera import TICK_S, backs_by_lot, simulated_table
from firmware.extras.simulation.director import Director, OpenHandsDirector, TruthTally
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.camera.meanwhile import Meanwhile, Mover, PacedSource
from firmware.table.loop.guard import Guard
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Audience, Helper, Journal, Moment, People
from firmware.ui.coach.coach import Coach, Mode
from firmware.ui.companion.companion import TableCompanion
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.marks.foreign import Run, in_process
from vision.printed.table import Table
from vision.synthetic.disturbances import Disturbances


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Everything that makes a simulated match what it is: the same plan is the same match.

    ``open_hands``: both agree at its beginning to lay their hands open, and are told what they can do.
    """

    match: MatchEvent
    seed: int
    mistakes: float
    disturbances: Disturbances
    settle_s: float = 1.0
    open_hands: bool = False


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How a simulated match went: the referee's last state beside the truth, and the counts."""

    state: PublicState
    truth: PublicState
    tally: TruthTally
    turns: int
    frames: int

    @property
    def agrees(self) -> bool:
        """Whether the referee's state is the true one, whatever order the cards of a turn were read in."""
        ours, true = self.state, self.truth
        return ours._replace(played=()) == true._replace(played=()) and set(ours.played) == set(true.played)


class SimulatedMatch:
    """A match ready to be run, of two bots or of a person against the companion: the loop, and eyes on its screen."""

    vital: Final = True  # those who play look at the screen through it

    def __init__(
        self,
        plan: MatchPlan,
        table: Table,
        journal: Journal,
        audience: Sequence[Audience],
        people: People,
        helpers: Sequence[Helper] = (),
        *,
        companion: Side | None = None,
        paced: bool = False,
        mover: Mover | None = None,
        run: Run = in_process,
    ) -> None:
        """``companion``: the side it plays, under its name in ``people``; open hands are for two people.

        ``paced``: at the speed of life, else as fast as the machine can; then the ``mover``, a screen, moves on.
        ``run`` as in ``Eyes``.
        """
        self.companion: TableCompanion | None = None
        given: dict[str, Any] = {"rng": random.Random(plan.seed), "tick_s": TICK_S, "mistakes": plan.mistakes}
        if companion is not None:
            backs = backs_by_lot(plan.seed)
            deck = DeckBacks(table.deck_letter, backs)
            self.companion = TableCompanion(lambda _: deck, STRENGTHS, table, people, meanwhile=False)
            helpers = (self.companion, *helpers)
            self.director: Director = WithCompanion(table, plan.match, GreedyBot(), companion, backs, **given)
        else:
            playing = OpenHandsDirector if plan.open_hands else Director
            self.director = playing(table, plan.match, BySide(GreedyBot(), GreedyBot()), **given)
            if plan.open_hands:
                coach = Coach(table.play_area, people)
                coach.propose(Mode.OPEN)
                helpers = (coach, *helpers)
        self.camera = simulated_table(table, self.director, plan.disturbances, plan.seed)
        self.turns = 0
        settings = Settings(settle_s=plan.settle_s, middle_x_mm=table.play_area.middle[0])
        source: Source = PacedSource(self.camera) if paced else self.camera
        guard = Guard()
        if paced and mover is not None:
            source = Meanwhile(source, mover, guard)
        seen = source, Eyes(table, run=run), self.camera, journal, (*audience, self), settings, people, helpers
        self.loop = Loop(*seen, mode="demo", guard=guard)
        self.loop.open(plan.match)

    def attend(self, moment: Moment) -> None:
        """Let the players look at the screen, and count the turns that were refereed."""
        self.camera.attend(moment)
        for entry in moment.entries:
            self.turns += entry.ruling.ok and isinstance(entry.event, TurnEvent | YieldEvent)

    def report(self) -> MatchReport:
        """How it stands now. Raises nothing: a match cut short is reported as far as it went."""
        assert self.loop.desk.state is not None
        return MatchReport(self.loop.desk.state, self.director.state, self.director.tally, self.turns, self.loop.frames)


def winner(state: PublicState) -> Side | None:
    """The winner of the match, None while there is none."""
    if state.phase is not Phase.MATCH_OVER:
        return None
    return Side.WHITE if state.score.white > state.score.black else Side.BLACK
