"""One English sentence for each refusal: the thing, what was expected, what was found, the cure where it is short.

Source: FORMATS.md, "Cards" (``message``). Other languages are the display's, made from the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.rulings import Fact, Facts, Ruling, RulingCode

_Words = Callable[[Facts], str]


def message(ruling: Ruling) -> str:
    """The sentence for a refusal, empty for an accepted event. Plain ASCII without control characters."""
    return "" if ruling.code is None else _MESSAGES[ruling.code](ruling.facts)


def _who(facts: Facts) -> str:
    return "White" if facts["side"] == "white" else "Black"


def _cards(count: Fact) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _spaces(count: Fact) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _space(number: Fact) -> str:
    """A space number; one nobody could stand on is not worth thousands of digits."""
    return str(number) if isinstance(number, int) and -999 <= number <= 999 else "a space far away"


def _list(values: Fact, last: str = "or") -> str:
    """``2, 3 or 5``."""
    words = [str(value) for value in values] if isinstance(values, tuple) else [str(values)]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _parry(facts: Facts) -> str:
    return f"{_cards(facts['count'])} of value {facts['value']}"


def _bad_event(facts: Facts) -> str:
    return f"This line is no event: {facts['problem']}."


_PHASES: Final[Mapping[str, str]] = {
    "no_match": "no match has begun, so a match event comes first",
    "setup": "the match waits for its first round",
    "turn": "a round is being played",
    "final": "the last defence is open: a turn or a yield",
    "reveal": "both hands are to be shown",
    "round_over": "the round is over and the next has not begun",
    "match_over": "the match is over",
}


def _not_now(facts: Facts) -> str:
    if facts["event"] == "undo" and facts["phase"] == "setup":
        return "There is nothing to undo: the match has only begun."
    article = "An" if facts["event"] == "undo" else "A"
    return f"{article} {facts['event']} event has no place now: {_PHASES[str(facts['phase'])]}."


def _unknown_card(facts: Facts) -> str:
    return f"No card is called {facts['card']}: a card is a value 1 to 5 and a letter a to e, such as 3b."


def _repeated_card(facts: Facts) -> str:
    return f"Card {facts['card']} is there twice: each card exists once."


def _card_already_played(facts: Facts) -> str:
    return f"Card {facts['card']} was already played this round: take it back and lay another."


def _no_cards(facts: Facts) -> str:
    return f"{_who(facts)} laid no card: a turn takes at least one."


def _hand_exceeded(facts: Facts) -> str:
    return f"{_who(facts)} laid {_cards(facts['found'])} but holds only {facts['expected']}."


def _hand_size(facts: Facts) -> str:
    missing = facts["missing"]
    tail = f" Not seen anywhere: {_list(missing, 'and')}." if missing else ""
    return f"{_who(facts)} shows {_cards(facts['found'])} but has to hold {facts['expected']}.{tail}"


def _opponent_moved(facts: Facts) -> str:
    return f"{_who(facts)}'s figure may not move: it stood on {facts['expected']}, now on {_space(facts['found'])}."


def _off_track(facts: Facts) -> str:
    return f"{_who(facts)}'s figure is on {_space(facts['found'])}, off the track: its spaces are 1 to 23."


def _passed_opponent(facts: Facts) -> str:
    return f"{_who(facts)}'s figure is on {facts['found']}, on or past the opponent, who stands on {facts['opponent']}."


def _wrong_distance(facts: Facts) -> str:
    return f"{_who(facts)}'s figure moved {_spaces(facts['found'])}, but the card says {_list(facts['expected'])}."


def _attack_value(facts: Facts) -> str:
    return (
        f"{_who(facts)} attacks with {facts['found']} but the distance is {facts['expected']}: "
        f"attack cards equal the distance."
    )


def _mixed_values(facts: Facts) -> str:
    return (
        f"{_who(facts)}'s attack cards differ from each other ({_list(facts['found'], 'and')}): "
        f"all have to equal the distance, {facts['expected']}."
    )


def _attack_after_retreat(facts: Facts) -> str:
    return f"{_who(facts)} moved back and may not attack in the same turn: take back {_list(facts['found'], 'and')}."


def _too_many_cards(facts: Facts) -> str:
    return f"{_who(facts)} laid {_cards(facts['found'])} for a move that uses {_cards(facts['expected'])}."


def _indirect_not_allowed(facts: Facts) -> str:
    return f"{_who(facts)} advanced and attacked in one turn, which {facts['rules']} does not allow."


def _must_parry(facts: Facts) -> str:
    return f"{_who(facts)} has to parry the direct attack with {_parry(facts)} first, but laid {facts['found']}."


def _must_answer(facts: Facts) -> str:
    return (
        f"{_who(facts)} has to answer the indirect attack: parry with {_parry(facts)} (laid: {facts['found']}) "
        f"or retreat by one card."
    )


def _no_action_after_parry(facts: Facts) -> str:
    return f"{_who(facts)} parried with {_parry(facts)} and now has to play a turn with the cards left, or yield."


def _final_parry_only(facts: Facts) -> str:
    return f"{_who(facts)} parries the last attack with exactly {_parry(facts)}: nothing else is laid or moved."


_MESSAGES: Final[Mapping[RulingCode, _Words]] = {
    RulingCode.BAD_EVENT: _bad_event,
    RulingCode.NOT_NOW: _not_now,
    RulingCode.UNKNOWN_CARD: _unknown_card,
    RulingCode.REPEATED_CARD: _repeated_card,
    RulingCode.CARD_ALREADY_PLAYED: _card_already_played,
    RulingCode.NO_CARDS: _no_cards,
    RulingCode.HAND_EXCEEDED: _hand_exceeded,
    RulingCode.HAND_SIZE: _hand_size,
    RulingCode.OPPONENT_MOVED: _opponent_moved,
    RulingCode.OFF_TRACK: _off_track,
    RulingCode.PASSED_OPPONENT: _passed_opponent,
    RulingCode.WRONG_DISTANCE: _wrong_distance,
    RulingCode.ATTACK_VALUE: _attack_value,
    RulingCode.MIXED_VALUES: _mixed_values,
    RulingCode.ATTACK_AFTER_RETREAT: _attack_after_retreat,
    RulingCode.TOO_MANY_CARDS: _too_many_cards,
    RulingCode.INDIRECT_NOT_ALLOWED: _indirect_not_allowed,
    RulingCode.MUST_PARRY: _must_parry,
    RulingCode.MUST_ANSWER: _must_answer,
    RulingCode.NO_ACTION_AFTER_PARRY: _no_action_after_parry,
    RulingCode.FINAL_PARRY_ONLY: _final_parry_only,
}
