"""The one loop that owns the state: frames and presses in; journal, screen, lamps and sound out.

Nothing else changes the game. An accepted event is in the scorebook before anybody is shown its verdict; one that could
not be put there did not happen, and that is said. Whatever else fails, the game is ruled meanwhile
(``firmware.table.loop.guard``); a scorebook that fails in another way than by not keeping an event ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from display.view import Situation, ViewModel
from display.words.present import present
from engine.record.corrections import Correction
from engine.record.course import follow
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent
from engine.rules.track import BySide
from engine.table.comparison import Comparing
from engine.table.desk import Desk, Entry, Settings, correct, enter, open_match
from engine.table.observation import TableObservation
from engine.table.presses import Note, NoteKind, Presses
from engine.table.step import hold, step
from firmware.book.scorebook.file import NotKeptError
from firmware.core.errors import EngardeError
from firmware.table.loop.guard import (
    EYES_LIMITS,
    REFEREE,
    STEP_LIMITS,
    Guard,
    NonsenseError,
    Scene,
    are_heard,
    are_presses,
    are_requests,
    is_judged,
    is_look,
    is_sifted,
    is_situation,
    is_view,
)
from firmware.table.loop.moment import Audience, Helper, Journal, Moment, People, leaves
from firmware.table.loop.requests import (
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
from firmware.table.loop.situation import LoopFacts, nothing_seen, situation_of
from firmware.table.loop.watched import RULES, EndsGameError, Part
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Drawn, Look, Seen

NOTHING: Final[tuple[Any, ...]] = ()
NEWS_S: Final = 20.0
"""How long news stay on the screen at least."""
TROUBLE_S: Final = 3.0
"""How long it is said at least that something could not be written down."""


class BookLostError(EndsGameError):
    """The scorebook failed in a way that leaves open what is in it."""


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

    part: Final = Part.EYES  # it is they that the guard leaves out and begins anew, of the loop
    rule: Final = RULES[Part.EYES]
    replaced: Final = True

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
        guard: Guard | None = None,
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
        self.guard = Guard() if guard is None else guard
        self._view: ViewModel | None = None
        self._revealed: BySide[tuple[Card, ...]] | None = None
        self._requests: list[Request] = []
        self._held: dict[str, object] = {}
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
        """The holders of the game; while there is any nothing is judged."""
        return frozenset(self._held)

    def run(self) -> None:
        """Look, rule, write down, show, until there is nothing more to look at or somebody asks to stop."""
        while self.advance() is not None:
            pass

    def advance(self) -> Moment | None:
        """One frame's work; None when the camera has no more frames, or somebody asked to stop."""
        asked = [*self._asked(), *self._requests]
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
        self.guard.look(frame.t_s, Scene(frame, self.desk))
        entries: tuple[Entry, ...] = ()
        for request in asked:
            entries += self.guard.judge(type(request).__name__, partial(self._carry_out, request, frame.t_s), NOTHING)
        look = self._aside(partial(self._look, frame))
        for helper in self.helpers:
            if not leaves(helper, "sift"):
                seen = look.table
                fits = partial(is_sifted, seen=seen)
                table = self.guard.call(helper, "sift", partial(helper.sift, seen, self.desk), seen, fits)
                look = replace(look, table=table)
        self._lying = tuple(reading.card for reading in look.table.cards)
        entries += self._step(look.table, frame.t_s)
        view, match = self._views(look, frame)
        judged = (self._trouble, bool(self._held), self._settings, tuple(asked))
        moment = Moment(frame, look, self.desk, entries, view, match, *judged)
        for member in (*self.audience, *self.helpers):
            if not leaves(member, "attend"):
                self.guard.call(member, "attend", partial(member.attend, moment), None)
        for by, holder in [*self._held.items()]:
            if self.guard.is_out(holder):
                del self._held[by]
        return moment

    def _asked(self) -> list[Request]:
        """The helpers' requests. A helper that is left out later on holds the game no longer."""
        asked: list[Request] = []
        for helper in self.helpers:
            given = self.guard.call(helper, "asks", helper.asks, NOTHING, are_requests)
            self._held |= {each.by: helper for each in given if isinstance(each, Hold)}
            asked += given
        return asked

    def _look(self, frame: Frame) -> Look:
        """The eyes' look at this frame. Where they fail it is blind, and other eyes look from then on."""
        look: Look | None = None
        fits = partial(is_look, t_s=frame.t_s)
        look = self.guard.call(self, "look", partial(self.eyes.look, frame), look, fits, EYES_LIMITS)
        return look or Look(Seen(), nothing_seen(frame.t_s), Drawn(), None, self.eyes.table)

    def anew(self) -> None:
        """Look with other eyes from now on."""
        before, self.eyes = self.eyes, Eyes(self.eyes.table, run=self.eyes.run)
        self.eyes.watch_backs(before.back_areas, before.back_tokens)

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
                self._held.setdefault(by, None)
            case Release(by):
                self._held.pop(by, None)
            case EndTurns(way):
                self._settings = replace(self._settings, end_turn=way)
            case Agree(modes):
                self.people.agreed = modes
            case LookAfresh():
                self.anew()
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
        """The entries that fell at this moment by presses and by themselves; the desk is the one after them."""
        presses = self.guard.call(Part.BUTTONS, "due", partial(self._presses.due, now_s), NOTHING, are_presses)
        for helper in self.helpers:
            if not leaves(helper, "hear"):
                fits = partial(are_heard, presses=presses, now_s=now_s)
                presses = self.guard.call(helper, "hear", partial(helper.hear, presses, now_s), presses, fits)
        if self._held:
            self.desk = hold(self.desk)
            return ()
        judged, otherwise = partial(step, self.desk, seen, presses, self._settings), (hold(self.desk), NOTHING)
        return self._kept(*self.guard.call(REFEREE, "step", judged, otherwise, is_judged, STEP_LIMITS), now_s)

    def _begun(self, match: MatchEvent, names: BySide[str], now_s: float) -> tuple[Entry, ...]:
        """Another match: on disk, and the desk is its own."""
        desk, (entry,) = open_match(match)
        before = self._journal
        try:
            if self._new_journal is not None:
                with self.guard.unbroken():
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
                self.desk = replace(self.desk, course=course, note=note, waiting=None, give_up_s=None, offer=None)
                return entries[:number]
        self.desk = desk
        return entries

    def _keep(self, entry: Entry) -> None:
        """Write what was accepted to disk; a failure here raises before anything is shown."""
        if entry.ruling.ok:
            try:
                with self.guard.unbroken():
                    self._journal.append(entry.event, entry.ruling, entry.t_s)
            except EngardeError:
                raise
            except Exception as error:  # whether the event is in the book, nobody can tell
                raise BookLostError(
                    f"the scorebook was expected to take this event, and failed ({type(error).__name__}: {error}): the "
                    "game stops here; start it again, which reads the book anew and goes on from what is in it."
                ) from error
            self._revealed = (
                BySide(entry.event.white, entry.event.black) if isinstance(entry.event, RevealEvent) else None
            )

    def _views(self, look: Look, frame: Frame) -> tuple[ViewModel, ViewModel]:
        """The view for the screen, and that of the match as it stands, whose lamps both have."""
        facts = LoopFacts(self._mode, frozenset(self._held), self._news, self._revealed, self._settings.middle_x_mm)
        stages = self._stages(partial(situation_of, self.desk, look, frame, self.people, facts), look)
        view = self._in_words(stages)
        if not (stages and stages[-1][1].helped.retold):
            return view, view
        plain = replace(stages[0][1], paused=False)
        match = self.guard.call(Part.WORDS, "present", partial(present, plain), view, is_view)
        return replace(view, lamps=match.lamps), match

    def _stages(self, plainly: Callable[[], Situation], look: Look) -> list[tuple[object, Situation]]:
        """The situation as the referee has it, then as each helper in turn adds to it; none where it cannot be told."""
        plain: Situation | None = None
        plain = self.guard.call(Part.WORDS, "situation", plainly, plain, is_situation)
        if plain is None:
            return []
        advised = replace(plain, devices=replace(plain.devices, missing=self.guard.failing))
        stages: list[tuple[object, Situation]] = [(Part.WORDS, advised)]
        for helper in self.helpers:
            if not leaves(helper, "advise"):
                advise = partial(helper.advise, advised, look, self.desk)
                advised = self.guard.call(helper, "advise", advise, advised, is_situation)
                stages.append((helper, advised))
        return stages

    def _in_words(self, stages: Sequence[tuple[object, Situation]]) -> ViewModel:
        """The last of these situations in words; the screen as it was where there are none.

        Whose advice cannot be put into words is left out, and so is the advice of those who came after.
        """
        said = self.guard.call(Part.WORDS, "present", partial(in_words, stages), None) if stages else None
        if said is None:
            if self._view is None:
                raise EndsGameError("the first moment was expected to be put into words, and none were found for it.")
            return self._view
        self._view, failed = said
        if failed is not None:
            self.guard.blame(failed[0], "advise", failed[1])
        return self._view


def in_words(stages: Sequence[tuple[object, Situation]]) -> tuple[ViewModel, tuple[object, Exception] | None]:
    """The last of these situations that has words, in words, and whose advice made the first that has none.

    Raises what the words of the first one raise.
    """
    failed = None
    for place in reversed(range(len(stages))):
        member, situation = stages[place]
        try:
            view = present(situation)
            if not is_view(view):
                raise NonsenseError("what was presented is no view")
            return view, failed
        except Exception as error:  # of what helpers put together anything may come
            if not place:
                raise
            failed = member, error
    raise AssertionError("there is always the referee's own situation")
