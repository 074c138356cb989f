"""The menu in the window: keys, letters, fingers and the mouse, as whoever does them means them."""

from __future__ import annotations

from dataclasses import replace

import pygame

from display.draw.animation import LEAF_S
from display.draw.theme import LARGE
from display.menu.model import Goto, Key, Menu, MenuPlace, Rub
from display.screens.menu import DrawnMenu, MenuPart, Target
from display.window import Window, WindowRequest
from engine.rules.track import BySide, Side
from tests.display.drawn import draw_menu
from tests.display.menu_showcase import MenuContext, page_of, shown_pages

SIZE = (800, 480)
SETTINGS = Menu((MenuPlace(Goto.MAIN), MenuPlace(Goto.SETTINGS)))
WRITE = Menu((MenuPlace(Goto.MAIN), MenuPlace(Goto.START), MenuPlace(Goto.WRITE.of(Side.WHITE))), text="An")


def open_page(window: Window, menu: Menu, language: str = "en") -> DrawnMenu:
    """Show a page and give where its parts are."""
    page = page_of(menu, MenuContext(language, names=BySide("Ana", "Bo")))
    window.show_menu(page, menu, language)
    reference = pygame.Surface(SIZE, 0, window.surface)
    drawn = draw_menu(reference, page, menu, language)
    assert pygame.surfarray.array3d(window.surface).tobytes() == pygame.surfarray.array3d(reference).tobytes()
    return drawn


def press(key: int, letters: str = "") -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=letters))


def click(place: tuple[int, int], *, touch: bool = False, button: int = 1) -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=button, pos=place, touch=touch))


def touch(place: tuple[int, int]) -> None:
    pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=place[0] / SIZE[0], y=place[1] / SIZE[1]))


def test_keys_move_change_choose_and_go_back(window: Window) -> None:
    open_page(window, SETTINGS)
    keys = {
        pygame.K_UP: Key.UP,
        pygame.K_DOWN: Key.DOWN,
        pygame.K_LEFT: Key.LESS,
        pygame.K_RIGHT: Key.MORE,
        pygame.K_RETURN: Key.CHOOSE,
        pygame.K_SPACE: Key.CHOOSE,
        pygame.K_ESCAPE: Key.BACK,
        pygame.K_BACKSPACE: Key.BACK,
    }
    for key in keys:
        press(key, " " if key == pygame.K_SPACE else "")
    press(pygame.K_q, "q")  # the game's key to leave is none of the menu's
    press(pygame.K_F5)
    assert window.poll_menu(writing=False) == tuple(keys.values())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert window.poll_menu(writing=False) == (WindowRequest.QUIT,)


def test_letters_on_the_screen_can_be_touched(window: Window) -> None:
    drawn = open_page(window, WRITE)
    page = page_of(WRITE, MenuContext("en"))
    numbers = [next(at for at, item in enumerate(page.items) if item.key == key) for key in ("e", Rub.OUT)]
    for number in (*numbers, len(page.items) - 1):
        target = next(target for target in drawn.targets if target.number == number and target.part is MenuPart.ROW)
        touch(target.box.center)
        assert window.poll_menu(writing=True) == (Target(target.box, MenuPart.ROW, number),)


def test_a_long_solution_is_turned_by_time_by_key_and_by_a_tap(window: Window) -> None:
    """And a tap that turns it is none on a line of the page."""
    now_s = 100.0
    shown = Window(window.surface, LARGE, lambda: now_s)
    (long,) = (each for each in shown_pages("de") if each.name == "puzzle-0")
    assert long.page.board is not None
    told_twice = replace(long.page.board, told=f"{long.page.board.told} {long.page.board.told}")
    long = replace(long, page=replace(long.page, board=told_twice))

    def told() -> bytes:
        shown.show_menu(long.page, long.menu, "de")
        return pygame.image.tobytes(shown.surface, "RGB")

    first = told()
    now_s += LEAF_S - 0.1
    assert told() == first
    now_s += 0.2
    second = told()
    assert second != first
    press(pygame.K_PAGEUP)
    assert shown.poll_menu(writing=False) == ()
    assert told() == first
    now_s += 10 * LEAF_S
    assert told() == first, "once turned by hand it is turned by hand"
    for place in ((SIZE[0] - 40, 360), (40, 360)):
        click(place)
        assert shown.poll_menu(writing=False) == ()
        assert told() == (second if place[0] > 400 else first)
