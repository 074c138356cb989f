"""Our 25 labels known from parts of them, and no other code ever; and what is darker than its surroundings."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.rules.cards import DECK, Card
from vision.marks.codebook import AHEAD, ENOUGH, Match, codebook
from vision.marks.denser import darker_than_around
from vision.printed.tags import QR_MODULES, parse_payload, payload

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
Samplings = NDArray[np.float32]


@lru_cache(maxsize=4096)
def code(text: str, mask: int, error: str = "h") -> Samplings:
    made = segno.make(text, version=1, error=error, boost_error=False, micro=False, mask=mask)
    return np.array([[1.0 if module else -1.0 for module in row] for row in made.matrix], dtype=np.float32)


def cut(sampling: Samplings, turn_deg: float, edge: float, instead: Samplings) -> Samplings:
    """What is seen where something lies across the label from a straight edge on."""
    middle = (QR_MODULES - 1) / 2
    down, across = np.mgrid[0:QR_MODULES, 0:QR_MODULES] - middle
    hidden = across * np.cos(np.radians(turn_deg)) + down * np.sin(np.radians(turn_deg)) > edge
    return np.asarray(np.where(hidden, instead, sampling), dtype=np.float32)


def noise(seed: int) -> Samplings:
    return np.random.default_rng(seed).choice(np.array([-1.0, 0.0, 1.0], np.float32), (QR_MODULES, QR_MODULES))


def best(samplings: Samplings) -> tuple[Match, int]:
    """The best match among whole samplings, (N, 21, 21)."""
    book = codebook("A")
    return book.best(samplings.reshape(-1, QR_MODULES**2)[:, book.telling])


@pytest.mark.slow
@pytest.mark.parametrize("mask", range(8))
def test_every_label_is_known_whatever_its_mask(mask: int) -> None:
    for card in DECK:
        match, _ = best(code(payload(card, "A"), mask)[None])
        assert (match.card, match.certain) == (card, True)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(DECK), st.integers(0, 7), st.floats(0, 360), st.floats(5.0, 10), st.integers(0, 999), st.integers()
)
def test_three_quarters_of_a_label_are_enough(
    card: Card, mask: int, turn_deg: float, edge: float, errors: int, seed: int
) -> None:
    whole = code(payload(card, "A"), mask)
    wrong = np.random.default_rng(errors).random(whole.shape) < 0.02
    seen = cut(np.where(wrong, -whole, whole), turn_deg, edge, noise(abs(seed) % 1000))
    match, _ = best(seen[None])
    assert (match.card, match.certain) == (card, True)


def test_of_several_samplings_the_right_one_is_named() -> None:
    right = code(payload(DECK[7], "A"), 3)
    samplings = np.stack([noise(number) for number in range(60)])
    samplings[41] = right
    match, number = best(samplings)
    assert (match.card, number) == (DECK[7], 41)
    with pytest.raises(ValueError, match="expected at least one sampling"):
        best(samplings[:0])


@pytest.mark.slow
def test_every_card_of_every_other_deck_is_foreign() -> None:
    """All 625 of them; what lies across them may hide the part that differs most, so every cut counts."""
    for letter in "BCDEFGHIJKLMNOPQRSTUVWXYZ":
        for first in range(0, len(DECK), 5):
            codes = np.stack([code(payload(card, letter), 0) for card in DECK[first : first + 5]])
            match, _ = best(codes)
            assert match.evidence < ENOUGH / 2, letter


@pytest.mark.slow
def test_ten_thousand_foreign_codes_are_foreign() -> None:
    """Any texts, those that begin as ours do among them; whole, cut, and with modules misread."""
    rng = np.random.default_rng(7)
    # A mask turns the same modules over in every code, so one text tells what all the masks do to any other.
    masks = [code("A", mask) * code("A", 0) for mask in range(8)]
    foreign: list[Samplings] = []
    while len(foreign) < 10_000:
        text = "".join(rng.choice(list(CHARACTERS), rng.integers(1, 11)))
        if rng.random() < 0.3:
            text = "EG1:A:" + text[:2]
        if parse_payload(text) is not None:
            continue
        plain = code(text, 0, "h" if len(text) > 7 else str(rng.choice(list("hqml"))))
        for mask in rng.permutation(8)[:4]:
            seen = plain * masks[mask]
            if rng.random() < 0.5:
                seen = cut(seen, float(rng.uniform(0, 360)), float(rng.uniform(-4, 10)), noise(len(foreign)))
            flipped = rng.random(seen.shape) < rng.choice([0.0, 0.03, 0.1])
            foreign.append(np.asarray(np.where(flipped, -seen, seen), dtype=np.float32))
    for first in range(0, len(foreign), 20):
        match, _ = best(np.stack(foreign[first : first + 20]))
        assert match.evidence < 0.75 * ENOUGH  # none even comes near


@pytest.mark.slow
def test_no_two_of_our_labels_can_be_taken_for_one_another() -> None:
    for card in DECK:
        match, _ = best(code(payload(card, "A"), 5)[None])
        assert match.ahead > 4 * AHEAD


@pytest.mark.parametrize("window", [3, 23, 45, 81])
@pytest.mark.parametrize("spread", [3, 255])
def test_dark_pixels_are_those_of_the_adaptive_threshold(window: int, spread: int) -> None:
    y = np.random.default_rng(window).integers(0, spread + 1, (70, 90)).astype(np.uint8)
    y[20:50, 30:60] //= 2
    expected = cv2.adaptiveThreshold(y, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, 6)
    assert np.array_equal(darker_than_around(y, window, 6), expected)
    assert expected.any() == (spread > 2 * 6)
