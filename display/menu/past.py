"""The menu's pages of past matches: all of them, one with its rounds, and a round turn by turn with its review."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from display.i18n import Words
from display.menu.lines import Do, Goto, Of
from display.menu.model import Item, Menu, Page
from display.menu.rounds import PastRound, unsaid_of


@dataclass(frozen=True, slots=True)
class PastLine:
    """A match to open: its number in the scorebook, and who won it, in words.

    ``elsewhere``: it was not played at this table, and does not count here.
    """

    number: int
    text: str
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class PastRoundLine:
    """A round to open: its number, how the match stood after it, and who began and won it, and how, in words."""

    number: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that is open: its line, and the rounds that are over. ``busy``: something is made of it now.

    ``over``: it has a result. ``facts``: when it was, by which rules, and how long, a line each. ``coded``: the picture
    of its result has a code to its page; None where that is switched off.
    """

    line: PastLine
    rounds: tuple[PastRoundLine, ...]
    busy: bool = False
    over: bool = True
    facts: tuple[str, ...] = ()
    coded: bool | None = False


def history_page(say: Words, lines: tuple[PastLine, ...]) -> Page:
    """All matches at this table, the latest first, and those that were played elsewhere."""
    here = [line for line in lines if not line.elsewhere]
    items = [Item(Of(Goto.PAST, line.number), line.text) for line in here]
    if len(here) < len(lines):
        items.append(Item(Goto.ELSEWHERE, say.say("past.elsewhere"), note=say.say("past.elsewhere_note")))
    return Page(say.say("menu.history"), tuple(items), () if here else (say.say("menu.history_empty"),))


def elsewhere_page(say: Words, lines: tuple[PastLine, ...]) -> Page:
    """Matches that count for nothing at this table: at the simulated one, or of bots; or, there, at a real one."""
    items = tuple(Item(Of(Goto.PAST, line.number), line.text) for line in lines if line.elsewhere)
    return Page(say.say("past.elsewhere"), items)


_MADE: Final = (Do.FILM, Do.PAGE, Do.CARD, Do.GIF, Do.RECORD)
"""What can be taken home, the dearest first."""


def past_page(say: Words, past: PastMatch | None) -> Page:
    """One match: its rounds to open, and what can be taken home on a stick."""
    if past is None:
        return Page(say.say("menu.history"), (), (say.say("past.gone"),))
    number = past.line.number
    rounds = (Item(Of(Goto.ROUND, number, each.number), each.text, note=each.note) for each in past.rounds)
    return Page(past.line.text, (*rounds, *_to_take_home(say, past)), past.facts)


def share_page(say: Words, past: PastMatch | None) -> Page:
    """What of one match can be taken home on a stick."""
    if past is None:
        return Page(say.say("menu.history"), (), (say.say("past.gone"),))
    return Page(past.line.text, _to_take_home(say, past), past.facts)


def _to_take_home(say: Words, past: PastMatch) -> tuple[Item, ...]:
    """What can be made of a match, or the line that ends what is being made."""
    number = past.line.number
    if past.busy:
        return (Item(Of(Do.STOP_MAKING, number), say.say("past.stop")),)
    made = (do for do in _MADE if past.over or do is not Do.CARD)
    return tuple(Item(Of(do, number), say.say(f"past.{do.value}"), note=_note(say, do, past)) for do in made)


def _note(say: Words, do: Do, past: PastMatch) -> str:
    """What the thing is that can be taken home."""
    if do is Do.CARD and past.coded is not False:
        return say.say("past.card_note_code" if past.coded else "past.card_note_off")
    return say.say(f"past.{do.value}_note")


def round_page(say: Words, menu: Menu, past: PastRound | None) -> Page:
    """A round: each turn is a line, and the chosen one is drawn with the graph; then what can become a puzzle."""
    if past is None:
        return Page(say.say("menu.history"), (), (say.say("past.gone"),))
    turns, at = len(past.turns), menu.here.at
    if turns <= at < turns + len(past.mistakes):
        at = past.mistakes[at - turns].number
    at = min(at, turns - 1)
    shown = replace(past, at=at)
    items = [
        Item(Of(Do.SHOW_TURN, place), turn.text, note=unsaid_of(shown) if place == at else "")
        for place, turn in enumerate(past.turns)
    ]
    offer = None
    for mistake in past.mistakes:
        text = say.say("past.kept" if mistake.kept else "past.keep", name=mistake.name)
        offer = (text, len(items)) if mistake.number == at else offer
        items.append(Item(Of(Do.KEEP_PUZZLE, mistake.number), text, note=say.say("past.keep_note")))
    return Page(past.review.title, tuple(items), past=replace(shown, offer=offer))
