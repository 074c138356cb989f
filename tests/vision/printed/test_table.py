"""The table file: the geometry as printed, other tracks, and what is said about faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.track import SPACES, BySide, Side
from vision.printed.table import CameraFrame, Corner, PlayArea, TableError, TablePoint, load_table, read_table

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
    text = changed("pitch_mm = 28.0", "pich_mm = 28.0\nspaces_mm = [[0, 0, 0]]").replace("66.0", '"wide"', 1)
    message = faults_of(text.replace("[cards]", "[crads]").replace("black = 5", "black = 9"))
    for path in ("track.pich_mm", "track.spaces_mm", "camera.hfov_deg", "crads", "cards", "fencers.black"):
        assert f"\n- {path}: " in message
    assert "did you mean pitch_mm?" in message
    assert "did you mean cards?" in message
    assert message.startswith("6 faults:")


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("spaces = 23", "spaces = 25", "track.spaces"),
        ("spaces = 23", "spaces = true", "track.spaces"),
        ("spaces = 23", "", "track"),
        ("pitch_mm = 28.0", "pitch_mm = -1", "track.pitch_mm"),
        ("pitch_mm = 28.0", "pitch_mm = 0", "track.pitch_mm"),
        ("spaces = 23\npitch_mm = 28.0", "spaces_mm = [[0, 0, 0]]", "track.spaces_mm"),
        ("pitch_mm = 28.0", "pitch_mm = 28.0\ncolour = 1", "track.colour"),
        ('letter = "A"', 'letter = "a"', "deck.letter"),
        ('letter = "A"', "letter = 1", "deck.letter"),
        ("DICT_APRILTAG_36h11", "DICT_APRILTAG_36h12", "board.dictionary"),
        ("[1, 661.0, 45.0, 0.0]", "[1, 661.0, 45.0]", "board.corners[1]"),
        ("[1, 661.0, 45.0, 0.0]", "[1, 661.0, 45.0, 16385]", "board.corners[1].z"),
        ("[1, 661.0, 45.0, 0.0]", "[0, 661.0, 45.0, 0.0]", "board.corners[1].id"),
        ("[1, 661.0, 45.0, 0.0]", "[1.5, 661.0, 45.0, 0.0]", "board.corners[1].id"),
        ("white = 4", "white = 8", "fencers.white"),
        ("white = 4", "white = 3", "fencers.white"),
        ("black = 5", "black = 4", "fencers.black"),
        ("[0.0, -32.0, 3.0]", "[0.0, -32.0]", "fencers.offset_mm"),
        ("x_mm = [68.0, 548.0]", "x_mm = [548.0, 68.0]", "play_area.x_mm"),
        ("y_mm = [-260.0, -60.0]", "y_mm = [0, 0]", "play_area.y_mm"),
        ("width = 2304", "width = 23", "camera.width"),
        ("hfov_deg = 66.0", "hfov_deg = 180", "camera.hfov_deg"),
        ("[deck]", "[decks.one]", "deck"),
        ("[camera]", "[slots]\nmiddles = [[0, 0]]\n[camera]", "slots.middles"),
        (
            "[camera]",
            "[slots]\nmiddles = [[99, -99], [99, -99], [99, -99], [99, 99], [99, -99]]\n[camera]",
            "slots.middles[3]",
        ),
    ],
)
def test_each_fault_leads_to_its_place(old: str, new: str, path: str) -> None:
    assert re.search(rf"(?m)^(- )?{re.escape(path)}: ", faults_of(changed(old, new)))


@pytest.mark.parametrize("number", ["nan", "inf", "1e999", "123456789012345678901234567890"])
def test_no_number_without_end_is_a_length(number: str) -> None:
    assert "pitch_mm" in faults_of(changed("pitch_mm = 28.0", f"pitch_mm = {number}"))


def test_a_track_is_even_or_measured_and_never_both() -> None:
    rows = [[28 * number, 0, 0] for number in range(SPACES)]
    assert "track: " in faults_of(changed("pitch_mm = 28.0", f"pitch_mm = 28.0\nspaces_mm = {rows}"))


def test_a_space_measured_where_another_lies_is_refused() -> None:
    rows = [[28 * number, 0, 0] for number in range(SPACES)]
    rows[5] = [28 * 4 + 1, 0, 0]
    faults = faults_of(changed("spaces = 23\npitch_mm = 28.0", f"spaces_mm = {rows}"))
    assert "track.spaces_mm[5]: " in faults
    assert "track.spaces_mm[6]: " not in faults


def test_a_faulty_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(changed('letter = "A"', 'letter = "AB"'), encoding="utf-8")
    with pytest.raises(TableError, match=r"mine\.toml: deck\.letter"):
        load_table(file)
    for encoding in ("utf-16", "latin-1"):
        file.write_text(f"# Grüße\n{TEXT}", encoding=encoding)
        with pytest.raises(TableError, match=r"mine\.toml: .*UTF-8.*; save it as UTF-8"):
            load_table(file)
    file.write_text(TEXT, encoding="utf-8-sig")
    assert load_table(file) == read_table(TEXT)


def with_cards(*rows: str) -> str:
    return changed("qr_mm = 25.0 ", "\n".join((*rows, "qr_mm = 25.0 ")))


def test_a_card_no_larger_than_its_label_is_told() -> None:
    text = changed("qr_mm = 25.0 ", "size_mm = [44, 63]\nqr_mm = 45.0 ")
    assert "cards.size_mm: " in faults_of(text)
