"""Options that several commands share, and the values made of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.track import BySide
from firmware.cli.commands.declared import option, part
from firmware.cli.commands.setting_options import add_setting_options, settings_given
from firmware.cli.first_start.mark import become
from firmware.cli.sitting.cameras import TableWish, settings_with
from firmware.core.config import SCOREBOOK_VARIABLE, Config, load_config, scorebook_path
from firmware.core.errors import EngardeError
from firmware.core.names import BadNameError, clean_name, new_name, person_key
from firmware.table.camera.camera import CameraWanted, camera_spec, own_camera
from vision.camera.settling import CameraFeedback
from vision.camera.sources import SourceError

DEFAULT_SEED: Final = 1


def add_table_option(parser: argparse.ArgumentParser) -> None:
    """``--table`` of a command at the owner's table: ``table_in_force`` says which file that makes it."""
    own = "table.toml beside your settings if it is there, else hardware/table.toml"
    parser.add_argument("--table", type=Path, metavar="FILE", help=f"another table's geometry (default: {own})")


def names_of(given: BySide[str | None], otherwise: BySide[str] | None = None) -> BySide[str]:
    """The players' names: as given, else as in the settings, else their colours.

    Raises BadNameError for what cannot be a name, and where both would be one person's.
    """
    fallback = BySide("White", "Black") if otherwise is None else otherwise
    names = BySide(*(new_name(name) if name else clean_name(fallback[side]) for side, name in given.items()))
    if person_key(names.white) == person_key(names.black):
        raise BadNameError(f"White and Black are both called {names.white}: give each a name with --white and --black.")
    return names


def chance(text: str) -> float:
    """A chance as the command line has it. Raises ArgumentTypeError."""
    try:
        given = float(text)
    except ValueError:
        given = -1.0
    if not 0.0 <= given <= 1.0:
        raise argparse.ArgumentTypeError(f"a chance from 0 to 1 is expected, not {text!r}")
    return given


def points(text: str) -> int:
    """The points that win a match, as the command line has them. Raises ArgumentTypeError."""
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"points from 1 to 99 are expected, not {text!r}")
    return int(text)


def count(text: str) -> int:
    """A number of things as the command line has it. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, not {text!r}")
    return min(int(text), 10**9)


def cards_named(text: str) -> tuple[Card, ...]:
    """Cards as the command line has them. Raises ArgumentTypeError."""
    names = text.replace(",", " ").split()
    unknown = [name for name in names if name not in CARD_BY_NAME]
    if unknown:
        raise argparse.ArgumentTypeError(f"no card is called {unknown[0]!r}: cards are such as 3b,3c")
    return tuple(CARD_BY_NAME[name] for name in names)


def a_scorebook(help: str = f"default: {SCOREBOOK_VARIABLE}, else your data folder") -> Any:
    """The option of a command that needs the scorebook, as a field with its path."""
    return part(
        lambda parser: parser.add_argument("--scorebook", metavar="FILE", help=help),
        lambda args: scorebook_path(args.scorebook),
    )


def add_camera_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which camera looks at which table."""
    add_setting_options(parser, "camera")
    add_table_option(parser)
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="what engarde calibrate --out wrote")
    parser.add_argument("--seed", type=int, help="which simulated table (synthetic only: 1)")


def camera_wanted(args: argparse.Namespace, settings: Config | None = None) -> CameraWanted:
    """The camera these arguments ask for, completed from these settings, else the owner's. Raises ConfigError, OSError.

    A command that has not all of the options leaves those to the settings.
    """
    given, settings = vars(args), settings or load_config()
    spec = camera_spec(given["camera"] or own_camera(settings.camera), given.get("fps"), settings.fps)
    seed = DEFAULT_SEED if given.get("seed") is None else given["seed"]
    at = given["table"], given.get("calibration"), seed, settings.mains_hz, say
    return CameraWanted(spec, *at, feedback=CameraFeedback(turned=settings.camera_rotate == 180))


def add_device_options(parser: argparse.ArgumentParser) -> None:
    """The options of the devices; the settings file has those that are not given."""
    add_camera_arguments(parser)
    add_setting_options(parser, "screen")
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write pictures of the moments that matter")
    parser.add_argument("--config", type=Path, metavar="FILE", help="another settings file")
    parser.set_defaults(scorebook=None)


def table_wish(args: argparse.Namespace) -> TableWish:
    """The devices these arguments ask for. Raises ConfigError, OSError."""
    given = settings_given(args, "screen")
    settings = settings_with(given, args.config)
    camera, book = camera_wanted(args, settings), scorebook_path(args.scorebook)
    return TableWish(settings, camera, book, args.headless, args.out, args.config, given)


def say(notice: str) -> None:
    """A notice beside what is printed; nothing for an empty one."""
    if notice:
        print(notice, file=sys.stderr)


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
    """Do this ``first``, and then go on as a match with these options, whatever happened; None: no match follows.

    ``otherwise`` is said, with the reason, where it cannot be done before a match. Gives the exit status.
    """
    if options is None:
        return first()
    try:
        first()
    except (EngardeError, SourceError, OSError) as error:
        say(f"{error} {otherwise}")
    return become("play", options)
