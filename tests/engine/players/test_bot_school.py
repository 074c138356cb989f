"""The bots' school, a program in C++: its rules are the referee's, its features the judgement's, and it repeats."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from outsiders.table import Round

import tests.bench
from engine.players.bots import judgement
from engine.players.bots.judgement import (
    LEARNED,
    MAESTRO,
    ROWS,
    learned,
    left_rows,
    meeting_row,
    place_rows,
    read,
    situation_of,
    unseen_rows,
)
from engine.players.bots.options import HANDS, Option, hand_of, packed
from engine.players.bots.sparring import after_drawing
from engine.rules.rulesets import RULE_SETS

SOURCE = Path(next(iter(tests.bench.__path__))) / "bot_school.cpp"
UNITS = 64

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not there")]


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program."""
    program = tmp_path_factory.mktemp("school") / "bot_school"
    subprocess.run(["g++", "-std=c++17", "-O1", "-Wall", "-Werror", "-o", program, SOURCE], check=True)
    return program


def printed(program: Path, *options: str, given: str = "") -> str:
    return subprocess.run([program, *options], check=True, capture_output=True, text=True, input=given).stdout


def subject(rules: str) -> str:
    return LEARNED[rules].removesuffix(".txt")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_its_rounds_are_those_of_the_referee(school: Path, rules: str) -> None:
    lines = iter(printed(school, "show", subject(rules), "150", "3").splitlines())
    turns = 0
    for deck in lines:
        cards = [int(card) - 1 for card in deck.split()]
        unplayed = [5] * 5
        table: Round | float = Round(
            RULE_SETS[rules], hand_of(cards[:5]), hand_of(cards[5:10]), 22, 0, 0, tuple(reversed(cards[10:]))
        )
        first = True
        while isinstance(table, Round):
            choices = table.options()
            if not choices:
                table = 0.0
                break
            count, *play, rows = next(lines).split(maxsplit=4) + [""] * (not table.pile)
            option = next(each for each in choices if each.play == tuple(map(int, play)))
            assert int(count) == len(choices)
            if table.pile:
                assert sorted(map(int, rows.split())) == features(table, option, unplayed)
            gone = zip(HANDS[table.hand], HANDS[option.left], strict=True)
            unplayed = [there - (had - left) for there, (had, left) in zip(unplayed, gone, strict=True)]
            after = table.after(option)
            first = not first if isinstance(after, Round) else first
            table = after
            turns += 1
        assert float(next(lines)) == (table if first else 1.0 - table)
    assert turns > 1000


def features(table: Round, option: Option, unplayed: list[int]) -> list[int]:
    """The rows of the position that this leaves behind."""
    distance, gained = table.distance - option.play.move, table.gained + option.play.move
    unseen = [there - held for there, held in zip(unplayed, HANDS[table.hand], strict=True)]
    situation = situation_of(distance, option.attack)
    kept, there = (HANDS[option.left][distance - 1], unseen[distance - 1]) if distance <= 5 else (0, 0)
    pile = after_drawing(option.left, len(table.pile))
    return sorted(
        (
            *left_rows(situation, option.left),
            *unseen_rows(situation, packed(unseen)),
            meeting_row(distance, option.attack, kept, there),
            *place_rows(distance, gained, pile),
        )
    )


def test_the_same_lessons_teach_the_same(school: Path) -> None:
    once = printed(school, "learn", "advanced", "1", "5")
    assert printed(school, "learn", "advanced", "1", "5") == once
    assert printed(school, "learn", "advanced", "1", "6") != once
    assert once.startswith(f"1 lessons of 1024 rounds, {UNITS} units, seed 5.\n")
    assert [len(row) for row in read(once)] == [1 + UNITS] * ROWS


def test_what_is_learned_against_a_player_begins_with_their_weights(school: Path) -> None:
    """No lesson leaves the weights as they were; one moves most of them a little."""
    weak = printed(school, "learn", "classic", "1", "5")
    same = printed(school, "exploit", "classic", "0", "1", given=weak)
    assert same.startswith("0 lessons of 1024 rounds against other weights")
    assert read(same) == read(weak)
    moved = [
        abs(one - other)
        for row, before in zip(
            read(printed(school, "exploit", "classic", "1", "1", given=weak)), read(weak), strict=True
        )
        for one, other in zip(row, before, strict=True)
    ]
    assert 0 < max(moved) < 20
    assert subprocess.run([school, "exploit", "classic", "1", "1"], input=weak[:-9], text=True, check=False).returncode


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("whose", ["", MAESTRO])
def test_what_ships_says_how_it_was_made(rules: str, whose: str) -> None:
    made = files(judgement.__package__).joinpath(whose + LEARNED[rules]).read_text(encoding="ascii").splitlines()[0]
    assert re.search(r"lessons of 1024 rounds,.* 64 units, seed \d+\.$", made)
    assert [len(row) for row in learned(rules, whose)] == [1 + UNITS] * ROWS
