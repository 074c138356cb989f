"""The eyes before photograph-like pictures of a renderer that they were not made with: nothing wrong is agreed on.

A fast selection; ``tests/bench/bench_photo.py`` runs hundreds of clips.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from photo import things
from photo.clips import clip_held, clip_unseen_hand
from photo.render import Patch
from photo.setups import PLAIN
from photo.studio import CardThing, Mover
from photo.worlds import begin, card_look, spots

from engine.rules.cards import Card
from engine.table.observation import CardReading, Sight
from tests.tables import TABLE
from vision.belief import LONG_S
from vision.printed.table import read_table

pytestmark = pytest.mark.slow

WRONG = {"wrong_card", "held_card", "wrong_space", "late_card", "late_space", "card_place"}


def test_the_plain_table_is_the_one_that_ships() -> None:

    assert read_table(PLAIN.toml()) == TABLE


@pytest.mark.parametrize(("kind", "seed"), [("stepped", 9)])
def test_cards_and_fencers_on_a_strange_table_are_read_as_they_lie(kind: str, seed: int) -> None:
    session, rng = begin(seed, kind=kind)
    session.put(
        [
            CardThing(name, x, y, float(rng.uniform(0, 360)), look=card_look(rng))
            for name, (x, y) in zip(("1a", "3b", "5e"), spots(session, rng, 3), strict=False)
        ]
    )
    session.rest(8)
    assert [finding for finding in session.tally.findings if finding.kind in WRONG] == []
    assert session.tally.plain >= 2
    assert session.tally.read == session.tally.plain
    assert len(session.tally.errors_mm) > 6
    assert max(session.tally.errors_mm) < 2.0


@pytest.mark.parametrize("seed", [8, 117, 119, 147])  # sleeves that look like the table; the last one's hand, too
def test_a_card_in_a_hand_that_looks_like_the_table_was_not_laid(seed: int) -> None:
    session = clip_unseen_hand(seed, figure_too=False)
    assert [finding for finding in session.tally.findings if finding.kind in WRONG] == []


def test_a_fencer_in_a_hand_that_looks_like_the_table_does_not_stand() -> None:
    """The hand hides a part of its tag: with two rows of modules left out, the others would say where it stands."""
    session = clip_unseen_hand(104)
    assert [finding for finding in session.tally.findings if finding.kind in WRONG] == []


def test_an_arm_is_drawn_as_far_as_it_is_before_the_camera() -> None:
    """A player's forearm goes on behind a low camera."""
    session, rng = begin(164)
    studio, lens = session.studio, session.studio.painter.lens
    (x, y), *_ = spots(session, rng, 1)
    from_x, from_y, _ = -lens.turn.T @ lens.shift
    hand = session.hand_at(x, y, 30.0, math.degrees(math.atan2(y - from_y, x - from_x)))
    assert min(lens.seen(patch.corners)[1].min() for patch in hand.patches) < 0.0
    still, reached = (studio.frame(0, movers).astype(int) for movers in (None, [Mover(hand.patches, [])]))
    assert np.count_nonzero(np.abs(reached - still) > 20) > still.size / 50


@pytest.mark.parametrize(("sight", "kind"), [(Sight.CHECKING, "held_card"), (Sight.STEADY, "wrong_card")])
def test_a_card_that_was_never_laid_is_wrong_once_the_table_is_steady(sight: Sight, kind: str) -> None:
    session, _ = begin(3)
    assert session.look is not None
    card = CardReading(Card.parse("3b"), 300.0, -100.0, 1.0)
    session._check(replace(session.look, table=replace(session.look.table, sight=sight, cards=(card,))))
    assert [finding.kind for finding in session.tally.findings if finding.kind in WRONG] == [kind]


@pytest.mark.parametrize("seed", [1, 102, 154])
def test_a_table_over_which_cards_are_held_still_is_not_steady_with_them(seed: int) -> None:
    """A striped sleeve beside a mat the tone of the cloth; a lamp that flickers; an arm without an outline."""
    assert [finding for finding in clip_held(seed).tally.findings if finding.kind == "wrong_card"] == []


def test_a_card_that_came_with_something_else_beside_it_is_laid_once_no_hand_would_rest_so_long() -> None:
    session, rng = begin(3)
    session.rest(round((LONG_S + 1.0) * session.fps))
    (x, y), *_ = spots(session, rng, 1)
    paper = np.full((60, 40, 3), 20, np.uint8)
    session.studio.clutter.append(Patch(things.sheet(x + 60.0, y, 0.3, 40.0, 60.0, 0.0), paper))
    first, second = (
        CardThing(name, x + off, y, 0.0, look=card_look(rng)) for name, off in (("3b", 0.0), ("1a", 120.0))
    )
    for cards, seconds, laid in (
        ([first], LONG_S, []),
        ([first], 1.0, ["3b"]),
        ([first, second], 1.0, ["3b", "1a"]),  # it is known by now
    ):
        session.put(cards)
        session.rest(round(seconds * session.fps))
        assert session.look is not None
        table = session.look.table
        assert (table.sight is Sight.STEADY, [str(card.card) for card in table.cards]) == (bool(laid), laid)
