"""The tokens on the cards' backs: drawn by lot, and kept beside the sheets so that they can be printed again."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from engine.rules.cards import DECK
from firmware.errors import EngardeError
from firmware.io.files import read_text
from vision.printed.tags import TOKEN_LENGTH, TOKEN_LETTERS, back_payload
from vision.sheets.backs import SPARE_BACKS

COUNT: Final = len(DECK) + SPARE_BACKS
_HEAD: Final = (
    "# Tokens on the labels for the backs of deck {deck}, in the order in which they are printed.\n"
    "# engarde print --companion --backs-from FILE prints the same labels again. They tell nobody's cards.\n"
)


def draw_tokens() -> tuple[str, ...]:
    """A set of tokens, all different, that nobody can foresee."""
    drawn: dict[str, None] = {}
    while len(drawn) < COUNT:
        drawn["".join(secrets.choice(TOKEN_LETTERS) for _ in range(TOKEN_LENGTH))] = None
    return tuple(drawn)


def tokens_text(tokens: tuple[str, ...], deck: str) -> str:
    """The file that keeps them."""
    return _HEAD.format(deck=deck) + "".join(f"{token}\n" for token in tokens)


def load_tokens(path: Path) -> tuple[str, ...]:
    """The tokens in this file. Raises EngardeError for one that cannot be read or is no such file."""
    try:
        lines = read_text(path).splitlines()
    except OSError as error:
        raise EngardeError(
            f"{path}: {error.strerror}; name the file of tokens that was written beside the sheets."
        ) from error
    tokens = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    for token in tokens:
        try:
            back_payload(token)
        except ValueError as error:
            raise EngardeError(f"{path}: {error}.") from error
    if len(set(tokens)) != COUNT or len(tokens) != COUNT:
        raise EngardeError(
            f"{path}: expected {COUNT} tokens, each once, found {len(tokens)} of which {len(set(tokens))} differ; "
            "take the file as it was written, or leave it out to draw new ones."
        )
    return tokens
