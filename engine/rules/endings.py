"""How rounds end: what follows a legal turn, a yield and a reveal, and why.

Source: RULES.md, "When the last card is drawn", "Presets", rulings 1, 3, 5, 8, 10, 12, 13.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rules.cards import HAND_SIZE, VALUES, Card
from engine.rules.legal import Counts, counts_of
from engine.rules.rulesets import RuleSet
from engine.rules.rulings import ActionKind, Working
from engine.rules.state import Attack, AttackKind, Phase, PublicState, Reason, Result, advanced, pair, room_behind
from engine.rules.track import BySide, Side

LONGEST_CARD: Final = max(VALUES)

# What decided an ending: ``Working.decided_by``.
BY_COUNTING: Final = "ruling 13"
BY_DECLARATION: Final = "ruling 5"
BY_STUCK_PARRY: Final = "ruling 3"
BY_HANDS: Final = "last card 2"
BY_POSITION: Final = "last card 3"
BY_LEVEL: Final = "last card 4"
BY_RETREAT: Final = "ruling 1"
BY_HIDDEN_HANDS: Final = "ruling 12"
BY_PRESET: Final = "preset"


class Ended(NamedTuple):
    """How the end of the pile decides a round, seen from one side: ``share`` is 1 won, 0.5 drawn, 0 lost."""

    share: float
    reason: Reason


_MORE_CARDS: Final = Ended(1.0, Reason.MORE_ATTACK_CARDS)
_FEWER_CARDS: Final = Ended(0.0, Reason.MORE_ATTACK_CARDS)
_FURTHER: Final = Ended(1.0, Reason.FURTHER_ADVANCED)
_LESS_FAR: Final = Ended(0.0, Reason.FURTHER_ADVANCED)
_LEVEL: Final = Ended(0.5, Reason.DRAW)
_GIVEN_UP: Final = (Reason.HIT, Reason.NO_LEGAL_MOVE)
_NO_CARDS: Final[Counts] = (0, 0, 0, 0, 0)
_DECIDED_BY: Final = {Reason.MORE_ATTACK_CARDS: BY_HANDS, Reason.FURTHER_ADVANCED: BY_POSITION, Reason.DRAW: BY_LEVEL}


def hands_count(rules: RuleSet, distance: int, final_retreat: bool) -> bool:
    """Whether the cards in the hands can decide at this distance. ``final_retreat``: from the final attack."""
    return distance <= LONGEST_CARD and (rules.compare_hands_after_final_retreat or not final_retreat)


def end_of_pile(rules: RuleSet, distance: int, own: Counts, other: Counts, further: int, final_retreat: bool) -> Ended:
    """The comparison after the last card: more cards equal to the distance, then the further fencer, else a draw.

    By values, for the referee, the bots and the solver alike. ``own`` and ``other`` are hands: how many cards of each
    value. ``further``: how many spaces this side has come forward more than the other. Source: last card 2 to 4.
    """
    if hands_count(rules, distance, final_retreat):
        more = own[distance - 1] - other[distance - 1]
        if more:
            return _MORE_CARDS if more > 0 else _FEWER_CARDS
    if further:
        return _FURTHER if further > 0 else _LESS_FAR
    return _LEVEL


def close_turn(following: PublicState, side: Side) -> tuple[PublicState, Working | None]:
    """The state after ``side``'s legal turn: the next turn, the last defence, the reveal or the end of the round.

    ``following`` is the position after it, the hand refilled, with the new attack if there is one; its phase and
    ``to_act`` are still those before the turn.
    """
    opponent = side.other
    attack = following.attack
    if attack is not None:
        if is_unanswerable(following, attack):
            return end_round(following, side, Reason.HIT, BY_COUNTING, "FERTI-FR")
        phase = Phase.TURN if following.pile else Phase.FINAL
        return following._replace(phase=phase, to_act=opponent), None
    if following.pile:
        if is_stuck(following, opponent):
            return end_round(following, side, Reason.NO_LEGAL_MOVE, BY_COUNTING, "FERTI-FR")
        return following._replace(to_act=opponent), None
    return _after_last_card(following)


def _after_last_card(state: PublicState) -> tuple[PublicState, Working | None]:
    """Hands are shown where they can matter; otherwise position decides at once (ruling 12)."""
    final_retreat = _is_final_retreat(state)
    if not hands_count(state.rules, state.distance, final_retreat) or state.unseen_counts[state.distance] == 0:
        return decide(state, None, BY_PRESET if final_retreat else BY_HIDDEN_HANDS)
    return state._replace(phase=Phase.REVEAL, to_act=None), None


def _is_final_retreat(state: PublicState) -> bool:
    """Whether this state came from retreating before the final indirect attack."""
    before = state.previous
    return before is not None and before.phase is Phase.FINAL and before.distance != state.distance


def after_reveal(state: PublicState, hands: BySide[tuple[Card, ...]]) -> tuple[PublicState, Working]:
    """The round decided by comparing both hands; ``state`` is the one in phase REVEAL."""
    before = state.previous
    decided_by = None
    if _is_final_retreat(state):
        decided_by = BY_PRESET
    elif before is not None and before.distance < state.distance:
        decided_by = BY_RETREAT
    return decide(state, hands.map(counts_of), decided_by)


def decide(state: PublicState, hands: BySide[Counts] | None, decided_by: str | None) -> tuple[PublicState, Working]:
    """The round as the end of the pile decides it. ``hands`` None: they stay hidden, because they cannot matter."""
    white, black = (_NO_CARDS, _NO_CARDS) if hands is None else (hands.white, hands.black)
    advances = advanced(state.spaces)
    final_retreat = _is_final_retreat(state)
    share, reason = end_of_pile(
        state.rules, state.distance, white, black, advances.white - advances.black, final_retreat
    )
    winner = None if reason is Reason.DRAW else Side.WHITE if share else Side.BLACK
    counts = None if hands is None else hands.map(lambda held: held[state.distance - 1])
    return end_round(state, winner, reason, decided_by or _DECIDED_BY[reason], state.rules.source, counts)


def end_round(
    state: PublicState,
    winner: Side | None,
    reason: Reason,
    decided_by: str,
    source: str,
    counts: BySide[int] | None = None,
) -> tuple[PublicState, Working]:
    """The round closed with its point given; the match closed too where that was the last point."""
    score = state.score
    phase = Phase.ROUND_OVER
    if winner is not None:
        points = score[winner] + 1
        score = score.put(winner, points)
        if points >= state.points:
            phase = Phase.MATCH_OVER
    over = state._replace(phase=phase, to_act=None, attack=None, score=score, result=Result(winner, reason))
    working = Working(reason, winner, state.distance, counts, advanced(state.spaces), decided_by, source)
    return over, working


def given_up_in(state: PublicState) -> PublicState | None:
    """The position in which this round's loser gave up (ruling 5); None where it ended otherwise, or is not over.

    A turn that ends a round wins it, or leaves both to be compared: whoever was to act and lost had given up.
    """
    over = state
    while over.previous is not None and over.previous.result is not None:
        over = over.previous  # a score that was corrected since
    result, before = state.result, over.previous
    if result is None or before is None or before.to_act is None or result.reason not in _GIVEN_UP:
        return None
    return before if result.winner is before.to_act.other else None


def refill(state: PublicState, side: Side, laid: int) -> tuple[BySide[int], int]:
    """Hand and pile sizes after laying ``laid`` cards and drawing up to five, or what is left (ruling 10)."""
    white, black = state.hands.white, state.hands.black
    held = (white if side is Side.WHITE else black) - laid
    drawn = min(HAND_SIZE - held, state.pile)
    held += drawn
    return pair(held, black) if side is Side.WHITE else pair(white, held), state.pile - drawn


def is_unanswerable(state: PublicState, attack: Attack) -> bool:
    """Whether the cards already played prove that no hand could answer this attack (ruling 13).

    Sound, because a parry needs ``count`` unseen cards of the value, and a retreat one unseen card that fits behind.
    Complete, because any of the unseen cards may be in the defender's hand: it holds five while cards were drawn to
    the end of the attacker's turn, so every set of at most five unseen cards is a possible part of it.
    """
    unseen = state.unseen_counts
    if unseen[attack.value] >= attack.count:
        return False
    if attack.kind is AttackKind.DIRECT:
        return True
    room = room_behind(state.spaces, attack.by.other)
    return not any(left and value <= room for value, left in unseen.items())


def is_stuck(state: PublicState, side: Side) -> bool:
    """Whether no unseen card could give ``side``, not under attack, a legal action (rulings 4 and 13)."""
    reach = state.distance
    # A card up to the distance advances or attacks; one up to the room behind retreats.
    if reach >= LONGEST_CARD:
        return False
    reach = max(reach, room_behind(state.spaces, side))
    return not any(left and value <= reach for value, left in state.unseen_counts.items())


def attack_of(side: Side, action: ActionKind, value: int, count: int) -> Attack:
    kind = AttackKind.DIRECT if action is ActionKind.DIRECT_ATTACK else AttackKind.INDIRECT
    return Attack(side, kind, value, count)
