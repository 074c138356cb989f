"""Who gets a connection, and who has to leave for it: nobody locks others out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from firmware.web.door import IDLE_S, STAY_S, Place, Places

COUNT = 6


class Visitors(RuleBasedStateMachine):
    """Visitors come, send their requests or stall, look at streams and leave; time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.places = Places(COUNT)
        self.inside: list[Place] = []
        self.now_s = 0.0

    def come(self, visitor: str) -> Place | None:
        """A connection of this visitor, and what has to hold whoever it is."""
        before = Counter(place.visitor for place in self.inside)
        place, lost = self.places.take(visitor, self.now_s)
        if len(self.inside) < COUNT:
            assert place is not None, "nobody is sent away while there is room"
            assert lost is None
        if lost is not None:
            assert place is not None
            age_s, largest = self.now_s - lost.since_s, max(before.values())
            over = before[lost.visitor] == largest > before[visitor] + 1
            fair = largest <= before[visitor] + 1
            assert over or (fair and (not lost.served or age_s >= STAY_S)), "fair shares are kept"
            assert over or not before[visitor] or lost.visitor == visitor, "nobody grows at the cost of his equals"
            self.inside.remove(lost)
        if place is None:
            assert max(before.values()) <= before[visitor] + 1, "whoever has less than others comes in"
            among = [each for each in self.inside if each.visitor == visitor or not before[visitor]]
            assert all(each.served and self.now_s - each.since_s < STAY_S for each in among)
        else:
            self.inside.append(place)
        return place

    @rule(visitor=st.sampled_from("abcdefgh"), served=st.booleans())
    def comes(self, visitor: str, served: bool) -> None:
        place = self.come(visitor)
        if place is not None:
            place.served = served

    @rule(count=st.integers(1, 3 * COUNT))
    def one_address_floods(self, count: int) -> None:
        for _ in range(count):
            self.come("flood")

    @precondition(lambda self: self.inside)
    @rule(data=st.data(), served=st.booleans())
    def goes_on(self, data: st.DataObject, served: bool) -> None:
        data.draw(st.sampled_from(self.inside)).served = served

    @precondition(lambda self: self.inside)
    @rule(data=st.data())
    def leaves(self, data: st.DataObject) -> None:
        place = data.draw(st.sampled_from(self.inside))
        self.inside.remove(place)
        self.places.free(place)
        self.places.free(place)

    @rule(after_s=st.sampled_from((0.1, IDLE_S, STAY_S)))
    def time_passes(self, after_s: float) -> None:
        self.now_s += after_s

    @rule(visitor=st.sampled_from(("a", "new")))
    def whoever_keeps_asking_comes_in(self, visitor: str) -> None:
        self.now_s += STAY_S
        assert self.come(visitor) is not None

    @invariant()
    def no_more_than_there_are_places(self) -> None:
        assert len(self.inside) <= COUNT


Visitors.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestVisitors = pytest.mark.slow(Visitors.TestCase)


def test_a_request_on_its_way_outlasts_old_streams() -> None:
    places = Places(3)
    streams = [places.take(visitor, 0.0)[0] for visitor in "abc"]
    for stream in streams:
        assert stream is not None
        stream.served = True
    quick, lost = places.take("quick", STAY_S)
    other, lost_next = places.take("other", STAY_S + IDLE_S / 2)
    assert [lost, lost_next] == streams[:2]
    assert quick
    assert other
    assert places.take("last", STAY_S + IDLE_S)[1] is quick, "now it is idle"
