"""The companion as a player at a real table: what it knows from its slots, what it chooses, and what it asks for.

Its cards lie face down in five numbered slots, and somebody else's hands lay and move for it. It knows the public state
and the cards in its slots, nothing besides: no other back is ever handed to it. Pure: the same looks give the same
choices, and so does a match that is taken up again, as the lot it draws with is made from how the round stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Final, TypeAlias

from engine.rules.cards import HAND_SIZE, Card
from engine.rules.events import TurnEvent, YieldEvent
from engine.rules.legal import GiveUp, Turn, turn_event
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import TableObservation
from engine.table.table_reading import new_cards


class Strange(Enum):
    """A thing in a slot that is no card the companion can play."""

    UNKNOWN = "unknown"  # a back that was not registered
    TWO = "two"  # two cards in one slot
    PLAYED = "played"  # a card this round has seen played
    LAST_ROUND = "last_round"  # not shuffled in since
    FACE_UP = "face_up"  # dealt the wrong way up


Slot: TypeAlias = Card | Strange | None
Slots: TypeAlias = tuple[Slot, ...]
"""One for each slot, from the left; None is an empty one."""
Chooses: TypeAlias = Callable[[PlayerView, Random], Turn | GiveUp | None]
"""The bot's choice; None while it is still thinking."""
TurnKey: TypeAlias = tuple[object, ...]

LEVELS: Final = ("first-day", "novice", "fencer", "club", "master", "maestro")
"""The strengths it plays with (``engine.players.bots.strengths``), weakest first."""


def name_of(strength: str) -> str:
    """The name of the companion of this strength in the scorebook, in every language."""
    return f"Companion ({strength})"


NAMES: Final = {name_of(strength): strength for strength in LEVELS}
"""Every name the companion plays under, weakest first, with its strength."""
NO_CARDS: Final[Slots] = (None,) * HAND_SIZE
_KEPT_PLANS: Final = 6


class CompanionWish(Enum):
    """The wish of the companion now."""

    NOTHING = "nothing"
    GATHER = "gather"  # between rounds: all cards are shuffled, its own too
    DEAL = "deal"  # cards are missing in its slots
    TOO_MANY = "too_many"
    STRANGE = "strange"  # a slot holds what it cannot play
    THINKING = "thinking"
    TURN = "turn"
    YIELD = "yield"  # it gives up
    REVEAL = "reveal"
    YOUR_TURN = "your_turn"


@dataclass(frozen=True, slots=True)
class Plan:
    """The turn it chose: once for every turn. ``slots`` are where the cards of ``choice.cards`` lay, from 1.

    ``spaces`` are where both figures are to stand afterwards.
    """

    key: TurnKey
    choice: Turn | GiveUp
    slots: tuple[int, ...]
    spaces: BySide[int]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards it asks to lay, in their order."""
        return self.choice.cards

    def event(self) -> TurnEvent | YieldEvent:
        """The event that does what it asks for."""
        if isinstance(self.choice, GiveUp):
            return YieldEvent(self.choice.cards)
        return TurnEvent(self.choice.cards, self.spaces.white, self.spaces.black)


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish in detail. ``slots`` are those meant, from 1, ``count`` how many cards; ``plan`` of TURN, YIELD.

    ``strange`` says what is wrong with the slots, for STRANGE.
    """

    wish: CompanionWish
    slots: tuple[int, ...] = ()
    count: int = 0
    plan: Plan | None = None
    strange: Strange | None = None


@dataclass(frozen=True, slots=True)
class Companion:
    """The companion between two looks.

    ``own`` are the cards it held in this round and did not play, as far as it saw them. ``otherwise`` is what it asked
    for last, where that was played otherwise.
    """

    side: Side
    seed: str
    slots: Slots = NO_CARDS
    plans: tuple[Plan, ...] = ()
    left_over: Slots = NO_CARDS
    own: frozenset[Card] = frozenset()
    phase: Phase | None = None
    round: int = 0
    otherwise: Plan | None = None
    seen: PublicState | None = None

    def plan_of(self, public: PublicState) -> Plan | None:
        """Its plan for the turn that is open in this state, if any."""
        key = turn_key(public)
        return next((plan for plan in self.plans if plan.key == key), None)


def turn_key(public: PublicState) -> TurnKey:
    """A key of one turn of a match: a turn taken back and played again has the same one."""
    attack = public.attack
    return (
        public.round,
        public.score.white,
        public.score.black,
        tuple(map(str, sorted(public.played))),
        public.spaces.white,
        public.spaces.black,
        "" if attack is None else f"{attack.kind.value}{attack.value}{attack.count}",
    )


def looked(companion: Companion, public: PublicState, slots: Slots, chooses: Chooses, *, calm: bool) -> Companion:
    """The companion after one look at its slots. ``calm``: they can be trusted now; else only the state is new."""
    companion = _followed(companion, public)
    if calm:
        companion = _slots_seen(companion, public, slots)
    if not _acts(companion, public) or companion.plan_of(public) is not None or not calm:
        return companion
    asked = _of_the_slots(companion, public)
    if asked is not None:
        return companion
    hand = tuple(sorted(slot for slot in companion.slots if isinstance(slot, Card)))
    key = turn_key(public)
    choice = chooses(PlayerView(public, companion.side, hand), Random(f"{companion.seed} {key}"))
    if choice is None:
        return companion
    where = tuple(companion.slots.index(card) + 1 for card in choice.cards)
    spaces = public.spaces
    if isinstance(choice, Turn):
        after = turn_event(public, choice)
        spaces = BySide(after.white, after.black)
    plan = Plan(key, choice, where, spaces)
    return replace(companion, plans=(*companion.plans, plan)[-_KEPT_PLANS:], otherwise=None)


def asked(companion: Companion, public: PublicState) -> Asked:
    """Its wish now."""
    if public.phase in (Phase.SETUP, Phase.ROUND_OVER, Phase.MATCH_OVER):
        left = _filled(companion.slots)
        return (
            Asked(CompanionWish.GATHER, left, len(left))
            if public.phase is not Phase.SETUP or left
            else Asked(CompanionWish.NOTHING)
        )
    if public.phase is Phase.REVEAL:
        return Asked(CompanionWish.REVEAL, _filled(companion.slots), public.hands[companion.side])
    plan = companion.plan_of(public) if _acts(companion, public) else None
    if plan is not None:
        wish = CompanionWish.YIELD if isinstance(plan.choice, GiveUp) else CompanionWish.TURN
        return Asked(wish, _where(companion, plan), len(plan.cards), plan)
    wrong = _of_the_slots(companion, public)
    if wrong is not None:
        return wrong
    return Asked(CompanionWish.THINKING if _acts(companion, public) else CompanionWish.YOUR_TURN)


def _acts(companion: Companion, public: PublicState) -> bool:
    return public.to_act is companion.side and public.phase in (Phase.TURN, Phase.FINAL)


def _followed(companion: Companion, public: PublicState) -> Companion:
    """The companion once it saw how the match stands: what it held in the last round is nothing to it any more."""
    if public is companion.seen:
        return companion
    over = (Phase.ROUND_OVER, Phase.MATCH_OVER)
    if public.phase in over and companion.phase not in (*over, None):
        companion = replace(companion, left_over=companion.slots)
    if public.round != companion.round:
        companion = replace(companion, own=frozenset(), round=public.round)
    before = public.previous
    plan = companion.plan_of(before) if before is not None and before.to_act is companion.side else None
    if plan is not None and before is not None:
        asked_for = isinstance(plan.choice, Turn)
        laid = public.played[len(before.played) :]
        as_asked = set(laid) == set(plan.cards) and (not asked_for or public.spaces == plan.spaces)
        companion = replace(companion, otherwise=None if as_asked else plan)
    elif before is None or before.to_act is not companion.side.other:
        companion = replace(companion, otherwise=None)
    return replace(companion, phase=public.phase, seen=public)


def _slots_seen(companion: Companion, public: PublicState, slots: Slots) -> Companion:
    """The companion with what its slots hold: what lay there when the last round ended was dealt to nobody."""
    left = tuple(
        old if old is not None and old == now else None for old, now in zip(companion.left_over, slots, strict=True)
    )
    playing = public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL)
    seen: list[Slot] = []
    for old, now in zip(left, slots, strict=True):
        if playing and old is not None:
            seen.append(Strange.LAST_ROUND)
        elif playing and isinstance(now, Card) and now in public.played:
            seen.append(Strange.PLAYED)
        else:
            seen.append(now)
    own = companion.own
    if playing:
        own = frozenset((own | {slot for slot in seen if isinstance(slot, Card)}) - set(public.played))
    return replace(companion, slots=tuple(seen), left_over=left, own=own)


def _of_the_slots(companion: Companion, public: PublicState) -> Asked | None:
    """The wish to put right the slots before a turn can be chosen; None where they hold its hand."""
    wrong = [slot for slot in companion.slots if isinstance(slot, Strange)]
    if wrong:
        where = tuple(number for number, slot in enumerate(companion.slots, start=1) if slot is wrong[0])
        return Asked(CompanionWish.STRANGE, where, len(where), strange=wrong[0])
    cards = _filled(companion.slots)
    needed = public.hands[companion.side]
    if len(cards) > needed:
        return Asked(CompanionWish.TOO_MANY, cards, len(cards) - needed)
    if len(cards) < needed:
        free = tuple(number for number in range(1, len(companion.slots) + 1) if number not in cards)
        return Asked(CompanionWish.DEAL, free, needed - len(cards))
    return None


def _filled(slots: Slots) -> tuple[int, ...]:
    return tuple(number for number, slot in enumerate(slots, start=1) if slot is not None)


def _where(companion: Companion, plan: Plan) -> tuple[int, ...]:
    """The slots of the plan's cards: where they lie now, or lay when it was made."""
    return tuple(
        companion.slots.index(card) + 1 if card in companion.slots else slot
        for card, slot in zip(plan.cards, plan.slots, strict=True)
    )


# How far a turn the companion asked for has been played by the hands that play for it.


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """The turn as seen so far. ``laid`` and ``missing`` are cards asked for, ``unasked`` others that were laid.

    ``goes_to`` is where its fencer is to stand; ``misplaced`` where it stands instead, None while it stands where it
    did, or is not seen on a space.
    """

    laid: tuple[Card, ...]
    missing: tuple[Card, ...]
    unasked: tuple[Card, ...]
    goes_to: int
    misplaced: int | None
    done: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """The companion's wish and how far its turn has been played; ``progress`` None while nothing was done."""

    asked: Asked
    progress: TurnProgress | None = None


def progress_of(plan: Plan, public: PublicState, seen: TableObservation, side: Side) -> TurnProgress | None:
    """How far it is; None while nothing was done."""
    laid = tuple(reading.card for reading in new_cards(public, seen))
    space = seen.figures[side].space
    goes_to = plan.spaces[side]
    stood = public.spaces[side]
    if not laid and space in (stood, None):
        return None
    missing = tuple(card for card in plan.cards if card not in laid)
    unasked = tuple(card for card in laid if card not in plan.cards)
    misplaced = space if space is not None and space not in (stood, goes_to) else None
    done = not missing and not unasked and space == goes_to
    return TurnProgress(tuple(card for card in laid if card in plan.cards), missing, unasked, goes_to, misplaced, done)


# What is to be done at each slot of the companion, as it asks for it.


class SlotMark(Enum):
    """The mark of a slot: what is to be done there, if anything."""

    EMPTY = "empty"
    HELD = "held"
    DEAL = "deal"  # a card is to be dealt there
    PLAY = "play"  # its card is to be taken out and played
    WRONG = "wrong"  # what lies there is to be put right


_MARKS: Final = {CompanionWish.DEAL: SlotMark.DEAL, CompanionWish.STRANGE: SlotMark.WRONG}


def slot_marks(asked: Asked, held: Sequence[bool]) -> tuple[SlotMark, ...]:
    """A mark for each slot, from the left. ``held``: which of them hold something."""
    return tuple(_mark(asked, number, there) for number, there in enumerate(held, start=1))


def _mark(asked: Asked, number: int, there: bool) -> SlotMark:
    """A card that was taken out as asked leaves its slot empty."""
    meant = number in asked.slots
    if meant and there and asked.wish in (CompanionWish.TURN, CompanionWish.REVEAL):
        return SlotMark.PLAY
    return _MARKS[asked.wish] if meant and asked.wish in _MARKS else (SlotMark.EMPTY, SlotMark.HELD)[there]
