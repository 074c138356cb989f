"""Where it is kept which back belongs to which card: one small file a deck, in the data folder, whole at any moment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

from engine.companion.backs import DeckBacks
from engine.rules.cards import Card
from engine.strict.text import MalformedError, json_of, shown
from engine.strict.values import Converter, plain, read
from firmware.config import data_folder, in_home
from firmware.errors import EngardeError
from firmware.io.files import read_text, write_state
from vision.printed.tags import TOKEN_LENGTH, back_payload

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
    """What is known of this deck's backs; nothing where none was registered. Raises EngardeError for a bad file."""
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
