"""Names: what may be one, and which spellings are one person."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.track import BySide
from firmware.cli.commands.options import names_of
from firmware.cli.main import main
from firmware.core.names import BadNameError, OtherLettersError, clean_name, new_name, person_key, shown_name


@given(st.text())
def test_the_key_takes_any_text_and_is_its_own(text: str) -> None:
    key = person_key(text)
    assert person_key(key) == key
    assert person_key(unicodedata.normalize("NFD", text)) == key
    assert person_key(f" {text}\n") == key


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=10))
def test_a_clean_name_stays_clean(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert person_key(name) == person_key(text)


def test_both_players_need_names_of_their_own() -> None:
    assert names_of(BySide(None, "Bo")) == BySide("White", "Bo")
    with pytest.raises(BadNameError, match="both called Ana"):
        names_of(BySide("Ana", " ANA"))
    with pytest.raises(BadNameError, match="both called Black"):
        names_of(BySide("Black", None))


def test_the_command_line_says_what_is_wrong_with_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--white", "Ana\x07"]) == 1
    assert capsys.readouterr().err == (
        "engarde demo: a player's name has no control characters, 'Ana\\x07' has U+0007: leave it out.\n"
    )


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\ufeff", "\u00ad", "\u2060", "\u3164", "\u180e", "\ufe0f", "\u2800", "\u200d"]
)
def test_what_nobody_sees_is_dropped(unseen: str) -> None:
    for typed in (f"Ana{unseen}", f"{unseen}Ana", f"A{unseen}na"):
        assert clean_name(typed) == "Ana"
        assert person_key(typed) == person_key("Ana")
    with pytest.raises(BadNameError, match="at least one letter"):
        clean_name(f"{unseen} {unseen}")


@pytest.mark.parametrize("name", ["\u0646\u06cc\u200c\u0645\u0627", "\U0001f469\u200d\U0001f680"])
def test_a_joiner_stays_where_it_changes_what_is_seen(name: str) -> None:
    assert clean_name(name) == name
    assert person_key(name) == person_key(name.replace("\u200c", "").replace("\u200d", ""))


def test_what_an_old_book_kept_is_shown_without_what_no_name_may_have() -> None:
    assert shown_name("An\x1b[2Ja \u202eoB\x00") == "An?[2Ja ?oB?"
    assert shown_name("Zo\u00eb") == "Zo\u00eb"


HEBREW, EMOJI, MARK = "\u05e9\u05e8\u05d4", "Ana \U0001f93a", "m\u0303"
"""Letters that run from right to left, a picture, and a sign over a letter that is none with it."""


@pytest.mark.parametrize("name", [HEBREW, EMOJI, MARK, "\u0645\u0631\u064a\u0645", "\u0905\u0928\u093f\u0924\u093e"])
def test_a_name_that_could_not_be_read_is_refused_where_it_is_given_and_kept_where_it_was(name: str) -> None:
    with pytest.raises(OtherLettersError, match="write it in others") as refused:
        new_name(name)
    assert refused.value.letters
    assert set(refused.value.letters) <= set(name)
    for given_ in (BySide(name, None), BySide(None, name)):
        with pytest.raises(OtherLettersError):
            names_of(given_)
    assert clean_name(name) == name
    assert names_of(BySide("Ana", None), BySide("White", name)) == BySide("Ana", name), "it is in the settings"


def test_where_a_font_is_missing_the_cure_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("display.draw.fonts.SYSTEM_FONTS", (tmp_path / "none.ttf",))
    with pytest.raises(BadNameError, match="install fonts-"):
        new_name("\u5c71\u7530")


@pytest.mark.parametrize(
    "words",
    [["play", "--white", HEBREW], ["teach", "--player", EMOJI], ["print", "--out", "sheets", "--player", HEBREW]],
)
def test_every_command_says_so(words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    try:
        status = main([*words, *(["--headless", "--camera", "synthetic"] if words[0] != "print" else [])])
    except SystemExit as ended:
        status = int(ended.code or 0)
    assert status in (1, 2)
    assert "write it in others" in capsys.readouterr().err
