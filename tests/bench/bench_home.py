"""What opening the menu and its pages of people costs the loop: ``python tests/bench/bench_home.py [--matches 200]``.

Makes a book of random bots' matches in a folder of its own, opens the menu on it and asks for every page that tells of
matches, as the loop does with every picture. Prints the longest time that the loop was held up by each, at the first
opening, of which nothing was kept from before, and at a second; and how long it takes until all is there. Exit status
1 where one was longer than 50 ms: the first opening waits for the disk once, so that means something on an idle machine
only. Run from the project's folder with PYTHONPATH=. (books are filled as in ``bench_scores``).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from bench_scores import PEOPLE, fill

from display.i18n import words
from display.menu.lines import Goto, Of
from engine.rules.track import BySide
from firmware.config import load_config
from firmware.lessons.progress import Progress
from firmware.loop.moment import People
from firmware.loop.tidy import Tidy
from firmware.menu.choices import Choices
from firmware.menu.machine import Household
from firmware.scorebook.book import Scorebook, open_scorebook

PAGES = (Goto.HOME, Goto.PEOPLE, Of(Goto.PERSON, PEOPLE[0]), Of(Goto.NUMBERS, PEOPLE[0]), Goto.HISTORY, Goto.START)
PICTURE_S = 0.05
MOST_MS = 50.0
MOST_S = 60.0


def longest(what: Callable[[], object]) -> float:
    """Milliseconds that this took."""
    began_s = time.perf_counter()
    what()
    return (time.perf_counter() - began_s) * 1000


def tried(book: Scorebook, folder: Path) -> float:
    """The menu opened twice, and every page asked for until it shows all matches; the longest hold-up in ms."""
    worst_ms = 0.0
    machine = Household(
        book, folder / "menu.toml", apply=lambda *_: None, test=lambda: None, lamps=False, sound=lambda: False
    )
    progress = Progress(folder / "progress.json")
    choices = Choices(People(BySide(*PEOPLE[:2]), "en"), machine, load_config(), progress=progress)
    words("en")  # read when the game begins
    Tidy()  # garbage is collected as in a game
    for opening in ("first", "second"):
        began_s, held_ms = time.perf_counter(), {"opening": longest(choices.opened)}
        while True:
            for page in PAGES:
                name = str(page.what if isinstance(page, Of) else page).rpartition(".")[2]
                held_ms[name] = max(held_ms.get(name, 0.0), longest(lambda at=page: choices.context(at)))  # type: ignore[misc]
            if len(choices.context(Goto.HISTORY).history) or time.perf_counter() - began_s > MOST_S:
                break
            time.sleep(PICTURE_S)
        took_s = time.perf_counter() - began_s
        print(f"{opening}: longest hold-up in ms: " + ", ".join(f"{name} {ms:.0f}" for name, ms in held_ms.items()))
        print(f"{'':<{len(opening)}}  all there after {took_s:.2f} s")
        worst_ms = max(worst_ms, *held_ms.values())
    return worst_ms


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--matches", type=int, default=200, help="%(default)s")
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = os.environ["XDG_CONFIG_HOME"] = folder
        with open_scorebook(Path(folder) / "book.sqlite") as book:
            fill(book, matches, Random(1))
            print(f"{matches} matches, load {os.getloadavg()[0]:.1f}")
            worst_ms = tried(book, Path(folder))
    return int(worst_ms > MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
