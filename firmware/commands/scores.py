"""``engarde scores``: the matches that were played, and by whom."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from display.i18n import LANGUAGES
from engine.rules.rulesets import RULE_SETS
from engine.strict.values import did_you_mean
from firmware.commands.film import make_card, make_film
from firmware.commands.options import Wish, wished
from firmware.commands.people import EditPeople
from firmware.config import SCOREBOOK_VARIABLE, load_config, scorebook_path
from firmware.errors import EngardeError
from firmware.io.files import write_whole
from firmware.io.spreadsheet import csv_bytes
from firmware.scorebook.book import Scorebook, read_scorebook
from firmware.scorebook.file import ScorebookError
from firmware.scorebook.modes import AT_A_TABLE, SIMULATED
from firmware.scorebook.records import record_text
from firmware.scores import export
from firmware.scores.history import Summary
from firmware.scores.pages import page_of, those_like
from firmware.scores.players import House, Player, house
from firmware.scores.retold import retold
from firmware.scores.reviewing import review_json, review_text
from firmware.scores.summaries import read_summaries
from firmware.scores.telling import match_story, overview, portrait
from firmware.scores.terminal import terminal_of

DEFAULT_LAST: Final = 20


@dataclass(frozen=True, slots=True)
class Tell:
    """What to tell of the matches of a book: the ``last`` of them, all for None, a player's, or one ``match``."""

    path: Path
    player: str | None
    preset: str | None
    last: int | None
    match: int | None
    as_json: bool
    csv: str | None
    html: Path | None
    language: str | None
    modes: tuple[str, ...] = AT_A_TABLE

    def do(self) -> int:
        """Do it; the exit status."""
        _tell(self)
        return 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde scores``."""
    parser.add_argument("player", nargs="?", metavar="PLAYER", help="all about one player; case does not matter")
    parser.add_argument("--preset", choices=sorted(RULE_SETS), help="only matches under this preset")
    parser.add_argument(
        "--last", type=_count, metavar="N", default=DEFAULT_LAST, help="list so many matches (default: %(default)s)"
    )
    parser.add_argument(
        "--simulated", action="store_true", help="only matches at the simulated table, with ratings of their own"
    )
    parser.add_argument("--all", action="store_true", help="list every match there is")
    parser.add_argument("--json", action="store_true", help="one JSON object with everything; keys below")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--csv", nargs="?", const="-", metavar="FILE", help="a line for each match, all of them")
    what.add_argument("--record", type=_count, metavar="NO", help="print this match as a game record to keep or mail")
    what.add_argument("--match", type=_count, metavar="NO", help="this match, round by round")
    what.add_argument("--retell", type=_count, metavar="NO", help="tell a round of this match again, turn by turn")
    what.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="correct a name, or make two names one player")
    what.add_argument("--forget", metavar="NAME", help="take a name out of the scorebook; the results stay")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="with --match: write it as a page, turn by turn (or into this folder)"
    )
    parser.add_argument(
        "--review",
        action="store_true",
        help="with --match: the chances after every turn, its sign, and what was better; --json too",
    )
    parser.add_argument("--film", type=Path, metavar="FILE", help="with --match: make a film of it, .mp4 or .gif")
    parser.add_argument("--card", type=Path, metavar="FILE", help="with --match: its result as a picture, .png")
    parser.add_argument(
        "--link", metavar="ADDRESS", help="with --card: where you put the page, as a code on the picture"
    )
    parser.add_argument("--recording", type=Path, metavar="FILE", help="with --film: with the table as recorded there")
    parser.add_argument("--percents", action="store_true", help=argparse.SUPPRESS)  # with --film, for the menu
    parser.add_argument("--round", type=_count, metavar="N", help="with --retell: which round (default: the last)")
    parser.add_argument(
        "--language", choices=LANGUAGES, help="of the page or the round told again (default: the one in the settings)"
    )
    parser.add_argument(
        "--copies", action="store_true", help="with --forget: delete the old copies beside the book that hold the name"
    )
    parser.add_argument("--yes", action="store_true", help="with --rename or --forget: do not ask")
    parser.add_argument(
        "--scorebook",
        metavar="FILE",
        help=f"the scorebook to read (default: what {SCOREBOOK_VARIABLE} says, else the one in your data folder)",
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (export.__doc__ or "").partition("\n\n")[2].replace("``", "")
    parser.set_defaults(wrong_use=parser.error)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, not {text!r}")
    return min(int(text), 10**9)


@dataclass(frozen=True, slots=True)
class Retell:
    """A round of a match told again, turn by turn; None: its last."""

    path: Path
    match: int
    round: int | None
    language: str | None

    def do(self) -> int:
        """Do it; the exit status."""
        with _existing(self.path) as book:
            print(retold(book.replay(self.match), self.round, _language(self.language)))
        return 0


@dataclass(frozen=True, slots=True)
class PrintRecord:
    """A match as a game record."""

    path: Path
    match: int

    def do(self) -> int:
        """Do it; the exit status."""
        with _existing(self.path) as book:
            print(record_text(book.replay(self.match)), end="")
        return 0


@dataclass(frozen=True, slots=True)
class Review:
    """A match reviewed turn by turn, for people or as a list for other programs."""

    path: Path
    match: int
    as_json: bool
    language: str | None

    def do(self) -> int:
        """Do it; the exit status."""
        with _existing(self.path) as book:
            played = book.replay(self.match)
        if self.as_json:
            print(json.dumps(review_json(played, _working), indent=1))
        else:
            print(review_text(played, _language(self.language), _working))
        return 0


@dataclass(frozen=True, slots=True)
class DrawCard:
    """A match's result as a picture; ``link``: an address on it as a code."""

    path: Path
    match: int
    card: Path
    link: str
    language: str | None

    def do(self) -> int:
        """Do it; the exit status."""
        with _existing(self.path) as book:
            played = book.replay(self.match)
        make_card(played, self.card, self.link, _language(self.language))
        return 0


@dataclass(frozen=True, slots=True)
class MakeFilm:
    """A match as a film, with the table as in ``recording`` where there is one."""

    path: Path
    match: int
    film: Path
    recording: Path | None
    language: str | None
    percents: bool

    def do(self) -> int:
        """Do it; the exit status."""
        with _existing(self.path) as book:
            played = book.replay(self.match)
        return make_film(played, self.film, self.recording, _language(self.language), self.percents)


def run(args: argparse.Namespace) -> int:
    """Print what was asked for. Raises EngardeError for what is not there or cannot be read."""
    return scores_wish(args).do()


def scores_wish(args: argparse.Namespace) -> Wish:
    """What these arguments ask for. Ends the program where they do not go together."""
    if args.html is not None and args.match is None:
        args.wrong_use("--html FILE needs --match NO: which match?")
    others = (args.csv, args.record, args.retell, args.rename, args.forget, None if args.review else args.match)
    if args.json and any(each is not None for each in others):
        args.wrong_use("--json goes with PLAYER, with --match NO --review, or alone")
    if args.review and (args.match is None or args.html or args.film or args.card):
        args.wrong_use("--review needs --match NO, and goes without --html, --film and --card")
    if args.film is not None and (args.match is None or args.html is not None):
        args.wrong_use("--film FILE needs --match NO, and goes without --html")
    if args.card is not None and args.match is None:
        args.wrong_use("--card FILE needs --match NO: which match?")
    if args.link is not None and args.card is None:
        args.wrong_use("--link ADDRESS needs --card FILE: a code on which picture?")
    if args.recording is not None and args.film is None:
        args.wrong_use("--recording FILE needs --film FILE: pictures for which film?")
    if args.round is not None and args.retell is None:
        args.wrong_use("--round N needs --retell NO: of which match?")
    path = scorebook_path(args.scorebook)
    if args.retell is not None:
        return wished(Retell, args, path=path, match=args.retell)
    if args.record is not None:
        return wished(PrintRecord, args, path=path, match=args.record)
    if args.review:
        return wished(Review, args, path=path, as_json=args.json)
    if args.card is not None:
        return wished(DrawCard, args, path=path, link=args.link or "")
    if args.film is not None:
        return wished(MakeFilm, args, path=path)
    if args.rename is not None or args.forget is not None:
        old, new = args.rename or (args.forget, None)
        return wished(EditPeople, args, path=path, old=old, new=new, agreed=args.yes)
    last = None if args.all else args.last
    modes = (SIMULATED,) if args.simulated else AT_A_TABLE
    return wished(Tell, args, path=path, last=last, as_json=args.json, modes=modes)


def _language(given: str | None) -> str:
    return given or load_config(None).language


def _tell(wish: Tell) -> None:
    """Whatever is made from everybody's matches."""
    book = read_scorebook(wish.path)
    summaries: tuple[Summary, ...] = ()
    problems: tuple[str, ...] = ()
    if book is not None:
        with book:
            summaries, problems = read_summaries(book)
    if wish.modes != AT_A_TABLE:
        summaries = tuple(summary for summary in summaries if summary.match.mode in wish.modes)
    whole = house(summaries, wish.preset, wish.modes)
    terminal = terminal_of(sys.stdout)
    if wish.match is not None:
        _tell_match(wish, wish.match, whole, summaries)
    elif wish.csv is not None:
        _write_csv(wish, wish.csv, whole)
    elif wish.player is not None:
        player = _named(wish.player, whole, wish.path)
        if wish.as_json:
            _print_json(export.player_json(player, whole))
        else:
            print(portrait(terminal, player, whole))
    elif wish.as_json:
        _print_json(export.scores_json(str(wish.path), whole, wish.last, wish.preset))
    elif whole.summaries:
        print(overview(terminal, whole, wish.last))
    elif summaries:
        print(f"No matches under {wish.preset} yet in {wish.path}.")
    else:
        print(f"No matches yet in {wish.path}: engarde play begins one, engarde demo shows one.")
    for problem in problems:
        print(f"engarde scores: what follows in the scorebook cannot be read: {problem}.", file=sys.stderr)


def _tell_match(wish: Tell, number: int, whole: House, everybody: Sequence[Summary]) -> None:
    """One match: round by round, or as a page of its own."""
    summary = next((each for each in whole.summaries if each.match.id == number), None)
    if summary is None:
        under = f" under {wish.preset}" if wish.preset is not None else ""
        raise ScorebookError(
            f"the scorebook {wish.path} has no match {number}{under}; engarde scores --all lists them."
        )
    if wish.html is None:
        print(match_story(terminal_of(sys.stdout), summary))
        return
    with _existing(wish.path) as book:
        language = _language(wish.language)
        page = page_of(book.replay(number), those_like(summary.match, everybody), language, _working)
    _working("")
    file = wish.html / f"match-{number}.html" if wish.html.is_dir() else wish.html
    write_whole(file, page, devices=True)
    print(f"Match {number} was written to {file}.")


def _working(where: str) -> None:
    """How far it is, on one line that is written over; nothing where nobody watches."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{where}", end="", file=sys.stderr, flush=True)


def _write_csv(wish: Tell, file: str, whole: House) -> None:
    summaries = whole.summaries
    if wish.player is not None:
        player = _named(wish.player, whole, wish.path)
        own = {fight.summary.match.id for fight in player.fights}
        summaries = tuple(each for each in summaries if each.match.id in own)
    text = export.matches_csv(summaries)
    if file == "-":
        print(text, end="")
        return
    write_whole(Path(file), csv_bytes(text), devices=True)
    print(f"{len(summaries)} matches written to {file}.")


def _named(name: str, whole: House, path: Path) -> Player:
    player = whole.player(name)
    if player is None:
        known = [each.name for each in whole.players]
        raise EngardeError(f"the scorebook {path} has no player {name!r}{did_you_mean(name, known) or '.'}")
    return player


def _existing(path: Path) -> Scorebook:
    book = read_scorebook(path)
    if book is None:
        raise ScorebookError(f"there is no scorebook {path} yet: play a match first.")
    return book


def _print_json(told: Mapping[str, Any]) -> None:
    print(json.dumps(told, indent=1))
