"""One's own level in the menu of a table: found from the book, and offered first to whoever plays White."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from display.i18n import LANGUAGES
from display.menu.lines import Do, Goto, Of, Pick
from display.menu.model import Item, Menu, MenuPlace
from engine.companion.companion import LEVELS, name_of
from engine.players.bots.strengths import OwnLevel, rival_name
from engine.record.course import follow
from engine.rules.events import Event
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.core.config import Config
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Begin
from firmware.ui.menu.choices import Choices
from firmware.ui.menu.machine import Household
from firmware.ui.menu.state import MenuState
from tests.display.menu_showcase import MenuContext, page_of

WHITE_NAME = Of(Pick.NAME, Side.WHITE)


def against(context: MenuContext, white: str) -> Item:
    """The line that asks against whom, while this name is chosen for White."""
    menu = Menu(path=(MenuPlace(Goto.START),), values={WHITE_NAME: white})
    (item,) = (item for item in page_of(menu, context).items if item.key == Pick.AGAINST)
    return item


def test_against_whom_begins_with_ones_own_level() -> None:
    """Of whoever is chosen to play White; for somebody who has none the levels stand as ever."""
    context = MenuContext("en", names=BySide("Ana", "Ben"), levels={"Ana": OwnLevel("club", 7)})
    assert against(context, "Ben").options == (None, *LEVELS)
    assert against(context, "Ben").note == ""
    others = [level for level in LEVELS if level != "club"]
    assert against(context, "Ana").options == (None, "club", *others)
    assert against(context, "Ana").note == "From 7 matches against bots, Ana\u2019s level now: Companion (club)."


def test_every_language_says_whose_level_it_is() -> None:
    for language in LANGUAGES:
        note = against(MenuContext(language, levels={"Ana": OwnLevel("club", 7)}), "Ana").note
        assert "Ana" in note
        assert "7" in note


def test_the_menu_finds_the_level_in_the_book(
    tmp_path: Path, whole_match: Callable[..., tuple[Event, ...]], fill: Callable[..., int]
) -> None:
    """Two matches won against the fencer, and the club player is hers: found when the menu is opened, not before."""
    by_winner = {winner_of(whole_match(seed, 1)): whole_match(seed, 1) for seed in range(6)}
    assert set(by_winner) == set(Side)
    with open_scorebook(tmp_path / "book.sqlite") as book:
        choices = choices_at(book, tmp_path)
        choices.opened()
        assert choices.now.machine.levels() == {}
        fill(book, BySide("Ana", name_of("fencer")), by_winner[Side.WHITE])
        fill(book, BySide("Ben", "Ana"), by_winner[Side.WHITE])
        fill(book, BySide(rival_name("fencer"), "Ana"), by_winner[Side.BLACK])
        assert choices.now.machine.levels() == {}, "as it was when the menu was opened"
        choices.opened()
        assert choices.now.machine.levels() == {"Ana": OwnLevel("club", 2)}
        assert (
            choices.choose(Do.BEGIN, Menu((MenuPlace(Goto.START),), {WHITE_NAME: "Ana", Pick.AGAINST: "club"})) is None
        )
        (begun,) = (request for request in choices.asks() if isinstance(request, Begin))
        assert begun.names == BySide("Ana", name_of("club"))


def winner_of(events: tuple[Event, ...]) -> Side:
    course = None
    for event in events:
        course, _ = follow(course, event)
    assert course is not None
    score = course.state.score
    return Side.WHITE if score.white > score.black else Side.BLACK


def choices_at(book: Scorebook, folder: Path) -> Choices:
    machine = Household(
        book, folder / "settings.toml", apply=lambda *_: None, test=lambda: None, lamps=False, sound=lambda: False
    )
    return Choices(MenuState(People(BySide("Ana", "Ben"), "en"), machine, Config()))
