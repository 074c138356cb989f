"""What other programs read of a turn that was read off the table."""

from __future__ import annotations

import pytest

from engine.rules.events import MatchEvent, event_to_json
from engine.rules.referee import judge
from engine.table.desk import Entry, ruled_to_json


@pytest.mark.parametrize(
    ("by_hand", "confirmed", "told"),
    [(False, False, {}), (True, False, {"by_hand": True}), (True, True, {"by_hand": True, "confirmed": True})],
)
def test_it_says_when_in_milliseconds_what_and_how_it_was_entered(
    by_hand: bool, confirmed: bool, told: dict[str, bool]
) -> None:
    event = MatchEvent("ferti-classic")
    state, ruling = judge(None, event)
    ruled = ruled_to_json(Entry(12.34567, event, ruling, state, by_hand=by_hand, confirmed=confirmed))
    assert ruled.pop("ruling")["ok"] is True
    assert ruled == {"t": 12.346, "event": event_to_json(event), **told}
