"""What the menu can do with the rest of a sitting: put settings in force, try lamps and sounds, tell of the machine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from display.draw.screen import screen_drivers
from display.draw.theme import THEMES
from display.i18n import words
from display.menu.checks import CheckLine
from display.menu.settings import CAMERA_ROTATE, MOVES, PRINT, ROTATE, SCOREBOARD, THEME, MenuSetting
from engine.table.desk import EndTurn
from firmware.camera.camera import own_camera, told_name
from firmware.camera.setup import table_in_force
from firmware.config import Config, saved_path
from firmware.doctor.camera import seen_facts
from firmware.doctor.checkup import OpenedDevices, look_at_all
from firmware.doctor.findings import Finding
from firmware.doctor.machine import gather_machine
from firmware.doctor.panel import panel_facts
from firmware.doctor.words import machine_lines
from firmware.loop.guard import DRIVER_LIMITS
from firmware.loop.watched import Part
from firmware.menu.machine import Household
from firmware.scorebook.book import Scorebook
from firmware.scorebook.modes import AT_A_TABLE, SIMULATED
from firmware.sitting.board import switch_scoreboard
from firmware.sitting.checks import Checks
from firmware.sitting.sitting import Sitting
from vision.frame import Frame
from vision.look import Look


def menu_of(
    config: Config, end_turn: EndTurn, book: Scorebook, sitting: Sitting, recording: Path | None = None
) -> tuple[Household, Config]:
    """What the menu does at this table, and the settings it shows. ``recording`` is made meanwhile, None: none is."""
    window, sound = sitting.window, sitting.sound
    look = {THEME: config.theme, PRINT: config.print_size}
    made, wish, panel = Checks(), sitting.wish, sitting.panel
    camera = wish.camera.feedback if wish is not None and sitting.live else None

    def apply(setting: MenuSetting, value: str | int) -> None:
        if setting is SCOREBOARD and sitting.board is not None:
            switch_scoreboard(sitting.board, sitting.watch, on=value == "on")
        elif setting in look and window is not None:
            look[setting] = str(value)
            window.theme = THEMES[look[THEME]][look[PRINT]]
        elif setting is MOVES and window is not None:
            window.animator.on = value == MOVES.values[0]
        elif setting is ROTATE:
            if window is not None:
                window.rotate(int(value))
        elif setting is CAMERA_ROTATE:
            if camera is not None:
                camera.turned = value == 180
        elif sound is not None:
            sitting.guard.call(sound, "change", partial(sound.change, setting, value), None, limits=DRIVER_LIMITS)
            if not sound.wanted:
                sitting.watch.forget(Part.SOUND)
            elif sound.silent:
                sitting.watch.missing(Part.SOUND, sound.reopen)

    def test() -> None:
        sitting.lamps.test()
        if sound is not None:
            sitting.guard.call(sound, "test", sound.test, None, limits=DRIVER_LIMITS)

    def more(language: str) -> tuple[str, ...]:
        say_so = words(language).say
        address = "" if sitting.board is None else sitting.board.address
        at = (say_so("menu.scoreboard_at", address=address),) if address else ()
        return (*at, *machine_lines(gather_machine(book.path), say_so))

    def heard() -> bool:
        return sound is not None and not sound.silent

    def checks(frame: Frame, look: Look, language: str) -> tuple[CheckLine, ...]:
        def findings() -> tuple[Finding, ...]:
            say, own = words(language).say, told_name(own_camera(config.camera))
            name = own if wish is None else wish.camera.spec.name
            opened = OpenedDevices(
                window.driver if window is not None else "",
                screen_drivers(),
                "" if heard() else say("doctor.sound.silent"),
                seen_facts(name, frame, look, None if camera is None else camera.settling),
                panel_facts(panel),
            )
            table = table_in_force(None if wish is None else wish.camera.table_file)
            settings = None if wish is None else wish.settings_file
            return look_at_all(opened, book=book.path, table=table, config=settings).findings(say)

        return made.of(findings, language)

    modes = AT_A_TABLE if sitting.seat is None else (SIMULATED,)
    lamps = sitting.panel.wired
    machine = Household(
        book,
        saved_path(),
        apply=apply,
        test=test,
        lamps=lamps,
        sound=heard,
        modes=modes,
        more=more,
        checks=checks,
        recording=recording,
        board=lambda: sitting.board,
        camera=camera,
    )
    sitting.watch.missing(Part.STICK, machine.has_stick, there=machine.has_stick)
    return machine, replace(config, end_turn=end_turn.value)
