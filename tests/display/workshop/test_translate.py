"""Catalogues go to translators as PO and come back the same; what is not whole is refused with a sentence."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from display.i18n import LANGUAGES, LOCALES, Words, flat, topics, words
from display.workshop.translate import TranslationError, export_po, import_po, main, write_catalogue
from tests.waiting import HANG_S

pytestmark = pytest.mark.slow


def exported(folder: Path, language: str) -> Path:
    assert main(["--export", str(folder), "--language", language]) == 0
    return folder / f"{language}.po"


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_and_back_changes_not_a_letter(language: str, tmp_path: Path) -> None:
    told, made = import_po(exported(tmp_path, language))
    assert (told, made) == (language, words(language).entries)
    for path in topics(LOCALES / language):
        (tmp_path / "locales" / language).mkdir(parents=True, exist_ok=True)
        (tmp_path / "locales" / language / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for path in write_catalogue(made, language, tmp_path / "locales"):
        assert path.read_text(encoding="utf-8") == (LOCALES / language / path.name).read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed here")
@pytest.mark.parametrize("language", [*LANGUAGES, "pl", "ja"])
def test_gettext_finds_no_fault_and_gives_all_of_it_back(language: str, tmp_path: Path) -> None:
    """As a translator's tool does: checked, compiled, taken apart again, wrapped and sorted anew."""
    po = exported(tmp_path, language)
    machine, back, wrapped = (tmp_path / name for name in ("made.mo", "back.po", "wrapped.po"))
    checked = _gettext("msgfmt", "--check", "--output-file", str(machine), str(po))
    assert "warning" not in checked.stderr
    _gettext("msgunfmt", "--output-file", str(back), str(machine))
    _gettext("msgcat", "--width=40", "--sort-output", "--output-file", str(wrapped), str(po))
    if language in LANGUAGES:
        assert import_po(back)[1] == import_po(wrapped)[1] == words(language).entries


def _gettext(*command: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_a_translation_comes_in(tmp_path: Path) -> None:
    path = changed(exported(tmp_path, "nl"), "Trekstapel", "Stapeltje")
    written = write_catalogue(import_po(path)[1], "nl", tmp_path)
    table = next(each for each in written if each.name == "table.toml")
    assert flat(tomllib.loads(table.read_text(encoding="utf-8")))["label.pile"].other == "Stapeltje"


def test_a_language_with_three_forms_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    """Polish, as a translator would leave it: every sentence answered, its plurals in three forms."""
    catalog = export_po("pl")
    for message in catalog:
        if message.id and message.pluralizable:
            message.string = (f"{message.id[0]} 1", f"{message.id[1]} 2", f"{message.id[1]} 5")
        elif message.id:
            message.string = message.id
    path = tmp_path / "pl.po"
    with path.open("wb") as stream:
        write_po(stream, catalog)
    written = write_catalogue(import_po(path)[1], "pl", tmp_path)
    entries = {key: each for file in written for key, each in flat(tomllib.loads(file.read_text("utf-8"))).items()}
    assert set(entries) == set(words("en").entries)
    polish = Words("pl", entries)
    told = [polish.say("unit.cards", count=count) for count in (1, 3, 7, 22)]
    assert told == ["1 card 1", "3 cards 2", "7 cards 5", "22 cards 2"]


def test_a_new_language_is_exported_empty(tmp_path: Path) -> None:
    with exported(tmp_path, "pl").open("rb") as stream:
        catalog = read_po(stream)
    assert catalog.num_plurals == 3
    assert not any("".join(each.string or "") for each in catalog if each.id)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('msgstr "Trekstapel"', 'msgstr ""', "leaves 1 of"),
        ('msgctxt "label.pile"', 'msgctxt "label.heap"', "keys that no catalogue has: label.heap"),
        ("Afstand {distance} is buiten", "Afstand {afstand} is buiten", "hints.away fills in afstand"),
        ("Afstand {distance} is buiten", "Afstand {distance is buiten", "hints.away fills in a brace"),
        ('"Language: nl\\n"\n', "", "does not say which language"),
    ],
)
def test_what_is_not_whole_is_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TranslationError, match=said):
        import_po(changed(exported(tmp_path, "nl"), old, new))


def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nl.po"
    path.write_bytes(b"\xff\xfe not a word of PO")
    assert main(["--import", str(path)]) == 1
    assert main(["--import", str(tmp_path / "none.po")]) == 1
    assert main(["--export", str(tmp_path), "--language", "elvish"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    assert told[0].startswith(f"{path} is no PO file that can be read")
    assert told[2] == "no language is called 'elvish': expected a code such as pl or pt_BR"
