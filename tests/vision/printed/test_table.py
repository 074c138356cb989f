"""The table file: the geometry as printed, other tracks, and what is said about faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.track import SPACES, BySide, Side
from vision.printed.table import (
    MIN_CORNERS,
    CameraFrame,
    CardSize,
    Corner,
    LabelMargin,
    PlayArea,
    TableError,
    TablePoint,
    load_table,
    read_table,
)

FILE = Path(__file__).parents[3] / "hardware" / "table.toml"
TEXT = FILE.read_text(encoding="utf-8")


def faults_of(text: str) -> str:
    with pytest.raises(TableError) as caught:
        read_table(text)
    return str(caught.value)


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, f"{old!r} must stand once in the table file"
    return TEXT.replace(old, new)


def test_the_shipped_table_is_the_contracts_geometry() -> None:
    table = load_table(FILE)
    assert table.deck_letter == "A"
    assert table.spaces_mm == tuple(TablePoint(28.0 * number, 0.0, 0.0) for number in range(23))
    assert (table.dictionary, table.board_size_mm) == ("DICT_APRILTAG_36h11", 30.0)
    assert table.corners == (
        Corner(0, -45.0, 45.0, 0.0),
        Corner(1, 661.0, 45.0, 0.0),
        Corner(2, 661.0, -45.0, 0.0),
        Corner(3, -45.0, -45.0, 0.0),
    )
    assert (table.fencer_ids, table.fencer_size_mm) == (BySide(4, 5), 20.0)
    assert table.fencer_offset_mm == TablePoint(0.0, -32.0, 3.0)
    assert table.qr_mm == 25.0
    assert table.play_area == PlayArea(68.0, 548.0, -260.0, -60.0)
    assert table.camera == CameraFrame(2304, 1296, 66.0)


def test_places_by_number() -> None:
    table = load_table(FILE)
    assert table.space_mm(23) == TablePoint(616.0, 0.0, 0.0)
    assert table.tag_mm(2) == TablePoint(28.0, -32.0, 3.0)
    for wrong in (0, 24):
        with pytest.raises(ValueError, match="spaces 1 to 23"):
            table.space_mm(wrong)
    assert [table.side_of(number) for number in (3, 4, 5)] == [None, Side.WHITE, Side.BLACK]
    assert table.play_area.holds(68.0, -60.0)
    assert not table.play_area.holds(67.9, -60.0)
    assert not table.play_area.holds(68.0, -260.1)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(-9, 9), *[st.integers(-900, 900)] * 2), min_size=SPACES, max_size=SPACES))
def test_a_stepped_track_is_taken_as_measured(measured: list[tuple[int, int, int]]) -> None:
    places = [(28 * number + x, y, z) for number, (x, y, z) in enumerate(measured)]
    rows = ", ".join(f"[{x}, {y}.5, {z}]" for x, y, z in places)
    table = read_table(changed("spaces = 23\npitch_mm = 28.0", f"spaces_mm = [{rows}]\n"))
    assert table.spaces_mm == tuple(TablePoint(x, float(f"{y}.5"), z) for x, y, z in places)


def test_all_faults_are_told_at_once_with_the_nearest_name() -> None:
    text = changed("pitch_mm = 28.0", "pich_mm = 28.0").replace("hfov_deg = 66.0", 'hfov_deg = "wide"')
    message = faults_of(text.replace("[cards]", "[crads]"))
    assert "[track] pich_mm: unknown; did you mean pitch_mm?" in message
    assert "[track] pitch_mm: expected a number, found nothing" in message
    assert "[camera] hfov_deg: expected a number above 0 and below 180, found 'wide'" in message
    assert "[crads]: unknown; did you mean cards?" in message
    assert "[cards]: expected this section, found nothing" in message
    assert message.startswith("5 faults:")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("spaces = 23", "spaces = 25", "expected 23, the spaces of the piste, found 25"),
        ("spaces = 23", "spaces = true", "expected a whole number from 1 to 16384, found True"),
        ("pitch_mm = 28.0", "pitch_mm = -1", "expected a number above 0, found -1"),
        ("pitch_mm = 28.0", "pitch_mm = nan", "pitch_mm: expected a finite number of at most 18 digits, found nan"),
        ("pitch_mm = 28.0", "pitch_mm = 28.0\nspaces_mm = []", "stands beside spaces_mm"),
        ("spaces = 23\npitch_mm = 28.0", "spaces_mm = [[0, 0, 0]]", "expected exactly 23 of [x, y, z], found 1"),
        ("pitch_mm = 28.0", "pitch_mm = 28.0\ncolour = 1", "[track] colour: unknown; known here: "),
        ('letter = "A"', 'letter = "a"', "expected one letter A to Z, found 'a'"),
        ('letter = "A"', "letter = 1", "expected text in quotes, found 1"),
        ("DICT_APRILTAG_36h11", "DICT_APRILTAG_36h12", "no marker dictionary called 'DICT_APRILTAG_36h12'"),
        ("[1, 661.0, 45.0, 0.0]", "[1, 661.0, 45.0]", "row 2: expected [id, x, y, z], 4 numbers"),
        ("[1, 661.0, 45.0, 0.0]", "[0, 661.0, 45.0, 0.0]", "marker id 0 is used by [board] corners already"),
        ("[1, 661.0, 45.0, 0.0]", "[1.5, 661.0, 45.0, 0.0]", "expected a whole number as id, found 1.5"),
        ("white = 4", "white = 8", "[fencers] white: expected a marker id from 0 to 7, found 8"),
        ("black = 5", "black = 4", "marker id 4 is used by [fencers] white already"),
        ("[0.0, -32.0, 3.0]", "[0.0, -32.0]", "expected [x, y, z], 3 numbers"),
        ("x_mm = [68.0, 548.0]", "x_mm = [548.0, 68.0]", "expected the smaller number first"),
        ("y_mm = [-260.0, -60.0]", "y_mm = [0, 0]", "expected the smaller number first"),
        ("width = 2304", "width = 23", "expected a whole number from 64 to 16384, found 23"),
        ("hfov_deg = 66.0", "hfov_deg = 180", "above 0 and below 180, found 180"),
        ("[deck]", "[deck", "this is not TOML"),
    ],
)
def test_each_fault_says_what_was_expected_and_found(old: str, new: str, expected: str) -> None:
    assert expected in faults_of(changed(old, new))


def test_fewer_corner_markers_than_a_calibration_needs_are_refused() -> None:
    start, end = TEXT.index(f"    [{MIN_CORNERS - 1}, 661.0"), TEXT.index("]\n\n[fencers]")
    assert "expected at least 2 of [id, x, y, z], found 1" in faults_of(TEXT[:start] + TEXT[end:])


def test_up_to_eight_corner_markers_of_any_ids_but_the_fencers_may_be_named() -> None:
    more = "# [6, 154.0, 45.0, 0.0],"
    assert "# [7, 462.0, 45.0, 0.0]," in TEXT
    table = read_table(TEXT.replace("# [6,", "[6,").replace("# [7,", "[7,"))
    assert [corner.id for corner in table.corners] == [0, 1, 2, 3, 6, 7]
    assert table.corners[4:] == (Corner(6, 154.0, 45.0, 0.0), Corner(7, 462.0, 45.0, 0.0))
    assert "expected a marker id from 0 to 7, found 8" in faults_of(changed(more, "[8, 154.0, 45.0, 0.0],"))
    assert "marker id 4 is used by" in faults_of(changed(more, "[4, 154.0, 45.0, 0.0],"))


def test_a_space_measured_where_another_lies_is_refused() -> None:
    rows = [[28 * number, 0, 0] for number in range(SPACES)]
    rows[5] = [28 * 4 + 1, 0, 0]
    faults = faults_of(changed("spaces = 23\npitch_mm = 28.0", f"spaces_mm = {rows}"))
    assert "space 6: expected it apart from space 5, found them 1 mm from each other; measure both again" in faults
    assert "space 7" not in faults


def test_a_faulty_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(changed('letter = "A"', 'letter = "AB"'), encoding="utf-8")
    with pytest.raises(TableError, match=r"mine\.toml: \[deck\] letter"):
        load_table(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(TableError, match=r"mine\.toml"):
        load_table(file)


def with_cards(*rows: str) -> str:
    return changed("qr_mm = 25.0 ", "\n".join((*rows, "qr_mm = 25.0 ")))


def test_cards_need_not_be_measured_and_may_be() -> None:
    table = read_table(TEXT)
    assert (table.card_size, table.label_margin) == (None, None)
    table = read_table(with_cards("size_mm = [57.0, 88]", "label_mm = [5, 7.5]"))
    assert (table.card_size, table.label_margin) == (CardSize(57.0, 88.0), LabelMargin(5.0, 7.5))
    assert read_table(with_cards("size_mm = [57, 88]")).label_margin is None
    assert read_table(with_cards("label_mm = [0, 0]")).card_size is None


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("size_mm = [5.7, 8.8]", "[cards] size_mm: expected width and height of a card, 40 to 160 mm and more than a"),
        ("size_mm = [63, 161]", "found [63, 161]; measure a card, or leave the row out and it is learned"),
        ("size_mm = 63", "[cards] size_mm: expected [width, height], 2 numbers up to 16384, found 63"),
        ("size_mm = [0, 0]", "found [0, 0]; measure a card"),
        ("label_mm = [6]", "[cards] label_mm: expected [across, down], 2 numbers up to 16384, found [6]"),
        ("label_mm = [-1, 6]", "[cards] label_mm: expected how far a code's edge lies from the card's, 0 to 30 mm"),
        ("sise_mm = [63, 88]", "[cards] sise_mm: unknown; did you mean size_mm?"),
    ],
)
def test_cards_that_cannot_be_are_told(row: str, expected: str) -> None:
    said = faults_of(with_cards(row))
    assert expected in said
    assert "faults:" not in said


def test_a_card_no_larger_than_its_label_is_told() -> None:
    text = changed("qr_mm = 25.0 ", "size_mm = [44, 63]\nqr_mm = 45.0 ")
    assert "more than a label's 45, found [44, 63]" in faults_of(text)
