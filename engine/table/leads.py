"""Where a card of a known hand leads in the turn that is open: to which spaces, at the opponent, or against its blade.

Read off the enumeration of legal turns: whatever leads somewhere begins or goes on with one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.rules.cards import Card
from engine.rules.legal import Play, counts_of, legal_plays
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.turn_entry import named_by


@dataclass(frozen=True, slots=True)
class Lead:
    """What a card can be now: a move to one of ``spaces``, an attack (``strikes``), a part of the parry (``parries``).

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
    """What one more card of this value is in this play, after those that were laid: spaces moved, or another part."""
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
