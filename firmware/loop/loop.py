"""The one loop that owns the state: frames and presses in; journal, screen, lamps and sound out.

Nothing else changes the game. An accepted event is in the scorebook before anybody is shown its verdict; one that could
not be put there did not happen, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from display.view import ViewModel
from display.words.present import present
from engine.record.corrections import Correction
from engine.record.course import follow
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent
from engine.rules.track import BySide
from engine.table.desk import Desk, Entry, Settings, correct, enter, open_match
from engine.table.notes import Note, NoteKind
from engine.table.observation import TableObservation
from engine.table.presses import Presses
from engine.table.questions import Comparing
from engine.table.step import hold, step
from firmware.loop.moment import Audience, Helper, Journal, Moment, People
from firmware.loop.requests import (
    Agree,
    Announce,
    Begin,
    Compare,
    EndTurns,
    Enter,
    Hold,
    LookAfresh,
    Release,
    Request,
    Stop,
    TakeUp,
    Watch,
)
from firmware.loop.situation import LoopFacts, situation_of
from firmware.scorebook.file import NotKeptError
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look

NEWS_S: Final = 20.0
"""How long news stay on the screen at least."""
TROUBLE_S: Final = 3.0
"""How long it is said at least that something could not be written down."""


def at_once(look: Callable[[], Look]) -> Look:
    """This look, taken while the loop waits for it."""
    return look()


class Loop:
    """Runs a match: ``run`` until the camera ends, the match is over, or somebody asks it to stop.

    Whoever wants something of it asks with a ``Request``; they are carried out in ``_carry_out`` and nowhere else,
    before the next look; ``over`` says that the camera has no more frames. While anybody holds it nothing is judged,
    whatever is pressed and laid; what was entered or corrected by hand is. ``aside`` has a look taken while the screen
    goes on; else the loop waits for it. ``new_journal`` is for a match that is begun on request; None: it goes on in
    this journal.
    """

    def __init__(
        self,
        source: Source,
        eyes: Eyes,
        presses: Presses,
        journal: Journal,
        audience: Sequence[Audience],
        settings: Settings,
        people: People,
        helpers: Sequence[Helper] = (),
        *,
        mode: str,
        new_journal: Callable[[BySide[str]], Journal] | None = None,
        aside: Callable[[Callable[[], Look]], Look] = at_once,
    ) -> None:
        self._source = source
        self.eyes = eyes
        self._presses = presses
        self._journal = journal
        self._new_journal = new_journal
        self.audience = tuple(audience)
        self.helpers = tuple(helpers)
        self._settings = settings
        self._mode = mode
        self._aside = aside
        self._revealed: BySide[tuple[Card, ...]] | None = None
        self._requests: list[Request] = []
        self._held: set[str] = set()
        self._lying: tuple[Card, ...] = ()
        self._news: Note | None = None
        self.people = people
        self._trouble = ""
        self.desk = Desk()
        self.frames = 0
        self.over = False

    def open(self, match: MatchEvent) -> Entry:
        """Open a match: the first event of its journal."""
        self.desk, (entry,) = open_match(match)
        self._keep(entry)
        return entry

    def ask(self, *requests: Request) -> None:
        """Ask for this before the next look, as one who is no helper: after what they ask for."""
        self._requests += requests

    @property
    def held(self) -> frozenset[str]:
        """Who holds the game now; while there is anybody nothing is judged."""
        return frozenset(self._held)

    def run(self) -> None:
        """Look, rule, write down, show, until there is nothing more to look at or somebody asks to stop."""
        while self.advance() is not None:
            pass

    def advance(self) -> Moment | None:
        """One frame's work; None when the camera has no more frames, or somebody asked to stop."""
        asked = [*(request for helper in self.helpers for request in helper.asks()), *self._requests]
        if Stop() in asked:
            self._requests = [request for request in asked if request != Stop()]
            return None
        self._requests = []
        frame = self._source.read()
        if frame is None:
            self.over = True
            return None
        self.frames += 1
        self._trouble = ""
        entries: tuple[Entry, ...] = ()
        for request in asked:
            entries += self._carry_out(request, frame.t_s)
        look = self._aside(partial(self.eyes.look, frame))
        for helper in self.helpers:
            look = replace(look, table=helper.sift(look.table, self.desk))
        self._lying = tuple(reading.card for reading in look.table.cards)
        entries += self._step(look.table, frame.t_s)
        view, match = self._views(look, frame)
        judged = (self._trouble, bool(self._held), self._settings, tuple(asked))
        moment = Moment(frame, look, self.desk, entries, view, match, *judged)
        for member in (*self.audience, *self.helpers):
            member.attend(moment)
        return moment

    def _carry_out(self, request: Request, now_s: float) -> tuple[Entry, ...]:
        """Do what was asked for; the entries that fell with it."""
        match request:
            case Enter(entry):
                if isinstance(entry, Correction):
                    return self._kept(*correct(self.desk, entry, now_s), now_s)
                return self._kept(*enter(self.desk, entry, now_s, self._lying), now_s)
            case Begin(match, names):
                return self._begun(match, names or self.people.names, now_s)
            case Hold(by):
                self._held.add(by)
            case Release(by):
                self._held.discard(by)
            case EndTurns(way):
                self._settings = replace(self._settings, end_turn=way)
            case Agree(modes):
                self.people.agreed = modes
            case LookAfresh():
                before, self.eyes = self.eyes, Eyes(self.eyes.table, run=self.eyes.run)
                self.eyes.watch_backs(before.back_areas, before.back_tokens)
            case Compare():
                self.desk = replace(hold(self.desk), comparing=Comparing(restarted=True))
            case Watch(areas, tokens):
                self.eyes.watch_backs(areas, tokens)
            case TakeUp(desk):
                self.desk = replace(desk, verdicts=max(desk.verdicts, self.desk.verdicts))
            case Announce() if self._held:  # over an open menu nobody would see it
                self._requests.append(request)
            case Announce(kind, count):
                self._news = Note(kind, now_s, count=count, hold_s=NEWS_S)
                self.desk = replace(self.desk, note=self._news)
        return ()

    def _step(self, seen: TableObservation, now_s: float) -> tuple[Entry, ...]:
        """What fell at this moment by presses and by itself; the desk is the one after it."""
        presses = self._presses.due(now_s)
        for helper in self.helpers:
            presses = helper.hear(presses, now_s)
        if self._held:
            self.desk = hold(self.desk)
            return ()
        return self._kept(*step(self.desk, seen, presses, self._settings), now_s)

    def _begun(self, match: MatchEvent, names: BySide[str], now_s: float) -> tuple[Entry, ...]:
        """Another match: on disk, and the desk is its own."""
        desk, (entry,) = open_match(match)
        before = self._journal
        try:
            if self._new_journal is not None:
                self._journal = self._new_journal(names)
            self._keep(entry)
        except NotKeptError as error:
            self._journal, self._trouble = before, str(error)
            self.desk = replace(self.desk, note=Note(NoteKind.NOT_KEPT, now_s, hold_s=TROUBLE_S))
            return ()
        # A sound or a call is made for each new number: it never goes back.
        self.desk = replace(desk, verdicts=self.desk.verdicts + 1)
        self.people.names, self.people.agreed = names, ()
        return (replace(entry, t_s=now_s, by_hand=True),)

    def _kept(self, desk: Desk, entries: tuple[Entry, ...], now_s: float) -> tuple[Entry, ...]:
        """The entries up to the first that could not be put on disk; the desk is the one after them."""
        for number, entry in enumerate(entries):
            try:
                self._keep(entry)
            except NotKeptError as error:
                self._trouble = str(error)
                course = self.desk.course
                for each in entries[:number]:
                    course, _ = follow(course, each.event)
                note = Note(NoteKind.NOT_KEPT, now_s, hold_s=TROUBLE_S)
                self.desk = replace(self.desk, course=course, note=note, waiting=None, give_up=None, offer=None)
                return entries[:number]
        self.desk = desk
        return entries

    def _keep(self, entry: Entry) -> None:
        """Write what was accepted to disk; a failure here raises before anything is shown."""
        if entry.ruling.ok:
            self._journal.append(entry.event, entry.ruling, entry.t_s)
            self._revealed = (
                BySide(entry.event.white, entry.event.black) if isinstance(entry.event, RevealEvent) else None
            )

    def _views(self, look: Look, frame: Frame) -> tuple[ViewModel, ViewModel]:
        """What the screen shows, and the match as it stands: the lamps on the screen are those of the match too."""
        facts = LoopFacts(self._mode, self._held, self._news, self._revealed, self._settings.middle_x_mm)
        advised = situation = situation_of(self.desk, look, frame, self.people, facts)
        for helper in self.helpers:
            advised = helper.advise(advised, look, self.desk)
        view = present(advised)
        if not advised.retold:
            return view, view
        match = present(replace(situation, paused=False))
        return replace(view, lamps=match.lamps), match
