"""Players: what finished matches say about each, and about each two."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.rulesets import RULE_SETS
from engine.rules.track import Side
from firmware.book.scores.history import Summary
from firmware.book.scores.players import FORM_MATCHES, house, players
from firmware.book.scores.ratings import START_DEVIATION, UNSURE_DEVIATION, rating_lines
from firmware.core.names import person_key
from tests.firmware.book.scores.conftest import REASONS, a_match

pytestmark = pytest.mark.slow

FEW = settings(max_examples=30, deadline=None)
PEOPLE = ("Ana", "Bo", "Cem", "ana ", "BO")


@st.composite
def books(draw: st.DrawFn) -> list[Summary]:
    """Matches of a few people in any spelling, won, lost, cut off, under any preset, some of bots."""
    matches = []
    for number in range(1, draw(st.integers(0, 12)) + 1):
        points = draw(st.integers(1, 3))
        rounds, made = "", {"w": 0, "b": 0}
        for letter in draw(st.lists(st.sampled_from("wb-"), max_size=8)):
            if max(made.values()) < points:
                rounds += letter
                made |= {letter: made[letter] + 1} if letter in made else {}
        matches.append(
            a_match(
                number,
                draw(st.sampled_from(PEOPLE)),
                draw(st.sampled_from(PEOPLE)),
                rounds,
                points=points,
                starter=draw(st.sampled_from(Side)),
                rules=draw(st.sampled_from(sorted(RULE_SETS))),
                mode=draw(st.sampled_from(("play", "play", "play", "demo"))),
                ways=[draw(st.sampled_from(sorted(REASONS, key=str)))],
            )
        )
    return matches


def counts(summary: Summary) -> bool:
    """Whether this match says something about two people."""
    one, other = summary.match.names.map(person_key).white, summary.match.names.map(person_key).black
    return summary.match.mode == "play" and summary.finished and one != other


@given(books())
@FEW
def test_everything_adds_up(matches: list[Summary]) -> None:
    everybody = players(matches)
    finished = [summary for summary in matches if counts(summary)]
    assert len({player.key for player in everybody}) == len(everybody)
    assert sum(player.tally.played for player in everybody) == 2 * len(finished)
    assert sum(player.tally.won for player in everybody) == len(finished)
    assert sum(player.starts.matches for player in everybody) == len(finished)
    rounds = sum(len(summary.ended) for summary in finished)
    assert sum(player.starts.rounds for player in everybody) == rounds
    assert sum(player.starts.other_rounds for player in everybody) == rounds
    for player in everybody:
        assert sum(player.points_by.values()) == player.tally.points_for
        assert sum(player.conceded_by.values()) == player.tally.points_against
        won = player.starts.rounds_won + player.starts.other_rounds_won
        assert won == player.tally.points_for
        assert player.lengths.rounds == player.tally.points_for + player.tally.points_against + player.lengths.drawn
        assert len(player.form) == min(FORM_MATCHES, player.tally.played)
        assert abs(player.streak) <= player.tally.played
        assert max(player.streak, 0) <= player.longest_streak <= player.tally.won
        assert (player.longest_streak == 0) == (player.tally.won == 0)


@given(books())
@FEW
def test_head_to_head_is_the_same_from_both_sides(matches: list[Summary]) -> None:
    by_key = {player.key: player for player in players(matches)}
    for key, player in by_key.items():
        assert sum(each.played for each in player.against.values()) == player.tally.played
        for opponent, mine in player.against.items():
            theirs = by_key[opponent].against[key]
            assert (mine.played, mine.won, mine.lost) == (theirs.played, theirs.lost, theirs.won)
            assert (mine.points_for, mine.points_against) == (theirs.points_against, theirs.points_for)


@given(books())
@FEW
def test_the_presets_together_are_everything(matches: list[Summary]) -> None:
    whole = house(matches)
    for player in whole.players:
        parts = list(whole.under(player).values())
        assert sum(part.tally.played for part in parts) == player.tally.played
        assert sum(part.tally.points_for for part in parts) == player.tally.points_for
    for preset in RULE_SETS:
        assert {player.key for player in house(matches, preset).players} == {
            player.key for player in whole.by_preset[preset]
        }


@given(books())
@FEW
def test_ratings_follow_wins(matches: list[Summary]) -> None:
    everybody = {player.key: player for player in players(matches)}
    assert all((player.rating is None) == (not player.fights) for player in everybody.values())
    for player in everybody.values():
        if player.rating is None:
            continue
        assert [number for number, _ in player.rating.after] == [fight.summary.match.id for fight in player.fights]
        after = [rating.points for _, rating in player.rating.after]
        for fight, (before, now) in zip(player.fights[1:], pairwise(after), strict=True):
            assert now >= before if fight.won else now <= before
        assert 0 < player.rating.now.deviation <= START_DEVIATION


def test_spellings_are_one_player_called_as_he_was_spelled_last() -> None:
    everybody = players([a_match(1, "ANA", "Bo"), a_match(2, "Bo", "ana"), a_match(3, " Ana", "Bo")])
    assert [(player.name, player.tally.played) for player in everybody] == [(" Ana", 3), ("Bo", 3)]


def test_streaks_are_in_the_order_of_the_book() -> None:
    """The clock of these matches runs backwards (``wall_s``); the last one is still the last."""
    results = ("ww", "ww", "ww", "bb", "ww", "bb", "bb")
    everybody = players([a_match(number, "Ana", "Bo", rounds) for number, rounds in enumerate(results, 1)])
    ana, bo = (next(player for player in everybody if player.name == name) for name in ("Ana", "Bo"))
    assert (ana.longest_streak, ana.streak) == (3, -2)
    assert (bo.longest_streak, bo.streak) == (2, 2)


def test_unfinished_matches_and_demos_count_for_nothing_but_are_not_forgotten() -> None:
    everybody = players([a_match(1, "Ana", "Bo", "w"), a_match(2, "Cem", "Dee", mode="demo")])
    assert [(player.name, player.unfinished, player.fights, player.rating) for player in everybody] == [
        ("Ana", 1, (), None),
        ("Bo", 1, (), None),
    ]
    assert everybody[0].streak == everybody[0].longest_streak == 0
    assert everybody[0].lengths.rounds_a_match == everybody[0].lengths.turns_a_round == 0.0


def test_a_newcomer_is_unsure_an_old_hand_is_not_and_who_stays_away_becomes_so_again() -> None:
    assert rating_lines([(1, "a", "b")])["a"].unsure
    fought = [(number, *("ab" if number % 2 else "ba")) for number in range(40)]
    others = [(100 + number, *("cd" if number % 2 else "dc")) for number in range(200)]
    before, after = rating_lines(fought)["a"], rating_lines(fought + others)["a"]
    assert after.now.points == before.now.points == pytest.approx(1500, abs=60)
    assert (before.unsure, after.unsure) == (False, True)
    assert after.now.deviation > UNSURE_DEVIATION > before.now.deviation
    assert after.after == before.after


def test_the_house_knows_everybody_by_any_spelling() -> None:
    whole = house([a_match(1, "Ana", "Bo")])
    player = whole.player("  aNA ")
    assert player is not None
    assert whole.name(player.key) == "Ana"
    assert whole.player("Nobody") is None
