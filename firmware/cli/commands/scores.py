"""``engarde scores``: the matches that were played."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from display.draw.pictures import new_surface, png_of
from display.i18n import LANGUAGES, words
from display.screens.card import CARD_SIZE, draw_card_of
from display.screens.qr import ScanCode
from display.view import Situation
from display.words.present import present
from engine.rules.rulesets import RULE_SETS
from engine.strict.values import did_you_mean
from firmware.book.scorebook import people as people_edits
from firmware.book.scorebook.book import Played, Scorebook, open_scorebook, read_scorebook
from firmware.book.scorebook.copies import copies_of
from firmware.book.scorebook.file import ScorebookError, is_there
from firmware.book.scorebook.modes import AT_A_TABLE, SIMULATED
from firmware.book.scorebook.records import record_text
from firmware.book.scores import export
from firmware.book.scores.history import Summary
from firmware.book.scores.pages import day_of, page_of, those_like
from firmware.book.scores.players import House, Player, house
from firmware.book.scores.reviewing import retold, review_json, review_text
from firmware.book.scores.summaries import read_summaries
from firmware.book.scores.telling import match_story, overview, portrait
from firmware.book.scores.terminal import terminal_of
from firmware.cli.commands.declared import WrongUseError, option, switch
from firmware.cli.commands.options import a_scorebook, count, say
from firmware.core.config import SCOREBOOK_VARIABLE, load_config
from firmware.core.errors import EngardeError
from firmware.core.io.files import make_folder, write_whole
from firmware.core.io.spreadsheet import csv_bytes
from firmware.core.names import person_key
from firmware.table.service.extras import extra
from firmware.ui.lessons.progress import Progress, progress_path
from firmware.web.address import is_in_this_network
from vision.printed.qr import qr_rows

DEFAULT_LAST: Final = 20
MAX_LINK: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Options of the scores: what to tell of the matches in ``book``, or to do with one of them."""

    told: ClassVar[Mapping[str, Any]] = {
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "epilog": (export.__doc__ or "").partition("\n\n")[2].replace("``", ""),
    }
    player: str | None = option("all about one player; case does not matter", "player", nargs="?", metavar="PLAYER")
    preset: str | None = option("only matches under this preset", choices=sorted(RULE_SETS))
    last: int = option("list so many matches (default: %(default)s)", default=DEFAULT_LAST, type=count, metavar="N")
    simulated: bool = switch("only matches at the simulated table, with ratings of their own")
    all: bool = switch("list every match there is")
    as_json: bool = switch("one JSON object with everything; keys below", "--json")
    csv: str | None = option("a line for each match, all of them", group="what", nargs="?", const="-", metavar="FILE")
    record: int | None = option(
        "print this match as a game record to keep or mail", group="what", type=count, metavar="NO"
    )
    match: int | None = option("this match, round by round", group="what", type=count, metavar="NO")
    retell: int | None = option(
        "tell a round of this match again, turn by turn", group="what", type=count, metavar="NO"
    )
    rename: tuple[str, str] | None = option(
        "correct a name, or make two names one player", group="what", nargs=2, metavar=("OLD", "NEW")
    )
    forget: str | None = option("take a name out of the scorebook; the results stay", group="what", metavar="NAME")
    html: Path | None = option("with --match: write it as a page, turn by turn (or into this folder)", metavar="FILE")
    review: bool = switch("with --match: the chances after every turn, its sign, and what was better; --json too")
    film: Path | None = option("with --match: make a film of it, .mp4 or .gif", metavar="FILE")
    card: Path | None = option("with --match: its result as a picture, .png", metavar="FILE")
    link: str | None = option("with --card: where you put the page, as a code on the picture", metavar="ADDRESS")
    recording: Path | None = option("with --film: with the table as recorded there", metavar="FILE")
    percents: bool = switch(argparse.SUPPRESS)  # with --film, for the menu
    round: int | None = option("with --retell: which round (default: the last)", type=count, metavar="N")
    language: str | None = option(
        "of what is told of a player or a match (default: the one in the settings)", choices=LANGUAGES
    )
    copies: bool = switch("with --forget: delete the old copies beside the book that hold the name")
    yes: bool = switch("with --rename or --forget: do not ask")
    book: Path = a_scorebook(
        f"the scorebook to read (default: what {SCOREBOOK_VARIABLE} says, else the one in your data folder)"
    )

    def __post_init__(self) -> None:
        match = self.match is not None
        others = (self.csv, self.record, self.retell, self.rename, self.forget, None if self.review else self.match)
        wrong = {
            "--html FILE needs --match NO: which match?": self.html and not match,
            "--json goes with PLAYER, with --match NO --review, or alone": self.as_json
            and any(each is not None for each in others),
            "--review needs --match NO, and goes without --html, --film and --card": self.review
            and (not match or self.html or self.film or self.card),
            "--film FILE needs --match NO, and goes without --html": self.film and (not match or self.html),
            "--card FILE needs --match NO: which match?": self.card and not match,
            "--link ADDRESS needs --card FILE: a code on which picture?": self.link is not None and not self.card,
            "--recording FILE needs --film FILE: pictures for which film?": self.recording and not self.film,
            "--round N needs --retell NO: of which match?": self.round is not None and self.retell is None,
        }
        for sentence, is_wrong in wrong.items():
            if is_wrong:
                raise WrongUseError(sentence)

    @property
    def modes(self) -> tuple[str, ...]:
        """Which matches are meant."""
        return (SIMULATED,) if self.simulated else AT_A_TABLE

    def do(self) -> int:
        """Print what was asked for. Raises EngardeError for what is not there or cannot be read."""
        one = next((each for each in (self.retell, self.record) if each is not None), self.match)
        if self.rename is not None or self.forget is not None:
            old, new = self.rename or (str(self.forget), None)
            return edit_people(self.book, old, new, agreed=self.yes, copies=self.copies)
        if one is None or (one == self.match and not (self.review or self.film or self.card)):
            _tell(self)
            return 0
        with _existing(self.book) as book:
            played = book.replay(one)
            if self.retell is not None:
                print(retold(played, self.round, _language(self.language)))
            elif self.record is not None:
                print(record_text(played), end="")
        if self.review and self.as_json:
            print(json.dumps(review_json(played, _working), indent=1))
        elif self.review:
            print(review_text(played, _language(self.language), _working))
        elif self.card is not None:
            make_card(played, self.card, self.link or "", _language(self.language))
        elif self.film is not None:
            made: int = extra("film").make_film(
                played, self.film, self.recording, _language(self.language), self.percents
            )
            return made
        return 0


def _language(given: str | None) -> str:
    return given or load_config(None).language


def _tell(wish: Scores) -> None:
    """Tell what is made from the summaries of all matches."""
    last = None if wish.all else wish.last
    book = read_scorebook(wish.book)
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
        player = _named(wish.player, whole, wish.book)
        if wish.as_json:
            print(json.dumps(export.player_json(player, whole), indent=1))
        else:
            print(portrait(terminal, words(_language(wish.language)), player, whole))
    elif wish.as_json:
        print(json.dumps(export.scores_json(str(wish.book), whole, last, wish.preset), indent=1))
    elif whole.summaries:
        print(overview(terminal, whole, last))
    elif summaries:
        print(f"No matches under {wish.preset} yet in {wish.book}.")
    else:
        print(f"No matches yet in {wish.book}: engarde play begins one, engarde demo shows one.")
    for problem in problems:
        print(f"engarde scores: what follows in the scorebook cannot be read: {problem}.", file=sys.stderr)


def _tell_match(wish: Scores, number: int, whole: House, everybody: Sequence[Summary]) -> None:
    """One match: round by round, or as a page of its own."""
    summary = next((each for each in whole.summaries if each.match.id == number), None)
    if summary is None:
        under = f" under {wish.preset}" if wish.preset is not None else ""
        raise ScorebookError(
            f"the scorebook {wish.book} has no match {number}{under}; engarde scores --all lists them."
        )
    if wish.html is None:
        print(match_story(terminal_of(sys.stdout), words(_language(wish.language)), summary))
        return
    with _existing(wish.book) as book:
        language = _language(wish.language)
        page = page_of(book.replay(number), those_like(summary.match, everybody), language, _working)
    file = wish.html / f"match-{number}.html" if wish.html.is_dir() else wish.html
    write_whole(file, page, devices=True)
    print(f"Match {number} was written to {file}.")


def _working(where: str) -> None:
    """Show progress on one terminal line that is written over."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{where}", end="", file=sys.stderr, flush=True)


def _write_csv(wish: Scores, file: str, whole: House) -> None:
    summaries = whole.summaries
    if wish.player is not None:
        player = _named(wish.player, whole, wish.book)
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


def edit_people(path: Path, old: str, new: str | None, *, agreed: bool, copies: bool) -> int:
    """Rename or forget (``new`` None) a player after a confirmation. 0 when done, 1 when declined.

    ``agreed``: no confirmation. ``copies``: copies of the book with the name are deleted too.
    """
    progress = Progress(progress_path(path))
    say(progress.notice)
    if new is None and progress.knows(old) and not _has_played(path, old):
        return _forget_pupil(path, old, progress, agreed=agreed)
    if not is_there(path):
        raise ScorebookError(f"there is no scorebook {path} yet, so nobody is named in it.")
    with open_scorebook(path) as book:
        change = people_edits.plan_forget(book, old) if new is None else people_edits.plan_rename(book, old, new)
        print(_what_will_happen(path, change, new is None))
        if not agreed and not _agreed():
            print("Nothing was changed.")
            return 1
        people_edits.make_change(book, change)
        if new is None:
            progress.forget(old)
        else:
            progress.rename(old, change.new)
    print(f"Done: {change.new} it is.")
    if new is None:
        _say_where_else(path, change, delete=copies)
    return 0


def _has_played(path: Path, name: str) -> bool:
    """Whether a match in this book has this player."""
    book = read_scorebook(path)
    if book is None:
        return False
    with book:
        keys = {person_key(each) for row in book.matches() for _, each in row.names.items()}
    return person_key(name) in keys


def _forget_pupil(path: Path, name: str, progress: Progress, *, agreed: bool) -> int:
    """Forget somebody who took lessons and is in no match."""
    print(f"{name} has taken lessons and is named in no match of {path}: what was learned is deleted.")
    if not agreed and not _agreed():
        print("Nothing was changed.")
        return 1
    progress.forget(name)
    print("Done.")
    return 0


def _what_will_happen(path: Path, change: people_edits.RenamePlan, forget: bool) -> str:
    names = " and ".join(change.spellings)
    count = f"{len(change.matches)} {'match' if len(change.matches) == 1 else 'matches'}"
    lines = [f"{names} becomes {change.new} in {count} of {path}."]
    if change.joins:
        lines.append(f"There is a {change.new} already: from then on they are one player, which cannot be undone.")
    if forget:
        lines.append("The results stay under that name; the old name is overwritten and cannot be brought back.")
    return "\n".join(lines)


def _agreed() -> bool:
    """Ask for a yes; an end of input means no."""
    print("Go on? Type yes: ", end="", flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _say_where_else(path: Path, change: people_edits.RenamePlan, *, delete: bool) -> None:
    own = copies_of(path)
    for file in people_edits.copies_with(path, change):
        if delete or file in own:
            file.unlink()
            print(f"{file} held the name: deleted.")
        else:
            print(f"{file} may hold the name still: delete it if you do not need it, or say --copies.")
    print(
        "Out of reach, and yours to delete: backups on other disks, records, pages and pictures you had written, "
        "and the name in the settings file."
    )


def make_card(played: Played, file: Path, link: str, language: str) -> None:
    """Draw the result of a match as a picture. Raises EngardeError for one that is not over or cannot be read, OSError.

    ``link``: an address that its code opens, empty for none.
    """
    if file.suffix.lower() != ".png":
        raise EngardeError(f"{file}: the card is a PNG picture; give it the ending .png.")
    if len(link) > MAX_LINK:
        raise EngardeError(f"--link: an address of at most {MAX_LINK} letters fits into the code, not {len(link)}.")
    if played.state is None or played.course is None or not played.finished:
        raise EngardeError(f"match {played.match.id} is not over, so that there is no result to draw.")
    step = played.course.steps[-1]
    view = present(Situation(step.state, step.ruling, names=played.match.names, language=language))
    facts = " \u00b7 ".join(
        fact for fact in (day_of(words(language), played.match), view.match.preset_text, view.match.points_text) if fact
    )
    surface = new_surface(*CARD_SIZE)
    opens = words(language).say("served.code_here" if is_in_this_network(link) else "served.code")
    draw_card_of(surface, view, facts, ScanCode(qr_rows(link), opens) if link else None, load_config(None).look)
    make_folder(file.parent)
    write_whole(file, png_of(surface), devices=True)
    print(f"The result of match {played.match.id} was drawn: {file}.")
