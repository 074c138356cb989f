"""Reads a survey's pictures against their truth: ``python tests/bench/bench_survey.py DIR``.

DIR is what ``engarde watch --survey DIR`` made. Each arrangement is shown to new eyes for ten looks; what they have
agreed on then is compared with what was asked for. Ends with 1 where anything was read wrongly: a fencer on another
space, a card that does not lie there, a held card taken for laid.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.strict.text import json_of
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.printed.table import Table, load_table

LOOKS, EVERY_S = 10, 0.1


def read(folder: Path, asked: dict[str, Any], table: Table) -> Counter[str]:
    """How many fencers and cards of this arrangement were read right, missed, or wrong."""
    pictures: list[Picture] = []
    for note in asked["pictures"]:
        picture = cv2.imread(str(folder / note["file"]), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            sys.exit(f"{folder / note['file']} is no picture")
        pictures.append(np.asarray(picture, np.uint8))
    eyes = Eyes(table)
    for index in range(LOOKS):
        look = eyes.look(Frame(index, index * EVERY_S, pictures[index % len(pictures)]))
    counts: Counter[str] = Counter()
    for side, reading in (("white", look.table.figures.white), ("black", look.table.figures.black)):
        right = "right" if reading.space == asked[side] else "missed" if reading.space is None else "wrong"
        counts[f"fencer {right}"] += 1
    laid, found = set(asked["cards"]), {str(reading.card) for reading in look.table.cards}
    counts["card right"] += len(laid & found)
    counts["card missed"] += len(laid - found)
    counts["held laid"] += len(found & set(asked["held"]))
    counts["card wrong"] += len(found - laid - set(asked["covered"]) - set(asked["held"]))
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    folder = parser.parse_args().folder
    told = json_of((folder / "survey.json").read_bytes())
    table = load_table(folder / told["table"])
    whole: dict[str, Counter[str]] = {}
    for asked in told["arrangements"]:
        whole.setdefault(asked["laid"], Counter()).update(read(folder, asked, table))
    columns = ("fencer right", "fencer missed", "fencer wrong", "card right", "card missed", "card wrong", "held laid")
    print("laid".ljust(14), *columns, sep="  ")
    for laid, counts in [*whole.items(), ("all", sum(whole.values(), Counter()))]:
        print(laid.ljust(14), *(str(counts[column]).rjust(len(column)) for column in columns), sep="  ")
    return int(
        any(counts[wrong] for counts in whole.values() for wrong in columns if wrong.split()[1] in ("wrong", "laid"))
    )


if __name__ == "__main__":
    sys.exit(main())
