"""Tables for spreadsheets: whatever somebody is called, no cell is a formula, and the name can be read again."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from firmware.core.io.output import csv_bytes, csv_text

NASTY = st.text(st.sampled_from("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n \u3000\"',;|a1(é"), max_size=8)


@given(
    st.lists(st.lists(NASTY | st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=4), max_size=4)
)
def test_no_text_begins_a_formula_and_each_is_found_again(rows: list[list[str]]) -> None:
    read = list(csv.reader(io.StringIO(csv_text(rows), newline="")))
    cells = [cell for row in read for cell in row]
    assert not any(cell.lstrip(" \u3000").startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r")) for cell in cells)
    wanted = [cell for row in rows for cell in row]
    assert all(cell in (text, f"'{text}") for cell, text in zip(cells, wanted, strict=True))


def test_numbers_stay_numbers_and_excel_takes_it_for_utf_8() -> None:
    assert csv_text([[-3, -1.5, 0]]) == "-3,-1.5,0\r\n"
    assert csv_bytes("Jürgen").decode("utf-8-sig") == "Jürgen"
    assert csv_bytes("Jürgen").startswith(b"\xef\xbb\xbf")
