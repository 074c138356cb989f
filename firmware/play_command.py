"""``engarde play``: referees the real table, or a recording of one."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from display.i18n import LANGUAGES
from display.window import open_window, screen_drivers
from engine.events import MatchEvent
from engine.rulesets import RULE_SETS
from engine.track import Side
from firmware.buttons import LivePresses
from firmware.calibrate_command import some_frames
from firmware.cameras import OpenCamera, is_live, open_camera
from firmware.clock import SystemClock
from firmware.config import SCOREBOOK_VARIABLE, Config, PanelSettings, load_config, scorebook_path
from firmware.desk import Desk, EndTurn, Settings
from firmware.devices import is_a_pi, open_panel
from firmware.doctor.camera import camera_facts
from firmware.doctor.checkup import Opened, examine
from firmware.doctor.panel import PanelFacts
from firmware.doctor.readout import menu_is_held, read_out
from firmware.doctor.report import report_text
from firmware.last_resort import ends_in_time
from firmware.loop import Audience, Loop, People
from firmware.moments import MomentWriter
from firmware.options import TABLE_FILE, names_of, table_of
from firmware.panel_audience import AllPresses, PanelAudience
from firmware.printers import JsonPrinter, VerdictPrinter
from firmware.scorebook import MatchJournal, Scorebook, open_scorebook
from firmware.screens import WindowAudience, draw_moment, screen_notice
from firmware.sound import SilentPlayer, SoundAudience, open_player
from firmware.voice import open_voice
from firmware.waiting_camera import WaitingCamera
from firmware.watchdog import Notifier, WatchdogAudience
from firmware.web.server import DEFAULT_PORT, LOOPBACK, Scoreboard, WebServer
from vision.calibration import Calibration, load_calibration
from vision.eyes import Eyes
from vision.sources import SourceError
from vision.table import Table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde play``. What is not given comes from the settings file."""
    parser.add_argument(
        "--camera", metavar="C", help="synthetic, picamera2[:N], a V4L2 number or path, a video, a folder of images"
    )
    parser.add_argument("--fps", type=float, metavar="N", help="the clock of a folder of images")
    parser.add_argument("--seed", type=int, default=1, help="of the synthetic camera and of the lot (%(default)s)")
    parser.add_argument("--table", type=Path, default=TABLE_FILE, metavar="FILE", help="another table's geometry")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="what engarde calibrate --out wrote")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), help="the preset")
    parser.add_argument("--starter", choices=["white", "black", "lot"], help="who begins; lot: the machine draws")
    parser.add_argument("--points", type=int, metavar="N", help="points that win the match")
    parser.add_argument("--white", metavar="NAME", help="White's name")
    parser.add_argument("--black", metavar="NAME", help="Black's name")
    parser.add_argument("--language", choices=LANGUAGES, help="of the screen")
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
    parser.add_argument("--scorebook", metavar="FILE", help=f"default: {SCOREBOOK_VARIABLE}, else your data folder")
    parser.add_argument("--config", type=Path, metavar="FILE", help="another settings file")


def run(args: argparse.Namespace) -> int:
    """Referee until the camera or the players end; 0 then."""
    config = load_config(args.config)
    table = table_of(args.table)
    calibration = _calibration(args.calibration)
    live = is_live(args.camera or config.camera)
    try:
        with ExitStack() as held:
            book = held.enter_context(open_scorebook(scorebook_path(args.scorebook)))
            _say(book.notice)
            _play(args, config, table, calibration, book, live, held)
    except KeyboardInterrupt:
        if not live:
            raise
        _say("Stopped. What was played is in the scorebook.")  # a camera has no other end
    return 0


def _play(
    args: argparse.Namespace,
    config: Config,
    table: Table,
    calibration: Calibration | None,
    book: Scorebook,
    live: bool,
    held: ExitStack,
) -> None:
    """Put the parts together and run the loop; ``held`` closes whatever was opened."""
    clock = SystemClock()
    notifier = Notifier(os.environ)
    held.callback(notifier.close)
    panel = open_panel(config.panel if live else PanelSettings(pins="off"), clock.now_s)
    held.enter_context(ends_in_time(panel.close))
    held.callback(panel.close)
    window = None if args.headless else open_window(title="En Garde")
    if window is not None:
        held.callback(window.close)
    if live:
        _say(panel.notice)
    if not args.headless:
        _say(screen_notice(window, pictures=args.out is not None))
    camera = _camera(args, config, table, somebody_waits=window is not None or panel.wired)
    held.callback(camera.source.close)
    sound, silence = _sound(config, held) if live or window is not None else (None, "")
    if menu_is_held(panel.buttons, clock.now_s, time.sleep):
        driver = window.driver if window else ""
        seen = camera_facts(args.camera or config.camera, some_frames(camera.source), table)
        told = PanelFacts((), panel.notice, panel.wired, is_a_pi())
        opened = Opened(driver, screen_drivers(), silence, seen, told)
        findings, _ = examine(opened, book=book.path, table=args.table, config=args.config)
        _say(report_text(findings))
        read_out(panel, findings, clock.now_s, time.sleep)
    people = People(names_of(args.white, args.black, config.names), args.language or config.language)
    printer = JsonPrinter(sys.stdout) if args.json else None
    audience: list[Audience] = [printer or VerdictPrinter(sys.stdout), PanelAudience(panel.lights, panel.sounder)]
    journal, desk = _match(args, book, people, live=live)
    loop = Loop(
        camera.source,
        Eyes(table, calibration),
        AllPresses(camera.presses, panel.buttons, clock.now_s),
        journal,
        audience,
        _settings(args, config, table),
        people,
        mode="play",
    )
    if window is not None:
        presses = camera.presses if isinstance(camera.presses, LivePresses) else None
        loop.invite(WindowAudience(window, presses, people, loop.stop))
    if sound is not None:
        loop.invite(sound)
    if args.web is not None:
        scoreboard = Scoreboard()
        server = WebServer(scoreboard, args.web_host, args.web)
        held.callback(server.close)
        loop.invite(scoreboard)
        _say(f"The scoreboard is at {server.url} (for a stream: {server.url}overlay).")
    if args.out is not None:
        loop.invite(MomentWriter(args.out, draw_moment))
    loop.invite(WatchdogAudience(notifier, lambda: window is None or window.alive, clock.now_s))
    if desk is None:
        opening = loop.open(_opening(args, config))
        if printer is not None:
            printer.tell(opening)
    else:
        loop.resume(desk)
    loop.run()


def _sound(config: Config, held: ExitStack) -> tuple[SoundAudience, str]:
    """Sounds and the voice, and why nothing is heard, if so; what of them is missing is said."""
    recordings = Path(config.recordings).expanduser() if config.recordings else None
    player = open_player(config.volume_percent, recordings)
    held.callback(player.close)
    _say(player.notice)
    voice = None if isinstance(player, SilentPlayer) else open_voice(config.voice, recordings)
    if voice is not None:
        held.callback(voice.close)
        _say(voice.notice)
    return SoundAudience(player, voice), player.notice


def _camera(args: argparse.Namespace, config: Config, table: Table, *, somebody_waits: bool) -> OpenCamera:
    """The camera; a live one that is not there is waited for where a screen or a panel can say so."""
    spec = args.camera or config.camera

    def opened() -> OpenCamera:
        return open_camera(spec, table, _fps(args, config), args.seed)

    try:
        return opened()
    except SourceError as problem:
        if not (somebody_waits and is_live(spec)):
            raise
        _say(f"There is no camera yet: {problem}. It is waited for.")
        return OpenCamera(WaitingCamera(lambda: opened().source), LivePresses(), live=True)


def _match(
    args: argparse.Namespace, book: Scorebook, people: People, *, live: bool
) -> tuple[MatchJournal, Desk | None]:
    """The journal of a new match, or the one that was not finished, with the desk where it stands."""
    played = book.unfinished() if live and not args.new else None
    if played is None or played.state is None:
        return book.begin(people.names, mode="play"), None
    people.names = played.match.names
    _say(
        f"Going on with the match of {people.names.white} and {people.names.black} at "
        f"{played.state.score.white}:{played.state.score.black}, round {played.state.round}; --new begins another."
    )
    return book.resume(played), Desk(state=played.state)


def _opening(args: argparse.Namespace, config: Config) -> MatchEvent:
    chosen = args.starter or config.starter
    starter = random.Random().choice(list(Side)) if chosen == "lot" else Side(chosen)
    return MatchEvent(args.rules or config.rules, starter, args.points or config.points)


def _settings(args: argparse.Namespace, config: Config, table: Table) -> Settings:
    return Settings(
        end_turn=EndTurn(args.end_turn or config.end_turn),
        settle_s=config.settle_s if args.settle is None else args.settle,
        middle_x_mm=table.play_area.middle[0],
    )


def _fps(args: argparse.Namespace, config: Config) -> float | None:
    """A folder's clock; a video keeps its own unless another is asked for."""
    if args.fps is not None:
        return float(args.fps)
    spec = args.camera or config.camera
    return config.fps if Path(spec).is_dir() else None


def _calibration(path: Path | None) -> Calibration | None:
    return None if path is None else load_calibration(path)


def _say(notice: str) -> None:
    if notice:
        print(notice, file=sys.stderr)
