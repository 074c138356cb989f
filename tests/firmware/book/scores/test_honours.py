"""Feats: each earned by just what it says, and by nothing less."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.companion.companion import NAMES
from engine.rules.state import Reason, Result
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow
from firmware.book.scores.history import How, RoundFacts, Summary
from firmware.book.scores.honours import MANY_POINTS, OFTEN, ROW, Earned, Honour, honours
from firmware.book.scores.players import house

REASONS = {
    How.DIRECT: Reason.HIT,
    How.INDIRECT: Reason.HIT,
    How.CARDS: Reason.MORE_ATTACK_CARDS,
    How.DISTANCE: Reason.FURTHER_ADVANCED,
    How.STUCK: Reason.NO_LEGAL_MOVE,
}
Match = tuple[str, str]
"""Ana's opponent, and the rounds: ``a`` won by Ana, ``o`` by the other, ``-`` drawn."""


def a_match(number: int, other: str, rounds: str, ways: Sequence[How] = (How.DIRECT,), added: int = 0) -> Summary:
    """A match of Ana, to as many points as the better of the two has."""
    ended = []
    for place, letter in enumerate(rounds):
        winner = {"a": Side.WHITE, "o": Side.BLACK}.get(letter)
        how = ways[place % len(ways)] if winner is not None else None
        ended.append(RoundFacts(Side.WHITE, 9, Result(winner, REASONS[how] if how else Reason.DRAW), how))
    score = BySide(rounds.count("a") + added, rounds.count("o"))
    points = max(score.white, score.black)
    winner = Side.WHITE if score.white == points else Side.BLACK
    row = MatchRow(number, BySide("Ana", other), "play", None, 1000.0)
    given = ("ferti-advanced", points, Side.WHITE, score, winner, True, len(rounds), 9 * len(rounds))
    return Summary(row, *given, tuple(ended), "")


def of_ana(*summaries: Summary) -> dict[Honour, int]:
    whole = house(summaries)
    ana = whole.player("Ana")
    assert ana is not None
    found = honours(ana, whole)
    assert [each.honour for each in found] == [honour for honour in Honour if honour in {one.honour for one in found}]
    return {each.honour: each.match for each in found}


def many(*rounds: str, other: str = "Bo") -> list[Summary]:
    return [a_match(number, other, each) for number, each in enumerate(rounds, 1)]


CASES: dict[Honour, tuple[Callable[[], list[Summary]], Callable[[], list[Summary]]]] = {
    Honour.FIRST: (lambda: many("aa"), lambda: many("aoo")),
    Honour.CLEAN: (
        lambda: many("a-aa"),
        lambda: [*many("aoaa"), a_match(2, "Bo", "aa"), a_match(3, "Bo", "aa", added=1)],
    ),
    Honour.COMEBACK: (lambda: many("oooaaaa"), lambda: many("ooaaoaa", "oooaaao")),
    Honour.LAST_TOUCH: (lambda: many("aoa-oa"), lambda: many("aoaa", "aoo")),
    Honour.ROW: (lambda: many(*["aa"] * ROW), lambda: many(*["aa"] * (ROW - 1), "oo", *["aa"] * (ROW - 1))),
    Honour.STRONGER: (
        lambda: [*bo_plays_cem(40), a_match(41, "Bo", "aa")],
        lambda: [*bo_plays_cem(2), a_match(25, "Bo", "aa"), a_match(26, "Cem", "aa")],
    ),
    Honour.ALL_WAYS: (
        lambda: [a_match(1, "Bo", "aaaoa", tuple(REASONS)), a_match(2, "Bo", "aa", (How.DISTANCE,))],
        lambda: [a_match(1, "Bo", "aaaoa", tuple(REASONS))],
    ),
    Honour.RIVALS: (
        lambda: many(*["oo"] * OFTEN),
        lambda: [*many(*["oo"] * (OFTEN - 1)), a_match(OFTEN, "Cem", "oo")],
    ),
    Honour.MAESTRO: (
        lambda: many("aa", other=name_of("maestro")),
        lambda: [*many("oo", other=name_of("maestro")), a_match(2, name_of("master"), "aa")],
    ),
    Honour.POINTS: (
        lambda: many(*["aaaaa"] * (MANY_POINTS // 5)),
        lambda: [*many(*["aaaaa"] * (MANY_POINTS // 5 - 1)), a_match(99, "Bo", "aaaa", added=1)],
    ),
}
"""What earns it, and what does not quite."""


def name_of(strength: str) -> str:
    return next(name for name, each in NAMES.items() if each == strength)


def bo_plays_cem(times: int) -> list[Summary]:
    """Bo wins five of six: after many matches he is rated well above one who has not played, and that for sure."""
    matches = [a_match(number, "Cem", "aa" if number % 6 else "oo") for number in range(1, times + 1)]
    return [replace(each, match=replace(each.match, names=BySide("Bo", "Cem"))) for each in matches]


@pytest.mark.parametrize("honour", Honour)
def test_it_is_earned_by_what_it_says_and_by_nothing_less(honour: Honour) -> None:
    earns, does_not = CASES[honour]
    assert of_ana(*earns())[honour] == earns()[-1].match.id
    assert honour not in of_ana(*does_not())


def test_the_match_that_completed_it_first_is_named() -> None:
    whole = house(many("aa", "oo", "aa"))
    ana, bo = whole.player("ana"), whole.player("Bo")
    assert ana is not None
    assert bo is not None
    assert honours(ana, whole) == (Earned(Honour.FIRST, 1),)
    assert honours(bo, whole) == (Earned(Honour.FIRST, 2),)
