"""Whether the registers' lines may come over a long lead: edges, ringing and crosstalk behind resistor and capacitor.

The Pi's edges are a few nanoseconds long. On a lead that is longer than such an edge they ring, and they appear on the
wire beside them. A resistor and a capacitor before the first register let neither through, and still give edges
steeper than the chip asks for. Sources: data sheets of the 74HC595 (inputs, transition rate, pulse width), here with
the chip's worst figures at 2 or at 4.5 V, whichever is worse for 3.3 V; 5 ns a metre is what cables take.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from firmware.panel.pins import LINE_OHM, LINE_PF, LOGIC_V, WIRES, Wire
from firmware.workshop.guide.chips import register_count

LONGEST_LEAD_M: Final = 2.5
INPUT_PF: Final = 10.0  # of one chip, at most
SLOPE_NS_PER_V: Final = 139.0  # the slowest that a 74HC595 takes at 4.5 V; 625 at 2 V
PULSE_NS: Final = 120.0  # the shortest clock it takes at 2 V
QUIET_V: Final = 0.3 * LOGIC_V  # below this it takes for low
HIGH: Final = 0.7  # of the supply: above this it takes for high
_NS_PER_M: Final = 5.0
_COUPLED: Final = 0.5  # of a neighbour's step, when a wire is as near to it as to ground


@dataclass(frozen=True, slots=True)
class Lead:
    """What arrives at the first register over a lead of this length.

    ``slope_ns_per_v`` is how slowly an edge passes the middle. ``ringing_v`` and ``crosstalk_v`` are at most what the
    chip sees of an echo and of its neighbour's edge, ``bare_v`` what it would see of either without the two parts.
    ``least_pulse_ns`` is how long the Pi has to hold a level so that the chip gets its shortest clock.
    """

    length_m: float
    slope_ns_per_v: float
    ringing_v: float
    crosstalk_v: float
    bare_v: float
    least_pulse_ns: float


def lead(length_m: float, wires: tuple[Wire, ...] = WIRES) -> Lead:
    """Computed from the pin table's resistor, capacitor and number of registers."""
    tau_ns = LINE_OHM * (LINE_PF + register_count(wires) * INPUT_PF) / 1000
    way_ns = length_m * _NS_PER_M
    # An open end sends the edge back, and it returns turned over after four ways: that is the ringing's period.
    through = 1 / math.hypot(1, 2 * math.pi * tau_ns / (4 * way_ns))
    # A neighbour's edge is seen for as long as it takes there and back.
    seen = 1 - math.exp(-2 * way_ns / tau_ns)
    return Lead(
        length_m=length_m,
        slope_ns_per_v=2 * tau_ns / LOGIC_V,
        ringing_v=LOGIC_V * through,
        crosstalk_v=LOGIC_V * _COUPLED * seen,
        bare_v=LOGIC_V * _COUPLED,
        least_pulse_ns=PULSE_NS - tau_ns * math.log(1 - HIGH),
    )
