"""The households that the bench draws: each from its seed alone, each with a table that people could play at."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from households.household import PRINTED, household, true_table
from households.layout import Layout, all_in_sight
from households.photo_world import lens_of, setup_of, tops
from households.room import Room
from households.sitting import Sitting
from households.synthetic_world import SyntheticWorld
from households.tally import Fate

from engine.rules.cards import DECK
from engine.rules.track import START, Side
from engine.table.desk import EndTurn
from vision.printed.table import read_table

pytestmark = pytest.mark.slow

SEEDS = range(1, 41)


def test_a_household_is_its_seed() -> None:
    homes = [household(seed, tops()) for seed in SEEDS]
    assert homes == [household(seed, tops()) for seed in SEEDS]
    assert len({home.view for home in homes}) == len(homes)
    assert {home.mounting for home in homes} == {"above", "from the players' side"}
    assert all(44.0 <= home.cards.size_mm[0] <= 70.0 for home in homes)
    assert any(home.calibrated for home in homes)
    assert not all(home.calibrated for home in homes)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_camera_sees_all_that_its_guide_says_it_must(seed: int) -> None:
    home = household(seed, tops())
    setup = setup_of(home)
    px, depth = lens_of(home.view, setup).seen(setup.points())
    assert depth.min() > 0
    assert (px > 0).all()
    assert (px < np.array(setup.size) - 1).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_printed_differs_from_the_table_file_as_far_as_was_drawn(seed: int) -> None:
    home = household(seed, tops())
    told, true = read_table(home.told()), true_table(home)
    assert told.camera == (home.module.width, home.module.height, home.hfov_told_deg)
    assert told.corners == PRINTED.corners
    assert true.qr_mm == told.qr_mm * home.print_scale
    board = home.print_scale if home.sheet_scaled else 1.0
    for number, (one, other) in enumerate(zip(true.corners, told.corners, strict=True)):
        off = math.dist((one.x, one.y), (other.x * board, other.y * board))
        assert off == pytest.approx(math.hypot(*home.corner_off_mm[1:]) * (number == home.corner_off_mm[0]))


@pytest.mark.parametrize("seed", range(1, 13))
def test_every_card_of_a_turn_has_a_label_in_sight(seed: int) -> None:
    home = household(seed, tops())
    room, layout = Room(), Layout(home, true_table(home), random.Random(seed))
    for side in Side:
        room.figures[side] = layout.stand(room, side, START[side])
    for turn in range(5):
        cards = DECK[turn * 3 : turn * 3 + 3]
        for number, card in enumerate(cards):
            room.cards[card] = layout.turn_card(room, card, cards[:number])
        assert all_in_sight([room.cards[card] for card in cards])


def test_a_sitting_replays_exactly() -> None:
    home = household(3, tops())
    tallies = [Sitting(home, SyntheticWorld(home), EndTurn.BUTTON, most_turns=1).run() for _ in range(2)]
    assert tallies[0].happenings == tallies[1].happenings
    assert tallies[0].frames == tallies[1].frames
    assert tallies[0].counts("turn") == {Fate.RIGHT: 1}
