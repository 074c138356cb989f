"""Cards that nobody read are asked about, and nothing is ruled without a card that certainly lies there.

Stories of a table at which a round has begun, told in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.table.asking import SOON_AFTER_S
from tests.engine.table.conftest import AtTheTable
from tests.matches import turn

SOON: Final = f"+{SOON_AFTER_S + 0.2}"
HIDDEN: Final = "? card_hidden"


def test_one_that_was_asked_about_by_itself_is_not_asked_about_again(table: AtTheTable) -> None:
    table.tell("auto", "3a 4-23", "glimpse 5b", "+2.2 ? card_unsure 5b")
    table.desk = replace(table.desk, note=None)
    table.tell("+5 ? -")


ATTACKED: Final = turn("5d", 6, 23), turn("5e", 6, 18), turn("5a", 11, 18)


def test_an_attack_is_judged_with_all_its_cards_although_fewer_would_be_legal(table: AtTheTable) -> None:
    table.played(*ATTACKED, turn("2a", 11, 16))
    table.tell("+1", "5b 5c", "cover 5b", "+1", "white = 5b 5c 11-16")


def test_an_attack_that_moves_nobody_is_asked_about_by_itself_too(table: AtTheTable) -> None:
    table.played(*ATTACKED, turn("2a", 11, 16))
    table.tell("auto", "glimpse 1e", "+3 ? -", "5b", "+3 ? card_unsure 1e", "clear", "+3 = 5b 11-16")
