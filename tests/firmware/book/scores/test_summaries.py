"""The results that are kept between runs: never other than what refereeing the rows again says."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.rules.events import MatchEvent, RoundEvent
from firmware.book.scorebook.book import MatchRow, Played, Scorebook, open_scorebook
from firmware.book.scorebook.schema import seal
from firmware.book.scores import summaries
from firmware.book.scores.history import summarise
from firmware.book.scores.summaries import cache_file, read_summaries
from tests.firmware.conftest import bot_match, keep_match

pytestmark = pytest.mark.slow


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book of three whole matches and one that was cut off."""
    path = tmp_path / "book.sqlite"
    with open_scorebook(path) as book:
        for seed in range(3):
            keep_match(book, "Zacharias", "Bo", bot_match(seed))
        keep_match(book, "Zacharias", "Bo", (MatchEvent("ferti-classic"), RoundEvent()))
    return path


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the matches that were judged again, as it happens."""
    numbers: list[int] = []
    really = Scorebook.replay

    def noting(self: Scorebook, match: int | MatchRow) -> Played:
        played = really(self, match)
        numbers.append(played.match.id)
        return played

    monkeypatch.setattr(Scorebook, "replay", noting)
    return numbers


def read(path: Path) -> tuple[Any, Any]:
    with open_scorebook(path) as book:
        return read_summaries(book)


def fresh(path: Path) -> object:
    with open_scorebook(path) as book:
        all_played = tuple(book.replay_all())
        return tuple(summarise(played) for played in all_played), tuple(p.problem for p in all_played if p.problem)


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    seal(connection, [key for (key,) in connection.execute("SELECT id FROM matches").fetchall()])
    connection.commit()
    connection.close()


def test_kept_results_are_those_of_the_referee(path: Path, replayed: list[int]) -> None:
    first = read(path)
    assert replayed == [1, 2, 3, 4]
    replayed.clear()
    assert read(path) == first
    assert replayed == [4], "a match that is not over is judged every time"
    assert first == fresh(path)


def test_no_name_and_no_card_is_kept(path: Path) -> None:
    read(path)
    text = cache_file(path).read_text(encoding="utf-8")
    assert "achar" not in text
    assert re.findall(r"\"[1-5][a-e]\"", text) == []
    assert str(path) not in text


def test_a_changed_row_is_judged_again(path: Path, replayed: list[int]) -> None:
    read(path)
    replayed.clear()
    change(path, "UPDATE events SET event = '{}' WHERE match_id = 2 AND seq = 4")
    summaries_now, problems = read(path)
    assert replayed == [2, 4]
    assert "match 2, event 4" in problems[0]
    assert summaries_now[1].finished is False
    replayed.clear()
    assert read(path)[1] == problems, "what cannot be read is said every time"


def test_another_engine_judges_everything_again(
    path: Path, replayed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read(path)
    replayed.clear()
    monkeypatch.setattr(summaries, "code_digest", lambda: "another")
    read(path)
    assert replayed == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: text.replace('"matches": {', '"matches": 7, "x": {'),
        lambda text: text.replace("ferti-advanced", "ferti-advanced\\ud800").replace('"white"', '"green"'),
        lambda text: json.dumps({**json.loads(text), "matches": dict.fromkeys(json.loads(text)["matches"], 3)}),
        lambda text: json.dumps({**json.loads(text), "matches": dict.fromkeys(json.loads(text)["matches"], [1] * 8)}),
    ],
)
def test_a_broken_cache_is_made_anew(path: Path, damage: Callable[[str], str]) -> None:
    expected = read(path)
    file = cache_file(path)
    whole = file.read_text(encoding="utf-8")
    file.write_text(damage(whole), encoding="utf-8")
    assert read(path) == expected
    assert file.read_text(encoding="utf-8") == whole
    assert list(file.parent.glob(f"{file.name}.*")) == []


def test_without_a_place_to_keep_them_everything_is_judged(
    path: Path, tmp_path: Path, replayed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no-folder").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no-folder"))
    assert read(path) == read(path)
    assert replayed == [1, 2, 3, 4] * 2


def test_a_deleted_match_leaves_the_cache_too(path: Path) -> None:
    read(path)
    before = json.loads(cache_file(path).read_text(encoding="utf-8"))["matches"]
    change(path, "DELETE FROM events WHERE match_id = 1")
    change(path, "DELETE FROM matches WHERE id = 1")
    read(path)
    after = json.loads(cache_file(path).read_text(encoding="utf-8"))["matches"]
    assert len(before) == 3
    assert len(after) == 2
    assert after.items() <= before.items()
