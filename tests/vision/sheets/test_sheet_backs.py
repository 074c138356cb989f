"""Labels for the backs, read again from rendered pages, and the slots on the mat."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from display.i18n import words
from vision.geometry import Box
from vision.marks.labels import LabelReader
from vision.printed.table import CardSize, Table
from vision.printed.tags import parse_back
from vision.sheets.catalogue import SHEETS, wanted
from vision.sheets.page import PAPERS, Job, SheetError
from vision.sheets.shapes import Code, Group


def codes(page: Any) -> list[tuple[str, Any]]:
    """The tokens read on a page, with their codes' corners in mm."""
    px = page.grey.shape[1] / page.size_mm[0]
    box = Box(0, 0, page.grey.shape[1], page.grey.shape[0])
    found = LabelReader(use_zbar=False).texts(page.grey, box, page.table.qr_mm / 21 * px)
    return [(token, (corners + 0.5) / px) for text, corners in found if (token := parse_back(text)) is not None]


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_token_is_there_twice_turned_against_itself(printed: Any, make: Any, paper: str, table: Table) -> None:
    seen: dict[str, list[Any]] = {}
    for page in printed("backs", paper=paper):
        assert page.labels() == (), "a back says nothing of a card"
        for token, corners in codes(page):
            seen.setdefault(token, []).append(corners)
    assert Counter(len(places) for places in seen.values()) == {2: 29}
    for one, other in seen.values():
        sides = [np.linalg.norm(corners[1] - corners[0]) for corners in (one, other)]
        assert sides == pytest.approx([table.qr_mm, table.qr_mm], abs=0.2)
        across, along = np.abs(one.mean(axis=0) - other.mean(axis=0))
        assert sorted((across, along)) == pytest.approx([0.0, 88.0 - 2 * 6.0 - 25.0], abs=0.3)
        assert (one[0] - one[2]) @ (other[0] - other[2]) < 0


def bare(shapes: Any) -> list[object]:
    """Shapes without their codes."""
    kept: list[object] = []
    for shape in shapes:
        if isinstance(shape, Group):
            kept.append((bare(shape.shapes), shape.at, shape.turn_deg, shape.clip))
        elif not isinstance(shape, Code):
            kept.append(shape)
    return kept


@pytest.mark.slow
def test_slips_are_alike_but_for_their_codes(make: Any) -> None:
    slips = [
        bare(shape.shapes)
        for page in make("backs").pages
        for shape in page.shapes
        if isinstance(shape, Group) and any(isinstance(part, Code) for part in shape.shapes)
    ]
    assert len(slips) == 29
    assert all(slip == slips[0] for slip in slips)


def test_backs_without_tokens_are_refused_and_only_made_when_asked_for(table: Table) -> None:
    job = Job(table, "table.toml", PAPERS["a4"], CardSize(63.0, 88.0), words("en").say)
    with pytest.raises(SheetError, match="need 25 tokens, found 0"):
        SHEETS["backs"](job)
    assert "backs" not in wanted(with_cards=True, with_track=True)
    assert "backs" in wanted(with_cards=False, with_track=False, with_companion=True)


def test_the_mat_has_slots_only_for_the_companion(table: Table) -> None:
    for slots in (True, False):
        job = Job(table, "table.toml", PAPERS["a4"], CardSize(63.0, 88.0), words("en").say, slots=slots)
        assert (job.say("sheet.mat.slot") in repr(SHEETS["mat"](job).pages)) is slots
