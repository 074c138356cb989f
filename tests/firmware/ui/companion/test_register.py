"""``engarde register`` at the simulated table, where somebody shows cards from both sides."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NoReturn

import pytest

from display.view import NO_NAMES
from engine.companion.backs import CardShown, DeckBacks
from engine.rules.cards import DECK, Card
from engine.table.desk import Settings
from engine.table.presses import Button, Press
from firmware.cli.commands import register as register_command
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.register import Registrar
from firmware.cli.main import main
from firmware.extras.simulation.camera import TICK_S, Showing, SimulatedTable, backs_by_lot
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.table.loop.requests import Stop
from firmware.ui.companion.deck_file import load_deck, save_deck
from tests.tables import SMALL_TABLE as TABLE
from vision.eyes import Eyes
from vision.synthetic import PRESETS, Renderer, camera_variant

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGARDE_DECKS", str(tmp_path / "decks"))


class Screens:
    """What was shown while cards were registered."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)


def shown(order: tuple[Card, ...], before: DeckBacks, seed: int = 3) -> tuple[Registrar, Screens, list[str]]:
    tokens = backs_by_lot(seed)
    person = Showing(TABLE, tokens, random.Random(seed), order)
    renderer = Renderer(TABLE, camera_variant(TABLE, seed), PRESETS["typical"], seed)
    table = SimulatedTable(person, renderer, tick_s=TICK_S)
    eyes = Eyes(TABLE)
    eyes.watch_backs((TABLE.play_area,))
    screens = Screens()
    said: list[str] = []
    registrar = Registrar(before, save_deck, said.append)
    people = People(NO_NAMES, "en")
    Loop(table, eyes, table, NoJournal(), [screens], Settings(), people, [registrar], mode="play").run()
    return registrar, screens, said


def test_cards_shown_are_known_at_once_and_a_power_cut_loses_only_the_last() -> None:
    tokens = backs_by_lot(3)
    known = DeckBacks("A")
    for card in DECK[2:]:
        known = known.with_back(card, tokens[card])
    registrar, screens, said = shown(DECK[:2], known)
    assert registrar.registration.backs.tokens == tokens
    assert load_deck("A").tokens == tokens
    assert said[1::2] == ["1a is known now.  (24 of 25)", "1b is known now.  (25 of 25)"]
    last = screens.moments[-1]
    assert last.view.panel is not None
    assert last.view.panel.lines[0].text == "25 of 25 cards are known"
    assert "can play" in last.view.verdict.hint
    assert all(moment.look.table.cards == () for moment in screens.moments), "nothing that is shown is played"


def test_a_card_under_anothers_back_is_refused_with_the_reason() -> None:
    tokens = backs_by_lot(3)
    registrar, screens, said = shown((DECK[0],), DeckBacks("A").with_back(DECK[9], tokens[DECK[0]]))
    assert registrar.registration.said is CardShown.BACK_TAKEN
    assert registrar.registration.backs.tokens == {DECK[9]: tokens[DECK[0]]}
    assert said[-1].startswith("This back was shown for 2e, so it can’t belong to 1a.")
    assert screens.moments[-1].view.verdict.tag == "Not allowed"


def test_the_command_registers_lists_forgets_and_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, small_table: list[str]
) -> None:
    monkeypatch.setattr(Showing.__init__, "__defaults__", (DECK[:2],))
    camera = ["register", *small_table, "--headless", "--config", str(tmp_path / "c.toml")]
    (tmp_path / "c.toml").write_text("", encoding="utf-8")
    assert main([*camera, "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "1b is known now.  (2 of 25)" in out
    assert "Still to be shown: 1c" in out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "001-1a-registered.png",
        "002-1b-registered.png",
    ]
    assert main(["register", "--list"]) == 0
    assert f"1a  {backs_by_lot(1)[DECK[0]]}" in capsys.readouterr().out
    assert main(["register", "--forget", "1a,5e"]) == 0
    assert "Forgotten: 1a." in capsys.readouterr().out
    assert load_deck("A").tokens == {DECK[1]: backs_by_lot(1)[DECK[1]]}
    assert main([*camera, "--check"]) == 0
    out = capsys.readouterr().out
    assert "1a is not known yet." in out
    assert "1b is known already, with this back." in out
    assert DECK[0] not in load_deck("A").tokens
    with pytest.raises(SystemExit) as wrong:
        main(["register", "--forget", "9z"])
    assert wrong.value.code == 2


def test_wrong_use_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    (decks / "deck-A.json").write_text("[]", encoding="utf-8")
    assert main(["register", "--list"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "register the deck again" in said


def test_a_real_cameras_lens_is_kept_beside_the_scorebook_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGARDE_SCOREBOOK", "club/book.sqlite")
    wish = parsed(register_command.Register, ["--camera", "0"]).table
    assert wish.camera.spec.live
    assert wish.scorebook == Path("club/book.sqlite")


def test_from_the_menu_the_game_comes_after_it_whatever_happens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    went_on: list[tuple[str, tuple[str, ...]]] = []

    def became(command: str, options: tuple[str, ...]) -> NoReturn:
        went_on.append((command, options))
        raise SystemExit(0)

    monkeypatch.setattr("firmware.cli.commands.options.become", became)
    monkeypatch.setattr(Showing.__init__, "__defaults__", (DECK[:2],))
    for camera in ("synthetic", str(tmp_path / "no-camera")):
        match = ("--camera", camera, "--headless", "--points", "3", "--white", "Ana")
        with pytest.raises(SystemExit):
            main(["register", "--then-play", *match])
        assert went_on.pop() == ("play", match)
    assert set(load_deck("A").tokens) == set(DECK[:2]), "at the table of the match"


@pytest.mark.parametrize("leaves", [True, False])
def test_the_button_for_taking_back_leads_to_a_game_that_waits(leaves: bool) -> None:
    registrar = Registrar(DeckBacks("A"), save_deck, lambda said: None, leaves=leaves)
    press = Press(1.0, Button.UNDO)
    assert registrar.hear((Press(1.0, Button.WHITE),), 1.0) == (() if leaves else (Press(1.0, Button.WHITE),))
    assert registrar.asks() == ()
    registrar.hear((press,), 1.0)
    assert (Stop() in registrar.asks()) is leaves
