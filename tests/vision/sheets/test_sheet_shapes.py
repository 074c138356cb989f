"""What is drawn on the sheets, as shapes: folded, joined and laid, in words that stay in their place; and refusals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from display.i18n import LANGUAGES
from engine.rules.cards import DECK
from tests.tables import TABLE
from tests.vision.sheets.conftest import TOKENS, groups, leaves, made, those
from vision.printed.card_shape import LABEL_MARGIN_MM
from vision.printed.table import CardSize, Corner, TablePoint
from vision.printed.tags import payload, qr_bits
from vision.sheets.cards import BRAILLE, FIELD_LEFT_MM, FIELD_MM, NOTCH_MM, OUTSIDE_MM, VALUE_COLOURS, face_of, strip
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
from vision.sheets.markers import RISE_PEN, tab_of
from vision.sheets.mat import OVERLAP_MM, spans
from vision.sheets.page import PAPERS, PaperPage, SheetError, grid, ruler
from vision.sheets.pdf import pdf_bytes
from vision.sheets.pictures import read_drawing
from vision.sheets.shapes import FOLD_PEN, Code, Disc, Group, Oblong, Path, Rect, Stroke, Text

pytestmark = pytest.mark.slow

UNCUT = {"certificate", "guide"}
"""What hangs on a wall and what lies beside the board: nothing is cut out of them, no size has to be checked."""
Box = tuple[float, float, float, float]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_is_drawn_as_it_was_when_somebody_looked_at_it_last(
    paper: str, snapshot: SnapshotAssertion
) -> None:
    """To the point; whoever draws it otherwise looks at it (``engarde print``) and takes it over."""

    def numbers(value: Any) -> Any:
        if isinstance(value, float):
            return round(value, 3) + 0.0
        if isinstance(value, tuple):
            return tuple(numbers(each) for each in value)
        if isinstance(value, Code):
            return numbers(tuple(value.rect)), value.bits.tobytes()
        if isinstance(value, Group | Text | Stroke | Oblong | Path | Disc):
            return type(value).__name__, *(numbers(getattr(value, name)) for name in value.__slots__)
        return value

    def say(key: str, **facts: object) -> str:
        return f"{key} {facts}"

    sums = {}
    for name in SHEETS:
        pages = made(name, paper=paper, slots=True, say=say).pages
        sums[name] = [sha256(repr(numbers(page.shapes)).encode()).hexdigest()[:12] for page in pages]
    assert sums == snapshot


def texts(page: PaperPage) -> list[tuple[Text, Box]]:
    """Every line of text with its left, top, right and bottom on the page; what a clip cuts off is left out."""
    found = []
    for shape, place, around in leaves(page.shapes):
        if not isinstance(shape, Text):
            continue
        box = bounds_of(shape)
        clip = around.clip if around is not None else None
        if clip is None or overlap(edges(box), edges(clip)):
            ends = [place(corner) for corner in ((box.x, box.y), (box.right, box.bottom))]
            (x0, x1), (y0, y1) = (sorted(end[axis] for end in ends) for axis in (0, 1))
            found.append((shape, (x0, y0, x1, y1)))
    return found


def edges(rect: Rect) -> Box:
    return rect.x, rect.y, rect.right, rect.bottom


def overlap(one: Box, other: Box) -> bool:
    return all(min(one[n + 2], other[n + 2]) - max(one[n], other[n]) > 0.05 for n in (0, 1))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_stay_on_the_page_apart_from_each_other_in_letters_the_font_has(language: str, paper: str) -> None:
    for name in SHEETS:
        for page in made(name, paper=paper, language=language).pages:
            found = texts(page)
            assert found
            for text, (left, _, right, _) in found:
                missing = [letter for letter in text.text if ord(letter) not in letters_of(font_of(text.bold))]
                assert missing == [], (name, text.text)
                assert text.size_mm >= 1.25
                # Over the edge goes on what is cut there, and no seam goes through words.
                within = left >= 8.0 and right <= page.width_mm - 8.0
                assert within or name in ("mat", "track"), text.text
            for (one, a), (two, b) in combinations(found, 2):
                assert not overlap(a, b), (name, one.text, two.text)
            for tile in those(page.shapes, Group):
                for shape, clip in ((shape, tile.clip) for shape in those(tile.shapes, Text) if tile.clip is not None):
                    box = bounds_of(shape)
                    if overlap(edges(box), edges(clip)):
                        assert clip.x <= box.x <= box.right <= clip.right, shape


def test_every_page_that_is_cut_says_what_it_is_for_and_has_a_ruler_each_way() -> None:
    level, upright = ruler((0.0, 0.0)).shapes, ruler((0.0, 0.0), upright=True).shapes
    for shapes, along in ((level, 0), (upright, 1)):
        ticks = those(shapes, Stroke)[:-1]
        assert [abs(tick.start[along]) for tick in ticks] == list(range(101))
        assert [abs(tick.end[1 - along]) for tick in ticks[::5]] == [3.4, 2.4] * 10 + [3.4]
    for name in set(SHEETS) - UNCUT:
        sheet = made(name, table=replace(TABLE, deck_letter="K"))
        for number, page in enumerate(sheet.pages, start=1):
            words = [text.text for text, _ in texts(page)]
            assert f"Deck K · table.toml · {number}/{len(sheet.pages)}" in words
            assert any(line.startswith(sheet.title) for line in words)
            assert any("100%" in line for line in words)
            assert [group.shapes for group in those(page.shapes, Group)][:2] == [level, upright]


def test_a_pdf_is_the_same_each_time_asks_not_to_be_scaled_and_brings_its_font() -> None:
    data = pdf_bytes(made("labels"), "nl")
    assert data == pdf_bytes(made("labels"), "nl")
    assert data.startswith(b"%PDF-")
    assert b"/PrintScaling /None" in data
    assert b"/FontFile2" in data
    assert b"/Subtype /Image" not in data, "codes are drawn, not pictures"


def test_the_sheets_a_table_needs() -> None:
    assert wanted(with_cards=False, with_track=False) == ("start", "labels", "tabs", "corners", "mat", "guide")
    assert wanted(with_cards=False, with_track=True, with_spares=True)[:3] == ("start", "labels", "spares")
    # A marker of which two lie in view would be worse than none.
    assert wanted(with_cards=True, with_track=True)[2:] == ("tabs", "mat", "guide", "cards", "track")
    assert "backs" in wanted(with_cards=False, with_track=False, with_companion=True)


@pytest.mark.parametrize("name", ["labels", "cards"])
def test_each_half_of_a_card_shows_the_value_of_its_code(name: str) -> None:
    """Large beside the code, in the coloured field at the left edge, and twice in pips."""
    codes = {qr_bits(payload(card, "A")).tobytes(): card for card in DECK}
    seen: Counter[Any] = Counter()
    for piece in groups(made(name)):
        shapes = [shape for shape, _, _ in leaves([piece])]
        if not (found := [codes[code.bits.tobytes()] for code in those(shapes, Code)]):
            continue
        (card,) = set(found)
        seen[card] += len(found)
        digits = [text for text in those(shapes, Text) if text.text == str(card.value) and text.bold]
        assert sorted(text.size_mm > 18.0 for text in digits) == [False] * 2 + [True] * 2, "read across the table"
        assert {text.text for text in those(shapes, Text)} == {str(card.value), str(card)}
        assert len([pip for pip in those(shapes, Path) if pip.fill == VALUE_COLOURS[card.value]]) == 4 * card.value
    assert seen == dict.fromkeys(DECK, 2)


def test_slips_for_the_backs_are_alike_but_for_their_codes() -> None:
    slips: Counter[str] = Counter()
    for slip in groups(made("backs")):
        parts = [(shape, way((0.0, 0.0))) for shape, way, _ in leaves(slip.shapes)]
        if any(isinstance(shape, Code) for shape, _ in parts):
            slips[repr([part for part in parts if not isinstance(part[0], Code)])] += 1
    assert list(slips.values()) == [len(TOKENS)]
    with pytest.raises(SheetError, match="need 25 tokens, found 0"):
        made("backs", backs=())


@pytest.mark.parametrize("wide", [44.0, 57.0, 63.0, 90.0])
@pytest.mark.parametrize("value", range(1, 6))
def test_a_strip_has_as_many_notches_as_its_card_says_and_a_finger_tells_them_apart(value: int, wide: float) -> None:
    cut, *_ = shapes = list(strip((0.0, 0.0), wide, value))
    assert isinstance(cut, Path)
    lowest = [x for x, y in cut.points if y == NOTCH_MM]
    assert len(lowest) == value
    assert all(after - before >= NOTCH_MM + 0.5 for before, after in pairwise(lowest))
    dots = [dot.middle for dot in those(shapes, Disc)]
    assert min(x for x, _ in dots) > lowest[-1] + NOTCH_MM / 2, "a notch would cut a dot off"
    assert all(0.0 < y < OUTSIDE_MM for _, y in dots), "a finger cannot feel them in the sleeve"
    # The number sign, and a to e: dots 1, 12, 14, 145 and 15.
    assert len(dots) == 4 + len({1: "1", 2: "12", 3: "14", 4: "145", 5: "15"}[value])
    assert "".join(map(str, BRAILLE[value])) == {1: "1", 2: "12", 3: "14", 4: "145", 5: "15"}[value]


@pytest.mark.parametrize(
    ("size_mm", "offset"),
    [(20.0, TABLE.fencer_offset_mm), (16.0, TablePoint(4.0, -30.0, 6.0)), (20.0, TablePoint(0.0, -32.0, 0.0))],
    ids=["usual", "higher, further off and to the side", "flat"],
)
def test_folded_up_a_tab_puts_the_tag_where_the_table_says(size_mm: float, offset: TablePoint) -> None:
    """Seen from the middle of the ring, where the group has its origin."""
    table = replace(TABLE, fencer_size_mm=size_mm, fencer_offset_mm=offset)
    found = 0
    for piece in groups(made("tabs", table=table)):
        for tag in those(piece.shapes, Code):
            found += 1
            assert tag.rect.middle == pytest.approx((offset.x, -offset.y + offset.z))
            assert {disc.middle for disc in those(piece.shapes, Disc)} == {(0.0, 0.0)}
            level = [stroke for stroke in those(piece.shapes, Stroke) if stroke.start[1] == stroke.end[1]]
            up, down = ([stroke.start[1] for stroke in level if stroke.pen == pen] for pen in (RISE_PEN, FOLD_PEN))
            assert bool(up) == bool(down) == bool(offset.z), "what lies flat has nothing to fold"
            assert not up or min(down) - up[0] == pytest.approx(offset.z), "the riser"
    assert found == 4


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


def joined(name: str, **how: Any) -> Group:
    """The drawing of a sheet whose pages are taped together: each shows its part of the same one."""
    tiles = [(tile, tile.clip) for tile in groups(made(name, **how)) if tile.clip is not None]
    for before, after in pairwise(tiles):
        edge = after[1]
        assert before[1].right - edge.x == pytest.approx(OVERLAP_MM)
        lines = [[line.start[0] for line in those(tile.shapes, Stroke) if line.start[1] == edge.y] for tile, _ in tiles]
        assert all(edge.x in each for each in lines[tiles.index(before) :][:2]), "laid where the next one is cut"
        crosses = [[line for line in those(tile.shapes, Stroke) if line.pen.width_mm == 0.15] for tile, _ in tiles]
        assert crosses[0] == crosses[-1] != []
    return tiles[0][0]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("more", [(), (Corner(6, 154.0, 45.0, 0.0), Corner(7, 462.0, 45.0, 0.0))])
def test_the_joined_track_has_its_markers_and_spaces_where_the_table_says(paper: str, more: tuple[Corner, ...]) -> None:
    table = replace(TABLE, corners=(*TABLE.corners, *more))
    drawing = joined("track", paper=paper, table=table)
    codes = [code.rect.middle for code in those(drawing.shapes, Code)]
    x0, y0 = codes[0][0] + 45.0, codes[0][1] + 45.0
    assert codes == [pytest.approx((x0 + corner.x, y0 - corner.y)) for corner in table.corners]
    spaces = [oblong.rect for oblong in those(drawing.shapes, Oblong) if oblong.rect.height == 40.0]
    assert [space.middle for space in spaces] == [pytest.approx((x0 + 28.0 * n, y0)) for n in range(23)]
    assert all(space.width == 28.0 for space in spaces)


@pytest.mark.parametrize("slots", [False, True])
def test_the_joined_mat_is_as_large_as_the_play_area_with_slots_for_the_companion_alone(slots: bool) -> None:
    drawing, area = joined("mat", slots=slots), TABLE.play_area
    (edge,) = [each.rect for each in those(drawing.shapes, Oblong) if each.pen and each.pen.width_mm == 0.5]
    assert (edge.width, edge.height) == (area.x1 - area.x0, area.y1 - area.y0)
    numbers = [text.at for text in those(drawing.shapes, Text) if text.size_mm == 28.0]
    assert numbers == [(edge.x + x - area.x0, edge.y + area.y1 - y + 14.0) for x, y in TABLE.slots_mm if slots]
    deep = replace(TABLE, play_area=area._replace(y0=area.y0 - 300.0))
    assert len(made("mat", table=deep).pages) > len(made("mat").pages)


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
    assert (found[0][0], found[-1][1]) == (0.0, length)
    for start, end in found:
        assert 0.0 < end - start <= most + 1e-6
    for (_, end), (start, _) in pairwise(found):
        assert end - start == pytest.approx(OVERLAP_MM)
        assert not any(start < high and low < end for low, high in whole)


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


SPACES = TABLE.spaces_mm
OFF = "fencer_offset_mm"
STEPPED = {"spaces_mm": tuple(place._replace(z=4.0 if n > 5 else 0.0) for n, place in enumerate(SPACES))}
BENT = {"spaces_mm": tuple(place._replace(y=0.1 * n * n) for n, place in enumerate(SPACES))}
RAISED = {"corners": (*TABLE.corners[:3], Corner(3, -45.0, -45.0, 12.0))}
CLOSE = {"spaces_mm": tuple(place._replace(x=15.0 * n) for n, place in enumerate(SPACES))}
HUGE = {"fencer_size_mm": 60.0, OFF: TablePoint(0.0, -60.0, 3.0)}
NO_TAB = r"\[fencers\] offset_mm: no tab can be folded"


@pytest.mark.parametrize(
    ("name", "other", "said"),
    [
        ("track", STEPPED, "space 7 lies at z = 4 mm"),
        ("track", BENT, "space 2 .* off the line"),
        ("track", RAISED, "marker 3 lies"),
        ("corners", {"board_size_mm": 120.0}, r"\[board\] size_mm"),
        ("tabs", HUGE, r"\[fencers\] size_mm"),
        ("tabs", CLOSE, r"\[track\] pitch_mm: two spaces lie 15 mm apart"),
        ("tabs", {OFF: TablePoint(4.0, -40.0, 20.0)}, r"of 20 mm, 20 mm high, do not fit a page; .* lower"),
        *(("tabs", {OFF: TablePoint(*at)}, NO_TAB) for at in ((0, 32, 3), (0, -14, 3), (0, -32, 60), (40, -32, 3))),
        ("labels", {"qr_mm": 40.0}, r"\[cards\] qr_mm: codes of 40 mm .* hold 26\.8 mm at most"),
    ],
)
def test_what_cannot_be_made_is_refused_for_its_own_reason_and_the_rest_is_made(
    name: str, other: dict[str, Any], said: str
) -> None:
    table = replace(TABLE, **other)
    with pytest.raises(SheetError, match=said):
        made(name, table=table)
    for rest in {"labels", "tabs", "corners", "mat", "start"} - {name} if name == "track" else ():
        assert made(rest, table=table).pages


def test_what_does_not_fit_is_refused_not_squeezed_out_of_sight() -> None:
    with pytest.raises(TextTooLongError, match="shorten it"):
        fitted((0.0, 0.0), "word " * 60, 3.0, 40.0)
    with pytest.raises(TextTooLongError, match="shorten it"):
        numbered(Rect(0.0, 0.0, 40.0, 10.0), ["word " * 60, "more"], 3.0)
    with pytest.raises(SheetError, match="does not fit a4 paper"):
        grid(PAPERS["a4"], 300.0, 50.0, 1.0)
    with pytest.raises(SheetError, match="markers are in the way of every seam"):
        spans(400.0, 250.0, [(0.0, 400.0)])
    with pytest.raises(ValueError, match="expected rect, circle, polyline, polygon or text, found ellipse"):
        read_drawing('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><ellipse/></svg>')


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
        assert box.x - 1e-6 <= inside.x <= inside.right <= box.right + 1e-6
        assert box.y - 1e-6 <= inside.y <= inside.bottom <= box.bottom + 1e-6
