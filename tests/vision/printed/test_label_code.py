"""The labels' modules as data: those that another encoder of QR codes has, in every mask."""

from __future__ import annotations

import numpy as np
import segno
from hypothesis import given
from hypothesis import strategies as st

from vision.printed.label_code import masks, unmasked_codes
from vision.printed.tags import QR_MODULES

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


TEXTS = st.sampled_from((8, 10)).flatmap(
    lambda count: st.lists(st.text(CHARACTERS, min_size=count, max_size=count), min_size=2, max_size=4)
)


@given(TEXTS, st.integers(0, 7))
def test_codes_are_those_of_another_encoder(texts: list[str], mask: int) -> None:
    how = {"version": 1, "error": "h", "mode": "alphanumeric", "boost_error": False, "micro": False, "mask": mask}
    others = [np.array(segno.make(text, **how).matrix) == 1 for text in texts]  # type: ignore[arg-type]
    theirs = np.stack(others).reshape(len(texts), QR_MODULES**2)
    mine = unmasked_codes(texts) ^ masks()[mask]
    held = masks().any(axis=0)
    assert (theirs[:, held] == mine[:, held]).all()
    assert (theirs[:, ~held] == theirs[0, ~held]).all(), "whatever holds no text is alike in all"
    assert not mine[:, ~held].any()
