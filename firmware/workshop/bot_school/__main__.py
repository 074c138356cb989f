"""Let the bots learn anew, and write their experience: a module for each preset in ``engine/players/bots/experience``.

A command for maintainers, an hour of one core. The same options write the same files, bit for bit, on the same
processor and the same NumPy.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np

import engine.players.bots.experience
from engine.players.bots.judgement import WEIGHT_UNIT, written
from engine.rules.rulesets import BRETTSPIELNETZ, FERTI_ADVANCED, FERTI_CLASSIC
from firmware.workshop.bot_school.net import NetWeights
from firmware.workshop.bot_school.school import ROUNDS, SEED, learn

PER_LINE: Final = 990
EXPERIENCE: Final = Path(next(iter(engine.players.bots.experience.__path__)))
SUBJECTS: Final = {"advanced": FERTI_ADVANCED, "classic": FERTI_CLASSIC, "brettspielnetz": BRETTSPIELNETZ}
LESSONS: Final = {"advanced": 600, "classic": 1200, "brettspielnetz": 600}
"""How many what ships was made of."""
TEMPLATE: Final = '''"""What the bots have learned from playing themselves under the {subject} rules.

Written by ``python -m firmware.workshop.bot_school``: do not edit. {made}
``engine.players.bots.judgement.read`` makes weights of it.
"""

from __future__ import annotations

from typing import Final

{name}: Final = (
{lines}
)
"""{rows:,} rows of {width} weights."""
'''


def module(subject: str, weights: NetWeights, made: str) -> str:
    """The source of the module that keeps these weights."""
    whole = np.rint(weights / WEIGHT_UNIT).astype(int)
    text = written(whole.tolist())
    lines = "\n".join(f'    "{text[at : at + PER_LINE]}"' for at in range(0, len(text), PER_LINE))
    rows, width = whole.shape
    return TEMPLATE.format(subject=subject, name=subject.upper(), made=made, lines=lines, rows=rows, width=width)


def taught(subject: str, lessons: int, rounds: int, seed: int) -> str:
    """The module for these rules, after learning."""

    def told(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{subject}: lesson {done} of {lessons}", end="", file=sys.stderr, flush=True)

    weights = learn(SUBJECTS[subject], lessons, rounds, seed, told)
    return module(subject, weights, f"{lessons:,} lessons of {rounds:,} rounds, seed {seed}.")


def main() -> int:
    """Learn, and write what was learned."""
    parser = argparse.ArgumentParser(prog="python -m firmware.workshop.bot_school", description=__doc__)
    parser.add_argument("--lessons", type=int, help=f"default: {LESSONS}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="in a lesson (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--subject", choices=SUBJECTS, help="of one alone (default: all)")
    parser.add_argument(
        "--out", type=Path, default=EXPERIENCE, help="a folder, made where there is none (default: %(default)s)"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)  # before the lessons, not after an hour of them
    for subject in [args.subject] if args.subject else SUBJECTS:
        text = taught(subject, args.lessons or LESSONS[subject], args.rounds, args.seed)
        (args.out / f"{subject}.py").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
