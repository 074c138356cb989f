"""What the page of the first start may ask for, and what it is answered: values in, values out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from display.i18n import LANGUAGES, Words, words
from display.view import NO_NAMES
from display.words.sentences import lamps_line, shown_name, side_name
from engine.rules.track import BySide
from engine.strict.text import MalformedError, Plain
from engine.strict.values import Between, Like, read
from firmware.camera.camera import told_name
from firmware.camera.setup import table_in_force, table_of
from firmware.config import Config, scorebook_path
from firmware.doctor.camera import CameraFacts
from firmware.doctor.checkup import OpenedDevices, look_at_all
from firmware.doctor.machine import gather_machine
from firmware.doctor.panel import panel_facts
from firmware.doctor.words import check_lines, machine_lines
from firmware.errors import EngardeError
from firmware.first_start.mark import STEPS, StartMark
from firmware.first_start.table import TableEye, overlay
from firmware.first_start.wifi import Outcome, Wifi
from firmware.menu.saved import save
from firmware.names import MAX_NAME, BadNameError, OtherLettersError, new_name, person_key
from firmware.panel.devices import Panel
from firmware.panel.patterns import lamp_test
from vision.board.measure import Fault, MeasuredTable, MeasureError
from vision.camera.modules import MODULES
from vision.printed.table import TableError

SENTENCES: Final = (
    *("welcome", "language", "wifi", "wifi_what", "wifi_none", "wifi_now", "wifi_more", "wifi_call"),
    *("password", "join", "joining", "joined"),
    *("aim", "aim_what", "aim_none", "aim_move", "aim_higher", "aim_lower", "aim_covered", "aim_good"),
    *("missing", "no_camera", "measure", "measure_what", "module", "level", "measure_now"),
    *("measured", "turned", "drag", "keep"),
    *("kept", "lamps", "lamps_what", "lamps_now", "lamps_none", "names", "white", "black", "names_what", "next"),
    *("back", "play", "playing", "lost"),
)
"""Every sentence of the page, by its key under ``setup``."""
_BY_NAME: Final = {each.name: each for each in MODULES}
_TICK_S: Final = 0.02
MAX_LEVEL_MM: Final = 100
"""Of the markers above or below the piste: nobody plays on steps that high."""
Part: TypeAlias = Annotated[float, Between(-2, 2)]
"""A place across or down the picture, in parts of its width; what was dragged may have left it."""
Point: TypeAlias = tuple[Part, Part]


class _Plain(NamedTuple):
    """A wish without facts."""


class _Language(NamedTuple):
    language: Annotated[str, Like("|".join(LANGUAGES), "a language of the page")]


class _Join(NamedTuple):
    name: str
    password: str = ""


class _Measure(NamedTuple):
    level_mm: float | None = None
    module: str = ""


class _Correct(NamedTuple):
    first: Point
    last: Point
    area: tuple[Point, Point, Point, Point]


class _Names(NamedTuple):
    white: str
    black: str


class _Step(NamedTuple):
    step: Annotated[str, Like("|".join(STEPS), "a step of the page")]


class FirstStart:
    """The steps of a first start. ``eye`` is None where no camera could be opened, ``problem`` says why then.

    ``settings`` is the menu's file, ``own_table`` where the measured table goes, ``mark`` what says until the end that
    there is a first start to end. ``done`` is set when the players want to play. Each answer is a value for JSON; none
    raises.
    """

    def __init__(
        self,
        config: Config,
        settings: Path,
        own_table: Path,
        wifi: Wifi,
        eye: TableEye | None,
        panel: Panel,
        problem: str = "",
        *,
        mark: StartMark,
    ) -> None:
        self._config, self._settings, self._own_table = config, settings, own_table
        self._wifi, self._eye, self._panel, self._problem = wifi, eye, panel, problem
        self._mark = mark
        self._joined: dict[str, Any] | None = None
        self.language = config.language
        self.done = threading.Event()
        self._deeds: Mapping[str, tuple[type, Callable[[Any], dict[str, Any]]]] = {
            "language": (_Language, self._set_language),
            "networks": (_Plain, self._networks),
            "join": (_Join, self._join),
            "aim": (_Plain, self._aim),
            "measure": (_Measure, self._measure),
            "correct": (_Correct, self._correct),
            "keep": (_Plain, self._keep),
            "lamps": (_Plain, self._lamps),
            "checks": (_Plain, self._checks),
            "names": (_Names, self._names),
            "play": (_Plain, self._play),
            "step": (_Step, self._reach),
        }

    def state(self) -> dict[str, Any]:
        """What the page begins with."""
        say = words(self.language).say
        return {
            "language": self.language,
            "step": self._mark.step,
            "languages": {each: words(each).say("language") for each in LANGUAGES},
            "words": {key: say(f"setup.{key}") for key in SENTENCES}
            | {key: say(f"menu.{key}") for key in ("health", "checks")},
            "names": self._shown_names(),
            "wifi": self._wifi.is_there,
            "join": self._joined,
            "connected": self._wifi.connected,
            "camera": self._eye is not None,
            "problem": self._problem,
            **self._modules(),
            "lamps": self._panel.wired,
            "health": self._health(say),
        }

    def _modules(self) -> dict[str, Any]:
        """The cameras to choose from, by name, and which of them hangs there."""
        now = "" if self._eye is None else self._eye.module.name
        return {"modules": [*dict.fromkeys((*filter(None, (now,)), *_BY_NAME))], "module": now}

    def _health(self, say: Callable[..., str]) -> list[str]:
        """The same lines as on the screen's page of how all is, as far as there is anything before a match."""

        def there(works: bool) -> str:
            return say("menu.works" if works else "menu.not_there")

        eyes = say("menu.health_eyes", what=there(self._eye is not None))
        lamps = lamps_line(words(self.language), wired=self._panel.wired)
        problem = [self._problem] if self._problem else []
        return [eyes, *problem, lamps, *machine_lines(gather_machine(self._own_table), say)]

    def picture(self) -> bytes | None:
        """The camera's last picture as JPEG."""
        return None if self._eye is None else self._eye.picture()

    def do(self, wish: Plain) -> dict[str, Any]:
        """Do what is wished for, an object with ``what`` and its facts: ``ok``, and ``said`` where it is not."""
        what = wish.get("what") if isinstance(wish, dict) else None
        if not isinstance(what, str) or what not in self._deeds:
            return self._no("setup.not_understood")
        kind, deed = self._deeds[what]
        try:
            return deed(read(kind, {name: each for name, each in wish.items() if name != "what"}))
        except MalformedError:
            return self._no("setup.not_understood")
        except OtherLettersError as error:
            return _no(words(self.language).say("menu.other_letters", letters=" ".join(error.letters)))
        except BadNameError:
            return _no(words(self.language).say("menu.bad_name", count=MAX_NAME))
        except MeasureError as error:
            return _no(_told(error, words(self.language)))
        except (EngardeError, OSError) as error:
            return _no(str(error))

    def leave(self) -> None:
        """End it without the page: for now only, unless the table was measured before. The first steps ask the rest."""
        with suppress(EngardeError, TableError):
            table_of(self._own_table)
            self._mark.end()

    def forgo(self) -> None:
        """End it without the page, for good: they play without measuring. The first steps ask the rest."""
        self._mark.forgo()

    def _set_language(self, wish: _Language) -> dict[str, Any]:
        self.language = wish.language
        self._save("players", "language", self.language)
        return {"ok": True, **self.state()}

    def _networks(self, wish: _Plain) -> dict[str, Any]:
        found = self._wifi.networks()
        rows = [{"name": each.name, "signal": each.signal, "locked": each.locked} for each in found]
        trouble = "" if found else self.wifi_told(self._wifi.trouble())
        return {"ok": True, "networks": rows, "connected": self._wifi.connected, "trouble": trouble}

    def _join(self, wish: _Join) -> dict[str, Any]:
        """What came of it is told by ``state`` too: a phone in the machine's own network loses this answer."""
        self._joined = None
        said = self.wifi_told(self._wifi.join(wish.name, wish.password))
        self._joined = {"ok": True, "connected": wish.name} if not said else _no(said)
        return self._joined

    def wifi_told(self, outcome: Outcome) -> str:
        """Why there is no connection, in the page's language, with NetworkManager's own words; empty where there is."""
        if outcome.fault is None:
            return ""
        say = words(self.language).say
        back = say("setup.wifi_back", name=outcome.back) if outcome.back else ""
        original = f"({outcome.original})" if outcome.original else ""
        return " ".join(filter(None, (say(f"setup.wifi_{outcome.fault.value}"), original, back)))

    def _aim(self, wish: _Plain) -> dict[str, Any]:
        aim = None if self._eye is None else self._eye.aim()
        if aim is None:
            return self._no_camera()
        return {"ok": True, **aim}

    def _no_camera(self) -> dict[str, Any]:
        said = words(self.language).say("setup.no_camera")
        return _no(f"{said} ({self._problem})" if self._problem else said)

    def _measure(self, wish: _Measure) -> dict[str, Any]:
        level_mm = wish.level_mm or 0.0
        if self._eye is None:
            return self._no_camera()
        if abs(level_mm) > MAX_LEVEL_MM:
            return self._no("setup.bad_level", most=MAX_LEVEL_MM)
        return self._drawn(self._eye.measure(level_mm, _BY_NAME.get(wish.module)))

    def _drawn(self, measured: MeasuredTable) -> dict[str, Any]:
        drawn = overlay(measured)
        pitch = words(self.language).decimal(drawn["pitch_mm"], 2)
        return {"ok": True, **drawn, "pitch": pitch}

    def _correct(self, wish: _Correct) -> dict[str, Any]:
        if self._eye is None:
            return self._no_camera()
        if self._eye.measured is None:
            return self._no(f"setup.fault_{Fault.BEFORE.value}")
        wide = self._eye.measured.camera.width
        first, last, *area = np.array([wish.first, wish.last, *wish.area]) * wide
        return self._drawn(self._eye.correct(first, last, np.array(area)))

    def _keep(self, wish: _Plain) -> dict[str, Any]:
        if self._eye is None:
            return self._no_camera()
        before = self._eye.keep(self._own_table)
        return {"ok": True, "file": str(self._own_table), "before": None if before is None else str(before)}

    def _lamps(self, wish: _Plain) -> dict[str, Any]:
        if not self._panel.wired:
            return self._no("setup.lamps_none")
        threading.Thread(target=self._run_lamps, name="lamp test", daemon=True).start()
        return {"ok": True}

    def _run_lamps(self) -> None:
        waits, at_s, off = threading.Event(), 0.0, dict[str, bool]()
        while (lamps := lamp_test(at_s)) is not None:
            off = dict.fromkeys(lamps, False)
            self._panel.lights.show(lamps)
            waits.wait(_TICK_S)
            at_s += _TICK_S
        self._panel.lights.show(off)

    def _checks(self, wish: _Plain) -> dict[str, Any]:
        """Every check but those of screen and sound, which the game opens."""
        spec = told_name(self._config.camera)
        seen = CameraFacts(spec, self._problem or "no camera") if self._eye is None else self._eye.facts(spec)
        opened = OpenedDevices("", (), "", seen, panel_facts(self._panel))
        say = words(self.language).say
        facts = look_at_all(opened, book=scorebook_path(), table=table_in_force(None), config=None)
        found = facts.findings(say)
        lines = check_lines((each for each in found if each.name not in ("screen", "sound")), say)
        return {"ok": True, "checks": [{"heading": each.heading, "lines": each.lines} for each in lines]}

    def _shown_names(self) -> dict[str, str]:
        """Whoever has no name yet is called by his colour, in the language of the page."""
        say = words(self.language)
        return {side.value: shown_name(say, side, name) for side, name in self._config.names.items()}

    def _names(self, wish: _Names) -> dict[str, Any]:
        given = BySide(new_name(wish.white), new_name(wish.black))
        say = words(self.language)
        white, black = (NO_NAMES[side] if name == side_name(say, side) else name for side, name in given.items())
        if person_key(white) == person_key(black):
            return _no(words(self.language).say("menu.same_name"))
        self._save("players", "white", white)
        self._save("players", "black", black)
        return {"ok": True}

    def _play(self, wish: _Plain) -> dict[str, Any]:
        # Kept even where it was not changed: whoever went through the page has seen it, and nobody asks again.
        self._save("players", "language", self.language)
        self._mark.end()
        self.done.set()
        return {"ok": True}

    def _reach(self, wish: _Step) -> dict[str, Any]:
        self._mark.reach(wish.step)
        return {"ok": True}

    def _no(self, key: str, **facts: object) -> dict[str, Any]:
        return _no(words(self.language).say(key, **facts))

    def _save(self, heading: str, key: str, value: str) -> None:
        if not save(self._settings, heading, key, value):
            raise EngardeError(f"{self._settings} cannot be written; look at the disk's line of engarde doctor.")


def _no(said: str) -> dict[str, Any]:
    return {"ok": False, "said": said}


def _told(error: MeasureError, said: Words) -> str:
    """What is to be put where, in the players' language."""
    facts = {name: said.decimal(number) for name, number in error.facts.items()}
    return said.say(f"setup.fault_{error.fault.value}", **facts)
