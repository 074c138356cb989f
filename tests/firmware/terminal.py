"""``engarde`` at a terminal, as scenes: ``$ scores --match 1``, and below it what is printed and how it ends."""

from __future__ import annotations

import io
import json
import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.schema import seal
from firmware.cli.main import main
from tests.firmware.conftest import SetClock, keep, keep_match, whole_match
from tests.scenes import Scene

BOOK: Final = Path("book.sqlite")


def laid(names: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in names.split()), white, black)


MEET: Final = (RoundEvent(), laid("5a", 6, 23), laid("5b", 6, 18), laid("5c", 11, 18))
MEET_BLACK: Final = (RoundEvent(), laid("5a", 1, 18), laid("5b", 6, 18), laid("5c", 6, 13))
STUCK: Final = (RoundEvent(), YieldEvent())
ROUNDS: Final[dict[str, tuple[Event, ...]]] = {
    "begun": (RoundEvent(),),
    "stuck": STUCK,  # whoever begins gives up at once
    "undone": (*STUCK, UndoEvent(), YieldEvent()),
    "touched": (*MEET, laid("3a 4a", 11, 15), YieldEvent()),  # White begins, and is hit by Black's indirect attack
    "touched-black": (*MEET_BLACK, laid("3a", 9, 13), laid("4a", 9, 13), YieldEvent()),  # Black hits White directly
    "four": (RoundEvent(), laid("3a", 4, 23), laid("4a", 4, 19), laid("5a", 9, 19), laid("5b", 9, 14)),
}


class Terminal(Scene):
    """A terminal in a folder of its own, with a scorebook there."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patches: pytest.MonkeyPatch) -> None:
        self._capsys, self._patches = capsys, patches
        self.clock = SetClock(wall=1_800_000_000.0)

    def does(self, line: str) -> Iterator[str]:
        word, *words = shlex.split(line)
        if word != "$":
            yield from getattr(self, f"do_{word}")(*words) or ()
            return
        before = BOOK.read_bytes() if BOOK.is_file() else b""
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(ended.code or 0)
        told = self._capsys.readouterr()
        out, err = (re.sub(r"(?<= )\(20[\d: -]+\)|(?<=process )\d+", "...", text) for text in told)
        if out.startswith("{\n"):
            yield json.dumps(json.loads(out), ensure_ascii=False)
        else:
            yield from filter(None, out.splitlines())
        # How usage is laid out, and what there is to choose from is quoted, depends on Python's version.
        for text in err.splitlines():
            if status != 2 or text.startswith("engarde"):
                yield f"! {re.sub(r' .choose from .*', '', text)}"
        if status:
            yield f"[{status}]"
        assert not status or not BOOK.exists() or BOOK.read_bytes() == before or "--forget" in words

    def do_clock(self, wall_s: str) -> None:
        self.clock.wall = float(wall_s)

    def do_match(self, white: str, black: str, rules: str, starter: str, points: str, *rounds: str) -> None:
        """These two played these rounds."""
        played = [event for name in rounds for event in ROUNDS[name]]
        with open_scorebook(BOOK, self.clock) as book:
            black = black.encode().decode("unicode_escape")
            keep_match(book, white, black, (MatchEvent(rules, Side(starter), int(points)), *played))

    def do_bots(self, seed: str, white: str = "Ana", black: str = "Bo", points: str = "2") -> None:
        """These two played a whole match as two bots of this seed do."""
        with open_scorebook(BOOK, self.clock) as book:
            keep_match(book, white, black, whole_match(int(seed), int(points)))

    def do_demo(self, rules: str, seed: str) -> None:
        """A demo was begun."""
        with open_scorebook(BOOK, self.clock) as book:
            keep(book.begin(BySide("White", "Black"), mode="demo", seed=int(seed)), (MatchEvent(rules),))

    def do_sql(self, statement: str) -> None:
        """Change the book, with checksums that hold."""
        with closing(sqlite3.connect(BOOK)) as connection, connection:
            connection.execute(statement)
            seal(connection, [number for (number,) in connection.execute("SELECT id FROM matches")])

    def do_write(self, name: str, content: str) -> None:
        Path(name).write_bytes(content.encode().decode("unicode_escape").encode("latin-1"))

    def do_answer(self, text: str = "") -> None:
        """What is typed at the next question."""
        self._patches.setattr("sys.stdin", io.StringIO(f"{text}\n"))

    def do_held(self, *words: str) -> Iterator[str]:
        """This command while another program plays by the book."""
        with open_scorebook(BOOK, self.clock, alone=True):
            yield from self.does(shlex.join(words))

    def do_bytes(self, start: str, end: str) -> None:
        """These bytes of the book are gone."""
        content = BOOK.read_bytes()
        BOOK.write_bytes(content[: int(start)] + bytes(int(end) - int(start)) + content[int(end) :])

    def do_copy(self, name: str, new: str) -> None:
        Path(new).write_bytes(Path(name).read_bytes())

    def do_mkdir(self, name: str) -> None:
        Path(name).mkdir()

    def do_ls(self) -> Iterator[str]:
        """What lies in the folder."""
        yield " ".join(sorted(str(path) for path in Path().rglob("*") if path.is_file()))

    def do_into(self, name: str, *words: str) -> None:
        """What this command prints is written into a file."""
        Path(name).write_text("\n".join(self.does(shlex.join(words))), encoding="utf-8")

    def do_head(self, name: str) -> Iterator[str]:
        """The first line of a file."""
        yield ascii(Path(name).read_text(encoding="utf-8").splitlines()[0][:40])
