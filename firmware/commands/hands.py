"""Options of those who play at the simulated table, and what becomes of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.players.bots.rivals import rival_name
from engine.players.bots.strengths import STRENGTHS
from engine.rules.track import BySide, Side
from firmware.camera.camera import CameraKind, CameraWanted, HandsWanted
from firmware.errors import EngardeError

_OPTIONS: Final = ("watch", "acts", "acts_out", "against")


def add_hands_options(parser: argparse.ArgumentParser) -> None:
    """``--against``, ``--as``, ``--watch``, ``--acts`` and ``--acts-out``, of ``--camera synthetic`` alone."""
    against = "at the simulated table a bot of this strength plays the other side, with hands of its own"
    parser.add_argument("--against", choices=list(STRENGTHS), help=against)
    sides, yours = [side.value for side in Side], "yours, with --against (%(default)s)"
    parser.add_argument("--as", dest="own_side", choices=sides, default=Side.WHITE.value, help=yours)
    parser.add_argument("--watch", action="store_true", help="at the simulated table two bots play, and you look on")
    parser.add_argument("--acts", type=Path, metavar="FILE", help="what hands do at the simulated table, line by line")
    parser.add_argument("--acts-out", type=Path, metavar="FILE", help="write what was done there, for --acts")


def with_rival(names: BySide[str | None], args: argparse.Namespace) -> BySide[str | None]:
    """These names, that of the bot among them. Raises EngardeError where somebody has its place."""
    if args.against is None:
        return names
    side = Side(args.own_side).other
    if names[side] is not None:
        raise EngardeError(f"--against {args.against}: {side.value} is to be {names[side]}; leave one of the two out.")
    return names.put(side, rival_name(args.against))


def with_hands(wanted: CameraWanted, args: argparse.Namespace) -> CameraWanted:
    """The camera, and at a simulated table whose hands act there. Raises EngardeError for hands at any other."""
    if wanted.spec.kind is CameraKind.SYNTHETIC:
        if args.watch and (args.acts or args.acts_out or args.against):
            raise EngardeError("--watch: two bots play there; leave --acts, --acts-out and --against out, or --watch.")
        return replace(wanted, hands=HandsWanted(args.watch, args.acts, args.acts_out, dealt=args.seed))
    for option in _OPTIONS:
        if getattr(args, option):
            name = "--" + option.replace("_", "-")
            raise EngardeError(f"{name} is of the simulated table: say --camera synthetic, or leave it out.")
    return wanted
