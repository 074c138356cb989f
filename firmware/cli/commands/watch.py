"""``engarde watch``: what the camera sees, frame by frame."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from display.i18n import LANGUAGES, words
from engine.table.observation import FigureReading, Sight, TableObservation
from firmware.cli.commands.declared import WrongUseError, option, part, switch
from firmware.cli.commands.options import add_camera_arguments, count, say, table_wish
from firmware.cli.commands.survey import Survey
from firmware.cli.sitting.cameras import TableWish, open_with_table
from firmware.core.errors import EngardeError
from firmware.core.io.files import make_folder
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.live_camera import PacedSource
from firmware.table.camera.remembered_lens import EyesTold
from firmware.table.camera.setup import Setup
from firmware.table.readers.guard import guard_beside
from firmware.table.recording.excerpt import cut_out
from firmware.table.recording.recorder import open_recorder
from firmware.table.service.extras import extra
from firmware.ui.screen.recall import picture_into, turn_frames, turn_lines
from firmware.ui.screen.screens import WatchWindow, window_as_set
from vision.board.calibration import Calibration
from vision.camera.sources import Source, SourceError
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.marks.foreign import Run, in_process
from vision.printed.table import Table
from vision.recording.recording import FrameNote

Witness = Callable[[Frame, Look], None]


def run_watch(
    source: Source,
    table: Table,
    calibration: Calibration | None,
    out: TextIO,
    *,
    as_json: bool,
    frames: int | None = None,
    witnesses: Sequence[Witness] = (),
    ended: Callable[[], bool] = lambda: False,
    run: Run = in_process,
) -> int:
    """Looks at every frame and writes a line for each: JSON, or for people only when something changed.

    Ends with the source, after ``frames`` of them, or when ``ended`` says so; exit status 0. ``witnesses`` are shown
    every frame with its look.
    """
    eyes = Eyes(table, calibration, run=run)
    said = ""
    count = 0
    try:
        while (frames is None or count < frames) and not ended() and (frame := source.read()) is not None:
            look = eyes.look(frame)
            count += 1
            for witness in witnesses:
                witness(frame, look)
            if as_json:
                print(json.dumps(look_json(frame, look), separators=(",", ":")), file=out, flush=True)
                continue
            line = look_line(look)
            if line != said:
                print(f"{frame.t_s:8.2f} s  {line}", file=out, flush=True)
                said = line
    finally:
        source.close()
    return 0


def look_json(frame: Frame, look: Look) -> dict[str, object]:
    """One line of ``engarde watch --json`` as an object."""
    seen, table = look.seen, look.table
    # These members are there only where they say something: other programs know the six of before.
    unplaced = {"unplaced": [side.value for side in seen.unplaced]} if seen.unplaced else {}
    mirrored = {"mirrored": True} if look.mirrored else {}
    unread = {"unread": [[round(one.x_mm, 1), round(one.y_mm, 1)] for one in table.unread]} if table.unread else {}
    return {
        "frame": frame.index,
        "t": round(frame.t_s, 6),
        "seen": {"white": seen.white, "black": seen.black, "cards": [str(card) for card in seen.cards]},
        "table": {
            "white": table.figures.white.space,
            "black": table.figures.black.space,
            "cards": [str(reading.card) for reading in table.cards],
        },
        "state": _state(table).value,
        "why": None if table.why is None else table.why.value,
        **unplaced,
        **mirrored,
        **unread,
    }


def look_line(look: Look) -> str:
    """The agreed table and the eyes' state for people."""
    table = look.table
    cards = " ".join(f"({reading.card})" if reading.covered else str(reading.card) for reading in table.cards)
    foreign = f"  other decks in view: {' '.join(table.foreign_decks)}" if table.foreign_decks else ""
    return (
        f"White {_stands(table.figures.white)}, Black {_stands(table.figures.black)}, "
        f"cards: {cards or 'none'}  [{_sight(table)}{', the picture is mirrored' if look.mirrored else ''}]{foreign}"
    )


def _add_table(parser: argparse.ArgumentParser) -> None:
    add_camera_arguments(parser)
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--language", choices=LANGUAGES, help="of the window (default: as in the settings)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write every frame there with all that was recognised")
    parser.add_argument("--config", type=Path, metavar="FILE", help="another settings file")
    parser.set_defaults(scorebook=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Options of watching: the camera and how many ``frames``; in a recording its ``turns``, or one ``turn``."""

    table: TableWish = part(_add_table, table_wish)
    as_json: bool = switch("one JSON object a frame, no window", "--json")
    frames: int | None = option("stop after this many frames", type=count, metavar="N")
    record: Path | None = option("keep what is looked at, for --camera FILE", metavar="FILE")
    turns: bool = switch("list what was ruled in a recording, numbered")
    turn: int | None = option(
        "write the frames this turn of a recording was read from into --out, or this turn alone to --record",
        type=count,
        metavar="N",
    )
    film: Path | None = option("with --turn: as a film, .mp4 or .gif", metavar="FILE")
    survey: Path | None = option(
        "ask for known arrangements of the table, and keep pictures of each there with its truth", metavar="DIR"
    )

    def __post_init__(self) -> None:
        if self.turn is not None and self.table.pictures is None and self.record is None and self.film is None:
            raise WrongUseError(
                "--turn writes pictures, a film, or a recording of that turn: say where with --out DIR, --film FILE or "
                "--record FILE"
            )
        if self.film is not None and self.turn is None:
            raise WrongUseError("--film FILE needs --turn N: which turn?")

    def do(self) -> int:
        """Watch until the camera ends or the window is closed; 0 then."""
        with ExitStack() as held:
            camera, setup = open_with_table(self.table.camera)
            held.callback(camera.source.close)
            if camera.recorded is not None:
                say(camera.recorded.notice)
            if self.turns or self.turn is not None:
                return _turns(self, camera, setup, held)
            return _watch(self, camera, setup, held)


def _watch(wish: Watch, camera: OpenCamera, setup: Setup, held: ExitStack) -> int:
    source, config, out = camera.source, wish.table.settings, wish.table.pictures
    witnesses: list[Witness] = []
    if wish.record is not None:
        recorder = held.enter_context(closing(open_recorder(wish.record, camera, setup, config.record_most_mb, say)))
        source = recorder.source(source)
        witnesses.append(lambda _, look: recorder.look(look))
    if out is not None:
        witnesses.append(_drawn_into(out))
    if camera.live:
        witnesses.append(EyesTold(wish.table.camera.feedback).see)
    window = None if wish.as_json or wish.table.headless else _window(wish.table, held)
    if window is not None:
        witnesses.append(window.show)
        source = source if camera.live else PacedSource(source)
    ended = (lambda: False) if window is None else (lambda: window.ended)
    run = held.enter_context(closing(guard_beside(wish.table.scorebook, say)))
    at = (source, setup.table, setup.calibration)
    if wish.survey is not None:
        survey = Survey(wish.survey, words(config.language), setup.table_text, sys.stdout, iter(sys.stdin))
        return survey.conduct(*at, live=camera.live, witnesses=witnesses, ended=ended, run=run)
    return run_watch(
        *at, sys.stdout, as_json=wish.as_json, frames=wish.frames, witnesses=witnesses, ended=ended, run=run
    )


def _window(wish: TableWish, held: ExitStack) -> WatchWindow | None:
    """The window that shows what is seen; None where there is no screen, which is said."""
    opened = window_as_set(wish.settings)
    if opened is None:
        say("There is no screen here: what is seen is printed" + (" and drawn." if wish.pictures else "."))
        return None
    return WatchWindow(held.enter_context(closing(opened)), wish.settings.language)


def _turns(wish: Watch, camera: OpenCamera, setup: Setup, held: ExitStack) -> int:
    """List the turns of a recording, or write the frames that one of them was read from."""
    if camera.recorded is None:
        raise EngardeError(
            "--turn and --turns need a recording made with engarde play --record; name one with --camera."
        )
    verdicts, damage = list[FrameNote](), None  # those up to the first damaged place, and what is wrong there
    try:
        for verdict in camera.recorded.all_verdicts():
            verdicts.append(verdict)
    except SourceError as error:
        damage = error
    lines, out = turn_lines(verdicts), wish.table.pictures
    if wish.turn is None or (out is None and wish.record is None and wish.film is None):
        for line in lines or ("No turn was judged in this recording.",):
            print(line)
        if damage is not None:
            raise damage
        return 0
    if damage is not None and wish.turn > len(lines):
        raise damage
    if wish.record is not None:
        cut = cut_out(Path(wish.table.camera.spec.name), wish.turn, wish.record)
        late = f"; its first {cut.left_out_s:.0f} s found no room" if cut.left_out_s > 0 else ""
        told = f"{cut.frames} frames, {cut.size_bytes / 1e6:.1f} MB{late}: {wish.record}"
        print(f"{lines[wish.turn - 1]}\n{told}")
        return 0
    run = held.enter_context(closing(guard_beside(wish.table.scorebook, say)))
    if wish.film is not None:
        making = extra("film")
        filmed = making.film_turn(wish.film, turn_frames(camera.source, setup, verdicts, wish.turn, run))
        if filmed < 0:
            return int(making.STOPPED)
        print(f"{lines[wish.turn - 1]}\n{filmed} frames it was read from: {wish.film}")
        return 0
    assert out is not None
    witness = _drawn_into(out)
    count = 0
    for frame, look in turn_frames(camera.source, setup, verdicts, wish.turn, run):
        witness(frame, look)
        count += 1
    print(f"{lines[wish.turn - 1]}\n{count} frames it was read from: {out}")
    return 0


def _drawn_into(folder: Path) -> Witness:
    make_folder(folder)
    return lambda frame, look: picture_into(folder, frame, look)


def _stands(reading: FigureReading) -> str:
    if reading.space is not None:
        return f"on {reading.space}"
    return reading.problem.value.replace("_", " ") if reading.problem is not None else "unseen"


def _state(table: TableObservation) -> Sight:
    """The sight of the table: not steady while a card on it cannot be read."""
    return Sight.CHECKING if table.sight is Sight.STEADY and table.unread else table.sight


def _sight(table: TableObservation) -> str:
    if table.why is None:
        return f"{_state(table).value}: a card is half hidden" if table.unread else table.sight.value
    whose = f" ({table.why_side.value})" if table.why_side is not None else ""
    return f"{table.sight.value}: {table.why.value.replace('_', ' ')}{whose}"
