"""Players know a menu and a stick, and no terminal: no sentence of the catalogue names a command, option or file."""

from __future__ import annotations

import re

import pytest

from display.i18n import LANGUAGES, words

COMMAND = re.compile(
    r"\bengarde (?!companion\b)[a-z]+|\.(?:toml|py|sh|sqlite|venv)\b|(?<!\w)--\w|\bsh \w|\bmake\b \.|\bsudo\b"
    r"|raspi-config|vcgencmd|v4l2-ctl|ENGARDE_",
)
OWNERS = {
    "sheet.start.measure",  # on paper, for whoever measures a board and writes its table file
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_command(language: str) -> None:
    found = {
        key: text
        for key, entry in words(language).entries.items()
        for text in entry.forms.values()
        if COMMAND.search(text)
    }
    assert {key: text for key, text in found.items() if key not in OWNERS} == {}


@pytest.mark.parametrize(
    "text",
    [
        "Your certificate: engarde print --out sheets --player NAME",
        "run: engarde register",
        "see [sound] in config.toml",
        "Name another: --scorebook.",
        "Run sh firmware/install.sh, then start the Pi anew.",
        "Delete .venv and begin anew.",
        "or keep it on a stick: ENGARDE_SCOREBOOK.",
    ],
)
def test_what_names_one_is_found(text: str) -> None:
    assert COMMAND.search(text)


@pytest.mark.parametrize("text", ["Refereed by the En Garde Companion", "Round 1 – 5 : 4", "Make it a puzzle for Ana"])
def test_what_names_none_is_not(text: str) -> None:
    assert not COMMAND.search(text)
