"""The menu's services at a session: settings put in force, lamps and sounds tried, the machine's health."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from display.draw.theme import THEMES
from display.i18n import words
from display.menu.settings import Setting
from engine.table.desk import EndTurn
from firmware.book.scorebook.book import Scorebook
from firmware.book.scorebook.schema import AT_A_TABLE, SIMULATED
from firmware.cli.sitting.board import switch_scoreboard
from firmware.cli.sitting.sitting import Sitting
from firmware.core.config import Config, saved_path
from firmware.table.loop.guard import DRIVER_LIMITS
from firmware.table.loop.watched import Part
from firmware.ui.menu.machine import Household

if TYPE_CHECKING:  # the doctor comes when somebody asks how the machine is
    from firmware.cli.doctor.checkup import TableDoctor


def menu_of(
    config: Config, end_turn: EndTurn, book: Scorebook, sitting: Sitting, recording: Path | None = None
) -> tuple[Household, Config]:
    """The menu's services and the settings it shows; ``recording`` is the one being made, None for none."""
    window, sound = sitting.window, sitting.sound
    look = {"theme": config.theme, "print_size": config.print_size}
    camera = sitting.wish.camera.feedback if sitting.wish.camera.spec.live else None

    def apply(setting: Setting, value: str | int) -> None:
        name = setting.name
        if name == "scoreboard" and sitting.board is not None:
            switch_scoreboard(sitting.board, sitting.watch, on=value == "on")
        elif name in look and window is not None:
            look[name] = str(value)
            window.theme = THEMES[look["theme"]][look["print_size"]]
        elif name == "moves" and window is not None:
            window.animator.on = value == "shown"
        elif name == "rotate" and window is not None:
            window.rotate(int(value))
        elif name == "camera_rotate" and camera is not None:
            camera.turned = value == 180
        elif setting.path.startswith("sound.") and sound is not None:
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
        return (*at, *doctor().machine(language))

    def heard() -> bool:
        return sound is not None and not sound.silent

    @cache
    def doctor() -> TableDoctor:
        from firmware.cli.doctor.checkup import TableDoctor

        return TableDoctor(sitting, heard)

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
        checks=lambda frame, look, language: doctor().checks(frame, look, language),
        recording=recording,
        board=lambda: sitting.board,
        camera=camera,
    )
    sitting.watch.missing(Part.STICK, machine.has_stick, there=machine.has_stick)
    return machine, replace(config, end_turn=end_turn.value)
