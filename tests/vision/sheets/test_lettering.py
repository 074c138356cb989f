"""Names on sheets: letters that the sheets' own font lacks come from others, and travel inside the PDF."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdfium2 import PdfDocument

from vision.sheets.lettering import fall_back_on, runs, width_mm
from vision.sheets.page import PaperPage, Sheet
from vision.sheets.pdf import pdf_bytes
from vision.sheets.shapes import INK, Text

RARE = "\u04f0\u043b\u044c\u0433\u0430"
"""A name with a letter of Altai, which the font that pygame brings has and the family has not."""
NAMES = "Ольга", "Łukasz Őrs", "Ελένη", "Zoë", "Nguyễn", RARE


@pytest.fixture
def wide() -> Iterator[str]:
    """The font that pygame brings."""
    spec = find_spec("pygame")
    assert spec is not None
    folder = Path(*list(spec.submodule_search_locations or ())[:1])
    (name,) = fall_back_on((folder / "gone.ttf", folder / "freesansbold.ttf", Path(__file__)))
    yield name
    fall_back_on(())


def text_page(text: str, anchor: str = "middle") -> Any:
    drawn = Text((105.0, 100.0), text, 8.0, INK, True, anchor)  # type: ignore[arg-type]
    return PdfDocument(pdf_bytes(Sheet("test", "Test", (PaperPage(210.0, 297.0, (drawn,)),))))[0].get_textpage()


def printed(text: str) -> str:
    return str(text_page(text).get_text_range()).strip()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_printed_in_a_font_that_has_its_letters(name: str, wide: str) -> None:
    assert printed(name) == name
    assert "?" not in "".join(piece for _, piece in runs(name))


def test_what_runs_from_right_to_left_is_not_set_backwards(wide: str) -> None:
    assert printed("Ana שרה") == "Ana ???"


@pytest.mark.parametrize(("anchor", "left"), [("left", 0.0), ("middle", -0.5), ("right", -1.0)])
def test_a_line_of_two_fonts_stands_where_it_is_anchored(anchor: str, left: float, wide: str) -> None:
    name = f"Zoë {RARE}"
    page = text_page(name, anchor)
    boxes = [page.get_charbox(number) for number in range(len(name))]
    from_mm = (min(box[0] for box in boxes) / 72 * 25.4, max(box[2] for box in boxes) / 72 * 25.4)
    wide_mm = width_mm(name, 8.0, bold=True)
    assert from_mm == pytest.approx((105.0 + left * wide_mm, 105.0 + (1 + left) * wide_mm), abs=1.0)
    assert all(before[0] <= after[0] for before, after in pairwise(boxes))
