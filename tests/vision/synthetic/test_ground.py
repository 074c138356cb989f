"""The ground of the simulated table: painted once, whoever asks for it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tests.tables import TABLE
from vision.synthetic.background import ground


def test_two_that_ask_at_once_get_one_ground() -> None:
    table = replace(TABLE, qr_mm=TABLE.qr_mm + 0.01)  # that nobody asked for before
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(ground, (table, table))
    assert first is second
