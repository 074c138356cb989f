"""A refereed table: people's hands before the real eyes and loop, and every ruling held against what they did.

Whatever goes wrong is put right by hand as people can do in the menu, so that every turn counts for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
from households.household import Household
from households.people import Script, TablePeople
from households.room import World
from households.tally import Fate, Happening, Tally, cause_of

from engine.players.simulation import play
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, PublicState
from engine.rules.track import START, BySide, Side
from engine.table.desk import EndTurn, Entry, Settings
from engine.table.observation import Why
from engine.table.presses import Button, NoteKind, Press
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.requests import Enter
from vision.board.calibration import Calibration, CalibrationError, calibrate
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.printed.table import read_table

Watch = Generator[None, None, "Entry | NoteKind | None"]

ASKING: Final = {
    NoteKind.CARD_UNSURE,
    NoteKind.CARD_COVERED,
    NoteKind.CARD_HIDDEN,
    NoteKind.CAME_LATER,
    NoteKind.FIGURE_UNREADABLE,
    NoteKind.HANDS_NOT_SHOWN,
    NoteKind.ROUND_NOT_SET_UP,
}
PATIENCE_S: Final = 8.0


class NoJournal:
    """Keeps nothing."""

    def append(self, entry: object, ruling: Ruling, t_s: float) -> None:
        pass


class LostError(RuntimeError):
    """The match could not be put right by hand: the sitting ends here."""


class RefereedTable(TablePeople):
    """A household's people with a referee: camera, buttons and audience of his loop, all at once."""

    def __init__(
        self, home: Household, world: World, end_turn: EndTurn, *, points: int = 1, save: Path | None = None
    ) -> None:
        super().__init__(home)
        self.world, self.end_turn = world, end_turn
        self.tally = Tally()
        self.moment: Moment | None = None
        self.entries: list[Entry] = []
        self._presses: tuple[Press, ...] = ()
        self._save = save
        self._noted: object = None
        for side in Side:
            self.room.figures[side] = self.layout.stand(self.room, side, START[side])
        told = read_table(home.told())
        calibration = self._calibration() if home.calibrated else None
        settings = Settings(end_turn=end_turn, middle_x_mm=told.play_area.middle[0])
        people = People(BySide("White", "Black"), "en")
        match = MatchEvent(home.rules, Side.WHITE, points)
        self.loop = Loop(self, Eyes(told, calibration), self, NoJournal(), (self,), settings, people, mode="play")
        self.loop.open(match)
        opened, _ = judge(None, match)
        assert opened is not None
        self.state: PublicState = opened
        self.full: FullState | None = None
        self.script: Script = iter_nothing()

    def read(self) -> Frame | None:
        try:
            next(self.script)
        except StopIteration:
            return None
        picture = self.world.picture(self.room, self.index)
        frame = Frame(self.index, round(self.index / self.world.fps, 6), picture)
        self.t_s = frame.t_s
        self.index += 1
        return frame

    def close(self) -> None:
        pass

    def due(self, now_s: float) -> tuple[Press, ...]:
        due, self._presses = self._presses, ()
        return tuple(replace(press, t_s=now_s) for press in due)

    def attend(self, moment: Moment) -> None:
        self.moment = moment
        self.entries += [entry for entry in moment.entries if not entry.by_hand]

    def end(self, side: Side, patience_s: float = PATIENCE_S) -> Watch:
        """Hands away, and the end of a turn as this sitting has it."""
        yield from self.withdraw(side)
        if self.end_turn is EndTurn.BUTTON:
            yield from self.wait(self.rng.uniform(0.3, 1.4))
            self.press(side)
        return (yield from self.watch(patience_s))

    def press(self, side: Side) -> None:
        button = Button.WHITE if side is Side.WHITE else Button.BLACK
        self._presses += (Press(self.t_s, button),)

    def watch(self, patience_s: float) -> Watch:
        """Until something is ruled, or asked; None when nothing was said."""
        until_s = self.t_s + patience_s
        while True:
            if self.entries:
                return self.entries[-1]
            note = None if self.moment is None else self.moment.desk.note
            if note is not None and note is not self._noted and note.t_s >= self.t_s - 0.5:
                self._noted = note
                if note.kind in ASKING or note.kind is NoteKind.CANNOT_SEE:
                    return note.kind
            if self.t_s >= until_s:
                return self._told()
            yield

    def _told(self) -> NoteKind | None:
        """What the screen says by itself where a turn is not ruled: that a card cannot be read, and where it lies.

        People who pressed were asked by then; who play without a button are told so.
        """
        trouble = None if self.moment is None else self.moment.match.trouble
        heeded = self.end_turn is EndTurn.AUTO and trouble is not None and trouble.why in (None, Why.GLARE)
        return NoteKind.CARD_HIDDEN if heeded else None

    def judge(
        self, kind: str, number: int, event: Event, said: Entry | NoteKind | None, what: str, side: Side | None = None
    ) -> Script:
        """Note what became of this event; what was not ruled as it happened is put right by hand."""
        happening = partial_happening(kind, number, what, said, *cause_of(self.look, self.room))
        after, ruling = judge(self.state, event)
        assert after is not None
        assert ruling.ok, (event, ruling)
        if self.is_right(said, event):
            self.note(happening(Fate.RIGHT))
        elif isinstance(said, Entry):
            self.note(happening(Fate.WRONG))
            if said.ruling.ok:
                yield from self.by_hand(UndoEvent())
            yield from self.by_hand(event)
        elif said in ASKING and side is None:  # nobody here can show anything again
            self.note(happening(Fate.ASKED))
            yield from self.by_hand(event)
        elif said in ASKING and isinstance(event, TurnEvent) and side is not None:
            again = yield from self.show_again(side, event)
            right = self.is_right(again, event)
            self.note(happening(Fate.ASKED if right else Fate.WRONG if isinstance(again, Entry) else Fate.MISSING))
            if not right:
                if isinstance(again, Entry) and again.ruling.ok:
                    yield from self.by_hand(UndoEvent())
                yield from self.by_hand(event)
        else:
            self.note(happening(Fate.MISSING))
            yield from self.by_hand(event)
        self.accept(event, after)
        found = self.loop.desk.state
        if found is None or (found.phase, found.spaces, found.to_act, {*found.played}) != (
            after.phase, after.spaces, after.to_act, {*after.played}
        ):  # fmt: skip
            raise LostError(f"{kind} {number}: the match is not as it was played and cannot be put right")

    def accept(self, event: Event, after: PublicState) -> None:
        if self.full is None or isinstance(event, RoundEvent):
            self.state = after
            return
        self.full, _ = play(self.full, event)
        self.state = self.full.public

    def is_right(self, said: Entry | NoteKind | None, event: Event) -> bool:
        return isinstance(said, Entry) and said.ruling.ok and self.same(said.event, event)

    def same(self, one: object, other: Event) -> bool:
        """Whether two events are the same, whatever order their cards were read in."""
        if isinstance(one, TurnEvent) and isinstance(other, TurnEvent):
            return {*one.cards} == {*other.cards} and one.spaces == other.spaces
        if isinstance(one, YieldEvent) and isinstance(other, YieldEvent):
            return {*one.cards} == {*other.cards}
        if isinstance(one, RevealEvent) and isinstance(other, RevealEvent):
            return all({*a} == {*b} for a, b in ((one.white, other.white), (one.black, other.black)))
        return one == other

    def show_again(self, side: Side, event: TurnEvent) -> Watch:
        """What people do when they are asked: lay the turn's cards apart, press again."""
        self.entries.clear()
        for number, card in enumerate(event.cards):
            yield from self.lay(side, self.layout.apart(self.room, card, number, side))
        return (yield from self.end(side))

    def by_hand(self, event: Event) -> Script:
        self.loop.ask(Enter(event))
        yield
        yield

    def note(self, happening: Happening) -> None:
        self.tally.happenings.append((self.home.seed, happening))
        if happening.fate is not Fate.RIGHT and self._save is not None and self.moment is not None:
            self._save.mkdir(parents=True, exist_ok=True)
            name = f"{self.home.seed:04d}-{happening.kind}-{happening.number:02d}-{self.end_turn.value}.jpg"
            cv2.imwrite(str(self._save / name), self.moment.frame.y)

    @property
    def look(self) -> Look | None:
        return None if self.moment is None else self.moment.look

    def _calibration(self) -> Calibration | None:
        told = read_table(self.home.told())
        frames = [Frame(k, k / 5, y) for k, y in enumerate(self.world.calibration_frames(self.room))]
        try:
            return calibrate(frames, told)
        except CalibrationError:
            return None


def iter_nothing() -> Script:
    """A script in which nothing happens."""
    yield from ()


def partial_happening(
    kind: str, number: int, what: str, said: Entry | NoteKind | None, cause: str, details: str
) -> Callable[[Fate], Happening]:
    """The happening, as soon as its fate is known."""
    if isinstance(said, Entry):
        event = said.event
        verdict = "accepted" if said.ruling.ok else f"refused ({said.ruling.code})"
        heard = f"{verdict} as {_short(event)}"
    else:
        heard = "nothing said" if said is None else f"said {said.value}"

    def made(fate: Fate) -> Happening:
        if fate is Fate.RIGHT:
            return Happening(kind, number, fate, what)
        return Happening(kind, number, fate, what, cause, f"{heard}; {details}")

    return made


def _short(event: object) -> str:
    if isinstance(event, TurnEvent):
        return f"{' '.join(map(str, event.cards)) or '-'} -> {event.white}, {event.black}"
    return str(event)
