"""What the one golden button says: what a press of it does now, with the turn that it ends."""

from __future__ import annotations

from display.i18n import Words
from display.view import ActView, Situation
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase, PublicState
from engine.table.next_step import next_step
from engine.table.table_reading import OpenTurn


def act_view(words: Words, situation: Situation) -> ActView:
    """What a press of the button does; empty where it is no answer to what is asked."""
    state = situation.state
    give_up = words.say("act.give_up")
    if situation.retold:
        return ActView(words.say("key.live"), True)
    if situation.paused:
        return ActView(words.say("act.go_on"), True)
    if situation.offer is not None:
        return ActView(words.say("act.yes"), True)
    if situation.comparing is not None and not situation.comparing.rebuilding:
        return ActView()
    if state is None or state.phase is Phase.MATCH_OVER:
        return ActView(words.say("act.new_match"), True)
    if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
        return ActView(words.say("act.round" if state.round else "act.begin"), True)
    if state.phase is Phase.REVEAL:
        return ActView(words.say("act.reveal"), True)
    if situation.confirm_give_up is not None:
        return ActView(words.say("act.give_up_now"), True)
    turn = situation.open_turn
    if turn is not None and turn.ruling.ok:
        return ActView(_turn(words, turn, state), True)
    return ActView(words.say("key.act"), give_up=give_up if turn is None else "")


def lit_spaces(situation: Situation) -> tuple[int, ...]:
    """Where the fencer to act may go with the cards that lie there; empty once it stands so."""
    state, turn = situation.state, situation.open_turn
    if state is None or turn is None or turn.ruling.ok or situation.asked or state.to_act is None:
        return ()
    moves = next_step(state, turn.cards, turn.spaces).moves
    return tuple(state.spaces[state.to_act] + move * state.to_act.forward for move in moves)


def _turn(words: Words, turn: OpenTurn, state: PublicState) -> str:
    """``End turn: parry, advance 3``, or the attack that it is."""
    ruling, parts = turn.ruling, []
    moved = abs(turn.spaces[turn.player] - state.spaces[turn.player])
    if ruling.parry is not None and ruling.action is None:
        return words.say("act.parry", value=ruling.parry.value, count=ruling.parry.count)
    if ruling.parry is not None:
        parts.append(words.say("act.parried"))
    if moved:
        parts.append(words.say("act.retreat" if ruling.action is ActionKind.RETREAT else "act.advance", moved=moved))
    if count := ruling.attack_count(len(turn.cards)):
        distance = turn.spaces.black - turn.spaces.white
        parts.append(words.say("act.attack", value=distance, count=count))
    return words.say("act.end", turn=", ".join(parts))
