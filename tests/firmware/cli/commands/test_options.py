"""What arguments that several commands share are read as."""

from __future__ import annotations

import pytest

from engine.rules.track import BySide
from firmware.cli.commands import demo
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play


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
