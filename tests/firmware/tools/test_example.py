"""The example of one whole match: the commands it is made with are commands, and make what is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.rules.events import Event
from engine.rules.referee import judge
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli import main as cli
from tests.firmware.tools.example import BOOK, CARD, GIF, MADE, NAMES, PAGE, RECORDING, commands, make

Match = Callable[..., tuple[Event, ...]]


def test_every_command_of_it_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = commands(tmp_path, 2, 3, "de")
    for words in typed:
        assert cli.parse([*words]).command == words[0]
    named = [Path(word).name for words in typed for word in words if word.startswith(str(tmp_path))]
    assert {*MADE, BOOK, RECORDING} == set(named)


def test_the_first_that_fails_ends_it(tmp_path: Path) -> None:
    ran: list[Sequence[str]] = []

    def run(words: Sequence[str]) -> int:
        ran.append(words)
        return 0 if words[0] == "play" else 7

    (tmp_path / GIF).write_text("of before", encoding="utf-8")
    assert make(tmp_path, 1, 3, "en", run) == 7
    assert [words[0] for words in ran] == ["play", "scores"]
    assert not (tmp_path / GIF).exists()


@pytest.mark.slow
def test_page_and_card_are_made_of_a_match_at_the_simulated_table(tmp_path: Path, whole_match: Match) -> None:
    """With a match of the book instead of one that is played, and without its films: both take minutes."""

    def run(words: Sequence[str]) -> int:
        if "--film" in words:
            return 0
        if words[0] != "play":
            return cli.main([*words])
        with open_scorebook(tmp_path / BOOK) as book:
            journal, state = book.begin(BySide(*NAMES), mode="play"), None
            for event in whole_match(1, 1):
                state, ruling = judge(state, event)
                journal.append(event, ruling, 0.0)
        return 0

    assert make(tmp_path, 1, 3, "en", run) == 0
    assert {path.name for path in tmp_path.iterdir()} >= {PAGE, CARD}
    assert NAMES[0] in (tmp_path / PAGE).read_text(encoding="utf-8")
    assert (tmp_path / CARD).read_bytes().startswith(b"\x89PNG")
