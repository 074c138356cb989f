"""A command's options are its fields, and those that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.rules.track import BySide
from firmware.cli.commands.declared import option, parsed
from firmware.cli.commands.demo import Demo


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Count what lies there."""

    file: Path = option("which file", "file")
    names: tuple[Path, ...] = option("may be given again", "--name", default=())
    loud_s: float = option("so long", default=2.5)

    def do(self) -> int:
        return 0


@pytest.mark.parametrize(("declared", "words"), [(Count, ["a"]), ({"count": Count}, ["count", "a"])])
def test_what_is_left_out_has_its_default(declared: type[Count] | dict[str, type[Count]], words: list[str]) -> None:
    assert parsed(declared, words) == Count(file=Path("a"))


def test_a_demo_is_one_wish() -> None:
    given = ("--seed", "7", "--points", "3", "--bot", "black", "--white", "Anna", "--theme", "clear", "--open")
    wish: Demo = parsed(Demo, given)
    assert (wish.plan.seed, wish.plan.match.points, wish.plan.open_hands) == (7, 3, True)
    assert (wish.bot, wish.bot_strength, wish.names) == ("black", "fencer", BySide("Anna", None))
    assert wish.look == {"theme": "clear", "print_size": "normal"}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        *(("--headless", False), ("--bot white", False), ("--open", False), ("--fast", False)),
        *(("--out pictures", False), ("--seed 3 --white Anna", True)),
    ],
)
def test_who_says_what_to_watch_is_not_asked(said: str, asked: bool) -> None:
    assert parsed(Demo, said.split()).asked is asked
