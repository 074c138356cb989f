"""Contacts that bounce: presses and holds are told once, with the right time, however often one looks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.table.panel.debounce import BOUNCE_S, HOLD_S, Contact, Edge, Gesture, GestureKind, debounce

PRESS, HOLD = GestureKind.PRESS, GestureKind.HOLD


def _edges(*times_s: float) -> list[Edge]:
    """Edges at these times, going down first and then up and down in turn."""
    return [Edge(t_s, place % 2 == 0) for place, t_s in enumerate(times_s)]


def _told(edges: list[Edge], until_s: float) -> list[tuple[str, object]]:
    _, gestures = debounce(Contact(), edges, until_s)
    return [(gesture.kind.value, pytest.approx(gesture.t_s)) for gesture in gestures]


@pytest.mark.parametrize(
    ("times_s", "told"),
    [
        ((), []),
        ((1.0,), [("press", 1.0), ("hold", 2.0)]),
        ((1.0, 1.1), [("press", 1.0)]),
        ((1.0, 1.019), []),  # a spike
        ((1.0, 1.002, 1.004, 1.006, 1.008, 1.2), [("press", 1.008)]),  # bounces going down
        ((1.0, 1.2, 1.203, 1.205, 1.209, 1.212), [("press", 1.0)]),  # bounces coming up
        ((1.0, 1.2, 1.25, 1.4), [("press", 1.0), ("press", 1.25)]),  # twice, quickly
        ((1.0, 1.5, 1.51, 1.9), [("press", 1.0)]),  # loses contact for a moment while held
        ((1.0, 1.99, 2.005, 2.5), [("press", 1.0), ("hold", 2.0)]),  # loses it just when it becomes a hold
        ((1.0, 1.99, 2.3), [("press", 1.0), ("press", 2.3), ("hold", 3.3)]),  # let go in time
    ],
)
def test_what_is_told(times_s: tuple[float, ...], told: list[tuple[str, float]]) -> None:
    assert _told(_edges(*times_s), 10.0) == told


def test_a_press_is_told_only_when_it_is_certain() -> None:
    contact, gestures = debounce(Contact(), _edges(1.0), 1.0 + BOUNCE_S / 2)
    assert gestures == ()
    contact, gestures = debounce(contact, (), 1.0 + BOUNCE_S * 1.01)
    assert gestures == (Gesture(PRESS, 1.0),)
    contact, gestures = debounce(contact, (), 1.0 + HOLD_S * 0.99)
    assert gestures == ()
    contact, gestures = debounce(contact, (), 1.0 + HOLD_S * 1.01)
    assert gestures == (Gesture(HOLD, 1.0 + HOLD_S),)
    assert debounce(contact, (), 100.0)[1] == ()


def test_a_contact_that_has_opened_is_held_no_longer() -> None:
    contact, _ = debounce(Contact(), _edges(1.0, 1.99), 1.995)
    assert debounce(contact, (), 2.005) == (contact, ())  # a second after the press, and not yet surely up


def test_an_edge_that_comes_twice_changes_nothing() -> None:
    twice = [Edge(1.0, True), Edge(1.01, True), Edge(1.1, False), Edge(1.11, False)]
    assert _told(twice, 5.0) == [("press", 1.0)]


# Whole milliseconds as powers of two, so that sums are exact.
TICK_S = 1 / 1024
edge_lists = st.lists(st.integers(1, 1500), max_size=20).map(
    lambda gaps: _edges(*[sum(gaps[: place + 1]) * TICK_S for place in range(len(gaps))])
)


@given(edge_lists, st.lists(st.integers(0, 40_000), max_size=30))
def test_how_often_one_looks_makes_no_difference(edges: list[Edge], looks: list[int]) -> None:
    end_s = 50.0
    at_once = debounce(Contact(), edges, end_s)
    contact, waiting = Contact(), list(edges)
    gestures: tuple[Gesture, ...] = ()
    for look_s in [*sorted(look * TICK_S for look in looks), end_s]:
        taken = [edge for edge in waiting if edge.t_s <= look_s]
        waiting = waiting[len(taken) :]
        contact, more = debounce(contact, taken, look_s)
        gestures += more
    assert (contact, gestures) == at_once


@given(edge_lists)
def test_presses_alternate_with_at_most_one_hold_each(edges: list[Edge]) -> None:
    _, gestures = debounce(Contact(), edges, 100.0)
    kinds = [gesture.kind for gesture in gestures]
    assert kinds[:1] in ([], [PRESS])
    for before, after in pairwise(kinds):
        assert (before, after) != (HOLD, HOLD)
    assert [gesture.t_s for gesture in gestures] == sorted(gesture.t_s for gesture in gestures)
    assert kinds.count(PRESS) <= sum(edge.down for edge in edges)
