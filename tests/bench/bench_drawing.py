"""``bench_drawing.py``: what the table's pictures cost, against another checkout of the project, in one run.

``PYTHONPATH=. python tests/bench/bench_drawing.py --before DIR``: ``DIR`` is a checkout of another commit with its own
``.venv``. Both draw the same match of two bots (picture by picture, 30 a second while something moves) and each
situation of the showcase that both have once, in turns, ``--times`` times; told are processor seconds, the least of
each, and their ratio. Only the ratio is to be quoted: it holds on a machine that is busy with other things, too.
Exit status 1 where the ratio of the whole is over ``--most``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

SIZE: Final = (1280, 720)
PICTURE_S: Final = 1 / 30
ROUNDS: Final = 4
STILL_S: Final = 1.0
"""A picture is drawn until so long after a turn, or after a round until its victory is celebrated."""
JOY_S: Final = 3.5
SITUATION: Final = "situation "
ARM_STEPS: Final = 12
"""So many pictures a hand takes to a card at the simulated table, and a card that is dragged as many."""


def _first_of(*names: str) -> Any:
    """The first of these modules that there is: where it is now, and where it was."""
    for name in names[:-1]:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return importlib.import_module(names[-1])


def draw() -> dict[str, float]:
    """Draws everything once with the checkout whose modules are found; processor seconds of each part."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame

    from display.tabletop.hands import Hands
    from display.tabletop.model import Arm, Fan, LyingCard, TopView
    from display.window import Window
    from display.words.present import present
    from engine.players.players import GreedyBot, choice_event
    from engine.players.simulation import new_match, play, reveal, start_round
    from engine.rules.cards import DECK
    from engine.rules.state import Phase, PlayerView
    from engine.rules.track import Side

    pictures = _first_of("firmware.extras.hands.pictures", "firmware.hands.pictures")
    setup = _first_of("firmware.table.camera.setup", "firmware.camera.setup")
    showcase = _first_of("tests.display.showcase", "display.workshop.showcase")
    views = {name: present(situation) for name, situation in showcase.situations().items()}
    random = Random(3)
    moments: list[Any] = []
    public = new_match("ferti-advanced", 5)
    for _ in range(ROUNDS):
        full = start_round(public, random)
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            if full.public.phase is Phase.REVEAL:
                event: Any = reveal(full)
            else:
                side = full.public.to_act
                assert side is not None
                seen = PlayerView(full.public, side, full.hands[side])
                event = choice_event(full.public, GreedyBot().choose(seen, random))
            full, ruling = play(full, event)
            shown = showcase._situation((full.public, ruling))
            moments.append(present(replace(shown, verdicts=len(moments) + 1)))
        public = full.public

    pygame.display.set_mode(SIZE)
    spent: dict[str, float] = {}
    window = Window(pygame.Surface(SIZE, 0, 32))
    now_s, began_s = 0.0, time.process_time()
    for view in moments:
        for _ in range(round((STILL_S if view.ending is None else JOY_S) / PICTURE_S)):
            window.show(view, None, now_s)
            now_s += PICTURE_S
    spent["match"] = time.process_time() - began_s
    window.hands = Hands(pictures.table_pictures(setup.table_of(setup.TABLE_FILE)), lambda deed: None)
    began_s = time.process_time()
    for number, view in enumerate(moments):
        lying = tuple(LyingCard(card, 120.0 + 70 * place, -150.0, 0.0) for place, card in enumerate(DECK[: number % 7]))
        fans = (Fan(Side.WHITE, DECK[10:15]), Fan(Side.BLACK, DECK[15:20], hidden=True))
        figures = getattr(view, "piste", view).fencers.map(lambda fencer: (28.0 * (fencer.space - 1), 0.0))
        for step in range(ARM_STEPS):
            arms = (Arm(Side.BLACK, 100.0 + 20 * step, -40.0 - 9 * step),) if step else ()
            window.hands.view = TopView(cards=lying, fans=fans, figures=figures, pile=15, arms=arms)
            window.show(view, None, now_s)
            now_s += PICTURE_S
    spent["table"] = time.process_time() - began_s
    window.hands = None
    screen = pygame.Surface(SIZE, 0, 32)
    for name, view in views.items():
        began_s = time.process_time()
        Window(screen).show(view, None, 0.0)
        spent[SITUATION + name] = time.process_time() - began_s
    return spent


def drawn_by(folder: Path) -> dict[str, float]:
    """What it costs in this checkout, in a process of its own."""
    python = folder / ".venv" / "bin" / "python"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    told = subprocess.run(
        [python, Path(__file__).resolve(), "--draw"], cwd=folder, env=environment, stdout=subprocess.PIPE, check=True
    )
    return dict(json.loads(told.stdout.splitlines()[-1]))


def ratio(now: Mapping[str, float], before: Mapping[str, float]) -> float:
    """How many times as much everything costs."""
    return sum(now.values()) / sum(before.values())


def summed(spent: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The situations that the other checkout has, too, as one part."""
    parts = {part: spent_s for part, spent_s in spent.items() if not part.startswith(SITUATION)}
    both = spent.keys() & other.keys() - parts.keys()
    return {**parts, "situations": sum(spent[each] for each in both)}


def run(before: Path, times: int) -> float:
    """Draws by turns and tells; the ratio of the whole."""
    least: list[dict[str, float]] = [{}, {}]
    for _ in range(times):
        for kept, folder in zip(least, (Path.cwd(), before), strict=True):
            for part, spent_s in drawn_by(folder).items():
                kept[part] = min(spent_s, kept.get(part, spent_s))
    now, then = map(summed, least, reversed(least))
    for part in now:
        print(f"{part}: {now[part]:.2f} s now, {then[part]:.2f} s before, {now[part] / then[part]:.2f} times")
    print(f"all: {ratio(now, then):.2f} times")
    return ratio(now, then)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--before", type=Path, help="a checkout of another commit, with its own .venv")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--most", type=float, default=1.0)
    parser.add_argument("--draw", action="store_true", help="only draw, and tell the seconds as JSON")
    given = parser.parse_args()
    if given.draw:
        print(json.dumps(draw()))
        sys.exit(0)
    if given.before is None:
        parser.error("--before is needed: a checkout of another commit")
    sys.exit(0 if run(given.before.resolve(), given.times) <= given.most else 1)
