"""``python -m tests.display.print_sizes``: how tall each kind of text is on a 7-inch screen, in both sizes of print.

In millimetres of a capital letter, smallest and largest over every situation worth seeing, in all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import pygame

from display.draw.canvas import TEXT_SCALE, DrawnText, font
from display.draw.pictures import new_surface
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.screens.camera import CameraPicture
from display.view import Situation, ViewModel
from display.words.present import present
from tests.display.coach_showcase import coach_situations
from tests.display.drawn import draw_table
from tests.display.lesson_showcase import lesson_situations
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations

SIZE: Final = (800, 480)
SCREEN_MM: Final = (154.0, 86.0)
"""The visible part of the usual 7-inch screen of so many pixels."""
CAMERA: Final = CameraPicture(bytes(64 * 36 * 3), 64, 36)

MAX_LEAVES: Final = 20
"""More leaves than anything has."""

Leaves = Sequence[Sequence[DrawnText]]


def unpainted(width_px: int, height_px: int) -> pygame.Surface:
    """A surface that texts are laid out on and nothing is painted on: no pixel of it may be changed."""
    surface = new_surface(width_px, height_px)
    surface.set_clip(pygame.Rect(0, 0, 0, 0))
    return surface


def every_situation(language: str) -> Mapping[str, Situation]:
    """All situations of the workshop in this language, by name."""
    told = {**situations(), **trouble_situations()}
    shown = {name: replace(situation, language=language) for name, situation in told.items()}
    coach = {f"coach_{name}": situation for name, situation in coach_situations(language).items()}
    return {**shown, **coach, **lesson_situations(language)}


def leaves(view: ViewModel, theme: Theme, size: tuple[int, int] = SIZE) -> Leaves:
    """Every text of the table screen, once for each leaf that its panel or the way its round ended has.

    What is told step by step is told at once.
    """
    drawn: list[Sequence[DrawnText]] = []
    for turned in range(MAX_LEAVES if view.panel is not None or view.ending is not None else 1):
        shown = replace(
            view,
            piste=replace(view.piste, moments=False),
            panel=view.panel and replace(view.panel, turned=turned),
            ending=view.ending and replace(view.ending, turned=turned),
        )
        texts = draw_table(unpainted(*size), shown, theme=theme, camera=CAMERA if view.trouble is not None else None)
        if texts in drawn:
            break
        drawn.append(texts)
    return drawn


def kinds(view: ViewModel) -> Iterator[tuple[str, str]]:
    """What may be written on this screen, by kind. What stands nowhere else is certain to be of its kind."""
    yield "headline", view.verdict.headline
    yield "detail and hint", view.verdict.detail
    yield "detail and hint", view.verdict.hint
    yield "kind of verdict", view.verdict.tag
    yield "round", view.match.round_text
    yield "pile and last card", view.piles.pile_text
    yield "pile and last card", view.piles.discard_text
    yield "eyes", view.eyes.text
    yield "rules", view.match.preset_text
    yield "distance", view.piste.distance_text
    yield "whose turn", view.turn_text
    for remedy in view.remedies:
        yield "picture's caption", remedy.text
    if view.piste.attack is not None:
        yield "attack", view.piste.attack.text
    if view.panel is not None:
        yield "panel's title", view.panel.title
        for line in view.panel.lines:
            yield "panel's line", line.text
    if view.ending is not None:
        for text in (*view.ending.working, view.ending.decided_by):
            yield "how it ended", text


def sizes(texts: Leaves, text: str) -> list[int]:
    """The sizes at which this text was drawn on any leaf."""
    return sorted(drawn.size_px for leaf in texts for drawn in leaf if drawn.text == text)


@lru_cache(maxsize=64)
def capital_mm(size_px: int, screen_px: int = SIZE[1]) -> float:
    """How tall a capital letter of this size is on the screen, which is so many pixels high."""
    ink = font(size_px * TEXT_SCALE).render("H", True, (0, 0, 0)).get_bounding_rect()
    return ink.height / TEXT_SCALE * SCREEN_MM[1] / screen_px


def main() -> None:
    """Prints the table."""
    found: dict[str, dict[str, list[int]]] = {}
    for language in LANGUAGES:
        for situation in every_situation(language).values():
            view = present(situation)
            for theme in (PARCHMENT, LARGE):
                drawn = leaves(view, theme)
                for kind, text in kinds(view):
                    found.setdefault(kind, {}).setdefault(theme.name, []).extend(sizes(drawn, text))
    print(f"Capital letters in millimetres, {SIZE[0]}x{SIZE[1]} on {SCREEN_MM[0]:g} x {SCREEN_MM[1]:g} mm")
    for kind, by_theme in found.items():
        usual, large = (
            f"{capital_mm(min(all_px)):.1f} to {capital_mm(max(all_px)):.1f}"
            for all_px in (by_theme[PARCHMENT.name], by_theme[LARGE.name])
        )
        print(f"{kind:20} usual {usual:12} large {large}")


if __name__ == "__main__":
    main()
