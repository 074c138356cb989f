"""The ground of the simulated table: grown from noise, painted once, whoever asks for it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from tests.tables import TABLE
from vision.synthetic.background import ground
from vision.synthetic.paint import clouds


def test_two_that_ask_at_once_get_one_ground() -> None:
    table = replace(TABLE, qr_mm=TABLE.qr_mm + 0.01)  # that nobody asked for before
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(ground, (table, table))
    assert first is second


def test_clouds_have_mean_0_and_deviation_1_and_their_octaves_get_weaker() -> None:
    alone, both = (clouds((120, 200), cells, seed=1) for cells in ([(3, 4)], [(3, 4), (30, 40)]))
    assert abs(float(both.mean())) < 1e-5
    assert abs(float(both.std()) - 1.0) < 1e-5
    assert 0.75 < float(np.corrcoef(alone.ravel(), both.ravel())[0, 1]) < 0.95
