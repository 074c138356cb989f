"""One English sentence for each refusal: the thing, what was expected, what was found, the cure where it is short.

For programs, and whoever reads what they write; players are told by the display, in their language, in fewer words and
with the remedies drawn beside. Source: FORMATS.md, "Cards" (``message``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Final

from engine.rules.rulings import Fact, Ruling, RulingCode

_Form = Callable[[Fact], str]


def message(ruling: Ruling) -> str:
    """The sentence for a refusal, empty for an accepted event. Plain ASCII without control characters."""
    code, facts = ruling.code, ruling.facts
    if code is None:
        return ""
    sentence = _SENTENCES[code]
    if code is RulingCode.NOT_NOW and facts["phase"] == "setup" and facts["event"] == "undo":
        sentence = _NOTHING_TO_UNDO
    elif code is RulingCode.NOT_NOW and facts["phase"] == "turn" and facts["event"] == "time":
        sentence = _ATTACK_FIRST
    elif code is RulingCode.HAND_SIZE and facts["missing"]:
        sentence += " Not seen anywhere: {missing:and}."
    return _Told().vformat(sentence, (), facts)


class _Told(Formatter):
    """``{name}`` is a fact as it is, ``{name:form}`` one in a form of its own."""

    def format_field(self, value: Fact, form: str) -> str:
        return _FORMS[form](value)


def _counted(thing: str) -> _Form:
    return lambda count: f"1 {thing}" if count == 1 else f"{count} {thing}s"


def _list(last: str) -> _Form:
    """``2, 3 or 5``."""

    def listed(values: Fact) -> str:
        words = [str(value) for value in values] if isinstance(values, tuple) else [str(values)]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"

    return listed


def _space(number: Fact) -> str:
    """A space number; one nobody could stand on is not worth thousands of digits."""
    return str(number) if isinstance(number, int) and -999 <= number <= 999 else "a space far away"


_PHASES: Final[Mapping[Fact, str]] = {
    "no_match": "no match has begun, so a match event comes first",
    "setup": "the match waits for its first round",
    "turn": "a round is being played",
    "final": "waiting for the last defence: a turn or a yield",
    "reveal": "both hands are to be shown",
    "round_over": "the round is over and the next has not begun",
    "match_over": "the match is over",
}

_FORMS: Final[Mapping[str, _Form]] = {
    "": str,
    "who": lambda side: "White" if side == "white" else "Black",
    "a": lambda event: f"An {event}" if event == "undo" else f"A {event}",
    "phase": _PHASES.__getitem__,
    "cards": _counted("card"),
    "spaces": _counted("space"),
    "space": _space,
    "or": _list("or"),
    "and": _list("and"),
}

_SENTENCES: Final[Mapping[RulingCode, str]] = {
    RulingCode.BAD_EVENT: "This line isn't an event: {problem}.",
    RulingCode.NOT_NOW: "{event:a} event is not possible now: {phase:phase}.",
    RulingCode.UNKNOWN_CARD: "No card is called {card}: a card is a value 1 to 5 and a letter a to e, such as 3b.",
    RulingCode.REPEATED_CARD: "Card {card} appears twice, but there is only one.",
    RulingCode.CARD_ALREADY_PLAYED: "Card {card} was already played this round: take it back and lay another.",
    RulingCode.NO_CARDS: "{side:who} laid no card: a turn takes at least one.",
    RulingCode.HAND_EXCEEDED: "{side:who} laid {found:cards} but holds only {expected}.",
    RulingCode.HAND_SIZE: "{side:who} shows {found:cards} but has to hold {expected}.",
    RulingCode.OPPONENT_MOVED: "{side:who}'s fencer may not move: it stood on {expected}, now on {found:space}.",
    RulingCode.OFF_TRACK: "{side:who}'s fencer is on {found:space}, off the track: its spaces are 1 to 23.",
    RulingCode.PASSED_OPPONENT: (
        "{side:who}'s fencer is on {found}, on or past the opponent, who stands on {opponent}."
    ),
    RulingCode.WRONG_DISTANCE: "{side:who}'s fencer moved {found:spaces}, but the card says {expected:or}.",
    RulingCode.ATTACK_VALUE: (
        "{side:who} attacks with {found} but the distance is {expected}: attack cards equal the distance."
    ),
    RulingCode.MIXED_VALUES: (
        "{side:who}'s attack cards differ from each other ({found:and}): all have to equal the distance, {expected}."
    ),
    RulingCode.ATTACK_AFTER_RETREAT: (
        "{side:who} moved back and may not attack in the same turn: take back {found:and}."
    ),
    RulingCode.TOO_MANY_CARDS: "{side:who} laid {found:cards} for a move that uses {expected:cards}.",
    RulingCode.INDIRECT_NOT_ALLOWED: "{side:who} advanced and attacked in one turn, which {rules} does not allow.",
    RulingCode.MUST_PARRY: (
        "{side:who} has to parry the direct attack with {count:cards} of value {value} first, but laid {found}."
    ),
    RulingCode.MUST_ANSWER: (
        "{side:who} has to answer the indirect attack: parry with {count:cards} of value {value} (laid: {found}) "
        "or retreat by one card."
    ),
    RulingCode.NO_ACTION_AFTER_PARRY: (
        "{side:who} parried with {count:cards} of value {value} and now has to play a turn with the cards left, "
        "or yield."
    ),
    RulingCode.FINAL_PARRY_ONLY: (
        "{side:who} parries the last attack with exactly {count:cards} of value {value}: nothing else is laid or moved."
    ),
}

_NOTHING_TO_UNDO: Final = "There is nothing to undo: the match has only begun."
_ATTACK_FIRST: Final = "A time event is not possible now: an attack is still to be answered."
