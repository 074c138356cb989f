"""What the firmware's tests share."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from engine.course import Course, JournalEntry, follow
from engine.events import Event, MatchEvent, RoundEvent
from engine.players import RandomBot, choice_event
from engine.referee import judge
from engine.simulation import play, reveal, start_round
from engine.state import Phase, PublicState
from engine.track import BySide, Side
from firmware.scorebook import MatchJournal, MatchRow, Row, Scorebook, ruling_to_json
from vision.table import Table, load_table


@pytest.fixture(scope="session")
def table() -> Table:
    return load_table(Path(__file__).parents[2] / "hardware" / "table.toml")


def whole_match(seed: int, points: int = 2) -> tuple[Event, ...]:
    """Every event of a random match."""
    rng = random.Random(seed)
    events: list[Event] = [MatchEvent("ferti-advanced", Side.WHITE, points)]
    state: PublicState | None = judge(None, events[0])[0]
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state, rng)
        events.append(RoundEvent())
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            side = full.public.to_act
            event = (
                reveal(full) if side is None else choice_event(full.public, RandomBot().choose(full.view(side), rng))
            )
            full, ruling = play(full, event)
            assert ruling.ok
            events.append(event)
        state = full.public
    return tuple(events)


@pytest.fixture(scope="session", name="whole_match")
def whole_match_fixture() -> Callable[..., tuple[Event, ...]]:
    return whole_match


def keep(journal: MatchJournal, events: Iterable[Event], state: PublicState | None = None) -> PublicState | None:
    """Judge these events from this state on and put each into the journal; the state after them."""
    for number, event in enumerate(events):
        state, ruling = judge(state, event)
        assert ruling.ok, (event, ruling)
        journal.append(event, ruling, float(number))
    return state


@pytest.fixture(scope="session", name="keep")
def keep_fixture() -> Callable[..., PublicState | None]:
    return keep


def fill(book: Scorebook, names: BySide[str], entries: Iterable[JournalEntry], wall_s: float = 1_800_000_000.0) -> int:
    """Put a match with these entries into the book at once, which is faster than one by one; gives its number."""
    course: Course | None = None
    rows = []
    for seq, entry in enumerate(entries, 1):
        course, ruling = follow(course, entry)
        assert ruling.ok, (entry, ruling)
        rows.append(Row(seq, entry, ruling_to_json(ruling), float(seq), wall_s + seq))
    return book.add(MatchRow(0, names, "play", None, wall_s), rows)


@pytest.fixture(scope="session", name="fill")
def fill_fixture() -> Callable[..., int]:
    return fill
