"""``engarde watch --survey DIR``: pictures of a real table with their truth, for ``tests/bench/bench_survey.py``.

Asks for one known arrangement after another and keeps what the camera sees of it. Source: FORMATS.md, "Surveys".
"""

from __future__ import annotations

import json
import queue
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

import cv2
import numpy as np

from display.i18n import Words
from engine.rules.cards import Card
from firmware.core.errors import EngardeError
from firmware.core.io.files import make_folder, write_whole
from vision.board.calibration import Calibration
from vision.board.zones import table_outline
from vision.camera.sources import Source
from vision.eyes import Eyes
from vision.frame import Frame
from vision.look import Look
from vision.marks.foreign import Run, in_process
from vision.printed.arrangements import ARRANGEMENTS, Arrangement
from vision.printed.table import Table

VERSION: Final = 1
PICTURES: Final = 3
"""Pictures of a live camera for each arrangement: the eyes need several that agree."""
KEPT, TABLE_FILE = "survey.json", "table.toml"
_COMMENT: Final = re.compile(r"[ \t]*#.*$", re.MULTILINE)


class Survey:
    """Asks for known arrangements and keeps pictures of each in a folder, with its truth.

    ``answers`` gives the lines that were typed; where it ends, the survey does. Raises EngardeError for a folder that
    has a survey, OSError for one that cannot be written.
    """

    def __init__(self, folder: Path, say: Words, table_text: str, out: TextIO, answers: Iterator[str]) -> None:
        self._folder, self._say, self._out = folder, say, out
        self._answers = answers
        self._pictures: dict[int, list[dict[str, Any]]] = {}
        if (folder / KEPT).exists():
            raise EngardeError(f"{folder} has a survey already; name another folder.")
        make_folder(folder)
        # Comments are the owner's own words: they may hold a name.
        write_whole(folder / TABLE_FILE, _COMMENT.sub("", table_text).encode())

    def conduct(
        self,
        source: Source,
        table: Table,
        calibration: Calibration | None,
        *,
        live: bool,
        witnesses: Sequence[Callable[[Frame, Look], None]] = (),
        ended: Callable[[], bool] = lambda: False,
        run: Run = in_process,
    ) -> int:
        """Ask for every arrangement, until the last, the camera's end or the player's; 0 then.

        A ``live`` camera is looked at while the player lays the cards; any other gives a picture an arrangement.
        """
        eyes = Eyes(table, calibration, run=run)
        answers = _beside(self._answers) if live else self._answers

        def see() -> tuple[Frame, Look] | None:
            if (frame := source.read()) is None:
                return None
            look = eyes.look(frame)
            for witness in witnesses:
                witness(frame, look)
            return frame, look

        number = 0
        try:
            self._tell("keys")
            while number < len(ARRANGEMENTS):
                self._ask(number)
                while (typed := next(answers, "q")) == "" and not ended() and see() is not None:
                    pass
                match typed.strip().lower() if typed else "q":
                    case "q":
                        break
                    case "s":
                        number += 1
                    case "b":
                        number = max(number - 1, 0)
                    case _:
                        seen = [each for _ in range(PICTURES if live else 1) if (each := see()) is not None]
                        if not seen:
                            break
                        number += self._keep(number, [frame for frame, _ in seen], seen[-1][1], table)
        finally:
            source.close()
        self._tell("done", kept=len(self._pictures), folder=self._folder)
        return 0

    def _tell(self, key: str, **facts: object) -> None:
        print(self._say.say(f"survey.{key}", **facts), file=self._out, flush=True)

    def _ask(self, number: int) -> None:
        asked = ARRANGEMENTS[number]
        facts = {"cards": _named(asked.covered + asked.cards), "held": _named(asked.held)}
        alone = "_alone" if asked.held and not asked.cards else ""
        how = self._say.say(f"survey.{asked.laid.value}{alone}", **facts)
        self._tell("ask", no=number + 1, total=len(ARRANGEMENTS), white=asked.white, black=asked.black, how=how)

    def _keep(self, number: int, frames: Sequence[Frame], look: Look, table: Table) -> int:
        """Write this arrangement's pictures; 0 where no board was found in them, so that it is asked for again."""
        if look.calibration is None:
            self._tell("no_board")
            return 0
        inside = table_outline(look.calibration, table)
        notes = []
        for index, frame in enumerate(frames, 1):
            name = f"{number + 1:02}-{index}.png"
            write_whole(self._folder / name, _png(frame, inside))
            notes.append({"file": name, "t": round(frame.t_s - frames[0].t_s, 3)})
        self._pictures[number] = notes
        self._note()
        seen = look.table
        self._tell(
            "kept",
            white=seen.figures.white.space or "?",
            black=seen.figures.black.space or "?",
            cards=_named(tuple(reading.card for reading in seen.cards)) or "-",
        )
        return 1

    def _note(self) -> None:
        """Write the truth anew: whatever ends the survey, what was kept so far has its own."""
        told = {
            "version": VERSION,
            "table": TABLE_FILE,
            "arrangements": [
                {**_truth(ARRANGEMENTS[number]), "pictures": notes} for number, notes in sorted(self._pictures.items())
            ],
        }
        write_whole(self._folder / KEPT, (json.dumps(told, indent=1) + "\n").encode())


def _truth(asked: Arrangement) -> dict[str, Any]:
    return {
        "laid": asked.laid.value,
        "white": asked.white,
        "black": asked.black,
        **{name: [str(card) for card in getattr(asked, name)] for name in ("cards", "covered", "held")},
    }


def _png(frame: Frame, inside: np.ndarray[Any, Any]) -> bytes:
    """The picture with everything around the table blacked out, for privacy."""
    mask = np.zeros(frame.y.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(inside).astype(np.int32)], 255)
    done, data = cv2.imencode(".png", cv2.bitwise_and(frame.bgr(), frame.bgr(), mask=mask))
    if not done:
        raise EngardeError("a picture of the survey could not be packed as PNG.")
    return data.tobytes()


def _named(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _beside(answers: Iterator[str]) -> Iterator[str]:
    """The same answers, typed while pictures are looked at: an empty one while none has come."""
    typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in answers:
            typed.put(line)
        typed.put(None)

    threading.Thread(target=listen, name="survey", daemon=True).start()
    while True:
        try:
            line = typed.get_nowait()
        except queue.Empty:
            yield ""
            continue
        if line is None:
            return
        yield line
