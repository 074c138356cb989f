"""``engarde demo``: a match of two bots at the simulated table, refereed from its camera frames."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from display.draw.theme import THEMES, Theme
from display.screens.compose import Arrangement
from display.window import Window, open_window
from engine.companion.companion import LEVELS, name_of
from engine.players.bots.strengths import rival_name
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.salvage import news_of
from firmware.cli.commands import play, teach
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import DEFAULT_SEED, a_scorebook, chance, names_of, points, say
from firmware.cli.commands.setting_options import add_setting_options, settings_given
from firmware.cli.sitting.cameras import TableWish, settings_with
from firmware.cli.sitting.first_steps import guests_of, keep_portraits
from firmware.core.config import load_config, save, saved_path
from firmware.core.errors import EngardeError
from firmware.core.io.files import reports_beside
from firmware.extras.simulation.actors import StuckMatchError
from firmware.extras.simulation.match import MatchPlan, MatchReport, SimulatedMatch, winner
from firmware.table.camera.camera import CameraKind, CameraWanted, HandsWanted, camera_spec
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.moment import Audience, Moment, People, there
from firmware.table.loop.requests import Announce
from firmware.table.loop.tidy import Tidy
from firmware.table.loop.watched import Part
from firmware.table.readers.guard import guard_beside
from firmware.table.sound.sound import SoundAudience, open_player
from firmware.ui.lessons.progress import Progress, progress_path
from firmware.ui.screen.asking import Choice, Wanted, ask_what, stay
from firmware.ui.screen.printers import PictureWriter, VerdictPrinter, moments_that_matter
from firmware.ui.screen.screens import WindowAudience, draw_moment
from vision.synthetic.camera import PRESETS

DEFAULT_MISTAKES: Final = 0.1
_WATCHED: Final = "A match takes about 8 minutes at this pace; --fast shows it in one or two. Close the window to stop."
_READ: Final = "A match takes a minute or two and ends with who won; Ctrl+C stops it."
DEFAULT_OUT: Final = Path("out") / "demo"


class RoundPrinter:
    """Prints how far the match is whenever a round begins."""

    part: Final = Part.PRINTED

    def attend(self, moment: Moment) -> None:
        state = moment.desk.state
        if state is not None and any(
            isinstance(entry.event, RoundEvent) and entry.ruling.ok for entry in moment.entries
        ):
            print(f"Round {state.round} begins at {state.score.white}:{state.score.black}; {state.points} points win.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A match of bots at the simulated table, and how it is shown."""

    headless: bool = switch("no window: write pictures of the moments that matter")
    out: Path | None = option(f"where to write them (default: {DEFAULT_OUT})", metavar="DIR")
    fast: bool = switch("as fast as the machine can, not at the speed of life")
    seed: int | None = option("which match: cards, bots, camera (1)")
    rules: str = option("default: %(default)s", default=DEFAULT_RULES.name, choices=sorted(RULE_SETS))
    points: int = option("points that win the match (default: %(default)s)", default=5, type=points)
    mistakes: float = option("chance of a misplay a turn (0.1)", default=DEFAULT_MISTAKES, type=chance, metavar="P")
    open: bool = switch("with open hands: each is told the possible turns")
    strength: str = option("of glare, noise and the like (%(default)s)", default="typical", choices=list(PRESETS))
    bot: str | None = option("the companion plays this side, a person its hands", choices=["white", "black"])
    bot_strength: str = option("how strongly (default: %(default)s)", default="fencer", choices=LEVELS)
    camera: str = option("the simulated table", default="synthetic", choices=["synthetic"])
    screen: Mapping[str, Any] = part(
        lambda parser: add_setting_options(parser, "screen"), lambda args: settings_given(args, "screen")
    )
    white: str | None = option("White's name", metavar="NAME")
    black: str | None = option("Black's name", metavar="NAME")
    volume: int = option("of the sounds (80, 0: silent)", default=80, metavar="PERCENT")
    # Not the owner's own table file: a seed is the same match everywhere, and no real board is looked at here.
    table: Path = option("another table's geometry", default=TABLE_FILE, metavar="FILE")
    book: Path = a_scorebook()

    @property
    def plan(self) -> MatchPlan:
        seed = DEFAULT_SEED if self.seed is None else self.seed
        match = MatchEvent(self.rules, Side.WHITE, self.points)
        return MatchPlan(match, seed, self.mistakes, PRESETS[self.strength], open_hands=self.open)

    @property
    def names(self) -> BySide[str | None]:
        return BySide(self.white, self.black)

    @property
    def look(self) -> Mapping[str, Any]:
        """The look of the screen, as settings."""
        return {"theme": "parchment", "print_size": "normal", **self.screen}

    @property
    def theme(self) -> Theme:
        return THEMES[self.look["theme"]][self.look["print_size"]]

    @property
    def asked(self) -> bool:
        """Whether somebody at the screen is asked first what is wanted."""
        return not (self.headless or self.bot or self.open or self.fast or self.out)

    def do(self) -> int:
        """Play the match; 0 when it was played to its end, 1 when it could not be."""
        window = None if self.headless else open_window(fullscreen=self.look.get("fullscreen", False), theme=self.theme)
        if window is None or not self.asked:
            return _watch(self, window)
        language = self.look.get("language") or load_config(None).language
        choice = ask_what(window, language, guests_of(self.book))
        if choice is None:
            window.close()
            return 0
        if choice.language != language:
            save(saved_path(), "players.language", choice.language)
        keep_portraits(self.book, choice.portraits)
        if choice.wanted is Wanted.WATCH:
            return _watch(replace(self, screen={**self.screen, "language": choice.language}), window)
        if choice.wanted is Wanted.LEARN:
            table = _table(self, choice)
            progress = Progress(progress_path(self.book))
            say(progress.notice)
            return teach.Teach(table=table).begin(names_of(choice.names, table.settings.names), progress, window)
        return play.referee(_match(self, choice), window)


def _table(wish: Demo, choice: Choice) -> TableWish:
    """The simulated table with people at it, in the window that is open."""
    given: dict[str, str | bool] = {**wish.look, "language": choice.language}
    hands = HandsWanted(dealt=wish.seed)
    camera = CameraWanted(camera_spec(CameraKind.SYNTHETIC.value), wish.table, told=say, hands=hands)
    return TableWish(settings_with(given, None), camera, wish.book, given=given)


def _match(wish: Demo, choice: Choice) -> play.Play:
    """A match against the chosen opponent; the person who chose is White."""
    black, bot = wish.black or choice.names.black, None
    if choice.wanted is Wanted.BOT:
        black = rival_name(choice.strength)
    elif choice.wanted is Wanted.COMPANION:
        black, bot = name_of(wish.bot_strength), Side.BLACK.value
    return play.Play(
        table=_table(wish, choice),
        settings={"rules": wish.rules},
        points=wish.points,
        white=wish.white or choice.names.white,
        black=black,
        bot=bot,
        new=True,
    )


def _watch(wish: Demo, window: Window | None) -> int:
    """The match of two bots, or of the companion and one who plays its hands."""
    table = table_of(wish.table)
    people = People(names_of(wish.names), wish.look.get("language") or "en")
    bot = None if wish.bot is None else Side(wish.bot)
    if bot is not None:
        people.names = people.names.put(bot, name_of(wish.bot_strength))
    with ExitStack() as held:
        book = held.enter_context(open_scorebook(wish.book))
        say(book.notice)
        journal = book.begin(people.names, mode="demo", seed=wish.plan.seed)
        paced = window is not None and not wish.fast
        screen = () if window is None else (WindowAudience(window, None, people),)
        sound = writer = None
        if window is not None:
            held.callback(window.close)
            window.arrangement = Arrangement.BOTH  # the camera's picture is shown too
            player = held.enter_context(closing(open_player(wish.volume)))
            say(player.notice)
            sound = SoundAudience(player)
        out = wish.out or DEFAULT_OUT
        if window is None or wish.out is not None:
            writer = PictureWriter(out, partial(draw_moment, theme=wish.theme), moments_that_matter())
        tidy = held.enter_context(closing(Tidy()))
        audience: tuple[Audience, ...] = there(RoundPrinter(), VerdictPrinter(sys.stdout), sound, writer, tidy)
        run = held.enter_context(closing(guard_beside(book.path, lambda _: None)))  # no one asked how readers fare
        if wish.plan.match.points > 1:
            print(_WATCHED if paced else _READ)
        given = wish.plan, table, journal, audience, people, screen
        match = SimulatedMatch(*given, companion=bot, paced=paced, mover=window, run=run)
        if match.companion is not None:
            held.callback(match.companion.close)
        match.loop.guard.tells(say, reports_beside(book.path))
        held.callback(match.loop.guard.close)
        if book.salvaged is not None:
            match.loop.ask(Announce(*news_of(book.salvaged)))
        try:
            match.loop.run()
        except StuckMatchError as error:
            raise EngardeError(f"the players could not go on: {error}.") from error
        if window is not None and match.loop.over and not wish.fast:
            stay(window)
        if writer is not None:
            print(f"{writer.written} pictures of what was shown: {out.resolve()}")
        return _tell(match.report(), people)


def _tell(report: MatchReport, people: People) -> int:
    """The closing line: who won, the score, what was refereed from how much, and what was caught."""
    state, tally = report.state, report.tally
    won = winner(state)
    counts = (
        f"{report.turns} turns refereed from {report.frames} frames, "
        f"{tally.caught} of {sum(tally.mistakes.values())} mistakes caught"
    )
    if tally.wrong:
        counts += f", {len(tally.wrong)} rulings that differ from what was played"
    if won is None:
        print(f"Stopped at {state.score.white}:{state.score.black}, White to Black; {counts}.")
    else:
        name = people.names[won]
        print(f"{name} won the match {state.score[won]}:{state.score[won.other]}; {counts}.")
    agreed = report.agrees or state.phase is not Phase.MATCH_OVER
    return 0 if agreed and not tally.wrong else 1
