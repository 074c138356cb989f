"""Sheets as shapes, and on paper again: written as PDF, rendered by another library, and measured in millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from display.i18n import words
from tests.tables import TABLE
from vision.geometry import Box
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import CardSize, Table
from vision.sheets.catalogue import SHEETS
from vision.sheets.page import PAPERS, Job, Sentences, Sheet
from vision.sheets.pdf import pdf_bytes
from vision.sheets.shapes import Code, Disc, Group, Oblong, Path, Place, Shape, Stroke, Text

DPI = 200.0
PX = DPI / 25.4  # a millimetre
CARD = CardSize(63.0, 88.0)
TOKENS = tuple(f"ABCD{one}{two}" for one in "2345678" for two in "23456")[:29]


@dataclass(frozen=True)
class Print:
    """A page as it comes out of the printer: ``rgb`` (h, w, 3), 200 dots an inch; everything else in millimetres."""

    rgb: NDArray[np.uint8]
    table: Table

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        return np.asarray(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)

    @property
    def size_mm(self) -> tuple[float, float]:
        return self.grey.shape[1] / PX, self.grey.shape[0] / PX

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """The codes read on the page, corners in mm."""
        box = Box(0, 0, self.grey.shape[1], self.grey.shape[0])
        found = LabelReader().read(self.grey, box, self.table.qr_mm / 21 * PX).labels
        return tuple(label._replace(corners=(label.corners + 0.5) / PX) for label in found)

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """The markers read, corners in mm."""
        found = MarkerFinder(self.table.dictionary).find(self.grey)
        return tuple(marker._replace(corners=(marker.corners + 0.5) / PX) for marker in found)

    def part(self, x: float, y: float, width: float, height: float) -> NDArray[np.uint8]:
        """A rectangle of the page, in colour."""
        return self.rgb[round(y * PX) : round((y + height) * PX), round(x * PX) : round((x + width) * PX)]


def leaves(
    shapes: Iterable[Shape], place: Callable[[Place], Place] = lambda point: point
) -> Iterator[tuple[Any, Callable[[Place], Place], Any]]:
    """Every shape that is no group, what takes its points onto the page, and the group it is in."""
    for shape in shapes:
        if not isinstance(shape, Group):
            yield shape, place, None
            continue
        turn = math.radians(shape.turn_deg)

        def there(point: Place, at: Place = shape.at, c: float = math.cos(turn), s: float = math.sin(turn)) -> Place:
            return place((at[0] + c * point[0] - s * point[1], at[1] + s * point[0] + c * point[1]))

        for leaf, way, around in leaves(shape.shapes, there):
            yield leaf, way, around or shape


Kind = TypeVar("Kind", Stroke, Oblong, Path, Disc, Text, Code, Group)


def those(shapes: Iterable[Shape], kind: type[Kind]) -> list[Kind]:
    """The shapes of one kind."""
    return [shape for shape in shapes if isinstance(shape, kind)]


def groups(sheet: Sheet) -> list[Group]:
    """The groups of all its pages."""
    return [group for page in sheet.pages for group in those(page.shapes, Group)]


def made(
    name: str,
    table: Table = TABLE,
    paper: str = "a4",
    language: str = "en",
    card: CardSize = CARD,
    backs: tuple[str, ...] = TOKENS,
    slots: bool = False,
    say: Sentences | None = None,
) -> Sheet:
    """A sheet, of another table, paper, language or card if said."""
    return SHEETS[name](Job(table, "table.toml", PAPERS[paper], card, say or words(language).say, backs, slots))


@lru_cache(maxsize=24)
def printed_pages(name: str, how: tuple[tuple[str, Any], ...]) -> tuple[Print, ...]:
    document = pdfium.PdfDocument(pdf_bytes(made(name, **dict(how))))
    try:
        return tuple(
            Print(np.asarray(page.render(scale=DPI / 72, rev_byteorder=True).to_numpy())[:, :, :3].copy(), table)
            for table in [dict(how).get("table", TABLE)]
            for page in document
        )
    finally:
        document.close()


Printed = Callable[..., tuple[Print, ...]]


@pytest.fixture(scope="session")
def printed() -> Iterator[Printed]:
    """``printed(name)``: a sheet's pages as pictures; what else is said is as ``made`` takes it."""
    yield lambda name, **how: printed_pages(name, tuple(how.items()))
    printed_pages.cache_clear()
