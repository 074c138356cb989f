"""Facts of the engine put into words: sides, cards, lists, refusals, remedies. Source: tests/facts.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from display.i18n import Words, words
from display.view import NO_NAMES, RemedyView, Tone, VerdictView
from engine.companion.companion import NAMES
from engine.players.bots.strengths import RIVALS
from engine.rules.cards import Card
from engine.rules.rulings import Fact, Remedy, RemedyKind, Ruling, RulingCode
from engine.rules.state import Attack, AttackKind
from engine.rules.track import BySide, Side
from engine.table.observation import FigureProblem, TableObservation, Why

FAR_OFF: Final = 99
"""A found space beyond this is no place worth printing: the engine accepts any whole number."""


def side_name(words: Words, side: Side | None) -> str:
    """White or Black in this language, empty for nobody."""
    return "" if side is None else words.say(f"name.{side.value}")


def lamps_line(say: Words, *, wired: bool) -> str:
    """Whether pins are in use for a panel. Nobody can tell from them whether anything hangs there."""
    return say.say("menu.health_lamps", what=say.say("menu.lamps_ready" if wired else "menu.lamps_none"))


def shown_name(words: Words, side: Side, name: str) -> str:
    """A player's name as it is shown: one without is called by colour, companion and bots in this language."""
    if name == NO_NAMES[side]:
        return side_name(words, side)
    if name in RIVALS:
        return words.say(f"hands.level.{RIVALS[name]}")
    return words.say(f"companion.level.{NAMES[name]}") if name in NAMES else name


def is_bot(name: str) -> bool:
    """Whether no person plays under this name, but the companion or a bot with a hand of its own."""
    return name in RIVALS or name in NAMES


def words_for(language: str, names: BySide[str]) -> Words:
    """The catalogue for these players: who has a name is called by it. The companion stays a colour in a sentence, but
    where somebody wins or loses."""
    say = words(language)
    everybody = {side_name(say, side): shown_name(say, side, name) for side, name in names.items()}
    people = (side_name(say, side) for side, name in names.items() if name != NO_NAMES[side] and name not in NAMES)
    return say.named({colour: everybody[colour] for colour in people}, everybody)


def score_text(ours: int, theirs: int) -> str:
    """A score on screens, pages, pictures and paper. At a terminal and aloud it is ``5:4``, without blanks."""
    return f"{ours} : {theirs}"


def listed(words: Words, items: Sequence[object], link: str) -> str:
    """``2, 3 or 5``; ``link`` is ``or`` or ``and``."""
    texts = [str(item) for item in items]
    if len(texts) < 2:
        return "".join(texts)
    return words.say(f"list.{link}", first=", ".join(texts[:-1]), last=texts[-1])


def capital(words: Words, key: str, **facts: object) -> str:
    """A sentence that may begin with a number in words, with a capital letter."""
    return with_capital(words.say(key, **facts))


def with_capital(text: str) -> str:
    """The same with a capital letter first, and nothing else changed."""
    return text[:1].upper() + text[1:]


def preset_name(words: Words, rules: str) -> str:
    """What players call this rule set."""
    return words.say(f"preset.{rules.replace('-', '_')}")


def refusal(words: Words, ruling: Ruling, attack: Attack | None = None) -> str:
    """One sentence that says what was wrong; empty for an accepted ruling. ``attack``: the one that waits, if known."""
    if ruling.code is None:
        return ""
    if ruling.code is RulingCode.FINAL_PARRY_ONLY and attack is not None and attack.kind is AttackKind.DIRECT:
        return words.say("refused.final_parry_direct", count=attack.count, value=attack.value)
    facts = {name: _told(words, ruling.code, name, fact) for name, fact in ruling.facts.items()}
    missing = "_missing" if facts.get("missing") else ""
    return words.say(f"refused.{ruling.code.value}{missing}", **{"count": ruling.facts.get("found"), **facts})


_COUNTED: Final = (RulingCode.HAND_EXCEEDED, RulingCode.TOO_MANY_CARDS, RulingCode.HAND_SIZE)
"""What these found is a number of cards."""


def _told(words: Words, code: RulingCode, name: str, fact: Fact) -> object:
    """A fact of a refusal as it is printed: people, rules and moments by name, several values as a list."""
    match name:
        case "side" | "phase":
            return words.say(f"{'name' if name == 'side' else name}.{fact}")
        case "event":
            return words.say(f"event.{fact if f'event.{fact}' in words.entries else 'unknown'}")
        case "rules":
            return preset_name(words, str(fact))
        case "found" if code in _COUNTED:
            return words.say("unit.cards", count=fact)
        case "found" if code is RulingCode.OPPONENT_MOVED and not (isinstance(fact, int) and abs(fact) <= FAR_OFF):
            return "?"
    return listed(words, fact, "or" if name == "expected" else "and") if isinstance(fact, tuple) else fact


def eyes_reason(words: Words, why: Why, side: Side | None) -> str:
    """What keeps the eyes from seeing."""
    if why is Why.TAG_HIDDEN and side is not None:
        return words.say("why.tag_hidden_side", side=side_name(words, side))
    return words.say(f"why.{why.value}")


def figure_problem(words: Words, side: Side | None, problem: FigureProblem) -> str:
    """What is wrong with where a fencer stands."""
    return words.say(f"figure.{problem.value}", side=side_name(words, side))


def remedy_views(words: Words, remedies: Sequence[Remedy], seen: TableObservation | None) -> tuple[RemedyView, ...]:
    """Things to put right, to be pictured; cards to take back are gathered into one of them."""
    taken = tuple(remedy.card for remedy in remedies if remedy.card is not None)
    views: list[RemedyView] = []
    for remedy in remedies:
        if remedy.kind is not RemedyKind.TAKE_BACK_CARD:
            views.append(_remedy_view(words, remedy, seen))
        elif remedy.card == taken[0]:
            views.append(_take_back(words, taken))
    return tuple(views)


def _take_back(words: Words, cards: tuple[Card, ...]) -> RemedyView:
    text = words.say("remedy.take_back_card", count=len(cards), cards=listed(words, cards, "and"))
    return RemedyView(RemedyKind.TAKE_BACK_CARD, text, cards=cards)


def _remedy_view(words: Words, remedy: Remedy, seen: TableObservation | None) -> RemedyView:
    kind = remedy.kind
    side = side_name(words, remedy.side)
    text = capital(words, f"remedy.{kind.value}", side=side, space=remedy.space, value=remedy.value, count=remedy.count)
    from_space = None
    if kind is RemedyKind.MOVE_FIGURE and remedy.side is not None and seen is not None:
        from_space = seen.figures[remedy.side].space
    return RemedyView(
        kind,
        text,
        side=remedy.side,
        from_space=from_space,
        to_space=remedy.space,
        value=remedy.value,
        count=remedy.count,
    )


def verdict(words: Words, tone: Tone, headline: str, detail: str = "", hint: str = "", *, tag: str = "") -> VerdictView:
    """A verdict band; its tag is the word for its tone, or the one under the key ``tag``."""
    return VerdictView(tone, words.say(tag or f"tone.{tone.value}"), headline, detail, hint)


def clock_text(seconds: int) -> str:
    """``2:05``: minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


@dataclass(frozen=True, slots=True)
class Said:
    """``ask`` is said, ``offer`` is what a tap does, ``hint`` how hands are used; empty for nothing."""

    ask: str = ""
    offer: str = ""
    hint: str = ""


def hand_words(language: str, ask: str = "", offer: str = "", hint: str = "", **facts: object) -> Said:
    """The sentences under these keys of the catalogue's ``hands``; nothing for an empty one."""
    say = words(language)
    return Said(*(say.say(f"hands.{key}", **facts) if key else "" for key in (ask, offer, hint)))
