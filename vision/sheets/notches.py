"""Strips for the cards' sleeves whose notches say the value to a fingertip, with the number in Braille."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from vision.sheets.lettering import numbered
from vision.sheets.page import Content, Job, Sheet, room_on, sheet_of
from vision.sheets.shapes import CUT_PEN, FOLD_PEN, GREY, INK, Disc, Path, Pen, Place, Rect, Shape, Stroke, Text

INSIDE_MM: Final = 8.0
"""This much of a strip is held by the sleeve, behind the card."""
OUTSIDE_MM: Final = 7.0
"""This much stands out above the card, where a finger runs along it."""
NOTCH_MM: Final = 4.0
"""How wide and how deep a notch is."""
PITCH_MM: Final = 8.0
"""From notch to notch; less on narrow cards."""
FIRST_MM: Final = 7.0
"""How far the first notch is from the left end: further than any edge is taken for one."""
DOT_MM: Final = 2.5
"""How far apart the dots of a Braille cell are. Source: the usual size, 2.5 mm within and 6 mm between cells."""
CELL_MM: Final = 6.0
_BRAILLE_MM: Final = 13.0
_GAP_MM: Final = 3.0
_HOW_MM: Final = 28.0
_HOW: Final = 3
NUMBER_SIGN: Final = (3, 4, 5, 6)
BRAILLE: Final = {1: (1,), 2: (1, 2), 3: (1, 4), 4: (1, 4, 5), 5: (1, 5)}
"""The dots of each value, counted down the left column and then the right one, as in every language of the screen."""


def notches(job: Job) -> Sheet:
    """A strip for each of the 25 cards, as wide as the card, and how they are made and felt."""
    room = room_on(job.paper, landscape=False)
    wide, high = job.card.width_mm, INSIDE_MM + OUTSIDE_MM
    columns = max(1, int((room.width + _GAP_MM) // (wide + _GAP_MM)))
    rows = max(1, int((room.height - _HOW_MM + _GAP_MM) // (high + _GAP_MM)))
    values = [value for value in range(1, 6) for _ in range(5)]
    contents = []
    for first in range(0, len(values), columns * rows):
        shapes: list[Shape] = []
        texts = [job.say(f"sheet.notches.how_{number}") for number in range(1, _HOW + 1)]
        shapes += numbered(Rect(room.x, room.y + 1.0, room.width, _HOW_MM - 3.0), texts, 2.5)
        for place, value in enumerate(values[first : first + columns * rows]):
            row, column = divmod(place, columns)
            at = (room.x + column * (wide + _GAP_MM), room.y + _HOW_MM + row * (high + _GAP_MM))
            shapes += strip(at, wide, value)
        contents.append(Content(tuple(shapes)))
    return sheet_of(job, "notches", contents)


def strip(at: Place, wide: float, value: int) -> Iterator[Shape]:
    """One strip, its top left at ``at``: as many notches in its upper edge as its card says."""
    left, top = at
    bottom = top + INSIDE_MM + OUTSIDE_MM
    edge: list[Place] = [(left, top)]
    for middle in notch_places(value, wide):
        x = left + middle
        edge += [(x - NOTCH_MM / 2, top), (x, top + NOTCH_MM), (x + NOTCH_MM / 2, top)]
    yield Path((*edge, (left + wide, top), (left + wide, bottom), (left, bottom)), pen=CUT_PEN)
    held = top + OUTSIDE_MM
    yield Stroke((left, held), (left + wide, held), FOLD_PEN)
    yield Text((left + 3.0, bottom - 2.6), str(value), 3.6, INK, bold=True)
    for dot in braille_dots(value):
        yield Disc((left + wide - _BRAILLE_MM + dot[0], top + 1.0 + dot[1]), 0.65, fill=GREY, pen=Pen(GREY, 0.1))


def notch_places(value: int, wide: float) -> tuple[float, ...]:
    """Where the notches of a value are on a strip so wide, from its left end, in millimetres."""
    pitch = min(PITCH_MM, (wide - FIRST_MM - _BRAILLE_MM - NOTCH_MM) / 4)
    return tuple(FIRST_MM + number * pitch for number in range(value))


def braille_dots(value: int) -> tuple[Place, ...]:
    """The dots of the number in Braille, a number sign and a digit, from the top left dot, in millimetres."""
    found = []
    for cell, dots in enumerate((NUMBER_SIGN, BRAILLE[value])):
        for dot in dots:
            column, row = divmod(dot - 1, 3)
            found.append((cell * CELL_MM + column * DOT_MM, row * DOT_MM))
    return tuple(found)
