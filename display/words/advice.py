"""What the coach says: the question to both, hints for both, and what a player whose hand lies open can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView, Situation, Tone, VerdictView
from display.words.sentences import capital, listed, side_name, words_for
from engine.odds import Defence, PublicHints, Reach, TurnAdvice
from engine.rules.cards import VALUES, Card
from engine.rules.legal import Counts
from engine.rules.state import AttackKind, PlayerView
from engine.rules.track import Side

MAX_OPTIONS: Final = 5
"""So many turns are told; of the others only how many there are."""


def advice_panel(say: Words, view: PlayerView, options: Sequence[TurnAdvice]) -> PanelView:
    """The turns this player can make, the most promising first."""
    side = side_name(say, view.side)
    title = say.say("advice.title", side=side)
    if not options:
        return PanelView(title, (PanelLine(say.say("advice.none", side=side), Mark.NOW),))
    lines = [_line(say, view, option) for option in options[:MAX_OPTIONS]]
    if len(options) > MAX_OPTIONS:
        lines.append(PanelLine(capital(say, "advice.more", count=len(options) - MAX_OPTIONS)))
    return PanelView(title, tuple(lines))


def wrong_hand_panel(
    say: Words, side: Side, held: Sequence[Card], expected: int, played: Sequence[Card]
) -> PanelView | None:
    """What is wrong with a hand that lies open: cards played already, too many, too few. None where nothing is."""
    name = side_name(say, side)
    lines = []
    if played:
        cards = listed(say, played, "and")
        lines.append(PanelLine(say.say("advice.played", count=len(played), cards=cards, side=name), Mark.BAD))
    if len(held) > expected:
        lines.append(PanelLine(say.say("advice.many", side=name, found=len(held), expected=expected), Mark.BAD))
    elif len(held) < expected:
        missing = (
            say.say("advice.short", side=name, found=len(held), expected=expected)
            if held
            else say.say("advice.lay", side=name, count=expected)
        )
        lines.append(PanelLine(missing, Mark.NOW))
    return PanelView(say.say("advice.title", side=name), tuple(lines)) if lines else None


def _line(say: Words, view: PlayerView, option: TurnAdvice) -> PanelLine:
    space = view.public.spaces[view.side] + view.side.forward * option.move
    facts = {"space": space, "distance": option.distance}
    parts = []
    if option.strikes:
        hits = ", ".join(
            say.say("advice.hits", count=strike.count, chance=short_chance(say, strike.hits))
            for strike in option.strikes
        )
        kind = "indirect" if option.move else "attack"
        parts.append(say.say(f"advice.{_key(option, kind)}", hits=hits, **facts))
        if option.strikes[0].last:
            parts.append(say.say("advice.last_attack"))
    elif option.move:
        kind = "advance" if option.move > 0 else "retreat"
        parts.append(say.say(f"advice.{_key(option, kind)}", **facts))
        if option.last:
            parts.append(say.say("advice.last_move"))
        elif option.danger is not None:
            parts.append(_danger(say, view.side.other, option))
    else:
        parts.append(say.say("advice.parry"))
    return PanelLine(joined(parts), _mark(option), _cards(view, option))


def _key(option: TurnAdvice, kind: str) -> str:
    return f"parry_{kind}" if option.parry else kind


def _danger(say: Words, other: Side, option: TurnAdvice) -> str:
    assert option.danger is not None
    name = side_name(say, other)
    if option.danger == 0:
        return say.say("advice.safe", opponent=name)
    told = say.say("advice.danger", opponent=name, chance=short_chance(say, option.danger))
    if option.kept:
        return joined((told, capital(say, "advice.kept", count=option.kept, value=option.distance)))
    return told


def _mark(option: TurnAdvice) -> Mark:
    if option.strikes:
        return Mark.GOOD if option.best >= Fraction(1, 2) else Mark.PLAIN
    if option.danger is None:
        return Mark.PLAIN
    if option.danger == 0:
        return Mark.GOOD
    return Mark.BAD if option.danger >= Fraction(1, 2) and not option.kept else Mark.PLAIN


def _cards(view: PlayerView, option: TurnAdvice) -> tuple[Card, ...]:
    """The cards of the turn, attacks with one of theirs: their number is in the words."""
    attack = view.public.attack
    values = [attack.value] * option.parry if attack is not None else []
    values += [abs(option.move)] if option.move else []
    values += [option.distance] if option.strikes else []
    left = list(view.hand)
    cards = []
    for value in values:
        card = next(card for card in left if card.value == value)
        left.remove(card)
        cards.append(card)
    return tuple(cards)


def questioned(situation: Situation, mode: str, agreed: Side | None) -> Situation:
    """The situation with the question whether both want ``mode`` (``hints`` or ``open``); ``agreed`` has said yes."""
    say = words_for(situation.language, situation.names)
    undo = say.say("key.undo")
    hint = say.say("coach.agree", undo=undo)
    if agreed is not None:
        hint = say.say("coach.waits", side=side_name(say, agreed), opponent=side_name(say, agreed.other), undo=undo)
    question, detail = say.say(f"coach.{mode}_question"), say.say(f"coach.{mode}_detail")
    marks = {side: Mark.GOOD if side is agreed else Mark.NOW for side in Side}
    lines = (
        PanelLine(detail),
        *(
            PanelLine(say.say("coach.yes" if side is agreed else "coach.press", side=side_name(say, side)), marks[side])
            for side in Side
        ),
    )
    return replace(
        situation,
        helped=replace(
            situation.helped,
            panel=PanelView(say.say(f"coach.{mode}_title"), lines),
            verdict=VerdictView(Tone.QUESTION, say.say("coach.tag"), question, hint=hint),
        ),
    )


def noticed(situation: Situation, key: str) -> Situation:
    """The situation with a word on what was agreed to, or ended (a key of the catalogue's table ``coach``)."""
    say = words_for(situation.language, situation.names)
    tone = Tone.LEGAL if key.startswith("on_") else Tone.READY
    return replace(
        situation,
        helped=replace(
            situation.helped, verdict=VerdictView(tone, say.say(f"tone.{tone.value}"), say.say(f"coach.{key}"))
        ),
    )


def hints_panel(say: Words, told: PublicHints) -> PanelView:
    """All that can be said of this position to both players."""
    if told.defence is not None:
        lines = _defence(say, told, told.defence)
    else:
        lines = [PanelLine(_distance(say, told))]
        if told.attack is not None and told.reach is not Reach.AWAY:
            chance = short_chance(say, told.attack)
            lines.append(PanelLine(say.say("hints.attack", side=side_name(say, told.side), chance=chance)))
        if told.closing:
            values = listed(say, told.closing, "or")
            lines.append(PanelLine(say.say("hints.closing", values=values)))
    if told.few:
        lines.append(PanelLine(capital(say, "hints.few", count=told.pile), Mark.NOW))
    lines.append(PanelLine(say.say("hints.unseen", counts=counts_text(say, told.unseen))))
    return PanelView(say.say("hints.title"), tuple(lines))


def counts_text(say: Words, counts: Counts) -> str:
    """How many cards of each value, those of the value 1 first: ``five 1s, a 2 and three 4s``."""
    held = [(value, count) for value, count in zip(VALUES, counts, strict=True) if count]
    return listed(say, [say.say("open.card", value=value, count=count) for value, count in held], "and")


def _distance(say: Words, told: PublicHints) -> str:
    steps = listed(say, [f"{step} + {value}" for step, value in told.steps], "or")
    key = f"hints.{told.reach.value}"
    if told.reach is Reach.DIRECT and told.steps:
        key += "_steps"
    return say.say(key, distance=told.distance, farthest=told.farthest, steps=steps)


def _defence(say: Words, told: PublicHints, defence: Defence) -> list[PanelLine]:
    """The attack that waits: who can still parry it, and whether a retreat is left."""
    attack, side = defence.attack, side_name(say, told.side)
    parries = say.say("hints.parry", count=attack.count, value=attack.value, side=side, unseen=defence.unseen)
    lines = [PanelLine(parries)]
    mark = Mark.BAD if defence.parry == 0 else Mark.PLAIN
    key = "hints.parry_impossible" if defence.parry == 0 else "hints.parry_chance"
    chance = short_chance(say, defence.parry)
    lines.append(PanelLine(say.say(key, side=side, chance=chance, value=attack.value), mark))
    if defence.retreat is not None:
        retreat = short_chance(say, defence.retreat)
        lines.append(PanelLine(say.say("hints.retreat", side=side, chance=retreat)))
        lines.append(PanelLine(say.say("hints.answer", chance=short_chance(say, defence.answer))))
    else:
        key = "hints.no_retreat" if attack.kind is AttackKind.DIRECT else "hints.no_room"
        lines.append(PanelLine(say.say(key, side=side)))
    if defence.last:
        lines.append(PanelLine(say.say("hints.last_defence"), Mark.NOW))
    return lines


def joined(texts: Sequence[str]) -> str:
    """Sentences one after the other."""
    return " ".join(text for text in texts if text)


PLAIN: Final = tuple(
    Fraction(good, of)
    for good, of in (
        *((1, 30), (1, 20), (1, 15), (1, 12), (1, 10), (1, 8), (1, 7), (1, 6), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2)),
        *((3, 5), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (9, 10), (19, 20), (29, 30)),
    )
)
"""What people say for a chance: the nearest of these."""
RARE: Final = Fraction(1, 40)
"""A smaller chance hardly ever comes true; one as near to certain nearly always does."""


def short_chance(say: Words, chance: Fraction) -> str:
    """``about 1 in 3 (37.5%)``; certain and impossible need no figure."""
    if chance in (0, 1):
        return plain_chance(say, chance)
    return say.say("chance.short", about=plain_chance(say, chance), percent=percent(say, chance))


def plain_chance(say: Words, chance: Fraction) -> str:
    """The words alone."""
    if chance == 0:
        return say.say("chance.never")
    if chance == 1:
        return say.say("chance.always")
    if chance < RARE:
        return say.say("chance.hardly")
    if chance > 1 - RARE:
        return say.say("chance.nearly")
    near = min(PLAIN, key=lambda plain: abs(plain - chance))
    return say.say("chance.about", good=near.numerator, of=near.denominator)


def percent(say: Words, chance: Fraction) -> str:
    """To a tenth, and never rounded to what is certain or impossible."""
    tenths = min(max(round(chance * 1000), 1), 999) if 0 < chance < 1 else round(chance * 1000)
    return say.say("chance.percent", whole=tenths // 10, tenth=tenths % 10)
