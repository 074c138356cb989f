"""``python -m display.contact_sheet --out DIR``: every screen in every language and size, for people to look at.

Writes one picture for each, and for each language one sheet of all of them at a third of their size.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame

from display.i18n import LANGUAGES
from display.picture import new_surface, save_png
from display.present import present
from display.screens.table import draw_table
from display.showcase import situations

SIZES: Final = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
SHEET_COLUMNS: Final = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws what was asked for and prints where it lies. Exit status 0, or 1 when a text did not fit."""
    parser = argparse.ArgumentParser(prog="python -m display.contact_sheet", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this one (may be repeated)")
    parser.add_argument("--size", type=_size, action="append", help="only this size, such as 800x480 (may be repeated)")
    parser.add_argument("--screen", choices=sorted(situations()), action="append", help="only this screen")
    asked = parser.parse_args(arguments)
    cut = 0
    for language in asked.language or LANGUAGES:
        for size in asked.size or SIZES:
            cut += _sheet(asked.out, language, size, asked.screen or list(situations()))
    print(f"Pictures are in {asked.out}; texts that did not fit: {cut}")
    return 1 if cut else 0


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"a size is WIDTHxHEIGHT in pixels, such as 800x480, not {text!r}") from None
    return width, height


def _sheet(out: Path, language: str, size: tuple[int, int], names: Sequence[str]) -> int:
    """One picture a screen, and the sheet of all; gives how many texts were cut."""
    shown = situations()
    small = size[0] // 3, size[1] // 3
    rows = -(-len(names) // SHEET_COLUMNS)
    sheet = pygame.Surface(((small[0] + 6) * min(len(names), SHEET_COLUMNS), (small[1] + 6) * rows), 0, 32)
    cut = 0
    for number, name in enumerate(names):
        surface = new_surface(*size)
        texts = draw_table(surface, present(replace(shown[name], language=language)))
        cut += sum(text.cut for text in texts)
        save_png(surface, out / f"{language}-{size[0]}x{size[1]}" / f"{name}.png")
        column, row = number % SHEET_COLUMNS, number // SHEET_COLUMNS
        sheet.blit(pygame.transform.smoothscale(surface, small), (column * (small[0] + 6), row * (small[1] + 6)))
    save_png(sheet, out / f"sheet-{language}-{size[0]}x{size[1]}.png")
    return cut


if __name__ == "__main__":
    raise SystemExit(main())
