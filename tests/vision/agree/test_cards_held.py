"""The evidence by which a card is known to lie where it lies, or to have left, and what counts as a change."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.rules.cards import Card
from tests.tables import seen_card
from vision.agree.agreement import CardMemory, PlaceLook, PlaceState, is_covered, step_cards
from vision.belief import LONG_S, SURE
from vision.printed.card_shape import CardShapes, LabelPose, Place
from vision.sights.observe import CardSight, LabelPlace, card_sights

GONE_LOOKS, LAID_LOOKS = 4, 2  # so many looks are enough
A, B, C = Card.parse("3b"), Card.parse("1a"), Card.parse("5e")
CARDS = {"A": A, "B": B, "C": C}


def sight(card: Card, x_mm: float, y_mm: float = -116.0, *, labels: tuple[Place, ...] | None = None) -> CardSight:
    """An upright card with both labels in sight, or those that are named."""
    both = ((x_mm - 12.5, y_mm + 25.0), (x_mm + 12.5, y_mm - 25.0))
    return seen_card(card, x_mm, y_mm, 90.0, both if labels is None else labels)


class Table:
    """Looks one after the other."""

    def __init__(self) -> None:
        self.memory = CardMemory()
        self.now_s = 0.0

    def look(self, *sights: CardSight, places: tuple[PlaceLook, ...] = (), hand: bool = False, times: int = 1) -> None:
        for _ in range(times):
            self.now_s += 0.1
            self.memory = step_cards(self.memory, self.now_s, sights, places, hand)

    @property
    def names(self) -> list[str]:
        return [str(held.card) for held in self.memory.held]


def places(seen: CardSight, state: PlaceState) -> tuple[PlaceLook, ...]:
    """A look at each place where a label of the card was."""
    return tuple(PlaceLook(seen.card, place, state) for place, _ in seen.poses)


def different(seen: CardSight) -> tuple[PlaceLook, ...]:
    return places(seen, PlaceState.DIFFERENT)


STATES = {"-": PlaceState.DIFFERENT, "~": PlaceState.BARE, "=": PlaceState.SAME}
STORIES = {
    "a place that looks otherwise for some looks means gone": "A*3 | -A*3 > 3b unsettled | -A > none",
    "so does a bare one without a hand": "A*3 | ~A*4 > none",
    "one label that still looks the same keeps a card": "A*3 | -A1 =A2*20 > 3b",
    "reading it again forgets the evidence": "A*3" + " | -A*3 | A" * 5 + " > 3b",
    "nothing leaves while a hand is there; what was seen lifted is not under the card that is laid there next": (
        "A*3 | hand ~A*2 > 3b | B302 -A*3 > 1a"
    ),
    # A white card on a white table, whose label a hand still hides: household 16104.
    "a card upon it that looks as the table did lifts none": ("A*3 | hand ~A*2 | B302 ~A*3 > 3b 1a | B302*3 > 3b 1a"),
    "a card upon one of its places says nothing against its having been lifted": "A*3 | hand ~A*2 | B330 ~A1*3 > 1a",
    "lifted and laid back a card lies there and goes under the next": "A*3 | hand ~A*2 | A*3 | B302*3 > 3b 1a",
    "without such a look the card that was there is under the next": "A*3 | hand -A*20 | B302 -A*3 > 3b 1a",
    # B is read now and then: agreed on late, and A's labels look otherwise all the while.
    "a card that is only being agreed on hides what is beneath": "A*3" + " | B302 -A | -A*3" * 3 + " > 3b",
    "a card that is being laid hides what was read beneath it until now": "A*3 | A B301 | -A > 3b surely",
    "whatever its place looks like": "A*3 | A B301 | ~A > 3b surely",
}
"""Looks one after the other: cards read, at 300 mm or where it says, or how their places look ("-" different, "~" bare,
"=" the same; both labels or one); then what is held."""


@pytest.mark.parametrize("story", STORIES)
def test_how_a_card_comes_to_lie_and_leaves(story: str) -> None:
    table = Table()
    for step in STORIES[story].split(" | "):
        looks, _, held = step.partition(" > ")
        sights, states = list[CardSight](), list[PlaceLook]()
        looks, _, times = looks.partition("*")
        for word in looks.replace("hand ", "").split():
            if word[0] in STATES:
                seen = places(sight(CARDS[word[1]], 300), STATES[word[0]])
                states += seen if not word[2:] else [seen[int(word[2:]) - 1]]
            else:
                sights.append(sight(CARDS[word[0]], float(word[1:] or 300)))
        table.look(*sights, places=tuple(states), hand=looks.startswith("hand"), times=int(times or 1))
        expected = [word for word in held.split() if word not in ("none", "unsettled", "surely")]
        assert not held or (table.names, table.memory.glimpsed) == (expected, ())
        assert not held or table.memory.unsettled >= ("unsettled" in held)
        assert "surely" not in held or [card.nats for card in table.memory.held] == [SURE]
    assert "none" not in held or not table.memory.unsettled


def test_a_card_that_a_hand_held_over_another_hides_it_once_it_lies() -> None:
    """Until it lets go it shows where it will lie, beside a label beneath it that is still read."""
    table = Table()
    table.look(sight(A, 300), times=3)
    _, beneath = sight(A, 300).poses
    table.look(sight(A, 300, labels=(beneath.place,)), replace(sight(B, 301), clear=False), hand=True, times=2)
    table.look(sight(B, 301), times=3)
    assert table.names == ["3b", "1a"]
    assert is_covered(table.memory.held[0], table.memory.held)
    table.look(sight(B, 301), places=different(sight(A, 300)), times=2 * GONE_LOOKS)
    assert table.names == ["3b", "1a"], "what lies there hides it"


def pushed_over_each_other() -> Table:
    """Two cards of which each was nudged over the other after the other was last read."""
    table = Table()
    table.look(sight(A, 300), sight(B, 310), times=3)
    first, second = (replace(held, placed_s=0.5, laid_at_s=0.1) for held in table.memory.held)
    table.memory = replace(table.memory, held=(first, second))
    table.now_s = 1.0
    assert {is_covered(held, table.memory.held) for held in table.memory.held} == {True}
    return table


def test_cards_that_seem_to_hide_each_other_leave_a_table_that_is_swept() -> None:
    table = pushed_over_each_other()
    table.look(places=(*different(sight(A, 300)), *different(sight(B, 310))), times=GONE_LOOKS)
    assert table.names == []
    assert not table.memory.unsettled


def test_they_stay_while_anything_else_may_hide_one_of_them() -> None:
    table = pushed_over_each_other()
    looks = (*different(sight(A, 300)), *different(sight(B, 310)))
    table.look(sight(C, 305), times=3)
    table.look(sight(C, 305), places=looks, times=2 * GONE_LOOKS)
    assert {*table.names} == {"3b", "1a", "5e"}
    sure = tuple(look._replace(verdict=PlaceState.SAME) for look in looks[:1])
    table = pushed_over_each_other()
    table.look(places=(*sure, *looks[1:]), times=2 * GONE_LOOKS)
    assert {*table.names} == {"3b", "1a"}


def test_a_label_read_from_what_is_left_of_it_stays_hidden_by_what_lies_across_it() -> None:
    """What is left may be read in one look and not in the next; that is no sign that the card has gone."""
    table = Table()
    whole = sight(A, 300)
    table.look(whole, times=3)
    upper = whole.poses[0].place
    part = sight(A, 300, labels=(upper,))
    (left,) = part.labels
    across = sight(B, upper[0] + 40.0, upper[1] - 25.0)  # its left edge lies on the upper label, its face on the lower
    table.look(replace(part, labels=(left._replace(cut=True),)), across, times=4)
    assert table.names == ["3b", "1a"]
    table.look(across, places=different(whole), times=20)
    assert table.names == ["3b", "1a"]
    table.look(part, across, times=2)  # read whole, it is hidden by nothing that lay there
    table.look(across, places=different(part), times=20)
    assert table.names == ["1a"]


def test_the_same_card_in_two_places_is_not_moved_back_and_forth() -> None:
    table = Table()
    table.look(sight(A, 300), times=3)
    since_s = table.memory.held[0].laid_at_s
    table.look(sight(A, 300), sight(A, 450), times=20)
    assert [held.laid_at_s for held in table.memory.held] == [since_s]


@pytest.mark.parametrize("first", [0, 1])
def test_a_card_that_shows_now_one_label_and_now_the_other_lies_still_whatever_its_size(first: int) -> None:
    """A card of 44 by 120 mm, while 63 by 88 is thought of: by either label alone its middle is elsewhere."""
    upper, lower = LabelPose((300.0, -100.0), 90.0), LabelPose((307.0, -183.0), 270.0)
    shapes = CardShapes()

    def seen(*labels: LabelPose) -> CardSight:
        places = [LabelPlace(A, label) for label in labels]
        (found,) = card_sights(places, shapes)
        return found

    alone = [seen(upper), seen(lower)]
    assert math.dist((alone[0].x_mm, alone[0].y_mm), (alone[1].x_mm, alone[1].y_mm)) > 30.0
    table = Table()
    table.look(alone[first], times=3)
    since_s, placed_s = table.memory.held[0].laid_at_s, table.memory.held[0].placed_s
    for shown in (alone[1 - first], alone[first], seen(upper, lower), alone[1 - first]) * 3:
        before = table.memory
        table.look(shown)
        assert not table.memory.unsettled
        assert not table.memory.table_changed_from(before)
    (held,) = table.memory.held
    assert (held.laid_at_s, held.placed_s) == (since_s, placed_s)
    assert {label.place for label in held.labels} == {upper.place, lower.place}
    # Both labels say where its middle is.
    assert (held.x_mm, held.y_mm) == pytest.approx((303.5, -141.5))


def test_agreeing_on_a_card_goes_on_whichever_label_is_read() -> None:
    (upper, _), (lower, _) = sight(A, 300).poses
    shift = (upper[0] - 4.0, upper[1] + 9.0)  # of a card that is longer and wider than was thought
    table = Table()
    table.look(sight(A, 300, labels=(lower,)))
    table.look(seen_card(A, 296.0, -107.0, 90.0, (shift,)))
    assert table.names == ["3b"]


def test_the_label_that_is_out_of_sight_goes_where_the_other_one_goes() -> None:
    whole = sight(A, 300)
    table = Table()
    table.look(whole, times=3)
    moved = (308 - 12.5, -116.0 + 25.0)
    table.look(sight(A, 308, labels=(moved,)))
    (held,) = table.memory.held
    assert held.labels[0].place == moved
    assert held.labels[1].place == pytest.approx((308 + 12.5, -116.0 - 25.0))
    assert held.laid_at_s < held.placed_s == table.now_s


def test_a_card_that_touches_a_hand_is_laid_once_the_hand_has_left_it_and_one_that_is_carried_never() -> None:
    near = replace(sight(A, 300), clear=False)
    table = Table()
    table.look(near, hand=True, times=100)
    assert table.names == []
    table.look(sight(A, 300), hand=True, times=LAID_LOOKS)
    assert table.names == ["3b"]
    carried = Table()
    for number in range(60):
        carried.look(replace(sight(A, 100 + 8 * number), clear=False), hand=True)
    assert carried.names == []


@pytest.mark.parametrize("hand", [False, True])
def test_a_card_beside_something_that_rests_is_laid_in_time_and_never_while_a_hand_is_there(hand: bool) -> None:
    table = Table()
    near = replace(sight(A, 300), clear=False)
    table.look(near, hand=hand, times=round(LONG_S / 0.1))
    assert (table.names, table.memory.unsettled) == ([], True)
    table.look(near, hand=hand, times=1 + LAID_LOOKS)
    assert table.names == ([] if hand else ["3b"])
