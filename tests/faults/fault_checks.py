"""What must hold after every step, whatever failed: truth, book, screen, lamps and web agree, and nothing is lost."""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from fault_world import People, Scene, World, revealed

from engine.players.simulation import deal, play
from engine.record.answers import entry_from_json, entry_to_json
from engine.record.course import JournalEntry
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import START, Side
from engine.table.desk import Entry
from firmware.book.scorebook.book import read_scorebook
from firmware.table.loop.moment import Moment

MAX_OF_A_MOMENT: Final = 8
"""Entries that one moment can book: one for each press that was waiting for it, and one that falls by itself."""
LOOKED_AT_S: Final = 2.0
"""So long after a card was put down the eyes have it at the latest, on a table that stands still."""


class BrokenPromise(BaseException):
    """Something that must always hold does not."""


class Checker:
    """Knows the truth: what lies on the table, what the rules make of it, and all that was ever acknowledged."""

    def __init__(self, world: World, people: People, rng: random.Random) -> None:
        self._world, self._people, self._rng = world, people, rng
        self.known: list[JournalEntry] = []
        self._line: list[FullState | PublicState] = []
        self.accepted = self.refused = self.matches = 0
        self._put: dict[Card, tuple[tuple[float, float], float]] = {}
        self._lain: set[Card] = set()
        self._accepted_s = 0.0
        self._scene_before = world.scene

    @property
    def state(self) -> PublicState | None:
        """Where the match truly stands."""
        if not self._line:
            return None
        now = self._line[-1]
        return now.public if isinstance(now, FullState) else now

    # -- what was ruled --------------------------------------------------------------------------------------------

    def printed(self, line: str) -> None:
        """One line that the program printed: from now on it may never be lost."""
        told = json.loads(line)
        if told["ruling"]["ok"]:
            self._happened(entry_from_json(told["event"]))
        else:
            self.refused += 1

    def ruled(self, entries: tuple[Entry, ...]) -> None:
        """The rulings of one moment: a refusal has to be of what lies on the table, and right."""
        now_s, lying = self._world.now_s, self._world.scene.cards
        self._put = {
            card: self._put[card] if card in self._put and self._put[card][0] == place else (place, now_s)
            for card, place in lying.items()
        }
        for entry in entries:
            state = self.state
            if entry.ruling.ok or not isinstance(entry.event, TurnEvent) or state is None:
                continue
            again = self._laid_again(state, entry.event)
            # A press is judged by the table as it stood when it was made: a hand may have come since the frame before.
            scenes = (self._world.scene, self._scene_before)
            turns = [self._true_turn(state, scene) for scene in scenes]
            true = next((each for each in turns if _alike(entry.event, replace(each, cards=each.cards + again))), None)
            _require(true is not None, f"refused {entry.event}, but {turns[0]} lies there")
            assert true is not None
            _require(not judge(state, true)[1].ok, f"refused a legal turn: {true}, {entry.ruling.code}")
        self._scene_before = self._world.scene

    def _happened(self, event: JournalEntry) -> None:
        state, full = self.state, self._people.full
        self.accepted += 1
        match event:
            case MatchEvent():
                _require(state is None or state.phase is Phase.MATCH_OVER, "a match begun in the middle of another")
                self.matches += 1
                self._line = [_judged(state, event)]
                self._people.full = None
            case UndoEvent():
                _require(self._world.undos_pressed > 0, "taken back, and nobody pressed for it")
                self._world.undos_pressed -= 1
                _require(len(self._line) > 1, "more taken back than there was")
                self._line.pop()
                before = self._line[-1]
                self._people.full = before if isinstance(before, FullState) else None
            case RoundEvent():
                scene = self._world.scene
                _require(scene.spaces == START and not scene.cards, f"a round begun at {scene}")
                assert state is not None
                self._goes_on(deal(_judged(state, event), self._rng))
            case TurnEvent() | YieldEvent() | RevealEvent():
                _require(full is not None and state is not None, f"{event} between rounds")
                assert full is not None
                assert state is not None
                self._lies_there(event, full, state)
                after, ruling = play(full, event)
                _require(ruling.ok, f"accepted against the rules: {event}, {ruling.code}")
                self._goes_on(after)
            case _:
                raise BrokenPromise(f"nobody asked for this: {event}")
        self.known.append(event)
        self._accepted_s = self._world.now_s
        assert self.state is not None
        self._lain = {card for card in self.state.played if card in self._lain or card in self._world.scene.cards}

    def _goes_on(self, full: FullState) -> None:
        self._line.append(full)
        self._people.full = full

    def _lies_there(self, event: TurnEvent | YieldEvent | RevealEvent, full: FullState, state: PublicState) -> None:
        """What was accepted is what the players did."""
        true = self._true_turn(state, self._world.scene)
        if isinstance(event, TurnEvent):
            _require(_alike(event, true), f"accepted {event}, but {true} lies there")
        elif isinstance(event, YieldEvent):
            _require(self._people.gives_up, f"{state.to_act} never gave up")
            _require({*event.cards} == {*true.cards}, f"gave up with {event.cards}, but {true.cards} lie there")
        else:
            _require(event == revealed(full), f"{event} shown, the hands are {full.hands}")

    def _laid_again(self, state: PublicState, event: TurnEvent) -> tuple[Card, ...]:
        """Those of its cards that lay there, played before, and were taken up and put down again in this very turn.

        A turn that is refused anyway may name them: whoever laid a discard again is told so. What an undo brings back
        to an empty table was not taken up from it.
        """
        opened_s = self._accepted_s - LOOKED_AT_S
        again = (card for card in event.cards if card in self._lain and card in state.played)
        return tuple(card for card in again if card in self._put and self._put[card][1] > opened_s)

    @staticmethod
    def _true_turn(state: PublicState, scene: Scene) -> TurnEvent:
        return TurnEvent(tuple(sorted({*scene.cards} - {*state.played})), scene.spaces.white, scene.spaces.black)

    # -- what agrees with it ---------------------------------------------------------------------------------------

    def shown(self, moment: Moment, web: dict[str, Any]) -> None:
        """Desk, screen and web tell the truth."""
        state, desk = self.state, moment.desk.state
        _require((state is None) == (desk is None), f"the desk stands at {desk}, the truth at {state}")
        if state is None or desk is None:
            return
        _require(_same(desk, state), f"the desk stands at {desk}, the truth at {state}")
        for name, view in (("screen", moment.view), ("match", moment.match)):
            _require(
                view.match.score == state.score, f"the {name} shows {view.match.score}, the score is {state.score}"
            )
            _require(
                view.piste.to_act is state.to_act, f"the {name} shows {view.piste.to_act}, {state.to_act} is to act"
            )
            if state.phase in (Phase.SETUP, Phase.ROUND_OVER, Phase.MATCH_OVER):
                continue  # the fencers are drawn where they stand, on their way to their ends
            ruled = view.piste.fencers.map(lambda fencer: fencer.from_space or fencer.space)
            _require(ruled == state.spaces, f"the {name} shows {ruled}, the figures stand on {state.spaces}")
        _require(web["score"] == {side.value: state.score[side] for side in Side}, f"the web shows {web['score']}")
        if state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            _require(
                web["spaces"] == {side.value: state.spaces[side] for side in Side}, f"the web shows {web['spaces']}"
            )

    def lit(self) -> None:
        """The panel's lamps tell the truth, once they have been tested."""
        lamps, state = self._world.lamps, self.state
        if state is None:
            return
        for side, left in ((Side.WHITE, "left"), (Side.BLACK, "right")):
            lit = sum(lamps[f"score_{left}_{number}"] for number in range(1, 6))
            _require(lit == min(5, state.score[side]), f"{lit} score lamps of {side}, the score is {state.score}")
            _require(lamps[f"turn_{left}"] is (state.to_act is side), f"the turn lamps, while {state.to_act} is to act")
        near = [number for number in range(1, 6) if lamps[f"distance_{number}"]]
        true = [state.distance] if state.distance <= 5 and state.phase is not Phase.SETUP else []
        _require(near == true, f"the lamps show the distance {near}, it is {true}")

    def kept(self, book: sqlite3.Connection, *, in_doubt: bool) -> None:
        """Everything that was acknowledged is on disk, and nothing else, while the program lives.

        ``in_doubt``: the last write was said to have failed, and may have been done.
        """
        (count,) = book.execute("SELECT count(*) FROM events").fetchone()
        # What was said not to be kept may be there until something else is written.
        ahead = count - len(self.known)
        _require(0 <= ahead <= int(in_doubt), f"{count} entries on disk, {len(self.known)} were acknowledged")

    def taken_up(self, path: Path) -> int:
        """After a death: everything acknowledged is there, the same; how much of one moment more, known from now on."""
        book = read_scorebook(path)
        if book is None:
            _require(not self.known, "the scorebook is gone")
            return 0
        with book:
            played = list(book.replay_all())
        _require(not any(each.problem for each in played), f"not whole: {[each.problem for each in played]}")
        rows = [row for each in played for row in each.rows]
        _require(len(rows) >= len(self.known), f"{len(self.known)} acknowledged, {len(rows)} left")
        for row, event in zip(rows, self.known, strict=False):
            _require(entry_to_json(row.event) == entry_to_json(event), f"{event} has become {row.event}")
        ahead = rows[len(self.known) :]
        _require(len(ahead) <= MAX_OF_A_MOMENT, f"ahead by {ahead}")
        for row in ahead:
            self._happened(row.event)
        return len(ahead)


def _judged(state: PublicState | None, event: MatchEvent | RoundEvent) -> PublicState:
    after, ruling = judge(state, event)
    _require(ruling.ok and after is not None, f"accepted against the rules: {event}, {ruling.code}")
    assert after is not None
    return after


def _same(one: PublicState, other: PublicState) -> bool:
    """The same position, in whatever order the cards of a turn were read."""
    return one._replace(played=()) == other._replace(played=()) and {*one.played} == {*other.played}


def _alike(one: TurnEvent, other: TurnEvent) -> bool:
    return sorted(one.cards) == sorted(other.cards) and one.spaces == other.spaces


def _require(holds: bool, found: str) -> None:
    if not holds:
        raise BrokenPromise(found)
