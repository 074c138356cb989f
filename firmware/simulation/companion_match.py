"""A whole match of one person against the companion at the simulated table, put together the way the real one is."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.companion.backs import DeckBacks
from engine.players.players import Bot, GreedyBot
from engine.rules.track import Side
from firmware.camera.meanwhile import Mover
from firmware.companion.companion import TableCompanion
from firmware.loop.moment import Audience, Helper, Journal, People
from firmware.simulation.camera import TICK_S
from firmware.simulation.match import MatchPlan, TableMatch
from firmware.simulation.showing import backs_by_lot
from firmware.simulation.with_companion import WithCompanion
from vision.marks.foreign import Run, in_process
from vision.printed.table import Table


class CompanionMatch(TableMatch):
    """A match of one person against the companion."""

    director: WithCompanion

    def __init__(
        self,
        plan: MatchPlan,
        table: Table,
        journal: Journal,
        audience: Sequence[Audience],
        people: People,
        side: Side,
        strength: str,
        strengths: Mapping[str, Callable[[], Bot]],
        helpers: Sequence[Helper] = (),
        *,
        paced: bool = False,
        mover: Mover | None = None,
        run: Run = in_process,
    ) -> None:
        """``side`` is the companion's; ``people`` have it under the name of that ``strength``."""
        backs = backs_by_lot(plan.seed)
        deck = DeckBacks(table.deck_letter, backs)
        rng = random.Random(plan.seed)
        director = WithCompanion(
            table, plan.match, GreedyBot(), side, backs, rng, tick_s=TICK_S, mistakes=plan.mistakes
        )
        plan = replace(plan, open_hands=False)  # they are for two people
        self.companion = TableCompanion(lambda _: deck, strengths, table, people, meanwhile=False)
        helpers = (self.companion, *helpers)
        super().__init__(plan, table, director, journal, audience, people, helpers, paced=paced, mover=mover, run=run)
