"""Colours and size of print: the look of every screen as data.

Every pair of text colour and ground that is drawn keeps a contrast of at least 4.5 (WCAG 2 AA); tested.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from display.view import Tone
from engine.rules.track import BySide

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


PARCHMENT: Final = Theme(
    name="parchment",
    paper=(240, 230, 208),
    ink=(38, 30, 28),
    ink_soft=(88, 72, 62),
    header=(38, 33, 42),
    header_active=(62, 53, 66),
    on_header=(246, 239, 224),
    on_header_soft=(196, 184, 170),
    gold=(226, 184, 92),
    card=(253, 249, 240),
    card_back=(120, 46, 46),
    space_light=(226, 212, 182),
    space_dark=(211, 193, 158),
    space_middle=(142, 52, 44),
    steel=(104, 108, 118),
    attack=(158, 38, 34),
    figures=BySide(
        Figure((252, 249, 242), (46, 38, 36), (176, 166, 152), (150, 146, 146), (196, 48, 42)),
        Figure((52, 48, 56), (20, 17, 20), (112, 106, 116), (92, 88, 98), (38, 128, 84)),
    ),
    bands={
        Tone.READY: Band((233, 222, 196), (92, 78, 66)),
        Tone.LEGAL: Band((218, 228, 202), (44, 100, 60)),
        Tone.PREVIEW: Band((214, 224, 232), (44, 86, 122)),
        Tone.REFUSED: Band((248, 222, 172), (146, 84, 4)),
        Tone.UNSEEN: Band((238, 222, 190), (118, 84, 30)),
        Tone.QUESTION: Band((228, 216, 232), (104, 62, 122)),
        Tone.WON: Band((244, 226, 168), (124, 92, 10)),
        Tone.PAUSED: Band((226, 220, 212), (74, 70, 82)),
    },
    bold={
        Tone.LEGAL: (132, 196, 138),
        Tone.REFUSED: (216, 128, 56),
        Tone.QUESTION: (110, 72, 128),
        Tone.WON: (250, 208, 70),
        Tone.PAUSED: (24, 26, 34),
    },
    lamps=Glass(BySide((236, 56, 44), (52, 200, 108)), (246, 246, 252), (250, 174, 44), (236, 224, 190)),
)
"""Warm paper, and the lamps of fencing: red left, green right."""

CLEAR: Final = Theme(
    name="clear",
    paper=(244, 241, 232),
    ink=(20, 20, 28),
    ink_soft=(70, 70, 80),
    header=(22, 24, 36),
    header_active=(48, 52, 72),
    on_header=(250, 248, 240),
    on_header_soft=(200, 202, 208),
    gold=(250, 204, 84),
    card=(255, 253, 248),
    card_back=(24, 72, 140),
    space_light=(230, 227, 216),
    space_dark=(206, 204, 196),
    space_middle=(60, 62, 84),
    steel=(100, 106, 120),
    attack=(158, 52, 0),
    figures=BySide(
        Figure((255, 253, 248), (40, 38, 40), (176, 172, 164), (150, 148, 150), (213, 94, 0)),
        Figure((44, 48, 60), (14, 16, 22), (112, 116, 128), (90, 94, 106), (40, 130, 225)),
    ),
    bands={
        Tone.READY: Band((222, 234, 231), (37, 124, 110)),
        Tone.LEGAL: Band((214, 226, 244), (26, 75, 157)),
        Tone.PREVIEW: Band((228, 220, 248), (107, 36, 214)),
        Tone.REFUSED: Band((252, 222, 208), (214, 32, 24)),
        Tone.UNSEEN: Band((226, 222, 214), (43, 32, 17)),
        Tone.QUESTION: Band((240, 216, 234), (122, 10, 98)),
        Tone.WON: Band((236, 238, 196), (76, 115, 23)),
        Tone.PAUSED: Band((226, 226, 228), (96, 72, 60)),
    },
    bold={
        Tone.LEGAL: (84, 170, 222),
        Tone.REFUSED: (238, 141, 71),
        Tone.QUESTION: (104, 44, 112),
        Tone.WON: (255, 217, 48),
        Tone.PAUSED: (24, 26, 34),
    },
    lamps=Glass(BySide((255, 128, 48), (70, 160, 255)), (246, 246, 252), (246, 232, 80), (232, 228, 214)),
)
"""Orange for White and blue for Black, which no colour blindness mixes up; what bands and lamps say, neither."""

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
