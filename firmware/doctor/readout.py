"""Findings on the lamps, for a panel without keyboard and screen.

One page after the other: as many lamps of the left score as the check's group, as many of the right score as its place
in the group, so 3 and 2 are check 3-2; red for a failure, amber for a warning. All well: green.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from display.lamps import LAMPS
from firmware.doctor.findings import CheckResult, Finding
from firmware.panel.devices import Panel

PAGE_S: Final = 4.0
GAP_S: Final = 0.5  # dark between two pages, so that the same number twice is two
TIMES: Final = 2
_LOOK_S: Final = 0.02


def readout_lamps(findings: Sequence[Finding], t_s: float) -> dict[str, bool] | None:
    """Every lamp, on or off, ``t_s`` after the readout began; None when all was shown ``TIMES`` times."""
    pages = [finding for finding in findings if finding.verdict is not CheckResult.PASS]
    page = int(t_s / PAGE_S)
    if page >= TIMES * max(1, len(pages)):
        return None
    lit = {"alive"}
    if t_s % PAGE_S < PAGE_S - GAP_S:
        lit |= _page(pages[page % len(pages)]) if pages else {"touch_right"}
    return {name: name in lit for name in LAMPS}


def _page(finding: Finding) -> set[str]:
    group, place = (int(digit) for digit in finding.number.split("-"))
    lit = {f"score_left_{number}" for number in range(1, group + 1)}
    lit |= {f"score_right_{number}" for number in range(1, place + 1)}
    return lit | {"touch_left" if finding.verdict is CheckResult.FAIL else "refused"}


def read_out(
    panel: Panel, findings: Sequence[Finding], now_s: Callable[[], float], sleep: Callable[[float], None]
) -> None:
    """Show the findings on the lamps to the end, or until a button is pressed."""
    began_s = now_s()
    panel.buttons.due(began_s)
    while (lamps := readout_lamps(findings, now_s() - began_s)) is not None:
        panel.lights.show(lamps)
        if panel.buttons.due(now_s()):
            break
        sleep(_LOOK_S)
    panel.lights.show(dict.fromkeys(LAMPS, False))
