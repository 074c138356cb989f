"""A whole match of one person against the companion at the simulated table, put together the way the real one is."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from display.view import ViewModel
from engine.backs import DeckBacks
from engine.events import TurnEvent, YieldEvent
from engine.players import Bot, GreedyBot
from engine.track import Side
from firmware.cameras import TICK_S
from firmware.desk import Settings
from firmware.loop import Audience, Journal, Loop, Moment, People
from firmware.meanwhile import Meanwhile, Mover
from firmware.pace import PacedSource
from firmware.partner.companion import TablePartner
from firmware.simulation.camera import SimulatedTable
from firmware.simulation.director import Glance, Shown
from firmware.simulation.match import MatchPlan, MatchReport
from firmware.simulation.showing import backs_by_lot
from firmware.simulation.with_companion import WithCompanion
from vision.eyes import Eyes
from vision.sources import Source
from vision.synthetic.poses import camera_variant
from vision.synthetic.renderer import Renderer
from vision.table import Table


class CompanionMatch:
    """A match ready to be run: ``loop.run()``. The person reads English only."""

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
        *,
        paced: bool = False,
        screen: Mover | None = None,
    ) -> None:
        """``side`` is the companion's; ``people`` have it under the name of that ``strength``.

        ``paced``: at the speed of life, else as fast as the machine can.
        """
        backs = backs_by_lot(plan.seed)
        deck = DeckBacks(table.deck_letter, backs)
        self.director = WithCompanion(
            table,
            plan.match,
            GreedyBot(),
            side,
            backs,
            random.Random(plan.seed),
            tick_s=TICK_S,
            mistakes=plan.mistakes,
        )
        renderer = Renderer(table, camera_variant(table, plan.seed), plan.disturbances, plan.seed)
        self.camera = SimulatedTable(self.director, renderer, tick_s=TICK_S)
        source: Source = PacedSource(self.camera) if paced else self.camera
        if paced and screen is not None:
            source = Meanwhile(source, screen)
        settings = Settings(settle_s=plan.settle_s, middle_x_mm=table.play_area.middle[0])
        self.turns = 0
        self.loop = Loop(
            source, Eyes(table, None), self.camera, journal, (*audience, self), settings, people, mode="demo"
        )
        self.companion = TablePartner(lambda _: deck, strengths, meanwhile=False)
        self.companion.serve(self.loop)
        self.loop.open(plan.match)

    def attend(self, moment: Moment) -> None:
        """Let the person look at the screen, and count the turns that were refereed."""
        state, ruling = moment.desk.state, moment.desk.ruling
        glance = Glance.of(state) if state is not None else None
        ok = ruling is not None and ruling.ok
        self.camera.watch(Shown(moment.desk.verdicts, ok, glance, screen_words(moment.view)))
        for entry in moment.entries:
            self.turns += entry.ruling.ok and isinstance(entry.event, TurnEvent | YieldEvent)

    def report(self) -> MatchReport:
        """How it stands now. Raises nothing: a match cut short is reported as far as it went."""
        assert self.loop.desk.state is not None
        return MatchReport(self.loop.desk.state, self.director.state, self.director.tally, self.turns, self.loop.frames)


def screen_words(view: ViewModel) -> str:
    """What the screen says beside the game: the verdict band and the panel."""
    lines = [view.verdict.headline, view.verdict.detail]
    lines += [line.text for line in view.panel.lines] if view.panel is not None else []
    return "\n".join(lines)
