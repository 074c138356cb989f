"""A player's own level: found by two matches in a row, up and down, and nowhere beyond the ladder."""

from __future__ import annotations

import pytest

from engine.players.bots.strengths import STRENGTHS, OwnLevel, own_level


def test_without_a_match_nothing_is_known() -> None:
    assert own_level([]) is None


@pytest.mark.parametrize(
    ("results", "strength"),
    [
        ([("fencer", True)], "fencer"),
        ([("fencer", True), ("fencer", True)], "club"),
        ([("fencer", True), ("fencer", False), ("fencer", True)], "fencer"),
        ([("fencer", False), ("fencer", False)], "novice"),
        ([("fencer", True), ("fencer", False), ("fencer", False)], "novice"),
        ([("fencer", False), ("fencer", True), ("fencer", True)], "club"),
        ([("novice", False)] * 5, "first-day"),
        ([("first-day", False)] * 5, "first-day"),
        ([("maestro", True)] * 5, "maestro"),
        # Beating who is weaker than one's level says nothing, nor does losing to who is stronger.
        ([("club", True), ("novice", True), ("fencer", True)], "club"),
        ([("fencer", False), ("maestro", False), ("master", False)], "fencer"),
        ([("club", True), ("novice", True), ("club", True)], "master"),
    ],
)
def test_two_in_a_row_change_it(results: list[tuple[str, bool]], strength: str) -> None:
    assert own_level(results) == OwnLevel(strength, len(results))


def test_whoever_beats_all_up_to_the_club_finds_the_master() -> None:
    """He plays what he is offered, and stays between the one he beats and the one that beats him."""
    ladder, results = list(STRENGTHS), [("novice", True)]
    for _ in range(20):
        level = own_level(results)
        assert level is not None
        results.append((level.strength, ladder.index(level.strength) <= ladder.index("club")))
    last = [own_level(results[:end]) for end in range(10, 20)]
    assert {level.strength for level in last if level is not None} == {"club", "master"}


def test_a_strength_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'wizard'"):
        own_level([("wizard", True)])
