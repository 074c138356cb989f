"""From the agreed table to the event it stands for.

Vision says what lies and stands where; the state says what was there before. The difference is what a player did.
Nothing here guesses: a fencer without a space is a reading problem, never a turn.
Source: FORMATS.md, "The table file"; RULES.md, rulings 14 and 15.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from engine.rules.cards import Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulings import ActionKind, Remedy, RemedyKind, Ruling, RulingCode
from engine.rules.state import Phase, PublicState
from engine.rules.track import START, BySide, Side
from engine.table.observation import CardReading, FigureProblem, TableObservation

GIVES_UP_WHEN_REPEATED = frozenset({RulingCode.NO_CARDS, RulingCode.NO_ACTION_AFTER_PARRY})
"""Refusals after which the same press, with nothing changed on the table, means "I give up" (ruling 5)."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The table cannot be turned into an event yet: this fencer has no space, and why."""

    side: Side
    problem: FigureProblem


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """An open turn as seen so far (ruling 15).

    ``ruling`` is what the referee would say if it ended now; ``may_attack_with`` a value that may still be added
    as an attack, or None.
    """

    player: Side
    cards: tuple[Card, ...]
    spaces: BySide[int]
    ruling: Ruling
    may_attack_with: int | None


def new_cards(state: PublicState, observation: TableObservation) -> tuple[CardReading, ...]:
    """The cards on the table that this round has not counted as played yet, in the order they were laid."""
    played = set(state.played)
    return tuple(reading for reading in observation.cards if reading.card not in played)


def read_spaces(observation: TableObservation) -> BySide[int] | Unreadable:
    """Both fencers' spaces, or the first of them that has none and why."""
    for side, figure in observation.figures.items():
        if figure.space is None:
            return Unreadable(side, figure.problem or FigureProblem.HIDDEN)
    white, black = observation.figures.white.space, observation.figures.black.space
    assert white is not None
    assert black is not None
    return BySide(white, black)


def read_turn(state: PublicState, observation: TableObservation, opened_s: float) -> TurnEvent | Unreadable:
    """The turn the table shows, whether it is legal or not.

    A card already played counts as laid only when the turn is refused without it: discards may be tidied at any
    time, but one that was taken up and laid again in an illegal turn is the likeliest reason (card_already_played).
    """
    spaces = read_spaces(observation)
    if isinstance(spaces, Unreadable):
        return spaces
    laid = tuple(reading.card for reading in new_cards(state, observation))
    event = TurnEvent(laid, spaces.white, spaces.black)
    again = tuple(
        reading.card
        for reading in observation.cards
        if reading.card in state.played and reading.laid_at_s > opened_s and not reading.covered
    )
    if again and not judge(state, event)[1].ok:
        return TurnEvent(laid + again, spaces.white, spaces.black)
    return event


def same_turn(seen: TurnEvent | Unreadable, before: TurnEvent) -> bool:
    """Whether the table shows the same turn as before, in whatever order its cards are thought to lie."""
    return isinstance(seen, TurnEvent) and (sorted(seen.cards), seen.spaces) == (sorted(before.cards), before.spaces)


def read_open_turn(state: PublicState, observation: TableObservation, opened_s: float) -> OpenTurn | None:
    """The turn in progress so far; None while nothing was done, or a fencer cannot be read."""
    if state.to_act is None:
        return None
    event = read_turn(state, observation, opened_s)
    if isinstance(event, Unreadable):
        return None
    spaces = event.spaces
    if not event.cards and spaces == state.spaces:
        return None
    ruling = judge(state, event)[1]
    return OpenTurn(state.to_act, event.cards, spaces, ruling, _may_attack_with(state, event, ruling))


def read_round_start(state: PublicState, observation: TableObservation) -> RoundEvent | None:
    """A round begins when both fencers stand at their ends and no card is left in the play area."""
    if state.phase not in (Phase.SETUP, Phase.ROUND_OVER) or observation.cards:
        return None
    return RoundEvent() if read_spaces(observation) == START else None


def read_reveal(state: PublicState, observation: TableObservation, middle_x_mm: float) -> RevealEvent | None:
    """Both hands shown: White's new cards left of ``middle_x_mm``, Black's right. None while no new card lies there."""
    if state.phase is not Phase.REVEAL:
        return None
    shown = new_cards(state, observation)
    if not shown and (state.hands.white or state.hands.black):
        return None
    return RevealEvent(
        tuple(sorted(reading.card for reading in shown if reading.x_mm < middle_x_mm)),
        tuple(sorted(reading.card for reading in shown if reading.x_mm >= middle_x_mm)),
    )


def setup_remedies(state: PublicState | None, observation: TableObservation) -> tuple[Remedy, ...]:
    """The remedies before a round can begin: fencers to their ends, cards off."""
    if state is None or state.phase not in (Phase.SETUP, Phase.ROUND_OVER):
        return ()
    figures = tuple(
        Remedy(RemedyKind.MOVE_FIGURE, side=side, space=START[side])
        for side, figure in observation.figures.items()
        if figure.space != START[side]
    )
    cards = (Remedy(RemedyKind.CLEAR_CARDS, count=len(observation.cards)),) if observation.cards else ()
    return figures + cards


def _may_attack_with(state: PublicState, event: TurnEvent, ruling: Ruling) -> int | None:
    """The value an attack could still be made with after the advance that is seen, if any such card is unseen."""
    if not ruling.ok or ruling.action is not ActionKind.ADVANCE or not state.rules.indirect_attacks:
        return None
    distance = event.black - event.white
    left = state.unseen_counts.get(distance, 0) - sum(card.value == distance for card in event.cards)
    return distance if left > 0 else None


# Discards may lie on the table or not, and may be tidied at any time. Only one that lay there can have been taken up
# and laid again. One that nobody saw lying comes to the table for another reason: a round's beginning was taken back,
# the program was started anew, or a turn was entered by hand and its cards come in sight.


def lain(before: AbstractSet[Card], state: PublicState, seen: TableObservation, opened_s: float) -> frozenset[Card]:
    """The cards played before that were seen to lie on the table: those of ``before``, and those that lie there since
    before the turn opened at ``opened_s``."""
    lying = {reading.card for reading in seen.cards if reading.laid_at_s <= opened_s}
    return frozenset(card for card in state.played if card in before or card in lying)


def with_discards_at_rest(
    seen: TableObservation, state: PublicState, known: AbstractSet[Card], opened_s: float
) -> TableObservation:
    """The table, on which cards played before that never lay there, as far as is ``known``, count as lying already
    when the turn opened at ``opened_s``."""
    put_out = {
        reading.card
        for reading in seen.cards
        if reading.card in state.played and reading.card not in known and reading.laid_at_s > opened_s
    }
    if not put_out:
        return seen
    cards = tuple(
        replace(reading, laid_at_s=opened_s) if reading.card in put_out else reading for reading in seen.cards
    )
    return replace(seen, cards=cards)


# The eyes know a card by its labels. Where a hand takes one back and lays others over its place, nothing is seen of it
# either way, and it is held to lie beneath them. A player who was refused for it, or thought better of it, did that.


def perhaps_taken(state: PublicState, seen: TableObservation, opened_s: float) -> tuple[Card, ...]:
    """The hidden cards without which the turn would be legal that is refused with them; none where there are no such.

    Where fewer would do, the one that was laid last is named: it was the last to be thought of.
    """
    hidden = [reading.card for reading in new_cards(state, seen) if reading.covered]
    turn = read_turn(state, seen, opened_s) if hidden else None
    if not isinstance(turn, TurnEvent) or judge(state, turn)[1].ok:
        return ()
    for some in (*((card,) for card in reversed(hidden)), tuple(hidden)):
        without = replace(turn, cards=tuple(card for card in turn.cards if card not in some))
        if judge(state, without)[1].ok:
            return some
    return ()


def still_taken(taken: AbstractSet[Card], seen: TableObservation) -> frozenset[Card]:
    """The cards taken back that the eyes believe to lie there, and do not see."""
    return frozenset(reading.card for reading in seen.cards if reading.covered and reading.card in taken)


def without_taken(seen: TableObservation, taken: AbstractSet[Card]) -> TableObservation:
    """The table without these cards, as far as they are not seen."""
    gone = still_taken(taken, seen)
    if not gone:
        return seen
    return replace(seen, cards=tuple(reading for reading in seen.cards if reading.card not in gone))


# Fencers may have been out of sight while they stood at their ends, and the first turns may have been played meanwhile:
# what lies there then tells them, as long as they were few, for cards lie in the order they were laid.

MAX_TURNS: Final = 4
"""Two of each player: whoever plays on for longer has looked at the screen. Chosen."""


def missed_turns(state: PublicState, seen: TableObservation, player: Side | None = None) -> tuple[TurnEvent, ...]:
    """The turns since a round's start that was missed, in order; empty where none or more than one way fits.

    Every card that lies there belongs to one of them, and both fencers must be read. ``player`` played the last of
    them, if that is known.
    """
    begun, ruling = judge(state, RoundEvent())
    if begun is None or not ruling.ok or isinstance(read_spaces(seen), Unreadable) or not seen.cards:
        return ()
    ways = _ways(begun, tuple(reading.card for reading in seen.cards), seen, MAX_TURNS)
    if len(ways) != 1 or player is (begun.starter.other if len(ways[0]) % 2 else begun.starter):
        return ()
    return ways[0]


def _ways(state: PublicState, laid: tuple[Card, ...], seen: TableObservation, most: int) -> list[tuple[TurnEvent, ...]]:
    """Every course of at most so many legal turns that lays these cards in their order and ends as the table stands."""
    if not laid:
        return [()] if state.spaces == read_spaces(seen) else []
    if not most or state.phase is not Phase.TURN:
        return []
    found = []
    for count in range(1, len(laid) + 1):
        cards = laid[:count]
        for play in legal_plays(state, counts_of(cards)):
            event = play_event(state, cards, play)
            after, ruling = judge(state, event)
            if len(event.cards) == count and ruling.ok and after is not None:
                found += [(event, *rest) for rest in _ways(after, laid[count:], seen, most - 1)]
    return found
