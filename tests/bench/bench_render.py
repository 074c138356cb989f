"""What a simulated frame costs, in thread CPU milliseconds: ``python tests/bench/bench_render.py``."""

from __future__ import annotations

import time
from pathlib import Path

import cv2

from engine.rules.cards import DECK
from engine.rules.track import Side
from vision.printed.table import Table, load_table
from vision.synthetic.disturbances import PRESETS
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Scene, SceneCard, SceneHand, figure_at

TABLE = Path(__file__).parents[2] / "hardware" / "table.toml"
STILL_FRAMES = 20
MOVING_FRAMES = 30


def scene_at(table: Table, step: int | None) -> Scene:
    """A table with fourteen cards; with a step, a hand carries the fifteenth in."""
    cards = tuple(
        SceneCard(card, 110.0 + 70.0 * (number % 7), -110.0 - 95.0 * (number // 7), 9.0 * number % 40 - 20)
        for number, card in enumerate(DECK[:14])
    )
    hands: tuple[SceneHand, ...] = ()
    if step is not None:
        x_mm, y_mm = 380.0 - 2.0 * step, -230.0 + 4.0 * step
        held = SceneCard(DECK[20], x_mm, y_mm + 30.0, 4.0, level=1, lifted_mm=20.0)
        hands = (SceneHand(Side.BLACK, x_mm, y_mm, -70.0, holds=held, velocity_mm_s=(-60.0, 120.0)),)
    return Scene(cards, figure_at(table, Side.WHITE, 8), figure_at(table, Side.BLACK, 15), hands)


def main() -> None:
    cv2.setNumThreads(1)
    table = load_table(TABLE)
    costs: dict[str, tuple[float, float, float]] = {}
    for name, disturbances in PRESETS.items():
        renderer = Renderer(table, None, disturbances, seed=1)
        first_ms = measure(renderer, table, [None])
        still_ms = measure(renderer, table, [None] * STILL_FRAMES)
        moving_ms = measure(renderer, table, list(range(MOVING_FRAMES)))
        costs[name] = (first_ms, still_ms, moving_ms)
    print(f"{'preset':10}{'first':>9}{'still':>9}{'moving':>9}   ms a frame of thread CPU time")
    for name, (first_ms, still_ms, moving_ms) in costs.items():
        print(f"{name:10}{first_ms:9.1f}{still_ms:9.1f}{moving_ms:9.1f}")
    base = costs["none"]
    for name, cost in costs.items():
        print(f"{name} against none: still {cost[1] / base[1]:.1f}, moving {cost[2] / base[2]:.1f} times")


def measure(renderer: Renderer, table: Table, steps: list[int | None]) -> float:
    start_s = time.thread_time()
    for index, step in enumerate(steps):
        renderer.render(scene_at(table, step), index, index / 10)
    return (time.thread_time() - start_s) * 1000 / len(steps)


if __name__ == "__main__":
    main()
