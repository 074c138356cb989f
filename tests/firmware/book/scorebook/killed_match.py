"""A program to be killed: plays matches through the real loop and the real scorebook, on a table laid by hand.

Run by test_book_kill.py and tests/bench/bench_kill.py. It imports everything once and then forks a child for each
line on standard input, ``SEED``: the child opens the book, takes up the match that is not finished as ``engarde play``
does, and plays on as fast as it can. It writes ``MATCH SEQ`` to its standard output as soon as the verdict of that
entry was shown. The line of the parent is the child's process number.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np

from engine.players.players import RandomBot, choice_event
from engine.rules.cards import DECK, Card
from engine.rules.events import MatchEvent, TurnEvent, YieldEvent
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import START, BySide
from engine.table.desk import Settings, take_up
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import open_scorebook
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.requests import TakeUp
from vision.frame import Frame

NAMES = BySide("Ana", "Bo")
LEFT_MM, RIGHT_MM = 100.0, 500.0


class Table:
    """Camera, eyes and buttons of a table that somebody lays by hand: what is seen is what lies there."""

    def __init__(self) -> None:
        self.t_s = 0.0
        self.since_s = 0.0
        self.spaces = START
        self.cards: dict[Card, float] = {}
        self.pressed: list[Button] = []

    def read(self) -> Frame | None:
        self.t_s += 0.1
        return Frame(round(self.t_s * 10), self.t_s, np.zeros((1, 1), np.uint8))

    def close(self) -> None:
        pass

    def look(self, frame: Frame) -> Any:
        cards = tuple(CardReading(card, x_mm, -100.0, 0.0) for card, x_mm in self.cards.items())
        figures = self.spaces.map(FigureReading)
        return Seen(TableObservation(frame.t_s, self.since_s, figures, cards, Sight.STEADY))

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)

    def lay(self, spaces: BySide[int], cards: dict[Card, float]) -> None:
        if (spaces, cards) != (self.spaces, self.cards):
            self.spaces, self.cards, self.since_s = spaces, cards, self.t_s


class Seen:
    """As much of a Look as the loop asks for."""

    def __init__(self, table: TableObservation) -> None:
        self.table = table


def hands(state: PublicState, rng: random.Random) -> FullState:
    """Hidden cards as they may be: any that were not played."""
    unseen = [card for card in DECK if card not in state.played]
    rng.shuffle(unseen)
    white, black = state.hands.white, state.hands.black
    dealt = BySide(tuple(unseen[:white]), tuple(unseen[white : white + black]))
    return FullState(state, dealt, tuple(unseen[white + black :]))


class Players:
    """Lay out what comes next whenever the last thing was ruled on; every now and then they take something back."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self._table = table
        self._rng = rng

    def act(self, state: PublicState) -> None:
        lying = dict.fromkeys(state.played, LEFT_MM)
        if self._rng.random() < 0.08 and state.previous is not None:
            self._table.pressed.append(Button.UNDO)
        elif state.phase in (Phase.SETUP, Phase.ROUND_OVER):
            self._table.lay(START, {})
        elif state.phase is Phase.REVEAL:
            full = hands(state, self._rng)
            lying |= dict.fromkeys(full.hands.white, LEFT_MM) | dict.fromkeys(full.hands.black, RIGHT_MM)
            self._table.lay(state.spaces, lying)
        elif state.to_act is not None:
            full = hands(state, self._rng)
            event = choice_event(state, RandomBot().choose(full.view(state.to_act), self._rng))
            if isinstance(event, TurnEvent):
                self._table.lay(event.spaces, lying | dict.fromkeys(event.cards, LEFT_MM))
            else:
                assert isinstance(event, YieldEvent)
                self._table.lay(state.spaces, lying | dict.fromkeys(event.cards, LEFT_MM))
            self._table.pressed.append(Button.ACT)


class Acknowledger:
    """The screen: once a verdict is shown here, its event must never be lost."""

    def __init__(self, journal: Any, players: Players, loop: Loop) -> None:
        self._journal = journal
        self._players = players
        self._loop = loop

    def attend(self, moment: Moment) -> None:
        if any(entry.ruling.ok for entry in moment.entries):
            os.write(1, f"{self._journal.match_id} {self._journal.seq}\n".encode())
        state = moment.desk.state
        if state is None or moment.desk.comparing is not None:
            return
        if state.phase is Phase.MATCH_OVER:
            self._loop.open(MatchEvent("ferti-advanced", points=2))
            os.write(1, f"{self._journal.match_id} {self._journal.seq}\n".encode())
        elif moment.entries or moment.desk.waiting is None:
            self._players.act(state)


def play(path: Path, seed: int) -> None:
    """Take up the match or begin one, and play until killed."""
    rng = random.Random(seed)
    table = Table()
    with open_scorebook(path, alone=True) as book:
        assert book.salvaged is None, book.notice
        played = book.unfinished()
        journal = book.begin(NAMES, mode="play") if played is None else book.resume(played)
        settings = Settings(settle_s=0.1, quiet_s=0.05)
        loop = Loop(table, table, table, journal, (), settings, People(NAMES, "en"), mode="play")  # type: ignore[arg-type]
        loop.audience = (*loop.audience, Acknowledger(journal, Players(table, rng), loop))
        if played is None or played.course is None:
            loop.open(MatchEvent("ferti-advanced", points=2))
        else:
            state = played.course.state
            cards = {} if state.phase in (Phase.SETUP, Phase.ROUND_OVER) else dict.fromkeys(state.played, LEFT_MM)
            table.lay(state.spaces, cards)
            loop.ask(TakeUp(take_up(played.course)))
        loop.run()


def main() -> None:
    path = Path(sys.argv[1])
    while line := sys.stdin.readline():
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.dup2(writer, 1)
            try:
                play(path, int(line))
            except BaseException:
                traceback.print_exc()
            os._exit(3)
        os.close(writer)
        print(child, flush=True)
        # The parent hands on what the child had shown, and then how it ended.
        while content := os.read(reader, 65536):
            os.write(1, content)
        os.close(reader)
        _, status = os.waitpid(child, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main()
