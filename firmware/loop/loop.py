"""The one loop that owns the state: frames and presses in; journal, screen, lamps and sound out.

Nothing else changes the game. An accepted event is in the scorebook before anybody is shown its verdict; one that could
not be put there did not happen, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from display.view import Situation, ViewModel
from display.words.present import present
from engine.record.corrections import Correction, CorrectionError
from engine.record.course import Course, follow
from engine.record.course import correct as corrected
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent
from engine.rules.rulings import Remedy
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.table.comparison import put_back
from engine.table.desk import Desk, Entry, Settings, correct, enter, hold, open_match, step
from engine.table.notes import Note, NoteKind
from engine.table.observation import TableObservation
from engine.table.presses import Presses
from engine.table.stand_ins import Asked, understood
from engine.table.table_reading import OpenTurn, new_cards, read_open_turn, setup_remedies
from firmware.loop.moment import Adviser, Audience, Journal, Moment, People
from firmware.loop.trouble_told import trouble_told
from firmware.scorebook.file import NotKeptError
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look

NEWS_S: Final = 20.0
"""How long news stay on the screen at least."""
TROUBLE_S: Final = 3.0
"""How long it is said at least that something could not be written down."""


class Loop:
    """Runs a match: ``run`` until the camera ends, the match is over, or ``stop`` is called.

    While it is ``held`` nothing is judged, whatever is pressed and laid; what was entered or corrected by hand is.
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
        *,
        mode: str,
    ) -> None:
        self._source = source
        self._eyes = eyes
        self._presses = presses
        self._journal = journal
        self._audience = [*audience]
        self._settings = settings
        self._mode = mode
        self._revealed: BySide[tuple[Card, ...]] | None = None
        self._stopped = False
        self._asked: list[Correction] = []
        self._entered: list[Event] = []
        self._next: tuple[Journal, MatchEvent, BySide[str] | None] | None = None
        self._lying: tuple[Card, ...] = ()
        self.held = False
        self._afresh = False
        self._news: tuple[NoteKind, int] | None = None
        self._told: Note | None = None
        self.people = people
        self._trouble = ""
        self.desk = Desk()
        self.frames = 0
        self.adviser: Adviser | None = None

    def invite(self, member: Audience) -> None:
        """Have somebody else attend every moment from now on."""
        self._audience.append(member)

    def open(self, match: MatchEvent) -> Entry:
        """Open a match: the first event of its journal."""
        self.desk, (entry,) = open_match(match)
        self._keep((entry,))
        return entry

    def resume(self, desk: Desk) -> None:
        """Go on from a desk that was replayed from the scorebook."""
        self.desk = desk

    def go_on(self, desk: Desk, eyes: Eyes) -> None:
        """Run again after a ``stop``: from this desk, with the eyes that looked at the table meanwhile."""
        self.desk, self._eyes = desk, eyes
        self._stopped = False

    def announce(self, kind: NoteKind, count: int = 0) -> None:
        """Have the screen say this for a while from the next moment on."""
        self._news = kind, count

    def preview(self, correction: Correction) -> Course:
        """How the match would stand with this correction, and in ``fallen`` what would no longer hold; changes nothing.

        Raises CorrectionError, with the reason in an English sentence, where it cannot be made.
        """
        if self.desk.course is None:
            raise CorrectionError("There is no match yet, so there is nothing to correct.")
        return corrected(self.desk.course, correction)

    def correct(self, correction: Correction) -> None:
        """Correct the match at the next moment, as the menu asks: an entry like any other, on disk before it is shown.

        Then the table is compared with the match before play goes on. To choose from: ``desk.course.round_steps``.
        """
        self._asked.append(correction)

    def enter(self, event: Event) -> None:
        """Judge this event at the next moment, as entered by hand where the camera cannot see it."""
        self._entered.append(event)

    def begin(self, journal: Journal, match: MatchEvent, names: BySide[str] | None = None) -> None:
        """Another match from the next moment on, in a journal of its own; the one so far stays in its own.

        ``names`` None: of the same two. Where it cannot be written down, the one so far goes on.
        """
        self._next = journal, match, names

    def change(self, settings: Settings) -> None:
        """Wait otherwise from the next moment on."""
        self._settings = settings

    @property
    def eyes(self) -> Eyes:
        """The eyes in use."""
        return self._eyes

    def look_afresh(self) -> None:
        """Look for the board, and at what lies on it, as if for the first time."""
        before = self._eyes
        self._eyes = Eyes(before.table, run=before.run)
        self._eyes.watch_backs(before.back_areas, before.back_tokens)
        self._afresh = True

    @property
    def lying(self) -> tuple[Card, ...]:
        """The cards that lie on the table, as agreed at the last moment."""
        return self._lying

    @property
    def settings(self) -> Settings:
        """How the desk waits."""
        return self._settings

    def stop(self) -> None:
        """End the run after the current frame."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stopped

    def run(self) -> None:
        """Look, rule, write down, show, until there is nothing more to look at."""
        while not self._stopped and self.advance() is not None:
            pass

    def advance(self) -> Moment | None:
        """One frame's work; None when the camera has no more frames."""
        frame = self._source.read()
        if frame is None:
            return None
        self.frames += 1
        afresh, self._afresh = self._afresh, False
        look = self._eyes.look(frame)
        if self.adviser is not None:
            look = replace(look, table=self.adviser.sift(look.table, self.desk))
        self._trouble = ""
        self._lying = tuple(reading.card for reading in look.table.cards)
        entries = self._step(look, frame.t_s)
        view, match = self._views(look, frame)
        end_turn = self._settings.end_turn
        moment = Moment(frame, look, self.desk, entries, view, match, self._trouble, self.held, end_turn, afresh)
        for member in self._audience:
            member.attend(moment)
        return moment

    def _views(self, look: Look, frame: Frame) -> tuple[ViewModel, ViewModel]:
        """What the screen shows, and the match as it stands: the lamps on the screen are those of the match too."""
        situation = self._situation(look, frame)
        advised = situation if self.adviser is None else self.adviser.advise(situation, look, self.desk)
        view = present(advised)
        if not advised.retold:
            return view, view
        match = present(replace(situation, paused=False))
        return replace(view, lamps=match.lamps), match

    def _step(self, look: Look, now_s: float) -> tuple[Entry, ...]:
        """What fell at this moment, each accepted entry on disk; the desk is the one after it."""
        opened = self._begun(now_s)
        if self._news is not None and not self.held:  # over an open menu nobody would see it
            (kind, count), self._news = self._news, None
            self._told = Note(kind, now_s, count=count, hold_s=NEWS_S)
            self.desk = replace(self.desk, note=self._told)
        before = self.desk
        desk = before
        entries: tuple[Entry, ...] = ()
        asked, self._asked = self._asked, []
        for correction in asked:
            desk, more = correct(desk, correction, now_s)
            entries += more
        events, self._entered = self._entered, []
        for event in events:
            desk, more = enter(desk, event, now_s, self._lying)
            entries += more
        presses = self._presses.due(now_s)
        if not self.held:
            desk, more = step(desk, look.table, presses, self._settings)
            entries += more
        else:
            desk = hold(desk)
        kept = self._keep_what_can_be(entries)
        if len(kept) == len(entries):
            self.desk = desk
        else:
            course = before.course
            for entry in kept:
                course, _ = follow(course, entry.event)
            note = Note(NoteKind.NOT_KEPT, now_s, hold_s=TROUBLE_S)
            self.desk = replace(before, course=course, note=note, waiting=None, give_up=None, offer=None)
        return opened + kept

    def _begun(self, now_s: float) -> tuple[Entry, ...]:
        """The match that was to begin at this moment, if any: on disk, and the desk is its own."""
        if self._next is None:
            return ()
        (journal, match, names), self._next = self._next, None
        desk, (entry,) = open_match(match)
        before, self._journal = self._journal, journal
        try:
            self._keep((entry,))
        except NotKeptError as error:
            self._journal, self._trouble = before, str(error)
            self.desk = replace(self.desk, note=Note(NoteKind.NOT_KEPT, now_s, hold_s=TROUBLE_S))
            return ()
        # A sound or a call is made for each new number: it never goes back.
        self.desk = replace(desk, verdicts=self.desk.verdicts + 1)
        self.people.names = names or self.people.names
        return (replace(entry, t_s=now_s, by_hand=True),)

    def _keep_what_can_be(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """The entries up to the first that could not be put on disk."""
        for number, entry in enumerate(entries):
            try:
                self._keep((entry,))
            except NotKeptError as error:
                self._trouble = str(error)
                return entries[:number]
        return entries

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        """Write what was accepted to disk; a failure here raises before anything is shown."""
        for entry in entries:
            if entry.ruling.ok:
                self._journal.append(entry.event, entry.ruling, entry.t_s)
                self._revealed = (
                    BySide(entry.event.white, entry.event.black) if isinstance(entry.event, RevealEvent) else None
                )

    def _situation(self, look: Look, frame: Frame) -> Situation:
        desk, seen, now_s = self.desk, look.table, frame.t_s
        state, playing = desk.state, desk.comparing is None
        return Situation(
            state=state,
            ruling=desk.ruling,
            verdict_age_s=now_s - desk.verdict_s,
            verdicts=desk.verdicts,
            open_turn=self._open_turn(state, seen) if state is not None and playing else None,
            observation=seen,
            remedies=self._remedies(look),
            confirm_give_up=desk.give_up.side if desk.give_up is not None else None,
            waiting=desk.waiting is not None,
            note=self._note(now_s),
            names=self.people.names,
            language=self.people.language,
            revealed=self._revealed,
            mode=self._mode,
            comparing=desk.comparing is not None,
            paused=self.held,
            difference=desk.comparing.difference if desk.comparing is not None else None,
            put_back=desk.comparing is not None and desk.comparing.insisted_s is not None,
            rebuilding=desk.comparing is not None and desk.comparing.rebuilding,
            fallen=desk.course.fallen if desk.course is not None else (),
            trouble=trouble_told(desk, look, frame) if not self.held else None,
            by_hand=desk.unseen is not None and desk.unseen.due,
            offer=desk.offer.turn if desk.offer is not None else None,
        )

    def _open_turn(self, state: PublicState, seen: TableObservation) -> OpenTurn | None:
        """What is seen of the turn so far, under the record's names of the cards."""
        desk, middle_x_mm = self.desk, self._settings.middle_x_mm
        asked = Asked(desk.asked_about, desk.asked_s)
        seen, _ = understood(state, seen, desk.stand_ins, desk.opened_s, middle_x_mm, asked)
        return read_open_turn(state, seen, desk.opened_s)

    def _note(self, now_s: float) -> Note | None:
        """The desk's note; news stand for their time although the first round begins, but not over a player's turn."""
        desk, news = self.desk, self._told
        quiet = desk.note is None or desk.note.kind is NoteKind.TABLE_AGREES
        nobody_played = desk.ruling is None or desk.ruling.event in (MatchEvent.name, RoundEvent.name)
        return news if news is not None and now_s < news.t_s + NEWS_S and quiet and nobody_played else desk.note

    def _remedies(self, look: Look) -> tuple[Remedy, ...]:
        """What is still to be put right: of a set-up, or of the refused turn as far as it still stands so."""
        desk, seen = self.desk, look.table
        state, ruling = desk.state, desk.ruling
        if desk.comparing is not None:
            return put_back(desk.comparing.difference) if desk.comparing.difference is not None else ()
        if state is None or state.phase in (Phase.SETUP, Phase.ROUND_OVER):
            return setup_remedies(state, seen)
        if ruling is None or ruling.ok:
            return ()
        lying = {reading.card for reading in new_cards(state, seen)}
        return tuple(
            remedy
            for remedy in ruling.remedies
            if not (remedy.card is not None and remedy.card not in lying and remedy.card not in state.played)
            and not (remedy.side is not None and remedy.space is not None and _stands(look, remedy))
        )


def _stands(look: Look, remedy: Remedy) -> bool:
    assert remedy.side is not None
    return look.table.figures[remedy.side].space == remedy.space
