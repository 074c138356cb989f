"""``engarde play``: referees the real table, or a recording of one."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from display.i18n import LANGUAGES
from display.theme import THEMES
from display.window import Window, open_window, screen_drivers
from engine.rulesets import RULE_SETS
from firmware.book_copies import restore
from firmware.buttons import LivePresses, Presses
from firmware.calibrate_command import some_frames
from firmware.cameras import CameraWanted, OpenCamera, is_live, open_with_table, setup_of
from firmware.clock import SystemClock
from firmware.config import SCOREBOOK_VARIABLE, Config, PanelSettings, load_config, saved_path, scorebook_path
from firmware.desk import EndTurn, Settings, take_up
from firmware.devices import NoButtons, Panel, is_a_pi, open_panel
from firmware.doctor.camera import camera_facts
from firmware.doctor.checkup import Opened, examine
from firmware.doctor.panel import PanelFacts
from firmware.doctor.readout import menu_is_held, read_out
from firmware.doctor.report import report_text
from firmware.errors import EngardeError
from firmware.last_resort import ends_in_time
from firmware.loop import Audience, Loop, People
from firmware.match_start import is_chosen_on_screen, match_was_named, start_match
from firmware.meanwhile import Meanwhile
from firmware.menu.choices import Choices, Chosen
from firmware.menu.machine import Companion
from firmware.menu.table_menu import TableMenu
from firmware.moments import MomentWriter
from firmware.options import TABLE_FILE, names_of
from firmware.panel_audience import AllPresses, PanelAudience
from firmware.printers import JsonPrinter, TroublePrinter, VerdictPrinter
from firmware.recall import Recall
from firmware.recorded import RecordedMatch, Setup
from firmware.recording import open_recorder
from firmware.replay import DoneAgain, ReplayCheck
from firmware.salvage import news_of
from firmware.scorebook import Scorebook
from firmware.screens import WindowAudience, draw_moment, screen_notice
from firmware.sound import SilentPlayer, SoundAudience, open_player
from firmware.voice import WAYS, open_voice
from firmware.waiting_camera import WaitingCamera
from firmware.watchdog import Notifier, WatchdogAudience
from firmware.web.server import DEFAULT_PORT, LOOPBACK, Scoreboard, WebServer
from vision.eyes import Eyes
from vision.sources import SourceError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde play``. What is not given comes from the settings file."""
    parser.add_argument(
        "--camera",
        metavar="C",
        help="synthetic, picamera2[:N], a V4L2 number or path, a video, a folder of images, a recording",
    )
    parser.add_argument("--fps", type=float, metavar="N", help="the clock of a folder of images")
    parser.add_argument("--seed", type=int, default=1, help="of the synthetic camera and of the lot (%(default)s)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="another table's geometry")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="what engarde calibrate --out wrote")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), help="the preset")
    parser.add_argument("--starter", choices=["white", "black", "lot"], help="who begins; lot: the machine draws")
    parser.add_argument("--points", type=int, metavar="N", help="points that win the match")
    parser.add_argument("--white", metavar="NAME", help="White's name")
    parser.add_argument("--black", metavar="NAME", help="Black's name")
    parser.add_argument("--language", choices=LANGUAGES, help="of the screen")
    parser.add_argument("--theme", choices=tuple(THEMES), help="the colours and size of print")
    parser.add_argument("--fullscreen", action="store_true", help="the window covers the whole screen")
    parser.add_argument("--end-turn", choices=[way.value for way in EndTurn], help="what ends a turn")
    parser.add_argument("--settle", type=float, metavar="SECONDS", help="how long a table stands before it counts")
    parser.add_argument("--new", action="store_true", help="begin a new match even if one was not finished")
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--json", action="store_true", help="print the events read off the table, each with its ruling")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write pictures of the moments that matter")
    parser.add_argument(
        "--web",
        type=int,
        nargs="?",
        const=DEFAULT_PORT,
        metavar="PORT",
        help="serve a scoreboard for phones and streams (/overlay) at this port (%(const)s)",
    )
    parser.add_argument(
        "--web-host", default=LOOPBACK, metavar="ADDRESS", help="for whom: 0.0.0.0 is everybody here (%(default)s)"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep what was refereed, for --camera FILE")
    parser.add_argument("--scorebook", metavar="FILE", help=f"default: {SCOREBOOK_VARIABLE}, else your data folder")
    parser.add_argument("--config", type=Path, metavar="FILE", help="another settings file")


def run(args: argparse.Namespace) -> int:
    """Referee until the camera or the players end; 0 then."""
    config = load_config(args.config)
    if args.theme is not None:
        config = replace(config, theme=args.theme)
    _say(config.notice)
    live = is_live(args.camera or config.camera)
    try:
        while True:
            with ExitStack() as held:
                wanted = _play(args, config, live, held)
            if wanted is None:
                break
            _bring_back(scorebook_path(args.scorebook), wanted)
            config = load_config(args.config)  # with what was set in the menu meanwhile
            args.new = False  # a copy was asked for to go on with
            if args.record is not None:
                _say(f"Recording to {args.record} ends here: what follows is another game.")
                args.record = None
    except KeyboardInterrupt:
        if not live:
            raise
        _say("Stopped. What was played is in the scorebook.")  # a camera has no other end
    return 0


def _bring_back(book: Path, wanted: Path) -> None:
    """Put this copy in the place of the book, which is closed now; where that cannot be, the game goes on with it."""
    try:
        done = restore(book, wanted)
    except (EngardeError, OSError) as error:
        _say(f"{error} Going on with {book} as it was.")
        return
    matches = "1 match" if done.matches == 1 else f"{done.matches} matches"
    _say(f"Going on with {wanted}: {matches}. The book that was there is kept as {done.kept}.")


def _play(args: argparse.Namespace, config: Config, live: bool, held: ExitStack) -> Path | None:
    """Put the parts together and run the loop; ``held`` closes whatever was opened.

    Gives the copy of the scorebook to go on with where somebody asked for one.
    """
    clock = SystemClock()
    notifier = Notifier(os.environ)
    held.callback(notifier.close)
    panel = open_panel(config.panel if live else PanelSettings(pins="off"), clock.now_s)
    held.enter_context(ends_in_time(panel.close))
    held.callback(panel.close)
    theme = THEMES[config.theme]
    window = None if args.headless else open_window(fullscreen=args.fullscreen or config.fullscreen, theme=theme)
    if window is not None:
        held.callback(window.close)
    if live:
        _say(panel.notice)
    if not args.headless:
        _say(screen_notice(window, pictures=args.out is not None))
    camera, setup = _camera(args, config, somebody_waits=window is not None or panel.wired)
    held.callback(camera.source.close)
    if camera.recorded is not None:
        _say(camera.recorded.notice)
    sound, silence = _sound(config, held) if live or window is not None else (None, "")
    if menu_is_held(panel.buttons, clock.now_s, time.sleep):
        _examine(args, config, panel, window, camera, setup, silence)
    names = config.names if setup.match is None else setup.match.names
    people = People(names_of(args.white, args.black, names), args.language or config.language)
    printer = JsonPrinter(sys.stdout) if args.json else None
    lamps = PanelAudience(panel.lights, panel.sounder)
    audience: list[Audience] = [printer or VerdictPrinter(sys.stdout), lamps]
    audience.append(TroublePrinter(sys.stderr))
    settings = _settings(args, config, setup)
    start = start_match(args, config, setup, people, held, _say, live=camera.live)
    # Somebody at a screen is asked what to begin, unless the command says it or a match goes on.
    presses_known = settings.end_turn is EndTurn.BUTTON or not isinstance(panel.buttons, NoButtons)
    asks = camera.live and start.book is not None and window is not None
    asks = asks and is_chosen_on_screen(args, start, somebody_presses=presses_known)
    source = camera.source
    again = None
    if camera.recorded is not None:
        source = again = DoneAgain(camera.recorded)
    # What is pressed in the menu is no press of the game's, and none that a recording keeps.
    menu = TableMenu(AllPresses(camera.presses, panel.buttons, clock.now_s))
    presses: Presses = menu
    if args.record is not None:
        match = RecordedMatch(start.entries, people.names, settings.end_turn, settings.settle_s, opened=not asks)
        recorder = open_recorder(args.record, camera, replace(setup, match=match), config.record_most_mb, _say)
        held.callback(recorder.close)
        source, presses = recorder.source(source), recorder.presses(presses)
        audience.append(recorder)
    if camera.recorded is not None and setup.match is not None:
        check = ReplayCheck(camera.recorded)
        held.callback(lambda: _say(check.sentence))
        audience.append(check)
    eyes = Eyes(setup.table, setup.calibration)
    if window is not None and camera.live:
        source = meanwhile = Meanwhile(source, window)
        held.callback(meanwhile.close)
    loop = Loop(source, eyes, presses, start.journal, audience, settings, people, mode="play")
    if again is not None:
        again.loop = loop
        if start.book is not None:
            again.new_journal = partial(start.book.begin, mode="play")
    choices = None
    if live and start.book is not None:
        choices = _choices(config, loop, start.book, panel, lamps, window, sound)
        menu.serve(choices, shown=window is not None)
    if window is not None:
        posted = camera.presses if isinstance(camera.presses, LivePresses) else None
        recall = Recall(config.dispute_keep_s, config.dispute_keep_mb)
        loop.invite(WindowAudience(window, posted, people, loop.stop, recall, menu if live else None))
    if sound is not None:
        loop.invite(sound)
    if args.web is not None:
        scoreboard = Scoreboard()
        server = WebServer(scoreboard, args.web_host, args.web)
        held.callback(server.close)
        loop.invite(scoreboard)
        _say(f"The scoreboard is at {server.url} (for a stream: {server.url}overlay).")
    if args.out is not None:
        loop.invite(MomentWriter(args.out, partial(draw_moment, theme=theme)))
    loop.invite(WatchdogAudience(notifier, lambda: window is None or window.alive, clock.now_s))
    if start.salvaged is not None:
        loop.announce(*news_of(start.salvaged))
    if asks:
        menu.open_start()
    elif setup.match is not None and not setup.match.opened and start.course is None and not match_was_named(args):
        pass  # the menu began one, later on
    elif start.course is None:
        opening = loop.open(start.opening)
        if printer is not None:
            printer.tell(opening)
    else:
        loop.resume(take_up(start.course))
    loop.run()
    return choices.wanted if choices is not None else None


def _examine(
    args: argparse.Namespace,
    config: Config,
    panel: Panel,
    window: Window | None,
    camera: OpenCamera,
    setup: Setup,
    silence: str,
) -> None:
    """The doctor's findings, printed and told by the lamps: the menu button was held at the start."""
    clock = SystemClock()
    seen = camera_facts(args.camera or config.camera, some_frames(camera.source), setup.table)
    told = PanelFacts((), panel.notice, panel.wired, is_a_pi())
    opened = Opened(window.driver if window else "", screen_drivers(), silence, seen, told)
    book = scorebook_path(args.scorebook)
    findings, _ = examine(opened, book=book, table=args.table or TABLE_FILE, config=args.config)
    _say(report_text(findings))
    read_out(panel, findings, clock.now_s, time.sleep)


def _camera(args: argparse.Namespace, config: Config, *, somebody_waits: bool) -> tuple[OpenCamera, Setup]:
    """The camera and its set-up; a live one that is not there is waited for where a screen or a panel can say so."""
    spec = args.camera or config.camera
    wanted = CameraWanted(spec, args.table, args.calibration, _fps(args, config), args.seed, config.mains_hz)
    try:
        return open_with_table(wanted)
    except SourceError as problem:
        if not (somebody_waits and is_live(spec)):
            raise
        _say(f"There is no camera yet: {problem}. It is waited for.")
        waiting = WaitingCamera(lambda: open_with_table(wanted)[0].source)
        return OpenCamera(waiting, LivePresses(), live=True), setup_of(wanted)


def _sound(config: Config, held: ExitStack) -> tuple[SoundAudience, str]:
    """Sounds and the voice, and why nothing is heard, if so; what of them is missing is said."""
    recordings = Path(config.recordings).expanduser() if config.recordings else None
    player = open_player(config.volume_percent, recordings)
    held.callback(player.close)
    _say(player.notice)
    if isinstance(player, SilentPlayer):
        return SoundAudience(player), player.notice
    sound = SoundAudience(player, lambda way: open_voice(way, recordings), config.voice)
    held.callback(sound.close)
    _say(sound.notice)
    return sound, player.notice


def _choices(
    config: Config,
    loop: Loop,
    book: Scorebook,
    panel: Panel,
    lamps: PanelAudience,
    window: Window | None,
    sound: SoundAudience | None,
) -> Choices:
    """What the menu does at this table."""

    def apply(name: str, value: str | int) -> None:
        if name == "theme" and window is not None:
            window.theme = THEMES[str(value)]
        elif sound is not None:
            sound.change(name, value)

    def test() -> None:
        lamps.test()
        if sound is not None:
            sound.test()

    machine = Companion(
        book,
        saved_path(),
        eyes=lambda: loop.eyes,
        afresh=loop.look_afresh,
        apply=apply,
        test=test,
        lamps=panel.wired,
        sound=sound is not None and not sound.silent,
    )
    sounds, looks = (config.volume_percent, config.voice, WAYS), (config.theme, tuple(THEMES))
    return Choices(loop, machine, Chosen(*sounds, *looks, config.rules, config.starter, config.points))


def _settings(args: argparse.Namespace, config: Config, setup: Setup) -> Settings:
    """As asked for, else as the recorded match had them, else as in the settings file."""
    own = setup.match
    end_turn = EndTurn(config.end_turn) if own is None else own.end_turn
    settle_s = config.settle_s if own is None else own.settle_s
    return Settings(
        end_turn=EndTurn(args.end_turn) if args.end_turn else end_turn,
        settle_s=settle_s if args.settle is None else args.settle,
        middle_x_mm=setup.table.play_area.middle[0],
    )


def _fps(args: argparse.Namespace, config: Config) -> float | None:
    """A folder's clock; a video keeps its own unless another is asked for."""
    if args.fps is not None:
        return float(args.fps)
    spec = args.camera or config.camera
    return config.fps if Path(spec).is_dir() else None


def _say(notice: str) -> None:
    if notice:
        print(notice, file=sys.stderr)
