"""The last turn as facts, and endings in words: who won, the sum behind it, and the ruling that decided.

Source: engine/RULES.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from display.i18n import Words
from display.view import EndingView, RevealView
from display.words.sentences import capital, preset_name, score_text, side_name
from engine.rules.cards import Card
from engine.rules.endings import BY_DECLARATION, given_up_in
from engine.rules.rulings import ActionKind, Ruling, Working
from engine.rules.state import BY_TIME, Phase, PublicState, Reason, Result
from engine.rules.track import BySide, Side


@dataclass(frozen=True, slots=True)
class TurnTold:
    """A finished turn: how far the fencer moved, the attack (value and count, 0 for none), the cards drawn."""

    side: Side
    action: ActionKind | None
    parried: bool
    moved: int
    attack_value: int
    attack_count: int
    drawn: int
    before: BySide[int]


def last_turn(state: PublicState, ruling: Ruling) -> TurnTold | None:
    """The turn that ``ruling`` accepted and that led to ``state``; None for any other ruling."""
    before = state.previous
    if not ruling.ok or ruling.event != "turn" or ruling.player is None or before is None:
        return None
    side = ruling.player
    moved = abs(state.spaces[side] - before.spaces[side])
    attack_count = ruling.attack_count(len(state.played) - len(before.played))
    return TurnTold(
        side=side,
        action=ruling.action,
        parried=ruling.parry is not None,
        moved=moved,
        attack_value=state.distance if attack_count else 0,
        attack_count=attack_count,
        drawn=before.pile - state.pile,
        before=before.spaces,
    )


def round_winners(state: PublicState | None) -> tuple[Side | None, ...]:
    """Who won each finished round of the match, oldest first; None for a drawn one."""
    winners: list[Side | None] = []
    while state is not None:
        before = state.previous
        ended = state.result is not None and (before is None or before.result is None)
        if state.result is not None and ended and state.result.reason not in BY_TIME:
            winners.append(state.result.winner)
        state = before
    return tuple(reversed(winners))


SHOWN_HANDS = (Reason.MORE_ATTACK_CARDS, Reason.FURTHER_ADVANCED, Reason.DRAW)
"""Endings at the end of the pile, where counts and position are worth showing."""


def ending_view(
    words: Words, state: PublicState, working: Working | None, told: TurnTold | None = None
) -> EndingView | None:
    """How the round ended; None while it is being played.

    ``working`` None (a state taken up again, whose ruling is gone): the result alone is told. ``told``: the turn
    that ended it, of which an attack that nobody could answer says what would have parried it.
    """
    result = state.result
    if result is None:
        return None
    match_over = state.phase is Phase.MATCH_OVER
    counts = working.counts if working else None
    advances = working.advances if working else BySide(state.spaces.white - 1, 23 - state.spaces.black)
    return EndingView(
        winner=result.winner,
        reason=result.reason,
        match_over=match_over,
        title=ending_title(words, state),
        because=reason_text(words, state),
        working=_working(words, state, _attack(state, told), counts, advances),
        decided_by=_decided_by(words, state, working) if working else "",
        source=_source(words, state, working) if working else "",
        counts=counts,
        advances=advances,
    )


def reveal_view(words: Words, state: PublicState, hands: BySide[tuple[Card, ...]] | None) -> RevealView | None:
    """The hands to be shown, or shown; None at any other time."""
    shown = hands is not None and state.result is not None and state.result.reason in SHOWN_HANDS
    if state.phase is not Phase.REVEAL and not shown:
        return None
    value = state.distance
    counts = hands.map(lambda hand: sum(card.value == value for card in hand)) if hands is not None and shown else None
    text = words.say("reveal.waiting" if value <= 5 else "reveal.waiting_far", value=value)
    return RevealView(value, hands if shown else None, counts, state.hands, text)


def _names(words: Words, state: PublicState) -> dict[str, object]:
    winner = state.result.winner if state.result else None
    loser: Side | None = winner.other if winner else None
    return {"winner": side_name(words, winner), "loser": side_name(words, loser), "value": state.distance}


def reason_text(words: Words, state: PublicState) -> str:
    """Why the round ended, in one sentence; empty while it has not."""
    if state.result is None:
        return ""
    return words.say(f"reason.{_reason_key(state, state.result)}", **_names(words, state))


def _reason_key(state: PublicState, result: Result) -> str:
    """If somebody gave up, say so: a hit alone would not tell it, and nobody saw that there was no legal turn."""
    if result == Result(None, Reason.TIME):
        return "level"
    before = given_up_in(state)
    if before is not None and before.attack is None:
        return "given_up"
    return "not_parried" if before is not None and result.reason is Reason.HIT else result.reason.value


def ending_title(words: Words, state: PublicState) -> str:
    """Who won the match, the winner's points first; else why the round ended."""
    if state.phase is not Phase.MATCH_OVER:
        return reason_text(words, state)
    score = score_text(max(state.score.white, state.score.black), min(state.score.white, state.score.black))
    level = state.result is not None and state.result.winner is None
    key = "match_level" if level else "match"
    return words.say(f"reason.{key}", score=score, **_names(words, state))


def _attack(state: PublicState, told: TurnTold | None) -> tuple[int, int] | None:
    """Value and count of the attack that hit: the last turn's own, else the one that stood."""
    if told is not None:
        return (told.attack_value, told.attack_count) if told.attack_count else None
    standing = state.attack or (state.previous.attack if state.previous is not None else None)
    return None if standing is None else (standing.value, standing.count)


def _working(
    words: Words, state: PublicState, attack: tuple[int, int] | None, counts: BySide[int] | None, advances: BySide[int]
) -> tuple[str, ...]:
    assert state.result is not None
    reason = state.result.reason
    lines = []
    if reason is Reason.HIT and attack is not None:
        lines.append(capital(words, "working.parry", value=attack[0], count=attack[1]))
    if counts is not None:
        lines.append(words.say("working.counts", value=state.distance, white=counts.white, black=counts.black))
    if reason in (Reason.FURTHER_ADVANCED, Reason.DRAW):
        lines.append(words.say("working.advances", white=advances.white, black=advances.black))
    if reason is Reason.DRAW:
        lines.append(words.say("working.level"))
    return tuple(lines)


def decided_keys(decided_by: str, compares_hands: bool) -> tuple[str, str, str]:
    """Catalogue keys for ``Working.decided_by``: its explanation, its name, and the number in the name."""
    if decided_by == "preset":
        return ("decided.preset_hands" if compares_hands else "decided.preset_position"), "decided.preset_name", ""
    kind, number = decided_by.rsplit(" ", 1)
    kind = kind.replace(" ", "_")
    return f"decided.{kind}_{number}", f"decided.{kind}_name", number


def _decided_by(words: Words, state: PublicState, working: Working) -> str:
    """Why it ended so; empty where a player gave up, which the verdict says itself."""
    if working.decided_by == BY_DECLARATION:
        return ""
    why, _, _ = decided_keys(working.decided_by, working.counts is not None)
    return words.say(why, **_names(words, state))


def _source(words: Words, state: PublicState, working: Working) -> str:
    _, name, number = decided_keys(working.decided_by, working.counts is not None)
    preset = preset_name(words, state.rules.name)
    return words.say("decided.source", ruling=words.say(name, number=number), preset=preset, source=working.source)
