"""One sitting: what two bots and their household do at a table, from the first frame on."""

from __future__ import annotations

import time
from pathlib import Path

from households.household import Household
from households.people import Script
from households.refereed import ASKING, PATIENCE_S, LostError, RefereedTable, partial_happening
from households.room import Reaching, World
from households.tally import Fate, Tally, cause_of

from engine.players.players import Bot, GreedyBot, RandomBot
from engine.players.simulation import deal, reveal
from engine.rules.cards import Card
from engine.rules.events import RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.legal import GiveUp, turn_event
from engine.rules.referee import judge
from engine.rules.state import Phase, PlayerView
from engine.rules.track import START, Side
from engine.table.desk import EndTurn, Entry
from firmware.extras.simulation.director import misplay


class Sitting(RefereedTable):
    """A household's sitting. ``run`` gives its tally."""

    def __init__(
        self,
        home: Household,
        world: World,
        end_turn: EndTurn,
        *,
        points: int = 1,
        most_turns: int = 14,
        save: Path | None = None,
    ) -> None:
        super().__init__(home, world, end_turn, points=points, save=save)
        self._turns, self._most_turns = 0, most_turns
        self.script = self._sitting()

    def run(self) -> Tally:
        """Play it to its end."""
        began = time.process_time()
        try:
            self.loop.run()
        except LostError as error:
            self.tally.broken.append(f"seed {self.home.seed}: {error}")
        self.tally.frames, self.tally.took_s = self.index, time.process_time() - began
        return self.tally

    def _sitting(self) -> Script:
        yield from self._opening()
        while self.state.phase is not Phase.MATCH_OVER and self._turns < self._most_turns:
            yield from self._round()
        yield from self.wait(0.6)

    def _opening(self) -> Script:
        trouble, room = self.home.trouble, self.room
        if trouble.hand_frames:
            x, y, z = self._hand_place(trouble.hand_at)
            side = Side.BLACK if x > 308 else Side.WHITE
            for _ in range(trouble.hand_frames):
                sway = self.rng.gauss(0.0, 1.5) if self.rng.random() < 0.3 else 0.0
                room.hands[side] = Reaching(side, x + sway, y, z)
                yield
            yield from self.withdraw(side)
        if trouble.box_frames:
            room.boxed = trouble.box_on
            for _ in range(trouble.box_frames):
                yield
            yield from self.reach(Side.WHITE, *self._hand_place(f"marker {trouble.box_on}"))
            room.boxed = None
            yield from self.withdraw(Side.WHITE)
        if trouble.dark_frames:
            room.light = 0.015
            for _ in range(trouble.dark_frames):
                yield
            yield from self._light_up(0.3, 0.7)

    def _hand_place(self, name: str) -> tuple[float, float, float]:
        table = self.layout.table
        if name in ("white", "black"):
            standing = self.room.figures[Side(name)]
            return standing.x_mm, standing.y_mm - 8, 55.0
        if name.startswith("marker"):
            corner = table.corners[int(name[-1])]
            return corner.x, corner.y, 20.0
        return (308.0, -40.0, 60.0) if name == "middle" else (self.rng.uniform(180, 440), -150.0, 14.0)

    def _light_up(self, *steps: float) -> Script:
        for light in steps:
            self.room.light = light
            yield
        self.room.light = 1.0
        yield

    def _round(self) -> Script:
        number = self.state.round + 1
        if number > 1:  # the first may begin while a box still lies on a marker: that is no mistake
            self.entries.clear()
        yield from self._set_up()
        event = RoundEvent()
        said = yield from self.watch(PATIENCE_S)
        yield from self.judge("round", number, event, said, "set up")
        assert self.state.phase is Phase.TURN
        self.full = deal(self.state, self.rng)
        self.layout.begin_round()
        while self.state.phase in (Phase.TURN, Phase.FINAL) and self._turns < self._most_turns:
            self._turns += 1
            yield from self._happens(self._turns)
            yield from self._turn()
        ended = self.state
        if ended.phase is Phase.REVEAL:
            yield from self._reveal()
        if self.state.phase in (Phase.TURN, Phase.FINAL):
            self._most_turns = 0

    def _set_up(self) -> Script:
        if self.room.cards:
            yield from self.reach(Side.WHITE, 308.0, -150.0, 14.0)
            self.room.cards.clear()
            yield from self.withdraw(Side.WHITE)
        for side in Side:
            if self.room.figures[side].space != START[side]:
                yield from self.move(side, side, START[side])
                yield from self.withdraw(side)

    def _happens(self, turn: int) -> Script:
        """What befalls the household before this turn: a bump, lamps, people leaning in."""
        trouble, room = self.home.trouble, self.room
        if trouble.bump_turn == turn:
            room.blur_px = 3.0
            yield
            room.bumped, room.blur_px = True, 0.0
            yield
        if turn in trouble.lamp_turns:
            room.light = self.rng.choice((0.35, 1.8))
            room.lamps += 1
            yield from self._light_up((1 + room.light) / 2)
        if trouble.leaning and self.rng.random() < trouble.leaning:
            self.leaning_until = self.index + self.rng.randint(10, 60)

    def _turn(self) -> Script:
        side, full = self.state.to_act, self.full
        assert side is not None
        assert full is not None
        bot: Bot = GreedyBot() if self.rng.random() < 0.7 else RandomBot()
        chosen = bot.choose(PlayerView(self.state, side, full.hands[side]), self.rng)
        if isinstance(chosen, GiveUp):
            yield from self._give_up(side, chosen.cards)
            return
        meant = turn_event(self.state, chosen)
        if self.rng.random() < self.home.trouble.illegal:
            yield from self._illegal(side, meant)
        self.entries.clear()
        yield from self.act(side, meant)
        said = yield from self.end(side)
        what = f"{side.value} {' '.join(map(str, meant.cards))} -> {meant.white}, {meant.black}"
        yield from self.judge("turn", self._turns, meant, said, what, side)

    def _illegal(self, side: Side, meant: TurnEvent) -> Script:
        assert self.full is not None
        spoiled = misplay(self.state, meant, self.full.hands[side], self.rng)
        if spoiled is None or any(card in self.room.cards for card in spoiled.event.cards):
            return
        event = spoiled.event
        self.entries.clear()
        yield from self.act(side, event)
        said = yield from self.end(side, patience_s=5.0 if self.end_turn is EndTurn.AUTO else PATIENCE_S)
        _, ruling = judge(self.state, event)
        what = f"{side.value} {' '.join(map(str, event.cards))} -> {event.white}, {event.black} ({ruling.code})"
        happening = partial_happening("illegal", self._turns, what, said, *cause_of(self.look, self.room))
        if isinstance(said, Entry):
            same = self.same(said.event, event) and said.ruling.code == ruling.code
            self.note(happening(Fate.RIGHT if same else Fate.WRONG))
            if said.ruling.ok:
                yield from self.by_hand(UndoEvent())
        elif self.end_turn is EndTurn.AUTO:
            self.note(happening(Fate.RIGHT))
        else:
            self.note(happening(Fate.ASKED if said in ASKING else Fate.MISSING))
        for card in event.cards:
            if card not in meant.cards:
                yield from self.take(side, card)
                # It goes back into the hand before another is chosen: nobody swaps two cards in half a second.
                yield from self.withdraw(side)
                yield from self.wait(self.rng.uniform(0.4, 1.2))

    def _give_up(self, side: Side, cards: tuple[Card, ...]) -> Script:
        """The first press lays nothing that answers, the second one means it."""
        spaces = self.state.spaces
        self.entries.clear()
        yield from self.act(side, TurnEvent(cards, spaces.white, spaces.black))
        yield from self.withdraw(side)
        yield from self.wait(0.6)
        self.press(side)
        yield from self.watch(PATIENCE_S)
        self.entries.clear()
        yield from self.wait(0.6)
        self.press(side)
        said = yield from self.watch(PATIENCE_S)
        yield from self.judge("turn", self._turns, YieldEvent(cards), said, f"{side.value} gives up")

    def _reveal(self) -> Script:
        assert self.full is not None
        if self.room.cards:  # people make room for their hands
            yield from self.reach(Side.BLACK, 308.0, -150.0, 14.0)
            self.room.cards.clear()
            yield from self.withdraw(Side.BLACK)
        event = reveal(self.full)
        self.entries.clear()
        for side, hand in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
            for number, card in enumerate(hand):
                yield from self.lay(side, self.layout.shown(self.room, card, number, len(hand), side))
            yield from self.withdraw(side)
        said = yield from self.watch(PATIENCE_S)
        hands = " | ".join(" ".join(map(str, hand)) for hand in (event.white, event.black))
        yield from self.judge("reveal", self.state.round, event, said, hands)
