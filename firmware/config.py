"""The few settings: ``defaults.toml``, and over it what the owner wrote into his own file."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path, user_config_path, user_data_path

from display.draw.theme import PARCHMENT, THEMES, Theme
from display.i18n import system_language
from display.menu.settings import (
    CAMERA_ROTATE,
    END_TURN,
    LANGUAGE,
    LAYERS,
    MOVES,
    PRINT,
    ROTATE,
    SCOREBOARD,
    THEME,
    VOICE,
    VOLUME,
    MenuSetting,
)
from engine.rules.events import MAX_POINTS
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide
from engine.strict.text import MalformedError, shown, toml_of
from engine.strict.values import did_you_mean
from firmware.errors import EngardeError
from firmware.io.files import read_text
from firmware.names import MAX_NAME, BadNameError, clean_name

DEFAULTS: Final = Path(__file__).with_name("defaults.toml")
APP: Final = "engarde"
SCOREBOOK_VARIABLE: Final = "ENGARDE_SCOREBOOK"
MOST_ACTIONS: Final = 10

Raw = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Check:
    """What a setting has to be, in words and as a test; ``choices`` where it is one of several words.

    ``read`` makes of such a value what the program takes.
    """

    expected: str
    holds: Callable[[object], bool]
    choices: tuple[str, ...] = ()
    read: Callable[[Any], Any] = lambda value: value


def _choice(known: Iterable[str]) -> Check:
    names = tuple(known)
    return Check(f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names, names)


def _number(low: float, high: float, unit: str) -> Check:
    # An exact type check: True is an int, and no number anybody meant.
    return Check(
        f"a number of {unit} from {low:g} to {high:g}",
        lambda value: isinstance(value, int | float) and type(value) is not bool and low <= value <= high,
        read=float,
    )


def _whole(low: int, high: int) -> Check:
    return Check(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def _one_of(numbers: tuple[int, ...]) -> Check:
    told = f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"
    return Check(told, lambda value: type(value) is int and value in numbers)


def _is_name(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(clean_name(value))
    except BadNameError:
        return False


_NAME: Final = Check(f"a name of 1 to {MAX_NAME} letters", _is_name, read=clean_name)
_SWITCH: Final = Check("true or false", lambda value: isinstance(value, bool))
_CAMERA: Final = Check("text that names a camera", lambda value: isinstance(value, str) and bool(value.strip()))
_FOLDER: Final = Check("the name of a folder, or nothing", lambda value: isinstance(value, str), read=str.strip)

_HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.IGNORECASE)
_HOSTS: Final = Check(
    'a list of names of machines, as ["board.club.example"]',
    lambda value: isinstance(value, list) and all(isinstance(each, str) and _HOST.fullmatch(each) for each in value),
    read=tuple,
)


def _row(heading: str, key: str, check: Check, default: Any = MISSING) -> Any:
    """A field that is the setting of this key under this heading."""
    return field(default=default, metadata={"heading": heading, "key": key, "check": check})


def _menu_row(row: MenuSetting) -> Any:
    return _row(row.heading, row.key, _choice(row.values))


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """``pins``: ``auto``, ``off`` or ``mock``; then which parts are wired at all."""

    pins: str = _row("panel", "pins", _choice(("auto", "off", "mock")), "auto")
    lamps: bool = _row("panel", "lamps", _SWITCH, True)
    buttons: bool = _row("panel", "buttons", _SWITCH, True)
    buzzer: bool = _row("panel", "buzzer", _SWITCH, True)


def _actions(value: str | list[str]) -> tuple[str, ...]:
    return tuple(each.strip() for each in ([value] if isinstance(value, str) else value) if each.strip())


def _are_actions(value: object) -> bool:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list) or len(given) > MOST_ACTIONS:
        return False
    try:
        return all(isinstance(each, str) and (not each.strip() or shlex.split(each)) for each in given)
    except ValueError:  # a quotation mark without its other
        return False


_ACTIONS: Final = Check(
    f"a command, an address, or a list of at most {MOST_ACTIONS} of them", _are_actions, read=_actions
)


@dataclass(frozen=True, slots=True)
class EventSettings:
    """Commands to run and addresses to call at each kind of event, and how long each may take."""

    at_match: tuple[str, ...] = _row("events", "at_match", _ACTIONS, ())
    at_round: tuple[str, ...] = _row("events", "at_round", _ACTIONS, ())
    at_turn: tuple[str, ...] = _row("events", "at_turn", _ACTIONS, ())
    at_attack: tuple[str, ...] = _row("events", "at_attack", _ACTIONS, ())
    at_touch: tuple[str, ...] = _row("events", "at_touch", _ACTIONS, ())
    at_won: tuple[str, ...] = _row("events", "at_won", _ACTIONS, ())
    timeout_s: float = _row("events", "timeout_s", _number(0.5, 60, "seconds"), 5.0)

    @property
    def wanted(self) -> dict[str, tuple[str, ...]]:
        """What is to be done, by kind, where anything is."""
        kinds = ("match", "round", "turn", "attack", "touch", "won")
        return {kind: actions for kind in kinds if (actions := getattr(self, f"at_{kind}"))}


def _is_topic_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"([a-z0-9][a-z0-9-]{0,19})?", value) is not None


def _is_address(value: object) -> bool:
    if not isinstance(value, str):
        return False
    host, colon, port = value.strip().partition(":")
    return not host + colon or (bool(host) and (not colon or (port.isdecimal() and 0 < int(port) < 65536)))


_ADDRESS: Final = Check("a host, host:port, or nothing", _is_address, read=str.strip)
_TEXT: Final = Check("text", lambda value: isinstance(value, str))


@dataclass(frozen=True, slots=True)
class HomeSettings:
    """The home's MQTT broker, which is told of this table; no ``broker``: none is. ``name``: the table's there."""

    broker: str = _row("home", "broker", _ADDRESS, "")
    user: str = _row("home", "user", _TEXT, "")
    password: str = _row("home", "password", _TEXT, "")
    name: str = _row("home", "name", Check("1 to 20 of a to z, 0 to 9 and -, or nothing", _is_topic_name), "")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force, a row each; ``defaults.toml`` says what each means.

    ``notice`` is empty, or says what of those kept by the menu could not be used.
    """

    names: BySide[str]
    panel: PanelSettings
    language: str = _menu_row(LANGUAGE)
    rules: str = _row("match", "rules", _choice(RULE_SETS))
    starter: str = _row("match", "starter", _choice(("white", "black", "lot")))
    points: int = _row("match", "points", _whole(1, MAX_POINTS))
    camera: str = _row("table", "camera", _CAMERA)
    fps: float = _row("table", "fps", _number(0.1, 240, "frames a second"))
    end_turn: str = _menu_row(END_TURN)
    settle_s: float = _row("table", "settle_s", _number(0.5, 60, "seconds"))
    mains_hz: int = _row("table", "mains_hz", _one_of((50, 60)))
    camera_rotate: int = _row(CAMERA_ROTATE.heading, CAMERA_ROTATE.key, _one_of(CAMERA_ROTATE.values))
    theme: str = _menu_row(THEME)
    print_size: str = _menu_row(PRINT)
    moves: str = _menu_row(MOVES)
    fullscreen: bool = _row("screen", "fullscreen", _SWITCH)
    rotate: int = _row(ROTATE.heading, ROTATE.key, _one_of(ROTATE.values))
    volume_percent: int = _row(VOLUME.heading, VOLUME.key, _whole(0, 100))
    blade_percent: int = _row("sound", "blade_percent", _whole(0, 100))
    step_percent: int = _row("sound", "step_percent", _whole(0, 100))
    touch_percent: int = _row("sound", "touch_percent", _whole(0, 100))
    crowd_percent: int = _row("sound", "crowd_percent", _whole(0, 100))
    voice: str = _menu_row(VOICE)
    recordings: str = _row("sound", "recordings", _FOLDER)
    scoreboard: str = _menu_row(SCOREBOARD)
    scoreboard_names: tuple[str, ...] = _row("scoreboard", "names", _HOSTS)
    record_most_mb: float = _row("recording", "most_mb", _number(10, 1_000_000, "megabytes"))
    dispute_keep_s: float = _row("disputes", "keep_s", _number(0, 3600, "seconds"))
    dispute_keep_mb: float = _row("disputes", "keep_mb", _number(0, 2000, "megabytes"))
    notice: str = ""
    events: EventSettings = EventSettings()
    home: HomeSettings = HomeSettings()

    @property
    def look(self) -> Theme:
        """The look of the screen: these colours in this size of print."""
        return THEMES[self.theme][self.print_size]

    @property
    def layers(self) -> Mapping[str, int]:
        """The volume of each layer of the sounds, in percent of the whole one."""
        return {name: getattr(self, f"{name}_percent") for name in LAYERS}


_ROWS: Final = {
    part: {row.name: row.metadata for row in fields(part) if row.metadata}
    for part in (Config, PanelSettings, EventSettings, HomeSettings)
}
CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(("players.white", "players.black"), _NAME),
    **{f"{row['heading']}.{row['key']}": row["check"] for rows in _ROWS.values() for row in rows.values()},
}
"""What each setting has to be."""


class NoHomeError(EngardeError):
    """There is no home folder to keep anything in."""


class ConfigError(EngardeError, ValueError):
    """Settings that cannot be used. ``faults`` has one sentence for each of them, all at once."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        sentence = f"{path}: {'; '.join(faults)}"
        super().__init__(sentence if sentence.endswith("?") else f"{sentence}.")
        self.path = path
        self.faults = faults


def saved_path() -> Path:
    """``menu.toml`` beside the owner's settings: what was last set in the menu, which holds over them."""
    return config_path().with_name("menu.toml")


def own_table_path() -> Path:
    """``table.toml`` beside the owner's settings: what he measured of his own board."""
    return config_path().with_name("table.toml")


def config_path() -> Path:
    """Where the owner's settings are looked for: ``~/.config/engarde/config.toml`` on a Pi."""
    return _ours(user_config_path, "XDG_CONFIG_HOME", "settings") / "config.toml"


def club_card_path() -> Path:
    """``club.toml`` beside the owner's settings: the card with which this table joined. Raises NoHomeError."""
    return config_path().with_name("club.toml")


def scorebook_path(given: str | None = None) -> Path:
    """Where the scorebook is: as given, else as ``ENGARDE_SCOREBOOK`` says, else in the user's data folder."""
    chosen = given or os.environ.get(SCOREBOOK_VARIABLE)
    return in_home(chosen) if chosen else data_folder() / "scorebook.sqlite"


def data_folder() -> Path:
    """Where scorebook and decks are kept where nothing else is said. Raises NoHomeError."""
    return _ours(user_data_path, "XDG_DATA_HOME", "scorebook")


def cache_folder() -> Path:
    """Where results are kept that can be worked out again. Raises NoHomeError."""
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
    defaults = toml_of(DEFAULTS.read_bytes())
    own = _read(config_path(), may_be_missing=True) if path is None else _read(path, may_be_missing=False)
    _refuse(path or config_path(), own, defaults)
    saved, notice = _saved(defaults) if path is None else ({}, "")
    system = {LANGUAGE.heading: {LANGUAGE.key: system_language(os.environ)}} if path is None else {}
    layers = (defaults, system, own, saved)
    config = _config({heading: _joined(layer.get(heading, {}) for layer in layers) for heading in defaults})
    return replace(config, notice=notice)


def is_set(row: MenuSetting) -> bool:
    """Whether the owner's file, or what was set in the menu, says what this setting is."""
    for path in (config_path(), saved_path()):
        try:
            values = _read(path, may_be_missing=True).get(row.heading)
        except ConfigError:
            continue
        if isinstance(values, dict) and row.key in values:
            return True
    return False


def usable(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Of settings read from a file, those that there are and that have a value they can have."""
    found = {
        heading: {key: value for key, value in values.items() if _can_be(f"{heading}.{key}", value)}
        for heading, values in _of_now(raw).items()
        if isinstance(values, dict)
    }
    return {heading: values for heading, values in found.items() if values}


def _can_be(name: str, value: object) -> bool:
    check = CHECKS.get(name)
    return check is not None and check.holds(value)


def _saved(defaults: Raw) -> tuple[dict[str, dict[str, Any]], str]:
    """What was set in the menu, as far as it can be used, and a sentence about the rest, if any."""
    try:
        saved = _read(saved_path(), may_be_missing=True)
    except ConfigError as error:
        return {}, f"{error} {_LEFT_OUT}"
    faults = tuple(_faults(saved, defaults))
    return usable(saved), f"{ConfigError(saved_path(), faults)} {_LEFT_OUT}" if faults else ""


_LEFT_OUT: Final = "That is left out; the next setting made in the menu puts the file right."


def _refuse(path: Path, own: Mapping[str, Any], defaults: Raw) -> None:
    faults = tuple(_faults(own, defaults))
    if faults:
        raise ConfigError(path, faults)


def _joined(layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {key: value for layer in layers for key, value in layer.items()}


def as_of_now(screen: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings of the screen as they are now: large print used to be a theme, in the usual colours."""
    return {PRINT.key: "large", **screen, THEME.key: PARCHMENT.name} if screen.get(THEME.key) == "large" else screen


def _of_now(raw: Mapping[str, Any]) -> dict[str, Any]:
    screen = raw.get(THEME.heading)
    return {**raw, THEME.heading: as_of_now(screen)} if isinstance(screen, dict) else {**raw}


def _read(path: Path, *, may_be_missing: bool) -> dict[str, Any]:
    try:
        return _of_now(toml_of(read_text(path)))
    except FileNotFoundError:
        if may_be_missing:
            return {}
        raise ConfigError(path, ("there is no such file",)) from None
    except OSError as error:
        raise ConfigError(path, (f"it cannot be read: {error.strerror}",)) from error
    except MalformedError as error:
        raise ConfigError(path, (f"it is not TOML: {error}",)) from error


def _faults(own: Mapping[str, Any], defaults: Raw) -> Iterator[str]:
    homes = {key: heading for heading, values in defaults.items() for key in values}
    for heading, values in own.items():
        if heading in homes:
            yield f"{heading} belongs under [{homes[heading]}]"
        elif heading not in defaults:
            yield f"there is no heading [{heading}]{did_you_mean(heading, defaults)}"
        elif not isinstance(values, dict):
            yield f"[{heading}] is a heading with settings under it, not {shown(values)}"
        else:
            for key, value in values.items():
                if key in defaults[heading]:
                    yield from _value_faults(f"{heading}.{key}", value)
                elif key in homes:
                    yield f"{key} belongs under [{homes[key]}], not under [{heading}]"
                else:
                    yield f"there is no setting {heading}.{key}{did_you_mean(key, defaults[heading])}"


def _value_faults(name: str, value: object) -> Iterator[str]:
    check = CHECKS[name]
    if not check.holds(value):
        guess = did_you_mean(value, check.choices) if isinstance(value, str) else ""
        yield f"{name} is {check.expected}, not {shown(value)}{guess}"


def _config(raw: Raw) -> Config:
    values = {
        part: {name: row["check"].read(raw[row["heading"]][row["key"]]) for name, row in rows.items()}
        for part, rows in _ROWS.items()
    }
    names = BySide(*(_NAME.read(raw["players"][side]) for side in ("white", "black")))
    panel, events = PanelSettings(**values[PanelSettings]), EventSettings(**values[EventSettings])
    return Config(names, panel, events=events, home=HomeSettings(**values[HomeSettings]), **values[Config])
