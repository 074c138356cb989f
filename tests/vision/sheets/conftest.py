"""Sheets on paper again: written as PDF, rendered by another library, and measured in millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

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
from vision.sheets.page import PAPERS, Job, Sheet
from vision.sheets.pdf import pdf_bytes

DPI = 200.0
TOKENS = tuple(f"ABCD{one}{two}" for one in "2345678" for two in "23456")[:29]
PX = DPI / 25.4  # a millimetre


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

    def labels(
        self,
        *,
        use_zxing: bool = True,
        use_zbar: bool = True,
        within: tuple[float, float, float, float] | None = None,
    ) -> tuple[Label, ...]:
        """The codes read on the page or in one part of it (x, y, width, height), corners in mm."""
        return (
            self._all_labels if use_zxing and use_zbar and within is None else self._read(use_zxing, use_zbar, within)
        )

    @cached_property
    def _all_labels(self) -> tuple[Label, ...]:
        return self._read(True, True, None)

    def _read(
        self, use_zxing: bool, use_zbar: bool, within: tuple[float, float, float, float] | None
    ) -> tuple[Label, ...]:
        reader = LabelReader(use_zxing=use_zxing, use_zbar=use_zbar)
        x, y, width, height = within or (0.0, 0.0, *self.size_mm)
        box = Box(round(x * PX), round(y * PX), round((x + width) * PX), round((y + height) * PX))
        found = reader.read(self.grey, box, self.table.qr_mm / 21 * PX).labels
        return tuple(label._replace(corners=(label.corners + 0.5) / PX) for label in found)

    def markers(self) -> tuple[Marker, ...]:
        """The markers read, corners in mm."""
        found = MarkerFinder(self.table.dictionary).find(self.grey)
        return tuple(marker._replace(corners=(marker.corners + 0.5) / PX) for marker in found)

    def part(self, x: float, y: float, width: float, height: float) -> NDArray[np.uint8]:
        """A rectangle of the page, in colour."""
        return self.rgb[round(y * PX) : round((y + height) * PX), round(x * PX) : round((x + width) * PX)]

    def ink_box(self, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is dark in a rectangle, mm on the page."""
        x0, y0 = round(x * PX), round(y * PX)
        dark = self.grey[y0 : round((y + height) * PX), x0 : round((x + width) * PX)] < 128
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        return (
            (x0 + columns[0]) / PX,
            (y0 + rows[0]) / PX,
            (x0 + columns[-1] + 1) / PX,
            (y0 + rows[-1] + 1) / PX,
        )


def made(name: str, table: Table, paper: str, language: str, card: CardSize) -> Sheet:
    return SHEETS[name](Job(table, "table.toml", PAPERS[paper], card, words(language).say, TOKENS))


def rendered(data: bytes, table: Table) -> tuple[Print, ...]:
    document = pdfium.PdfDocument(data)
    try:
        return tuple(
            Print(np.asarray(page.render(scale=DPI / 72, rev_byteorder=True).to_numpy())[:, :, :3].copy(), table)
            for page in document
        )
    finally:
        document.close()


@lru_cache(maxsize=24)
def printed_pages(name: str, table: Table, paper: str, language: str, card: CardSize) -> tuple[Print, ...]:
    return rendered(pdf_bytes(made(name, table, paper, language, card), language), table)


Printed = Callable[..., tuple[Print, ...]]
Made = Callable[..., Sheet]


@pytest.fixture(scope="session")
def make() -> Made:
    """``make(name)``: a sheet, of another table, paper, language or card if said."""

    def of(name: str, *, table: Table = TABLE, paper: str = "a4", language: str = "en", card: object = None) -> Sheet:
        return made(name, table, paper, language, card if isinstance(card, CardSize) else CardSize(63.0, 88.0))

    return of


@pytest.fixture(scope="session")
def printed() -> Iterator[Printed]:
    """``printed(name)``: a sheet's pages as pictures."""

    def of(name: str, *, table: Table = TABLE, paper: str = "a4", language: str = "en", card: object = None) -> object:
        size = card if isinstance(card, CardSize) else CardSize(63.0, 88.0)
        return printed_pages(name, table, paper, language, size)

    yield of  # type: ignore[misc]
    printed_pages.cache_clear()


@pytest.fixture(scope="session")
def table() -> Table:
    return TABLE
