"""A guest's stick on which every file that the program writes there is a link into the owner's house."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.ui.menu.machine import Household

pytestmark = pytest.mark.slow


@pytest.fixture
def machine(tmp_path: Path, fill: Any, bot_match: Any, machine_of: Any) -> Iterator[Household]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("$(touch pwned)", "=1+1"), bot_match(1, points=1))
        yield machine_of(book)


def scores(*words: str) -> Callable[[Household, Path], object]:
    def asked(machine: Household, stick: Path) -> object:
        given = [word.replace("STICK", str(stick)) for word in words]
        return main(["scores", "--scorebook", str(machine.book.path), *given])

    return asked


DEEDS: dict[str, Callable[[Household, Path], object]] = {
    "tables": lambda machine, stick: machine.tables("en"),
    "backup": lambda machine, stick: machine.back_up("en"),
    "page": scores("--match", "1", "--html", "STICK/a.html"),
    "card": scores("--match", "1", "--card", "STICK/a.png"),
    "csv": scores("--csv", "STICK/a.csv"),
    "sheets": lambda machine, stick: main(["print", "--out", str(stick), "--only", "start"]),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("leads_to", ["a file", "nothing"])
def test_nothing_in_the_house_is_written(deed: str, leads_to: str, machine: Household, tmp_path: Path) -> None:
    stick, house = tmp_path / "media" / "STICK", tmp_path / "house"
    stick.mkdir(parents=True)
    house.mkdir()
    DEEDS[deed](machine, stick)
    names = [each.name for each in stick.iterdir()]
    assert names
    for name in names:
        (stick / name).unlink()
        (stick / name).symlink_to(house / name)
        if leads_to == "a file":
            (house / name).write_text("the owner's")
    DEEDS[deed](machine, stick)
    assert {each.read_text() for each in house.iterdir()} == ({"the owner's"} if leads_to == "a file" else set())
    written = [each for each in stick.iterdir() if not each.is_symlink()]
    assert len(written) == (1 if deed == "backup" else len(names)), "a backup takes the next number"
    assert all(each.stat().st_size for each in written)
