"""``python -m display.workshop.translate --export DIR``: the catalogues as PO files for translators, and back.

A PO file holds one language: the key as context, the English as message, the translation as its answer. ``--import
FILE`` writes it into ``display/locales/LANGUAGE/``, a language there is none of yet as well: its folder gets every file
and comment the English one has. What is left out, half done, or fills in other facts than the English is refused.
Source: PO files as GNU gettext and Babel have them; plural forms as Babel's CLDR rules tell them.
"""

from __future__ import annotations

import argparse
import gettext
import importlib.metadata
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel import Locale
from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po

from display.i18n import (
    CATEGORIES,
    GLOSSARY,
    LANGUAGES,
    LOCALE_FILE,
    LOCALES,
    Sentence,
    placeholders,
    plural_category,
    topics,
    words,
)

SOURCE: Final = "en"
_SAMPLES: Final = range(1000)
"""Numbers by which the order of PO's forms is found out; the first of each form is the plainest."""
_NAMED: Final = 3
_HEADING: Final = re.compile(r"\[([\w.]+)\]")
_ENTRY: Final = re.compile(r"(\w+) = ")


class TranslationError(ValueError):
    """A PO file that cannot become a catalogue. Its text says what was expected and where."""


def export_po(language: str) -> Catalog:
    """The catalogue of a language as PO, in the order of its keys; one we have none of yet has no answers."""
    translated = words(language).entries if language in LANGUAGES else {}
    catalog = Catalog(
        locale=_locale(language),
        project="En Garde Companion",
        version=importlib.metadata.version("engarde-companion"),
        last_translator="En Garde Companion",
        language_team=language,
        revision_date=datetime.now(UTC),
        fuzzy=False,
        header_comment="",
    )
    order = _forms(language)
    for key, english in words(SOURCE).entries.items():
        entry = translated.get(key)
        if english.plurals:
            told = entry.forms if entry is not None else {}
            answers = tuple(told.get(each, told.get("other", "")) for each in order)
            message = catalog.add((english.plurals["one"], english.other), answers, context=key)
        else:
            message = catalog.add(english.other, entry.other if entry is not None else "", context=key)
        # Else gettext's tools refuse "5 % of" as a format, and a fact told in another way, as ``TOLD_FROM`` allows.
        message.flags.clear()
    return catalog


def import_po(path: Path) -> tuple[str, dict[str, Sentence]]:
    """Which language a PO file is, and its sentences by key. Raises TranslationError for no whole catalogue."""
    try:
        with path.open("rb") as stream:
            catalog = read_po(stream, abort_invalid=True)
    except (OSError, PoFileError, ValueError, UnknownLocaleError) as error:
        raise TranslationError(f"{path} is no PO file that can be read: {error}") from error
    if catalog.locale is None:
        raise TranslationError(f"{path} does not say which language it is: its header needs a line Language")
    english = words(SOURCE).entries
    found = {message.context: message for message in catalog if message.id}
    wrong = sorted(str(key) for key in set(found) - set(english))
    if wrong:
        raise TranslationError(f"{path} has keys that no catalogue has: {_some(wrong)}. Export again and merge")
    missing = [key for key in english if key not in found or found[key].fuzzy or not _answers(found[key])]
    if missing:
        raise TranslationError(
            f"{path} leaves {len(missing)} of {len(english)} sentences untranslated: {_some(missing)}"
        )
    made = {key: _sentence(catalog, found[key]) for key in english}
    for key, sentence in made.items():
        if (has := _facts(sentence)) != (needs := _facts(english[key])):
            told = [_some(sorted(facts)) or "nothing" for facts in (has, needs)]
            raise TranslationError(f"{path}: {key} fills in {told[0]}, the English {told[1]}")
    return str(catalog.locale_identifier), made


def write_catalogue(made: Mapping[str, Sentence], language: str, locales: Path = LOCALES) -> tuple[Path, ...]:
    """Writes the sentences into the language's files, comments and order kept. Returns the files."""
    model = locales / language if (locales / language).is_dir() else LOCALES / SOURCE
    written = []
    for source in topics(model):
        heading, lines = "", []
        for line in source.read_text(encoding="utf-8").splitlines():
            if found := _HEADING.fullmatch(line):
                heading = f"{found[1]}."
            elif found := _ENTRY.match(line):
                line = f"{found[1]} = {_toml(made[f'{heading}{found[1]}'])}"
            lines.append(line)
        path = locales / language / source.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        written.append(path)
    return tuple(written)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exports or imports, and prints what lies where. Exit status 0, or 1 for a file that cannot be taken."""
    parser = argparse.ArgumentParser(
        prog="python -m display.workshop.translate", description=(__doc__ or "").split("\n")[0]
    )
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--export", type=Path, metavar="DIR", help="folder to write LANGUAGE.po to")
    way.add_argument("--import", type=Path, metavar="FILE", dest="taken", help="a translated PO file")
    parser.add_argument("--language", action="append", help="only this one; one we have none of yet is empty")
    asked = parser.parse_args(arguments)
    try:
        if asked.taken is not None:
            language, made = import_po(asked.taken)
            written = write_catalogue(made, language)
            print(f"{len(written)} files in {written[0].parent}")
            if language not in LANGUAGES:
                print(f"A new language also needs its {GLOSSARY} and {LOCALE_FILE}; display/README.md says what else.")
            return 0
        asked.export.mkdir(parents=True, exist_ok=True)
        for language in asked.language or LANGUAGES:
            path = asked.export / f"{language}.po"
            with path.open("wb") as stream:
                write_po(stream, export_po(language), width=120)
            print(path)
        return 0
    except TranslationError as error:
        print(error, file=sys.stderr)
        return 1


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError) as error:
        raise TranslationError(f"no language is called {language!r}: expected a code such as pl or pt_BR") from error


def _forms(language: str) -> tuple[str, ...]:
    """The plural category of each of PO's forms, in PO's order: for Polish one, few, many."""
    catalog = Catalog(locale=_locale(language))
    which = gettext.c2py(catalog.plural_expr)
    first: dict[int, str] = {}
    for count in _SAMPLES:
        first.setdefault(which(count), plural_category(language, count))
    return tuple(first[form] for form in range(catalog.num_plurals))


def _answers(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


def _sentence(catalog: Catalog, message: Message) -> Sentence:
    if not isinstance(message.string, tuple | list):
        return Sentence(message.string or "")
    told = dict(zip(_forms(str(catalog.locale_identifier)), message.string, strict=True))
    other = told.pop("other", message.string[-1])
    return Sentence(other, {each: told[each] for each in CATEGORIES if each in told})


def _facts(sentence: Sentence) -> frozenset[str]:
    try:
        return placeholders(sentence)
    except ValueError:
        return frozenset({"a brace that is not closed"})


def _toml(sentence: Sentence) -> str:
    if not sentence.plurals:
        return _quoted(sentence.other)
    return "{ " + ", ".join(f"{each} = {_quoted(text)}" for each, text in sentence.forms.items()) + " }"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" ..." if len(names) > _NAMED else "")


if __name__ == "__main__":
    raise SystemExit(main())
