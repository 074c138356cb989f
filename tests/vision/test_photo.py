"""The eyes before photograph-like pictures of a renderer that they were not made with: nothing wrong is agreed on.

A fast selection; ``tests/bench/bench_photo.py`` runs hundreds of clips.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo.clips import clip_held, clip_unseen_hand
from photo.lens import aimed
from photo.setups import PLAIN, random_lens, random_setup
from photo.studio import CardThing
from photo.worlds import begin, card_look, spots

from engine.rules.cards import Card
from engine.table.observation import CardReading, Sight
from tests.tables import TABLE
from vision.printed.table import read_table

pytestmark = pytest.mark.slow

WRONG = {"wrong_card", "held_card", "wrong_space", "late_card", "late_space", "card_place"}


def test_the_lens_here_and_its_rays_agree() -> None:
    lens = aimed((300, -400, 600), (300, -80, 0), 4.0, 102.0, bend=(-0.05, 0.01, 0.0, 3e-4, -2e-4))
    points = np.array([(0.0, 0.0, 0.0), (616.0, 0.0, 0.0), (100.0, -250.0, 0.0), (308.0, -30.0, 0.0)])
    px, _ = lens.seen(points)
    at = np.round(px).astype(int)
    x, y = lens.onto_plane(0.0, lens.rays[at[:, 1], at[:, 0]])
    # Half a pixel is about a quarter of a millimetre here.
    assert np.abs(np.column_stack([x, y]) - points[:, :2]).max() < 0.7


@pytest.mark.parametrize("kind", ["plain", "pitch", "stepped", "bent", "beside", "behind"])
def test_every_kind_of_table_has_a_file_and_a_camera_that_sees_it(kind: str) -> None:
    setup = random_setup(np.random.default_rng(5), kind)
    table = read_table(setup.toml())
    assert [tuple(place) for place in table.spaces_mm] == [pytest.approx(place) for place in setup.spaces]
    lens, _ = random_lens(np.random.default_rng(6), setup)
    px, _ = lens.seen(setup.points())
    assert ((px > 0) & (px < (lens.width, lens.height))).all()


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


def test_a_card_in_a_hand_that_looks_like_the_table_was_not_laid() -> None:
    session = clip_unseen_hand(8, figure_too=False)
    assert [finding for finding in session.tally.findings if finding.kind in WRONG] == []


@pytest.mark.parametrize(("sight", "kind"), [(Sight.CHECKING, "held_card"), (Sight.STEADY, "wrong_card")])
def test_a_card_that_was_never_laid_is_wrong_once_the_table_is_steady(sight: Sight, kind: str) -> None:
    session, _ = begin(3)
    assert session.look is not None
    card = CardReading(Card.parse("3b"), 300.0, -100.0, 1.0)
    session._check(replace(session.look, table=replace(session.look.table, sight=sight, cards=(card,))))
    assert [finding.kind for finding in session.tally.findings if finding.kind in WRONG] == [kind]


@pytest.mark.parametrize("seed", [1, 102])
def test_a_table_over_which_cards_are_held_still_is_not_steady_with_them(seed: int) -> None:
    """A striped sleeve beside a mat the tone of the cloth; and a lamp that flickers."""
    assert [finding for finding in clip_held(seed).tally.findings if finding.kind == "wrong_card"] == []
