"""Hands at the simulated table, as a match's options ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.players.bots.rivals import rival_name
from engine.rules.track import BySide, Side
from firmware.camera.camera import CameraKind, CameraWanted, HandsWanted
from firmware.errors import EngardeError


def with_rival(names: BySide[str | None], strength: str, side: Side) -> BySide[str | None]:
    """These names, that of the bot among them. Raises EngardeError where somebody has its place."""
    if names[side] is not None:
        raise EngardeError(f"--against {strength}: {side.value} is to be {names[side]}; leave one of the two out.")
    return names.put(side, rival_name(strength))


def with_hands(wanted: CameraWanted, hands: HandsWanted, given: Sequence[str]) -> CameraWanted:
    """The camera, and at a simulated table these hands there; ``given`` are the options that ask for them.

    Raises EngardeError for hands at any other table, and for others beside those that are watched.
    """
    if wanted.spec.kind is CameraKind.SYNTHETIC:
        if "--watch" in given and len(given) > 1:
            raise EngardeError("--watch: two bots play there; leave --acts, --acts-out and --against out, or --watch.")
        return replace(wanted, hands=hands)
    if given:
        raise EngardeError(f"{given[0]} is of the simulated table: say --camera synthetic, or leave it out.")
    return wanted
