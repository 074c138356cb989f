"""Words in four languages: looks up a sentence by key and fills in its facts.

A catalogue is a folder of TOML files in ``locales``, one for each topic; ``glossary.toml`` beside them says which words
are used for which thing. Nested tables give dotted keys; a table whose names are plural categories of Unicode's CLDR
(``one``, ``few``, ``other`` ...) is a sentence with a plural, chosen by the fact ``count``. ``{count}`` is written as a
word up to five, ``{number}`` is the same in digits; ``{values}`` are cards of ``{value}`` in the plural; ``{who}`` is
the player of ``{side}`` by name, where names are known, while ``{side}`` stays the colour, and ``{rival}`` that of
``{opponent}``. ``{White}`` and ``{Black}`` need no fact: they are the two players by name, else their colours.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from babel import Locale

from engine.strict.text import toml_of
from engine.strict.values import read

LANGUAGES: Final = ("en", "de", "fr", "nl")
CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
"""The plural categories there are, in CLDR's order. Every language has ``other``."""
LOCALES: Final = Path(__file__).parent / "locales"
GLOSSARY: Final = "glossary.toml"
LOCALE_FILE: Final = "language.toml"
"""These two files of a catalogue's folder hold no sentences."""
TOLD_FROM: Final[Mapping[str, str]] = {"number": "count", "values": "value", "who": "side", "rival": "opponent"}
"""Placeholders that say a fact in another way, in digits, in the plural or by name: each language may choose."""
PLAYERS: Final = frozenset({"White", "Black"})
"""Placeholders for which no fact is needed: the two who play."""
_PEOPLE: Final = {"side": "who", "opponent": "rival", "winner": "winner", "loser": "loser"}
"""Facts that are a player's colour, each with the placeholder of that player's name."""
_DECIDED: Final = frozenset({"winner", "loser"})
"""Of these the ones that are said of the companion by name."""


_FIRST_PART: Final = re.compile(r"^\[?([\w-]+)", re.MULTILINE)
"""The first part of each key of a topic, and more: what stands first in a line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One entry of a catalogue: ``plurals`` holds its other forms by category, none where it has no plural."""

    other: str
    plurals: Mapping[str, str] = field(default_factory=dict)

    def form(self, language: str, count: object) -> str:
        """The form this number takes; ``other`` for what is no number."""
        if not self.plurals or not isinstance(count, int):
            return self.other
        return self.plurals.get(plural_category(language, count), self.other)

    @property
    def forms(self) -> Mapping[str, str]:
        """All forms by category."""
        return {**self.plurals, "other": self.other}


@dataclass(frozen=True)
class Words:
    """The catalogue of one language. ``players`` are the names of those who play, by their colours in this language.

    ``everybody``: likewise, with the companion's, which only sentences about a winner and a loser use.
    """

    language: str
    entries: Mapping[str, Sentence]
    players: Mapping[str, str] = field(default_factory=dict)
    everybody: Mapping[str, str] = field(default_factory=dict)

    def named(self, players: Mapping[str, str], everybody: Mapping[str, str] | None = None) -> Words:
        """The same catalogue, for players of these names; ``everybody``: with the companion's, None: it has none."""
        return replace(self, players=players, everybody=players if everybody is None else everybody)

    def say(self, key: str, **facts: object) -> str:
        """The sentence under ``key`` with its placeholders filled in.

        Raises KeyError, naming language and key or fact, for a key that is not there or a fact that is missing.
        """
        sentence = self.entries.get(key)
        if sentence is None:
            raise KeyError(f"catalogue {self.language!r} has no key {key!r}: add it to all of {', '.join(LANGUAGES)}")
        try:
            return sentence.form(self.language, facts.get("count")).format(**self._told(facts))
        except KeyError as error:
            raise KeyError(f"{key!r} in {self.language!r} needs the fact {error}, given: {sorted(facts)}") from error

    def topic(self, name: str) -> dict[str, str]:
        """Every sentence of a topic as it is kept, by its key there: what a page fills in by itself."""
        kept = ((key.partition("."), sentence) for key, sentence in self.entries.items())
        return {key: sentence.other for (topic, _, key), sentence in kept if topic == name}

    def day(self, day: date) -> str:
        """A day of the calendar as this language writes it. Source: Unicode CLDR, as Babel has it."""
        from babel.dates import format_date  # loads much, and only some pages tell a day

        return str(format_date(day, "medium", self.language))

    def decimal(self, number: float, places: int = 1) -> str:
        """A number with so many decimals as this language writes it. Source: Unicode CLDR, as Babel has it."""
        from babel.numbers import format_decimal  # loads much, and only some pages tell an average

        return str(format_decimal(number, f"0.{'0' * places}", self.language))

    def percent(self, share: int) -> str:
        """So many of a hundred as this language writes it. Source: Unicode CLDR, as Babel has it."""
        from babel.numbers import format_percent  # as above

        return str(format_percent(share / 100, locale=self.language))

    def _told(self, facts: Mapping[str, object]) -> dict[str, object]:
        told = {**self._people, **facts}
        count, value = facts.get("count"), facts.get("value")
        if "value" in facts:
            named = self.entries.get(f"values.{value}")
            told["values"] = value if named is None else named.form(self.language, count)
        if isinstance(count, int):
            told["count"] = self.entries[f"number.{count}"].other if 1 <= count <= 5 else count
            told["number"] = count
        for fact, name in _PEOPLE.items():
            if fact in facts:
                called = self.everybody if fact in _DECIDED else self.players
                told[name] = called.get(str(facts[fact]), facts[fact])
        return told

    @cached_property
    def _people(self) -> dict[str, str]:
        """Both players by name, else by colour, as ``{White}`` and ``{Black}``."""
        colours = {
            side: self.entries[f"name.{side}"].other for side in ("white", "black") if f"name.{side}" in self.entries
        }
        return {side.capitalize(): self.players.get(colour, colour) for side, colour in colours.items()}


def placeholders(sentence: Sentence) -> frozenset[str]:
    """The facts that a sentence fills in, however it says them."""
    parsed = (part for form in sentence.forms.values() for part in string.Formatter().parse(form))
    return frozenset(TOLD_FROM.get(name, name) for _, name, _, _ in parsed if name)


def plural_category(language: str, count: int) -> str:
    """The category of a number in a language: in French zero is ``one``. Source: Unicode CLDR, as Babel has it."""
    return _plural_rule(language)(count)


@cache
def _plural_rule(language: str) -> Callable[[int], str]:
    rule: Callable[[int], str] = Locale.parse(language).plural_form
    return rule


@dataclass(frozen=True, slots=True)
class LocaleData:
    """A language's letters, line ties and voice: its ``language.toml``, which says what each is."""

    letters: str
    after_number: tuple[str, ...]
    before_name: tuple[str, ...]
    voice: str
    foreign: Mapping[str, str]
    sounds: Mapping[str, str]


@cache
def locale_data(language: str) -> LocaleData:
    """The data of this language, read once."""
    return read(LocaleData, toml_of((LOCALES / language / LOCALE_FILE).read_bytes()))


@cache
def words(language: str) -> Words:
    """The catalogue of a language, read once. Raises ValueError for a language there is none of."""
    if language not in LANGUAGES:
        raise ValueError(f"no catalogue for language {language!r}: expected one of {', '.join(LANGUAGES)}")
    return Words(language, _Entries(LOCALES / language))


class _Entries(Mapping[str, Sentence]):
    """The sentences of a catalogue by key; a topic is parsed when the first of its keys is asked for."""

    def __init__(self, folder: Path) -> None:
        self._parsed: dict[str, Sentence] = {}
        self._topics = [path.read_text(encoding="utf-8") for path in topics(folder)]
        self._waiting = [(frozenset(_FIRST_PART.findall(text)), number) for number, text in enumerate(self._topics)]

    def __getitem__(self, key: str) -> Sentence:
        if key not in self._parsed:
            self._parse([number for parts, number in self._waiting if key.partition(".")[0] in parts])
        return self._parsed[key]

    def __iter__(self) -> Iterator[str]:
        self._parse([number for _, number in self._waiting])
        return iter(self._parsed)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _parse(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._parsed.update(flat(tomllib.loads(self._topics[number])))
        # Only now: another thread may ask meanwhile.
        self._waiting = [waiting for waiting in self._waiting if waiting[1] not in numbers]


def topics(folder: Path) -> tuple[Path, ...]:
    """The files with sentences in a catalogue's folder."""
    return tuple(path for path in sorted(folder.glob("*.toml")) if path.name not in (GLOSSARY, LOCALE_FILE))


def system_language(environ: Mapping[str, str]) -> str:
    """The language that this system speaks, as far as there is a catalogue for it; else English.

    Source: POSIX, "Environment Variables": the first of LC_ALL, LC_MESSAGES and LANG that is set.
    """
    named = next(filter(None, (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    language = named[:2].lower() if named[2:3] in ("", "_", ".", "@") else ""
    return language if language in LANGUAGES else LANGUAGES[0]


def next_language(language: str) -> str:
    """The one after this, round and round."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Sentence]:
    """The sentences of a topic by their dotted keys."""
    found: dict[str, Sentence] = {}
    for name, value in table.items():
        if isinstance(value, str):
            found[f"{prefix}{name}"] = Sentence(value)
        elif "other" in value and set(value) <= set(CATEGORIES):
            found[f"{prefix}{name}"] = Sentence(
                value["other"], {each: value[each] for each in CATEGORIES[:-1] if each in value}
            )
        else:
            found.update(flat(value, f"{prefix}{name}."))
    return found
