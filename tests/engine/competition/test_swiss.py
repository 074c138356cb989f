"""Swiss rounds against every pairing there is: the fewest rematches, and everybody rests as often as the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.competition.bouts import Fenced, Score
from engine.competition.phases import NOBODY, Pairing, Swiss, matching, number_of_pairs

Met = frozenset[frozenset[str | None]]


@cache
def fewest(fencers: tuple[str, ...], met: Met) -> int:
    """The fewest rematches of all pairings there are."""
    if not fencers:
        return 0
    first, *others = fencers
    rest = {each: tuple(one for one in others if one != each) for each in others}
    return min((frozenset((first, each)) in met) + fewest(rest[each], met) for each in others)


def fenced_rounds(count: int, rounds: int, rng: Random, leaving: float = 0.0) -> Iterator[tuple[Swiss, Fenced]]:
    """Each round after it was paired, with what was known before it."""
    swiss, scores, gone = Swiss(1, tuple("ABCDEFGHIJ"[:count])), dict[str, tuple[Score, ...]](), frozenset[str]()
    for _ in range(rounds):
        if rng.random() < leaving and count - len(gone) > 3:
            gone |= {rng.choice([each for each in swiss.fencers if each not in gone])}
        known = Fenced(dict(scores), gone)
        swiss = replace(swiss, rounds=(*swiss.rounds, swiss.next_round(known, {})))
        yield swiss, known
        for bout in swiss.bouts(Fenced(scores, gone)):
            if bout.due:
                first = rng.random() < 0.5
                scores[bout.id] = (Score(5 if first else rng.randrange(5), 4 if first else 5, first),)


def pairs_and_rest(pairs: tuple[Pairing, ...]) -> tuple[list[frozenset[str | None]], list[str]]:
    return [frozenset(pair) for pair in pairs if pair[1] is not None], [one for one, other in pairs if other is None]


@pytest.mark.slow
@given(st.integers(2, 8), st.integers(1, 12), st.randoms(use_true_random=False), st.sampled_from((0.0, 0.2)))
def test_rematches_are_the_fewest_and_rests_are_shared(count: int, rounds: int, rng: Random, leaving: float) -> None:
    met, rested, last = set[frozenset[str | None]](), Counter[str](), list[str]()
    for swiss, known in fenced_rounds(count, rounds, rng, leaving):
        pairs, rests = pairs_and_rest(swiss.rounds[-1])
        here = [fencer for fencer in swiss.fencers if fencer not in known.gone]
        assert sorted([*rests, *(one or "" for pair in pairs for one in pair)]) == sorted(here)
        assert len(rests) == len(here) % 2
        least = min(rested[fencer] for fencer in here)
        may = [fencer for fencer in here if rested[fencer] == least and fencer not in last] or here
        assert all(rested[fencer] == least for fencer in rests)
        assert not rests or set(rests) <= set(may)
        groups = [tuple(one for one in here if one != each) for each in may] if rests else [tuple(here)]
        if len(swiss.rounds) > 1:
            assert sum(pair in met for pair in pairs) == min(fewest(group, frozenset(met)) for group in groups)
        met |= set(pairs)
        rested.update(rests)
        last = rests or last


def test_a_field_of_hundreds_is_paired_without_a_rematch() -> None:
    rng = Random(3)
    names = tuple(str(number) for number in range(241))
    swiss = Swiss(1, names)
    met = set[frozenset[str | None]]()
    for _ in range(4):
        scores = {
            bout.id: (Score(5, 3, True) if rng.random() < 0.5 else Score(3, 5, False),)
            for bout in swiss.bouts(Fenced())
            if bout.due
        }
        swiss = replace(swiss, rounds=(*swiss.rounds, swiss.next_round(Fenced(scores), {})))
        pairs, _ = pairs_and_rest(swiss.rounds[-1])
        assert not met & set(pairs)
        met |= set(pairs)


def test_once_all_have_met_equally_often_they_go_on_in_turn() -> None:
    rounds = [pairs_and_rest(swiss.rounds[-1])[0] for swiss, _ in fenced_rounds(4, 9, Random(1))]
    assert Counter(pair for pairs in rounds for pair in pairs) == dict.fromkeys({p for ps in rounds for p in ps}, 3)


@pytest.mark.slow
@given(st.integers(0, 8), st.data())
def test_a_matching_has_as_many_pairs_as_there_can_be(count: int, data: st.DataObject) -> None:
    edges = (
        data.draw(st.sets(st.sampled_from([(a, b) for a in range(count) for b in range(a)]))) if count > 1 else set()
    )
    out = data.draw(st.sets(st.integers(0, count - 1))) if count else set()
    may = [[b for b in range(count) if (a, b) in edges or (b, a) in edges] for a in range(count)]

    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        one, rest = min(left), left - {min(left)}
        return max([most(rest), *(1 + most(rest - {other}) for other in may[one] if other in rest)])

    mates = matching(may, matching(may), out)
    assert all(mates[mate] == one for one, mate in enumerate(mates) if mate != NOBODY)
    assert {one for one, mate in enumerate(mates) if mate == one} == out
    assert all(mate in may[one] for one, mate in enumerate(mates) if mate not in (NOBODY, one))
    assert number_of_pairs(mates) == most(frozenset(range(count)) - out)
