"""Which back belongs to which card, and how a deck is registered by showing every card from both sides.

A back says nothing of its card but what was shown: a card lies face up alone, is turned over in its place, and the two
sides are one card. Pure; the file they are kept in is somebody else's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Final

from engine.rules.cards import DECK, Card
from engine.table.observation import BackReading, CardReading, TableObservation

TURNED_WITHIN_MM: Final = 110.0
"""A card turned over lies at most so far from where it lay: somewhat more than its own length."""
TURNED_WITHIN_S: Final = 30.0
"""After longer its face has to be shown again: meanwhile it may have been another card."""


@dataclass(frozen=True, slots=True)
class DeckBacks:
    """A deck's letter, and the token on the back of each card that was shown."""

    deck: str
    tokens: Mapping[Card, str] = field(default_factory=lambda: MappingProxyType({}))

    def card_of(self, token: str) -> Card | None:
        """The card with this back; None where none is known."""
        return next((card for card, own in self.tokens.items() if own == token), None)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards whose backs are not known."""
        return tuple(card for card in DECK if card not in self.tokens)

    @property
    def complete(self) -> bool:
        """Whether every card's back is known."""
        return not self.missing

    def with_back(self, card: Card, token: str) -> DeckBacks:
        """The same with this card's back, in the place of one it had. Raises ValueError where it is another card's."""
        owner = self.card_of(token)
        if owner not in (None, card):
            raise ValueError(
                f"the back {token} was shown as that of {owner}, so it cannot be that of {card}; "
                f"show {owner} again from both sides first, or forget it"
            )
        return replace(self, tokens=MappingProxyType({**self.tokens, card: token}))

    def without(self, cards: Iterable[Card]) -> DeckBacks:
        """The same without these cards' backs."""
        gone = set(cards)
        kept = {card: token for card, token in self.tokens.items() if card not in gone}
        return replace(self, tokens=MappingProxyType(kept))


class CardShown(Enum):
    """The result of a look at the cards that are shown."""

    WAITING = "waiting"  # nothing lies there
    TURN_OVER = "turn_over"  # a face was read: now its back
    FACE_FIRST = "face_first"  # a back nobody saw the face of
    ONE_AT_A_TIME = "one_at_a_time"
    REGISTERED = "registered"
    CORRECTED = "corrected"  # it had another back before
    AGREES = "agrees"  # as it was known already
    BACK_TAKEN = "back_taken"  # this back was shown as another card's
    MOVED = "moved"  # shown again after that: now it is this card's, and the other's is not known any more
    DIFFERS = "differs"  # only checked: known with another back
    NOT_KNOWN = "not_known"  # only checked: never shown before


PAIRED: Final = frozenset(
    {
        CardShown.REGISTERED,
        CardShown.CORRECTED,
        CardShown.AGREES,
        CardShown.BACK_TAKEN,
        CardShown.MOVED,
        CardShown.DIFFERS,
        CardShown.NOT_KNOWN,
    }
)
"""The results once both sides were seen."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A deck being shown, card by card. ``said`` is about ``card``; ``other`` is whose back it is, where taken.

    ``checking`` changes nothing: it only says whether a card shown is as it is known. ``count`` goes up with every
    card shown from both sides. ``refused`` is the pair that was refused last: whoever shows it again means it, and the
    other card has to be shown anew.
    """

    backs: DeckBacks
    checking: bool = False
    said: CardShown = CardShown.WAITING
    card: Card | None = None
    other: Card | None = None
    count: int = 0
    face: CardReading | None = None
    face_s: float = 0.0
    done_with: str = ""
    refused: tuple[Card, str] | None = None


def look_at(registration: Registration, seen: TableObservation) -> Registration:
    """The registration after one look. ``seen.backs`` are those of the whole play area."""
    faces = [reading for reading in seen.cards if not reading.covered]
    if len(faces) > 1 or len(seen.backs) > 1:
        return replace(registration, said=CardShown.ONE_AT_A_TIME, card=None, other=None, face=None)
    if faces and seen.backs:
        return registration  # it is being turned over, or not settled yet
    if faces:
        face = faces[0]
        return replace(
            registration, said=CardShown.TURN_OVER, card=face.card, other=None, face=face, face_s=seen.t_s, done_with=""
        )
    if seen.backs:
        return _turned(registration, seen.backs[0], seen.t_s)
    late = registration.face is not None and seen.t_s - registration.face_s > TURNED_WITHIN_S
    face_now = None if late else registration.face
    said = registration.said if registration.said in PAIRED or face_now is not None else CardShown.WAITING
    return replace(registration, said=said, face=face_now, done_with="")


def _turned(registration: Registration, back: BackReading, now_s: float) -> Registration:
    """A back lies there alone."""
    if registration.done_with == back.token:
        return registration
    face = registration.face
    apart = math.inf if face is None else math.dist((face.x_mm, face.y_mm), (back.x_mm, back.y_mm))
    if face is None or apart > TURNED_WITHIN_MM or now_s - registration.face_s > TURNED_WITHIN_S:
        return replace(registration, said=CardShown.FACE_FIRST, card=None, other=None, face=None)
    return _paired(registration, face.card, back.token)


def _paired(registration: Registration, card: Card, token: str) -> Registration:
    backs = registration.backs
    before, owner = backs.tokens.get(card), backs.card_of(token)
    other = None
    if owner == card:
        said = CardShown.AGREES
    elif registration.checking:
        said, other = CardShown.NOT_KNOWN if before is None and owner is None else CardShown.DIFFERS, owner
    elif owner is not None and registration.refused == (card, token):
        said, other = CardShown.MOVED, owner
        backs = backs.without((owner,)).with_back(card, token)
    elif owner is not None:
        said, other = CardShown.BACK_TAKEN, owner
    else:
        said = CardShown.REGISTERED if before is None else CardShown.CORRECTED
        backs = backs.with_back(card, token)
    return replace(
        registration,
        backs=backs,
        said=said,
        card=card,
        other=other,
        count=registration.count + 1,
        face=None,
        done_with=token,
        refused=(card, token) if said is CardShown.BACK_TAKEN else None,
    )
