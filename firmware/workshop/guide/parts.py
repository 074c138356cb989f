"""What is bought for the machine and the mast, whatever lamps and buttons there are: line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NEEDED: Final = "yes"


@dataclass(frozen=True, slots=True)
class BillLine:
    """One line. ``needed``: ``yes``, or the block it belongs to, which may be left out as a whole."""

    part: str
    quantity: int
    value: str
    what_for: str
    price_each_eur: float
    needed: str
    alternative: str = ""
    maker_number: str = ""
    listed: str = ""
    """A price found in print: how much, whose, of when."""


CORE: Final = (
    BillLine(
        "Raspberry Pi",
        1,
        "4 with 2 GB",
        "the machine",
        70.0,
        NEEDED,
        "any Pi 4; a Pi 5 right below the arm, see camera cable; a laptop with a USB camera, without panel",
        "Raspberry Pi 4 Model B, 2 GB",
        listed="Pi 4 with 2 GB $67.50, Pi 5 with 2 GB $77.50, with 4 GB $110.00 (pishop.us, 2026-10-09)",
    ),
    BillLine(
        "power supply",
        1,
        "5.1 V 3 A USB-C",
        "the Pi and the panel",
        10.0,
        NEEDED,
        "any of that voltage and current with a cable of its own; for a Pi 5 one of 5 A",
        "KSA-15E-051300HE (15 W, plug for the EU)",
    ),
    BillLine(
        "cooling",
        1,
        "heat sink for a Pi 4",
        "full speed all evening",
        6.0,
        NEEDED,
        "any of aluminium, 14 mm square; a case with a fan; for a Pi 5 its Active Cooler",
        listed="a heat sink without a fan $5.95 (pishop.us, 2026-10-09)",
    ),
    BillLine(
        "microSD card",
        1,
        "32 GB, class A1",
        "system and scorebook",
        14.0,
        NEEDED,
        "any of that class",
        "SDSQUA4-032G-GN6MA",
        "a Sandisk Ultra $14.95 (pishop.us, 2026-10-09)",
    ),
    BillLine(
        "Camera Module 3",
        1,
        "66 degrees",
        "sees the table",
        28.0,
        NEEDED,
        "see camera.md",
        "SC0872",
        "$25, Wide $35 (elektroniknet.de, 2023-01-16)",
    ),
    BillLine(
        "camera cable",
        1,
        "1 m, 15 to 15 way",
        "camera to Pi",
        7.0,
        NEEDED,
        "any with these plugs; a Pi 5 needs 15 to 22 way: none of 1 m found, 50 cm with longer cables from there",
        "2143 (of Adafruit)",
    ),
    BillLine(
        "matte paper or label sheets",
        10,
        "A4, 120 to 160 g",
        "the print sheets",
        0.3,
        NEEDED,
        "any matte paper, never glossy",
    ),
    BillLine(
        "card sleeves",
        25,
        "clear, matte, size of your cards",
        "hold the labels on the cards",
        0.1,
        NEEDED,
        "any without a pattern on the front",
    ),
    BillLine(
        "removable putty",
        1,
        "a strip",
        "holds the fencers' tabs and the markers",
        2.0,
        NEEDED,
        "any; double-sided tape",
    ),
    BillLine(
        "screen",
        1,
        "HDMI, 800 x 480 or more",
        "shows every verdict",
        60.0,
        "screen",
        "any of that size; a television; a DSI screen, which needs no cable; lamps alone",
        "14628 (of Waveshare, 7 inch, 1024 x 600)",
    ),
    BillLine(
        "HDMI cable",
        1,
        "micro-HDMI to the screen's socket, 1 m; see layout.md",
        "Pi to screen",
        7.0,
        "screen",
        "any with these plugs; an adapter and a cable",
        "SC0270 (1 m)",
    ),
    BillLine(
        "loudspeaker",
        1,
        "USB (a Pi 5 has no jack)",
        "tones and speech",
        12.0,
        "sound",
        "any with USB; the screen's own; on a Pi 4 one with a jack",
        "3369 (of Adafruit)",
    ),
)

MAST: Final = (
    BillLine(
        "aluminium tube",
        1,
        "16 mm outside, 1000 mm",
        "mast: upright",
        8.0,
        "mast",
        "any tube of 16 mm; a broomstick planed to it",
    ),
    BillLine("aluminium tube", 1, "16 mm outside, 500 mm", "mast: arm", 5.0, "mast", "any tube of 16 mm"),
    BillLine(
        "thumb screw with nut",
        1,
        "M6 x 60",
        "mast: clamps the table",
        1.0,
        "mast",
        "any of that thread and length",
        "DIN 316 M6 x 60, ISO 4032 M6",
    ),
    BillLine(
        "coin or felt pad", 1, "about 20 mm wide", "between thumb screw and table", 0.1, "mast", "any; a scrap of wood"
    ),
    BillLine(
        "bolt with nut",
        10,
        "M4 x 16",
        "mast: clamps the tubes",
        0.2,
        "mast",
        "any of that thread, 14 to 20 mm",
        "ISO 4762 M4 x 16, ISO 4032 M4",
    ),
    BillLine(
        "bolt with wing nut",
        1,
        "M4 x 30",
        "mast: tilt of the camera",
        0.5,
        "mast",
        "any of that thread; a plain nut and a spanner",
        "ISO 4762 M4 x 30, DIN 315 M4",
    ),
    BillLine(
        "screw with nut",
        4,
        "M2 x 12 (HQ and Global Shutter: M2.5 x 12)",
        "camera to cradle",
        0.1,
        "mast",
        "any of that thread",
        "ISO 4762 M2 x 12, ISO 4032 M2",
    ),
    BillLine(
        "screw with nut",
        4,
        "M2.5 x 16",
        "the Pi to its holder",
        0.1,
        "mast",
        "any of that thread",
        "ISO 4762 M2.5 x 16, ISO 4032 M2.5",
    ),
    BillLine(
        "cable tie",
        20,
        "2.5 x 100 mm",
        "strain relief at Pi, mast and panel",
        0.03,
        "mast",
        "any; string",
        "T18R (of HellermannTyton)",
    ),
)
