"""Cards of every size at rest: ``python tests/bench/bench_cards.py --families 25``.

Draws families' decks (44 to 70 mm wide, 63 to 110 mm high, labels up to 4 mm and 4 degrees off, some upside down) and
plays rests with them: single cards, piles, fans, cards half covered, nudged by what is laid on them. Prints how many
codes were called unread although their card was known (aim: none in 1,000 rests), how many cards half hidden nobody
noticed, cards read, and cards agreed on that do not lie there (aim: none), each with its seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
from card_table import CLEARED_LOOKS, LOOKS, Counts, family, judge_rest, story

from engine.track import Side
from vision.eyes import Eyes
from vision.synthetic import PRESETS, Renderer, Scene, camera_variant, figure_at
from vision.table import load_table

TABLE_FILE = Path(__file__).parents[2] / "hardware" / "table.toml"


def one_family(seed: int, rests: int, strength: str, out: Path | None) -> Counts:
    cv2.setNumThreads(1)
    rng = random.Random(seed)
    table = load_table(TABLE_FILE)
    deck = family(rng, table.qr_mm)
    renderer = Renderer(table, camera_variant(table, seed, 1.0), PRESETS[strength], seed)
    eyes, counts, index = Eyes(table), Counts(), 0
    before: tuple = ()  # type: ignore[type-arg]
    standing = (figure_at(table, Side.WHITE, 3), figure_at(table, Side.BLACK, 20))
    for number, lying in enumerate(((), *story(rng, table, deck, rests))):
        looks = []
        for _ in range(LOOKS if lying else CLEARED_LOOKS):
            looks.append(eyes.look(renderer.render(Scene(lying, *standing), index, index / 8)))
            index += 1
        if number:
            said = len(counts.failures)
            judge_rest(counts, lying, before, looks, table, f"seed {seed} rest {number}")
            if out is not None and len(counts.failures) > said:
                out.mkdir(parents=True, exist_ok=True)
                picture = renderer.render(Scene(lying, *standing), index, index / 8).y
                cv2.imwrite(str(out / f"seed{seed}-rest{number}.png"), picture)
        before = lying
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", type=int, default=10, help="how many decks (default 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--rests", type=int, default=40, help="rests with each (default 40)")
    parser.add_argument("--strength", choices=sorted(PRESETS), default="typical", help="of every disturbance")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--out", type=Path, help="where to keep pictures of what went wrong")
    given = parser.parse_args()
    total = Counts()
    with ProcessPoolExecutor(given.jobs) as pool:
        runs = [
            pool.submit(one_family, seed, given.rests, given.strength, given.out)
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
