"""``engarde book``: the scorebook itself. Back it up, restore it, import records, correct a match, check it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.record.notation import Record
from engine.rules.track import BySide
from firmware.commands.options import Wish, cards, wished
from firmware.config import SCOREBOOK_VARIABLE, scorebook_path
from firmware.errors import EngardeError
from firmware.io.files import NotTextError, read_text
from firmware.scorebook.book import open_scorebook
from firmware.scorebook.copies import back_up, last_other_copy, restore
from firmware.scorebook.correction import CorrectionWish, correct_match
from firmware.scorebook.file import ScorebookError, is_there
from firmware.scorebook.records import record_of, take_in

_SCOREBOOK_HELP: Final = f"the scorebook (default: what {SCOREBOOK_VARIABLE} says, else the one in your data folder)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde book``, one small command each."""
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK", title="tasks")

    def task(name: str, kind: type[Wish], line: str) -> argparse.ArgumentParser:
        one = tasks.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.", allow_abbrev=False)
        one.add_argument("--scorebook", metavar="FILE", help=_SCOREBOOK_HELP)
        one.set_defaults(kind=kind)
        return one

    backup = task("backup", BackUp, "a checked copy of the scorebook in a folder, on a stick for instance")
    backup.add_argument("folder", type=Path, metavar="DIR", help="nothing that lies there is overwritten")
    restored = task("restore", Restore, "put a backup in the scorebook's place; the present one is kept beside it")
    restored.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="what engarde book backup made (default: the newest other copy that the program itself keeps)",
    )
    imported = task("import", Import, "take in game records, all or none; a match imported twice is one match")
    imported.add_argument("files", type=Path, nargs="+", metavar="FILE", help="what engarde scores --record wrote")
    changed = "change the score or the current round of a match; nothing is erased, everything judged again"
    _add_correction(task("correct", Correct, changed))
    task(
        "check", CheckBook, "whether the scorebook is whole; a damaged one is set aside and what can be read recovered"
    )


def _add_correction(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", type=int, nargs="?", metavar="NO", help="which match (default: the last one)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--turn", type=int, metavar="N", help="what turn N of the current round really was")
    which.add_argument("--insert-after", type=int, metavar="N", help="a turn was played after turn N (0: at the start)")
    which.add_argument("--remove", type=int, metavar="N", help="turn N was never played")
    which.add_argument("--undo", action="store_true", help="take back the last event or correction")
    parser.add_argument("--cards", type=cards, metavar="CARDS", help="the cards of that turn, such as 3b,3c")
    parser.add_argument("--white", type=int, metavar="SPACE", help="where White stood at its end")
    parser.add_argument("--black", type=int, metavar="SPACE", help="where Black stood at its end")
    parser.add_argument("--yield", dest="gave_up", action="store_true", help="that turn was giving up")
    parser.add_argument("--figures", type=_pair, metavar="W:B", help="where both figures stand now")
    parser.add_argument("--score", type=_pair, metavar="W:B", help="the score of the match")
    parser.add_argument(
        "--played", type=cards, default=(), metavar="CARDS", help="cards played this round that were not recorded"
    )
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, kept with the correction")


@dataclass(frozen=True, slots=True)
class BackUp:
    """A checked copy of ``book`` into a folder."""

    book: Path
    folder: Path

    def do(self) -> int:
        """Do it; the exit status."""
        made = back_up(self.book, self.folder)
        print(f"{made.path}: {made.matches} matches with {made.events} events, checked.")
        return 0


@dataclass(frozen=True, slots=True)
class Restore:
    """A backup in the place of ``book``; None: the newest copy that is not the same."""

    book: Path
    file: Path | None

    def do(self) -> int:
        """Do it; the exit status."""
        file = self.file or last_other_copy(self.book)
        done = restore(self.book, file)
        print(f"{self.book} is now as {file} and has {done.matches} matches with {done.events} events.")
        if done.kept is not None:
            lacks = "which could not be read"
            if done.only_in_kept is not None:
                lacks = f"with {done.only_in_kept} events that the backup does not have"
            print(f"The scorebook that was there is kept as {done.kept}, {lacks}.")
        return 0


@dataclass(frozen=True, slots=True)
class Import:
    """The game records in these files, taken into ``book``."""

    book: Path
    files: tuple[Path, ...]

    def do(self) -> int:
        """Do it; the exit status."""
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


@dataclass(frozen=True, slots=True)
class Correct(CorrectionWish):
    """A correction of a match in ``book``."""

    book: Path

    def do(self) -> int:
        """Do it; the exit status."""
        notice, told = correct_match(self.book, self)
        if notice:
            print(notice, file=sys.stderr)
        print(told)
        return 0


@dataclass(frozen=True, slots=True)
class CheckBook:
    """Whether ``book`` is whole."""

    book: Path

    def do(self) -> int:
        """Do it; the exit status."""
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


def run(args: argparse.Namespace) -> int:
    """Do one task; 0 when it is done. Raises ScorebookError, ExchangeError, RecordError, OSError."""
    return book_wish(args).do()


def book_wish(args: argparse.Namespace) -> Wish:
    """What these arguments ask for."""
    kind: type[Wish] = args.kind
    return wished(kind, args, book=scorebook_path(args.scorebook))


def _pair(text: str) -> BySide[int]:
    parts = text.split(":")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) <= 10 for part in parts):
        raise argparse.ArgumentTypeError(f"White's and Black's number are expected, such as 9:14, not {text!r}")
    return BySide(int(parts[0]), int(parts[1]))
