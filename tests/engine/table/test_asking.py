"""Cards that nobody read are asked about, and nothing is ruled without a card that certainly lies there.

Stories of a table at which a round has begun, told in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from engine.table.asking import LONG_AFTER_S, SOON_AFTER_S
from engine.table.observation import DoubtReason
from tests.engine.table.conftest import AtTheTable
from tests.matches import turn

SOON: Final = f"+{SOON_AFTER_S + 0.2}"
LONG: Final = f"+{LONG_AFTER_S + 0.2}"
HIDDEN: Final = "? card_hidden"
SHINES: Final = "? card_hidden glare"
LATER: Final = "? came_later"
BLACKS: Final = "black = 2a 4-21"
COVERED: Final = "4b 4-23", "+1", "white = ! wrong_distance", "cover 4b", "3a", "+1", "white ? card_covered 4b"
"""White was refused for a four, laid a three over it and pressed again."""
STOOD: Final = "3a 4-23", "+1", "hand", "+0.5"
"""White laid and moved, the table stood, and then a hand came."""

STORIES: Final[dict[str, tuple[str, ...]]] = {
    "a glimpsed card is asked about once and never guessed": (
        *("3a 4-23", "glimpse 5b", "+1", "white ? card_unsure 5b", "white = 3a 4-23"),
    ),
    "a label half hidden in this turn is asked about once, and none that lay there before": (
        *("unread -5", "3a 4-23", "+1", "white = 3a 4-23"),
        *("2a 4-21", "unread", "+1", f"black {HIDDEN}", BLACKS),
    ),
    "a turn with a shining card is never ruled without it": (
        *("4-23", "shines", "+1", f"white {SHINES}", "white > 3a 4-23", "white+0 = 3a 4-23 confirmed"),
    ),
    "a legal turn beside one is asked about too: the card that is read may be half of it": (
        *("3a 4-23", "shines", "+1", "white", "white > 3a 4-23", "black > -", f"white {SHINES} > -"),
    ),
    "what shone and is read in time is judged for the press that asked": (
        *("4-23", "shines", "+1", "white", "white+0 > 3a 4-23", "clear", "3a", "+1 = 3a 4-23"),
    ),
    "after its patience the press is not": ("4-23", "shines", "+1", "white", "white+25 > -", "white+0 > 3a 4-23"),
    "what shines for long is proposed at the first press": ("4-23", "shines", "+8.5", "white+0 > 3a 4-23"),
    "where nothing that shines could make it legal the turn is refused, and where it could it is not": (
        *("7-23", "shines", "+1", "white", "white = ! no_cards", "4-23", "+1", "white", "+1", "white > 3a 4-23"),
    ),
    "whoever gives up beside something that shines may": (
        *("shines", "+1", "white", "white = ! no_cards", "white = yield"),
    ),
    "no turn is refused where light may hide its card before the player was asked, once": (
        *("4-23", "lit", "+1", f"white {SHINES}", "lit", "white = ! no_cards"),
    ),
    "one that is legal as it was read is judged: light tells of no card": ("3a 4-23", "lit", "+1", "white = 3a 4-23"),
    "light is asked about in the next turn again, where a hand was there in it": (
        *("3a 4-23", "lit", "+1", "white = 3a 4-23", "4-20", "+1", "black = ! no_cards", "lit", f"black {SHINES}"),
    ),
    "where no card in the light could make it legal it is refused at once": (
        *("7-23", "lit", "+1", "white = ! no_cards"),
    ),
    "auto waits for a glimpsed card and a hidden one": (
        *("auto", "3a 4-23", "glimpse 5b", "+5", "glimpse", "unread", "+5", "clear", "+0.2 = 3a 4-23"),
    ),
    "played without presses it asks once the fencer has moved and the turn looks ended": (
        *("auto", "3a", "glimpse 5b", "+5 ? -", "4-23", "+1.8 ? -", "+0.4 ? card_unsure 5b", "white = 3a 4-23"),
    ),
    # The camera wobbled from the press on, and Black laid his cards and moved before anything could be seen.
    "what came long after a press is not judged with its turn before that was said": (
        *("3a 4-23", "moved", "white+0", LONG, "2a 4-21", "see", f"+0.7 {LATER}"),
        *("take 2a", "4-23", "+0.7", "white = 3a 4-23", "2a 4-21", "+0.7", BLACKS),
    ),
    "a turn that is wrong as it was pressed for is refused": (
        *("3a 5-23", "moved", "white+0", LONG, "see", "+0.7 = ! wrong_distance"),
    ),
    "cards that came late are judged when pressed for again, and at once when they are legal": (
        *("5-23", "hand", "white+0", LONG, "3a", "see", f"+0.7 {LATER}", "white = ! wrong_distance"),
        *("take 3a", "4-23", "hand", "white+0", LONG, "3a", "see", "+0.7 = 3a 4-23"),
    ),
    "a card taken back under the next one is asked about, and then left out in this turn and the next": (
        *(*COVERED, "white = 3a 4-23", "2a 4-21", "+1", BLACKS),
    ),
    "who shows it is refused for it": (*COVERED, "4b", "+1", "white = ! attack_value"),
    "a turn that is legal with a covered card is judged with it": (
        *("4b 3a", "cover 4b", "8-23", "+1", "white = ! wrong_distance"),
    ),
    "played without presses it is asked about too": (
        *("auto", "4b 4-23", "cover 4b", "3a", "+1.8 ? -", "+0.4 ? card_covered 4b", "white = 3a 4-23"),
    ),
    "of two of which either would do the last one is asked about": (
        *("3b 3c 4-23", "cover 3b 3c", "+1", "white ? card_covered 3c"),
    ),
    "the turn that was pressed for is judged, and what came later is the next one": (
        *(*STOOD, "white+0", SOON, "2a 4-21", "see", "+0.7 = 3a 4-23", BLACKS),
    ),
    "what cannot be read since then is the next turn's": (
        *(*STOOD, "white+0", SOON, "2a 4-21", "see", "+0.7 = 3a 4-23", "unread", f"black {HIDDEN}"),
    ),
    "cards that may still have been laid with the press are judged with it": (
        *(*STOOD, "white+0", "+0.2", "2a 4-21", "see", "+0.7 = ! opponent_moved"),
    ),
    "where only cards came much later it is the turn that lay there": (
        *(*STOOD, "white+0", LONG, "2a", "see", "+0.7 = 3a 4-23"),
    ),
    **{
        f"a turn is not taken for the one that was pressed for, {why}": (
            *before,
            "white+0",
            SOON,
            *after,
            f"+0.7 {LATER}",
        )
        for why, before, after in (
            ("moved on since", (*STOOD, "5-23"), ("2a 5-21", "see")),
            ("taken up since", (*STOOD, "take 3a"), ("2a 4-21", "see")),
            ("of long before", (*STOOD, LONG), ("2a 4-21", "see")),
            ("not legal", ("3a 5-23", "+1", "hand", "+0.5"), ("2a 5-21", "see")),
            (
                "of which the eyes were not sure",
                ("3a 4-23", "unread", "+1", "clear", "hand", "+0.5"),
                ("2a 4-21", "see"),
            ),
        )
    },
    "a legal turn of cards that came with no other before them is judged": (
        *(*STOOD, "take 3a", "white+0", LONG, "3a", "see", "+0.7 = 3a 4-23"),
    ),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_it_is_asked_about_and_ruled_so(table: AtTheTable, story: tuple[str, ...]) -> None:
    table.tell(*story)


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
