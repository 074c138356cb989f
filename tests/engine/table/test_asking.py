"""Cards that nobody read are asked about, and nothing is ruled without a card that certainly lies there.

Stories of a table at which a round has begun, told in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from engine.table.asking import SOON_AFTER_S
from engine.table.observation import DoubtReason
from tests.engine.table.conftest import AtTheTable
from tests.matches import turn

SOON: Final = f"+{SOON_AFTER_S + 0.2}"
HIDDEN: Final = "? card_hidden"
SHINES: Final = "? card_hidden glare"
LATER: Final = "? came_later"


def test_a_label_that_light_burns_out_is_the_same_one_in_other_light(table: AtTheTable) -> None:
    table.tell("3a 4-23", "shines", "+1", f"white+0 {SHINES}")
    table.unread = tuple(replace(label, why=DoubtReason.HALF_HIDDEN) for label in table.unread)
    table.tell("white = 3a 4-23")
    assert table.desk.asked_about == frozenset()


def test_one_that_was_asked_about_by_itself_is_not_asked_about_again(table: AtTheTable) -> None:
    table.tell("auto", "3a 4-23", "glimpse 5b", "+2.2 ? card_unsure 5b")
    table.desk = replace(table.desk, note=None)
    table.tell("+5 ? -")


ATTACKED: Final = turn("5d", 6, 23), turn("5e", 6, 18), turn("5a", 11, 18)


def test_an_attack_is_judged_with_all_its_cards_although_fewer_would_be_legal(table: AtTheTable) -> None:
    table.played(*ATTACKED, turn("2a", 11, 16))
    table.tell("+1", "5b 5c", "cover 5b", "+1", "white = 5b 5c 11-16")


@pytest.mark.parametrize(("name", "fell"), [("3c", "3b 3c 14-17"), ("2a", "! attack_value")])
def test_where_only_cards_came_soon_it_is_asked_whose_they_are(table: AtTheTable, name: str, fell: str) -> None:
    """An advance after which the other fencer is in reach: one card more is an attack, by whoever laid it."""
    table.played(*ATTACKED, turn("1a", 11, 17))
    table.tell("+1", "3b 14-17", "+1", "hand", "+0.5", "white+0", SOON, name, "see", f"+0.7 {LATER}", f"white = {fell}")
