"""Lamps over time: whole lists of when each is lit."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.lamps import LAMPS
from display.view import Cue, Situation
from display.words.present import present
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import Side
from firmware.table.loop.moment import Moment
from firmware.table.panel.devices import Sounder
from firmware.table.panel.patterns import (
    LAMP_TEST_S,
    LATCH_S,
    TEST_STEP_S,
    LampSignals,
    PanelAudience,
    SignalReader,
    buzzer_state,
    lamp_state,
    lamp_test,
)
from tests.firmware.conftest import LampRecord

DARK = dict.fromkeys(LAMPS, False)


def _lit(signals: LampSignals, lamp: str, *, until_s: float, every_s: float = 0.05) -> str:
    """The lamp as a strip: one sign for each ``every_s``, ``#`` lit and ``.`` dark."""
    count = round(until_s / every_s)
    # Between the edges, where rounding cannot decide.
    return "".join("#" if lamp_state(signals, (place + 0.5) * every_s)[lamp] else "." for place in range(count))


def test_what_the_state_lights_stays_lit() -> None:
    on = {**DARK, "touch_left": True, "distance_3": True, "score_right_2": True, "turn_left": True}
    assert lamp_state(LampSignals(on), 12.34) == on


def test_the_alive_lamp_winks() -> None:
    signals = LampSignals({**DARK, "alive": True})
    assert _lit(signals, "alive", until_s=4.2) == "..######################################" * 2 + "..##"


@pytest.mark.parametrize(
    ("strength", "strip"), [(1, "..##" + "#" * 12), (2, "..##..##" + "#" * 12), (5, "..##..##..##..##..##" + "#" * 12)]
)
def test_an_attacks_lamp_counts_its_cards(strength: int, strip: str) -> None:
    signals = LampSignals({**DARK, "attack_left": True}, strength=strength)
    assert _lit(signals, "attack_left", until_s=len(strip) * 0.2, every_s=0.1) == strip * 2
    assert "#" not in _lit(signals, "attack_right", until_s=8.0)


def test_amber_blinks_and_then_stays() -> None:
    on = {**DARK, "refused": True}
    strip = "".join(
        "#" if lamp_state(LampSignals(on, refused_age_s=place / 8 + 0.01), 0.0)["refused"] else "."
        for place in range(28)
    )
    assert strip == "##.." * 6 + "####"


def test_a_touch_latches_for_three_seconds_though_the_next_round_has_begun() -> None:
    signals = LampSignals(DARK, touch=Side.BLACK)
    lit = [lamp_state(replace(signals, touch_age_s=age_s), 0.0)["touch_right"] for age_s in (0.0, 2.9, LATCH_S, 5.0)]
    assert lit == [True, True, False, False]
    assert not lamp_state(signals, 0.0)["touch_left"]


@given(st.sets(st.sampled_from(sorted(LAMPS))), st.floats(0, 1e6), st.floats(0, 1e6), st.integers(0, 5))
def test_no_pattern_lights_a_lamp_the_state_leaves_dark(lit: set[str], t_s: float, age_s: float, strength: int) -> None:
    lamps = {name: name in lit for name in LAMPS}
    shown = lamp_state(LampSignals(lamps, None, 0.0, age_s, strength), t_s)
    assert tuple(shown) == tuple(LAMPS)
    assert {name for name, on in shown.items() if on} <= lit


def test_the_buzzer() -> None:
    def strip(cue: Cue | None) -> str:
        return "".join("#" if buzzer_state(cue, (place + 0.5) * 0.12) else "." for place in range(15))

    assert strip(Cue.TOUCH) == strip(Cue.WIN) == "############..."
    assert strip(Cue.REFUSED) == "#.#............"
    assert strip(Cue.MOVE) == strip(None) == "..............."


def test_the_lamp_test_lights_each_alone_in_order_and_then_all() -> None:
    steps = [lamp_test((step + 0.5) * TEST_STEP_S) for step in range(2 * len(LAMPS) + 1)]
    assert steps[: len(LAMPS)] == [{**DARK, name: True} for name in LAMPS]
    assert steps[len(LAMPS) : -1] == [dict.fromkeys(LAMPS, True)] * len(LAMPS)
    assert steps[-1] is None


def _after(*events: Event) -> tuple[PublicState | None, Ruling]:
    state, ruling = judge(None, events[0])
    for event in events[1:]:
        state, ruling = judge(state, event)
        assert ruling.ok
    return state, ruling


def test_signals_remember_a_touch_and_when_amber_began() -> None:
    opening = (MatchEvent("ferti-classic"), RoundEvent())
    fight, fight_ruling = _after(*opening)
    hit, hit_ruling = _after(*opening, YieldEvent())
    again, again_ruling = _after(*opening, YieldEvent(), RoundEvent())
    reader = SignalReader()
    before = reader.read(present(Situation(fight, fight_ruling)), 10.0)
    assert (before.touch, before.strength) == (None, 0)
    at_hit = reader.read(present(Situation(hit, hit_ruling, verdict_age_s=0.0)), 20.0)
    later = reader.read(present(Situation(hit, hit_ruling, verdict_age_s=1.0)), 21.0)
    next_round = reader.read(present(Situation(again, again_ruling)), 22.0)
    assert [(each.touch, each.touch_age_s) for each in (at_hit, later, next_round)] == [
        (Side.BLACK, 0.0),
        (Side.BLACK, 1.0),
        (Side.BLACK, 2.0),
    ]
    assert lamp_state(next_round, 22.0)["touch_right"]
    wrong, refused = judge(again, TurnEvent((CARD_BY_NAME["3b"],), 3, 23))
    ages = [reader.read(present(Situation(wrong, refused)), t_s).refused_age_s for t_s in (30.0, 31.5)]
    assert ages == [0.0, 1.5]
    assert reader.read(present(Situation(again, again_ruling)), 32.0).refused_age_s == 0.0


def _shown_from(first_s: float) -> list[str]:
    record = LampRecord()
    audience = PanelAudience(record, Sounder())
    for step in range(round(LAMP_TEST_S / TEST_STEP_S)):
        t_s = first_s + (step + 0.5) * TEST_STEP_S if step else first_s
        frame = SimpleNamespace(t_s=t_s)
        audience.attend(cast(Moment, SimpleNamespace(frame=frame, match=present(Situation(None)))))
    return record.shown


@pytest.mark.parametrize("first_s", [0.0, 2.5, 40.0])
def test_the_lamp_test_begins_with_the_first_picture_however_late_it_comes(first_s: float) -> None:
    assert _shown_from(first_s) == [*LAMPS, " ".join(LAMPS)]
