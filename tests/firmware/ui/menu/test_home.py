"""The first page and those of the players: made of a real scorebook, reached by pointer, and saying what is true."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pygame
import pytest

from display.i18n import words
from display.menu.lines import Do, Goto, Line, Open, kind_of
from display.view import NO_NAMES
from engine.rules.state import Phase
from engine.rules.track import BySide
from firmware.book.scores.history import How
from firmware.book.scores.honours import Honour
from firmware.book.scores.players import house
from firmware.table.loop.moment import People
from firmware.ui.menu.home import Home

if TYPE_CHECKING:
    from tests.firmware.ui.menu.conftest import AtTheTable, ByWindow


def filled(table: AtTheTable, fill: Any, bot_match: Any) -> None:
    """Ana and Bo have met four times, and each of them Cem once."""
    for seed in range(1, 5):
        fill(table.book, BySide("Ana", "Bo"), bot_match(seed))
    fill(table.book, BySide("bo", "Cem"), bot_match(5))
    fill(table.book, BySide("Cem", "Ana"), bot_match(6))
    table.machine.known_names()


def home_of(table: AtTheTable, names: BySide[str], language: str = "en") -> Home:
    return Home(table.machine, People(names, language))


def test_two_rivals_with_what_stands_between_them(no_match: AtTheTable, fill: Any, bot_match: Any) -> None:
    filled(no_match, fill, bot_match)
    whole = house(no_match.machine.summaries())
    ana = whole.player("Ana")
    assert ana is not None
    rivalry: Any = home_of(no_match, BySide("ANA", "Bo")).rivalry()
    stands = ana.against["bo"]
    assert (rivalry.won.white, rivalry.won.black) == (stands.won, stands.lost)
    assert stands.played == 4
    last = ana.fights[3].summary
    score = f"{last.score.white} : {last.score.black}"
    assert rivalry.met == f"Last time: Jan 15, 2027, Ana {score} Bo"
    swapped: Any = home_of(no_match, BySide("Bo", "Ana")).rivalry()
    assert (swapped.won.black, swapped.won.white) == (stands.won, stands.lost)
    strangers: Any = home_of(no_match, BySide("Ana", "Dora")).rivalry()
    assert strangers.met == "You two have never met."
    nobody: Any = home_of(no_match, NO_NAMES).rivalry()
    assert nobody.names == BySide("Cem", "Ana"), "who played last"


def test_without_a_match_nobody_is_a_rival(no_match: AtTheTable) -> None:
    assert home_of(no_match, NO_NAMES).rivalry() is None
    assert home_of(no_match, NO_NAMES).everybody() == ()
    assert home_of(no_match, NO_NAMES).person("Ana") is None


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_a_player_is_told_with_what_the_scorebook_has(
    no_match: AtTheTable, fill: Any, bot_match: Any, language: str
) -> None:
    filled(no_match, fill, bot_match)
    player = house(no_match.machine.summaries()).player("Ana")
    assert player is not None
    assert player.rating is not None
    person: Any = home_of(no_match, NO_NAMES, language).person("ana")
    assert person.form == player.form
    assert len(person.curve) == len(player.fights) == 5
    assert person.curve[-1][0] == player.rating.now.points
    assert str(round(player.rating.now.points)) in person.rating
    assert [each.key.which.casefold() for each in person.against] == ["bo", "cem"]
    earned = {feat.text: feat.key.number for feat in person.feats if isinstance(feat.key, Open)}
    say = words(language)
    assert set(earned) <= {say.say(f"home.honour.{honour.value}") for honour in Honour}
    assert earned[say.say("home.honour.first")] == next(fight.summary.match.id for fight in player.fights if fight.won)
    told = " ".join(person.numbers)
    made = player.points_by
    for how in How:
        if made[how]:
            assert str(made[how]) in told


def test_home_is_where_a_press_leads_and_a_second_one_begins(no_match: AtTheTable) -> None:
    table = no_match
    table.menu.open_start()
    page = table.menu.page
    assert page is not None
    assert page.items[0].key is Do.BEGIN
    assert Goto.HISTORY in [item.key for item in page.items]
    table.go_to(Do.BEGIN)
    table.wait(0.5)
    assert table.state.phase is not Phase.MATCH_OVER
    table.menu.open_start()
    page = table.menu.page
    assert page is not None
    assert page.items[0].key is Do.CLOSE, "a match goes on"
    table.go_to(Do.CLOSE)
    assert table.menu.menu is None


@pytest.mark.slow
def test_everything_is_reached_by_pointer(by_window: ByWindow, fill: Any, bot_match: Any) -> None:
    for seed in (1, 2):
        fill(by_window.book, BySide("Ana", "Bo"), bot_match(seed), time.time())  # nothing is due today
    by_window.wait(0.2)
    by_window.button("menu")
    by_window.tap(Goto.PEOPLE, Goto.PERSON.of("Ana"), Goto.HONOURS.of("Ana"))
    page = by_window.menu.page
    assert page is not None
    first = page.items[0]
    assert first.text == "First victory"
    by_window.tap(first.key)
    page = by_window.menu.page
    assert page is not None
    assert kind_of(page.items[0].key) == Goto.ROUND
    assert " began. " in page.items[0].note


@pytest.mark.slow
def test_everything_is_reached_and_left_by_keys(by_window: ByWindow, fill: Any, bot_match: Any) -> None:
    """A player's curve, form, honours and numbers, whom he met, past matches turn by turn: arrows, Enter, Esc."""
    for seed in (1, 2):
        fill(by_window.book, BySide("Ana", "Bo"), bot_match(seed), time.time())  # nothing is due today
    by_window.wait(0.2)
    by_window.key("m")
    read: list[str] = []

    def go(*lines: Line) -> None:
        for line in lines:
            page, menu = by_window.menu.page, by_window.menu.menu
            assert page is not None
            assert menu is not None
            steps = [item.key for item in page.items].index(line) - menu.here.at
            by_window.key(*[pygame.K_DOWN if page.columns == 1 else pygame.K_RIGHT] * (steps % len(page.items)))
            by_window.key(pygame.K_RETURN)
            read.extend(text.text for text in by_window.drawn().texts)

    go(Goto.MORE, Goto.PEOPLE, Goto.PERSON.of("Ana"), Goto.NUMBERS.of("Ana"))
    by_window.key(pygame.K_ESCAPE)
    go(Goto.HONOURS.of("Ana"))
    by_window.key(pygame.K_ESCAPE)
    page = by_window.menu.page
    assert page is not None
    assert page.person is not None
    assert page.person.curve
    assert page.person.form
    assert "Bo · 1 : 1" in read
    by_window.key(*[pygame.K_ESCAPE] * 2)
    go(Goto.HISTORY)
    page = by_window.menu.page
    assert page is not None
    go(page.items[0].key)
    page = by_window.menu.page
    assert page is not None
    go(page.items[0].key)
    page = by_window.menu.page
    assert page is not None
    assert page.past is not None
    by_window.key(pygame.K_RIGHT)
    after = by_window.menu.page
    assert after is not None
    assert after.past != page.past, "the next turn"
    by_window.key(*[pygame.K_ESCAPE] * 3)
    assert by_window.menu.menu is not None
    assert by_window.menu.menu.here.page == Goto.MORE
