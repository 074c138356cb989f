"""``engarde book``: the scorebook itself: back up, restore, import, correct, check."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.record.corrections import Change, Correction, CorrectionError, Insert, PlayEvent, Remove, Replace, Setting
from engine.record.course import Course, JournalEntry
from engine.record.notation import Record
from engine.rules.cards import Card
from engine.rules.events import RevealEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.copies import back_up, last_other_copy, restore
from firmware.book.scorebook.correction import correct_match
from firmware.book.scorebook.file import ScorebookError, is_there
from firmware.book.scorebook.records import record_of, take_in
from firmware.cli.commands.declared import option, switch
from firmware.cli.commands.options import a_scorebook, cards_named
from firmware.core.config import SCOREBOOK_VARIABLE
from firmware.core.errors import EngardeError
from firmware.core.io.files import NotTextError, read_text

_HELP: Final = f"the scorebook (default: what {SCOREBOOK_VARIABLE} says, else the one in your data folder)"


def _pair(text: str) -> BySide[int]:
    parts = text.split(":")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) <= 10 for part in parts):
        raise argparse.ArgumentTypeError(f"White's and Black's number are expected, such as 9:14, not {text!r}")
    return BySide(int(parts[0]), int(parts[1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BackUp:
    """A checked copy of the scorebook in a folder, on a stick for instance."""

    book: Path = a_scorebook(_HELP)
    folder: Path = option("nothing that lies there is overwritten", "folder", metavar="DIR")

    def do(self) -> int:
        made = back_up(self.book, self.folder)
        print(f"{made.path}: {made.matches} matches with {made.events} events, checked.")
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """Put a backup in the scorebook's place; the present one is kept beside it."""

    book: Path = a_scorebook(_HELP)
    file: Path | None = option(
        "what engarde book backup made (default: the newest other copy that the program itself keeps)",
        "file",
        nargs="?",
        metavar="FILE",
    )

    def do(self) -> int:
        file = self.file or last_other_copy(self.book)
        done = restore(self.book, file)
        print(f"{self.book} is now as {file} and has {done.matches} matches with {done.events} events.")
        if done.kept is not None:
            lacks = "which could not be read"
            if done.only_in_kept is not None:
                lacks = f"with {done.only_in_kept} events that the backup does not have"
            print(f"The scorebook that was there is kept as {done.kept}, {lacks}.")
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """Take in game records, all or none; a match imported twice is one match."""

    book: Path = a_scorebook(_HELP)
    files: tuple[Path, ...] = option("what engarde scores --record wrote", "files", nargs="+", metavar="FILE")

    def do(self) -> int:
        records = [_record_in(path) for path in self.files]
        with open_scorebook(self.book) as book:
            if book.notice:
                print(book.notice, file=sys.stderr)
            numbers = take_in(book, records)
        for path, number in zip(self.files, numbers, strict=True):
            print(f"{path}: {'already there' if number is None else f'added as match {number}'}.")
        return 0


def _record_in(path: Path) -> Record:
    try:
        return record_of(read_text(path))
    except NotTextError:
        raise
    except (ValueError, EngardeError) as error:
        raise ScorebookError(f"{path}: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct:
    """Change the score or the current round of a match; nothing is erased, everything judged again."""

    book: Path = a_scorebook(_HELP)
    match: int | None = option("which match (default: the last one)", "match", type=int, nargs="?", metavar="NO")
    turn: int | None = option("what turn N of the current round really was", group="which", metavar="N")
    insert_after: int | None = option("a turn was played after turn N (0: at the start)", group="which", metavar="N")
    remove: int | None = option("turn N was never played", group="which", metavar="N")
    undo: bool = switch("take back the last event or correction", group="which")
    cards: tuple[Card, ...] | None = option("the cards of that turn, such as 3b,3c", type=cards_named, metavar="CARDS")
    white: int | None = option("where White stood at its end", metavar="SPACE")
    black: int | None = option("where Black stood at its end", metavar="SPACE")
    gave_up: bool = switch("that turn was giving up", "--yield")
    figures: BySide[int] | None = option("where both figures stand now", type=_pair, metavar="W:B")
    score: BySide[int] | None = option("the score of the match", type=_pair, metavar="W:B")
    played: tuple[Card, ...] = option(
        "cards played this round that were not recorded", default=(), type=cards_named, metavar="CARDS"
    )
    why: str = option("the reason, kept with the correction", default="", metavar="TEXT")

    def do(self) -> int:
        notice, told = correct_match(self.book, self.match, self._entry)
        if notice:
            print(notice, file=sys.stderr)
        print(told)
        return 0

    def _entry(self, course: Course) -> JournalEntry | None:
        """The correction to write; None where no change is named. Raises CorrectionError."""
        if self.undo:
            return UndoEvent()
        changes: list[Change] = []
        if self.turn is not None:
            changes.append(Replace(self.turn, self._play(course, self.turn)))
        if self.insert_after is not None:
            changes.append(Insert(self.insert_after, self._play(course, None)))
        if self.remove is not None:
            changes.append(Remove(self.remove))
        setting = Setting(self.figures, self.score, self.played)
        if not setting.empty:
            changes.append(setting)
        if not changes:
            if self.gave_up or (self.cards, self.white, self.black) != (None, None, None):
                raise CorrectionError("Say which turn that was, with --turn or --insert-after.")
            return None
        if not self.why.strip():
            raise CorrectionError("Say why, with --why: the reason is kept with the correction.")
        return Correction(tuple(changes), self.why)

    def _play(self, course: Course, number: int | None) -> PlayEvent:
        """The turn that was really played: what is not named is as it was recorded, or as the figures stood."""
        steps = course.round_steps
        old = steps[number - 1].entry if number is not None and 1 <= number <= len(steps) else None
        cards = self.cards if self.cards is not None else getattr(old, "cards", ())
        if self.gave_up:
            return YieldEvent(cards)
        if isinstance(old, RevealEvent):
            raise CorrectionError("A reveal is taken back with --undo, and the hands are shown again.")
        place = (number or (self.insert_after or 0) + 1) - 2
        before = steps[place].state if 0 <= place < len(steps) else None
        spaces = old.spaces if isinstance(old, TurnEvent) else before.spaces if before is not None else BySide(1, 23)
        return TurnEvent(
            cards,
            spaces.white if self.white is None else self.white,
            spaces.black if self.black is None else self.black,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBook:
    """Whether the scorebook is whole; a damaged one is set aside and what can be read recovered."""

    book: Path = a_scorebook(_HELP)

    def do(self) -> int:
        path = self.book
        if not is_there(path):
            raise ScorebookError(f"there is no scorebook {path} yet: play a match first.")
        with open_scorebook(path, alone=True) as book:
            if book.notice:
                print(book.notice)
            matches, events = book.counts()
            problems = [played.problem for played in book.replay_all() if played.problem]
            sound = "is what was written, but not all of it can be judged" if problems else "is whole"
            print(f"{path} {sound}: {matches} matches with {events} events.")
            for problem in problems:
                print(f"What follows cannot be judged: {problem}.")
        return 0


TASKS: Final = {"backup": BackUp, "restore": Restore, "import": Import, "correct": Correct, "check": CheckBook}
