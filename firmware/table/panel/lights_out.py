"""``python -m firmware.table.panel.lights_out``: every lamp off, the buzzer silent. For the service, after a kill.

A program that ends by itself does this; one that is killed cannot, and newer kernels leave its pins as they were.
"""

from __future__ import annotations

from firmware.core.clock import SystemClock
from firmware.core.config import load_config
from firmware.table.panel.devices import open_panel


def main() -> None:
    """Take the panel, and let go of it. Where there is none nothing happens."""
    open_panel(load_config().panel, SystemClock().now_s).close()


if __name__ == "__main__":
    main()
