"""Whole matches as text: the record, and every state it goes through. A change of the rules is a readable diff.

``python tests/golden/test_golden.py`` writes the ``.states`` files anew from the ``.record`` files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.record.corrections import Setting
from engine.record.notation import parse_record, print_record, replay
from engine.rules.events import event_to_json
from tests.engine.conftest import record_of

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*.record"))


def playthrough(text: str) -> str:
    """One line for each event: what was done, and the table after it."""
    lines = []
    for event, state, ruling in replay(parse_record(text)):
        assert not isinstance(event, Setting)
        obj = event_to_json(event)
        what = [obj.pop("event"), *(f"{key}={_plain(value)}" for key, value in obj.items())]
        if ruling.event == "turn":
            what.append(f"-> {ruling.action.value if ruling.action else 'parry only'}")
        table = [
            f"round {state.round} {state.phase.value}",
            f"to act {state.to_act.value if state.to_act else '-'}",
            f"white {state.spaces.white} black {state.spaces.black} distance {state.distance}",
            f"hands {state.hands.white}-{state.hands.black} pile {state.pile}",
            f"score {state.score.white}-{state.score.black}",
        ]
        if state.attack is not None:
            attack = state.attack
            table.append(f"{attack.kind.value} attack by {attack.by.value}: {attack.count} of {attack.value}")
        if state.result is not None:
            winner = state.result.winner.value if state.result.winner else "nobody"
            table.append(f"{winner} wins: {state.result.reason.value}")
        if ruling.working is not None:
            working = ruling.working
            counts = f"cards {working.counts.white}-{working.counts.black}" if working.counts else "cards not compared"
            table.append(
                f"[{working.decided_by}, {working.source}; {counts}; "
                f"forward {working.advances.white}-{working.advances.black}]"
            )
        lines.append(f"{' '.join(what)}\n    {' | '.join(table)}\n")
    return "".join(lines)


def _plain(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def test_there_are_games_for_every_preset() -> None:
    presets = {parse_record(path.read_text(encoding="utf-8")).rules for path in RECORDS}
    assert len(RECORDS) >= 4
    assert len(presets) == 3


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_match_goes_as_it_went(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert playthrough(text) == path.with_suffix(".states").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_record_is_printed_as_it_was_read(path: Path) -> None:
    record = parse_record(path.read_text(encoding="utf-8"))
    printed = print_record(record)
    assert parse_record(printed) == record
    replayed = list(replay(record))
    events = [event for event, _, _ in replayed if not isinstance(event, Setting)]
    assert len(events) == len(replayed)
    assert record_of(events, record.names, record.date) == record


if __name__ == "__main__":
    for record_path in RECORDS:
        record_path.with_suffix(".states").write_text(
            playthrough(record_path.read_text(encoding="utf-8")), encoding="utf-8"
        )
