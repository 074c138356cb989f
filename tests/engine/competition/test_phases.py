"""What each kind of competition does at its edges, worked out by hand; Swiss rounds against every pairing there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.competition.bouts import (
    Bout,
    CompetitionError,
    Entrant,
    Fenced,
    Placed,
    Score,
    StandingLine,
    level,
    lines_of,
    placed,
)
from engine.competition.events import (
    MAX_FENCERS,
    Corrected,
    Entered,
    FencedAgain,
    Left,
    Log,
    LotsDrawn,
    MatchFenced,
    PoolsBegun,
    TableauBegun,
)
from engine.competition.phases import NOBODY, Pairing, Pools, Swiss, Tableau, composed, matching, number_of_pairs
from tests.engine.competition.conftest import begun

WON, LOST = Score(5, 2, True), Score(1, 5, False)


def pairs(bouts: tuple[Bout, ...]) -> list[tuple[str, str | None, str | None]]:
    return [(bout.id, bout.first, bout.second) for bout in bouts]


def test_only_bouts_that_are_over_and_count_make_a_line() -> None:
    bouts = (
        Bout("1", "a", "b", scores=(WON,)),
        Bout("2", "c", "a", scores=(LOST,)),
        Bout("3", "b", "c"),
        Bout("4", "b", "c", scores=(WON,), annulled=True),
        Bout("5", "b", None, forfeit="b"),
    )
    assert lines_of("abc", bouts) == (
        StandingLine("a", 2, 2, 10, 3),
        StandingLine("b", 1, 0, 2, 5),
        StandingLine("c", 1, 0, 1, 5),
    )
    assert lines_of("ab", bouts[:2]) == (StandingLine("a", 2, 2, 10, 3), StandingLine("b", 1, 0, 2, 5))


def test_pools_are_ordered_by_shares_and_swiss_rounds_by_victories() -> None:
    few, many = StandingLine("few", 2, 2, 10, 0), StandingLine("many", 3, 3, 15, 12)
    beaten, none = StandingLine("beaten", 4, 2, 12, 14), StandingLine("none", 0, 0, 0, 0)
    lines = (none, beaten, many, few)
    assert [each.line.fencer for each in placed(lines, {})] == ["few", "many", "beaten", "none"]
    assert [each.line.fencer for each in placed(lines, {}, victories=True)] == ["many", "few", "beaten", "none"]
    met_better = StandingLine("met better", 2, 2, 6, 9, more=3)
    assert placed((few, met_better), {}, victories=True)[0].line is met_better


def test_lots_part_those_who_are_level() -> None:
    lines = [StandingLine(name, 2, 1, 7, 7) for name in "abc"]
    standing = placed([*lines, StandingLine("last", 2, 0, 3, 10)], {})
    assert [each.place for each in standing] == [1, 1, 1, 4]
    assert level(standing) == (("a", "b", "c"),)
    assert [(each.place, each.line.fencer) for each in placed(lines, {"c": 1, "a": 2, "b": 3})] == [
        (1, "c"),
        (2, "a"),
        (3, "b"),
    ]


def test_pools_are_dealt_to_and_fro_and_who_comes_late_joins_the_smallest() -> None:
    groups = composed("123456789", 2)
    assert groups == (tuple("14589"), tuple("2367"))
    assert Pools(1, groups).joined("late").groups == (tuple("14589"), (*"2367", "late"))
    assert composed("123456", 2) == (tuple("145"), tuple("236"))
    for count in (0, 3):
        with pytest.raises(CompetitionError, match="3 fencers each"):
            composed("12345678", count)


def test_two_fence_a_final_and_nobody_the_third_place() -> None:
    alone = Tableau(1, ("a", "b"), third=True)
    assert pairs(alone.bouts(Fenced())) == [("1T2-1", "a", "b")]
    assert alone.ranking(Fenced({"1T2-1": (LOST,)})) == ((1, "b"), (2, "a"))


def test_the_third_place_is_fenced_for_before_the_final() -> None:
    seeds, semis = tuple("abcd"), {"1T4-1": (WON,), "1T4-2": (LOST,)}
    fought = Tableau(1, seeds, third=True)
    assert pairs(fought.bouts(Fenced(semis)))[2:] == [("1T3-1", "d", "c"), ("1T2-1", "a", "b")]
    assert fought.ranking(Fenced(semis)) == ()
    over = {**semis, "1T3-1": (LOST,), "1T2-1": (WON,)}
    assert fought.ranking(Fenced(over)) == ((1, "a"), (2, "b"), (3, "c"), (4, "d"))
    assert Tableau(1, seeds).ranking(Fenced({**semis, "1T2-1": (WON,)})) == ((1, "a"), (2, "b"), (3, "c"), (3, "d"))


def test_byes_are_in_the_first_round_alone() -> None:
    """Later on an empty place is somebody who is not known yet."""
    five = Tableau(1, tuple("abcde"))
    assert [bout.winner for bout in five.rounds(Fenced())[0]] == ["a", None, "c", "b"]
    assert [bout.winner for bout in five.rounds(Fenced())[1]] == [None, None]
    assert pairs(five.rounds(Fenced())[1]) == [("1T4-1", "a", None), ("1T4-2", "c", "b")]


def test_where_both_have_left_the_better_seed_goes_on_in_name() -> None:
    four = Tableau(1, tuple("abcd"))
    assert four.rounds(Fenced(gone=frozenset("ad")))[0][0].winner == "a"
    assert four.rounds(Fenced(gone=frozenset("bc")))[0][1].winner == "b"
    assert four.rounds(Fenced(gone=frozenset("a")))[0][0].winner == "d"
    fenced = Fenced({"1T4-1": (LOST,)}, frozenset("d"))
    assert four.rounds(fenced)[0][0].winner == "d", "what was fenced before he left stands"


def test_swiss_rounds_pair_upper_against_lower_and_then_the_best_with_the_best() -> None:
    swiss = Swiss(2, tuple("abcde"))
    first = swiss.next_round(Fenced(), {})
    assert first == (("a", "c"), ("b", "d"), ("e", None))
    begun = Swiss(2, swiss.fencers, (first,))
    assert pairs(begun.bouts(Fenced())) == [("2S1-1", "a", "c"), ("2S1-2", "b", "d"), ("2S1-3", "e", None)]
    fenced = Fenced({"2S1-1": (WON,), "2S1-2": (Score(5, 0, True),)})
    lines = {line.fencer: line for line in begun.lines(fenced)}
    assert lines["e"] == StandingLine("e", 1, 1, 0, 0), "who rests wins without a touch"
    assert lines["c"] == StandingLine("c", 1, 0, 2, 5, more=1)
    assert lines["a"] == StandingLine("a", 1, 1, 5, 2, more=0)
    # b, a and e have won, c lost by less than d, and d rests: e has rested.
    assert begun.next_round(fenced, {}) == (("b", "a"), ("e", "c"), ("d", None))


def test_who_has_left_is_not_paired_and_loses_what_was_due() -> None:
    swiss = Swiss(1, tuple("abcd"), ((("a", "c"), ("b", "d")),))
    gone = Fenced({"1S1-2": (WON,)}, frozenset("c"))
    assert [bout.winner for bout in swiss.bouts(gone)] == ["a", "b"]
    assert [bout.winner for bout in swiss.bouts(Fenced(gone=frozenset("a")))] == ["c", None]
    assert swiss.next_round(gone, {}) == (("b", "a"), ("d", None))


def test_there_is_room_for_so_many() -> None:
    full = begun(fencers=MAX_FENCERS)
    assert len(full.standing.fencers) == 1024
    with pytest.raises(CompetitionError, match="room for 1024"):
        full.and_then(Entered(Entrant("more", "More")))


def test_lots_drawn_later_come_after_those_drawn_before() -> None:
    log = begun(LotsDrawn(("4", "2")), LotsDrawn(("1", "3")))
    assert log.standing.lots == {"4": 1, "2": 2, "1": 3, "3": 4}


def test_a_match_is_corrected_by_its_number() -> None:
    log = begun(TableauBegun(best_of=3), MatchFenced("1T2-1", 5, 1, True), fencers=2)
    for at in (0, 2):
        with pytest.raises(CompetitionError, match=f"match {at} is to be corrected, there are 1"):
            log.and_then(Corrected("1T2-1", at, 1, 5, False))
    assert log.and_then(Corrected("1T2-1", 1, 2, 5, False)).standing.scores == {"1T2-1": (Score(2, 5, False),)}
    assert log.and_then(FencedAgain("1T2-1")).standing.bout("1T2-1").scores == ()


def test_who_left_is_not_here_any_more() -> None:
    with pytest.raises(CompetitionError, match="not among those who fence"):
        begun(Left("2"), Left("2"))


LEVEL_POOL: Final = {
    "1-2": (5, 3), "4-5": (2, 5), "2-3": (5, 4), "5-6": (5, 1), "3-1": (5, 2),
    "6-4": (5, 4), "2-5": (3, 5), "1-4": (5, 0), "5-3": (4, 5), "1-6": (5, 2),
    "4-2": (5, 3), "3-6": (5, 3), "5-1": (5, 4), "3-4": (5, 1), "6-2": (2, 5),
}  # fmt: skip
"""A pool in which 3 and 5 are level in everything, and 4 and 6 in victories and indicator."""
LEVEL_SHEET: Final = [
    (1, "3", 5, 4, 24, 15, 9),
    (1, "5", 5, 4, 24, 15, 9),
    (3, "1", 5, 3, 21, 15, 6),
    (4, "2", 5, 2, 19, 21, -2),
    (5, "6", 5, 1, 13, 24, -11),
    (6, "4", 5, 1, 12, 23, -11),
]


def fenced_pool(results: dict[str, tuple[int, int]]) -> Log:
    log = begun(PoolsBegun(1))
    for names, touches in results.items():
        pair = tuple(names.split("-"))
        bout = next(each for each in log.standing.bouts if {each.first, each.second} == {*pair})
        first, second = touches if (bout.first, bout.second) == pair else touches[::-1]
        log = log.and_then(MatchFenced(bout.id, first, second, first > second))
    return log


def sheet(standing: tuple[Placed, ...]) -> list[tuple[int, str, int, int, int, int, int]]:
    rows = ((each.place, each.line) for each in standing)
    return [
        (place, line.fencer, line.bouts, line.victories, line.given, line.received, line.indicator)
        for place, line in rows
    ]


def test_those_who_are_level_draw_lots() -> None:
    log = fenced_pool(LEVEL_POOL)
    assert sorted(sheet(log.standing.standing())) == sorted(LEVEL_SHEET)
    assert log.standing.level() == (("3", "5"),)
    with pytest.raises(CompetitionError, match=r"Fencer 3, Fencer 5 are level .* draw lots"):
        log.and_then(TableauBegun())
    drawn = log.and_then(LotsDrawn(("5", "3"))).and_then(TableauBegun())
    assert drawn.standing.phase.fencers == ("5", "3", "1", "2", "6", "4")
    # Six in a tableau of eight: the first two have a bye, 4 meets 5 and 3 meets 6 of the ranking.
    assert [(bout.first, bout.second) for bout in drawn.standing.due()] == [("6", "2"), ("1", "4")]


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
