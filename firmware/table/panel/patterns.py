"""Which lamp shines at which moment: functions of what is shown and of the time, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from display.lamps import LAMPS, SIDE_NAMES
from display.view import Cue, ViewModel
from engine.rules.track import Side
from engine.table.presses import Press, Presses
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.table.panel.devices import Buttons, Lights, Sounder

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
        self._sounder.sound(buzzer_state(moment.match.heard.cue, moment.match.verdict_age_s))


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


LATCH_S: Final = 3.0
"""How long a touch stays lit at least, and how long a refusal blinks. Source: FIE rule book."""

BLINK_S: Final = 0.5  # one blink, on and off
HEARTBEAT_S: Final = 2.0
WINK_S: Final = 0.1  # how long the alive lamp goes dark in every heartbeat
COUNT_S: Final = 0.4  # one wink of an attack lamp
PAUSE_S: Final = 1.2  # before it counts again
TEST_STEP_S: Final = 0.08
LAMP_TEST_S: Final = 2 * len(LAMPS) * TEST_STEP_S


@dataclass(frozen=True, slots=True)
class LampSignals:
    """The facts that lamps tell. ``lamps``: which shine by the state of the game, every name of ``LAMPS``.

    ``touch``: whose point fell last and ``touch_age_s`` ago, None when there was none. ``refused_age_s``: since when
    something has been refused. ``strength``: how many cards the waiting attack has, 0 for none.
    """

    lamps: Mapping[str, bool]
    touch: Side | None = None
    touch_age_s: float = 0.0
    refused_age_s: float = 0.0
    strength: int = 0


def lamp_state(signals: LampSignals, t_s: float) -> dict[str, bool]:
    """Every lamp, on or off, at ``t_s`` on the panel's clock.

    A touch latches until the next round, and three seconds at least. Amber blinks for three seconds and then stays. An
    attack's lamp goes dark once for each of its cards, then stays lit a while. The alive lamp winks: one that stands
    still, lit or dark, belongs to a program that does.
    """
    lamps = {name: signals.lamps[name] for name in LAMPS}
    if signals.touch is not None and signals.touch_age_s < LATCH_S:
        lamps[f"touch_{SIDE_NAMES[signals.touch]}"] = True
    if lamps["refused"] and signals.refused_age_s < LATCH_S:
        lamps["refused"] = signals.refused_age_s % BLINK_S < BLINK_S / 2
    for name in ("attack_left", "attack_right"):
        lamps[name] = lamps[name] and not _counting(signals.strength, t_s)
    lamps["alive"] = lamps["alive"] and t_s % HEARTBEAT_S >= WINK_S
    return lamps


def _counting(strength: int, t_s: float) -> bool:
    """Whether an attack lamp is in the dark half of one of its winks."""
    place_s = t_s % (strength * COUNT_S + PAUSE_S)
    return place_s < strength * COUNT_S and place_s % COUNT_S < COUNT_S / 2


BUZZES: Final[Mapping[Cue, tuple[tuple[float, float], ...]]] = {
    Cue.TOUCH: ((0.0, 1.5),),
    Cue.WIN: ((0.0, 1.5),),
    Cue.REFUSED: ((0.0, 0.12), (0.24, 0.36)),
}
"""When the buzzer sounds, in seconds after the verdict: from, until. The same for both sides."""


def buzzer_state(cue: Cue | None, age_s: float) -> bool:
    """Whether the buzzer sounds ``age_s`` after the verdict with this cue."""
    return cue is not None and any(start_s <= age_s < end_s for start_s, end_s in BUZZES.get(cue, ()))


def lamp_test(t_s: float) -> dict[str, bool] | None:
    """The lamp test ``t_s`` after its start: one lamp after the other, then all for as long; None when it is over."""
    if t_s >= LAMP_TEST_S:
        return None
    step = int(t_s / TEST_STEP_S)
    return {name: step == place or step >= len(LAMPS) for place, name in enumerate(LAMPS)}


class SignalReader:
    """Makes the signals from one view after the other: remembers the last touch, which a view forgets."""

    def __init__(self) -> None:
        self._lit: Side | None = None
        self._touch: Side | None = None
        self._touch_s = 0.0
        self._refused_s: float | None = None

    def read(self, view: ViewModel, t_s: float) -> LampSignals:
        """The signals at ``t_s``, the clock of the views."""
        lit = next((side for side in Side if view.lamps[f"touch_{SIDE_NAMES[side]}"]), None)
        if lit is not None and lit is not self._lit:
            self._touch, self._touch_s = lit, t_s
        self._lit = lit
        if not view.lamps["refused"]:
            self._refused_s = None
        elif self._refused_s is None:
            self._refused_s = t_s
        return LampSignals(
            lamps=view.lamps,
            touch=self._touch,
            touch_age_s=t_s - self._touch_s,
            refused_age_s=t_s - self._refused_s if self._refused_s is not None else 0.0,
            strength=view.piste.attack.count if view.piste.attack is not None else 0,
        )
