"""One whole match as an example: the film, the film as a GIF, the match page and the result card.

``python -m tests.firmware.tools.example [--out DIR]``: two bots fence at the simulated table, refereed from its
frames and recorded, and everything that can be made of a match is made of it by the commands that everybody has. Kept
outside the repository: it is made anew in some minutes.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES

OUT: Final = Path("out") / "example"
NAMES: Final = ("Ana", "Bo")
FILM, GIF, PAGE, CARD = "match.mp4", "match.gif", "match.html", "result.png"
MADE: Final = (FILM, GIF, PAGE, CARD)
"""What is in the folder then, beside the match itself."""
BOOK: Final = "match.sqlite"
RECORDING: Final = "match.engarde"


def commands(out: Path, points: int, seed: int, language: str) -> tuple[tuple[str, ...], ...]:
    """What is typed after ``engarde``, one after the other, to have all of it in this folder."""
    book, recording = ("--scorebook", str(out / BOOK)), str(out / RECORDING)
    white, black = NAMES
    who = ("--white", white, "--black", black, "--points", str(points), "--seed", str(seed), "--new")
    told = ("scores", "--match", "1", *book, "--language", language)
    return (
        ("play", "--camera", "synthetic", "--headless", "--language", language, *who, *book, "--record", recording),
        (*told, "--film", str(out / FILM), "--recording", recording),
        (*told, "--film", str(out / GIF)),
        (*told, "--html", str(out / PAGE)),
        (*told, "--card", str(out / CARD)),
    )


def make(out: Path, points: int, seed: int, language: str, run: Callable[[Sequence[str]], int]) -> int:
    """Make all of it anew with ``run``, which gives an exit status: the first that is not 0 ends it and is given."""
    out.mkdir(parents=True, exist_ok=True)
    for name in (*MADE, BOOK, RECORDING):
        (out / name).unlink(missing_ok=True)
    for words in commands(out, points, seed, language):
        print(f"engarde {shlex.join(words)}", flush=True)
        status = run(words)
        if status:
            return status
    print(f"The example is in {out.resolve()}: {', '.join(MADE)}.")
    return 0


def _engarde(words: Sequence[str]) -> int:
    return subprocess.run([sys.executable, "-m", "firmware", *words], check=False).returncode


def main(arguments: list[str] | None = None) -> int:
    """Make the example; the exit status of the command that failed, else 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help="the folder (%(default)s)")
    parser.add_argument("--points", type=int, default=2, help="points that win the match (%(default)s)")
    parser.add_argument("--seed", type=int, default=3, help="which match (%(default)s)")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of film, page and card (%(default)s)")
    asked = parser.parse_args(arguments)
    return make(asked.out, asked.points, asked.seed, asked.language, _engarde)


if __name__ == "__main__":
    sys.exit(main())
