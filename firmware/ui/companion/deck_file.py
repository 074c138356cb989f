"""The files of a deck: the tokens that are printed on its backs, and which back belongs to which card."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

from engine.companion.backs import DeckBacks
from engine.rules.cards import DECK, Card
from engine.strict.text import MalformedError, json_of, shown
from engine.strict.values import Converter, plain, read
from firmware.core.config import data_folder, in_home
from firmware.core.errors import EngardeError
from firmware.core.io.files import read_text, write_state
from vision.printed.tags import TOKEN_LENGTH, TOKEN_LETTERS, back_payload

FOLDER_VARIABLE: Final = "ENGARDE_DECKS"


def _token(text: str) -> str:
    back_payload(text)
    return text


def deck_path(deck: str) -> Path:
    """The file of the deck with this letter; ``ENGARDE_DECKS`` names another folder."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = in_home(chosen) if chosen else data_folder() / "decks"
    return folder / f"deck-{deck}.json"


def load_deck(deck: str) -> DeckBacks:
    """Load the registered backs of a deck, none if there are none. Raises EngardeError for a bad file."""
    path = deck_path(deck)
    try:
        kept = read(_DeckFile, json_of(read_text(path)), others=True)
        if kept.deck != deck:
            raise MalformedError(f"expected deck {deck}, found {shown(kept.deck)}")
        return DeckBacks(deck, MappingProxyType({Card.parse(name): token for name, token in kept.backs.items()}))
    except FileNotFoundError:
        return DeckBacks(deck)
    except OSError as error:
        raise EngardeError(f"{path}: {error.strerror}; let this user read it.") from error
    except MalformedError as error:
        raise EngardeError(
            f"{path} does not hold a deck's backs ({error}); take it away and register the deck again: engarde register"
        ) from error


def save_deck(backs: DeckBacks) -> None:
    """Write it down: after a power cut there is the old file or the new one. Raises OSError."""
    path = deck_path(backs.deck)
    kept = _DeckFile(1, backs.deck, {str(card): token for card, token in sorted(backs.tokens.items())})
    write_state(path, json.dumps(plain(_DeckFile, kept), indent=1) + "\n")


@dataclass(frozen=True, slots=True)
class _DeckFile:
    """A deck's letter, and the token on each card's back."""

    version: Literal[1]
    deck: str
    backs: Mapping[str, Annotated[str, Converter(_token, str, f"a back's token of {TOKEN_LENGTH} letters and figures")]]

    def __post_init__(self) -> None:
        for name in self.backs:
            Card.parse(name)
        if len(set(self.backs.values())) != len(self.backs):
            raise ValueError("two cards have the same back")


COUNT: Final = len(DECK) + 14
"""Labels printed: a deck's and spares that with their words fill the last page of Letter (8 a page), not of A4 (9)."""
_HEAD: Final = (
    "# Tokens on the labels for the backs of deck {deck}, in the order in which they are printed.\n"
    "# engarde print --companion --backs-from FILE prints the same labels again. They tell nobody's cards.\n"
)


def draw_tokens() -> tuple[str, ...]:
    """A set of tokens, all different, that nobody can foresee."""
    chance, drawn = random.SystemRandom(), dict[str, None]()
    while len(drawn) < COUNT:
        drawn["".join(chance.choice(TOKEN_LETTERS) for _ in range(TOKEN_LENGTH))] = None
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
