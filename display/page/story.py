"""A match cut into what a page shows: rounds, and in each what was laid and how the table stood after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from display.i18n import Words
from display.view import Situation, ViewModel
from display.words.ends import last_turn
from display.words.present import present
from display.words.sentences import side_name, words_for
from display.words.verdicts import turn_text
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.legal import Turn
from engine.rules.reading import explain
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side


class Role(Enum):
    """What a card was laid for."""

    PARRY = "parry"
    MOVE = "move"
    ATTACK = "attack"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class UsedCard:
    """One card and what it was for."""

    card: Card
    role: Role


@dataclass(frozen=True, slots=True)
class Shot:
    """One entry of a round: ``text`` says what happened, ``view`` is the table after it. ``side``: whose it was, None
    for both hands shown, for time that is up and for what a correction set."""

    text: str
    view: ViewModel
    side: Side | None
    laid: tuple[UsedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One round: the table as it began, who began it, and everything that was done. ``begun.round`` is its number."""

    begun: ViewModel
    starts: str
    shots: tuple[Shot, ...]

    @property
    def end(self) -> ViewModel:
        """The table after the last entry."""
        return self.shots[-1].view if self.shots else self.begun


@dataclass(frozen=True, slots=True)
class Story:
    """A whole match. ``opening`` is the view before its first round; ``preset`` and ``points`` say what was played."""

    opening: ViewModel
    chapters: tuple[Chapter, ...]

    @property
    def end(self) -> ViewModel:
        return self.chapters[-1].end if self.chapters else self.opening


JudgedEntry = tuple[object, PublicState, Ruling]
"""An accepted entry, the state after it and the ruling on it: what ``engine.record.notation.replay`` gives."""


def story(judged: Iterable[JudgedEntry], names: BySide[str], language: str) -> Story:
    """The match these entries are, from its match event on. Raises ValueError when it does not begin with one."""
    say = words_for(language, names)
    opening: ViewModel | None = None
    chapters: list[tuple[ViewModel, str, list[Shot]]] = []
    for entry, state, ruling in judged:
        revealed = BySide(entry.white, entry.black) if isinstance(entry, RevealEvent) else None
        view = present(Situation(state, ruling, names=names, language=language, revealed=revealed))
        if isinstance(entry, MatchEvent):
            opening = view
        elif isinstance(entry, RoundEvent):
            chapters.append((view, say.say("page.starts", side=side_name(say, state.starter)), []))
        else:
            chapters[-1][2].append(_shot(say, entry, state, ruling, view))
    if opening is None:
        raise ValueError("a match begins with a match event")
    return Story(opening, tuple(Chapter(begun, starts, tuple(shots)) for begun, starts, shots in chapters))


def _shot(say: Words, entry: object, state: PublicState, ruling: Ruling, view: ViewModel) -> Shot:
    before = state.previous
    if before is not None and isinstance(entry, TurnEvent):
        told = last_turn(state, ruling)
        assert told is not None
        return Shot(turn_text(say, told), view, told.side, _laid(before, entry))
    if before is not None and isinstance(entry, YieldEvent):
        text = say.say("accepted.yield", side=side_name(say, before.to_act))
        return Shot(text, view, before.to_act, tuple(UsedCard(card, Role.GIVEN_UP) for card in entry.cards))
    if isinstance(entry, RevealEvent):
        return Shot(say.say("page.hands"), view, None)
    if isinstance(entry, TimeEvent):
        return Shot(say.say("ready.time"), view, None)
    return Shot(say.say("page.corrected"), view, None)


def _laid(before: PublicState, entry: TurnEvent) -> tuple[UsedCard, ...]:
    """The cards in the order parry, move, attack, each with what it was for."""
    turn = explain(before, entry)
    assert isinstance(turn, Turn)
    parried = [UsedCard(card, Role.PARRY) for card in turn.parry]
    moved = [UsedCard(turn.step, Role.MOVE)] if turn.step else []
    return (*parried, *moved, *(UsedCard(card, Role.ATTACK) for card in turn.attack))
