"""``engarde tournament``: who meets whom, and what the table says."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.rules.track import Side
from firmware.cli.commands.tournament import Fixture, Meeting, fixtures, meetings, play_all, play_fixture, standings
from firmware.cli.main import main


def test_every_pair_meets_as_often_with_each_colour_and_start() -> None:
    every = list(fixtures(["random", "novice", "master"], 8, 1, "ferti-advanced", 5))
    pairs = (("random", "novice"), ("random", "master"), ("novice", "master"))
    assert Counter(each.pair for each in every) == dict.fromkeys(pairs, 8)
    ways = Counter((each.players.white, each.starter) for each in every if each.pair == pairs[0])
    assert ways == {(name, side): 2 for name in pairs[0] for side in Side}
    assert len({each.rng_seed for each in every}) == 24


def test_a_match_is_what_its_fixture_says() -> None:
    fixture = Fixture(("random", "greedy"), 3, 7, "ferti-classic", 2)
    one, again = play_fixture(fixture), play_fixture(fixture)
    assert (one.won, one.rounds) == (again.won, again.rounds)
    assert max(one.rounds[:2]) == 2
    assert one.won == (one.rounds[0] == 2)
    assert all(one.took_s)
    others = [play_fixture(Fixture(("random", "greedy"), 3, seed, "ferti-classic", 2)).rounds for seed in range(12)]
    assert len(set(others)) > 1


def test_a_meeting_names_the_stronger_first_and_standings_add_up() -> None:
    bots = ["random", "novice", "greedy"]
    played = [play_fixture(each) for each in fixtures(bots, 6, 2, "ferti-advanced", 2)]
    met = meetings(played, bots)
    assert [set(each.pair) for each in met] == [{"random", "novice"}, {"random", "greedy"}, {"novice", "greedy"}]
    assert all(each.share >= 0.5 and each.played == 6 for each in met)
    ranked = standings(met)
    assert sum(each.won for each in ranked.values()) == 18
    assert [each.played for each in ranked.values()] == [12, 12, 12]
    assert [*ranked][-1] == "random"
    meeting = Meeting(("a", "b"), 3, 4, (9, 5, 1), ((0.5,), (0.1, 0.1)))
    assert meeting.turned() == Meeting(("b", "a"), 1, 4, (5, 9, 1), ((0.1, 0.1), (0.5,)))


@pytest.mark.slow
def test_several_processes_give_the_same_as_one_and_are_left_behind_by_nobody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = []
    for jobs in ("1", "2"):
        words = "tournament --bots random,greedy --matches 6 --points 1 --json --jobs"
        assert main([*words.split(), jobs]) == 0
        answer = json.loads(capsys.readouterr().out)
        for group in (*answer["pairs"], *answer["bots"]):
            del group["thinking"]
        answers.append(answer)
    assert answers[0] == answers[1]
    assert answers[0]["matches_played"] == 6
    (pair,) = answers[0]["pairs"]
    low, high = pair["limits_95"]
    assert 0 <= low < pair["share"] <= high <= 1
    matches = play_all(list(fixtures(["random", "greedy"], 6, 1, "ferti-advanced", 1)), 2)
    next(matches)
    matches.close()
    assert multiprocessing.active_children() == []


def test_the_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--bots", "random,greedy,novice", "--matches", "2", "--points", "1", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Matches to 1, rules ferti-advanced, seed 1." in out
    assert "95 % limits" in out
    assert (out.count(" of 2 "), out.count(" of 4 ")) == (3, 3)


def test_ctrl_c_gives_what_was_played_so_far(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(to_play: list[Fixture], jobs: int) -> Iterator[Meeting]:
        yield play_fixture(to_play[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("firmware.cli.commands.tournament.play_all", stopped)
    assert main(["tournament", "--bots", "random,greedy", "--matches", "5", "--points", "1"]) == 1
    out, err = capsys.readouterr()
    assert out.count(" of 1 ") == 1
    assert err == "engarde tournament: stopped after 1 of 5 matches.\n"
