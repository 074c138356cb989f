"""The course of a match at the simulated table, tick by tick.

Two bots know what players know. They lay cards, move figures, press their button, look at the screen and, where it
refuses them, put things back and play again. They make mistakes on purpose, as people do, so that the referee can be
seen to notice; each is checked to be illegal before it is acted out, because nobody can see that another legal turn was
meant. The director keeps the truth they act from, so that whatever the referee says can be held against it; the referee
is never told.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.players.players import Bot
from engine.players.simulation import deal, play
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.legal import GiveUp, turn_event
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PlayerView, PublicState
from engine.rules.track import SPACES, START, BySide, Side
from engine.table.presses import Button, Press
from firmware.extras.simulation.actors import Actors, Script, Shown, Stage, StuckMatchError
from vision.printed.table import Table


class Misplay(Enum):
    """The mistakes bots make, as people do."""

    WRONG_NUMBER = "moves by another number than the card"
    FORGOTTEN_CARD = "forgets to lay a card"
    PLAYED_CARD = "lays a card that was already played"
    WRONG_FIGURE = "moves the other figure"
    WRONG_DISTANCE = "attacks from the wrong distance"
    SHORT_PARRY = "parries with too few cards"


@dataclass(frozen=True, slots=True)
class Misplayed:
    """A turn gone wrong: what is acted out instead of the turn that was meant."""

    kind: Misplay
    event: TurnEvent


def misplay(state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random) -> Misplayed | None:
    """A misplay of ``meant`` by the player to act that the rules refuse, or None if none of them fits here."""
    kinds = list(Misplay)
    rng.shuffle(kinds)
    kinds.sort(key=lambda kind: kind is not Misplay.SHORT_PARRY)  # seldom possible, so made whenever it is
    for kind in kinds:
        event = _spoiled(kind, state, meant, hand, rng)
        if event is not None and event != meant and not judge(state, event)[1].ok:
            return Misplayed(kind, event)
    return None


def _spoiled(
    kind: Misplay, state: PublicState, meant: TurnEvent, hand: tuple[Card, ...], rng: random.Random
) -> TurnEvent | None:
    """This mistake in the place of ``meant``; None where it cannot be made."""
    side, spaces, attack = state.to_act, state.spaces, state.attack
    assert side is not None
    before, after = spaces[side], meant.spaces[side]
    match kind:
        case Misplay.WRONG_NUMBER if before != after:
            wrong = after + rng.choice((-1, 1, 2, -2))
            return _moved(meant, side, wrong) if wrong != before else None
        case Misplay.FORGOTTEN_CARD if meant.cards:
            left_out = rng.choice(meant.cards)
            return replace(meant, cards=tuple(card for card in meant.cards if card != left_out))
        case Misplay.PLAYED_CARD if state.played and before != after:  # only the top discard is in reach
            top = state.played[-1]
            return _moved(replace(meant, cards=(top,)), side, before + side.forward * top.value)
        case Misplay.WRONG_FIGURE if before != after:
            still = TurnEvent(meant.cards, spaces.white, spaces.black)
            return _moved(still, side.other, spaces[side.other] + side.other.forward * abs(after - before))
        case Misplay.WRONG_DISTANCE if attack is None:
            off = [card for card in hand if card.value != state.distance]
            return TurnEvent((rng.choice(off),), spaces.white, spaces.black) if off else None
        case Misplay.SHORT_PARRY if attack is not None:
            cards = tuple(card for card in hand if card.value == attack.value)[: attack.count - 1]
            return TurnEvent(cards, spaces.white, spaces.black) if cards else None
    return None


def _moved(event: TurnEvent, side: Side, space: int) -> TurnEvent | None:
    """This turn with this side's figure there; None where it cannot stand: off the track, or behind the other."""
    spaces = event.spaces.put(side, space)
    if not 1 <= spaces.white < spaces.black <= SPACES:
        return None
    return TurnEvent(event.cards, spaces.white, spaces.black)


@dataclass(frozen=True, slots=True)
class WrongRuling:
    """A verdict that differs from the simulated truth. ``said`` and ``true`` are for people to read."""

    said: str
    true: str


@dataclass
class TruthTally:
    """Counts of what really happened at the table."""

    turns: int = 0
    mistakes: dict[Enum, int] = field(default_factory=dict)
    caught: int = 0
    wrong: list[WrongRuling] = field(default_factory=list)
    unanswered: int = 0


TRIES = 4


def _on_screen(state: PublicState | None) -> tuple[object, ...] | None:
    """The game as anybody at the table can read it off the screen."""
    return state and (state.phase, state.to_act, state.spaces, state.pile, state.attack, state.score)


class Director(Actors):
    """Moves the simulated table on by one picture at a time; a match is over when ``tick`` gives None."""

    def __init__(
        self,
        table: Table,
        match: MatchEvent,
        bots: BySide[Bot],
        rng: random.Random,
        *,
        tick_s: float,
        mistakes: float = 0.0,
        watched: bool = True,
        stage: Stage | None = None,
    ) -> None:
        """``mistakes`` is the chance of a misplay a turn; ``watched`` says whether a screen answers the players.

        ``stage``: the table as it was left by others.
        """
        super().__init__(table, rng, tick_s, stage=stage)
        self._bots = bots
        self._mistakes = mistakes
        self._watched = watched
        opened, _ = judge(None, match)
        assert opened is not None
        self.state: PublicState = opened  # the true one
        self._full: FullState | None = None
        self._answered = 1  # the verdict on the match event, which opens it
        self.tally = TruthTally()
        self._script = self._match()

    def agree(self, match: MatchEvent) -> None:
        """Play this match: heard before the first picture only."""
        opened, _ = judge(None, match)
        if opened is not None and self._shown is None and self._full is None:
            self.state = opened

    # -- the match -------------------------------------------------------------------------------------------------

    def _match(self) -> Script:
        yield from self._wait(1.2)
        while self.state.phase is not Phase.MATCH_OVER:
            yield from self._round()
        yield from self._wait(2.0)

    def _round(self) -> Script:
        yield from self._set_up()
        while self.state.phase in (Phase.TURN, Phase.FINAL):
            yield from self._turn()
        if self.state.phase is Phase.REVEAL:
            yield from self._reveal()

    def _set_up(self) -> Script:
        if self.stage.cards:
            yield from self._sweep()
        for side in Side:
            if self.stage.spaces[side] != START[side]:
                yield from self._move_figure(side, side, START[side])
                yield from self._withdraw(side)
        self.stage.piled = self._rng.random() < 0.7
        yield from self._settle(RoundEvent(), press=None)
        self._full = deal(self.state, self._rng)
        self.state = self._full.public

    def _turn(self) -> Script:
        side = self.state.to_act
        assert side is not None
        assert self._full is not None
        chosen = self._bots[side].choose(PlayerView(self.state, side, self._full.hands[side]), self._rng)
        self.tally.turns += 1
        if isinstance(chosen, GiveUp):
            yield from self._give_up(side, chosen.cards)
            return
        meant = turn_event(self.state, chosen)
        if self._watched and self._rng.random() < self._mistakes:
            yield from self._misplay(side, meant)
        yield from self._act(side, meant)
        yield from self._settle(meant, press=side)

    def _misplay(self, side: Side, meant: TurnEvent) -> Script:
        assert self._full is not None
        spoiled = misplay(self.state, meant, self._full.hands[side], self._rng)
        if spoiled is None:
            return
        self.tally.mistakes[spoiled.kind] = self.tally.mistakes.get(spoiled.kind, 0) + 1
        yield from self._act(side, spoiled.event)
        verdict = yield from self._verdict(side)
        if verdict is not None and not verdict.ok:
            self.tally.caught += 1
        else:
            said = "no verdict" if verdict is None else "accepted"
            self.tally.wrong.append(WrongRuling(said, f"refused: {spoiled.kind.value} ({spoiled.event})"))
            if verdict is not None:
                yield from self._verdict(side, Button.UNDO)
        yield from self._put_back(side, spoiled.event)

    def _give_up(self, side: Side, cards: tuple[Card, ...]) -> Script:
        """The first press lays nothing that answers, the second one means it."""
        before = self.state.spaces
        if cards:
            yield from self._act(side, TurnEvent(cards, before.white, before.black))
        yield from self._verdict(side)
        yield from self._wait(0.6)
        yield from self._settle(YieldEvent(cards), press=side)

    def _reveal(self) -> Script:
        assert self._full is not None
        hands = self._full.hands
        for side in Side:
            for number, card in enumerate(hands[side]):
                yield from self._lay(side, self.stage.show(side, card, number))
            yield from self._withdraw(side)
        yield from self._settle(RevealEvent(hands.white, hands.black), press=None)

    # -- what the referee says, held against the truth -------------------------------------------------------------

    def _settle(self, event: Event, press: Side | None) -> Script:
        """Get ``event`` accepted: press where there is a button for it, look, and show it again where it failed."""
        for attempt in range(TRIES):
            verdict = yield from self._verdict(press)
            after = self._true_after(event)
            if verdict is None and not self._watched:
                break
            if verdict is not None and verdict.ok and _on_screen(verdict.state) == _on_screen(after):
                break
            self._note_wrong(verdict, event, after)
            if verdict is not None and verdict.ok:
                yield from self._verdict(press, Button.UNDO)
            yield from self._show_again(event, attempt)
        else:
            raise StuckMatchError(f"{TRIES} tries to have this accepted failed: {event}")
        self._accept(event)

    def _accept(self, event: Event) -> None:
        if self._full is None or isinstance(event, RoundEvent):
            self.state = self._true_after(event)
            return
        self._full, _ = play(self._full, event)
        self.state = self._full.public

    def _true_after(self, event: Event) -> PublicState:
        after, ruling = judge(self.state, event)
        assert after is not None
        assert ruling.ok, (event, ruling)
        return after

    def _note_wrong(self, verdict: Shown | None, event: Event, after: PublicState) -> None:
        if verdict is None:
            self.tally.unanswered += 1
            return
        said = f"accepted as {_on_screen(verdict.state)}" if verdict.ok else "refused"
        self.tally.wrong.append(WrongRuling(said, f"{event} gives {_on_screen(after)}"))

    def _show_again(self, event: Event, attempt: int) -> Script:
        """Lay the cards anew, apart, and stand figures up, as people do when the screen has not understood."""
        yield from self._wait(1.0)
        if isinstance(event, TurnEvent | YieldEvent):
            side = self.state.to_act
            assert side is not None
            yield from self._lay_anew(side, event.cards)
            yield from self._withdraw(side)
        if isinstance(event, TurnEvent) and attempt:
            for side, space in event.spaces.items():
                yield from self._move_figure(side, side, space)
                yield from self._withdraw(side)
        if isinstance(event, RevealEvent):
            aside_mm = (self._rng.uniform(-14.0, 14.0), self._rng.uniform(-12.0, 12.0))
            for side, hand in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
                # Fanned the other way round the cards' other labels are in sight, out of a reflection on the first.
                fan = list(enumerate(hand)) if attempt % 2 else list(enumerate(hand))[::-1]
                for number, card in fan:
                    yield from self._lay(side, self.stage.show(side, card, number, aside_mm))
                yield from self._withdraw(side)

    def _lay_anew(self, side: Side, cards: tuple[Card, ...]) -> Script:
        for number, card in enumerate(cards):
            yield from self._lay(side, self.stage.lay_apart(card, number))

    def _verdict(self, side: Side | None, button: Button | None = None) -> Generator[None, None, Shown | None]:
        """Press (where ``side`` has a button for it) and look at the screen until it answers or patience ends."""
        if button is None and side is not None:
            button = Button(side.value)
        if button is not None:
            yield from self._wait(0.4)
            self._answered = self._shown.verdicts if self._shown is not None else 0
            self._presses.append(Press(self._now_s, button))
        patience_s = 9.0 if self._watched else 2.4 if button is not None else 5.0
        until_s = self._now_s + patience_s
        while self._now_s < until_s:
            yield
            if self._shown is not None and self._shown.verdicts > self._answered:
                self._answered = self._shown.verdicts
                return self._shown
        return None

    # -- hands ---------------------------------------------------------------------------------------------------

    def _put_back(self, side: Side, event: TurnEvent) -> Script:
        played = set(self.state.played)
        for card in reversed(event.cards):
            yield from self._take_back(side, card)
            if card in played:
                yield from self._lay(side, self.stage.lay(card))
        for mover in Side:
            if self.stage.spaces[mover] != self.state.spaces[mover]:
                yield from self._move_figure(side, mover, self.state.spaces[mover])
        yield from self._withdraw(side)
        yield from self._wait(0.8)


AGREE_S = 0.6
"""How long the players look at the question before each presses a button."""


class OpenHandsDirector(Director):
    """Lays both hands open after the deal, plays from there, and fans a hand anew after drawing."""

    def _match(self) -> Script:
        """Both agree first."""
        for button in (Button.WHITE, Button.BLACK):
            yield from self._wait(AGREE_S)
            self._presses.append(Press(self._now_s, button))
        yield from super()._match()

    def _round(self) -> Script:
        yield from self._set_up()
        for side in Side:
            yield from self._fan(side)
        while (player := self.state.to_act) is not None:
            yield from self._wait(1.0)  # to read the possible turns
            yield from self._turn()
            if self.state.result is None:
                yield from self._fan(player)
        if self.state.phase is Phase.REVEAL:
            assert self._full is not None
            hands = self._full.hands
            yield from self._settle(RevealEvent(hands.white, hands.black), press=None)

    def _act(self, side: Side, event: TurnEvent) -> Script:
        """Take the cards of the turn out of the open hand, then play them like any other."""
        for card in event.cards:
            if card in self.stage.cards and card not in self.state.played:
                yield from self._take_back(side, card)
        yield from super()._act(side, event)

    def _put_back(self, side: Side, event: TurnEvent) -> Script:
        yield from super()._put_back(side, event)
        yield from self._fan(side)

    def _lay_anew(self, side: Side, cards: tuple[Card, ...]) -> Script:
        """Lay the cards of a turn among the played ones: beside them is where the hands lie."""
        yield from self._fan(side, without=cards)
        for number, card in enumerate(cards):
            yield from self._lay(side, self.stage.lay(card, number + 1))

    def _fan(self, side: Side, without: tuple[Card, ...] = ()) -> Script:
        """Lay this hand open, as one fan, in one movement: gaps are closed and drawn cards put to its end."""
        assert self._full is not None
        hand = [card for card in self._full.hands[side] if card not in without]
        middle = self.stage.show(side, hand[len(hand) // 2], len(hand) // 2) if hand else None
        if middle is None:
            return
        yield from self._reach(side, middle.x_mm, middle.y_mm - 60.0)
        for number, card in enumerate(hand):
            self.stage.show(side, card, number)
        yield from self._withdraw(side)
