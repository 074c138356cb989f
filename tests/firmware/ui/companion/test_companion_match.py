"""A whole match against the companion on rendered frames: card backs, slots, screen, referee, and somebody's slips."""

from __future__ import annotations

from typing import cast

import pytest

from display.view import NO_NAMES
from engine.companion.companion import name_of
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.loop.moment import Moment, People
from firmware.table.recording.replay import NoJournal
from tests.tables import SMALL_TABLE
from vision.synthetic import PRESETS

pytestmark = pytest.mark.slow

SEED = 7  # a short one with several slips


def test_one_point_against_the_companion_seen_by_a_camera() -> None:
    backs: set[str] = set()
    unread = 0

    class Watch:
        def attend(self, moment: Moment) -> None:
            nonlocal unread
            backs.update(back.token for back in moment.look.table.backs)
            unread += len(moment.look.table.unread)

    people = People(NO_NAMES.put(Side.BLACK, name_of("fencer")), "de")
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.BLACK, 1), SEED, 0.5, PRESETS["typical"])
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), [Watch()], people, companion=Side.BLACK)
    match.loop.run()
    report = match.report()
    assert report.state.phase is Phase.MATCH_OVER
    assert report.agrees
    assert report.tally.wrong == []
    director, companion = cast(WithCompanion, match.director), match.companion
    assert companion is not None
    assert director.slips == director.noticed
    assert sum(director.slips.values()) >= 2
    held = {director._backs[card] for card in companion._companion.own | set(report.state.played)}
    assert backs <= held, "no back outside the slots was ever read"
    assert unread == 0
