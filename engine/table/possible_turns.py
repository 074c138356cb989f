"""Which legal turns fit what is known: cards named by hand, a table read in part, a turn begun, a hand that lies open.

Everything here is read off one enumeration, by values: which of several cards alike it was does not matter. Nothing
counts by being listed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from engine.rules.cards import DECK, VALUES, Card
from engine.rules.events import TurnEvent
from engine.rules.legal import Counts, Play, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulings import ActionKind, Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation, Why
from engine.table.table_reading import new_cards

Values = tuple[int, ...]
"""Card values, in the order in which they were named."""


def may_hold(state: PublicState) -> Counts:
    """How many cards of each value the player to act may hold, by all that is known from the table."""
    unseen = state.unseen_counts
    return unseen[1], unseen[2], unseen[3], unseen[4], unseen[5]


def possible_plays(state: PublicState, held: Counts | None = None) -> tuple[Play, ...]:
    """Every legal turn for which the player to act may have the cards, by all that was played, or by those ``held``.

    Empty where nobody is to act.
    """
    side = state.to_act
    if side is None:
        return ()
    plays = legal_plays(state, may_hold(state) if held is None else held)
    return tuple(play for play in plays if play.laid <= state.hands[side])


def possible_kinds(state: PublicState) -> frozenset[ActionKind]:
    """The actions possible to the player to act beyond a parry, by all that was played."""
    return _kinds(possible_plays(state))


def named_by(state: PublicState, play: Play) -> Values:
    """The cards of a turn beyond its parry: the one it moves by, then those it attacks with."""
    moved = (abs(play.move),) if play.move else ()
    return (*moved, *[state.distance - play.move] * play.attack)


def _cards(state: PublicState, play: Play) -> Values:
    parry = () if state.attack is None else (state.attack.value,) * play.parry
    return (*parry, *named_by(state, play))


def _kinds(plays: Iterable[Play]) -> frozenset[ActionKind]:
    return frozenset(play.action for play in plays if play.action is not None)


# A turn entered by hand, card value by card value. Cards of a parry are never named: they follow from the attack.


def ways(state: PublicState, held: Counts, named: Values) -> tuple[Play, ...]:
    """Every legal turn with these cards among those it names, the one with the fewest others first.

    One card alone is the first that was laid. With no card named: what needs none, as the last defence does.
    ``held`` are the cards there may be in the hand. Empty where nobody is to act.
    """
    wanted = Counter(named)
    found = []
    for play in possible_plays(state, held):
        own = named_by(state, play)
        if own[:1] == named if len(named) == 1 else wanted <= Counter(own) and bool(named) == bool(own):
            found.append(play)
    return tuple(sorted(found, key=lambda play: len(named_by(state, play))))


def meant(state: PublicState, found: Iterable[Play], named: Values) -> Play | None:
    """The one way that lays just these cards, None where there are several such, or none."""
    exact = [play for play in found if Counter(named_by(state, play)) == Counter(named)]
    return exact[0] if len(exact) == 1 else None


def can_name(state: PublicState, held: Counts, named: Values) -> tuple[int, ...]:
    """The values that may be named next."""
    return tuple(value for value in VALUES if ways(state, held, (*named, value)))


def picked(state: PublicState, named: Values, lying: Iterable[Card] = ()) -> tuple[Card, ...]:
    """Cards of these values that were not played: those that lie on the table first, else any that nobody has seen."""
    order = _order(state, lying)
    chosen: list[Card] = []
    for value in named:
        card = next((card for card in order if card.value == value and card not in chosen), None)
        if card is not None:
            chosen.append(card)
    return tuple(chosen)


def entered(state: PublicState, play: Play, lying: Iterable[Card] = ()) -> TurnEvent:
    """The event of this way; cards that nobody read are stood for by others of their value, as in ``picked``."""
    return play_event(state, _order(state, lying), play)


def why_not(state: PublicState, value: int) -> Ruling | None:
    """Why a card of this value can make no turn by itself, judged as an advance; None where it can."""
    side = state.to_act
    cards = picked(state, (value,))
    if side is None or not cards or ways(state, may_hold(state), (value,)):
        return None
    parry = () if state.attack is None else picked(state, (state.attack.value,) * state.attack.count)
    others = tuple(card for card in _order(state, ()) if card.value == value and card not in parry)
    spaces = state.spaces.put(side, state.spaces[side] + side.forward * value)
    ruling = judge(state, TurnEvent((*parry, *others[:1]), spaces.white, spaces.black))[1]
    return None if ruling.ok else ruling


def rest_of(state: PublicState, hand: Iterable[int]) -> Values:
    """The cards nobody has seen but those of this hand: what the other one holds once the pile is empty."""
    left = Counter(state.unseen_counts) - Counter(hand)
    return tuple(value for value in VALUES for _ in range(left[value]))


def _order(state: PublicState, lying: Iterable[Card]) -> tuple[Card, ...]:
    first = tuple(card for card in lying if card not in state.played)
    return (*first, *(card for card in DECK if card not in first and card not in state.played))


# A table read in part.


class InPart(NamedTuple):
    """A partly known turn: ``cards`` were read and lie there; the figure stands on ``space``, None where unknown.

    ``glimpsed`` cards may have been laid; ``more``: cards may lie there that nobody could read.
    """

    cards: tuple[Card, ...] = ()
    space: int | None = None
    more: bool = True
    glimpsed: tuple[Card, ...] = ()


def seen_in_part(state: PublicState, seen: TableObservation) -> InPart | None:
    """The part of the open turn that the table shows.

    None where nobody is to act, and where the other player's figure stands elsewhere than it should: then no turn fits.
    A figure that stands where it stood before the turn tells nothing while the eyes are not steady, for it may have
    been moved since; one seen elsewhere does, unless it is its tag that is hidden.
    """
    side = state.to_act
    if side is None:
        return None
    other = seen.figures[side.other].space
    if other is not None and other != state.spaces[side.other]:
        return None
    space = seen.figures[side].space
    its_tag = seen.why is Why.TAG_HIDDEN and seen.why_side is not side.other
    if its_tag or (seen.why is not None and seen.why is not Why.TAG_HIDDEN and space == state.spaces[side]):
        space = None
    cards = tuple(reading.card for reading in new_cards(state, seen))
    glimpsed = tuple(card for card in seen.glimpsed if card not in state.played and card not in cards)
    more = seen.why is not Why.TAG_HIDDEN or bool(glimpsed) or bool(seen.unread)
    return InPart(cards, space, more, glimpsed)


def proposals(state: PublicState, known: InPart) -> tuple[TurnEvent, ...]:
    """Every legal turn of the player to act that fits, once for each choice of values; the player says which it was.

    Those that need the fewest cards nobody read come first. Empty where nobody is to act.
    """
    side = state.to_act
    if side is None:
        return ()
    read = Counter(card.value for card in known.cards)
    found = []
    for play in possible_plays(state):
        laid = Counter(_cards(state, play))
        if not read <= laid or (laid != read and not known.more):
            continue
        event = entered(state, play, (*known.cards, *known.glimpsed))
        if known.space in (None, event.spaces[side]):
            found.append(event)
    return tuple(sorted(found, key=lambda event: len(event.cards)))


def likeliest(found: tuple[TurnEvent, ...]) -> TurnEvent | None:
    """The one proposal with the fewest cards, None where several have as few, or there is none.

    All hold the cards that were read, so that it is the one that supposes least.
    """
    if not found or (len(found) > 1 and len(found[1].cards) == len(found[0].cards)):
        return None
    return found[0]


# A turn that is begun and not ended.


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do next; empty where nothing is known that would make a turn of what was done.

    ``back``: this fencer belongs where it stood when the turn began. ``moves``: spaces from there that fit the cards
    laid, forward, or back where negative. ``lay``: values of cards that are still to come. ``choose``: kinds of action
    of which any may follow. ``parried``: the cards laid may be the whole parry, after which a turn is
    still to come; with ``moves`` they may be that turn as well.
    """

    back: Side | None = None
    moves: tuple[int, ...] = ()
    lay: Values = ()
    choose: frozenset[ActionKind] = frozenset()
    parried: bool = False


def next_step(state: PublicState, cards: tuple[Card, ...], spaces: BySide[int]) -> NextStep:
    """The next step where these cards were laid in this turn and the fencers stand on these spaces."""
    side = state.to_act
    if side is None:
        return NextStep()
    if spaces[side.other] != state.spaces[side.other]:
        return NextStep(back=side.other)
    laid = Counter(card.value for card in cards)
    fits = [(play, own) for play in possible_plays(state) if laid <= (own := Counter(_cards(state, play)))]
    moved = (spaces[side] - state.spaces[side]) * side.forward
    exact = [play for play, own in fits if own == laid]
    moves = {play.move for play in exact}
    if moves == {0}:
        return NextStep(back=side)
    attack = state.attack
    parried = attack is not None and laid[attack.value] >= attack.count and any(play.parry for play, _ in fits)
    if exact:
        unsure = parried and not all(play.parry for play in exact)
        return NextStep(moves=tuple(sorted(moves - {0}, reverse=True)), parried=unsure)
    fits = [(play, own) for play, own in fits if moved in (0, play.move)] or fits
    if not fits:
        return NextStep()
    fewest = min(own.total() for _, own in fits)
    sure = reduce(lambda one, other: one & other, [own - laid for _, own in fits if own.total() == fewest])
    if sure:
        return NextStep(lay=tuple(sorted(sure.elements())))
    return NextStep(choose=_kinds(play for play, _ in fits), parried=parried)


# A hand that lies open.


@dataclass(frozen=True, slots=True)
class Lead:
    """The uses of a card now: a move to one of ``spaces``, an attack (``strikes``), a part of the parry (``parries``).

    ``spaces``: the nearest to the own end first.
    """

    spaces: tuple[int, ...] = ()
    strikes: bool = False
    parries: bool = False


def leads(state: PublicState, hand: Sequence[Card], laid: Collection[Card], spaces: BySide[int]) -> Mapping[Card, Lead]:
    """Where each card of the player to act leads that is not ``laid`` yet; without those that lead nowhere.

    ``hand`` is the whole hand with which the turn began, ``spaces`` is where the fencers stand now.
    """
    side = state.to_act
    if side is None or spaces[side.other] != state.spaces[side.other]:
        return {}
    counts = Counter(card.value for card in laid)
    moved = (spaces[side] - state.spaces[side]) * side.forward
    plays = legal_plays(state, counts_of(hand))
    found: dict[int, Lead] = {}
    for value in {card.value for card in hand}:
        roles = {role for play in plays for role in _roles(state, play, counts, moved, value)}
        moves = sorted(role for role in roles if isinstance(role, int))
        found[value] = Lead(
            tuple(state.spaces[side] + move * side.forward for move in moves), "strikes" in roles, "parries" in roles
        )
    return {card: found[card.value] for card in hand if card not in laid and found[card.value] != Lead()}


def _roles(state: PublicState, play: Play, laid: Counter[int], moved: int, value: int) -> Iterator[int | str]:
    """The parts one more card of this value may be in this play after those laid: spaces moved, or another part."""
    attack = state.attack
    parry = Counter() if attack is None else Counter({attack.value: play.parry})
    own = Counter(named_by(state, play))
    if not laid <= parry + own or moved not in (0, play.move):
        return
    if laid[value] < parry[value]:
        yield "parries"
    elif not parry <= laid:
        return  # the parry comes first
    else:
        rest = laid - parry
        step = abs(play.move)
        if step == value and not rest[value]:
            yield play.move
        stepped = moved == play.move and (not step or rest[step] > 0)
        if play.attack and value == state.distance - play.move and stepped and rest[value] < own[value]:
            yield "strikes"
