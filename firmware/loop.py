"""The one loop that owns the state: frames and presses in; journal, screen, lamps and sound out.

Nothing else changes the game. An accepted event is in the scorebook before anybody is shown its verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from display.i18n import next_language
from display.present import present
from display.view import Situation, ViewModel
from engine.cards import Card
from engine.events import Event, MatchEvent, RevealEvent
from engine.rulings import Remedy, Ruling
from engine.state import Phase
from engine.table_reading import new_cards, read_open_turn, setup_remedies
from engine.track import BySide
from firmware.buttons import Presses
from firmware.desk import Desk, Entry, Settings, open_match, step
from vision.eyes import Eyes, Look
from vision.frame import Frame
from vision.sources import Source


class Journal(Protocol):
    """Where accepted events go before they are shown."""

    def append(self, event: Event, ruling: Ruling, t_s: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """One look at the table and all that came of it, for whoever shows or counts it."""

    frame: Frame
    look: Look
    desk: Desk
    entries: tuple[Entry, ...]
    view: ViewModel


class Audience(Protocol):
    """A screen, the lamps, a sounder, a printer: told of every moment, deciding nothing."""

    def attend(self, moment: Moment) -> None: ...


@dataclass(slots=True)
class People:
    """Who plays, and the language they are spoken to in, which may change while they play."""

    names: BySide[str]
    language: str

    def speak_next(self) -> None:
        """Go on to the next language there is."""
        self.language = next_language(self.language)


class Loop:
    """Runs a match: ``run`` until the camera ends, the match is over, or ``stop`` is called."""

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
        self.people = people
        self.desk = Desk()
        self.frames = 0

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

    def stop(self) -> None:
        """End the run after the current frame."""
        self._stopped = True

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
        look = self._eyes.look(frame)
        desk, entries = step(self.desk, look.table, self._presses.due(frame.t_s), self._settings)
        self._keep(entries)
        self.desk = desk
        moment = Moment(frame, look, desk, entries, present(self._situation(look, frame.t_s)))
        for member in self._audience:
            member.attend(moment)
        return moment

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        """Write what was accepted to disk; a failure here raises before anything is shown."""
        for entry in entries:
            if entry.ruling.ok:
                self._journal.append(entry.event, entry.ruling, entry.t_s)
                self._revealed = (
                    BySide(entry.event.white, entry.event.black) if isinstance(entry.event, RevealEvent) else None
                )

    def _situation(self, look: Look, now_s: float) -> Situation:
        desk, seen = self.desk, look.table
        state = desk.state
        return Situation(
            state=state,
            ruling=desk.ruling,
            verdict_age_s=now_s - desk.verdict_s,
            verdicts=desk.verdicts,
            open_turn=read_open_turn(state, seen, desk.opened_s) if state is not None else None,
            observation=seen,
            remedies=self._remedies(look),
            confirm_give_up=desk.give_up.side if desk.give_up is not None else None,
            waiting=desk.waiting is not None,
            note=desk.note,
            names=self.people.names,
            language=self.people.language,
            revealed=self._revealed,
            mode=self._mode,
        )

    def _remedies(self, look: Look) -> tuple[Remedy, ...]:
        """What is still to be put right: of a set-up, or of the refused turn as far as it still stands so."""
        desk, seen = self.desk, look.table
        state, ruling = desk.state, desk.ruling
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
