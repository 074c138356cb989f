"""The club's pages in a browser: the wall of all pistes and a fencer's own page. The hall has no broker here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from display.i18n import words
from engine.competition.bouts import Entrant, Terms
from engine.competition.events import Entered, Left, MatchFenced, Opened, PoolsBegun
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.track import BySide
from firmware.extras.club.broker import Founding, found, free_port
from firmware.extras.club.hall import Hall
from firmware.extras.club.messages import framed, read, told_state
from firmware.extras.club.server import WallServer
from tests.browser.conftest import HOSTILE, Browser
from tests.waiting import until

pytestmark = pytest.mark.slow
NAMES: Final = ("Ana Lima", *HOSTILE[:2], "Daan de Vries")


class Evening:
    """A hall whose competition has begun, with a match on piste 1; its server can go away and come again."""

    def __init__(self, folder: Path) -> None:
        card = found(Founding("fk", folder, "127.0.0.1", ("1", "2"), free_port(), tls=False, address="127.0.0.1"))[0]
        self.hall = Hall(card, folder / "hall")
        self.hall.evening.add(Opened("Autumn <b>cup</b>", Terms(3)))
        for number, name in enumerate(NAMES, 1):
            self.hall.evening.add(Entered(Entrant(str(number), name)))
        self.hall.evening.add(PoolsBegun(1))
        self.port = 0

    def fence(self, table: str, names: BySide[str]) -> None:
        """A match begins at this table."""
        state, ruling = judge(None, MatchEvent("ferti-advanced", points=3))
        events = [framed(table, table * 32, 1, 0.0, told_state(ruling, state, names, 0.0))]  # type: ignore[arg-type]
        state, ruling = judge(state, RoundEvent())
        assert state is not None
        events.append(framed(table, table * 32, 2, 1.0, told_state(ruling, state, names, 1.0)))
        for event in events:
            self.hall.wall.take(read(event))

    @contextmanager
    def served(self, language: str = "en") -> Iterator[WallServer]:
        assert until(lambda: self.hall.fencers), "the hall has told nothing yet"
        server = WallServer(self.hall, language, port=self.port)
        self.port = server.port
        try:
            yield server
        finally:
            server.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "club")
    yield made
    made.hall.close()


def club(language: str, key: str, **facts: object) -> str:
    return words(language).say(f"club.{key}", **facts)


def test_the_wall_shows_the_pistes_and_who_comes_next(browser: Browser, evening: Evening) -> None:
    evening.fence("1", BySide("Ana Lima", HOSTILE[0]))
    evening.fence("2", BySide("Daan de Vries", HOSTILE[3]))
    evening.hall.start()
    with evening.served() as server:
        browser.open(server.url)
        assert browser.until(lambda: len(browser.all("main section")) == 2), browser.text("body")
        assert browser.text("#competition") == "Autumn <b>cup</b>"
        assert browser.text("#line") == club("en", "unknown")
        first, second = browser.all("main section")
        assert club("en", "piste", table="1") in first.text
        assert "Ana" in first.text
        assert "Daan" in second.text
        assert [each.text for each in browser.all(".name b")] == ["0"] * 4
        bars = [
            [dot.get_dom_attribute("style") for dot in each.find_elements("css selector", ".bar i")]
            for each in (first, second)
        ]
        assert bars[0] == bars[1], "both at the start, at the ends of the piste"
        assert len(set(bars[0])) == 2
        assert club("en", "coming") in browser.text("#coming")
        assert browser.unharmed()
        evening.hall.ask(Entered(Entrant("late", "Too Late")))  # has no place in a pool that is drawn: nothing moves
        browser.open(server.url + "still")
        assert browser.until(lambda: len(browser.all("main section")) == 2)


def test_a_wall_that_lost_the_hall_says_so_and_comes_back_by_itself(browser: Browser, evening: Evening) -> None:
    evening.fence("1", BySide("Ana Lima", "Daan de Vries"))
    evening.hall.start()
    with evening.served("de") as server:
        browser.open(server.url)
        assert browser.until(lambda: len(browser.all("main section")) == 1)
    assert browser.shows("#line", club("de", "lost"))
    browser.driver.execute_script("dispatchEvent(new Event('resize'))")
    assert browser.text("#line") == club("de", "lost"), "drawn anew too"
    evening.fence("2", BySide("Ana Lima", "Daan de Vries"))
    with evening.served("de"):
        assert browser.until(lambda: len(browser.all("main section")) == 2)
        assert club("de", "lost") not in browser.text("#line")


def test_a_fencer_finds_a_page_in_the_phones_language(browser: Browser, evening: Evening) -> None:
    """The browser of these tests asks for German; the wall is in English."""
    evening.hall.start()
    say: Callable[..., str] = lambda key, **facts: club("de", key, **facts)  # noqa: E731
    with evening.served("en") as server:
        browser.open(server.url + "fencers")
        assert browser.shows("#name", say("choose"))
        assert [each.text for each in browser.all("#list a")] == [*NAMES]
        assert browser.unharmed()
        browser.click("Ana Lima")
        assert browser.shows("#name", "Ana Lima")
        assert browser.text("#competition") == "Autumn <b>cup</b>"
        assert browser.text("#results") == say("results")
        told = json.loads(evening.hall.fencers["1"])
        assert browser.shows("#now", say("you_wait", other=told["against"], before=told["before"]))
        assert browser.unharmed()
        bout = next(each for each in evening.hall.evening.now.due() if "1" in (each.first, each.second))  # type: ignore[union-attr]
        evening.hall.ask(MatchFenced(bout.id, 3, 1, True))
        assert browser.shows("#list", "3 : 1" if bout.first == "1" else "1 : 3")
        assert ("✓" in browser.text("#list")) is (bout.first == "1")
        evening.hall.ask(Left("1"))
        assert browser.shows("#now", say("you_left"))


def test_a_fencers_page_that_lost_the_hall_says_so_and_asks_again(browser: Browser, evening: Evening) -> None:
    evening.hall.start()
    with evening.served() as server:
        browser.open(server.url + "fencer/4")
        assert browser.shows("#name", "Daan de Vries")
    assert browser.shows("#gone", club("de", "lost"))
    with evening.served():
        assert browser.until(lambda: not browser.all("#gone")[0].is_displayed())
        assert browser.text("#name") == "Daan de Vries"
