"""The panel as an audience: lamps and buzzer by the view and the time; and its buttons beside all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.table.presses import Press, Presses
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.table.panel.devices import Buttons, Lights, Sounder
from firmware.table.panel.patterns import SignalReader, buzzer_state, lamp_state, lamp_test

_AFTER_S: Final = 0.002  # a recording keeps milliseconds


class PanelAudience:
    """Lets lamps shine and the buzzer sound as the match stands at every moment; a lamp test comes first."""

    part: Final = Part.LIGHTS

    def __init__(self, lights: Lights, sounder: Sounder) -> None:
        self._lights = lights
        self._sounder = sounder
        self._signals = SignalReader()
        self._tested_s: float | None = None  # a camera takes a while: the test begins with its first moment

    def test(self) -> None:
        """Show every lamp once more, from the next moment on, and sound the buzzer with them."""
        self._tested_s = None

    def attend(self, moment: Moment) -> None:
        """Show this moment on the panel."""
        t_s = moment.frame.t_s
        if self._tested_s is None:
            self._tested_s = t_s
        testing = lamp_test(t_s - self._tested_s)
        signals = self._signals.read(moment.match, t_s)
        self._lights.show(lamp_state(signals, t_s) if testing is None else testing)
        self._sounder.sound(buzzer_state(moment.match.cue, moment.match.verdict_age_s))


class AllPresses:
    """The presses of the panel and of the window (or of a recording), on the clock of the frames.

    A panel's press is certain a moment after it happened, on the panel's own clock. It counts from when it happened,
    but from after the frame before: where a frame comes late, two presses of a trembling finger stay close together.
    """

    def __init__(self, others: Presses, panel: Buttons, panel_now_s: Callable[[], float]) -> None:
        self._others = others
        self._panel = panel
        self._panel_now_s = panel_now_s
        self._before_s = float("-inf")

    def due(self, now_s: float) -> tuple[Press, ...]:
        """Everything pressed until now, each press once."""
        panel_now_s = self._panel_now_s()
        earliest_s, self._before_s = min(now_s, self._before_s + _AFTER_S), now_s
        on_panel = tuple(
            replace(press, t_s=min(now_s, max(earliest_s, now_s - (panel_now_s - press.t_s))))
            for press in self._panel.due(panel_now_s)
        )
        return self._others.due(now_s) + on_panel
