"""Drawing helpers over one pygame surface: fitted text that knows where it landed, smooth shapes, cut rectangles.

Works without a video driver: only ``pygame.Surface``, ``pygame.draw`` and ``pygame.font`` are used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import accumulate, pairwise
from math import ceil, floor, hypot
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from display.draw.fonts import family, font_files, runs
from display.draw.theme import Colour, Theme
from display.i18n import LANGUAGES, locale_data

Point = tuple[float, float]
NOTE, BODY, LEAD, TITLE, SCORE = 18, 22, 26, 40, 76
"""The five sizes of text, in units, of which a screen is 480 high and at least 800 wide; large print has larger ones.

Nothing is written smaller than a usual note, for which the font is asked for 18 pixels on a screen of 720 lines.
"""
LEFT: Final = 0.0
CENTRE: Final = 0.5
RIGHT: Final = 1.0
ELLIPSIS: Final = "\u2026"
_TIE: Final = "\0"
"""A space at which no line is broken, unlike a no-break space as narrow or wide as any other."""
_AFTER_NUMBER: Final = [word for language in LANGUAGES for word in locale_data(language).after_number]
_BEFORE_NAME: Final = [rf"(?<=\b{word})" for language in LANGUAGES for word in locale_data(language).before_name]
_TIED: Final = re.compile(
    r"(?<=[^\s,.;:!?\u2026\u00b7\u2013]) (?=\d)|(?:(?<=^\d)|(?<=\d[,.]\d)|(?<=[,.:;!?]\s\d)) (?=[^\W\d])"
    r"|(?<=\d) (?=[+\u00d7:] \d)|(?<=\d :) (?=\d)|(?<=:) (?=\d+(?:\)|[,.](?:\s|$)))"
    rf"|(?<=\d) (?=(?:{'|'.join(_AFTER_NUMBER)})\b)| (?=[\u2013\u00b7-] )"
    r"|(?<=\bI) (?=[a-z])"
    rf"|(?:{'|'.join(_BEFORE_NAME)}) (?=[^\W\d_a-z])"
)
"""The spaces that belong to a number: "advance 2", "a 4", "2 vooruit", "gaat 2 vooruit", "7.4 rounds", "space 13",
"3 3", "5 : 2", "(laid: 1)", with what is counted: "11 turns", "4 Karten"; to a button's name: "Knop Zwart", "Bouton
Noir"; to a dash or a dot, with which no line begins; and "I", with which none ends."""
_DOT: Final = " \u00b7"
"""Between two things; where a line ends between them it is not needed."""
_LETTER: Final = re.compile(r"[^\W\d_]")
MIN_PX: Final = 6
SENTENCE_END: Final = re.compile(r"(?<=[.!?\u2026]) ")
_MIN_SHARE: Final = 0.4
"""A sentence has a line of its own where the shorter of two lines is at least so much of the longer one."""
_UNTORN_SHARE: Final = 0.8
"""So much smaller a text may be for the sake of its ties: a move torn in two is misread, a small one is not read."""


class DrawnText(NamedTuple):
    """A text as it was drawn. ``cut``: it did not fit into its box even at the smallest size allowed."""

    text: str
    rect: pygame.Rect
    size_px: int
    cut: bool


_FONT_SHARE: Final = 0.6875
"""A font is asked for so much of the size of a text: what pygame does with its own one (its ``font.c``)."""
_FAMILY_SHARE: Final = 0.7625
"""The family's x is .486 of what it is asked for (its "OS/2"), that of pygame's font .532: so it looks as large."""
_ASCENT: Final = 0.55
_LINE: Final = 0.75
"""Of a text's size: where letters stand, under the top of their line, and the line. What pygame's own font has (.8 and
1.09 of what it is asked for); the family's lines would be a third higher, for letters that stand on one another."""


@cache
def _font_file(file: Path) -> bytes:
    return file.read_bytes()


def font(size_px: int, *, heavy: bool = False) -> pygame.font.Font:
    """The family's font in usual or heavy weight, for a text so large."""
    return _font(size_px, font_files(heavy=heavy)[0])


@lru_cache(maxsize=64)
def _font(size_px: int, file: Path) -> pygame.font.Font:
    """All sizes read one copy in memory: opened by its name each would keep a file open for as long as it is used."""
    if not pygame.font.get_init():
        pygame.font.init()
    share = _FAMILY_SHARE if file in family() else _FONT_SHARE
    return pygame.font.Font(BytesIO(_font_file(file)), max(1, int(size_px * share)))


def unit_of(width_px: float, height_px: float) -> float:
    """Pixels of a unit on a screen of this size: of what is one pixel on a screen of 800 x 480."""
    return min(width_px / 800, height_px / 480)


TEXT_SCALE: Final = 4
"""Text is drawn this many times larger and shrunk: the font's own hinting spaces small letters unevenly."""
EVEN_PX: Final = 72
"""In letters so large nobody sees the hinting: larger text is drawn fewer times larger, at least twice."""
FONT_STEP_PX: Final = 24
"""And at a multiple of this size: a font draws its letters once for each size that is asked for."""


_HIGHEST: Final = itemgetter(1)
_MEASURED_PX: Final = 400
"""Widths are measured once, at this size: those of other sizes differ by how a font rounds them, under a hundredth."""


@lru_cache(maxsize=4096)
def _widths(text: str, heavy: bool) -> tuple[float, float]:
    """How wide its letters of the family are, and all others, for each pixel that their font is asked for."""
    found = [0.0, 0.0]
    for file, piece in runs(text, heavy=heavy):
        other = file not in family()
        asked_px = int(_MEASURED_PX * (_FONT_SHARE if other else _FAMILY_SHARE))
        found[other] += _font(_MEASURED_PX, file).size(piece)[0] / asked_px
    return found[0], found[1]


@lru_cache(maxsize=1024)
def _widths_of_line(text: str, heavy: bool) -> tuple[float, float]:
    """The widths of all its words and of the spaces between them, each of which is measured once."""
    if " " not in text:
        return _widths(text, heavy)
    words = [_widths(word, heavy) for word in text.split(" ")]
    spaces = [_widths(" ", heavy)] * (len(words) - 1)
    return sum(width for width, _ in (*words, *spaces)), sum(width for _, width in (*words, *spaces))


def _width(text: str, size_px: int, heavy: bool) -> float:
    own, other = _widths_of_line(text, heavy)
    own_px, other_px = _asked_px(size_px)
    return own_px * own + other_px * other


@cache
def _asked_px(size_px: int) -> tuple[float, float]:
    """What the family and the other fonts are asked for in a text of this size."""
    large_px = size_px * TEXT_SCALE
    return int(large_px * _FAMILY_SHARE) / TEXT_SCALE, int(large_px * _FONT_SHARE) / TEXT_SCALE


def text_width(text: str, size_px: int, *, heavy: bool = False) -> int:
    """How wide this text is drawn."""
    return ceil(_width(text, size_px, heavy))


def line_height(size_px: int) -> int:
    """How high one line of this size is."""
    return ceil(size_px * _LINE)


@lru_cache(maxsize=512)
def _rendered(text: str, size_px: int, colour: Colour, heavy: bool) -> tuple[pygame.Surface, int]:
    """The text, no higher than its ink, and how high it rises over the line that letters stand on."""
    large_px = FONT_STEP_PX * ceil(size_px * min(TEXT_SCALE, max(2, ceil(EVEN_PX / size_px))) / FONT_STEP_PX)
    scale = large_px / size_px
    images, places, above, below = [], [], scale, scale
    for file, piece in runs(text, heavy=heavy):
        drawn = _font(large_px, file)
        image = drawn.render(piece, True, colour)
        ink = [each[2:4] for each in drawn.metrics(piece) if each is not None] or [(0, 0)]
        lowest, highest = min(ink)[0], max(ink, key=_HIGHEST)[1]
        places.append(max(drawn.get_ascent(), highest))  # a letter over the font's own ascent moves the others down
        images.append(image)
        above, below = max(above, highest + 2), max(below, 2 - lowest)  # smooth edges are no part of a metric
    rise_px, fall_px = ceil(above / scale), ceil(below / scale)
    high_px, whole_px = round(rise_px * scale), round((rise_px + fall_px) * scale)
    whole = pygame.Rect(0, places[0] - high_px, images[0].get_width(), whole_px)
    if len(images) == 1 and images[0].get_rect().contains(whole):
        large = images[0].subsurface(whole)
    else:
        widths = [image.get_width() for image in images]
        large = pygame.Surface((sum(widths), whole.height), pygame.SRCALPHA)
        for image, left, place in zip(images, accumulate(widths, initial=0), places, strict=False):
            large.blit(image, (left, high_px - place))
    size = text_width(text, size_px, heavy=heavy), rise_px + fall_px
    return pygame.transform.smoothscale(large, size), rise_px


@lru_cache(maxsize=64)
def _ink(text: str, size_px: int, colour: Colour) -> pygame.Surface:
    """Figures in the heavy weight, cropped to their ink.

    They are of few sizes: the number between fencers who move is of another one in every picture.
    """
    large = font(size_px, heavy=True).render(text, True, colour)
    return large.subsurface(large.get_bounding_rect())


@lru_cache(maxsize=64)
def digits(text: str, height_px: int, colour: Colour) -> pygame.Surface:
    """Figures in the heavy weight, cropped to their ink and scaled to exactly this height."""
    step_px = 1 << max(0, height_px.bit_length() - 3)
    ink = _ink(text, 2 * step_px * ceil(1.01 * height_px / step_px), colour)  # ink is half as high as it is asked for
    width_px = max(1, round(ink.get_width() * height_px / ink.get_height()))
    return pygame.transform.smoothscale(ink, (width_px, height_px))


TINY_PX: Final = 1e-6
"""Widths are sums: what is wider by so little has room."""


@lru_cache(maxsize=1024)
def _wrapped(text: str, size_px: int, width_px: int, heavy: bool) -> tuple[str, ...] | None:
    """The text in lines no wider than this; None when a single word, or what is tied together, is wider."""
    lines: list[str] = []
    room_px, space_px = 0.0, _width(" ", size_px, heavy)
    own_px, other_px = _asked_px(size_px)
    for word in (tied.replace(_TIE, " ") for tied in text.split(" ")):
        own, other = _widths_of_line(word, heavy)
        word_px = own_px * own + other_px * other
        if word_px > width_px:
            return None
        if lines and space_px + word_px <= room_px + TINY_PX:
            lines[-1] += f" {word}"
            room_px -= space_px + word_px
        else:
            lines.append(word)
            room_px = width_px - word_px
    return tuple(lines)


@lru_cache(maxsize=1024)
def fit(
    text: str, width_px: int, height_px: int, size_px: int, least_px: int, lines: int, *, heavy: bool = False
) -> tuple[int, tuple[str, ...]] | None:
    """The largest size, down to ``least_px``, at which the text fits the box in at most ``lines`` lines; or None.

    A number stays in a line with its word, unless the text would have to be much smaller for that.
    """
    if lines == 1 or " " not in text:
        large_px = _width(text, size_px, heavy)
        size = min(size_px, int(height_px / _LINE) + 1, int(width_px * size_px / large_px) + 2) if large_px else size_px
        while size >= least_px and (line_height(size) > height_px or _width(text, size, heavy) > width_px):
            size -= 1
        return (size, (text,)) if size >= least_px else None
    whole = _TIED.sub(_TIE, text)
    untied = None
    long_px = text_width(text, size_px, heavy=heavy)
    for size in range(size_px, least_px - 1, -1):
        # All lines together have no room for a text that is wider, but for spaces at their ends and rounding.
        rows = min(lines, height_px // line_height(size))
        if long_px * size > rows * (width_px + 2 * size) * size_px:
            continue
        if untied is not None and size < _UNTORN_SHARE * untied[0]:
            break
        for words in (whole, text) if untied is None else (whole,):
            wrapped = _wrapped(words, size, width_px, heavy)
            if wrapped is not None and len(wrapped) <= rows:
                fitted = size, _balanced(words, size, width_px, wrapped, heavy)
                if words is whole:
                    return fitted
                untied = fitted
    return untied


def _balanced(text: str, size_px: int, width_px: int, wrapped: tuple[str, ...], heavy: bool) -> tuple[str, ...]:
    """The same number of lines, about equally long: no word is left alone on the last one.

    Of two lines the second begins with a sentence where one does not become much shorter than the other.
    """
    if len(wrapped) == 1:
        return wrapped
    if len(wrapped) == 2:
        for end in SENTENCE_END.finditer(text):
            lines = text[: end.start()].replace(_TIE, " "), text[end.end() :].replace(_TIE, " ")
            short_px, long_px = sorted(text_width(line, size_px, heavy=heavy) for line in lines)
            if long_px <= width_px and short_px >= _MIN_SHARE * long_px:
                return lines
    for share in range(50, 100, 5):
        narrower = _wrapped(text, size_px, width_px * share // 100, heavy)
        if narrower is not None and len(narrower) == len(wrapped):
            return narrower
    return wrapped


def _shortened(text: str, size_px: int, width_px: int, heavy: bool) -> str:
    kept = text.rstrip()
    while kept and text_width(kept + ELLIPSIS, size_px, heavy=heavy) > width_px:
        kept = kept[:-1].rstrip()
    return kept + ELLIPSIS


class _Laid(NamedTuple):
    """A text in its box: each line with where it begins and its letters stand, and what of the box all take."""

    text: str
    size_px: int
    heavy: bool
    cut: bool
    lines: tuple[tuple[str, int, int], ...]
    rect: pygame.Rect


@lru_cache(maxsize=512)
def _laid(
    text: str,
    room_px: tuple[int, int],
    size: int,
    least: int,
    lines: int,
    align: float,
    valign: float,
    shorten: bool,
    heavy: bool,
) -> _Laid:
    heavy = heavy or _LETTER.search(text) is None
    fitted = fit(text, *room_px, size, least, lines, heavy=heavy)
    if fitted is None and shorten:
        text = _shortened(text, least, room_px[0], heavy)
    if fitted is None:
        fitted = fit(text, *room_px, least, MIN_PX, lines, heavy=heavy)
    used, wrapped = fitted or (least, (text,))
    line_px, drawn, places = line_height(used), [], []
    top = (room_px[1] - line_px * len(wrapped)) * valign
    for number, line in enumerate(each.removesuffix(_DOT) for each in wrapped):
        place = pygame.Rect(0, floor(top + number * line_px + 0.5), text_width(line, used, heavy=heavy), line_px)
        place.left = floor((room_px[0] - place.width) * align + 0.5)
        drawn.append((line, place.left, place.top + round(used * _ASCENT)))
        places.append(place)
    return _Laid(text, used, heavy, fitted is None, tuple(drawn), places[0].unionall(places[1:]))


@dataclass(slots=True)
class Kept:
    """A part of a picture as it was drawn last. ``key``: all that it depends on."""

    key: object = None
    ground: pygame.Surface | None = None
    texts: tuple[DrawnText, ...] = ()


class Canvas:
    """A surface and a theme.

    ``texts`` is every text drawn so far, for tests and for nobody else. ``turns``: where a finger turns a leaf.
    ``print_px``: pixels of a unit in this print. ``kept``: the part that is the same in all pictures of a move.
    """

    def __init__(self, surface: pygame.Surface, theme: Theme, kept: Kept | None = None) -> None:
        self.surface = surface
        self.theme = theme
        self.kept = kept or Kept()
        self.texts: list[DrawnText] = []
        self.turns: list[pygame.Rect] = []
        self.unit_px = unit_of(*surface.get_size())
        self.print_px = self.unit_px * theme.print_scale
        self.usual_note_px = max(MIN_PX, round(NOTE * self.unit_px))
        self.note_px = max(MIN_PX, round(NOTE * self.print_px))

    def text(
        self,
        text: str,
        box: pygame.Rect,
        size_px: float,
        colour: Colour,
        *,
        align: float = LEFT,
        valign: float = CENTRE,
        lines: int = 1,
        least_px: float | None = None,
        shorten: bool = False,
        heavy: bool = False,
    ) -> pygame.Rect:
        """Draws the text into its box, smaller where it has to be, and gives the rectangle it takes.

        ``align`` and ``valign`` are shares of the free room before it. Smallest size: ``least_px``, else a note's in
        usual print, and less only where it would be cut. ``shorten``: instead of that it ends in an ellipsis (names,
        which people choose themselves). ``heavy``: headings, names, and what
        a press does; figures are so anyway.
        """
        if not text or box.width <= 0 or box.height <= 0:
            return pygame.Rect(box.topleft, (0, 0))
        size = max(self.note_px, round(size_px))
        least = self.usual_note_px if least_px is None else max(MIN_PX, min(size, round(least_px)))
        laid = _laid(text, box.size, size, least, lines, align, valign, shorten, heavy)
        drawn = laid.rect.move(box.topleft)
        if self.surface.get_clip().colliderect(drawn):  # else nothing of it is seen
            for line, x, y in laid.lines:
                image, rise_px = _rendered(line, laid.size_px, colour, laid.heavy)
                self.surface.blit(image, (box.left + x, box.top + y - rise_px))
        self.texts.append(DrawnText(laid.text, drawn, laid.size_px, laid.cut))
        return drawn

    def number(self, number: int, box: pygame.Rect, colour: Colour, *, align: float = CENTRE) -> pygame.Rect:
        """A number as high as the box, or as high as its width allows."""
        text = str(number)
        image = digits(text, max(6, box.height), colour)
        if image.get_width() > box.width:
            image = digits(text, max(6, round(box.height * box.width / image.get_width())), colour)
        place = image.get_rect(bottom=box.bottom - (box.height - image.get_height()) // 2)
        place.left = round(box.left + (box.width - image.get_width()) * align)
        self.surface.blit(image, place)
        self.texts.append(DrawnText(text, place, image.get_height(), False))
        return place

    def keep(self, box: pygame.Rect, key: object, draw: Callable[[], None], *, again: bool) -> None:
        """Draws a part, or copies it where it was kept and ``key`` is as before.

        ``again``: the next picture shows it, too, so it is kept with whatever was drawn in the box before.
        """
        if key == self.kept.key and self.kept.ground is not None:
            self.surface.blit(self.kept.ground, box)
            self.texts += self.kept.texts
            return
        before = len(self.texts)
        draw()
        if again:
            self.kept.key, self.kept.texts = key, tuple(self.texts[before:])
            self.kept.ground = self.surface.subsurface(box).copy()

    def panel(
        self, box: pygame.Rect, colour: Colour, radius_px: float = 0, edge: tuple[Colour, int] | None = None
    ) -> None:
        """A filled rectangle with round corners; ``edge``: colour and width of the line around it."""
        pygame.draw.rect(self.surface, colour, box, border_radius=round(radius_px))
        if edge is not None:
            pygame.draw.rect(self.surface, edge[0], box, edge[1], round(radius_px))

    def blit(self, image: pygame.Surface, **place: object) -> None:
        """Draws an image with its rectangle there, as ``Surface.get_rect`` takes it: ``center=…``, ``midright=…``."""
        self.surface.blit(image, image.get_rect(**place))


SUPERSAMPLE: Final = 3
"""Sprites are drawn this many times larger and shrunk, which smooths every edge."""


def blank(width_px: float, height_px: float) -> pygame.Surface:
    """A transparent surface for a sprite, at ``SUPERSAMPLE`` times the size asked for."""
    size = (max(1, round(width_px)) * SUPERSAMPLE, max(1, round(height_px)) * SUPERSAMPLE)
    return pygame.Surface(size, pygame.SRCALPHA, 32)


def shrunk(image: pygame.Surface) -> pygame.Surface:
    """A sprite from ``blank`` at its own size, smooth."""
    width, height = image.get_size()
    return pygame.transform.smoothscale(image, (width // SUPERSAMPLE, height // SUPERSAMPLE))


def thick_line(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width_px: float) -> None:
    """A line with round ends and joints."""
    limb(surface, colour, [(point, max(0.5, width_px / 2)) for point in points])


def taper(surface: pygame.Surface, colour: Colour, start: Point, r0: float, end: Point, r1: float) -> None:
    """A limb: two circles and the band between them."""
    limb(surface, colour, [(start, r0), (end, r1)])


def limb(surface: pygame.Surface, colour: Colour, joints: Sequence[tuple[Point, float]], grow: float = 0.0) -> None:
    """A limb of several joints, each with its radius, which may all be larger: circles, and the bands between them."""
    for ((x0, y0), r0), ((x1, y1), r1) in pairwise(joints):
        length = max(1e-6, hypot(x1 - x0, y1 - y0))
        nx, ny = (y0 - y1) / length, (x1 - x0) / length
        ax, ay, bx, by = nx * (r0 + grow), ny * (r0 + grow), nx * (r1 + grow), ny * (r1 + grow)
        band = [(x0 + ax, y0 + ay), (x1 + bx, y1 + by), (x1 - bx, y1 - by), (x0 - ax, y0 - ay)]
        pygame.draw.polygon(surface, colour, band)
    for place, radius in joints:
        if radius + grow >= 1:
            pygame.draw.circle(surface, colour, place, radius + grow)


Cut = tuple[Rect, Rect]
"""The piece, then the rest."""


def cut_left(box: Rect, width_px: int) -> Cut:
    return Rect(box.left, box.top, width_px, box.height), Rect(
        box.left + width_px, box.top, box.width - width_px, box.height
    )


def cut_right(box: Rect, width_px: int) -> Cut:
    rest, piece = cut_left(box, box.width - width_px)
    return piece, rest


def cut_top(box: Rect, height_px: int) -> Cut:
    return Rect(box.left, box.top, box.width, height_px), Rect(
        box.left, box.top + height_px, box.width, box.height - height_px
    )


def cut_bottom(box: Rect, height_px: int) -> Cut:
    rest, piece = cut_top(box, box.height - height_px)
    return piece, rest
