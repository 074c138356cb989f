"""A table of a club by scenes: who is called and asked, how long a match lasts, what is told, believed and counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from display.view import DeviceSituation, Situation
from display.words.present import present
from engine.competition.bouts import Entrant, Terms, Tie
from engine.competition.events import PoolsBegun
from engine.record.answers import entry_to_json
from engine.record.corrections import Correction
from engine.rules.cards import Card
from engine.rules.events import Event, Limit, MatchEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, Entry, enter, open_match, rule
from engine.table.presses import Button, Press
from firmware.extras.club.at_table import Called, Timekeeper
from firmware.extras.club.evening import Evening
from firmware.extras.club.hall_book import impossible
from firmware.extras.club.hooks import happened
from firmware.extras.club.messages import START, framed, read, sealed, told
from firmware.extras.club.wall import Wall
from firmware.table.loop.moment import People
from firmware.table.loop.requests import Begin, Enter
from firmware.web.public import public
from tests.firmware.conftest import SetClock
from tests.firmware.extras.club.conftest import evening_of, next_call, wrong_shape
from tests.scenes import ChangingScene, match_facts, played, scenes

if TYPE_CHECKING:
    from vision.look import Look

SCENES = Path(__file__).with_name("table.txt")
FRAME_S = 0.5


class TableScene(ChangingScene):
    """A table with its club's helpers, and the hall that hears it: whatever it tells has to be believed.

    A frame comes every half second. The lot falls on Black first, then on White, and so on.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.now_s, self.paused = folder, 0.0, False
        self.desk, self.people = Desk(), People(BySide("White", "Black"), "en")
        self.evening: Evening | None = None
        self.wire: list[dict[str, Any]] = []
        self.wall, self.bout, self.done, self.matches = Wall(), "", list[str](), 0
        self.lots = cycle((Side.BLACK, Side.WHITE))
        self.do_power_cut()

    def facts(self) -> Iterator[tuple[str, object]]:
        yield "carried out", self.done
        panel = self.situation.helped.panel
        yield "asks", "" if panel is None else [line.text for line in panel.lines]
        yield "hint", present(self.situation).verdict.hint if self.situation.next_pair else ""
        yield "next", self.situation.next_pair
        yield "left", public(present(self.situation))["clock_s"]
        yield "names", self.people.names
        yield from match_facts(self.desk.course)
        for piste in self.wall.told():
            touches = " ".join(f"{touch['winner']} by {touch['reason']}" for touch in piste["touches"])
            yield "wall", f"to {piste['points']}, {touches or 'no touch'}{', ended' if piste['ended'] else ''}"

    def does(self, line: str) -> Iterator[str]:
        self.done = []
        yield from super().does(line)

    def frame(self, *buttons: Button, event: Event | None = None) -> None:
        """A look at the table, with the buttons that were pressed before it and what the referee is told."""
        presses = tuple(Press(self.now_s, button) for button in buttons)
        self.done += [f"{press.button.value} is passed on" for press in self.asks.hear(presses, self.now_s)]
        entries: tuple[Entry, ...] = ()
        for request in (*self.asks.asks(), *self.clock.asks()):
            entries += self.requested(request)
        if event is not None:
            self.desk, ruled = enter(self.desk, event, self.now_s)
            entries += ruled
        look: Look = None  # type: ignore[assignment]
        seen = Situation(
            self.desk.state,
            names=self.people.names,
            paused=self.paused,
            devices=DeviceSituation(kept_by_hand=True),  # while turns are entered by hand the clock goes on
        )
        self.situation = self.clock.advise(self.asks.advise(seen, look, self.desk), look, self.desk)
        moment: Any = SimpleNamespace(frame=SimpleNamespace(t_s=self.now_s), desk=self.desk, entries=entries)
        self.clock.attend(moment)
        for entry in entries:
            self.tell(entry)

    def requested(self, request: object) -> tuple[Entry, ...]:
        """Carry out what a helper asks for."""
        if isinstance(request, Begin):
            self.desk, entries = open_match(request.match)
            self.people.names = request.names or self.people.names
            self.done.append(json.dumps(entry_to_json(request.match)))
        else:
            assert isinstance(request, Enter)
            self.done.append(json.dumps(entry_to_json(request.entry)))
            judged = rule if isinstance(request.entry, Correction) else enter
            self.desk, entries = judged(self.desk, request.entry, self.now_s)  # type: ignore[arg-type]
        return entries

    def tell(self, entry: Entry) -> None:
        """Tell the hall, which believes it, and takes the result of a match it called."""
        assert entry.ruling.ok
        if isinstance(entry.event, MatchEvent):
            self.wire, self.matches = [], self.matches + 1
        body = told(entry, self.people.names, self.bout)
        assert body is not None
        before = self.wire[-1] if self.wire else None
        sum_before = START if before is None else before["sum"]
        self.wire.append(sealed(sum_before, framed("1", f"{self.matches:032x}", len(self.wire) + 1, 0.0, body)))
        event = read(self.wire[-1])
        old = None if before is None else read(before)
        assert wrong_shape(self.wire[-1], "1") == impossible(old, event) == ""
        self.done += happened(old, event)
        self.wall.take(event)
        fenced = None if self.evening is None else self.evening.result_of(event)
        if fenced is not None and self.evening is not None:
            self.evening.add(fenced)
            assert self.evening.result_of({**event, "points": 1}) is None, "it counts once"
            won = "the first" if fenced.first_won else "the second"
            self.done.append(f"{fenced.bout} counts {fenced.first}:{fenced.second}, {won} won")

    def do_evening(self, *terms: str) -> None:
        """The hall has Anna, Ben and Cleo in a pool, and calls the first pair to this table."""
        given: dict[str, Any] = {name: int(value) for name, value in self.given(terms) if name != "tie"}
        tie = next((Tie(value) for name, value in self.given(terms) if name == "tie"), Tie.EXTRA)
        fencers = [Entrant(name[0].lower(), name, seed=at) for at, name in enumerate(("Anna", "Ben", "Cleo"), 1)]
        clock = SetClock(wall=datetime(2026, 11, 24, 12).timestamp())
        path = self.folder / "evening.jsonl"
        self.evening = evening_of(path, fencers, PoolsBegun(1), Terms(**given, tie=tie), clock)
        self.evening.place(["1"])
        call = self.evening.call_of("1")
        assert call is not None
        self.asks.on_next(next_call(call))

    @staticmethod
    def given(words: tuple[str, ...]) -> list[tuple[str, str]]:
        return [(name, value) for name, _, value in (word.partition("=") for word in words)]

    def do_call(self, bout: str, white: str, black: str, *more: str) -> None:
        """The hall calls this pair, in words that may be wrong."""
        call: dict[str, Any] = {"bout": bout, "names": {"white": white, "black": black}, "points": 3}
        call["handicap"] = {"white": 0, "black": 0}
        for name, value in self.given(more):
            if name == "ahead":
                call["handicap"] = dict(zip(("white", "black"), map(int, value.split(":")), strict=True))
            else:
                call[name] = int(value) if value.isdigit() else value
        self.asks.on_next(next_call(call))

    def do_nobody(self) -> None:
        """The hall takes back what it called."""
        self.asks.on_next(next_call({}))

    def do_press(self, *buttons: str) -> None:
        self.frame(*map(Button, buttons))

    def do_wait(self, seconds: str) -> None:
        for _ in range(round(float(seconds) / FRAME_S)):
            self.now_s += FRAME_S
            self.frame()

    def do_pause(self) -> None:
        self.paused = not self.paused

    def do_match(self, rules: str, points: str, *limit: str) -> None:
        """A match is begun in the menu."""
        given = self.given(limit)
        numbers: dict[str, Any] = {name: int(value) for name, value in given if value.isdigit()}
        made = Limit(**numbers, drawn=("drawn", "") in given) if given else None
        self.desk, entries = open_match(MatchEvent(rules, Side.WHITE, int(points), made))
        for entry in entries:
            self.tell(entry)

    def do_round(self) -> None:
        self.frame(event=RoundEvent())

    def do_turn(self, white: str, black: str, *cards: str) -> None:
        self.frame(event=TurnEvent(tuple(map(Card.parse, cards)), int(white), int(black)))

    def do_yield(self) -> None:
        self.frame(event=YieldEvent())

    def do_undo(self) -> None:
        self.frame(event=UndoEvent())

    def do_sit(self, white: str, black: str) -> None:
        self.people.names = BySide(white, black)

    def do_power_cut(self, spoiled: str = "") -> None:
        """The program begins again with what was kept, ``spoiled`` by the disk or not."""
        kept = self.folder / "clock.json"
        if spoiled:
            kept.write_text("[1]")
        assert not kept.exists() or "Anna" not in kept.read_text(), "no names are kept there"
        self.asks = Called(self.confirmed, lambda: self.done.append("room is made"), lambda: next(self.lots))
        self.clock = Timekeeper(kept, self.people)
        self.frame()

    def confirmed(self, bout: str, names: BySide[str]) -> None:
        self.bout = bout
        self.done.append(f"{bout} of {names.white} and {names.black} is confirmed")


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_it_goes_as_written(scene: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    assert played(SCENES, scene, TableScene(tmp_path), request) == scene
