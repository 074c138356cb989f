"""The portrait somebody chose is kept with his name: renamed, forgotten and read again with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.sitting.first_steps import guests_of, keep_portraits
from firmware.ui.lessons.progress import Progress


def test_it_is_renamed_and_forgotten_with_the_name(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    progress = Progress(path)
    progress.pictured("Ana", "owl")
    assert Progress(path).portrait_of("ANA") == "owl"
    progress.rename("Ana", "Anna")
    assert Progress(path).portraits == {"Anna": "owl"}
    progress.forget("Anna")
    assert Progress(path).portraits == {}


def test_a_file_of_before_has_none_and_one_of_tomorrow_may_have_others(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    Progress(path).pictured("Ana", "owl")
    written = json.loads(path.read_text())
    written["people"][0]["portrait"] = "unicorn"
    path.write_text(json.dumps(written))
    assert Progress(path).portrait_of("Ana") == ""
    del written["people"][0]["portrait"]
    path.write_text(json.dumps(written))
    assert Progress(path).portrait_of("Ana") == ""
    assert Progress(path).knows("Ana")


def test_guests_are_people_who_were_there_the_last_first(tmp_path: Path, fill: Callable[..., int]) -> None:
    path = tmp_path / "book.sqlite"
    keep_portraits(path, {"Mia": "fox"})
    assert guests_of(path).names == ("Mia",)
    assert guests_of(path).portraits == {"Mia": "fox"}
    with open_scorebook(path) as book:
        for names in (("Ana", "Bot (master)"), ("White", "Ben")):
            fill(book, BySide(*names), [MatchEvent("ferti-advanced", Side.WHITE, 1)])
    assert guests_of(path).names == ("Ben", "Ana", "Mia")
