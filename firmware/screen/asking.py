"""What is asked at a window before anything is begun there, and a last picture that stays."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from display.i18n import LANGUAGES
from display.menu.asking import language_page, opponents_page, welcome_page
from display.menu.lines import Goto, Line, Of, Wanted
from display.menu.model import Key, Menu, Page, Place, step, tap
from display.screens.menu import Part, Target
from display.window import Request, Window
from engine.players.bots.own_level import OwnLevel
from engine.players.bots.strengths import STRENGTHS

PICTURE_S: Final = 1 / 30


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody wants: to watch, to learn, or to play: a person, a bot of this ``strength``, the companion."""

    wanted: Wanted
    language: str
    strength: str = ""


def ask_what(
    window: Window, language: str, own: OwnLevel | None = None, sleep: Callable[[float], None] = time.sleep
) -> Choice | None:
    """Language first, then what is wanted, then against whom; None where the window was closed or left.

    ``own``: the player's own level, which is offered first. ``sleep`` stands in for time in tests.
    """
    pages: tuple[Callable[[str], Page], ...] = (
        lambda _: language_page(),
        welcome_page,
        lambda named: opponents_page(named, own),
    )
    places = [LANGUAGES.index(language), 0, 0 if own is None else list(STRENGTHS).index(own.strength)]
    number = 0
    while True:
        page, menu = pages[number](language), Menu((Place(Goto.MAIN, places[number]),))
        window.show_menu(page, menu, language)
        for asked in window.poll_menu(writing=False):
            if asked is Request.QUIT or not window.alive:
                return None
            after, chosen = _answered(menu, page, asked)
            if after is None:
                if number == 0:
                    return None
                number -= 1
                break
            menu, places[number] = after, after.here.at
            match chosen:
                case Of(Wanted.LANGUAGE, str(named)):
                    language, number = named, 1
                case Wanted.PLAY:
                    number = 2
                case Wanted.WATCH | Wanted.LEARN | Wanted.PERSON | Wanted.COMPANION:
                    return Choice(chosen, language)
                case Of(Wanted.BOT, str(strength)):
                    return Choice(Wanted.BOT, language, strength)
                case _:
                    continue
            break
        sleep(PICTURE_S)


def _answered(menu: Menu, page: Page, asked: object) -> tuple[Menu | None, Line | None]:
    """The page after this key or finger, None where it was left, and what was chosen on it."""
    if isinstance(asked, Key):
        return step(menu, asked, page)
    if isinstance(asked, Target) and asked.part is Part.BACK:
        return None, None
    if isinstance(asked, Target):
        return tap(menu, asked.number, page)
    return replace(menu), None


def stay(window: Window, sleep: Callable[[float], None] = time.sleep) -> None:
    """Leave what is shown until somebody does something."""
    while window.alive and not window.poll():
        window.go_on()
        sleep(PICTURE_S)
