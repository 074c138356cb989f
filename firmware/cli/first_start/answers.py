"""The first start's page: its server, its requests and their answers."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from display.i18n import LANGUAGES, words
from display.lamps import LAMPS
from display.view import NO_NAMES
from display.words.sentences import lamps_line, shown_name, side_name
from engine.rules.track import BySide
from engine.strict.text import MalformedError, Plain
from engine.strict.values import Range, read
from firmware.cli.doctor.camera import CameraFacts
from firmware.cli.doctor.checkup import look_at_all
from firmware.cli.doctor.findings import check_lines
from firmware.cli.doctor.machine import gather_machine, machine_lines
from firmware.cli.doctor.panel import panel_facts
from firmware.cli.first_start.mark import STEPS, StartMark
from firmware.cli.first_start.table import TableEye, overlay
from firmware.cli.first_start.wifi import Outcome, Wifi
from firmware.core.config import Config, save, scorebook_path
from firmware.core.errors import EngardeError
from firmware.core.names import MAX_NAME, BadNameError, OtherLettersError, new_name, person_key
from firmware.table.camera.camera import own_camera, told_name
from firmware.table.camera.setup import table_of
from firmware.table.panel.devices import Panel
from firmware.table.panel.patterns import lamp_test
from firmware.web.address import Port
from firmware.web.requests import WebRequest, answer
from firmware.web.serving import Reply, Route, SmallServer, asked_json, json_answer, page, page_file
from vision.board.measure import Fault, MeasuredTable, MeasureError
from vision.camera.modules import MODULES
from vision.printed.table import TableError

PAGE: Final = Path(__file__).with_name("pages") / "setup.html"


class Site(SmallServer):
    """The page, until closed. The login's code stands in its address behind the ``#``."""

    def __init__(
        self, first: FirstStart, host: str = "0.0.0.0", port: int = Port.SETUP, code: str = "", path: Path = PAGE
    ) -> None:
        """Port 0 takes any that is free, an empty ``code`` a new one. Raises WebError when the address cannot be
        had."""
        self._first = first
        shown = page(page_file(path), images="'self' blob:", framed="'none'")
        routes = {
            "/": Route(lambda asked: shown),
            "/state.json": Route(self._state, login=True),
            "/picture.jpg": Route(self._picture, login=True),
            "/do": Route(self._do, changes=True),
        }
        super().__init__(
            routes, host, port, usual=Port.SETUP, option="--port", language=lambda: first.language, code=code
        )

    async def _state(self, asked: WebRequest) -> Reply:
        return json_answer(json.dumps(await self.aside(self._first.state), ensure_ascii=False))

    async def _picture(self, asked: WebRequest) -> Reply:
        picture = await self.aside(self._first.picture)
        if picture is None:
            return answer(HTTPStatus.SERVICE_UNAVAILABLE)
        return answer(HTTPStatus.OK, picture, {"Content-Type": "image/jpeg"})

    async def _do(self, asked: WebRequest) -> Reply:
        wish = asked_json(asked)
        return json_answer(json.dumps(await self.aside(lambda: self._first.do(wish)), ensure_ascii=False))


_BY_NAME: Final = {each.name: each for each in MODULES}
_TICK_S: Final = 0.02
MAX_LEVEL_MM: Final = 100
"""The most that markers may lie above or below the piste: no table has higher steps."""
Part: TypeAlias = Annotated[float, Range(-2, 2)]
"""A place across or down the picture, in parts of its width; what was dragged may have left it."""
Point: TypeAlias = tuple[Part, Part]


class Wish(NamedTuple):
    """A request of the page, as the phone sends it: ``what`` to do, and its facts."""

    what: str
    language: str = ""
    name: str = ""
    password: str = ""
    level_mm: float | None = None
    module: str = ""
    first: Point | None = None
    last: Point | None = None
    area: tuple[Point, Point, Point, Point] | None = None
    white: str = ""
    black: str = ""
    step: str = ""


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

    def state(self) -> dict[str, Any]:
        """The values that the page begins with."""
        say = words(self.language).say
        module = "" if self._eye is None else self._eye.module.name
        return {
            "language": self.language,
            "step": self._mark.step,
            "languages": {each: words(each).say("language") for each in LANGUAGES},
            "words": words(self.language).topic("setup") | {key: say(f"menu.{key}") for key in ("health", "checks")},
            "names": self._shown_names(),
            "wifi": self._wifi.is_there,
            "join": self._joined,
            "connected": self._wifi.connected,
            "camera": self._eye is not None,
            "problem": self._problem,
            "modules": [*dict.fromkeys((*filter(None, (module,)), *_BY_NAME))],
            "module": module,
            "lamps": self._panel.wired,
            "health": self._health(say),
        }

    def _health(self, say: Callable[..., str]) -> list[str]:
        """The lines of the menu's health page that hold before a match."""

        def there(works: bool) -> str:
            return say("menu.works" if works else "menu.not_there")

        eyes = say("menu.health_eyes", what=there(self._eye is not None))
        lamps = lamps_line(words(self.language), wired=self._panel.wired)
        problem = [self._problem] if self._problem else []
        return [eyes, *problem, lamps, *machine_lines(gather_machine(self._own_table), say)]

    def picture(self) -> bytes | None:
        return None if self._eye is None else self._eye.picture()

    def do(self, wish: Plain) -> dict[str, Any]:
        """Do what is wished for, a ``Wish`` as plain values: ``ok`` and its facts, or not and ``said``."""
        try:
            wished = read(Wish, wish)
            deed: Callable[[Wish], dict[str, Any] | None] | None = getattr(self, f"_do_{wished.what}", None)
            if deed is None:
                raise MalformedError("no such deed")
            return {"ok": True, **(deed(wished) or {})}
        except MalformedError:
            return _no(self._say("setup.not_understood"))
        except OtherLettersError as error:
            return _no(self._say("menu.other_letters", letters=" ".join(error.letters)))
        except BadNameError:
            return _no(self._say("menu.bad_name", count=MAX_NAME))
        except MeasureError as error:
            facts = {name: words(self.language).decimal(number) for name, number in error.facts.items()}
            return _no(self._say(f"setup.fault_{error.fault.value}", **facts))
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

    def _say(self, key: str, **facts: object) -> str:
        return words(self.language).say(key, **facts)

    @property
    def _camera(self) -> TableEye:
        """Raises EngardeError, in the page's language, where there is none."""
        if self._eye is None:
            why = f" ({self._problem})" if self._problem else ""
            raise EngardeError(f"{self._say('setup.no_camera')}{why}")
        return self._eye

    def _do_language(self, wish: Wish) -> dict[str, Any]:
        if wish.language not in LANGUAGES:
            raise MalformedError("no such language")
        self.language = wish.language
        self._save("players.language", self.language)
        return self.state()

    def _do_networks(self, wish: Wish) -> dict[str, Any]:
        found = self._wifi.networks()
        rows = [{"name": each.name, "signal": each.signal, "locked": each.locked} for each in found]
        trouble = "" if found else self.wifi_told(self._wifi.trouble())
        return {"networks": rows, "connected": self._wifi.connected, "trouble": trouble}

    def _do_join(self, wish: Wish) -> dict[str, Any]:
        """Join a network. ``state`` tells the outcome too: a phone in the machine's own network loses this answer."""
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

    def _do_aim(self, wish: Wish) -> dict[str, Any]:
        aim = self._camera.aim()
        if aim is None:
            raise EngardeError(self._say("setup.no_camera"))
        return aim

    def _do_measure(self, wish: Wish) -> dict[str, Any]:
        level_mm, camera = wish.level_mm or 0.0, self._camera
        if abs(level_mm) > MAX_LEVEL_MM:
            raise EngardeError(self._say("setup.bad_level", most=MAX_LEVEL_MM))
        return self._drawn(camera.measure(level_mm, _BY_NAME.get(wish.module)))

    def _drawn(self, measured: MeasuredTable) -> dict[str, Any]:
        drawn = overlay(measured)
        return {**drawn, "pitch": words(self.language).decimal(drawn["pitch_mm"], 2)}

    def _do_correct(self, wish: Wish) -> dict[str, Any]:
        camera = self._camera
        if camera.measured is None:
            raise EngardeError(self._say(f"setup.fault_{Fault.BEFORE.value}"))
        if wish.first is None or wish.last is None or wish.area is None:
            raise MalformedError("places are missing")
        first, last, *area = np.array([wish.first, wish.last, *wish.area]) * camera.measured.camera.width
        return self._drawn(camera.correct(first, last, np.array(area)))

    def _do_keep(self, wish: Wish) -> dict[str, Any]:
        before = self._camera.keep(self._own_table)
        return {"file": str(self._own_table), "before": None if before is None else str(before)}

    def _do_lamps(self, wish: Wish) -> None:
        if not self._panel.wired:
            raise EngardeError(self._say("setup.lamps_none"))
        threading.Thread(target=self._run_lamps, name="lamp test", daemon=True).start()

    def _run_lamps(self) -> None:
        at_s = 0.0
        while (lamps := lamp_test(at_s)) is not None:
            self._panel.lights.show(lamps)
            time.sleep(_TICK_S)
            at_s += _TICK_S
        self._panel.lights.show(dict.fromkeys(LAMPS, False))

    def _do_checks(self, wish: Wish) -> dict[str, Any]:
        """Every check but those of screen and sound, which the game opens."""
        spec = told_name(own_camera(self._config.camera))
        seen = CameraFacts(spec, self._problem or "no camera") if self._eye is None else self._eye.facts(spec)
        panel = panel_facts(self._panel)
        every = look_at_all(seen, panel, book=scorebook_path(), table=None, config=None)
        found = (each for each in every if each.name not in ("screen", "sound"))
        return {"checks": [{"heading": each.heading, "lines": each.lines} for each in check_lines(found, self._say)]}

    def _shown_names(self) -> dict[str, str]:
        """A player without a name yet is called by colour, in the language of the page."""
        say = words(self.language)
        return {side.value: shown_name(say, side, name) for side, name in self._config.names.items()}

    def _do_names(self, wish: Wish) -> None:
        given = BySide(new_name(wish.white), new_name(wish.black))
        say = words(self.language)
        white, black = (NO_NAMES[side] if name == side_name(say, side) else name for side, name in given.items())
        if person_key(white) == person_key(black):
            raise EngardeError(self._say("menu.same_name"))
        self._save("players.white", white)
        self._save("players.black", black)

    def _do_play(self, wish: Wish) -> None:
        # Kept even unchanged: it was seen on the page, and is not asked again.
        self._save("players.language", self.language)
        self._mark.end()
        self.done.set()

    def _do_step(self, wish: Wish) -> None:
        if wish.step not in STEPS:
            raise MalformedError("no such step")
        self._mark.reach(wish.step)

    def _save(self, setting: str, value: str) -> None:
        if not save(self._settings, setting, value):
            raise EngardeError(f"{self._settings} cannot be written; look at the disk's line of engarde doctor.")


def _no(said: str) -> dict[str, Any]:
    return {"ok": False, "said": said}
