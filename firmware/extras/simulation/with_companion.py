"""One person at the simulated table, playing against the companion and doing for it what the screen asks.

Nobody tells this person what the companion means: the screen does, in any language, and where it is not followed, it
has to say so. The companion's cards lie face down in its slots; the person's own and the pile lie there too, backs up,
where nobody may read them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from engine.companion.companion import CompanionWish, Instruction, Plan
from engine.players.players import Bot, give_up
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent, TurnEvent, YieldEvent
from engine.rules.legal import GiveUp
from engine.rules.state import Phase, PlayerView
from engine.rules.track import SPACES, BySide, Side
from firmware.extras.simulation.actors import Script, StuckMatchError
from firmware.extras.simulation.director import Director, WrongRuling
from vision.printed.table import Table
from vision.synthetic.scene import SceneCard

PILE_MM: Final = (100.0, -112.0)
OWN_HAND_MM: Final = (70.0, -224.0)
_PATIENCE_S: Final = 40.0
_SEEN_S: Final = 12.0


class Slip(Enum):
    """Mistakes of a person who acts for the companion."""

    WRONG_CARD = "lays the card of another slot"
    WRONG_SPACE = "moves to another space"
    NOT_DEALT = "forgets a card for a slot"


class WithCompanion(Director):
    """A match of one person against the companion. ``backs`` are the tokens on the cards' backs."""

    def __init__(
        self,
        table: Table,
        match: MatchEvent,
        person: Bot,
        companion: Side,
        backs: Mapping[Card, str],
        rng: random.Random,
        *,
        tick_s: float,
        mistakes: float = 0.0,
    ) -> None:
        """``mistakes`` is the chance of a slip in what is done for the companion."""
        super().__init__(table, match, BySide(person, person), rng, tick_s=tick_s)
        self._companion = companion
        self._person = companion.other
        self._backs = backs
        self._slips = mistakes
        self._slots: dict[int, Card] = {}
        self.stage.piled = True
        self.slips: dict[Slip, int] = {}
        self.noticed: dict[Slip, int] = {}

    def _set_up(self) -> Script:
        self._slots.clear()
        yield from super()._set_up()
        self.stage.piled = True
        self._backs_up()
        yield from self._deal(self._rng.random() < self._slips)

    def _turn(self) -> Script:
        if self.state.to_act is self._companion:
            yield from self._obey()
        else:
            yield from super()._turn()
        if self.state.phase in (Phase.TURN, Phase.FINAL):
            self._backs_up()
            yield from self._deal(self._rng.random() < self._slips)

    def _reveal(self) -> Script:
        assert self._full is not None
        hands = self._full.hands
        for side in (self._companion, self._person):
            for number, card in enumerate(hands[side]):
                self._slots = {slot: lying for slot, lying in self._slots.items() if lying != card}
                yield from self._lay(self._person, self.stage.show(side, card, number))
            yield from self._withdraw(self._person)
        yield from self._settle(RevealEvent(hands.white, hands.black), press=None)

    # -- what is done for the companion ----------------------------------------------------------------------------

    def _obey(self) -> Script:
        assert self._full is not None
        side, state = self._companion, self.state
        until_s = self._now_s + _PATIENCE_S
        while (asked := self._asked_turn()) is None:
            told = self._shown.state if self._shown is not None else None
            if told is not None and told.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER):
                yield from self._given_up()
                return
            if self._now_s > until_s:
                said = self._shown.words if self._shown is not None else ""
                raise StuckMatchError(f"the companion asked for nothing; the screen said {said!r}")
            yield
        yield from self._wait(0.6)
        slots, plan = self._asked_turn() or asked
        self.tally.turns += 1
        cards = tuple(self._slots[slot] for slot in slots)
        spaces = state.spaces.put(side, plan.spaces[side])
        meant = TurnEvent(cards, spaces.white, spaces.black)
        if self._rng.random() < self._slips:
            yield from self._slip(meant)
        yield from self._do(meant)
        yield from self._settle(meant, press=side)
        self._slots = {slot: card for slot, card in self._slots.items() if card not in cards}

    def _do(self, event: TurnEvent) -> Script:
        for number, card in enumerate(event.cards):
            yield from self._take_back(self._person, card)
            yield from self._lay(self._person, self.stage.lay(card, number))
        side = self._companion
        if self.stage.spaces[side] != event.spaces[side]:
            yield from self._move_figure(self._person, side, event.spaces[side])
        yield from self._withdraw(self._person)

    def _slip(self, meant: TurnEvent) -> Script:
        """Do something else first; the screen has to say so, and it is put right."""
        side = self._companion
        others = [slot for slot, card in self._slots.items() if card not in meant.cards]
        wrong = meant.spaces[side] + self._rng.choice((-1, 1))
        free = wrong not in (self.state.spaces[side], self.state.spaces[side.other]) and 1 <= wrong <= SPACES
        moves = meant.spaces[side] != self.state.spaces[side]
        if moves and free and self._rng.random() < 0.5:
            yield from self._move_figure(self._person, side, wrong)
            yield from self._withdraw(self._person)
            yield from self._noticed(
                Slip.WRONG_SPACE, lambda said: wrong == (said.progress and said.progress.misplaced)
            )
            return
        if not others:
            return
        slot = self._rng.choice(others)
        card = self._slots[slot]
        yield from self._take_back(self._person, card)
        yield from self._lay(self._person, self.stage.lay_apart(card, 3))
        yield from self._withdraw(self._person)
        yield from self._noticed(Slip.WRONG_CARD, lambda said: card in (said.progress.unasked if said.progress else ()))
        yield from self._take_back(self._person, card)
        yield from self._lay(self._person, self._face_down(card, self.stage.table.slots_mm[slot - 1]))
        yield from self._withdraw(self._person)
        yield from self._wait(2.0)

    def _noticed(self, slip: Slip, says_so: Callable[[Instruction], bool]) -> Script:
        self.slips[slip] = self.tally.mistakes[slip] = self.slips.get(slip, 0) + 1
        until_s = self._now_s + _SEEN_S
        while self._now_s < until_s:
            yield
            if (said := self._instruction()) is not None and says_so(said):
                self.noticed[slip] = self.noticed.get(slip, 0) + 1
                self.tally.caught += 1
                return
        words = self._shown.words if self._shown is not None else ""
        self.tally.wrong.append(WrongRuling(words, slip.value))

    def _deal(self, forgets: bool) -> Script:
        """Fill the companion's slots from the pile, face down."""
        assert self._full is not None
        new = [card for card in self._full.hands[self._companion] if card not in self._slots.values()]
        free = [slot for slot in range(1, len(self.stage.table.slots_mm) + 1) if slot not in self._slots]
        left = len(new) - 1 if forgets else len(new)
        for number, (slot, card) in enumerate(zip(free, new, strict=False)):
            if number == left:
                yield from self._withdraw(self._person)
                yield from self._noticed(
                    Slip.NOT_DEALT, lambda said: said.asked.wish is CompanionWish.DEAL and said.asked.count == 1
                )
            self._slots[slot] = card
            yield from self._lay(self._person, self._face_down(card, self.stage.table.slots_mm[slot - 1]))
        yield from self._withdraw(self._person)

    def _given_up(self) -> Script:
        """The companion entered itself that it gives up: held against whether it had to."""
        assert self._full is not None
        view = PlayerView(self.state, self._companion, self._full.hands[self._companion])
        event = YieldEvent(give_up(view).cards)
        after = self._true_after(event)
        if isinstance(self._bots[self._companion].choose(view, random.Random(1)), GiveUp):
            assert self._shown is not None
            if self._shown.state is None or self._shown.state.score != after.score:
                self._note_wrong(self._shown, event, after)
        else:
            self.tally.wrong.append(WrongRuling("the companion gave up", "it had a turn"))
        self._accept(event)
        self._answered = self._shown.verdicts if self._shown is not None else self._answered
        yield

    # -- the table -------------------------------------------------------------------------------------------------

    def _instruction(self) -> Instruction | None:
        return self._shown.companion if self._shown is not None else None

    def _asked_turn(self) -> tuple[tuple[int, ...], Plan] | None:
        """The slots and the turn that are asked for on the screen; None while no turn is."""
        said = self._instruction()
        if said is None or said.asked.wish is not CompanionWish.TURN or said.asked.plan is None:
            return None
        return said.asked.slots, said.asked.plan

    def _face_down(self, card: Card, at_mm: tuple[float, float]) -> SceneCard:
        """A card with its back up, as exactly in its place as a person lays it."""
        aside = self._rng.gauss(0.0, 3.0), self._rng.gauss(0.0, 3.0)
        turn = self._rng.gauss(0.0, 4.0) + self._rng.choice((0.0, 180.0))
        return SceneCard(card, at_mm[0] + aside[0], at_mm[1] + aside[1], turn, face_up=False, back=self._backs[card])

    def _backs_up(self) -> None:
        """The pile's top card and the person's own lie there too, backs up: nobody's to read."""
        assert self._full is not None
        aside = ((PILE_MM, self._full.pile), (OWN_HAND_MM, self._full.hands[self._person]))
        shown = {card: at for at, cards in aside for card in cards[:1]}
        for card, lying in list(self.stage.cards.items()):
            if not lying.face_up and card not in self._slots.values():
                del self.stage.cards[card]
        for card, at_mm in shown.items():
            self.stage.cards[card] = replace(self._face_down(card, at_mm), x_mm=at_mm[0], y_mm=at_mm[1], turn_deg=2.0)
