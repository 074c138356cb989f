"""The few settings, declared and read: their defaults, and over them the owner's own file."""

from __future__ import annotations

import errno
import json
import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias

from platformdirs import user_cache_path, user_config_path, user_data_path

from display.draw.theme import PARCHMENT, THEMES, Theme
from display.i18n import system_language
from display.menu.settings import MenuSettings, Option, Setting, row, settings_of
from engine.rules.events import MAX_POINTS
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide
from engine.strict.text import MalformedError, shown, toml_of
from engine.strict.values import Converter, Pattern, Range, did_you_mean, plain, read
from firmware.core.errors import EngardeError
from firmware.core.io.files import NotTextError, read_text, write_state
from firmware.core.names import MAX_NAME, clean_name

APP: Final = "engarde"
SCOREBOOK_VARIABLE: Final = "ENGARDE_SCOREBOOK"
MAX_ACTIONS: Final = 10


def _name(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(text)
    return clean_name(text)


def _actions(value: str | list[str]) -> tuple[str, ...]:
    """Raises ValueError for too many, and for a quotation mark without its other."""
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list) or len(given) > MAX_ACTIONS:
        raise ValueError
    actions = tuple(each.strip() for each in given if each.strip())
    for each in actions:
        shlex.split(each)
    return actions


def _address(text: str) -> str:
    host, colon, port = text.strip().partition(":")
    if (colon and not host) or (colon and not (port.isdecimal() and 0 < int(port) < 65536)):
        raise ValueError
    return text.strip()


Name: TypeAlias = Annotated[str, Converter(_name, str, f"a name of 1 to {MAX_NAME} letters")]
Camera: TypeAlias = Annotated[str, Pattern(r"(?s).*\S.*", "text that names a camera")]
Folder: TypeAlias = Annotated[str, Converter(str.strip, str, "the name of a folder, or nothing")]
Host: TypeAlias = Annotated[
    str, Pattern(r"(?i)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", "the name of a machine, as board.club.example")
]
Actions: TypeAlias = Annotated[
    tuple[str, ...], Converter(_actions, list, f"a command, an address, or a list of at most {MAX_ACTIONS} of them")
]
Address: TypeAlias = Annotated[str, Converter(_address, str, "a host, host:port, or nothing")]
TopicName: TypeAlias = Annotated[
    str, Pattern(r"([a-z0-9][a-z0-9-]{0,19})?", "1 to 20 of a to z, 0 to 9 and -, or nothing")
]


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """The players' names, as the screen and the scorebook show them."""

    white: Name = row("players.white", "White", "names, as the screen and the scorebook show them")
    black: Name = row("players.black", "Black")


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Whether there are lamps and buttons, and which of its parts are wired at all."""

    pins: str = row(
        "panel.pins",
        "auto",
        "auto: lamps and buttons if this is a Pi; off: none; mock: pretended ones, for tests",
        values=("auto", "off", "mock"),
    )
    lamps: bool = row("panel.lamps", True, "false: this panel was built without them; the rest of it works")
    buttons: bool = row("panel.buttons", True)
    buzzer: bool = row("panel.buzzer", True)


@dataclass(frozen=True, slots=True)
class EventSettings:
    """Commands to run and addresses to call at each kind of event, and how long each may take."""

    at_match: Actions = row(
        "events.at_match",
        (),
        "a match begins; a command or an address (http://...), or a list: all get the event as JSON",
    )
    at_round: Actions = row("events.at_round", ())
    at_turn: Actions = row("events.at_turn", ())
    at_attack: Actions = row("events.at_attack", ())
    at_touch: Actions = row("events.at_touch", ())
    at_won: Actions = row("events.at_won", (), "the match is over")
    timeout_s: Annotated[float, Range(0.5, 60, "seconds")] = row(
        "events.timeout_s", 5.0, "what takes longer is stopped; the game waits for none of it"
    )

    @property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """The actions by kind of event, where there are any."""
        kinds = ("match", "round", "turn", "attack", "touch", "won")
        return {kind: actions for kind in kinds if (actions := getattr(self, f"at_{kind}"))}


@dataclass(frozen=True, slots=True)
class HomeSettings:
    """The home's MQTT broker, which is told of this table; no ``broker``: none is. ``name``: the table's there."""

    broker: Address = row(
        "home.broker",
        "",
        "a host or host:port; MQTT's port is 1883; Home Assistant there finds this table by itself, too",
    )
    user: str = row("home.user", "")
    password: str = row("home.password", "")
    name: TopicName = row(
        "home.name", "", "the table's name there; without one this machine's and the end of its hardware address"
    )


@dataclass(frozen=True, slots=True)
class Config(MenuSettings):
    """The settings in force. ``notice`` is empty, or says what of those kept by the menu could not be used."""

    rules: str = row(
        "match.rules", "ferti-advanced", values=tuple(RULE_SETS), option=Option("match", "--rules", "the preset")
    )
    starter: str = row(
        "match.starter",
        "white",
        "white, black, or lot: the machine draws",
        values=("white", "black", "lot"),
        option=Option("match", "--starter", "who begins; lot: the machine draws"),
    )
    points: Annotated[int, Range(1, MAX_POINTS)] = row("match.points", 5)
    camera: Camera = row(
        "table.camera",
        "auto",
        "auto: on a Pi its own camera, elsewhere the first webcam; synthetic, picamera2, picamera2:N, a V4L2 number or "
        "device, http://…, rtsp://…, a video, a folder of pictures",
        option=Option(
            "camera",
            "--camera",
            "synthetic, picamera2[:N], a number, http://…, rtsp://…, a video, folder, recording (default: settings)",
            "C",
        ),
    )
    fps: Annotated[float, Range(0.1, 240, "frames a second")] = row(
        "table.fps",
        10.0,
        "the clock of a folder of pictures",
        option=Option("camera", "--fps", "the clock of a video or folder, frames a second (a folder: 10)"),
    )
    settle_s: Annotated[float, Range(0.5, 60, "seconds")] = row(
        "table.settle_s", 3.0, option=Option("match", "--settle", "how long a table stands before it counts", "SECONDS")
    )
    mains_hz: int = row(
        "table.mains_hz",
        50,
        "of the lamps: 50, or 60 as in the Americas; the camera's exposure is fitted to it",
        values=(50, 60),
    )
    fullscreen: bool = row(
        "screen.fullscreen",
        False,
        "true: on a desktop too the window covers the whole screen; without a desktop it always does",
        option=Option("screen", "--fullscreen", "the window covers the whole screen"),
    )
    recordings: Folder = row(
        "sound.recordings", "", "a folder of your own sounds: touch.wav and the like, en/touch_white.wav for calls"
    )
    scoreboard_names: tuple[Host, ...] = row(
        "scoreboard.names",
        (),
        'other names of this machine, as ["board.club.example"], for a club\'s wall too; its own need not be named',
    )
    record_most_mb: Annotated[float, Range(10, 1_000_000, "megabytes")] = row(
        "recording.most_mb", 8000.0, "engarde play --record stops there; an evening of two hours takes less than 2000"
    )
    dispute_keep_s: Annotated[float, Range(0, 3600, "seconds")] = row(
        "disputes.keep_s", 300.0, "how long back the frames a verdict was read from can be looked at again (key R)"
    )
    dispute_keep_mb: Annotated[float, Range(0, 2000, "megabytes")] = row(
        "disputes.keep_mb", 16.0, "and how much memory they may take: some fifty pictures"
    )
    notice: str = ""
    names: BySide[str] = BySide("White", "Black")
    panel: PanelSettings = PanelSettings()
    events: EventSettings = EventSettings()
    home: HomeSettings = HomeSettings()

    @property
    def look(self) -> Theme:
        """The look of the screen: these colours in this size of print."""
        return THEMES[self.theme][self.print_size]


_PARTS: Final = (PlayerNames, Config, PanelSettings, EventSettings, HomeSettings)
SETTINGS: Final[Mapping[str, Setting]] = {setting.path: setting for part in _PARTS for setting in settings_of(part)}
"""Every setting there is, by its heading and key."""


class NoHomeError(EngardeError):
    """There is no home folder to keep anything in."""


class ConfigError(EngardeError, ValueError):
    """Settings that cannot be used. ``faults`` has a sentence for each, ``usable`` the others, by their paths."""

    def __init__(self, path: Path, faults: tuple[str, ...], usable: Mapping[str, Any] = MappingProxyType({})) -> None:
        sentence = f"{path}: {'; '.join(faults)}"
        super().__init__(sentence if sentence.endswith("?") else f"{sentence}.")
        self.path = path
        self.faults = faults
        self.usable = usable


def saved_path() -> Path:
    """``menu.toml`` beside the owner's settings: what was last set in the menu, which holds over them."""
    return config_path().with_name("menu.toml")


def own_table_path() -> Path:
    """``table.toml`` beside the owner's settings: the owner's own board as measured."""
    return config_path().with_name("table.toml")


def config_path() -> Path:
    """The owner's settings file: ``~/.config/engarde/config.toml`` on a Pi."""
    return _ours(user_config_path, "XDG_CONFIG_HOME", "settings") / "config.toml"


def club_card_path() -> Path:
    """``club.toml`` beside the owner's settings: the card with which this table joined. Raises NoHomeError."""
    return config_path().with_name("club.toml")


def scorebook_path(given: str | None = None) -> Path:
    """The scorebook's file: as given, else as ``ENGARDE_SCOREBOOK`` says, else in the user's data folder."""
    chosen = given or os.environ.get(SCOREBOOK_VARIABLE)
    return in_home(chosen) if chosen else data_folder() / "scorebook.sqlite"


def data_folder() -> Path:
    """The default folder for scorebook and decks. Raises NoHomeError."""
    return _ours(user_data_path, "XDG_DATA_HOME", "scorebook")


def cache_folder() -> Path:
    """The folder for results that can be worked out again. Raises NoHomeError."""
    return _ours(user_cache_path, "XDG_CACHE_HOME", "results")


def in_home(path: str) -> Path:
    """A path that may begin with ``~``. Raises NoHomeError."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise NoHomeError(f"{path}: nobody knows where ~ is; write the whole path, from / on.") from error


def _ours(folder: Callable[[str], Path], variable: str, what: str) -> Path:
    """One of the system's folders for this program."""
    try:
        found = folder(APP)
    except RuntimeError:
        found = Path()
    if not found.is_absolute():  # older platformdirs answer with a ~ that nobody knows
        raise NoHomeError(
            f"there is no folder for the {what}: HOME is not set and this user has no home; set HOME or {variable} to "
            "a folder that can be written."
        )
    return found


def load_config(path: Path | None = None) -> Config:
    """The settings in force; ``path`` None: the owner's own file and what was set in the menu, which need not exist,
    and the system's language where neither has one.

    Raises ConfigError for a named file that is not there, one that cannot be read, and values that cannot be used. What
    the menu kept never stops a game, whose players may have no keyboard: of it, only what can be used is.
    """
    values, notice = _usable(path or config_path(), may_be_missing=path is None), ""
    if path is None:
        saved, notice = _saved()
        values = {"players.language": system_language(os.environ), **values, **saved}
    parts = [{each.name: values[each.path] for each in settings_of(part) if each.path in values} for part in _PARTS]
    names, whole, panel, events, home = parts
    players = PlayerNames(**names)
    return Config(
        notice=notice,
        names=BySide(players.white, players.black),
        panel=PanelSettings(**panel),
        events=EventSettings(**events),
        home=HomeSettings(**home),
        **whole,
    )


def is_set(path: str) -> bool:
    """Whether the owner's file, or what was set in the menu, says what the setting of this path is."""
    with suppress(ConfigError):
        if path in _usable(config_path(), may_be_missing=True):
            return True
    return path in _saved()[0]


def _saved() -> tuple[Mapping[str, Any], str]:
    """The menu's settings that can be used, and a sentence about the others, if any."""
    try:
        return _usable(saved_path(), may_be_missing=True), ""
    except ConfigError as error:
        return error.usable, f"{error} That is left out; the next setting made in the menu puts the file right."


def checked(raw: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A file's settings that can be used, by their paths, and a sentence for each of the others."""
    homes = {key: heading for heading, key in (path.split(".") for path in SETTINGS)}
    usable: dict[str, Any] = {}
    faults = []
    for heading, values in _as_of_now(raw).items():
        if heading in homes:
            faults.append(f"{heading} belongs under [{homes[heading]}]")
        elif heading not in homes.values():
            faults.append(f"there is no heading [{heading}]{did_you_mean(heading, homes.values())}")
        elif not isinstance(values, dict):
            faults.append(f"[{heading}] is a heading with settings under it, not {shown(values)}")
        else:
            for key, value in values.items():
                path = f"{heading}.{key}"
                if path in SETTINGS:
                    try:
                        usable[path] = read(SETTINGS[path].kind, value)
                    except MalformedError as error:
                        found = error.problem.removeprefix("expected ").replace(", found ", ", not ", 1)
                        faults.append(f"{path}{error.path} is {found}")
                elif key in homes:
                    faults.append(f"{key} belongs under [{homes[key]}], not under [{heading}]")
                else:
                    known = [each for each, home in homes.items() if home == heading]
                    faults.append(f"there is no setting {path}{did_you_mean(key, known)}")
    return usable, tuple(faults)


def _as_of_now(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings of a file as they are now: large print used to be a theme, in the usual colours."""
    screen = raw.get("screen")
    if isinstance(screen, dict) and screen.get("theme") == "large":
        return {**raw, "screen": {"print": "large", **screen, "theme": PARCHMENT.name}}
    return raw


def _usable(path: Path, *, may_be_missing: bool) -> dict[str, Any]:
    """The settings of a file, by their paths. Raises ConfigError."""
    try:
        usable, faults = checked(toml_of(read_text(path)))
    except FileNotFoundError:
        if may_be_missing:
            return {}
        raise ConfigError(path, ("there is no such file",)) from None
    except OSError as error:
        raise ConfigError(path, (f"it cannot be read: {error.strerror}",)) from error
    except MalformedError as error:
        raise ConfigError(path, (f"it is not TOML: {error}",)) from error
    if faults:
        raise ConfigError(path, faults, usable)
    return usable


HEADER: Final = "# What was last set in the menu. It holds over config.toml; delete it to have that hold again.\n"


def save(path: Path, setting: str, value: str | int) -> bool:
    """Keep one setting, such as ``sound.voice``; others in the file that can be used stay.

    Whether it could be written.
    """
    try:
        write_state(path, HEADER + _toml({**_read(path), setting: value}))
    except OSError:
        return False
    return True


def _read(path: Path) -> dict[str, Any]:
    try:
        read = toml_of(read_text(path))
    except (FileNotFoundError, MalformedError, NotTextError):
        return {}
    except OSError as error:
        if error.errno != errno.EFBIG:  # else the menu never wrote that
            raise
        return {}
    return checked(read)[0]


def _toml(kept: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for heading, paths in groupby(sorted(kept), lambda path: path.partition(".")[0]):
        lines += ["", f"[{heading}]"]
        for path in paths:
            # JSON writes all of these as TOML does, but for letters beyond the first plane, which stay as they are.
            value = json.dumps(plain(SETTINGS[path].kind, kept[path]), ensure_ascii=False)
            lines.append(f"{path.partition('.')[2]} = {value}")
    return "\n".join(lines) + "\n"
