"""Folded, joined and laid: the tabs' step, the pages of mat and track taped together, and what cannot be made."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import TABLE
from vision.printed.card_shape import LABEL_MARGIN_MM
from vision.printed.table import CardSize, Corner, Table, TablePoint
from vision.sheets.face import FIELD_LEFT_MM, FIELD_MM, face_of
from vision.sheets.page import SheetError
from vision.sheets.tabs import tab_of
from vision.sheets.tiles import OVERLAP_MM, spans

pytestmark = pytest.mark.slow

PX = 200.0 / 25.4
PAPERS = ("a4", "letter")


def blue(rgb: Any) -> Any:
    return (rgb[:, :, 2].astype(int) - rgb[:, :, 0] > 60) & (rgb[:, :, 2] > 90)


def red(rgb: Any) -> Any:
    return (rgb[:, :, 0].astype(int) - rgb[:, :, 2] > 60) & (rgb[:, :, 0] > 120)


def rows_with(mask: Any, least_px: int) -> list[float]:
    """The middles of stretches of rows in which at least so many pixels are set, mm."""
    set_rows = np.flatnonzero(mask.sum(axis=1) >= least_px)
    groups = np.split(set_rows, np.flatnonzero(np.diff(set_rows) > 2) + 1)
    return [(group[0] + group[-1] + 1) / 2 / PX for group in groups if len(group)]


def check_folds(pages: Any, table: Table) -> None:
    """Measured on the print: folded up, the tag comes to lie where the table file says, seen from the ring's middle."""
    (page,) = pages
    offset, tag = table.fencer_offset_mm, table.fencer_size_mm
    found = [marker for marker in page.markers() if table.side_of(marker.id) is not None]
    assert len(found) == 4
    for marker in found:
        x, y = marker.corners.mean(axis=0)
        # The riser: a dotted red line and a dashed blue one, as far apart as the tag lies high.
        above = page.part(x - 6.0, y - tag - 30.0, 12.0, tag + 30.0)
        low = rows_with(red(above), 8)[-1] + y - tag - 30.0
        high = rows_with(blue(above), 20)[-1] + y - tag - 30.0
        assert high - low == pytest.approx(offset.z, abs=0.15)
        # The ring: its grey rim, cut along the line through its middle, is symmetrical about the middle.
        middle_y = y - (-offset.y + offset.z)
        middle_x = x - offset.x
        reach = tab_of(table).ring_mm
        beyond = middle_x - reach - 2.0
        strip = page.grey[round((middle_y - 1.0) * PX), round(beyond * PX) : round((middle_x + reach + 2.0) * PX)]
        ends = np.flatnonzero(strip < 200)
        left, right = (round(beyond * PX) + ends[[0, -1]] + 0.5) / PX
        assert (left + right) / 2 == pytest.approx(middle_x, abs=0.15)
        column = page.grey[round((middle_y - reach - 2) * PX) : round(middle_y * PX), round(middle_x * PX)]
        top = (round((middle_y - reach - 2) * PX) + np.flatnonzero(column < 200)[0] + 0.5) / PX
        assert middle_y - top == pytest.approx((right - left) / 2, abs=0.3), "the ring's middle is where it should be"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_folded_tab_puts_the_tag_where_the_table_says(printed: Any, paper: str, table: Table) -> None:
    check_folds(printed("tabs", paper=paper), table)


def test_a_higher_tag_further_off_and_to_the_side(printed: Any, table: Table) -> None:
    other = replace(table, fencer_size_mm=16.0, fencer_offset_mm=TablePoint(4.0, -30.0, 6.0))
    check_folds(printed("tabs", table=other), other)


def test_a_flat_tab_has_nothing_to_fold(printed: Any, table: Table) -> None:
    flat = replace(table, fencer_offset_mm=TablePoint(0.0, -32.0, 0.0))
    (page,) = printed("tabs", table=flat)
    for marker in page.markers():
        x, y = marker.corners.mean(axis=0)
        around = page.part(x - 22.0, y - 45.0, 44.0, 66.0)
        assert not blue(around).any()
        assert not red(around).any()


OFFSETS = st.builds(TablePoint, st.floats(-12.0, 12.0), st.floats(-45.0, -22.0), st.floats(0.0, 12.0))


@given(OFFSETS, st.floats(12.0, 24.0))
def test_any_tab_holds_its_tag_and_leaves_room_for_the_neighbour(offset: TablePoint, size_mm: float) -> None:
    table = replace(TABLE, fencer_offset_mm=offset, fencer_size_mm=size_mm)
    try:
        tab = tab_of(table)
    except SheetError:
        return
    assert math.dist((tab.tag[0], tab.tag[1] - tab.high), (offset.x, -offset.y)) < 1e-9
    assert tab.plate.width >= size_mm * 1.25
    assert 2 * tab.ring_mm <= 28.0
    assert tab.low_fold >= tab.ring_mm - 1e-9, "the figure's ring lies before the step"
    assert tab.bounds.bottom >= tab.plate.bottom + tab.high - 1e-9


@pytest.mark.parametrize(
    "offset", [TablePoint(0, 32, 3), TablePoint(0, -14, 3), TablePoint(0, -32, 60), TablePoint(40, -32, 3)]
)
def test_a_tag_where_no_tab_can_hold_it_is_refused(make: Any, table: Table, offset: TablePoint) -> None:
    with pytest.raises(SheetError, match=r"\[fencers\] offset_mm: no tab can be folded"):
        make("tabs", table=replace(table, fencer_offset_mm=offset))


def seams(page: Any) -> list[float]:
    """Upright blue lines of a joined drawing, from the left, mm. Solid is where to cut, dashed where to lay it."""
    mask = blue(page.rgb)
    columns = np.flatnonzero(mask.sum(axis=0) > 0.3 * max(mask.sum(axis=0).max(), 200))
    groups = np.split(columns, np.flatnonzero(np.diff(columns) > 3) + 1)
    return [(group[0] + group[-1] + 1) / 2 / PX for group in groups if len(group)]


def joined(pages: Any) -> list[tuple[Any, float]]:
    """As a user tapes them: each page, and where its left edge lies from the first one's in mm."""
    shifts = [0.0]
    for before, after in pairwise(pages):
        dashed, solid = seams(before)[-1], seams(after)[0]
        shifts.append(shifts[-1] + dashed - solid)
        # Both pages show the same thing there, crosses and all; the seams themselves apart.
        high = before.grey.shape[0]
        wide = round((OVERLAP_MM - 1.2) * PX)
        left = before.grey[:, round((dashed + 0.6) * PX) :][:, :wide]
        right = after.grey[:, round((solid + 0.6) * PX) :][:, :wide]
        rows = slice(round(40.0 * PX), high - round(25.0 * PX))
        apart = cv2.blur(left[rows], (5, 5)).astype(int) - cv2.blur(right[rows], (5, 5))
        assert (np.abs(apart) > 60).mean() < 0.001
        crosses = np.abs(255 - left[rows].astype(int)).sum()
        assert crosses > 2000, "there is something to align by"
    return list(zip(pages, shifts, strict=True))


def marker_places(taped: list[tuple[Any, float]]) -> dict[int, Any]:
    """The middle of each marker, from the first page's corner, in mm."""
    return {
        each.id: each.corners.mean(axis=0) + np.array([shift, 0.0]) for page, shift in taped for each in page.markers()
    }


@pytest.mark.parametrize("paper", PAPERS)
def test_the_joined_track_has_its_markers_and_spaces_at_their_distances(printed: Any, paper: str, table: Table) -> None:
    taped = joined(printed("track", paper=paper))
    assert len(taped) == 3
    places = marker_places(taped)
    for one in table.corners:
        for other in table.corners:
            apart = places[other.id] - places[one.id]
            assert apart == pytest.approx((other.x - one.x, one.y - other.y), abs=0.25)
    # The spaces: their dividing lines are half a pitch off the middles, and the last one's as far from its markers.
    origin = places[0] + (45.0, 45.0)
    for page, shift in taped:
        row = round((origin[1] + 17.0) * PX)
        dark = page.grey[row : row + 3].min(axis=0) < 175
        dark[: round(17.0 * PX)] = False  # the upright ruler
        seam = np.convolve(blue(page.rgb[row : row + 3]).any(axis=0), np.ones(11), "same") > 0
        begins = np.flatnonzero((np.diff(dark.astype(int)) == 1) & ~seam[1:])
        lines = (begins + 1) / PX + 0.15 + shift - origin[0]
        dividing = [(x + 14.0) / 28.0 for x in lines if -15.0 < x < 616.0]
        assert len(dividing) >= 7
        assert max(abs(number - round(number)) for number in dividing) * 28.0 < 0.3


def test_two_more_markers_are_printed_where_the_table_says(printed: Any, table: Table) -> None:
    six = replace(table, corners=(*table.corners, Corner(6, 154.0, 45.0, 0.0), Corner(7, 462.0, 45.0, 0.0)))
    places = marker_places(joined(printed("track", table=six)))
    for one in six.corners:
        assert places[one.id] - places[0] == pytest.approx((one.x + 45.0, 45.0 - one.y), abs=0.25)
    pieces = [marker.id for page in printed("corners", table=six) for marker in page.markers()]
    assert sorted(pieces) == [0, 1, 2, 3, 6, 7]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_joined_mat_is_as_large_as_the_play_area(printed: Any, paper: str, table: Table) -> None:
    taped = joined(printed("mat", paper=paper))
    area = table.play_area
    edges = []
    for page, shift in taped:
        band = page.grey[round(100 * PX) : round(140 * PX)]
        thick = (band < 90).mean(axis=0) > 0.95
        edges += [x / PX + shift for x in np.flatnonzero(thick)]
    assert max(edges) - min(edges) == pytest.approx(area.x1 - area.x0, abs=0.7)
    column = taped[0][0].grey[:, round(90 * PX) : round(110 * PX)]
    thick = np.flatnonzero((column < 90).mean(axis=1) > 0.95)
    thick = thick[thick < column.shape[0] - round(25 * PX)]
    assert (thick[-1] - thick[0]) / PX == pytest.approx(area.y1 - area.y0, abs=0.6)


def test_a_stepped_or_bent_board_has_no_flat_track(make: Any, table: Table) -> None:
    spaces = list(table.spaces_mm)
    stepped = replace(table, spaces_mm=tuple(place._replace(z=4.0 if n > 5 else 0.0) for n, place in enumerate(spaces)))
    bent = replace(table, spaces_mm=tuple(place._replace(y=0.1 * n * n) for n, place in enumerate(spaces)))
    raised = replace(table, corners=(*table.corners[:3], Corner(3, -45.0, -45.0, 12.0)))
    cases = ((stepped, "space 7 lies at z = 4 mm"), (bent, "space 2 .* off the line"), (raised, "marker 3 lies"))
    for other, said in cases:
        with pytest.raises(SheetError, match=said):
            make("track", table=other)
        for name in ("labels", "tabs", "corners", "mat", "start"):
            assert make(name, table=other).pages


def test_markers_too_large_for_a_page_are_refused(make: Any, table: Table) -> None:
    with pytest.raises(SheetError, match=r"\[board\] size_mm"):
        make("corners", table=replace(table, board_size_mm=120.0))
    with pytest.raises(SheetError, match=r"\[fencers\] size_mm"):
        make("tabs", table=replace(table, fencer_size_mm=60.0, fencer_offset_mm=TablePoint(0.0, -60.0, 3.0)))


def test_a_tab_that_cannot_be_made_is_refused_for_its_own_reason(make: Any, table: Table) -> None:
    close = replace(table, spaces_mm=tuple(place._replace(x=15.0 * n) for n, place in enumerate(table.spaces_mm)))
    with pytest.raises(SheetError, match=r"\[track\] pitch_mm: two spaces lie 15 mm apart"):
        make("tabs", table=close)
    with pytest.raises(SheetError, match=r"of 20 mm, 20 mm high, do not fit a page; .* lower"):
        make("tabs", table=replace(table, fencer_offset_mm=TablePoint(4.0, -40.0, 20.0)))


STRETCHES = st.tuples(st.floats(0.0, 800.0), st.floats(5.0, 60.0))
INTERVALS = st.lists(STRETCHES.map(lambda stretch: (stretch[0], sum(stretch))), max_size=3)


@given(st.floats(50.0, 900.0), st.floats(150.0, 280.0), INTERVALS, INTERVALS)
def test_seams_cover_the_drawing_and_spare_what_must_stay_whole(
    length: float, most: float, whole: list[tuple[float, float]], words: list[tuple[float, float]]
) -> None:
    try:
        found = spans(length, most, whole, words)
    except SheetError:
        assert whole
        return
    assert found[0][0] == 0.0
    assert found[-1][1] == length
    for start, end in found:
        assert 0.0 < end - start <= most + 1e-6
    for (_, end), (start, _) in pairwise(found):
        assert end - start == pytest.approx(OVERLAP_MM)
        assert not any(start < high and low < end for low, high in whole)


def test_a_marker_in_the_way_moves_the_seam() -> None:
    (_, plain), _ = spans(400.0, 250.0, ())
    (_, moved), _ = spans(400.0, 250.0, [(plain - 30.0, plain + 2.0)])
    assert moved != plain
    with pytest.raises(SheetError, match="markers are in the way of every seam"):
        spans(400.0, 250.0, [(0.0, 400.0)])


@given(st.floats(40.0, 160.0), st.floats(40.0, 160.0), st.floats(8.0, 60.0))
def test_a_face_keeps_quiet_zones_apart_and_on_the_card(width: float, height: float, qr_mm: float) -> None:
    try:
        face = face_of(CardSize(width, height), qr_mm)
    except SheetError:
        return
    assert face.code.x == face.code.y == LABEL_MARGIN_MM
    assert face.quiet.x > 0.8
    assert face.quiet.right < width
    assert face.quiet.bottom <= height / 2
    assert face.band.height >= 8.99
    assert face.column.width >= 13.9
    assert FIELD_LEFT_MM + FIELD_MM <= 15.0


def test_codes_too_large_for_a_card_are_refused(make: Any, table: Table) -> None:
    for name in ("labels", "cards"):
        with pytest.raises(SheetError, match=r"\[cards\] qr_mm: codes of 40 mm .* hold 26\.8 mm at most"):
            make(name, table=replace(table, qr_mm=40.0))
