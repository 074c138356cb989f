"""What arguments that several commands share are read as."""

from __future__ import annotations

import argparse

import pytest

from engine.record.course import follow
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from firmware.cli.commands import demo
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play
from firmware.cli.commands.setting_options import add_setting_options, settings_given


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], {}),
        (["--theme", "clear"], {"theme": "clear"}),
        (["--print", "large"], {"print_size": "large"}),
        (["--theme", "clear", "--print", "large"], {"theme": "clear", "print_size": "large"}),
        (["--theme", "large"], {"theme": "parchment", "print_size": "large"}),
    ],
)
def test_colours_and_size_of_print_are_two_options(arguments: list[str], given: dict[str, str]) -> None:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, "screen")
    assert settings_given(parser.parse_args(arguments), "screen") == given


def _demo(*arguments: str) -> demo.Demo:
    wish: demo.Demo = parsed(demo.Demo, arguments)
    return wish


def test_a_demo_is_one_wish() -> None:
    wish = _demo("--seed", "7", "--points", "3", "--bot", "black", "--white", "Anna", "--theme", "clear", "--open")
    assert (wish.plan.seed, wish.plan.match.points, wish.plan.open_hands) == (7, 3, True)
    assert (wish.bot, wish.bot_strength, wish.names) == ("black", "fencer", BySide("Anna", None))
    assert wish.look == {"theme": "clear", "print_size": "normal"}


@pytest.mark.parametrize(
    "said", [["--headless"], ["--bot", "white"], ["--open"], ["--fast"], ["--out", "pictures"], ["--fast", "--open"]]
)
def test_who_says_what_to_watch_is_not_asked(said: list[str]) -> None:
    assert not _demo(*said).asked
    assert _demo("--seed", "3", "--white", "Anna").asked


def _match(*words: str) -> Play:
    wish: Play = parsed(Play, words).wish()
    return wish


@pytest.mark.parametrize(
    ("words", "goes_on", "presses", "asked"),
    [
        ("", False, True, True),
        ("", False, False, False),
        ("--new", False, True, False),
        ("--white Ana", False, True, False),
        ("--points 3", False, True, False),
        ("--starter lot", False, True, False),
        ("", True, True, False),
    ],
)
def test_the_players_are_asked_where_they_can_press_and_nothing_says_which_match(
    words: str, goes_on: bool, presses: bool, asked: bool
) -> None:
    course = follow(None, MatchEvent("ferti-advanced", Side.WHITE, 5))[0] if goes_on else None
    assert _match(*words.split()).is_asked_for(course, somebody_presses=presses) is asked


def test_a_table_may_count_at_once() -> None:
    """Nought is a number of seconds, and not a setting that was left out."""
    assert _match("--settle", "0").settings["settle_s"] == 0.0
    assert "settle_s" not in _match().settings
