"""A table to play on in tests, and positions made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from engine.record.course import Course, JournalEntry, follow
from engine.record.notation import NO_NAMES, Record, record_of_steps
from engine.rules.cards import DECK, Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import Turn, counts_of, legal_plays, turn_of
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import Ruling
from engine.rules.state import Attack, AttackKind, FullState, Phase, PublicState
from engine.rules.track import BySide, Side
from tests.matches import cards, match_of


def legal_turns(public: PublicState, hand: tuple[Card, ...]) -> tuple[Turn, ...]:
    """Every legal turn of the player to act with this hand, one for each choice of values."""
    return tuple(turn_of(public, hand, play) for play in legal_plays(public, counts_of(hand)))


def record_of(entries: Iterable[JournalEntry], names: BySide[str] = NO_NAMES, date: str = "") -> Record:
    """The record of the last match among these entries. Refused events leave no trace, undone ones neither."""
    course: Course | None = None
    for entry in entries:
        course, _ = follow(course, entry)
    assert course is not None
    return record_of_steps(course.steps, names, date)


class Table:
    """Plays events on one state and keeps the last ruling."""

    def __init__(self, state: PublicState) -> None:
        self.state = state

    def do(self, event: Event) -> Ruling:
        state, ruling = judge(self.state, event)
        assert state is not None
        if not ruling.ok:
            assert state is self.state, "a refusal gives back the same state"
        self.state = state
        return ruling

    def turn(self, names: str = "", move: int = 0, **spaces: int) -> Ruling:
        """The player to act lays these cards and moves ``move`` forward; ``white=`` and ``black=`` say otherwise."""
        white, black = self.state.spaces.white, self.state.spaces.black
        if self.state.to_act is Side.WHITE:
            white += move
        else:
            black -= move
        return self.do(TurnEvent(cards(names), spaces.get("white", white), spaces.get("black", black)))

    def give_up(self, names: str = "") -> Ruling:
        return self.do(YieldEvent(cards(names)))

    def reveal(self, white: str, black: str) -> Ruling:
        return self.do(RevealEvent(cards(white), cards(black)))

    def round(self) -> Ruling:
        return self.do(RoundEvent())

    def undo(self) -> Ruling:
        return self.do(UndoEvent())

    def code(self, names: str = "", move: int = 0, **spaces: int) -> str | None:
        """The code a turn is refused with; None when it is accepted."""
        ruling = self.turn(names, move, **spaces)
        return ruling.code.value if ruling.code else None

    @property
    def result(self) -> tuple[str | None, str] | None:
        """Winner and reason by their public names."""
        result = self.state.result
        if result is None:
            return None
        return result.winner.value if result.winner else None, result.reason.value


def new_match(rules: str = "ferti-advanced", starter: Side = Side.WHITE, points: int = 5) -> Table:
    """A match whose first round has begun."""
    state, ruling = judge(None, MatchEvent(rules, starter, points))
    assert state is not None
    assert ruling.ok
    table = Table(state)
    assert table.round().ok
    return table


def position(
    white: int,
    black: int,
    unseen: str = "1111122222333334444455555",
    *,
    to_act: Side = Side.WHITE,
    attack: str = "",
    phase: Phase = Phase.TURN,
    hands: tuple[int, int] = (5, 5),
    rules: str = "ferti-advanced",
    score: tuple[int, int] = (0, 0),
) -> Table:
    """A table in mid-round. ``unseen`` lists the values not played yet: their cards have the last letters.

    ``attack`` is such as ``direct 5 2``, by the player not to act. The pile is what hands leave of the unseen cards.
    """
    played: list[Card] = []
    for value in range(1, 6):
        of_value = [card for card in DECK if card.value == value]
        played.extend(of_value[: 5 - unseen.count(str(value))])
    pending = None
    if attack:
        kind, value_text, count = attack.split()
        pending = Attack(to_act.other, AttackKind(kind), int(value_text), int(count))
    return Table(
        PublicState(
            rules=RULE_SETS[rules],
            points=5,
            round=1,
            phase=phase,
            to_act=to_act,
            starter=Side.WHITE,
            spaces=BySide(white, black),
            distance=black - white,
            pile=len(unseen) - sum(hands),
            hands=BySide(*hands),
            attack=pending,
            score=BySide(*score),
            result=None,
            played=tuple(played),
        )
    )


def random_match(rules: str, rng: Random, points: int = 5) -> Iterator[tuple[Event, FullState | None, PublicState]]:
    """Every event of a match of two random bots, the table it was played on (None: match and round) and the state
    after it."""
    for each in match_of(MatchEvent(rules, rng.choice((Side.WHITE, Side.BLACK)), points), rng):
        yield each.event, each.before, each.state


def random_turns(rules: str, seed: int, points: int) -> Iterator[tuple[PublicState, tuple[Card, ...], TurnEvent]]:
    """Every turn of such a match, with the state before it and the player's hand."""
    for event, full, _ in random_match(rules, Random(seed), points):
        if full is not None and isinstance(event, TurnEvent):
            assert full.public.to_act is not None
            yield full.public, full.hands[full.public.to_act], event
