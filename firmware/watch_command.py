"""``engarde watch``: what the camera sees, frame by frame. Source: CONTRACT, "Cameras see"."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import cv2

from engine.observation import FigureReading, TableObservation
from firmware.cameras import open_camera
from firmware.options import TABLE_FILE, table_of
from vision.calibration import Calibration, load_calibration
from vision.eyes import Eyes, Look
from vision.frame import Frame
from vision.overlay import draw_recognised
from vision.sources import Source
from vision.table import Table

Witness = Callable[[Frame, Look], None]


def run_watch(
    source: Source,
    table: Table,
    calibration: Calibration | None,
    out: TextIO,
    *,
    as_json: bool,
    frames: int | None = None,
    witness: Witness | None = None,
) -> int:
    """Looks at every frame and writes a line for each: JSON, or for people only when something changed.

    Ends with the source, or after ``frames`` of them; exit status 0. ``witness`` is shown every frame with its look.
    """
    eyes = Eyes(table, calibration)
    said = ""
    count = 0
    try:
        while (frames is None or count < frames) and (frame := source.read()) is not None:
            look = eyes.look(frame)
            count += 1
            if witness is not None:
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
    return {
        "frame": frame.index,
        "t": round(frame.t_s, 6),
        "seen": {"white": seen.white, "black": seen.black, "cards": [str(card) for card in seen.cards]},
        "table": {
            "white": table.figures.white.space,
            "black": table.figures.black.space,
            "cards": [str(reading.card) for reading in table.cards],
        },
        "state": table.sight.value,
        "why": None if table.why is None else table.why.value,
    }


def look_line(look: Look) -> str:
    """The agreed table and the eyes' state for people."""
    table = look.table
    cards = " ".join(f"({reading.card})" if reading.covered else str(reading.card) for reading in table.cards)
    foreign = f"  other decks in view: {' '.join(table.foreign_decks)}" if table.foreign_decks else ""
    return (
        f"White {_stands(table.figures.white)}, Black {_stands(table.figures.black)}, "
        f"cards: {cards or 'none'}  [{_sight(table)}]{foreign}"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_camera_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a frame")
    parser.add_argument("--frames", type=int, help="stop after this many frames")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write every frame there with all that was recognised")


def run(args: argparse.Namespace) -> int:
    table = table_of(args.table)
    calibration = load_calibration(args.calibration) if args.calibration is not None else None
    camera = open_camera(args.camera, table, args.fps, args.seed)
    witness = _drawn_into(args.out) if args.out is not None else None
    return run_watch(
        camera.source, table, calibration, sys.stdout, as_json=args.json, frames=args.frames, witness=witness
    )


def add_camera_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``watch`` and ``calibrate`` have in common."""
    parser.add_argument("--camera", default="picamera2", help="synthetic, picamera2[:N], a number, a video, a folder")
    parser.add_argument("--fps", type=float, help="the clock of a recording, frames a second (a folder: 10)")
    parser.add_argument("--table", type=Path, default=TABLE_FILE, help="another table than hardware/table.toml")
    parser.add_argument("--calibration", type=Path, help="what engarde calibrate --out wrote")
    parser.add_argument("--seed", type=int, default=1, help="which simulated table (synthetic only)")


def _drawn_into(folder: Path) -> Witness:
    folder.mkdir(parents=True, exist_ok=True)

    def witness(frame: Frame, look: Look) -> None:
        if frame.y.size == 0:
            return
        path = folder / f"{frame.index:06d}.png"
        if not cv2.imwrite(str(path), draw_recognised(frame.bgr(), look)):
            raise OSError(f"{path}: the picture could not be written; is there room in that folder?")

    return witness


def _stands(reading: FigureReading) -> str:
    if reading.space is not None:
        return f"on {reading.space}"
    return reading.problem.value.replace("_", " ") if reading.problem is not None else "unseen"


def _sight(table: TableObservation) -> str:
    if table.why is None:
        return table.sight.value
    whose = f" ({table.why_side.value})" if table.why_side is not None else ""
    return f"{table.sight.value}: {table.why.value.replace('_', ' ')}{whose}"
