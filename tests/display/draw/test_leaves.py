"""Leaves: everything stands on one of them, as large as all of them allow, and none begins in the middle of a text."""

from __future__ import annotations

import pytest

from display.draw.canvas import line_height, text_width
from display.draw.leaves import fitted, foot_px, sentences

TOLD = (
    "Right: White advances 2. This may follow: Black attacks with a 3! What then? White parries… "
    "White stands further forward and wins the round."
)
FOOT = foot_px(20)


def test_a_text_is_cut_after_its_sentences() -> None:
    told = sentences(TOLD)
    assert [text[-1] for text in told] == [".", "!", "?", "…", "."]
    assert " ".join(told) == TOLD
    assert sentences("No end") == ("No end",)


def test_what_fits_stands_on_one_leaf_as_large_as_it_fits() -> None:
    (leaf,) = fitted(sentences(TOLD), (500, 200), (10, 60), FOOT, apart=False)
    assert leaf.texts == sentences(TOLD)
    larger = fitted(sentences(TOLD), (500, 200), (leaf.size_px + 1, 60), FOOT, apart=False)
    assert len(larger) > 1


@pytest.mark.parametrize("apart", [True, False])
def test_as_few_leaves_as_the_least_size_takes_at_the_largest_that_takes_no_more(*, apart: bool) -> None:
    texts = sentences(TOLD)
    for width in range(260, 600, 20):
        leaves = fitted(texts, (width, 70), (20, 40), FOOT, apart)
        assert tuple(text for leaf in leaves for text in leaf.texts) == texts
        assert all(leaf.size_px >= 20 for leaf in leaves)
        assert len({leaf.size_px for leaf in leaves}) == 1
        fewer = fitted(texts, (width, 70), (20, 20), FOOT, apart)
        assert len(leaves) == len(fewer)
        more = fitted(texts, (width, 70), (leaves[0].size_px + 1, 40), FOOT, apart)
        assert len(more) > len(leaves) or leaves[0].size_px == 40


def test_texts_kept_apart_begin_lines_of_their_own() -> None:
    short = ("One two.", "Three four.")
    room = (text_width(" ".join(short), 20) + 1, line_height(20))
    assert len(fitted(short, room, (20, 20), 0, apart=False)) == 1
    assert len(fitted(short, room, (20, 20), 0, apart=True)) == 2


def test_a_text_that_is_too_much_for_a_leaf_is_smaller_rather_than_cut() -> None:
    leaves = fitted((TOLD, "Short."), (300, 60), (30, 30), FOOT, apart=True)
    assert [leaf.texts for leaf in leaves] == [(TOLD,), ("Short.",)]
    assert leaves[0].size_px < 30
    assert leaves[1].size_px == 30
