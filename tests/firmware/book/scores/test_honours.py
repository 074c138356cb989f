"""Feats: each earned by just what it says, and by nothing less."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.companion.companion import NAMES
from engine.rules.track import BySide
from firmware.book.scores.history import How, Summary
from firmware.book.scores.honours import MANY_POINTS, OFTEN, ROW, Honour, honours
from firmware.book.scores.players import house
from tests.firmware.book.scores.conftest import REASONS, a_match


def of_anas(number: int, other: str, rounds: str, ways: Sequence[How] = (How.DIRECT,), added: int = 0) -> Summary:
    """A match of Ana, to as many points as the better of the two has: ``w`` are the rounds that she won."""
    points = max(rounds.count("w") + added, rounds.count("b"))
    return a_match(number, "Ana", other, rounds, points=points, ways=ways, added=added)


def of_ana(*summaries: Summary) -> dict[Honour, int]:
    whole = house(summaries)
    ana = whole.player("Ana")
    assert ana is not None
    return honours(ana, whole)


def many(*rounds: str, other: str = "Bo") -> list[Summary]:
    return [of_anas(number, other, each) for number, each in enumerate(rounds, 1)]


CASES: dict[Honour, tuple[Callable[[], list[Summary]], Callable[[], list[Summary]]]] = {
    Honour.FIRST: (lambda: many("ww"), lambda: many("wbb")),
    Honour.CLEAN: (
        lambda: many("w-ww"),
        lambda: [*many("wbww"), of_anas(2, "Bo", "ww"), of_anas(3, "Bo", "ww", added=1)],
    ),
    Honour.COMEBACK: (lambda: many("bbbwwww"), lambda: many("bbwwbww", "bbbwwwb")),
    Honour.LAST_TOUCH: (lambda: many("wbw-bw"), lambda: many("wbww", "wbb")),
    Honour.ROW: (lambda: many(*["ww"] * ROW), lambda: many(*["ww"] * (ROW - 1), "bb", *["ww"] * (ROW - 1))),
    Honour.STRONGER: (
        lambda: [*bo_plays_cem(40), of_anas(41, "Bo", "ww")],
        lambda: [*bo_plays_cem(2), of_anas(25, "Bo", "ww"), of_anas(26, "Cem", "ww")],
    ),
    Honour.ALL_WAYS: (
        lambda: [of_anas(1, "Bo", "wwwbw", tuple(REASONS)), of_anas(2, "Bo", "ww", (How.DISTANCE,))],
        lambda: [of_anas(1, "Bo", "wwwbw", tuple(REASONS))],
    ),
    Honour.RIVALS: (lambda: many(*["bb"] * OFTEN), lambda: [*many(*["bb"] * (OFTEN - 1)), of_anas(OFTEN, "Cem", "bb")]),
    Honour.MAESTRO: (
        lambda: many("ww", other=name_of("maestro")),
        lambda: [*many("bb", other=name_of("maestro")), of_anas(2, name_of("master"), "ww")],
    ),
    Honour.POINTS: (
        lambda: many(*["wwwww"] * (MANY_POINTS // 5)),
        lambda: [*many(*["wwwww"] * (MANY_POINTS // 5 - 1)), of_anas(99, "Bo", "wwww", added=1)],
    ),
}
"""What earns it, and what does not quite."""


def name_of(strength: str) -> str:
    return next(name for name, each in NAMES.items() if each == strength)


def bo_plays_cem(times: int) -> list[Summary]:
    """Bo wins five of six: after many matches he is rated well above one who has not played, and that for sure."""
    matches = [of_anas(number, "Cem", "ww" if number % 6 else "bb") for number in range(1, times + 1)]
    return [replace(each, match=replace(each.match, names=BySide("Bo", "Cem"))) for each in matches]


@pytest.mark.parametrize("honour", Honour)
def test_it_is_earned_by_what_it_says_and_by_nothing_less(honour: Honour) -> None:
    earns, does_not = CASES[honour]
    assert of_ana(*earns())[honour] == earns()[-1].match.id
    assert honour not in of_ana(*does_not())
