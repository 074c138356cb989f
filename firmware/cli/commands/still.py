"""The first picture: on the screen before the rest of the program is loaded, which takes it most of a second."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame

from display.draw.canvas import Canvas
from display.draw.screen import SIZE, TITLE, TurnedScreen, open_surface
from display.i18n import words
from display.screens.salle import draw_still
from firmware.cli.commands.setting_options import add_setting_options, settings_given
from firmware.core.config import load_config
from firmware.core.errors import EngardeError

WITHOUT: Final = frozenset({"-h", "--help", "--headless", "--list"})
"""Options with which no command opens a window."""


def show_still(typed: Sequence[str]) -> bool:
    """Open the window that a command with these options is going to need, and draw two fencers there.

    Gives whether that was done: not where there is no screen, or one is open. Wrong settings and options are
    reported later, by the command itself.
    """
    if WITHOUT.intersection(typed) or pygame.display.get_init():
        return False
    options = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_setting_options(options, "screen")
    options.add_argument("--config", type=Path)
    try:
        given, _ = options.parse_known_args(typed)
        config = replace(load_config(given.config), **settings_given(given, "screen"))
    except (argparse.ArgumentError, EngardeError, OSError):
        return False
    surface = open_surface(SIZE, TITLE, fullscreen=config.fullscreen)
    if surface is None:
        return False
    screen = TurnedScreen(surface, config.rotate)
    told = words(config.language).say("welcome.moment")
    draw_still(Canvas(screen.surface, config.look), TITLE, told)
    screen.show()
    pygame.event.pump()
    return True
