"""Colours and size of print: the look of every screen, which ``looks.toml`` holds as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from display.view import Tone
from engine.rules.track import BySide
from engine.strict.text import toml_of
from engine.strict.values import read

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Figure:
    """How one fencer is coloured: the clothes, their outline and folds, the mesh of the mask, the accent."""

    cloth: Colour
    outline: Colour
    fold: Colour
    mesh: Colour
    accent: Colour


@dataclass(frozen=True, slots=True)
class Band:
    """The verdict band of one tone: its ground, and its mark (stripe, tag and sign)."""

    ground: Colour
    mark: Colour


@dataclass(frozen=True, slots=True)
class Glass:
    """The colours of the lamps on the screen: touches, an attack, what is refused, and all the others."""

    touch: BySide[Colour]
    attack: Colour
    refused: Colour
    plain: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """A whole look. Equal only to itself, so that drawn pictures can be kept by it.

    ``print_scale``: how many times larger than usual everything is written, where there is room for it.
    """

    name: str
    paper: Colour
    ink: Colour
    ink_soft: Colour
    header: Colour
    header_active: Colour
    on_header: Colour
    on_header_soft: Colour
    gold: Colour
    card: Colour
    card_back: Colour
    space_light: Colour
    space_dark: Colour
    space_middle: Colour
    steel: Colour
    attack: Colour
    figures: BySide[Figure]
    bands: dict[Tone, Band]
    bold: dict[Tone, Colour]
    lamps: Glass
    print_scale: float = 1.0

    @property
    def large_print(self) -> bool:
        """Whether what only decorates makes room for the words."""
        return self.print_scale > 1.0


def contrast(first: Colour, second: Colour) -> float:
    """The contrast of two colours, 1 to 21. Source: WCAG 2, relative luminance."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@cache
def _luminance(colour: Colour) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(part) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@cache
def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The colour ``share`` of the way from the first to the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _look(name: str) -> Theme:
    told = read(Theme, {"name": name, **toml_of((files("display.draw") / "looks.toml").read_bytes())[name]})
    bands = {Tone(tone): band for tone, band in told.bands.items()}
    return replace(told, bands=bands, bold={Tone(tone): colour for tone, colour in told.bold.items()})


PARCHMENT: Final = _look("parchment")
CLEAR: Final = _look("clear")

LARGE: Final = replace(PARCHMENT, name="large", print_scale=1.3)
"""The usual colours in large print: figures and lamps make room for the words."""

CLEAR_LARGE: Final = replace(CLEAR, name="clear-large", print_scale=LARGE.print_scale)

THEMES: Final = {"parchment": {"normal": PARCHMENT, "large": LARGE}, "clear": {"normal": CLEAR, "large": CLEAR_LARGE}}
"""The look of each choice of colours and of each size of print, by the names that settings have for the two.

``theme.NAME`` and ``print.NAME`` in the catalogues are what people read.
"""

PRINTS: Final = tuple(THEMES["parchment"])
"""The sizes of print; there is each of them in all colours."""

LOOKS: Final = {theme.name: theme for sizes in THEMES.values() for theme in sizes.values()}
"""Every look there is, by its own name."""

DEFAULT: Final = PARCHMENT
