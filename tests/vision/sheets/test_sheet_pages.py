"""What every page has: rulers of the right length, clean margins, text that stays in its place, in four languages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.i18n import LANGUAGES
from vision.printed.table import Table
from vision.sheets.catalogue import SHEETS, wanted
from vision.sheets.lettering import (
    TextTooLongError,
    bounds_of,
    fitted,
    font_of,
    letters_of,
    numbered,
    paragraph,
    width_mm,
)
from vision.sheets.page import PAPERS, SheetError, grid
from vision.sheets.pdf import pdf_bytes
from vision.sheets.pictures import read_drawing
from vision.sheets.shapes import Group, Rect, Shape, Text

pytestmark = pytest.mark.slow

PAPER_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PX = 200.0 / 25.4
EVERY = [(name, paper) for name in SHEETS for paper in PAPER_MM]
UNCUT = {"certificate", "guide"}
"""What hangs on a wall and what lies beside the board: nothing is cut out of them, no size has to be checked."""


@pytest.mark.parametrize(("name", "paper"), EVERY)
def test_nothing_lies_within_8_mm_of_the_papers_edge(printed: Any, name: str, paper: str) -> None:
    edge = int(8.0 * PX)
    for page in printed(name, paper=paper):
        assert sorted(page.size_mm) == pytest.approx(sorted(PAPER_MM[paper]), abs=0.15)
        inside = page.rgb.copy()
        inside[edge:-edge, edge:-edge] = 255
        assert inside.min() == 255


@pytest.mark.parametrize(("name", "paper"), [each for each in EVERY if each[0] not in UNCUT])
def test_every_page_has_a_ruler_of_100_mm_each_way(printed: Any, name: str, paper: str) -> None:
    pages = printed(name, paper=paper)
    for page in pages:
        check_ruler(page.grey[-int(19 * PX) :, : int(122 * PX)])
        # Backs are printed behind fronts, so what is free at the left of those is free at the right of these.
        backs = name == "cards" and page is pages[-1]
        upright = page.grey[:, -int(17 * PX) :] if backs else page.grey[:, : int(16 * PX)]
        check_ruler(upright.T[:, ::-1][:, : int(122 * PX)][::-1])


def check_ruler(strip: Any) -> None:
    """A ruler whose line is the longest in this strip, its ticks below."""
    dark = strip < 140
    rows = [longest_run(row) for row in dark]
    line = max(range(len(rows)), key=lambda row: rows[row][1])
    start, length = rows[line]
    assert length / PX == pytest.approx(100.15, abs=0.15), "from the first tick's outer edge to the last one's"
    ticks = strip[line + round(0.9 * PX), start - 4 : start + length + 4].astype(float)
    places = local_minima(ticks)
    assert len(places) == 101
    assert (places[-1] - places[0]) / PX == pytest.approx(100.0, abs=0.1)
    assert np.abs(np.diff(places) / PX - 1.0).max() < 0.12
    longer = strip[line + round(2.9 * PX), start - 4 : start + length + 4].astype(float)
    assert len(local_minima(longer)) == 11


def longest_run(row: Any) -> tuple[int, int]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
    if not len(edges):
        return 0, 0
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    best = int(lengths.argmax())
    return int(starts[best]), int(lengths[best])


def local_minima(values: Any) -> list[float]:
    """The middles of dark stretches, weighed by how dark they are."""
    dark = 255.0 - values
    found, weight, moment = [], 0.0, 0.0
    for place, amount in enumerate([*dark, 0.0]):
        if amount > 40.0:
            weight += amount
            moment += amount * place
        elif weight:
            found.append(moment / weight)
            weight = moment = 0.0
    return found


def texts(
    shapes: tuple[Shape, ...], at: tuple[float, float] = (0.0, 0.0), turn: float = 0.0
) -> Iterator[tuple[Text, Rect]]:
    """Every line of text with the box it fills on the page; what a clip cuts off is left out."""
    for shape in shapes:
        if isinstance(shape, Group):
            place = turned(shape.at, at, turn)
            for text, box in texts(shape.shapes, place, turn + shape.turn_deg):
                if shape.clip is None or overlap(box, clip_on_page(shape.clip, place)):
                    yield text, box
        elif isinstance(shape, Text):
            box = bounds_of(shape)
            corners = [turned(corner, at, turn) for corner in ((box.x, box.y), (box.right, box.bottom))]
            (x0, x1), (y0, y1) = (sorted(corner[axis] for corner in corners) for axis in (0, 1))
            yield shape, Rect(x0, y0, x1 - x0, y1 - y0)


def turned(point: tuple[float, float], at: tuple[float, float], turn: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return at[0] + c * point[0] - s * point[1], at[1] + s * point[0] + c * point[1]


def clip_on_page(clip: Rect, place: tuple[float, float]) -> Rect:
    return Rect(place[0] + clip.x, place[1] + clip.y, clip.width, clip.height)


def overlap(one: Rect, other: Rect) -> bool:
    return (
        min(one.right, other.right) - max(one.x, other.x) > 0.05
        and min(one.bottom, other.bottom) - max(one.y, other.y) > 0.05
    )


@pytest.mark.parametrize("paper", PAPER_MM)
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_stay_on_the_page_apart_from_each_other_in_letters_the_font_has(
    make: Any, language: str, paper: str
) -> None:
    for name in SHEETS:
        for page in make(name, paper=paper, language=language).pages:
            found = list(texts(page.shapes))
            assert found
            for text, box in found:
                missing = [letter for letter in text.text if ord(letter) not in letters_of(font_of(text.bold))]
                assert missing == [], (name, text.text)
                assert text.size_mm >= 1.25
                if not cut(box, page):
                    assert box.x >= 8.0, text.text
                    assert box.right <= page.width_mm - 8.0, text.text
            for (one, a), (two, b) in combinations(found, 2):
                assert not overlap(a, b), (name, one.text, two.text)


def cut(box: Rect, page: Any) -> bool:
    """Whether part of a larger drawing goes on over the edge, onto the next page."""
    return box.x < 8.0 or box.right > page.width_mm - 8.0


@pytest.mark.parametrize("paper", PAPER_MM)
@pytest.mark.parametrize("name", ["mat", "track"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_cut_by_a_seam(make: Any, name: str, language: str, paper: str) -> None:
    for page in make(name, paper=paper, language=language).pages:
        (tile,) = [shape for shape in page.shapes if isinstance(shape, Group) and shape.clip is not None]
        assert tile.clip is not None
        for shape in tile.shapes:
            box = bounds_of(shape) if isinstance(shape, Text) else None
            if box is not None and overlap(box, tile.clip):
                assert box.x >= tile.clip.x, shape
                assert box.right <= tile.clip.right, shape


@pytest.mark.parametrize("name", SHEETS)
def test_words_are_in_the_language_asked_for(make: Any, name: str) -> None:
    said = {}
    for language in LANGUAGES:
        sheet = make(name, language=language)
        said[language] = " ".join(text.text for page in sheet.pages for text, _ in texts(page.shapes))
        assert sheet.title in said[language]
    assert len(set(said.values())) == len(LANGUAGES)


def test_every_page_says_what_it_is_for(make: Any, table: Table) -> None:
    for name in SHEETS:
        if name in UNCUT:
            continue
        sheet = make(name, table=replace(table, deck_letter="K"))
        for number, page in enumerate(sheet.pages, start=1):
            words = [text.text for text, _ in texts(page.shapes)]
            assert f"Deck K · table.toml · {number}/{len(sheet.pages)}" in words
            assert any(line.startswith(sheet.title) for line in words)
            assert any("100%" in line for line in words)


def test_a_pdf_is_the_same_each_time_asks_not_to_be_scaled_and_brings_its_font(make: Any) -> None:
    data = pdf_bytes(make("labels"), "nl")
    assert data == pdf_bytes(make("labels"), "nl")
    assert data.startswith(b"%PDF-")
    assert b"/PrintScaling /None" in data
    assert b"/FontFile2" in data
    assert b"/Subtype /Image" not in data, "codes are drawn, not pictures"


def test_the_sheets_a_table_needs() -> None:
    assert wanted(with_cards=False, with_track=False) == ("start", "labels", "tabs", "corners", "mat", "guide")
    assert wanted(with_cards=False, with_track=True, with_spares=True)[:3] == ("start", "labels", "spares")
    assert wanted(with_cards=True, with_track=False)[-1] == "cards"
    # A marker of which two lie in view would be worse than none.
    assert "corners" not in wanted(with_cards=False, with_track=True)
    assert wanted(with_cards=True, with_track=True)[-1] == "track"


WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9), min_size=1, max_size=40).map(" ".join)


@given(WORDS, st.floats(30.0, 120.0), st.floats(12.0, 80.0), st.sampled_from(["left", "middle", "right"]))
def test_a_paragraph_stays_in_its_box_or_is_refused(text: str, wide: float, high: float, anchor: Any) -> None:
    box = Rect(5.0, 7.0, wide, high)
    try:
        lines = paragraph(box, text, 3.0, anchor=anchor, centred=True)
    except TextTooLongError:
        assert width_mm(text, 1.25) * 1.25 * 2.2 > 0.4 * wide * high or width_mm(max(text.split(), key=len), 1.3) > wide
        return
    assert " ".join(line.text for line in lines) == text
    for line in lines:
        inside = bounds_of(line)
        assert inside.x >= box.x - 1e-6
        assert inside.right <= box.right + 1e-6
        assert inside.y >= box.y - 1e-6
        assert inside.bottom <= box.bottom + 1e-6


def test_text_too_long_for_its_place_is_refused_not_squeezed_out_of_sight() -> None:
    with pytest.raises(TextTooLongError, match="shorten it"):
        fitted((0.0, 0.0), "word " * 60, 3.0, 40.0)
    with pytest.raises(TextTooLongError, match="shorten it"):
        numbered(Rect(0.0, 0.0, 40.0, 10.0), ["word " * 60, "more"], 3.0)


def test_a_piece_larger_than_paper_is_refused() -> None:
    with pytest.raises(SheetError, match="does not fit a4 paper"):
        grid(PAPERS["a4"], 300.0, 50.0, 1.0)


def test_a_drawing_of_what_nobody_draws_is_refused() -> None:
    with pytest.raises(ValueError, match="expected rect, circle, polyline, polygon or text, found ellipse"):
        read_drawing('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><ellipse/></svg>')


def test_a_deeper_play_area_takes_another_row_of_pages(make: Any, table: Table) -> None:
    area = table.play_area
    deep = replace(table, play_area=area._replace(y0=area.y0 - 300.0))
    assert len(make("mat", table=deep).pages) > len(make("mat").pages)
