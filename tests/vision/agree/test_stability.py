"""Agreement over time, driven by a model of a table on which cards are laid, covered, taken back and swept away."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side
from engine.table.observation import FigureProblem, FigureReading, Sight, TableObservation, Why
from tests.tables import seen_card
from vision.agree.agreement import FrameReading, Memory, PlaceLook, PlaceState, in_footprint, step
from vision.belief import PATIENCE_S
from vision.printed.card_shape import USUAL_SIZE, Place
from vision.sights.observe import HIDDEN, FigureSight

LABEL_UP_MM, LABEL_LEFT_MM, HALF_LABEL_MM = 25.0, 12.5, 12.5
TICK_S = 0.1
LOOKS = 3  # a fencer is agreed on after so many
GONE = BySide(FigureSight(HIDDEN), FigureSight(HIDDEN))
STANDING = BySide(FigureSight(FigureReading(4, None, 84.0)), FigureSight(FigureReading(20, None, 532.0)))


@dataclass
class Lying:
    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float

    def label_places(self) -> tuple[Place, Place]:
        up = (math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg)))
        left = (-up[1], up[0])
        dx = LABEL_UP_MM * up[0] + LABEL_LEFT_MM * left[0]
        dy = LABEL_UP_MM * up[1] + LABEL_LEFT_MM * left[1]
        return (self.x_mm + dx, self.y_mm + dy), (self.x_mm - dx, self.y_mm - dy)

    def hides(self, place: Place) -> bool:
        """Whether any of a label's area at this place lies under this card."""
        steps = [HALF_LABEL_MM * part / 2 for part in range(-2, 3)]
        return any(
            in_footprint(self.x_mm, self.y_mm, self.turn_deg, (place[0] + dx, place[1] + dy), 0.0)
            for dx in steps
            for dy in steps
        )


@dataclass
class World:
    """A table whose cards are known, and eyes that agree on what they are shown of it."""

    rng: random.Random
    cards: list[Lying] = field(default_factory=list)  # from the lowest up
    memory: Memory = field(default_factory=Memory)
    now_s: float = 0.0
    looks: int = 0
    last_there: dict[Card, int] = field(default_factory=dict)
    read_fails: float = 0.0
    agreed: TableObservation | None = None

    def visible(self, lying: Lying) -> tuple[Place, ...]:
        above = self.cards[self.cards.index(lying) + 1 :]
        return tuple(place for place in lying.label_places() if not any(other.hides(place) for other in above))

    def look(self, *, hand: bool = False) -> TableObservation:
        self.now_s += TICK_S
        self.looks += 1
        self.last_there.update((lying.card, self.looks) for lying in self.cards)
        sights = []
        for lying in self.cards:
            read = tuple(place for place in self.visible(lying) if self.rng.random() >= self.read_fails)
            if hand and self.rng.random() < 0.5:
                continue
            if read:
                jitter = [self.rng.gauss(0.0, 0.4) for _ in range(3)]
                sights.append(
                    seen_card(
                        lying.card,
                        lying.x_mm + jitter[0],
                        lying.y_mm + jitter[1],
                        (lying.turn_deg + jitter[2]) % 180.0,
                        read,
                        clear=not hand or self.rng.random() < 0.5,
                    )
                )
        places = () if hand else self._places({sight.card for sight in sights})
        self.rng.shuffle(sights)
        reading = FrameReading(self.now_s, STANDING, tuple(sights), places, hand)
        self.memory, self.agreed = step(self.memory, reading)
        self._check()
        return self.agreed

    def _places(self, read: set[Card]) -> tuple[PlaceLook, ...]:
        looks = []
        for held in self.memory.cards.held:
            if held.card in read:
                continue
            lying = next((lying for lying in self.cards if lying.card == held.card), None)
            for label in held.labels:
                there = lying is not None and any(math.dist(label.place, at) < 6.0 for at in lying.label_places())
                in_sight = (
                    there and lying is not None and any(math.dist(label.place, at) < 6.0 for at in self.visible(lying))
                )
                verdict = PlaceState.SAME if in_sight else PlaceState.DIFFERENT
                looks.append(PlaceLook(held.card, label.place, verdict))
        return tuple(looks)

    def _check(self) -> None:
        """Nothing is agreed on that was not on the table a few looks ago."""
        assert self.agreed is not None
        for reading in self.agreed.cards:
            assert self.looks - self.last_there[reading.card] <= 60, reading
        assert (self.agreed.why is None) == (self.agreed.sight is Sight.STEADY)

    def settle(self) -> None:
        """Quiet looks until all is agreed; the table must then be the true one, and the eyes steady."""
        self.read_fails = 0.0
        for _ in range(8):
            self.look()
        assert self.agreed is not None
        assert {reading.card for reading in self.agreed.cards} == {lying.card for lying in self.cards}
        assert self.agreed.sight is Sight.STEADY
        shown = {lying.card for lying in self.cards if self.visible(lying)}
        assert not any(reading.covered for reading in self.agreed.cards if reading.card in shown)

    def unused(self) -> list[Card]:
        on_table = {lying.card for lying in self.cards}
        return [card for card in DECK if card not in on_table]

    def uncovered(self) -> list[Lying]:
        """The cards somebody can take without lifting another."""
        return [
            lying
            for number, lying in enumerate(self.cards)
            if not any(_overlap(lying, other) for other in self.cards[number + 1 :])
        ]


def _overlap(one: Lying, other: Lying) -> bool:
    return math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < math.hypot(*USUAL_SIZE)


@st.composite
def deeds(draw: st.DrawFn) -> list[str]:
    kinds = st.sampled_from(
        ["lay on pile", "lay on pile", "lay apart", "take", "sweep", "hand", "fail", "nudge", "move"]
    )
    return draw(st.lists(kinds, min_size=3, max_size=14))


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(deeds(), st.integers(0, 10_000))
def test_the_agreed_table_becomes_the_true_one_and_is_never_invented(todo: list[str], seed: int) -> None:
    world = World(random.Random(seed))
    for deed in todo:
        _do(world, deed)
        world.settle()


def _do(world: World, deed: str) -> None:
    rng = world.rng
    if deed == "lay on pile" and world.unused():
        world.look(hand=True)
        card = Lying(rng.choice(world.unused()), rng.gauss(300, 4), rng.gauss(-116, 3), rng.gauss(90, 8) % 180)
        world.cards.append(card)
        world.look(hand=True)
    elif deed == "lay apart" and world.unused():
        world.look(hand=True)
        world.cards.append(Lying(rng.choice(world.unused()), rng.uniform(120, 500), -208.0, rng.gauss(90, 30) % 180))
    elif deed == "take" and world.cards:
        world.look(hand=True)
        world.cards.remove(rng.choice(world.uncovered()))
        world.look(hand=True)
    elif deed == "move" and world.cards:
        taken = rng.choice(world.uncovered())
        world.cards.remove(taken)
        world.look(hand=True)
        world.cards.append(Lying(taken.card, taken.x_mm + 90.0, taken.y_mm, taken.turn_deg))
    elif deed == "sweep":
        for _ in range(3):
            world.look(hand=True)
        world.cards.clear()
    elif deed == "nudge":
        for lying in world.cards:
            lying.x_mm += 3.0
    elif deed == "hand":
        for _ in range(20):
            world.look(hand=True)
    elif deed == "fail":
        world.read_fails = 0.9
        for _ in range(12):
            world.look()


def laid(world: World, *names: str, x_mm: float = 300.0) -> None:
    for name in names:
        world.cards.append(Lying(Card.parse(name), x_mm, -116.0, 90.0))
        for _ in range(4):
            world.look()


def names_of(seen: TableObservation) -> list[str]:
    return [f"{reading.card}*" if reading.covered else str(reading.card) for reading in seen.cards]


def test_a_covered_card_stays_the_newest_comes_last_and_uncovers_the_one_beneath_when_it_leaves() -> None:
    world = World(random.Random(1))
    laid(world, "3b", "1a", "5e")
    assert names_of(world.look()) == ["3b*", "1a*", "5e"]
    world.cards.pop()
    world.settle()
    assert names_of(world.look()) == ["3b*", "1a"]


def test_a_swept_pile_leaves_all_at_once() -> None:
    world = World(random.Random(1))
    laid(world, "3b", "1a", "5e", "2c", "4d")
    world.cards.clear()
    seen = [names_of(world.look()) for _ in range(4)]
    assert seen == [["3b*", "1a*", "5e*", "2c*", "4d"]] * 3 + [[]]


def test_a_card_that_glare_makes_unreadable_is_kept_and_the_eyes_are_steady() -> None:
    world = World(random.Random(1))
    laid(world, "3b")
    world.read_fails = 1.0
    for _ in range(50):
        seen = world.look()
    assert names_of(seen) == ["3b"]
    assert seen.sight is Sight.STEADY


def test_nothing_is_taken_away_while_a_hand_is_over_the_table() -> None:
    world = World(random.Random(1))
    laid(world, "3b")
    world.cards.clear()
    for _ in range(50):
        seen = world.look(hand=True)
    assert names_of(seen) == ["3b"]
    assert (seen.sight, seen.why) == (Sight.CHECKING, Why.HAND)
    world.settle()


def test_a_moved_card_is_laid_anew_and_a_nudged_one_is_not() -> None:
    world = World(random.Random(1))
    laid(world, "3b")
    laid(world, "1a", x_mm=420.0)
    first = world.look()
    world.cards[0].x_mm += 6.0
    world.settle()
    assert [reading.laid_at_s for reading in world.look().cards] == [reading.laid_at_s for reading in first.cards]
    world.cards[0].x_mm -= 60.0
    world.settle()
    moved = world.look()
    assert names_of(moved) == ["1a", "3b"]
    assert moved.cards[1].laid_at_s > first.t_s
    assert moved.since_s > first.t_s


def test_one_reading_alone_is_no_card() -> None:
    memory = Memory()
    sight = seen_card(Card.parse("5a"), 200.0, -150.0, 90.0, ((200.0, -140.0),))
    memory, seen = step(memory, FrameReading(0.0, STANDING, (sight,)))
    for number in range(1, 8):
        memory, seen = step(memory, FrameReading(number * TICK_S, STANDING))
        assert not seen.cards
    assert seen.sight is Sight.STEADY


def test_a_blind_look_changes_nothing() -> None:
    world = World(random.Random(1))
    laid(world, "3b")
    before = world.look()
    for number in range(40):
        dark = FrameReading(world.now_s + number, GONE, blind=Why.DARK)
        world.memory, seen = step(world.memory, dark)
        assert (seen.sight, seen.why) == (Sight.BLIND, Why.DARK)
        assert (seen.cards, seen.figures, seen.since_s) == (before.cards, before.figures, before.since_s)


def figures(memory: Memory, readings: list[FigureReading], *, hand: bool = False) -> tuple[Memory, TableObservation]:
    for number, reading in enumerate(readings):
        both = BySide(FigureSight(reading), STANDING.black)
        memory, seen = step(memory, FrameReading(100.0 + number, both, hand=hand))
    return memory, seen


def test_a_space_counts_when_three_looks_agree_and_never_between_two() -> None:
    memory, seen = figures(Memory(), [STANDING.white.reading] * LOOKS)
    assert seen.figures.white.space == 4
    elsewhere = [FigureReading(5, None, 112.0), FigureReading(7, None, 168.0)] * 6
    for reading in elsewhere:
        memory, seen = figures(memory, [reading])
        assert seen.figures.white.space == 4
        assert seen.sight is Sight.CHECKING
    _, seen = figures(memory, [FigureReading(7, None, 168.0)] * LOOKS)
    assert seen.figures.white.space == 7
    assert seen.sight is Sight.STEADY


@given(st.lists(st.integers(1, 23), max_size=30))
def test_only_a_space_that_was_seen_three_times_in_a_row_is_ever_agreed_on(spaces: list[int]) -> None:
    memory = Memory()
    seen_spaces: set[int | None] = {None}
    for number, space in enumerate(spaces):
        memory, seen = figures(memory, [FigureReading(space, None, 28.0 * (space - 1))])
        if spaces[max(0, number - 2) : number + 1] == [space] * LOOKS:
            seen_spaces = {space}
        assert seen.figures.white.space in seen_spaces


def test_a_hidden_tag_is_said_with_its_side_and_the_space_is_kept_for_a_while() -> None:
    memory, _ = figures(Memory(), [STANDING.white.reading] * LOOKS)
    memory, seen = figures(memory, [HIDDEN])
    assert (seen.sight, seen.why, seen.why_side) == (Sight.CHECKING, Why.TAG_HIDDEN, Side.WHITE)
    assert seen.figures.white.space == 4
    _, seen = figures(memory, [HIDDEN] * 15)
    assert seen.figures.white == HIDDEN


def test_a_hand_hides_a_tag_for_as_long_as_it_likes() -> None:
    memory, _ = figures(Memory(), [STANDING.white.reading] * LOOKS)
    _, seen = figures(memory, [HIDDEN] * 100, hand=True)
    assert seen.figures.white.space == 4
    assert (seen.why, seen.why_side) == (Why.HAND, None)


def test_light_that_is_seen_is_told_before_a_hand_that_is_only_guessed() -> None:
    said = []
    for hint, guessed in ((Why.GLARE, True), (Why.GLARE, False), (None, True)):
        _, seen = step(Memory(), FrameReading(1.0, STANDING, hand=True, guessed=guessed, hint=hint))
        assert seen.sight is Sight.CHECKING
        said.append(seen.why)
    assert said == [Why.GLARE, Why.HAND, Why.HAND]


@pytest.mark.parametrize("problem", [FigureProblem.BETWEEN_SPACES, FigureProblem.OFF_TRACK, FigureProblem.LYING])
def test_a_problem_is_an_agreed_answer_too(problem: FigureProblem) -> None:
    _, seen = figures(Memory(), [FigureReading(None, problem, 98.0)] * LOOKS)
    assert seen.figures.white == FigureReading(None, problem, 98.0)
    assert seen.sight is Sight.STEADY


def test_a_figure_at_the_edge_of_its_space_does_not_flicker() -> None:
    memory, _ = figures(Memory(), [FigureReading(4, None, 92.2)] * LOOKS)
    edge = FigureReading(None, FigureProblem.BETWEEN_SPACES, 92.6)
    for _ in range(20):
        memory, seen = figures(memory, [edge])
        assert seen.figures.white.space == 4
    assert seen.sight is Sight.STEADY


def beside_a_hand(readings: list[FigureReading], tick_s: float) -> list[int | None]:
    """The space agreed on for White after each of these looks, in all of which a hand may be at his figure."""
    memory, spaces = figures(Memory(), [STANDING.white.reading] * LOOKS)[0], []
    for number, reading in enumerate(readings):
        sights = BySide(FigureSight(reading, clear=False), STANDING.black)
        memory, seen = step(memory, FrameReading(200.0 + number * tick_s, sights, hand=True))
        assert seen.sight is Sight.CHECKING
        spaces.append(seen.figures.white.space)
    return spaces


def test_a_figure_that_is_read_beside_a_hand_is_believed_after_a_while() -> None:
    moved = FigureReading(7, None, 168.0)
    spaces = beside_a_hand([moved] * 40, 0.1)
    first = spaces.index(7)
    assert first * 0.1 == pytest.approx(PATIENCE_S)
    assert set(spaces[:first]) == {4}
    assert set(spaces[first:]) == {7}


def test_looks_in_which_the_hand_hides_the_tag_do_not_begin_the_waiting_anew() -> None:
    moved = FigureReading(7, None, 168.0)
    spaces = beside_a_hand([moved, HIDDEN, HIDDEN, HIDDEN] * 10, 0.1)
    assert spaces.index(7) * 0.1 <= 3.0


def test_a_figure_that_a_hand_carries_is_never_agreed_on() -> None:
    carried = [FigureReading(4 + number // 2, None, 84.0 + 14.0 * number) for number in range(30)]
    assert set(beside_a_hand(carried, 0.1)) == {4}


@pytest.mark.parametrize("moved", [False, True])
def test_after_a_camera_was_gone_one_picture_proves_nothing(moved: bool) -> None:
    """Its first may be half an old one, in which White's figure stands where it stood. Where nothing moved two do."""
    memory, seen = figures(Memory(), [STANDING.white.reading] * LOOKS)
    assert seen.sight is Sight.STEADY
    for number in range(8):
        memory, seen = step(memory, FrameReading(110.0 + number, GONE, blind=Why.CAMERA_LOST))
        assert (seen.sight, seen.why) == (Sight.BLIND, Why.CAMERA_LOST)
    memory, first = figures(memory, [STANDING.white.reading])
    assert (first.sight, first.why) == (Sight.CHECKING, Why.CAMERA_LOST)
    after = FigureReading(6, None, 140.0) if moved else STANDING.white.reading
    for number in range(1, LOOKS + 1):
        memory, seen = figures(memory, [after])
        assert (seen.sight is Sight.STEADY) == (not moved or number == LOOKS)
    assert seen.figures.white.space == after.space


def test_of_two_tags_of_a_fencer_neither_is_believed_until_one_is_seen_alone_without_a_hand() -> None:
    true, spare = FigureReading(5, None, 112.0), FigureReading(12, None, 308.0)
    memory, now_s = Memory(), 0.0

    def looks(count: int, reading: FigureReading, *, twice: bool = False, hand: bool = False) -> list[int | None]:
        nonlocal memory, now_s
        spaces = []
        for _ in range(count):
            now_s += 0.1
            both = BySide(FigureSight(reading, not hand, twice), STANDING.black)
            memory, seen = step(memory, FrameReading(now_s, both, hand=hand))
            spaces.append(seen.figures.white.space)
            assert not (twice or hand) or seen.sight is not Sight.STEADY
        return spaces

    assert looks(LOOKS, spare)[-1] == 12  # the spare one alone is all there is to see
    assert looks(LOOKS, HIDDEN, twice=True, hand=True)[-1] is None
    assert {*looks(30, spare, hand=True)} == {None}  # the true one may be under that hand
    assert {*looks(5, HIDDEN, twice=True)} == {None}
    assert looks(LOOKS, true) == [None] * (LOOKS - 1) + [5]
    assert looks(LOOKS - 1, HIDDEN, twice=True) == [5] * (LOOKS - 1)
    assert looks(LOOKS, true) == [5] * LOOKS


@pytest.mark.parametrize(("verdict", "hidden"), [(PlaceState.BURNT, True), (PlaceState.SAME, False), (None, False)])
def test_a_card_that_burns_out_is_out_of_sight(verdict: PlaceState | None, hidden: bool) -> None:
    """So players are asked whether they took it back, before it counts against a turn."""
    card, place = Card.parse("3b"), (300.0, -150.0)
    memory = Memory()
    for number in range(4):
        sight = seen_card(card, 300.0, -120.0, 90.0, (place,))
        memory, seen = step(memory, FrameReading(number / 10, cards=(sight,)))
    assert [reading.covered for reading in seen.cards] == [False]
    looks = () if verdict is None else (PlaceLook(card, place, verdict),)
    _, seen = step(memory, FrameReading(0.5, places=looks))
    assert [reading.covered for reading in seen.cards] == [hidden]
