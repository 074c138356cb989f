"""Options of the settings that have one, made from their rows."""

from __future__ import annotations

import argparse
from typing import Any

from display.draw.theme import PARCHMENT
from firmware.cli.commands.declared import read_as
from firmware.core.config import SETTINGS


def add_setting_options(parser: argparse.ArgumentParser, part: str) -> None:
    """The options that say about camera, screen or match; what is not given is None, or False."""
    for setting in SETTINGS.values():
        option = setting.option
        if option is None or option.part != part:
            continue
        if setting.kind is bool:
            parser.add_argument(option.flag, dest=setting.name, action="store_true", help=option.help)
        else:
            choices = (*setting.values, *option.old) if setting.values else None
            given: dict[str, Any] = {"dest": setting.name, "metavar": option.metavar, "help": option.help}
            parser.add_argument(option.flag, choices=choices, **given, **read_as(setting.kind, given))


def settings_given(args: argparse.Namespace, part: str) -> dict[str, Any]:
    """The settings of this part that were given. Large print used to be a theme, in the usual colours."""
    names = [each.name for each in SETTINGS.values() if each.option is not None and each.option.part == part]
    told = {name: getattr(args, name, None) for name in names}
    given = {name: value for name, value in told.items() if value is not None and value is not False}
    return {"print_size": "large", **given, "theme": PARCHMENT.name} if given.get("theme") == "large" else given
