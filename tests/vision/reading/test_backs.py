"""Cards that lie face down, at the simulated table: read in the places asked for, and nowhere else."""

from __future__ import annotations

import pytest

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE
from tests.vision.conftest import Watched
from vision.frame import Frame
from vision.look import Look
from vision.printed.tags import TOKEN_LETTERS, back_payload, parse_back, parse_payload, qr_bits
from vision.reading.backs import slot_areas
from vision.synthetic import SceneCard, SceneHand, camera_variant

pytestmark = pytest.mark.slow

SLOTS = TABLE.slots_mm
TOKENS = ("7KQ2XN", "ABCDEF", "ZZZ999", "HJ4LMN", "23PQRS", "WXYZ76")


def face_down(token: str, at: tuple[float, float], turn_deg: float = 0.0, level: int = 0) -> SceneCard:
    card = DECK[TOKENS.index(token)] if token in TOKENS else DECK[24]
    return SceneCard(card, *at, turn_deg, level, face_up=False, back=token)


def watching(seed: int = 1, *, asked: bool = True) -> Watched:
    """Eyes that look for backs in the slots."""
    watched = Watched(camera=camera_variant(TABLE, seed), seed=seed)
    if asked:
        watched.eyes.watch_backs(slot_areas(TABLE))
    return watched


def tokens(look: Look) -> list[str]:
    return [reading.token for reading in look.table.backs]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_slot_is_read_whichever_way_its_card_lies(seed: int) -> None:
    watched = watching(seed)
    watched.show(8)
    lying = tuple(
        face_down(token, (x + dx, y - dx), turn)
        for (x, y), token, turn, dx in zip(
            SLOTS, TOKENS, (0.0, 180.0, 6.0, -7.0, 174.0), (0.0, 3.0, -4.0, 5.0, 0.0), strict=False
        )
    )
    look = watched.show(12, cards=lying)
    assert tokens(look) == list(TOKENS[:5])
    assert look.table.sight is Sight.STEADY
    assert look.table.cards == ()
    assert look.table.unread == ()
    assert look.table.glimpsed == ()
    for reading, card in zip(look.table.backs, lying, strict=True):
        assert reading.x_mm == pytest.approx(card.x_mm, abs=3.0)
        assert reading.y_mm == pytest.approx(card.y_mm, abs=3.0)


def test_backs_elsewhere_are_not_read() -> None:
    watched = watching()
    watched.show(8)
    pile, hand = face_down("WXYZ76", (308.0, -116.0)), face_down("HJ4LMN", (520.0, -100.0))
    look = watched.show(12, cards=(face_down("7KQ2XN", SLOTS[2]), pile, hand))
    assert tokens(look) == ["7KQ2XN"]
    assert look.table.unread == ()


def test_without_being_asked_nothing_is_read() -> None:
    watched = watching(asked=False)
    look = watched.show(14, cards=tuple(face_down(token, at) for token, at in zip(TOKENS, SLOTS, strict=False)))
    assert tokens(look) == []
    assert look.table.cards == ()
    assert look.table.unread == ()


def test_a_card_that_is_taken_goes_and_a_hand_that_passes_changes_nothing() -> None:
    watched = watching()
    lying = tuple(face_down(token, at) for token, at in zip(TOKENS, SLOTS, strict=False))
    watched.show(12, cards=lying)
    x, y = SLOTS[1]
    over = watched.show(6, hands=(SceneHand(Side.WHITE, x, y - 20.0),))
    assert tokens(over) == list(TOKENS[:5])
    kept = watched.show(12, hands=())
    assert tokens(kept) == list(TOKENS[:5])
    assert [reading.since_s for reading in kept.table.backs] == [reading.since_s for reading in over.table.backs]
    watched.show(3, hands=(SceneHand(Side.WHITE, x, y - 20.0),), cards=(lying[0], *lying[2:]))
    gone = watched.show(12, hands=())
    assert tokens(gone) == [token for token in TOKENS[:5] if token != TOKENS[1]]


def test_another_card_in_a_slot_takes_the_place_of_the_one_before() -> None:
    watched = watching()
    watched.show(10, cards=(face_down(TOKENS[0], SLOTS[0]),))
    look = watched.show(12, cards=(face_down(TOKENS[5], SLOTS[0]),))
    assert tokens(look) == [TOKENS[5]]


def test_a_row_laid_at_once_is_no_arm_for_long() -> None:
    watched = watching()
    watched.show(8)
    look = watched.show(6, cards=tuple(face_down(token, at) for token, at in zip(TOKENS, SLOTS, strict=False)))
    assert look.table.sight is Sight.STEADY
    assert tokens(look) == list(TOKENS[:5])


def test_a_dark_room_forgets_nothing() -> None:
    watched = watching()
    watched.show(10, cards=(face_down(TOKENS[3], SLOTS[3]),))
    assert tokens(watched.show(3, light=0.05)) == [TOKENS[3]]
    assert tokens(watched.show(8, light=1.0)) == [TOKENS[3]]


def test_a_back_half_covered_by_a_played_card_is_no_hidden_card() -> None:
    watched = watching()
    watched.show(10, cards=(face_down(TOKENS[0], SLOTS[0]),))
    x, y = SLOTS[0]
    over = SceneCard(Card(3, "b"), x - 30.0, y + 30.0, level=1)
    look = watched.show(14, cards=(face_down(TOKENS[0], SLOTS[0]), over))
    assert look.table.unread == ()
    assert [str(reading.card) for reading in look.table.cards] == ["3b"]


def test_a_card_that_lies_face_up_in_a_slot_is_no_back() -> None:
    watched = watching()
    watched.show(8)
    up, down = SceneCard(DECK[7], *SLOTS[1]), face_down(TOKENS[3], SLOTS[3])
    look = watched.show(12, cards=(up, down))
    assert tokens(look) == [TOKENS[3]]
    assert [reading.card for reading in look.table.cards] == [DECK[7]]
    assert look.calibration is not None
    places = [look.calibration.camera.at_height(code, 0.0).mean(axis=0) for code in watched.eyes._backs.codes]
    assert places
    assert all(abs(x - SLOTS[3][0]) < 30.0 for x, _ in places)


def test_eyes_that_begin_anew_in_another_place_find_them_again() -> None:
    watched = watching()
    watched.show(10, cards=(face_down(TOKENS[0], SLOTS[4]),))
    watched.eyes.watch_backs(slot_areas(TABLE))
    assert tokens(watched.show(1)) == []
    assert tokens(watched.show(8)) == [TOKENS[0]]


def test_what_a_back_says_is_its_own_and_no_card() -> None:
    for token in TOKENS:
        assert parse_back(back_payload(token)) == token
        assert parse_payload(back_payload(token)) is None
        assert qr_bits(back_payload(token)).shape == (21, 21)
    assert parse_back("EG1:A:3B") is None
    assert parse_back("EGB:7KQ2X") is None
    assert "O" not in TOKEN_LETTERS
    assert "1" not in TOKEN_LETTERS
    with pytest.raises(ValueError, match="print the backs again"):
        back_payload("7kq2xn")


def test_a_camera_that_is_lost_keeps_what_it_saw() -> None:
    import numpy as np

    watched = watching()
    watched.show(10, cards=(face_down(TOKENS[0], SLOTS[4]),))
    look = watched.eyes.look(Frame(99, 9.9, np.zeros((0, 0), np.uint8)))
    assert tokens(look) == [TOKENS[0]]


def test_a_known_back_half_hidden_anywhere_is_no_hidden_card() -> None:
    """A card dealt or drawn lies under another for a moment; cards half hidden are asked about all the same."""
    x, y, turn_deg = 200.0, -116.0, 12.0
    covers = SceneCard(Card(3, "b"), x - 43.0, y, level=1)

    def unread(under: SceneCard, known: tuple[str, ...]) -> int:
        watched = watching()
        watched.eyes.watch_backs(slot_areas(TABLE), known)
        watched.show(8)
        look = watched.show(14, cards=(under, covers))
        assert look.table.backs == ()
        return len(look.table.unread)

    back = face_down("7KQ2XN", (x, y), turn_deg)
    assert unread(back, ()) > 0
    assert unread(back, TOKENS) == 0
    assert unread(face_down("JJJJJJ", (x, y), turn_deg), TOKENS) > 0, "no back of this deck: it may be anything"
