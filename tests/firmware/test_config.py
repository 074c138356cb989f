"""Settings: defaults, the owner's file over them, and every fault at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from display.draw.theme import CLEAR, CLEAR_LARGE, LARGE, THEMES
from engine.rules.track import BySide
from firmware.core.config import SETTINGS, Config, ConfigError, load_config, save, saved_path


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the owner's settings would be: in a home of our own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ENGARDE_SCOREBOOK", raising=False)
    path = tmp_path / "config" / "engarde" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_the_systems_language_holds_until_another_is_chosen(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_MESSAGES", "nl_BE.UTF-8")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert load_config().language == "nl"
    own.write_text('[players]\nlanguage = "de"\n', encoding="utf-8")
    assert load_config().language == "de"
    own.write_text("", encoding="utf-8")
    assert load_config(own).language == "en", "a file that is named says all"


def test_the_owners_file_changes_what_it_names_and_nothing_else(own: Path) -> None:
    before = load_config()
    own.write_text('[players]\nwhite = "  Élodie "\n[table]\nsettle_s = 2\n', encoding="utf-8")
    assert load_config() == replace(before, names=BySide("Élodie", "Black"), settle_s=2.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'[sound]\nvolume_percent = 40\nvoice = "loud"\n', 'sound.voice is one of calls, all, full, off, not "loud"'),
        (b"[sound]\nvolume_percent = 40\n[sond]\nx = 1\n", "there is no heading [sond], did you mean sound?"),
        (b"sound = 3\n", "sound"),
        (b"[sound\n", "it is not TOML"),
        (b"\xff\xfe\x00", "expected text in UTF-8, found UTF-16; save it as UTF-8"),
        (b"\0" * 60, "it is not TOML"),
    ],
)
def test_what_the_menu_kept_stops_no_game(own: Path, text: bytes, said: str) -> None:
    """Who has no keyboard cannot mend a file: what is wrong there is left out and told, what is right holds."""
    own.with_name("menu.toml").write_bytes(text)
    config = load_config()
    assert said in config.notice
    assert config.notice.count(str(own.with_name("menu.toml"))) == 1
    assert config.volume_percent == (40 if b"40" in text else 80)
    assert save(own.with_name("menu.toml"), "players.language", "de")
    healed = load_config()
    assert (healed.notice, healed.language, healed.volume_percent) == ("", "de", config.volume_percent)
    own.with_name("menu.toml").unlink()
    own.with_name("menu.toml").mkdir()
    assert "it cannot be read" in load_config().notice


def test_every_kind_of_setting_survives_the_menu(own: Path) -> None:
    path = own.with_name("menu.toml")
    path.write_text(
        '[players]\nwhite = "Zoë \\"Z\\" \\\\"\n[table]\nsettle_s = 2.5\n[panel]\nlamps = false\n', encoding="utf-8"
    )
    before = load_config()
    assert save(path, "players.language", "en")
    assert load_config() == before
    assert (before.names.white, before.settle_s, before.panel.lamps) == ('Zoë "Z" \\', 2.5, False)


def test_every_default_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "all.toml"
    assert [name for name, setting in SETTINGS.items() if not save(path, name, setting.default)] == []
    assert load_config(path) == Config()
    assert {name for name in SETTINGS if f"{name.partition('.')[2]} = " in path.read_text()} == set(SETTINGS)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'points = 3\n[player]\n[players]\nwhit = "A"\nblack = ""\nlanguage = "dee"\n'
        '[match]\nrules = "ferti-clasic"\npoints = true\nfps = 10\n[table]\nsettle_s = 0.1\nfps = "10"\n',
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as refused:
        load_config(path)
    assert refused.value.faults == (
        "points belongs under [match]",
        "there is no heading [player], did you mean players?",
        "there is no setting players.whit, did you mean white?",
        'players.black is a name of 1 to 40 letters, not ""',
        'players.language is one of en, de, fr, nl, not "dee", did you mean de?',
        'match.rules is one of ferti-classic, ferti-advanced, brettspielnetz, not "ferti-clasic", '
        "did you mean ferti-classic?",
        "match.points is a whole number from 1 to 1000000000, not true",
        "fps belongs under [table], not under [match]",
        "table.settle_s is a number of seconds from 0.5 to 60, not 0.1",
        'table.fps is a number of frames a second from 0.1 to 240, not "10"',
    )
    assert str(refused.value).startswith(f"{path}: points belongs under [match]; there is")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"[players\n", "it is not TOML"),
        (b"\xff\xfe", "expected text in UTF-8, found UTF-16; save it as UTF-8"),
        (b"players = 3\n", "[players] is a heading with settings under it, not 3"),
        (b'[players]\nwhite = "a\\nb"\n', "a name of 1 to 40 letters"),
        (b"[table]\nsettle_s = nan\n", "table.settle_s: expected a finite number"),
        (b"[table]\ncamera = 0\n", "table.camera is text that names a camera, not 0"),
        (b"[panel]\nbuttons = 0\n", "panel.buttons is true or false, not 0"),
        (b'[screen]\ntheme = "claer"\n', 'screen.theme is one of parchment, clear, not "claer", did you mean clear?'),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        load_config(path)
    assert fault in refused.value.faults[0]


def test_a_named_file_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="it cannot be read"):
        load_config(tmp_path)


def test_the_screen_has_every_theme_in_every_size(own: Path) -> None:
    assert (load_config().theme, load_config().fullscreen) == ("parchment", False)
    for name, sizes in THEMES.items():
        for size, look in sizes.items():
            own.write_text(f'[screen]\ntheme = "{name}"\nprint = "{size}"\nfullscreen = true\n', encoding="utf-8")
            assert (load_config().look, load_config().fullscreen) == (look, True)


def test_large_print_of_old_was_a_theme_in_the_usual_colours(own: Path) -> None:
    old = '[screen]\ntheme = "large"\n'
    own.write_text(old, encoding="utf-8")
    assert load_config().look is LARGE
    assert load_config(own).look is LARGE
    own.write_text('[screen]\ntheme = "clear"\n', encoding="utf-8")
    saved_path().write_text(old, encoding="utf-8")
    assert (load_config().look, load_config().notice) == (LARGE, "")
    assert save(saved_path(), "screen.theme", "clear")
    assert load_config().look is CLEAR_LARGE
    assert save(saved_path(), "screen.print", "normal")
    assert load_config().look is CLEAR
