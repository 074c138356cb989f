"""What arguments that several commands share are read as."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from engine.rules.track import BySide
from firmware.cli.commands import calibrate, demo
from firmware.cli.commands.declared import parsed
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


def test_a_calibration_is_one_wish(tmp_path: Path) -> None:
    given = ["--camera", "synthetic", "--seed", "3", "--out", str(tmp_path / "camera.json"), "--json"]
    wish = parsed(calibrate.Calibrate, given)
    assert (wish.given.seed, wish.out, wish.json) == (3, tmp_path / "camera.json", True)
