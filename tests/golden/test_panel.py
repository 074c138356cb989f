"""A whole match as the panel shows it, read back from its pins: every lamp and the buzzer, ten times a second, as text.

``python tests/golden/test_panel.py`` writes ``panel.lamps`` anew. Each block is one event and what follows it: the
lamps that stand still, then a strip for each that does not (``#`` lit, ``.`` dark).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest
from gpiozero.pins.mock import MockFactory

from display.lamps import LAMPS
from display.view import Situation, TableSituation
from display.words.present import present
from engine.record.corrections import Setting
from engine.record.notation import parse_record, replay
from engine.rules.events import Event, TurnEvent, event_to_json
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.observation import FigureReading, Sight, TableObservation, Why
from firmware.table.loop.moment import Moment
from firmware.table.panel.gpio import lights_on, sounder_on
from firmware.table.panel.header import Header
from firmware.table.panel.patterns import LAMP_TEST_S, TEST_STEP_S, PanelAudience
from firmware.table.panel.pins import WIRES, check_pins

PINS: Final = check_pins(WIRES)
HERE: Final = Path(__file__).parent
RECORD: Final = HERE / "ferti-advanced.record"
HELD: Final = HERE / "panel.lamps"
TICK_S: Final = 0.1
OFF_EDGE: Final = 0.3  # of a tick: no pattern changes there, where rounding would decide
EVENT_S: Final = 3.4
REFUSED_EVERY: Final = 9
BLIND_AT: Final = 5


@dataclass
class PinReader:
    """What shines, from the pins alone: an own pin's level, and what the registers had when their latch rose."""

    factory: Any
    _row: list[int] = field(default_factory=lambda: [0] * len(PINS.register_lamps))
    _latched: list[int] = field(default_factory=lambda: [0] * len(PINS.register_lamps))

    def __post_init__(self) -> None:
        self._on_rise(PINS.register_clock, self._shift)
        self._on_rise(PINS.register_latch, self._latch)

    def lit(self) -> dict[str, bool]:
        enabled = self._level(PINS.register_enable) == 0
        shines = {name: self._level(pin) == 1 for name, pin in PINS.lamps.items()}
        on_registers = zip(PINS.register_lamps, self._latched, strict=True)
        shines |= {name: enabled and level == 1 for name, level in on_registers if name}
        return {**{name: shines[name] for name in LAMPS}, "buzzer": self._level(PINS.buzzer) == 1}

    def _level(self, pin: int) -> int:
        return int(self.factory.pin(pin).state)

    def _shift(self) -> None:
        self._row = [self._level(PINS.register_data), *self._row[:-1]]

    def _latch(self) -> None:
        self._latched = list(self._row)

    def _on_rise(self, number: int, rising: Any) -> None:
        pin = self.factory.pin(number)
        change = pin._change_state

        def changed(value: Any) -> bool:
            before = int(pin.state)
            done = bool(change(value))
            if not before and int(pin.state):
                rising()
            return done

        pin._change_state = changed


def _events() -> Iterator[tuple[Event, bool]]:
    """The match's events, some with a refused one before them; and whether the camera goes blind after it."""
    record = parse_record(RECORD.read_text(encoding="utf-8"))
    for number, (event, _, _) in enumerate(replay(record)):
        if isinstance(event, TurnEvent) and number % REFUSED_EVERY == 0:
            yield TurnEvent(event.cards, event.spaces.black, event.spaces.white), False
        assert not isinstance(event, Setting)
        yield event, number == BLIND_AT


def _blind(t_s: float, state: PublicState) -> TableObservation:
    figures = state.spaces.map(lambda space: FigureReading(space))
    return TableObservation(t_s, 0.0, figures, (), Sight.BLIND, Why.DARK)


def shown() -> str:
    """The whole match: the lamp test, then a block for each event, and what is left when the panel is closed."""
    factory = MockFactory()
    reader = PinReader(factory)
    lights, sounder = lights_on(PINS, Header(lambda: factory)), sounder_on(PINS, Header(lambda: factory))
    audience = PanelAudience(lights, sounder)
    state: PublicState | None = None
    blocks, t_s = [], 0.0
    situation = Situation(None)

    def attend(now_s: float) -> None:
        view = present(_aged(situation, now_s - t_s))
        audience.attend(cast(Moment, SimpleNamespace(frame=SimpleNamespace(t_s=now_s), match=view)))

    def watch(title: str, for_s: float, tick_s: float = TICK_S) -> None:
        nonlocal t_s
        attend(t_s)
        looks = []
        for tick in range(round(for_s / tick_s)):
            attend(t_s + (tick + OFF_EDGE) * tick_s)
            looks.append(reader.lit())
        t_s += for_s
        blocks.append(_block(title, looks))

    watch("lamp test", LAMP_TEST_S, TEST_STEP_S)
    for verdicts, (event, blind) in enumerate(_events(), 1):
        state, ruling = judge(state, event)
        situation = Situation(state, ruling, verdicts=verdicts, names=BySide("Anna", "Ben"))
        watch(
            _title(event) if ruling.ok else f"{_title(event)}: refused, {ruling.code.value if ruling.code else ''}",
            EVENT_S,
        )
        if blind and state is not None:
            situation = Situation(
                state, ruling, EVENT_S, verdicts, table=TableSituation(observation=_blind(t_s, state))
            )
            watch("the camera sees nothing", EVENT_S)
    lights.close()
    sounder.close()
    blocks.append(_block("closed", [reader.lit()]))
    return "\n".join(blocks)


def _aged(situation: Situation, age_s: float) -> Situation:
    return Situation(
        situation.state,
        situation.ruling,
        situation.verdict_age_s + age_s,
        situation.verdicts,
        table=TableSituation(observation=situation.table.observation),
        names=situation.names,
    )


def _title(event: Event) -> str:
    obj = event_to_json(event)
    name = obj.pop("event")
    values = (",".join(value) if isinstance(value, list) else str(value) for value in obj.values())
    return " ".join([str(name), *filter(None, values)])


def _block(title: str, looks: list[dict[str, bool]]) -> str:
    names = (*LAMPS, "buzzer")
    still = [name for name in names if all(look[name] for look in looks)]
    moving = [name for name in names if 0 < sum(look[name] for look in looks) < len(looks)]
    strips = [f"  {name:<14}{''.join('#' if look[name] else '.' for look in looks)}\n" for name in moving]
    return f"{title}\n  lit: {' '.join(still) or 'nothing'}\n{''.join(strips)}"


@pytest.mark.slow
def test_the_panel_shows_the_match_as_it_is_written_here() -> None:
    assert shown() == HELD.read_text(encoding="utf-8")


def test_the_match_makes_all_of_it_shine_but_one_lamp() -> None:
    test, match = HELD.read_text(encoding="utf-8").split("\n\n", 1)
    names = (*LAMPS, "buzzer")
    assert [name for name in LAMPS if f"  {name} " not in test] == []
    assert [name for name in names if f" {name} " not in match and f" {name}\n" not in match] == ["score_left_5"]
    assert match.endswith("closed\n  lit: nothing\n")


if __name__ == "__main__":
    HELD.write_text(shown(), encoding="utf-8")
