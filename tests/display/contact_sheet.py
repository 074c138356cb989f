"""``python -m tests.display.contact_sheet --out DIR``: every screen in every language and size, to be looked at.

Writes one picture for each screen of the table, each page of the menu, looking back and watching, and for each language
and size one sheet of the table's and one of the others, at a third of their size.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame

from display.draw.canvas import DrawnText
from display.draw.pictures import new_surface, png_of
from display.draw.theme import DEFAULT, LOOKS, Theme
from display.i18n import LANGUAGES, words
from display.screens.camera import CameraPicture
from display.screens.compose import BUTTONS, REVIEW_BUTTONS, Arrangement, compose
from display.view import Situation
from display.words.present import present
from display.words.watching import Watched, nothing_to_review, review_caption, watch_view
from firmware.cli.commands.setup import first_screen
from firmware.cli.first_start.wifi import Hotspot, WifiFault
from tests.display.coach_showcase import coach_situations
from tests.display.drawn import draw_menu, draw_table, draw_watch, text_faults
from tests.display.lesson_showcase import lesson_situations
from tests.display.menu_showcase import ShownPage, shown_pages
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations

SIZES: Final = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
SHEET_COLUMNS: Final = 5
SCREEN_HELP: Final = "only this screen (may be repeated); a name there is none of prints all there are"
CAMERA: Final = CameraPicture(bytes((96, 110, 118)) * (64 * 36), 64, 36)
"""A plain grey stands for what the camera sees."""

DrawScreen = Callable[[pygame.Surface, Theme], Sequence[DrawnText]]
Screens = Mapping[str, DrawScreen]


def table_screens(language: str) -> Screens:
    """The table in every situation."""
    every = {**situations(), **trouble_situations()}
    views = {name: present(replace(shown, language=language)) for name, shown in every.items()}

    def drawn(name: str) -> DrawScreen:
        camera = CAMERA if every[name].table.trouble else None  # where nobody knows the place there is no picture
        return lambda surface, theme: draw_table(surface, views[name], theme=theme, camera=camera)

    return {name: drawn(name) for name in views}


def other_screens(language: str) -> Screens:
    """The whole window in play, the coach, lessons, the companion, the menu's pages, looking back, and watching."""
    screens: dict[str, DrawScreen] = {}
    for name in ("must_answer", "draw", "attack_four", "reveal", "blind", "compare_many", "trouble_glare_tag"):
        screens[f"window-{name}"] = _window(name, language, CAMERA, Arrangement.BOTH)
        screens[f"window-{name}-alone"] = _window(name, language, CAMERA, Arrangement.TABLE)
    for name, situation in coach_situations(language).items():
        screens[f"coach-{name}"] = _table(situation)
    for name, situation in lesson_situations(language).items():
        screens[f"teach-{name}"] = _table(situation)
    for page in shown_pages(language):
        screens[f"menu-{page.name}"] = _page(page, language)
    for name, caption in {
        "judged": review_caption(language, 3, 5, 12.0, judged=True),
        "frame": review_caption(language, 12, 34, 156.0, judged=False),
        "none": nothing_to_review(language),
    }.items():
        picture = replace(CAMERA, caption=caption)
        screens[f"review-{name}"] = _window("advance", language, picture, Arrangement.CAMERA)
    for name in ("advance", "blind", "open_attack"):
        screens[f"watch-{name}"] = _watch(name, language)
    network = Hotspot("engarde-WWWW", "mmmmwwww")
    blocked = words(language).say(f"setup.wifi_{WifiFault.BLOCKED.value}")
    for name, hotspot, trouble in (("said", network, ""), ("asking", network, ""), ("blocked", None, blocked)):
        address = "http://10.42.255.255:8766/#mmmmwwww"
        screens[f"watch-start-{name}"] = _first_start(language, address, hotspot, trouble, asking=name == "asking")
    return screens


def _first_start(language: str, address: str, hotspot: Hotspot | None, trouble: str, *, asking: bool) -> DrawScreen:
    view, picture = first_screen(language, address, hotspot, trouble, asking=asking)
    return lambda surface, theme: draw_watch(surface, view, picture, theme)


def _window(name: str, language: str, camera: CameraPicture, arrangement: Arrangement) -> DrawScreen:
    view = present(replace({**situations(), **trouble_situations()}[name], language=language))
    names = REVIEW_BUTTONS if arrangement is Arrangement.CAMERA else BUTTONS
    return lambda surface, theme: compose(
        surface, view, camera, arrangement=arrangement, with_buttons=True, names=names, theme=theme
    )


def _table(situation: Situation) -> DrawScreen:
    view = present(situation)
    return lambda surface, theme: draw_table(surface, view, theme=theme)


def _page(shown: ShownPage, language: str) -> DrawScreen:
    return lambda surface, theme: draw_menu(surface, shown.page, shown.menu, language, theme, camera=CAMERA).texts


def _watch(name: str, language: str) -> DrawScreen:
    table = situations()[name].table.observation
    assert table is not None
    spaces = table.figures.map(lambda figure: figure.space)
    cards = [reading.card for reading in table.cards]
    view = watch_view(Watched(table, spaces, cards, (0.31, 0.12), 9.4, 12.3, paused=name == "open_attack"), language)
    return lambda surface, theme: draw_watch(surface, view, CAMERA, theme)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws what was asked for and prints where it lies. Exit status 0, or 1 when something is wrong with a text."""
    names = [*table_screens(LANGUAGES[0]), *other_screens(LANGUAGES[0])]
    parser = argparse.ArgumentParser(
        prog="python -m tests.display.contact_sheet", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this one (may be repeated)")
    parser.add_argument("--size", type=_size, action="append", help="only this size, such as 800x480 (may be repeated)")
    parser.add_argument("--screen", choices=sorted(names), metavar="NAME", action="append", help=SCREEN_HELP)
    parser.add_argument("--theme", choices=tuple(LOOKS), action="append", help="only this look (may be repeated)")
    asked = parser.parse_args(arguments)
    wrong = 0
    for theme in asked.theme or LOOKS:
        for language in asked.language or LANGUAGES:
            for size in asked.size or SIZES:
                for kind, screens in (("sheet", table_screens(language)), ("menu", other_screens(language))):
                    wanted = {name: draw for name, draw in screens.items() if name in (asked.screen or names)}
                    if wanted:
                        wrong += _sheet(asked.out, f"{language}-{size[0]}x{size[1]}", kind, size, wanted, LOOKS[theme])
    print(f"Pictures are in {asked.out}; faults of texts: {wrong}")
    return 1 if wrong else 0


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a size is WIDTHxHEIGHT in pixels, such as 800x480, not {text!r}") from None
    return width, height


def _sheet(out: Path, name: str, kind: str, size: tuple[int, int], screens: Screens, theme: Theme) -> int:
    """One picture a screen, and the sheet of all; prints what is wrong with their texts and gives how much it is."""
    folder = f"{name}-{theme.name}" if theme is not DEFAULT else name
    small = size[0] // 3, size[1] // 3
    rows = -(-len(screens) // SHEET_COLUMNS)
    sheet = pygame.Surface(((small[0] + 6) * min(len(screens), SHEET_COLUMNS), (small[1] + 6) * rows), 0, 32)
    wrong = 0
    for number, (screen, draw) in enumerate(screens.items()):
        surface = new_surface(*size)
        for fault in text_faults(draw(surface, theme), surface.get_rect()):
            print(f"{folder}/{screen}: {fault}")
            wrong += 1
        (out / folder).mkdir(parents=True, exist_ok=True)
        (out / folder / f"{screen}.png").write_bytes(png_of(surface))
        column, row = number % SHEET_COLUMNS, number // SHEET_COLUMNS
        sheet.blit(pygame.transform.smoothscale(surface, small), (column * (small[0] + 6), row * (small[1] + 6)))
    (out / f"{kind}-{folder}.png").write_bytes(png_of(sheet))
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
