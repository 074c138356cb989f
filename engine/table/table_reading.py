"""From the agreed table to the event it stands for.

Vision says what lies and stands where; the state says what was there before. The difference is what a player did.
Nothing here guesses: a fencer without a space is a reading problem, never a turn.
Source: FORMATS.md, "The table file"; RULES.md, rulings 14 and 15.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules.cards import Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent, YieldEvent
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
    """What is seen of a turn that is not ended yet (ruling 15).

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


def laid_again(state: PublicState, observation: TableObservation, opened_s: float) -> tuple[Card, ...]:
    """Cards already played that came to lie where they lie after the turn opened at ``opened_s``."""
    played = set(state.played)
    return tuple(
        reading.card
        for reading in observation.cards
        if reading.card in played and reading.laid_at_s > opened_s and not reading.covered
    )


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
    again = laid_again(state, observation, opened_s)
    if again and not judge(state, event)[1].ok:
        return TurnEvent(laid + again, spaces.white, spaces.black)
    return event


def same_turn(seen: TurnEvent | Unreadable, before: TurnEvent) -> bool:
    """Whether the table shows the same turn as before, in whatever order its cards are thought to lie."""
    return isinstance(seen, TurnEvent) and (sorted(seen.cards), seen.spaces) == (sorted(before.cards), before.spaces)


def read_yield(state: PublicState, observation: TableObservation) -> YieldEvent:
    """The player to act gives up, with the cards laid this turn."""
    return YieldEvent(tuple(reading.card for reading in new_cards(state, observation)))


def read_open_turn(state: PublicState, observation: TableObservation, opened_s: float) -> OpenTurn | None:
    """What a turn in progress looks like so far; None while nothing was done, or a fencer cannot be read."""
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
    """What still has to be done at the table before a round can begin: fencers to their ends, cards off."""
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
