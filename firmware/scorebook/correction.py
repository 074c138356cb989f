"""Correcting a match of the scorebook from the command line: which turn, what it really was, and why.

A part of ``engarde book`` of its own: during play the screen's two buttons and ``Loop.correct`` do the same.
"""

from __future__ import annotations

import argparse
from typing import Final

from engine.record.corrections import Change, Correction, CorrectionError, Insert, Play, Remove, Replace, Setting
from engine.record.course import CORRECTED, Course, JournalEntry, follow
from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.events import RevealEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide
from firmware.config import scorebook_path
from firmware.scorebook.book import Played, Scorebook, open_scorebook
from firmware.scorebook.correction_text import change_text, correction_note, fallen_text, play_text, when_text
from firmware.scorebook.file import ScorebookError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde book correct``."""
    parser.add_argument("match", type=int, nargs="?", metavar="NO", help="which match (default: the last one)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--turn", type=int, metavar="N", help="what turn N of the current round really was")
    which.add_argument("--insert-after", type=int, metavar="N", help="a turn was played after turn N (0: at the start)")
    which.add_argument("--remove", type=int, metavar="N", help="turn N was never played")
    which.add_argument("--undo", action="store_true", help="take back the last event or correction")
    parser.add_argument("--cards", type=_cards, metavar="CARDS", help="the cards of that turn, such as 3b,3c")
    parser.add_argument("--white", type=int, metavar="SPACE", help="where White stood at its end")
    parser.add_argument("--black", type=int, metavar="SPACE", help="where Black stood at its end")
    parser.add_argument("--yield", dest="gave_up", action="store_true", help="that turn was giving up")
    parser.add_argument("--figures", type=_pair, metavar="W:B", help="where both figures stand now")
    parser.add_argument("--score", type=_pair, metavar="W:B", help="the score of the match")
    parser.add_argument("--played", type=_cards, metavar="CARDS", help="cards played this round that were not recorded")
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, kept with the correction")


def _cards(text: str) -> tuple[Card, ...]:
    names = text.replace(",", " ").split()
    unknown = [name for name in names if name not in CARD_BY_NAME]
    if unknown:
        raise argparse.ArgumentTypeError(f"no card is called {unknown[0]!r}: cards are such as 3b,3c")
    return tuple(CARD_BY_NAME[name] for name in names)


def _pair(text: str) -> BySide[int]:
    parts = text.split(":")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) <= 10 for part in parts):
        raise argparse.ArgumentTypeError(f"White's and Black's number are expected, such as 9:14, not {text!r}")
    return BySide(int(parts[0]), int(parts[1]))


def correct_match(args: argparse.Namespace) -> tuple[str, str]:
    """Correct the match, or only list its current round when no change is named: the book's notice, and how the match
    stands now. Raises ScorebookError."""
    path = scorebook_path(args.scorebook)
    if not path.exists():
        raise ScorebookError(f"there is no scorebook {path} yet: play a match first.")
    with open_scorebook(path, alone=True) as book:
        played = _which(book, args.match)
        course = played.course
        if course is None or played.problem:
            raise ScorebookError(f"{path}: {played.problem}; a match is corrected only where all of it can be read.")
        try:
            entry = _entry(args, course)
            if entry is None:
                return book.notice, round_text(played)
            after, ruling = follow(course, entry)
        except CorrectionError as error:
            raise ScorebookError(str(error)) from error
        if after is None or not ruling.ok:
            raise ScorebookError("there is nothing to take back: the match has only begun.")
        book.resume(played).append(entry, ruling, 0.0)
        return book.notice, round_text(book.replay(played.match.id))


def _which(book: Scorebook, number: int | None) -> Played:
    if number is None:
        matches = book.matches()
        if not matches:
            raise ScorebookError(f"there is no match in {book.path} yet.")
        number = matches[-1].id
    return book.replay(number)


def _entry(args: argparse.Namespace, course: Course) -> JournalEntry | None:
    """What is to be written; None where no change is named. Raises CorrectionError."""
    if args.undo:
        return UndoEvent()
    changes: list[Change] = []
    if args.turn is not None:
        changes.append(Replace(args.turn, _play(args, course, args.turn)))
    if args.insert_after is not None:
        changes.append(Insert(args.insert_after, _play(args, course, None)))
    if args.remove is not None:
        changes.append(Remove(args.remove))
    setting = Setting(args.figures, args.score, args.played or ())
    if not setting.empty:
        changes.append(setting)
    if not changes:
        if args.cards is not None or args.white is not None or args.black is not None or args.gave_up:
            raise CorrectionError("Say which turn that was, with --turn or --insert-after.")
        return None
    if not args.why.strip():
        raise CorrectionError("Say why, with --why: the reason is kept with the correction.")
    return Correction(tuple(changes), args.why)


def _play(args: argparse.Namespace, course: Course, number: int | None) -> Play:
    """The turn that was really played: what is not named is as it was recorded, or as the figures stood."""
    steps = course.round_steps
    old = steps[number - 1].entry if number is not None and 1 <= number <= len(steps) else None
    cards = args.cards if args.cards is not None else getattr(old, "cards", ())
    if args.gave_up:
        return YieldEvent(cards)
    if isinstance(old, RevealEvent):
        raise CorrectionError("A reveal is taken back with --undo, and the hands are shown again.")
    place = (number or args.insert_after + 1) - 2
    before = steps[place].state if 0 <= place < len(steps) else None
    spaces = old.spaces if isinstance(old, TurnEvent) else before.spaces if before is not None else BySide(1, 23)
    return TurnEvent(
        cards,
        spaces.white if args.white is None else args.white,
        spaces.black if args.black is None else args.black,
    )


def round_text(played: Played) -> str:
    """The match and its current round as they stand, with the numbers that corrections go by."""
    course, match = played.course, played.match
    assert course is not None
    state = course.state
    began = when_text(match.wall_s)
    lines = [
        f"Match {match.id}, {match.names.white} (White) against {match.names.black} (Black), begun {began}: "
        f"{state.score.white}:{state.score.black}, round {state.round}."
    ]
    for number, step in enumerate(course.round_steps, 1):
        entry = step.entry
        told = f"set: {change_text(entry)}" if isinstance(entry, Setting) else play_text(entry)
        lines.append(f"{number:3}. {told}")
    to_act = f"{state.to_act.value.capitalize()} to act" if state.to_act is not None else _PHASES[state.phase]
    lines.append(f"     White stands on {state.spaces.white}, Black on {state.spaces.black}; {to_act}.")
    if played.rows and played.rows[-1].event.name == CORRECTED.event:
        lines += [fallen_text(fallen) for fallen in course.fallen]
    lines += [correction_note(row) for row in played.corrections]
    return "\n".join(lines)


_PHASES: Final = {
    Phase.SETUP: "the first round has not begun",
    Phase.REVEAL: "both hands are to be shown",
    Phase.ROUND_OVER: "the round is over",
    Phase.MATCH_OVER: "the match is over",
}
