"""What a command does that a match comes after: in the same process, at the same table, whatever happened before."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from firmware.cli.commands.declared import option
from firmware.cli.commands.options import say
from firmware.cli.first_start.mark import become
from firmware.core.errors import EngardeError
from vision.camera.sources import SourceError


def then_play(who: str) -> Any:
    """The option ``--then-play``, which ``who`` gives: the words after it are the options of the match."""
    told = f"what {who} runs: engarde play with these options comes after it, whatever happens"
    return option(told, nargs=argparse.REMAINDER, metavar="OPTION")


def as_the_match_has(
    args: argparse.Namespace, add_shared: Callable[[argparse.ArgumentParser], None]
) -> argparse.Namespace:
    """These arguments, those that the match shares as it has them. ``add_shared`` adds the options it shares."""
    if args.then_play is None:
        return args
    shared = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_shared(shared)
    found, _ = shared.parse_known_args(args.then_play, args)
    return found


def play_after(first: Callable[[], int], options: Sequence[str] | None, otherwise: str) -> int:
    """Do this ``first``, and then go on as a match with these options; None: no match comes after it.

    Before a match ``otherwise`` is said, with the reason, where it cannot be done. Gives the exit status where no match
    comes after it.
    """
    if options is None:
        return first()
    try:
        first()
    except (EngardeError, SourceError, OSError) as error:
        say(f"{error} {otherwise}")
    return become("play", options)
