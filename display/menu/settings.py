"""Settings that the menu shows: a field each, in the order of their lines, and all that is made from it beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Annotated, Any, Final, TypeAlias, get_type_hints

from display.draw.theme import PARCHMENT, PRINTS, THEMES
from display.i18n import LANGUAGES, Words, words
from engine.strict.values import OneOf, Range
from engine.table.desk import EndTurn


@dataclass(frozen=True, slots=True)
class Option:
    """The option of a setting, for commands that take those about ``part``: camera, screen or match."""

    part: str
    flag: str
    help: str
    metavar: str | None = None
    old: tuple[str, ...] = ()
    """Values of before, which are still taken."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: from this row come its reading, writing, menu line, option, and entry in the reference.

    ``path`` is its heading and key in a file, ``about`` its meaning, ``name`` the field, whose annotation
    ``engine.strict.values`` reads; one of ``values`` if that says no more. The menu offers ``values`` under ``title``
    of its words, each as ``told`` has it or as TITLE_VALUE there. Two rows of the same path are one setting.
    """

    path: str
    default: Any = field(compare=False)
    about: str = field(default="", compare=False)
    values: tuple[Any, ...] = field(default=(), compare=False)
    title: str = field(default="", compare=False)
    told: Callable[[Words, Any], str] | None = field(default=None, compare=False)
    option: Option | None = field(default=None, compare=False)
    name: str = field(default="", compare=False)
    kind: Any = field(default=None, compare=False)

    def nearest(self, value: Any) -> Any:
        """This value, or the next one there is to choose: a file may hold numbers between those."""
        return value if value in self.values else min(self.values, key=lambda one: abs(one - value))

    def called(self, say: Words, value: Any) -> str:
        """The name of a value in the menu."""
        return say.say(f"{self.title}_{value}") if self.told is None else self.told(say, value)


def row(path: str, default: Any, about: str = "", **declared: Any) -> Any:
    """A field that is the setting of this path, declared as ``Setting`` says."""
    return field(default=default, metadata={"setting": Setting(path, default, about, **declared)})


@cache
def settings_of(part: type) -> tuple[Setting, ...]:
    """The settings among the fields of this dataclass, in their order."""
    kinds, found = get_type_hints(part, include_extras=True), []
    for each in fields(part):
        if (setting := each.metadata.get("setting")) is not None:
            kind = kinds[each.name]
            kind = Annotated[kind, OneOf(setting.values)] if setting.values and kind in (str, int) else kind
            found.append(replace(setting, name=each.name, kind=kind, title=setting.title or f"menu.{each.name}"))
    return tuple(found)


Percent: TypeAlias = Annotated[int, Range(0, 100)]
_QUARTERS: Final = tuple(range(0, 101, 25))


@dataclass(frozen=True, slots=True)
class MenuSettings:
    """The settings that can be made in the menu."""

    language: str = row(
        "players.language",
        "en",
        "en, de, fr or nl; where you leave it out, the one your system speaks",
        values=LANGUAGES,
        told=lambda _, language: words(language).say("language"),
        option=Option("screen", "--language", "of the screen"),
    )
    theme: str = row(
        "screen.theme",
        PARCHMENT.name,
        "the colours. parchment; clear: those that nobody mixes up, colour-blind or not",
        values=tuple(THEMES),
        told=lambda say, name: say.say(f"theme.{name}"),
        option=Option("screen", "--theme", "the colours", "|".join(THEMES), old=("large",)),
    )
    print_size: str = row(
        "screen.print",
        PRINTS[0],
        "the size of print: normal or large",
        values=PRINTS,
        told=lambda say, size: say.say(f"print.{size}"),
        option=Option("screen", "--print", "the size of print"),
    )
    moves: str = row(
        "screen.moves",
        "shown",
        "shown: lunges, parries and victories are staged; off: all at once as it stands",
        values=("shown", "off"),
    )
    rotate: int = row(
        "screen.rotate",
        0,
        "90, 180 or 270: the picture is turned so far clockwise, for a screen that hangs turned",
        values=(0, 90, 180, 270),
    )
    volume_percent: Percent = row(
        "sound.volume_percent",
        80,
        "0 is silence",
        values=tuple(range(0, 101, 10)),
        title="menu.volume",
        told=Words.percent,
    )
    blade_percent: Percent = row(
        "sound.blade_percent",
        100,
        "steel, steps, the scoring box and the crowd: each in percent of the volume",
        values=_QUARTERS,
        told=Words.percent,
    )
    step_percent: Percent = row("sound.step_percent", 100, values=_QUARTERS, told=Words.percent)
    touch_percent: Percent = row("sound.touch_percent", 100, values=_QUARTERS, told=Words.percent)
    crowd_percent: Percent = row("sound.crowd_percent", 100, values=_QUARTERS, told=Words.percent)
    voice: str = row(
        "sound.voice",
        "calls",
        "calls: touches, attacks and endings are called; all: every move too; full: all that the screen says; "
        "off: no voice",
        values=("calls", "all", "full", "off"),
    )
    end_turn: str = row(
        "table.end_turn",
        EndTurn.BUTTON.value,
        "button, or auto: a legal turn that has stood for settle_s",
        values=tuple(way.value for way in EndTurn),
        told=lambda say, way: say.say(f"menu.end_{way}"),
        option=Option("match", "--end-turn", "what ends a turn"),
    )
    camera_rotate: int = row(
        "table.camera_rotate",
        0,
        "180: the camera hangs upside down, and its picture is turned; it is read either way",
        values=(0, 180),
    )
    scoreboard: str = row(
        "scoreboard.served",
        "off",
        "on: every phone in the network may look at the score, at http://NAME.local:8765/",
        values=("off", "on"),
    )


MENU_SETTINGS: Final = settings_of(MenuSettings)
