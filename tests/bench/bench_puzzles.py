"""Which puzzles are answered by counting the cards that were played, by the exact solver; and whether each says so.

``python tests/bench/bench_puzzles.py``: some minutes. Exit status 1 where a puzzle says otherwise.
"""

from __future__ import annotations

import sys
import time

from puzzle_counting import depends_on_pile, piles

from engine.puzzles.collection import PUZZLES


def main() -> int:
    """Ask the solver about every puzzle, with every pile there could be."""
    wrong, began_s = [], time.perf_counter()
    for puzzle in PUZZLES:
        if puzzle.aim is not None:
            continue  # a hidden hand is always counted out
        depends = depends_on_pile(puzzle)
        if depends:
            print(f"{puzzle.id}: {puzzle.theme.value}, {len(puzzle.unseen)} in the pile, {len([*piles(puzzle)])} piles")
        if depends is not puzzle.counts:
            wrong.append(puzzle.id)
    depending = sum(puzzle.counts for puzzle in PUZZLES)
    print(f"{depending} of {len(PUZZLES)} are answered by counting; {time.perf_counter() - began_s:.1f} s")
    if wrong:
        print(f"These say otherwise: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
