"""A turn the eyes cannot see: proposed at the first press, entered at the second, and never otherwise.

Stories in the words of ``AtTheTable.tell``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.track import Side
from engine.table.desk import enter, open_match
from engine.table.observation import (
    FigureProblem,
    Why,
)
from engine.table.presses import Button, Press
from engine.table.step import hold
from tests.engine.table.conftest import AtTheTable
from tests.matches import turn


class Partly(AtTheTable):
    """White on 4 is to act, Black stands on 15; a four was laid and White's figure moved, but its tag is hidden.

    So near the end only an advance fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.desk, _ = enter(self.desk, RoundEvent(), 0.0)
        self.played(turn("4c", 5, 23), turn("5c", 5, 18), turn("1c", 4, 18), turn("3c", 4, 15))
        self.cards, self.problem = [], FigureProblem.HIDDEN
        self.t_s = self.since_s = 1.0
        self.look()
        self.tell("4a 4-15", "tag_hidden white")


@pytest.fixture
def table() -> Partly:
    return Partly()


ASKED: Final = "+8.5", "white+0 > 4a 8-15"
ENTERED: Final = "white+0 = 4a 8-15 confirmed > -"
STORIES: Final[dict[str, tuple[str, ...]]] = {
    # The eyes may still see it at the first press.
    "two presses enter the turn once a press found no answer": (
        *("white+4.5 ? cannot_see white tag_hidden > -", "white+1 > 4a 8-15", ENTERED),
    ),
    "it is offered after a while without any press": ("+8.3", "act+1 > 4a 8-15", "act+0 = 4a 8-15 confirmed"),
    "and not before": ("+7.8", "act+0 > -"),
    "while anything changes it is not": ("+6", "4a 4-15", "+6", "white+0 > -"),
    "a press too soon says nothing, for nobody has read it": (*ASKED, "+0.5", "white+0 > 4a 8-15", "+0.4", ENTERED),
    # It was not that: it is not proposed again.
    **{
        f"{button} rejects it and takes back nothing": (*ASKED, "+1", f"{button}+0 ? - > -", "white+0 > -")
        for button in ("black", "undo")
    },
    "undo takes back once nothing is proposed": ("+8.5", "undo+0 = undo"),
    # Eyes that were asked keep offering while the table changes: never what lay there before.
    "who asked by a press is proposed what lies there now": (
        *("white+4.5", "white+0 > 4a 8-15", "take", "5a 4-15", "+0.1 > -", "white+0 > 5a 9-15"),
    ),
    **{
        f"what speaks against it takes it away: {', '.join(changed)}": (*ASKED, *changed, "+0.1 > -")
        for changed in (("take",), ("take", "4b"), ("2a",), ("glimpse 2b",), ("6-15",), ("x-14",))
    },
    **{
        f"a hand on its way to the button does not: {changed}": (*ASKED, changed, "+1", ENTERED)
        for changed in ("x-15", "8-15", "x-x", "glimpse 4a", "hand", "dark")
    },
    "it lapses": (*ASKED, "+20.3 > -", "white+0"),
    # Who cleared the view and pressed again meant the table, and it counts for more than any proposal.
    "eyes that see again judge the press that asked": (*ASKED, "see", "8-15", "+1 = 4a 8-15"),
    "what they then see counts and not what was proposed": (*ASKED, "see", "7-15", "+1 = ! wrong_distance > -"),
    "it is the player to act who is asked": ("+8.5", "black+0 ? not_your_turn white > -"),
    "where several fit as well none is proposed": ("take", "2a 4-15", "+8.5", "white+0 > -"),
    "a card that shines is proposed from the move": ("take", "7-15", "glare", "+8.5", "white+0 > 3a 7-15"),
    # The card whose letter it had been given may be played.
    "a card that was proposed under another letter is not laid again": (
        *("take", "7-15", "glare", "+8.5", "white+1", "white+0 = 3a 7-15 confirmed", "see", "3d 7-15", "+1"),
        *("2a 7-13", "black = 2a 7-13", "3a 10-13", "white = 3d 10-13"),
    ),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_it_is_offered_and_entered_so(table: Partly, story: tuple[str, ...]) -> None:
    table.tell(*story)


def test_between_rounds_and_while_eyes_see_nothing_is_offered(table: Partly) -> None:
    table.tell("see", "+9")
    assert table.desk.unseen is None
    table.desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    table.see(Why.HAND)
    table.wait(9.0)
    assert table.desk.unseen is not None
    assert not table.desk.unseen.due


def test_a_pause_forgets_it(table: Partly) -> None:
    table.tell(*ASKED)
    held = hold(table.desk)
    assert (held.offer, held.unseen, held.waiting) == (None, None, None)
    assert hold(held) is held
    assert replace(table.desk, offer=None, unseen=None, waiting=None) == held
    unseen, offer, press = table.desk.unseen, table.desk.offer, Press(table.t_s, Button.WHITE)
    for alone in (replace(held, offer=offer), replace(held, unseen=unseen), replace(held, waiting=press)):
        assert hold(alone) == held != alone
