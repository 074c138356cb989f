"""What a player whose hand lies open can do, as words beside the game, and what is wrong with how his hand lies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView
from display.words.chances import short_chance
from display.words.hints import joined
from display.words.sentences import capital, listed, side_name
from engine.chances.advice import TurnAdvice
from engine.rules.cards import Card
from engine.rules.state import PlayerView
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
