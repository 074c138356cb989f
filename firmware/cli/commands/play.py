"""``engarde play``: referee the real table, or a recording of one."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar

from display.menu.model import Act, Menu
from display.window import Window
from engine.companion.backs import DeckBacks
from engine.companion.companion import LEVELS, name_of
from engine.players.bots.strengths import STRENGTHS, rival_name
from engine.record.course import Course, JournalEntry
from engine.rules.cards import DECK
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Settings, take_up
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.copies import restore
from firmware.book.scorebook.salvage import Salvaged, news_of
from firmware.book.scorebook.schema import BY_HAND, DEMO, PLAY, SIMULATED
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import add_device_options, names_of, points, say, table_wish
from firmware.cli.commands.setting_options import add_setting_options, settings_given
from firmware.cli.first_start.mark import become
from firmware.cli.sitting.board import open_scoreboard
from firmware.cli.sitting.cameras import TableWish
from firmware.cli.sitting.first_steps import ask_first, guests_of, is_the_first
from firmware.cli.sitting.household import menu_of
from firmware.cli.sitting.lessons import Lessons, LessonsEnd, give_lessons
from firmware.cli.sitting.sitting import Notify, Sitting, open_sitting
from firmware.core.config import SCOREBOOK_VARIABLE, EventSettings, HomeSettings, club_card_path
from firmware.core.errors import EngardeError
from firmware.table.camera.aiming import Aiming
from firmware.table.camera.camera import CameraKind, HandsWanted
from firmware.table.camera.live_camera import LiveCamera
from firmware.table.camera.recorded import ReplayCheck, write_down
from firmware.table.camera.setup import RecordedMatch
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Audience, Journal, NoJournal, People, there
from firmware.table.loop.requests import Announce, Begin, TakeUp
from firmware.table.recording.recorder import Recorder, open_recorder
from firmware.table.service.extras import ExtraMatch, Joined, join_extras
from firmware.ui.coach.coach import Coach, Mode
from firmware.ui.companion.companion import TableCompanion
from firmware.ui.companion.deck_file import load_deck
from firmware.ui.companion.opponents import companion_in, strength_of
from firmware.ui.lessons.explainer import Explainer
from firmware.ui.lessons.progress import Progress, progress_path
from firmware.ui.menu.state import MenuState, Then
from firmware.ui.menu.table_menu import TableMenu
from firmware.ui.screen.asking import Wanted, stay
from firmware.ui.screen.printers import JsonPrinter, PictureWriter, TroublePrinter, VerdictPrinter, moments_that_matter
from firmware.ui.screen.screens import draw_moment
from firmware.web.address import LOOPBACK, Port

T = TypeVar("T")

DEFAULT_STRENGTH: Final = "fencer"
OPTIONS: Final = {Mode.HINTS: "--coach", Mode.OPEN: "--open"}
"""The options of the command that propose something; both players still answer with their own buttons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The match to referee; the settings file has what is not given."""

    table: TableWish = part(add_device_options, table_wish)
    seed: int | None = part(lambda _: None, attrgetter("seed"), default=None)
    settings: Mapping[str, Any] = part(
        lambda parser: add_setting_options(parser, "match"),
        lambda args: settings_given(args, "match"),
        default_factory=dict,
    )
    points: int | None = option("points that win the match", type=points, metavar="N")
    white: str | None = option("White's name", metavar="NAME")
    black: str | None = option("Black's name", metavar="NAME")
    bot: str | None = option("the companion plays this side; you do its handwork", choices=["white", "black"])
    strength: str | None = option(f"how strongly it plays, with --bot ({DEFAULT_STRENGTH})", choices=LEVELS)
    new: bool = switch("begin a new match even if one was not finished")
    coach: bool = switch("ask both whether they want help in this match")
    open: bool = switch("ask both whether to play this match with open hands")
    as_json: bool = switch("print the events read off the table, each with its ruling", "--json")
    web: int | None = option(
        "serve a scoreboard for phones and streams (/overlay) at this port (%(const)s)",
        nargs="?",
        const=int(Port.SCOREBOARD),
        metavar="PORT",
    )
    web_host: str = option("for whom: 0.0.0.0 is everybody here (%(default)s)", default=LOOPBACK, metavar="ADDRESS")
    record: Path | None = option("keep what was refereed, for --camera FILE", metavar="FILE")
    club: Path | None = option("the card of this table's club (default: the one it joined with)", metavar="FILE")
    against: str | None = option(
        "at the simulated table a bot of this strength plays the other side, with hands of its own",
        choices=list(STRENGTHS),
    )
    own_side: str = option("yours, with --against (%(default)s)", "--as", default="white", choices=["white", "black"])
    watch: bool = switch("at the simulated table two bots play, and you look on")
    acts: Path | None = option("what hands do at the simulated table, line by line", metavar="FILE")
    acts_out: Path | None = option("write what was done there, for --acts", metavar="FILE")
    scorebook: str | None = option(f"default: {SCOREBOOK_VARIABLE}, else your data folder", metavar="FILE")
    typed: tuple[str, ...] | None = part(lambda _: None, lambda args: getattr(args, "typed", None), default=None)

    def wish(self) -> Play:
        """The same with the players' names, bots among them, and hands at a simulated table. Raises EngardeError."""
        names, camera = _seated(self.names, self.bot, self.strength), self.table.camera
        if self.against is not None:
            side = Side(self.own_side).other
            if names[side] is not None:
                raise EngardeError(
                    f"--against {self.against}: {side.value} is to be {names[side]}; leave one of the two out."
                )
            names = names.put(side, rival_name(self.against))
        given = {"--watch": self.watch, "--acts": self.acts, "--acts-out": self.acts_out, "--against": self.against}
        asked = [*filter(given.get, given)]
        if camera.spec.kind is CameraKind.SYNTHETIC:
            if self.watch and len(asked) > 1:
                raise EngardeError(
                    "--watch: two bots play there; leave --acts, --acts-out and --against out, or --watch."
                )
            camera = replace(camera, hands=HandsWanted(self.watch, self.acts, self.acts_out, dealt=self.seed))
        elif asked:
            raise EngardeError(f"{asked[0]} is of the simulated table: say --camera synthetic, or leave it out.")
        return replace(self, table=replace(self.table, camera=camera), white=names.white, black=names.black)

    @property
    def names(self) -> BySide[str | None]:
        return BySide(self.white, self.black)

    @property
    def proposed(self) -> tuple[Mode, ...]:
        """The modes that both players are asked to agree to."""
        return tuple(mode for mode, option in OPTIONS.items() if getattr(self, option[2:]))

    @property
    def is_another(self) -> bool:
        """Whether it is another match than a recorded one."""
        return bool(self.new or self.settings.get("rules") or self.settings.get("starter") or self.points)

    @property
    def is_named(self) -> bool:
        """Whether the command names the match to begin, so that no question is asked."""
        return bool(self.is_another or self.white or self.black)

    def opening(self) -> MatchEvent:
        """The match to begin, as in the settings where nothing was given; its starter may be left to the lot."""
        config = self.table.settings
        chosen = self.settings.get("starter") or config.starter
        starter = random.Random().choice(list(Side)) if chosen == "lot" else Side(chosen)
        return MatchEvent(self.settings.get("rules") or config.rules, starter, self.points or config.points)

    def do(self) -> int:
        """Referee until the camera or the players end; 0 then."""
        return referee(self.wish())


def referee(wish: Play, window: Window | None = None) -> int:
    """Referee what is wished for until the camera or the players end; 0 then. ``window``: one that is open."""
    say(wish.table.settings.notice)
    try:
        while True:
            with ExitStack() as held:
                then = play(wish, open_sitting(wish.table, held, say, window=window), held)
            window = None
            if then is None:
                break
            if isinstance(then, str):
                again = (each for each in wish.typed or () if each != "--new")  # the match of before goes on then
                become(then, ("--then-play", *again))
            wish = going_on_with(then, wish)
    except KeyboardInterrupt:
        if not wish.table.camera.spec.live:
            raise
        say("Stopped. What was played is in the scorebook.")  # a camera has no other end
    return 0


def going_on_with(copy: Path, wish: Play) -> Play:
    """Put this copy of the scorebook, closed now, in its place, where that can be: what is wished for then."""
    book = wish.table.scorebook
    try:
        done = restore(book, copy)
    except (EngardeError, OSError) as error:
        say(f"{error} Going on with {book} as it was.")
    else:
        matches = "1 match" if done.matches == 1 else f"{done.matches} matches"
        say(f"Going on with {copy}: {matches}. The book that was there is kept as {done.kept}.")
    if wish.record is not None:
        say(f"Recording to {wish.record} ends here: what follows is another game.")
    return replace(wish, table=wish.table.reread(), new=False, record=None)


def _seated(names: BySide[str | None], side: str | None, strength: str | None) -> BySide[str | None]:
    """These names, the companion's among them where it plays a side. Raises EngardeError where somebody has that."""
    if side is None:
        if strength is not None:
            raise EngardeError(f"--strength {strength} is the companion's: say which side it plays, with --bot.")
        return names
    given = names[Side(side)]
    if given is not None and strength_of(given) is None:
        raise EngardeError(f"--bot {side}: that side is to be played by {given}; leave --{side} out.")
    return names.put(Side(side), name_of(strength or DEFAULT_STRENGTH))


class TableMatch:
    """A match at a sitting: where it begins, and who takes part.

    ``course`` is of a match that goes on, None for a new one. ``book`` is where it is written down, None for nowhere,
    and ``salvaged`` what was saved of a damaged one; ``menu_book`` is the same where there is a menu. ``asked``: its
    menu asks first what to begin.
    """

    def __init__(self, wish: Play, sitting: Sitting, held: ExitStack) -> None:
        """What the wish leaves open is as in the recording, else as in the settings file. Raises EngardeError."""
        setup, config = sitting.setup, wish.table.settings
        if sitting.camera.recorded is not None and wish.bot is not None:
            say("--bot is left out: a recording is refereed with those who played then.")
            people = wish.names.put(Side(wish.bot), None)
            wish = replace(wish, bot=None, white=people.white, black=people.black)
        kind = wish.table.camera.spec.kind
        if wish.bot is not None and kind is CameraKind.SYNTHETIC and sitting.seat is None:
            raise EngardeError(
                "--bot: without a window robots play both sides of the simulated table, and nobody deals the companion "
                "its cards; leave --headless out and play against it, or watch it with engarde demo --bot."
            )
        before = setup.match or config
        self.wish, self.sitting, self.held = wish, sitting, held
        self.progress = Progress(progress_path(wish.table.scorebook))
        names = names_of(wish.names, before.names)
        self.people = People(names, config.language, picture_of=self.progress.portrait_of)
        self.settings = Settings(
            end_turn=EndTurn(wish.settings.get("end_turn", before.end_turn)),
            settle_s=wish.settings.get("settle_s", before.settle_s),
            middle_x_mm=setup.table.play_area.middle[0],
        )
        self.journal: Journal = NoJournal()
        self.entries: tuple[JournalEntry, ...] = ()
        self.course: Course | None = None
        self.book: Scorebook | None = None
        self.salvaged: Salvaged | None = None
        self._start()
        sitting.camera.agree(self.opening)
        self.menu_book = self.book if sitting.camera.live else None
        # A table without buttons, whose turns end by themselves, must not wait for a key.
        presses = self.settings.end_turn is EndTurn.BUTTON or sitting.panel.has_buttons
        begins = self.course is None and not wish.is_named and self.menu_book is not None
        self.asked = presses and begins and sitting.shown

    def mode(self) -> str:
        """The scorebook's mode for a match that begins now before this camera."""
        camera = self.sitting.camera
        if self.wish.table.camera.spec.kind is CameraKind.SYNTHETIC:
            return SIMULATED if camera.played else DEMO
        missing = isinstance(camera.source, LiveCamera) and not camera.source.found
        return BY_HAND if missing else PLAY

    @property
    def opening(self) -> MatchEvent:
        first = self.entries[0]
        assert isinstance(first, MatchEvent)
        return first

    def _start(self) -> None:
        """Begin a new match, go on with the one that was not finished, or with the recorded one."""
        wish, own = self.wish, self.sitting.setup.match
        if own is not None and wish.scorebook is None and not wish.is_another:  # it was written down when it was played
            self.entries, self.course = own.entries, own.course if len(own.entries) > 1 else None
            return
        self.book = book = self.held.enter_context(open_scorebook(wish.table.scorebook, alone=True))
        self.salvaged = book.salvaged
        say(book.notice)
        played = book.unfinished() if self.sitting.at_real_table and not wish.new else None
        if played is not None and played.course is not None:
            names, state = played.match.names, played.course.state
            self.people.names = names
            say(
                f"Going on with the match of {names.white} and {names.black} at "
                f"{state.score.white}:{state.score.black}, round {state.round}; --new begins another."
            )
            if played.problem:
                say(f"What followed could not be read ({played.problem}), so it goes on as a new match from there.")
            self.journal, self.course = book.resume(played), played.course
            self.entries = tuple(row.event for row in played.rows)
            return
        self.journal = book.begin(self.people.names, mode=self.mode)
        if own is None or wish.is_another:
            self.entries = (wish.opening(),)
            return
        self.entries = own.entries
        self.course = write_down(self.journal, own.entries) if len(own.entries) > 1 else None

    def menu(self, coach: Coach | None) -> TableMenu | None:
        """The menu; None where there is no book to tell the match again from."""
        wish, sitting, book = self.wish, self.sitting, self.menu_book
        if book is None:
            return None
        # A recording is of one game: nothing else is done at the table while it is made.
        progress = self.progress if wish.record is None else None
        machine = menu_of(wish.table.settings, self.settings.end_turn, book, sitting, wish.record)
        can_set_up = sitting.shown and sitting.at_real_table and wish.record is None and wish.typed is not None
        seated = sitting.seat is not None
        now = MenuState(self.people, *machine, coach, progress, can_set_up=can_set_up, seated=seated)
        return TableMenu(now, shown=lambda: sitting.shown)

    def companion(self) -> TableCompanion:
        """The companion, which plays wherever one of the players has its name; what keeps it from that is said."""
        camera, setup, seat = self.sitting.camera, self.sitting.setup, self.sitting.seat

        def recorded_deck(letter: str) -> DeckBacks:
            """The backs that were known when this recording was made: those known here and now may be others."""
            backs = setup.match.backs if setup.match is not None else None
            return backs if backs is not None and backs.deck == letter else DeckBacks(letter)

        live, recorded = camera.live, camera.recorded is not None
        deck_of = recorded_deck if recorded else load_deck if seat is None else seat.deck_of
        companion = TableCompanion(deck_of, STRENGTHS, setup.table, self.people, meanwhile=live, recorded=recorded)
        self.held.callback(companion.close)
        if self.wish.bot is not None and seat is None:
            say(unready(self.people, setup.table.deck_letter))
        return companion

    def extras(self, menu: TableMenu | None) -> Joined:
        """Extras that take part: none in a recording, but for a club whose card was named."""
        sitting, card, config = self.sitting, self.wish.club, self.wish.table.settings
        if card is None and sitting.at_real_table and club_card_path().exists():
            card = club_card_path()
        if not sitting.camera.live and (config.events.wanted or config.home.broker):
            say("What stands under [events] and [home] is left out: this is a simulation or a recording.")
            config = replace(config, events=EventSettings(), home=HomeSettings())
        room = (lambda: None) if menu is None else menu.give_way
        given = self.people, config, self.held, say, sitting.watch, room
        return join_extras(ExtraMatch(*given, card, is_named=self.wish.club is not None))

    def recorder(self, menu: TableMenu | None) -> Recorder | None:
        """Keeps what is refereed, but for what is shown to the menu in private; None where nothing is to be kept."""
        wish, sitting, settings = self.wish, self.sitting, self.settings
        if wish.record is None:
            return None
        backs = None
        with suppress(EngardeError):  # the companion says so as soon as it is to play
            backs = load_deck(sitting.setup.table.deck_letter)
        given = (self.entries, self.people.names, settings.end_turn, settings.settle_s, not self.asked)
        begun = RecordedMatch(*given, backs if backs and backs.tokens else None)
        setup, most_mb = replace(sitting.setup, match=begun), wish.table.settings.record_most_mb
        kept = (wish.record, sitting.camera, setup, most_mb, say, lambda: menu is not None and menu.is_private)
        recorder = _unless_lost("--record", lambda: open_recorder(*kept))
        return None if recorder is None else self.held.enter_context(closing(recorder))

    def audience(self, more: Sequence[Audience], extras: Sequence[Audience]) -> tuple[Audience, ...]:
        """The audience of every moment, in order."""
        wish, sitting, out = self.wish, self.sitting, self.wish.table.pictures
        printer = JsonPrinter(sys.stdout) if wish.as_json else VerdictPrinter(sys.stdout)
        trouble, check = TroublePrinter(sys.stderr), None
        if sitting.camera.recorded is not None and sitting.setup.match is not None:
            check = ReplayCheck(sitting.camera.recorded)
            self.held.callback(lambda: say(check.sentence))
        draw = partial(draw_moment, theme=sitting.wish.settings.look)
        opens = None if out is None else partial(PictureWriter, out, draw, moments_that_matter())
        pictures = None if opens is None else _unless_lost("--out", opens)
        last = *extras, sitting.lens, sitting.told, sitting.tidy, sitting.watchdog
        return there(printer, sitting.lamps, trouble, *more, check, sitting.sound, sitting.board, pictures, *last)

    def begin(self, loop: Loop, menu: TableMenu | None) -> None:
        """Open the match, go on with it, or ask in the menu what to begin."""
        own = self.sitting.setup.match
        if self.salvaged is not None:
            loop.ask(Announce(*news_of(self.salvaged)))
        if self.asked and menu is not None:
            self._ask(loop, menu)
        elif self.course is not None:
            loop.ask(TakeUp(take_up(self.course)))
        elif own is None or own.opened or self.wish.is_named:  # else the menu began one, later on
            opening = loop.open(self.opening)
            if self.wish.as_json:
                JsonPrinter(sys.stdout).tell(opening)

    def _ask(self, loop: Loop, menu: TableMenu) -> None:
        """Ask what to begin: in the menu, but at the very first start step by step."""
        sitting, people, table = self.sitting, self.people, self.wish.table
        choice = None
        if is_the_first(sitting, guests_of(table.scorebook), table.given):
            choice = ask_first(sitting, replace(table.settings, language=people.language), self.progress)
        if choice is None:
            menu.open_start()
            return
        people.language = choice.language
        names = names_of(choice.names, people.names)
        if choice.wanted is Wanted.LEARN:
            people.names = names
            menu.choose(Act("learn_on"), Menu())
        else:
            loop.ask(Begin(self.opening, names))

    def learns(self, loop: Loop, menu: TableMenu) -> bool:
        """Give the lesson that was chosen in the menu, if one was. Whether the match goes on then."""
        now, book = menu.now, self.menu_book
        at, now.lesson = now.lesson, None
        if at is None or book is None or now.progress is None:
            return False
        machine = menu_of(self.wish.table.settings, EndTurn.BUTTON, book, self.sitting)
        lessons = Lessons(at, self.settings, now.progress, machine)
        return _learn(lessons, loop, self.people, menu, self.sitting)


def play(wish: Play, sitting: Sitting, held: ExitStack, more: Sequence[Audience] = ()) -> Then:
    """Put a match at this sitting together and run its loop; ``held`` closes what the match alone opens.

    ``more`` attends it too. Gives what to go on with where somebody asked for it.
    """
    match = TableMatch(wish, sitting, held)
    wish, people, source = match.wish, match.people, sitting.camera.source
    web = None if wish.web is None else (wish.web_host, wish.web)
    sitting.board = open_scoreboard(wish.table, web, sitting, match.book, held, say)
    coach = open_coach(wish.proposed, sitting, people, say, at_hand=match.menu_book is not None)
    menu, companion = match.menu(coach), match.companion()
    if menu is not None:
        asks = partial(attrgetter("is_private"), menu)
        sitting.guard.is_private = partial(
            sitting.guard.call, menu, "is_private", asks, True, lambda answer: isinstance(answer, bool)
        )
    recorder = match.recorder(menu)
    # Each hears, sees and adds to what those before it left.
    helping, attending = match.extras(menu)
    aiming = Aiming() if sitting.is_new_camera and wish.record is None else None
    explainer = None if menu is None else Explainer(people, match.progress)
    screens = sitting.screen(people, menu)
    helpers = there(sitting.camera.recorded, *helping, menu, aiming, coach, explainer, companion, recorder, *screens)
    audience = match.audience(more, attending)
    kept = source if recorder is None else recorder.source(source)
    new = None if match.book is None else partial(match.book.begin, mode=match.mode)
    given = (match.journal, audience, match.settings, people, helpers)
    loop = sitting.loop(held, *given, mode="play", source=kept, new_journal=new)
    match.begin(loop, menu)
    loop.run()
    if loop.over and loop.desk.state is not None and loop.desk.state.phase is not Phase.MATCH_OVER:
        score = loop.desk.state.score
        say(f"There are no more pictures: the match stands at {score.white}:{score.black} and is not over.")
    if sitting.window is not None and sitting.shown and loop.over and wish.table.camera.hands is not None:
        stay(sitting.window)
    while menu is not None and match.learns(loop, menu):
        loop.run()
    then = None if menu is None else menu.now.wanted
    if then is not None:
        sitting.watchdog.goes_on()
    return then


def _unless_lost(option: str, opens: Callable[[], T]) -> T | None:
    """The opened file; None where the disk refuses, which is said: a match needs none of them."""
    try:
        return opens()
    except OSError as error:
        say(f"{option} {error.filename}: {error.strerror}. The match is played without it.")
        return None


def open_coach(
    proposed: Sequence[Mode], sitting: Sitting, people: People, say: Notify, *, at_hand: bool
) -> Coach | None:
    """The coach of these people; None where there is no screen for its words, which is said.

    A recording keeps what both players agreed to: it has its coach, and no question.
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


def unready(people: People, deck: str) -> str:
    """The reason why the companion cannot play; empty where it can."""
    if companion_in(people.names) is None:
        return "The match that goes on is one of two people: --new begins one against the companion."
    known = len(load_deck(deck).tokens)
    if known < len(DECK):
        return (
            f"The companion knows {known} of the {len(DECK)} backs of deck {deck}: print them with engarde print "
            "--companion, then show it every card with engarde register."
        )
    return ""


def _learn(lessons: Lessons, loop: Loop, people: People, menu: TableMenu, sitting: Sitting) -> bool:
    """Lessons in the middle of a match, which is compared with the table before it goes on. Whether it does."""
    say(lessons.progress.notice)
    seat = sitting.seat
    before = None if seat is None else seat.top
    if give_lessons(sitting, people, lessons) is LessonsEnd.STOPPED:
        return False
    if seat is not None and before is not None:
        seat.sit(people).put_back(before)
    course, loop.eyes = loop.desk.course, sitting.eyes
    over = course is None or course.state.phase is Phase.MATCH_OVER
    desk = loop.desk if over or course is None else take_up(course, after_lesson=True)
    loop.ask(TakeUp(replace(desk, verdicts=loop.desk.verdicts + 1)))
    if over:
        menu.open_start()
    return True
