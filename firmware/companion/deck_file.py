"""Where it is kept which back belongs to which card: one small file a deck, in the data folder, whole at any moment."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import MappingProxyType
from typing import Final

from engine.companion.backs import DeckBacks
from engine.rules.cards import CARD_BY_NAME
from firmware.config import data_folder, in_home
from firmware.errors import EngardeError
from firmware.io.files import read_text, write_state
from vision.printed.tags import back_payload

VERSION: Final = 1
FOLDER_VARIABLE: Final = "ENGARDE_DECKS"


def deck_path(deck: str) -> Path:
    """The file of the deck with this letter; ``ENGARDE_DECKS`` names another folder."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = in_home(chosen) if chosen else data_folder() / "decks"
    return folder / f"deck-{deck}.json"


def load_deck(deck: str) -> DeckBacks:
    """What is known of this deck's backs; nothing where none was registered. Raises EngardeError for a bad file."""
    path = deck_path(deck)
    try:
        return _read(json.loads(read_text(path)), deck)
    except FileNotFoundError:
        return DeckBacks(deck)
    except OSError as error:
        raise EngardeError(f"{path}: {error.strerror}; let this user read it.") from error
    except (ValueError, RecursionError) as error:
        raise EngardeError(
            f"{path} does not hold a deck's backs ({error}); take it away and register the deck again: engarde register"
        ) from error


def save_deck(backs: DeckBacks) -> None:
    """Write it down: after a power cut there is the old file or the new one. Raises OSError."""
    path = deck_path(backs.deck)
    tokens = {str(card): token for card, token in sorted(backs.tokens.items())}
    write_state(path, json.dumps({"version": VERSION, "deck": backs.deck, "backs": tokens}, indent=1) + "\n")


def _read(found: object, deck: str) -> DeckBacks:
    if not isinstance(found, dict) or found.get("version") != VERSION:
        version = found.get("version") if isinstance(found, dict) else None
        raise ValueError(f"expected version {VERSION}, found {version!r}")
    if found.get("deck") != deck:
        raise ValueError(f"expected deck {deck}, found {found.get('deck')!r}")
    tokens = found.get("backs")
    if not isinstance(tokens, dict):
        raise ValueError("its backs are missing")
    known = {}
    for name, token in tokens.items():
        if name not in CARD_BY_NAME or not isinstance(token, str):
            raise ValueError(f"expected a card and its token, found {name!r}: {token!r}")
        back_payload(token)
        known[CARD_BY_NAME[name]] = token
    if len(set(known.values())) != len(known):
        raise ValueError("two cards have the same back")
    return DeckBacks(deck, MappingProxyType(known))
