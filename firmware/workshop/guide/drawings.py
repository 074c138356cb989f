"""Every drawing of the guide by its file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from firmware.workshop.guide.draw_buttons import buttons_sheet
from firmware.workshop.guide.draw_header import header_sheet
from firmware.workshop.guide.draw_lamps import lamps_sheet
from firmware.workshop.guide.draw_overview import overview_sheet
from firmware.workshop.guide.draw_panel import panel_sheet
from firmware.workshop.guide.draw_registers import registers_sheet
from firmware.workshop.guide.svg import Sheet

DRAWINGS: Final[Mapping[str, Callable[..., Sheet]]] = MappingProxyType(
    {
        "overview.svg": overview_sheet,
        "header.svg": header_sheet,
        "lamps.svg": lamps_sheet,
        "registers.svg": registers_sheet,
        "buttons.svg": buttons_sheet,
        "panel.svg": panel_sheet,
    }
)
