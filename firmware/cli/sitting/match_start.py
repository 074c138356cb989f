"""What ``engarde play`` begins with: a match, new or gone on with, its coach, and the backs the companion knows."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from engine.companion.backs import DeckBacks
from engine.record.course import Course, JournalEntry
from engine.rules.cards import DECK
from engine.rules.events import MatchEvent
from engine.rules.track import Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.modes import BY_HAND, DEMO, PLAY, SIMULATED
from firmware.book.scorebook.salvage import Salvaged
from firmware.cli.sitting.sitting import Notify, Sitting
from firmware.cli.sitting.wish import MatchWish, PlayWish
from firmware.core.config import Config
from firmware.core.errors import EngardeError
from firmware.table.camera.camera import CameraKind, OpenCamera
from firmware.table.camera.live_camera import LiveCamera
from firmware.table.camera.setup import Setup
from firmware.table.loop.moment import Journal, People
from firmware.table.recording.replay import NoJournal, write_down
from firmware.ui.coach.coach import Coach, Mode
from firmware.ui.companion.deck_file import load_deck
from firmware.ui.companion.opponents import companion_in


@dataclass(frozen=True, slots=True)
class Start:
    """Where a match begins: its entries until now, and their course where it is gone on with.

    ``salvaged`` is what came of a damaged scorebook, None where it was whole; ``book`` None: nothing is written down.
    """

    journal: Journal
    entries: tuple[JournalEntry, ...]
    course: Course | None = None
    salvaged: Salvaged | None = None
    book: Scorebook | None = None

    @property
    def opening(self) -> MatchEvent:
        first = self.entries[0]
        assert isinstance(first, MatchEvent)
        return first


def start_match(
    wish: PlayWish,
    setup: Setup,
    people: People,
    held: ExitStack,
    say: Callable[[str], None],
    mode: Callable[[], str],
    *,
    live: bool,
) -> Start:
    """A new match, the one that was not finished, or the recorded one. ``mode`` is where a new one is played."""
    match = wish.match
    own = setup.match
    if own is not None and not (match.kept or match.is_another):
        # It was written down when it was played.
        return Start(NoJournal(), own.entries, own.course if len(own.entries) > 1 else None)
    book = held.enter_context(open_scorebook(wish.table.scorebook, alone=True))
    say(book.notice)
    played = book.unfinished() if live and not match.new else None
    if played is not None and played.course is not None:
        people.names, state = played.match.names, played.course.state
        say(
            f"Going on with the match of {people.names.white} and {people.names.black} at "
            f"{state.score.white}:{state.score.black}, round {state.round}; --new begins another."
        )
        if played.problem:
            say(f"What followed could not be read ({played.problem}), so it goes on as a new match from there.")
        entries = tuple(row.event for row in played.rows)
        return Start(book.resume(played), entries, played.course, book.salvaged, book)
    journal = book.begin(people.names, mode=mode)
    if own is None or match.is_another:
        return Start(journal, (opening_of(match, wish.table.settings),), None, book.salvaged, book)
    course = write_down(journal, own.entries) if len(own.entries) > 1 else None
    return Start(journal, own.entries, course, book.salvaged, book)


def mode_at(camera: OpenCamera, kind: CameraKind) -> str:
    """Where a match is played that begins now before this camera: as the scorebook says it."""
    if kind is CameraKind.SYNTHETIC:
        return SIMULATED if camera.played else DEMO
    missing = isinstance(camera.source, LiveCamera) and not camera.source.found
    return BY_HAND if missing else PLAY


def is_chosen_on_screen(match: MatchWish, start: Start, *, somebody_presses: bool) -> bool:
    """Whether the players are asked on the screen which match to begin.

    Not where one goes on or was named, and not without ``somebody_presses``: turns that end by themselves at a table
    without buttons must not wait for a key that nobody has.
    """
    return start.course is None and somebody_presses and not match.is_named


def opening_of(match: MatchWish, config: Config) -> MatchEvent:
    """The match that is wished for; its ``starter`` may be left to the ``lot``."""
    chosen = match.starter or config.starter
    starter = random.Random().choice(list(Side)) if chosen == "lot" else Side(chosen)
    return MatchEvent(match.rules or config.rules, starter, match.points or config.points)


OPTIONS: Final = {Mode.HINTS: "--coach", Mode.OPEN: "--open"}
"""The options of the command that propose something; both players still answer with their own buttons."""


def open_coach(
    proposed: Sequence[Mode], sitting: Sitting, people: People, say: Notify, *, at_hand: bool
) -> Coach | None:
    """The coach of these people; None where there is no screen for its words, which is said.

    A recording has the coach as it was made: what both agreed to then is known, and nobody is asked.
    ``at_hand``: as in ``Coach``.
    """
    if sitting.camera.recorded is not None:
        if proposed:
            say(f"{OPTIONS[proposed[0]]} is left out: a recording is refereed with what both players agreed to then.")
        return Coach(sitting.setup.table.play_area, people)
    if not sitting.shown and proposed:
        say(f"{OPTIONS[proposed[0]]} shows its words on a screen, and there is none: play goes on without it.")
        proposed = ()
    if sitting.window is None:
        return None
    coach = Coach(sitting.setup.table.play_area, people, at_hand=at_hand)
    for mode in proposed[:1]:
        coach.propose(mode)
    if len(proposed) > 1:
        say("--coach and --open are asked one at a time: --coach is asked now, the other can be chosen in the menu.")
    return coach


def recorded_deck(setup: Setup, letter: str) -> DeckBacks:
    """The backs that were known when this recording was made: those known here and now may be others."""
    backs = setup.match.backs if setup.match is not None else None
    return backs if backs is not None and backs.deck == letter else DeckBacks(letter)


def known_backs(letter: str) -> DeckBacks | None:
    """The backs that are registered, to be kept with a recording; None where there are none that can be read."""
    try:
        backs = load_deck(letter)
    except EngardeError:
        return None  # the companion says so as soon as it is to play
    return backs if backs.tokens else None


def unready(people: People, deck: str) -> str:
    """What keeps the companion that was asked for from playing; empty for nothing."""
    if companion_in(people.names) is None:
        return "The match that goes on is one of two people: --new begins one against the companion."
    known = len(load_deck(deck).tokens)
    if known < len(DECK):
        return (
            f"The companion knows {known} of the {len(DECK)} backs of deck {deck}: print them with engarde print "
            "--companion, then show it every card with engarde register."
        )
    return ""
