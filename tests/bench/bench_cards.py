"""Cards of every size at rest: ``python tests/bench/bench_cards.py --families 25``.

Draws families' decks (44 to 70 mm wide, 63 to 110 mm high, labels up to 4 mm and 4 degrees off, some upside down) and
plays rests with them: single cards, piles, fans, cards half covered, nudged by what is laid on them. Prints how many
codes were called unread although their card was known (aim: none in 1,000 rests), how many cards half hidden nobody
noticed, cards read, and cards agreed on that do not lie there (aim: none), each with its seed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded: as the product has it

import cv2
import numpy as np
from card_table import CLEARED_LOOKS, LOOKS, Counts, family, judge_rest, story
from photo.studio import CardThing
from photo.worlds import begin, card_look

from engine.rules.track import Side
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.look import Look
from vision.printed.table import Table, load_table
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, camera_variant, figure_at

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"


Watch = Callable[[tuple[SceneCard, ...], int], list[Look]]


def one_family(seed: int, rests: int, strength: str, photo: bool, out: Path | None) -> Counts:
    cv2.setNumThreads(1)
    rng = random.Random(seed)
    table, watch, picture = photographed(seed) if photo else simulated(seed, strength)
    deck = family(rng, table.qr_mm)
    counts = Counts()
    before: tuple[SceneCard, ...] = ()
    watch((), LOOKS)
    for number, lying in enumerate(story(rng, table, deck, rests), start=1):
        looks = watch(lying, LOOKS if lying else CLEARED_LOOKS)
        said = len(counts.failures)
        judge_rest(counts, lying, before, looks, table, f"seed {seed} rest {number}")
        if out is not None and len(counts.failures) > said:
            out.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(out / f"seed{seed}-rest{number}.png"), picture())
        before = lying
    return counts


def simulated(seed: int, strength: str) -> tuple[Table, Watch, Callable[[], Picture]]:
    """The table, a way to let the eyes look at cards on it, and the last picture: at the simulated table."""
    table = load_table(TABLE_FILE)
    renderer = Renderer(table, camera_variant(table, seed, 1.0), PRESETS[strength], seed)
    standing = (figure_at(table, Side.WHITE, 3), figure_at(table, Side.BLACK, 20))
    eyes, shown = Eyes(table), [np.zeros((1, 1), np.uint8)]
    index = count()

    def watch(lying: tuple[SceneCard, ...], looks: int) -> list[Look]:
        found = []
        for number in islice(index, looks):
            frame = renderer.render(Scene(lying, *standing), number, number / 8)
            shown[0] = frame.y
            found.append(eyes.look(frame))
        return found

    return table, watch, lambda: shown[0]


def photographed(seed: int) -> tuple[Table, Watch, Callable[[], Picture]]:
    """The same with photograph-like pictures: another renderer, tables of many makes, sleeves, bent cards."""
    session, rng = begin(seed, hard=0.5)
    eyes, studio, index = session.eyes, session.studio, count(session.index)
    assert eyes is not None
    shown = [np.zeros((1, 1), np.uint8)]
    things: dict[SceneCard, CardThing] = {}

    def thing(card: SceneCard) -> CardThing:
        """How it lies here: in a sleeve or bare, flat or bent, whatever lies on it later."""
        look = {"size_mm": tuple(card.make.size), "stuck": tuple(tuple(label) for label in card.make.labels)}
        look |= {key: value for key, value in card_look(rng).items() if key != "cut_quiet"}
        return CardThing(str(card.card), card.x_mm, card.y_mm, card.turn_deg, 0.4 + 0.35 * card.level, look=look)

    def watch(lying: tuple[SceneCard, ...], looks: int) -> list[Look]:
        for card in lying:
            things.setdefault(card, thing(card))
        studio.still([things[card] for card in lying], session.figures)
        found = []
        for number in islice(index, looks):
            image = studio.frame(number, None)
            shown[0] = np.ascontiguousarray(image[..., 0])
            found.append(eyes.look(Frame(number, number / session.fps, shown[0])))
        return found

    return eyes.table, watch, lambda: shown[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", type=int, default=10, help="how many decks (default 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--rests", type=int, default=40, help="rests with each (default 40)")
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical", help="of every disturbance")
    parser.add_argument("--photo", action="store_true", help="photograph-like pictures: sleeves that shine, bent cards")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--out", type=Path, help="where to keep pictures of what went wrong")
    given = parser.parse_args()
    total = Counts()
    with ProcessPoolExecutor(given.jobs) as pool:
        runs = [
            pool.submit(one_family, seed, given.rests, given.strength, given.photo, given.out)
            for seed in range(given.first, given.first + given.families)
        ]
        for run in runs:
            counts = run.result()
            total.add(counts)
            for failure in counts.failures:
                print(failure, flush=True)
    print(f"\n{given.families} decks, {total.rests} rests, {total.steady} of them steady at the end")
    print(f"  false unread            {total.false_unread:6}   aim 0")
    print(f"  wrong cards agreed on   {total.wrong:6}   aim 0")
    print(f"  waiting began anew      {total.restarts:6}   aim 0; order turned round {total.orders}")
    print(f"  cards laid              {total.laid:6}   read {total.read}")
    print(f"  half hidden, unread     {total.hidden:6}   noticed {total.noticed}")
    return 1 if total.wrong or total.false_unread else 0


if __name__ == "__main__":
    sys.exit(main())
