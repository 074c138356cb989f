"""Markers and labels: what is encoded is what readers read."""

from __future__ import annotations

import numpy as np
import pytest
import segno
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import DECK, Card
from vision.printed.label_code import masks, unmasked_codes
from vision.printed.tags import OWN_IDS, QR_MODULES, aruco_dictionary, marker_bits, parse_payload, payload, qr_bits


@given(st.sampled_from(DECK), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
def test_payload_round_trip(card: Card, deck: str) -> None:
    assert parse_payload(payload(card, deck)) == (deck, card)


def test_the_payload_is_the_contracts() -> None:
    assert payload(Card(3, "b"), "A") == "EG1:A:3B"


@pytest.mark.parametrize(
    "text", ["", "EG1:A:3b", "EG2:A:3B", "EG1:A:6B", "EG1:A:3F", "EG1:a:3B", "EG1:A:3B ", "EG1:A:3B\n"]
)
def test_other_codes_are_not_ours(text: str) -> None:
    assert parse_payload(text) is None


@given(st.text(max_size=10))
def test_any_text_is_ours_or_not(text: str) -> None:
    found = parse_payload(text)
    assert found is None or payload(found[1], found[0]) == text


@pytest.mark.parametrize("deck", ["", "a", "AB", "1", "Ä"])
def test_a_deck_letter_is_one_capital(deck: str) -> None:
    with pytest.raises(ValueError, match="one of A to Z"):
        payload(Card(1, "a"), deck)


def test_every_cards_label_decodes() -> None:
    for card in DECK:
        text = payload(card, "A")
        bits = qr_bits(text)
        assert bits.shape == (21, 21)
        image = np.kron(np.where(np.pad(bits, 4), 0, 255).astype(np.uint8), np.ones((4, 4), np.uint8))
        (code,) = zxingcpp.read_barcodes(image)
        assert code.text == text
        assert code.ec_level == "H"


def test_a_text_too_long_for_the_label_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit a QR label"):
        qr_bits("EG1:A:3B-LONG")
    with pytest.raises(ValueError, match="does not fit a QR label"):
        qr_bits("eg1:a:3b")


def test_marker_cells_have_a_black_border_and_differ() -> None:
    seen = {marker_bits(number).tobytes() for number in OWN_IDS}
    assert len(seen) == 16
    for number in OWN_IDS:
        bits = marker_bits(number)
        assert bits.shape == (8, 8)
        assert bits[[0, -1]].all()
        assert bits[:, [0, -1]].all()
        assert not bits.all()


def test_marker_cells_are_opencvs_own_code() -> None:
    dictionary = aruco_dictionary()
    for number in OWN_IDS:
        white = (~marker_bits(number)[1:-1, 1:-1]).astype(np.uint8)
        found, marker_id, turns = dictionary.identify(white, 0.0)
        assert (bool(found), int(marker_id), int(turns)) == (True, number, 0)


@pytest.mark.parametrize("number", [-1, 587])
def test_an_unknown_marker_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="has markers 0 to 586"):
        marker_bits(number)


@pytest.mark.parametrize("name", ["DICT_NONE", "APRILTAG_36h11", "drawMarker"])
def test_an_unknown_dictionary_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no marker dictionary"):
        aruco_dictionary(name)


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
