"""Words in four languages: looks up a sentence by key and fills in its facts.

A catalogue is a folder of TOML files in ``locales``, one for each topic. Nested tables give dotted keys; a table with
exactly ``one`` and ``other`` is a sentence with a plural, chosen by the fact ``count``. ``{count}`` is written as a
word up to five, ``{number}`` is the same in digits.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "nl")
_PLURAL_FORMS: Final = {"one", "other"}
_LOCALES: Final = Path(__file__).parent / "locales"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One entry of a catalogue. ``one`` is None where it has no plural."""

    other: str
    one: str | None = None


@dataclass(frozen=True)
class Words:
    """The catalogue of one language."""

    language: str
    entries: Mapping[str, Sentence]

    def say(self, key: str, **facts: object) -> str:
        """The sentence under ``key`` with its placeholders filled in.

        Raises KeyError, naming language and key or fact, for a key that is not there or a fact that is missing.
        """
        sentence = self.entries.get(key)
        if sentence is None:
            raise KeyError(f"catalogue {self.language!r} has no key {key!r}: add it to all of {', '.join(LANGUAGES)}")
        count = facts.get("count")
        text = sentence.other
        if sentence.one is not None and isinstance(count, int) and is_singular(self.language, count):
            text = sentence.one
        if isinstance(count, int):
            written = self.entries[f"number.{count}"].other if 1 <= count <= 5 else count
            facts = {**facts, "count": written, "number": count}
        try:
            return text.format(**facts)
        except KeyError as error:
            raise KeyError(f"{key!r} in {self.language!r} needs the fact {error}, given: {sorted(facts)}") from error


def is_singular(language: str, count: int) -> bool:
    """Whether this number takes the singular: in French zero does too. Source: Unicode CLDR plural rules."""
    return count in (0, 1) if language == "fr" else count == 1


@cache
def words(language: str) -> Words:
    """The catalogue of a language, read once. Raises ValueError for a language there is none of."""
    if language not in LANGUAGES:
        raise ValueError(f"no catalogue for language {language!r}: expected one of {', '.join(LANGUAGES)}")
    entries: dict[str, Sentence] = {}
    for path in sorted((_LOCALES / language).glob("*.toml")):
        entries.update(_flatten(tomllib.loads(path.read_text(encoding="utf-8")), ""))
    return Words(language, entries)


def next_language(language: str) -> str:
    """The one after this, round and round."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


def _flatten(table: Mapping[str, Any], prefix: str) -> list[tuple[str, Sentence]]:
    flat: list[tuple[str, Sentence]] = []
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            flat.append((key, Sentence(value)))
        elif set(value) == _PLURAL_FORMS:
            flat.append((key, Sentence(value["other"], value["one"])))
        else:
            flat.extend(_flatten(value, f"{key}."))
    return flat
