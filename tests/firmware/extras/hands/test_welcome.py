"""``engarde demo`` at a screen: a welcome, and what was chosen there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, cast

import pygame
import pytest

from display.menu.asking import FRIENDLY
from display.menu.model import Act
from display.window import Window, WindowRequest
from engine.players.bots.strengths import rival_name, rivals_in
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.ui.lessons.progress import Progress, progress_path
from firmware.ui.screen.asking import stay
from tests.firmware.conftest import bot_match, keep_match

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path) -> list[str]:
    return ["--scorebook", str(tmp_path / "book.sqlite")]


@pytest.fixture(autouse=True)
def nothing_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nobody chose a language yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def chosen(me: Any, *keys: int) -> Any:
    """Press these keys, one a picture."""
    for key in keys:
        me.key(key)
        yield
        yield


def test_one_tap_begins_a_match_in_the_language_of_the_system(
    at_window: Opens, own: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")

    def person(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("now"))
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        assert me.view.language == "de"
        assert len(me.cards) == 5
        assert [*rivals_in(BySide("", rival_name(FRIENDLY)))] == [Side.BLACK]

    at_window(person)
    assert main(["demo", *own]) == 0


def test_names_are_asked_for_after_the_first_touch(at_window: Opens, own: list[str]) -> None:
    """Whoever played on without a name says who he is with a picture; the match is his then, in the book, too."""

    def person(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("now"))
        yield from me.until(lambda view: view.phase is Phase.TURN)
        while not sum(points for _, points in me.state.score.items()):
            yield from me.play_one()
        before = me.view.match.score
        assert me.window.page is None or me.window.page.title != "Who is playing?"
        while me.window.page is None or me.window.page.title != "Who is playing?":
            yield from me.play_one()
        yield from me.choose(Act("new", "cat"))
        yield from me.write("Mia")
        yield from me.wait(4)
        assert (me.view.match.names.white, me.view.match.portraits.white) == ("Mia", "cat")
        assert me.view.match.score == before

    at_window(person)
    assert main(["demo", "--language", "en", *own]) == 0
    with open_scorebook(Path(own[1])) as book:
        assert [match.names.white for match in book.matches()] == ["Mia"]
        assert not book.replay(1).problem


def test_a_person_or_the_companion_can_be_chosen_too(at_window: Opens, own: list[str], tmp_path: Path) -> None:
    def against(whom: Act) -> Any:
        def person(me: Any) -> Any:
            yield from me.wait(2)
            yield from me.choose(Act("play"))
            yield from me.choose(whom)
            for _ in range(2 if whom == Act("person") else 1):  # the first picture that is left, and called so
                yield from chosen(me, pygame.K_RETURN, pygame.K_RETURN)
            yield from me.until(lambda view: view.phase is Phase.TURN)
            yield from me.wait(2)
            seen.append((len(me.hands.view.slots_mm), bool(me.hands.view.offer)))

        return person

    seen: list[tuple[int, bool]] = []
    at_window(against(Act("person")))
    assert main(["demo", "--language", "en", *own]) == 0
    at_window(against(Act("companion")))
    assert main(["demo", "--language", "en", "--scorebook", str(tmp_path / "another.sqlite")]) == 0
    assert seen == [(0, True), (5, False)]


def test_another_language_and_the_names_are_known_the_next_time(at_window: Opens, own: list[str]) -> None:
    def first(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("other_language"))
        yield from me.choose(Act("language", "de"))
        yield from me.choose(Act("play"))
        yield from me.choose(Act("bot", FRIENDLY))
        yield from chosen(me, pygame.K_RETURN)  # the fox, but called
        yield from me.write("Mia")
        yield from me.until(lambda view: view.phase is Phase.TURN)
        assert (me.view.language, me.view.match.names.white, me.view.match.portraits.white) == ("de", "Mia", "fox")

    def second(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("play"))
        yield from me.choose(Act("bot", FRIENDLY))
        yield from me.choose(Act("known", "Mia"))
        yield from me.until(lambda view: view.phase is Phase.TURN)
        assert (me.view.language, me.view.match.names.white, me.view.match.portraits.white) == ("de", "Mia", "fox")
        assert Progress(progress_path(Path(own[1]))).portraits == {"Mia": "fox"}

    for person in (first, second):
        at_window(person)
        assert main(["demo", *own]) == 0


def test_the_own_level_is_told_where_one_chooses_whom_to_play(at_window: Opens, own: list[str]) -> None:
    """It is found from the match that is in the book; the pointer leads there, and to that bot's table."""
    with open_scorebook(Path(own[1])) as book:
        keep_match(book, "Ana", rival_name("club"), bot_match(3, points=1))

    def person(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("play"))
        yield from me.wait(2)
        page, menu = me.window.page, me.window.menu
        told.extend(page.lines)
        told.append(page.items[menu.here.at].key)
        yield from me.choose(Act("bot", "club"))
        yield from me.choose(Act("known", "Ana"))
        yield from me.until(lambda view: view.phase is Phase.TURN)
        assert me.view.match.names == BySide("Ana", "Bot (club fencer)")

    told: list[Any] = []
    at_window(person)
    assert main(["demo", "--language", "en", *own]) == 0
    assert told == ["From one match against a bot, Ana\u2019s level now: Bot (club fencer).", Act("bot", "club")]


def test_whoever_leaves_the_welcome_has_seen_enough(at_window: Opens, own: list[str], tmp_path: Path) -> None:
    def person(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("play"))
        yield from chosen(me, pygame.K_ESCAPE, pygame.K_ESCAPE)

    at_window(person)
    assert main(["demo", *own]) == 0
    assert not (tmp_path / "book.sqlite").exists()


def test_a_match_is_watched(at_window: Opens, own: list[str]) -> None:
    def person(me: Any) -> Any:
        yield from me.wait(2)
        yield from me.choose(Act("watch"))
        yield from me.until(lambda view: view.phase is Phase.SETUP)
        assert me.window.hands is None

    at_window(person)
    assert main(["demo", *own]) == 0


def test_what_is_shown_last_stays_until_somebody_does_something() -> None:
    class Shown:
        alive = True
        moved = 0
        asked: ClassVar[list[tuple[WindowRequest, ...]]] = [(), (), (), (WindowRequest.ACT,)]

        def poll(self) -> tuple[WindowRequest, ...]:
            return self.asked.pop(0)

        def go_on(self) -> None:
            self.moved += 1

    shown = Shown()
    stay(cast(Window, shown), lambda _: None)
    assert shown.moved == 3
    shown.alive = False
    stay(cast(Window, shown), lambda _: None)


def test_robots_are_pupils_where_nobody_can_sit(at_window: Opens, own: list[str]) -> None:
    assert main(["teach", "--camera", "synthetic", "--headless", "--pupils", "people", *own]) == 1
