"""The file of a deck's backs: whole at any moment, and refused where it is not what it should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from display.i18n import words
from engine.companion.backs import DeckBacks
from engine.rules.cards import Card
from firmware.core.errors import EngardeError
from firmware.ui.companion import deck_file
from firmware.ui.companion.deck_file import (
    COUNT,
    deck_path,
    draw_tokens,
    load_deck,
    load_tokens,
    save_deck,
    tokens_text,
)
from tests.tables import TABLE
from vision.printed.card_shape import USUAL_SIZE
from vision.sheets.catalogue import SHEETS
from vision.sheets.page import PAPERS, Job

BACKS = DeckBacks("A").with_back(Card(3, "b"), "7KQ2XN").with_back(Card(1, "a"), "ABCDEF")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(deck_file.FOLDER_VARIABLE, str(tmp_path / "decks"))


def test_a_power_cut_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    save_deck(BACKS)

    def cut(_handle: int) -> None:
        raise OSError(5, "the power is gone")

    monkeypatch.setattr("os.fsync", cut)
    with pytest.raises(OSError, match="the power is gone"):
        save_deck(BACKS.without([Card(3, "b")]))
    assert load_deck("A") == BACKS


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "version: expected 1, found 2"),
        ({"deck": "B"}, 'expected deck A, found "B"'),
        ({"backs": None}, "backs: expected an object"),
        ({"backs": {"9z": "7KQ2XN"}}, "no card is called '9z'"),
        ({"backs": {"3b": "short"}}, "backs.3b: expected a back's token of 6"),
        ({"backs": {"3b": "7KQ2XN", "3c": "7KQ2XN"}}, "two cards have the same back"),
    ],
)
def test_a_spoiled_file_names_its_fault_and_the_cure(change: dict[str, object], said: str) -> None:
    save_deck(BACKS)
    kept = json.loads(deck_path("A").read_text(encoding="utf-8"))
    deck_path("A").write_text(json.dumps({**kept, **change}), encoding="utf-8")
    with pytest.raises(EngardeError, match="engarde register") as failed:
        load_deck("A")
    assert said in str(failed.value)


def test_tokens_are_all_different_and_never_the_same_twice(tmp_path: Path) -> None:
    one, other = draw_tokens(), draw_tokens()
    assert len(set(one)) == len(one) == COUNT
    assert not set(one) & set(other)
    kept = tmp_path / "backs-A.txt"
    kept.write_text(tokens_text(one, "A"), encoding="utf-8")
    assert load_tokens(kept) == one


@pytest.mark.parametrize(
    ("text", "said"), [("", "found 0"), ("7kq2xn\n", "a back's token"), ("7KQ2XN\n" * COUNT, "of which 1 differ")]
)
def test_a_file_that_holds_no_tokens_says_so(tmp_path: Path, text: str, said: str) -> None:
    kept = tmp_path / "backs-A.txt"
    kept.write_text(text, encoding="utf-8")
    with pytest.raises(EngardeError, match=said):
        load_tokens(kept)
    with pytest.raises(EngardeError, match="No such file"):
        load_tokens(tmp_path / "nothing.txt")


def test_the_labels_fill_their_last_page_of_letter_paper_and_take_no_more_of_a4() -> None:
    def pages(paper: str, count: int) -> int:
        backs = tuple("ABCD" + one + two for one in "234567" for two in "23456789")[:count]
        job = Job(TABLE, "table.toml", PAPERS[paper], USUAL_SIZE, words("en").say, backs)
        return len(SHEETS["backs"](job).pages)

    assert pages("a4", COUNT) == pages("letter", COUNT) == pages("letter", COUNT + 1) - 1
