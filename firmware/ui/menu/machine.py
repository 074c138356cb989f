"""The rest of the companion for the menu: the book, the devices, the settings, and the machine it runs on."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from display.i18n import Words, words
from display.menu.settings import Setting
from display.view import NO_NAMES
from display.words.sentences import lamps_line, score_text, shown_name
from engine.players.bots.strengths import OwnLevel
from engine.rules.track import BySide
from firmware.book.scorebook.book import Scorebook, read_scorebook
from firmware.book.scorebook.copies import back_up, backups_in, check_backup, copies_of
from firmware.book.scorebook.people import RenamePlan, copies_with, make_change, plan_forget, plan_rename, rewrite
from firmware.book.scorebook.schema import AT_A_TABLE
from firmware.book.scores.export import matches_csv, scores_json
from firmware.book.scores.history import Summary, levels_of
from firmware.book.scores.players import House, house
from firmware.book.scores.summaries import read_summaries
from firmware.core.clock import calendar
from firmware.core.config import save
from firmware.core.errors import EngardeError
from firmware.core.io.files import write_whole
from firmware.core.io.output import csv_bytes
from firmware.ui.menu.sticks import Stick, StickFinder, StickWork
from firmware.web.switched import SwitchedScoreboard
from vision.board.calibration import SURE_SIDE_PX
from vision.camera.settling import CameraFeedback
from vision.frame import Frame
from vision.look import Look

T = TypeVar("T")

MAX_MATCHES: Final = 10
TABLE, OBJECT = "engarde-scores.csv", "engarde-scores.json"
"""What ``tables`` writes."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check: its number, what it looks at, how that is, and its page line by line; ``well``: it passed."""

    number: str
    heading: str
    verdict: str
    lines: tuple[str, ...]
    well: bool = False


@dataclass(frozen=True, slots=True)
class PastLine:
    """A match to open: its number and line. ``elsewhere``: not played at this table, and does not count here."""

    number: int
    text: str
    elsewhere: bool = False


@dataclass(eq=False)
class Household:
    """Scorebook, settings, sticks and devices, as the menu shows and changes them. Lines are in the language asked for.

    ``apply`` puts a setting in force, ``test`` lights the lamps and plays a sound; ``lamps`` and ``sound`` say whether
    there are any. ``modes``: those whose matches count. ``more``: lines about the machine; ``checks``: its checks, none
    while they are being made. ``recording``: the file of this match's recording. ``board``: the scoreboard, None if
    there is none to switch on. ``camera``: feedback to a live camera.
    """

    book: Scorebook
    settings_file: Path
    _: KW_ONLY
    apply: Callable[[Setting, str | int], None]
    test: Callable[[], None]
    lamps: bool
    sound: Callable[[], bool]
    modes: tuple[str, ...] = AT_A_TABLE
    sticks: Callable[[], list[Stick]] | None = None
    power_off: tuple[str, ...] = ("systemctl", "poweroff")
    more: Callable[[str], tuple[str, ...]] = lambda language: ()
    checks: Callable[[Frame, Look, str], tuple[CheckLine, ...]] = lambda frame, look, language: ()
    recording: Path | None = None
    board: Callable[[], SwitchedScoreboard | None] = lambda: None
    camera: CameraFeedback | None = None

    def __post_init__(self) -> None:
        self.on_stick = StickWork()
        self._find_sticks = self.sticks or StickFinder(self.book.path)
        self._kept: dict[str, Any] = {}
        self._matches = Matches(self.book.path, self.modes)

    def known_names(self) -> tuple[str, ...]:
        """Names of the last matches, the latest first; what is shown is read anew from here on."""
        self._changed()
        found = [name for match in reversed(self.book.matches()) for _, name in match.names.items()]
        return tuple(name for name in dict.fromkeys(found) if name not in (NO_NAMES.white, NO_NAMES.black))

    @property
    def known(self) -> Known:
        """The matches and people of the book, as far as they are read by now."""
        return self._matches.known

    def history(self, language: str) -> tuple[PastLine, ...]:
        """All matches with a round, the latest first, without one under way. Those of other tables say so."""
        played = self.known.summaries
        if played and not played[-1].finished:
            played = played[:-1]
        return tuple(self._line(each, language) for each in reversed(played) if each.rounds)

    def _line(self, match: Summary, language: str) -> PastLine:
        """The players of this match and its last score."""
        say = words(language)
        score = score_text(match.score.white, match.score.black)
        names = {side.value: shown_name(say, side, name) for side, name in match.match.names.items()}
        text = say.say("menu.history_line", date=day_of(say, match.match.wall_s), score=score, **names)
        if not match.finished:
            text = say.say("past.unfinished", what=text)
        return PastLine(match.match.id, text, elsewhere=match.match.mode not in self.modes)

    def line_of(self, number: int, language: str) -> PastLine | None:
        """The line of this match; None where there is none, or nothing of it can be read."""
        found = next((each for each in self.known.summaries if each.match.id == number), None)
        return None if found is None else self._line(found, language)

    @property
    def pages_at(self) -> str | None:
        """URL of the pages of matches; empty if no phone reaches them, None while they are switched off."""
        board = self.board()
        return "" if board is None else board.reachable if board.url else None

    def change_of(self, name: str, new: str | None) -> RenamePlan:
        """The plan to rename a player, or to forget one (None). Raises EngardeError if it cannot be."""
        return plan_forget(self.book, name) if new is None else plan_rename(self.book, name, new)

    def change(self, change: RenamePlan, *, copies: bool) -> None:
        """Write the new name everywhere in the book; ``copies``: delete the copies that hold the old one.

        Raises ScorebookError and OSError.
        """
        make_change(self.book, change)
        self._changed()
        for file in copies_with(self.book.path, change) if copies else ():
            file.unlink()

    @property
    def number(self) -> int:
        """The number of the match that was written last; 0 for none."""
        return self.book.written or 0

    def name_match(self, names: BySide[str]) -> None:
        """Give the two of the match that is played these names in the book. Raises ScorebookError."""
        if self.book.written is not None:
            rewrite(self.book, {self.book.written: names}, {})
            self._changed()

    def _changed(self) -> None:
        self._kept.clear()
        self._matches.look_again()

    def tables(self, whole: House, language: str) -> str:
        """All matches and players onto the newest stick: as a table, and as an object for other programs."""
        told = json.dumps(scores_json(self.book.path.name, whole, None, None), indent=1)
        return self.onto_stick({TABLE: csv_bytes(matches_csv(whole.summaries)), OBJECT: f"{told}\n"}, language)

    def onto_stick(self, files: Mapping[str, str | bytes], language: str) -> str:
        """Write these files, by name, to the newest stick; what comes of it, in words."""
        say, stick = words(language), self.stick()
        if stick is None:
            return self.no_stick(language)
        try:
            for name, text in files.items():
                write_whole(stick.path / name, text)
        except OSError:
            return say.say("past.not_made", what=next(iter(files)))
        return " ".join(say.say("past.made", what=name, stick=stick.name) for name in files)

    @property
    def can_focus(self) -> bool:
        """Whether the camera can be made to focus anew."""
        return self.camera is not None and self.camera.settling is not None

    def focus(self, language: str) -> str:
        """Have the camera focus and expose anew; what comes of it, in words."""
        if self.camera is not None:
            self.camera.settle_again()
        return words(language).say("menu.focus_told")

    def sight(self, look: Look | None, language: str) -> tuple[str, ...]:
        """How well the eyes see the board, line by line."""
        say = words(language)
        if look is None or look.calibration is None:
            return (say.say("menu.sight_none"),)
        calibration = look.calibration
        views = calibration.spaces(look.of)
        seen = sum(view.visible and view.tag_side_px >= SURE_SIDE_PX for view in views)
        return (
            say.say("menu.sight_error", error_mm=say.decimal(calibration.rms_mm, 2)),
            say.say("menu.sight_spaces", count=seen),
        )

    def health(self, look: Look | None, language: str) -> tuple[str, ...]:
        """State of eyes, lamps, sound, scorebook and machine, line by line."""
        say = words(language)

        def there(works: bool) -> str:
            return say.say("menu.works" if works else "menu.not_there")

        # Read once each time the menu is opened: temperature, voltage, memory and card take their time.
        count = self._once("count", lambda: len(self.book.matches()))
        return (
            say.say("menu.health_eyes", what=there(look is not None and look.calibration is not None)),
            lamps_line(say, wired=self.lamps),
            say.say("menu.health_sound", what=there(self.sound())),
            say.say("menu.health_book", count=count),
            *self._once(f"more {language}", lambda: self.more(language)),
        )

    def _once(self, what: str, read: Callable[[], T]) -> T:
        if what not in self._kept:
            self._kept[what] = read()
        kept: T = self._kept[what]
        return kept

    def try_out(self, language: str) -> str:
        """Lamps, buzzer and sound, to be seen and heard; what of them is not there, in words."""
        self.test()
        say = words(language)
        missing = (self.lamps, "setup.lamps_none"), (self.sound(), "menu.no_sound")
        return " ".join(say.say(key) for there, key in missing if not there)

    def back_up(self, language: str) -> str:
        """Copy the book to the newest stick."""
        say, stick = words(language), self.stick()
        if stick is None:
            return self.no_stick(language)
        try:
            copied = back_up(self.book.path, stick.path)
        except EngardeError:
            return say.say("menu.no_copy")
        return say.say("menu.copied", where=stick.name, count=copied.matches)

    def backups(self) -> tuple[tuple[Stick | None, Path], ...]:
        """The copies of the book, each with its stick, None: kept beside the book. The newest stick's latest first."""

        def found() -> list[tuple[Stick | None, Path]]:
            return [(stick, path) for stick in self._find_sticks() for path in reversed(backups_in(stick.path))]

        on_sticks = self.on_stick.do(found, list[tuple[Stick | None, Path]]())
        kept = [(None, path) for path in reversed(copies_of(self.book.path))]
        return (*on_sticks[: MAX_MATCHES - len(kept)], *kept)

    def whole(self, backup: Path) -> bool:
        """Whether the book can go on with this copy: it is there and nothing of it is damaged."""

        def whole() -> bool:
            check_backup(backup)
            return True

        try:
            return whole() if backup in copies_of(self.book.path) else self.on_stick.do(whole, otherwise=False)
        except (EngardeError, OSError):
            return False

    def stick(self) -> Stick | None:
        """The stick that is written to: the newest; None where none is in."""
        return next(iter(self.on_stick.do(self._find_sticks, list[Stick]())), None)

    def no_stick(self, language: str) -> str:
        """Why no stick was found, in words."""
        return self.stick_told(language) or words(language).say("menu.no_stick")

    def stick_told(self, language: str) -> str:
        """The report that a stick hangs; else empty."""
        return words(language).say("menu.stick_hangs") if self.on_stick.hangs else ""

    def has_stick(self) -> bool:
        """True if a writable stick is in."""
        return self.stick() is not None

    def shut_down(self, language: str) -> str:
        """Have the machine switch itself off."""
        try:
            done = subprocess.run(self.power_off, capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        return "" if done is not None and done.returncode == 0 else words(language).say("menu.no_shut_down")

    def set(self, setting: Setting, value: str | int) -> bool:
        """Put a setting in force, and keep it for next time if that can be."""
        self.apply(setting, value)
        self._kept.clear()
        return save(self.settings_file, setting.path, value)


def day_of(say: Words, wall_s: float) -> str:
    """The day of a match, as the language writes it; a dash where the machine cannot have known it."""
    when = calendar(wall_s)
    return "-" if when is None else say.day(when.date())


SOON_S: Final = 0.02
"""How long the first call waits for the book: most are read within it, so that no page fills before one's eyes."""


@dataclass(frozen=True, slots=True)
class Known:
    """Every match in the book's order, everybody who fenced in them, and the bot's strength that suits each name."""

    summaries: tuple[Summary, ...]
    house: House
    levels: Mapping[str, OwnLevel]


class Matches:
    """Reads the matches of a book in a thread. ``modes``: the modes that count in statistics."""

    def __init__(self, book: Path, modes: tuple[str, ...]) -> None:
        self._book = book
        self._modes = modes
        self._known = Known((), house((), modes=modes), {})
        self._stale = True
        self._work: threading.Thread | None = None

    def look_again(self) -> None:
        """Mark the book as changed: it is read again at the next call."""
        self._stale = True

    @property
    def known(self) -> Known:
        """The last state read; a newer one replaces it once all of it is judged."""
        if self._stale and not self.reading:
            self._stale = False
            self._work = threading.Thread(target=self._read, name="matches", daemon=True)
            self._work.start()
            self._work.join(SOON_S)
        return self._known

    @property
    def reading(self) -> bool:
        """Whether the book is being read."""
        return self._work is not None and self._work.is_alive()

    def _read(self) -> None:
        """Read the book with a connection of its own. If it cannot be read, what was known stays."""
        with suppress(EngardeError, OSError):
            book = read_scorebook(self._book)
            if book is None:
                return
            with book:
                summaries, _ = read_summaries(book)
            names = dict.fromkeys(name for each in summaries for _, name in each.match.names.items())
            self._known = Known(summaries, house(summaries, modes=self._modes), levels_of(names, summaries))
