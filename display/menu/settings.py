"""The settings that can be made in the menu: a row each, in the order in which they stand there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from display.draw.theme import PRINTS, THEMES
from display.i18n import LANGUAGES, Words, words
from engine.table.desk import EndTurn


@dataclass(frozen=True, slots=True)
class MenuSetting:
    """One setting. ``name`` is that of ``firmware.config.Config``, ``heading`` and ``key`` where it stands in a file.

    ``values`` are those to choose from, ``title`` the words' key of its line, and ``told`` what a value is called.
    """

    name: str
    heading: str
    key: str
    values: tuple[Any, ...]
    title: str
    told: Callable[[Words, Any], str]

    def nearest(self, value: Any) -> Any:
        """This value, or the next one there is to choose: a file may hold numbers between those."""
        return value if value in self.values else min(self.values, key=lambda one: abs(one - value))


LANGUAGE: Final = MenuSetting(
    "language", "players", "language", LANGUAGES, "menu.language", lambda _, language: words(language).say("language")
)
VOLUME: Final = MenuSetting(
    "volume_percent",
    "sound",
    "volume_percent",
    tuple(range(0, 101, 10)),
    "menu.volume",
    lambda say, volume: say.percent(volume),
)
VOICE: Final = MenuSetting(
    "voice",
    "sound",
    "voice",
    ("calls", "all", "full", "off"),
    "menu.voice",
    lambda say, way: say.say(f"menu.voice_{way}"),
)
"""What is spoken: touches, attacks and endings; every move too; all that the screen says; nothing."""
THEME: Final = MenuSetting(
    "theme", "screen", "theme", tuple(THEMES), "menu.theme", lambda say, name: say.say(f"theme.{name}")
)
PRINT: Final = MenuSetting(
    "print_size", "screen", "print", PRINTS, "menu.print_size", lambda say, size: say.say(f"print.{size}")
)
MOVES: Final = MenuSetting(
    "moves", "screen", "moves", ("shown", "off"), "menu.moves", lambda say, way: say.say(f"menu.moves_{way}")
)
"""Whether moves and victories are staged, or all is shown at once as it stands."""
ROTATE: Final = MenuSetting(
    "rotate",
    "screen",
    "rotate",
    (0, 90, 180, 270),
    "menu.rotate",
    lambda say, way: say.say(f"menu.rotate_{way}"),
)
"""How far the picture is turned clockwise, for a screen that hangs turned."""


def _layer(name: str) -> MenuSetting:
    percents = tuple(range(0, 101, 25))
    key = f"{name}_percent"
    return MenuSetting(key, "sound", key, percents, f"menu.{key}", lambda say, volume: say.percent(volume))


LAYERS: Final = ("blade", "step", "touch", "crowd")
"""What sounds, each with its own volume, which is a share of the whole one."""
LAYER_VOLUMES: Final = {_layer(name): name for name in LAYERS}
END_TURN: Final = MenuSetting(
    "end_turn",
    "table",
    "end_turn",
    tuple(way.value for way in EndTurn),
    "menu.end_turn",
    lambda say, way: say.say(f"menu.end_{way}"),
)
CAMERA_ROTATE: Final = MenuSetting(
    "camera_rotate",
    "table",
    "camera_rotate",
    (0, 180),
    "menu.camera_rotate",
    lambda say, degrees: say.say(f"menu.camera_rotate_{degrees}"),
)
"""How far the camera's picture is turned: by 180 degrees where the camera hangs upside down."""
SCOREBOARD: Final = MenuSetting(
    "scoreboard",
    "scoreboard",
    "served",
    ("off", "on"),
    "menu.scoreboard",
    lambda say, way: say.say(f"menu.scoreboard_{way}"),
)
"""Whether phones in the network may look at the score."""

MENU_SETTINGS: Final = (
    LANGUAGE,
    VOLUME,
    *LAYER_VOLUMES,
    VOICE,
    THEME,
    PRINT,
    MOVES,
    ROTATE,
    END_TURN,
    CAMERA_ROTATE,
    SCOREBOARD,
)
