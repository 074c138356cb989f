"""What the desk may say, and what it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine.competition.bouts import CompetitionError
from engine.competition.events import CompetitionEvent, Entered, Opened, event_to_json
from firmware.extras.club.desk import SENTENCES, TICKET_S, AnsweringDesk, AskingDesk, event_of_words, overview, usage
from firmware.extras.club.evening import Evening, put_right
from firmware.extras.club.messages import ClubError
from firmware.extras.club.results import tables
from tests.firmware.conftest import SetClock
from tests.firmware.extras.club.conftest import ended, numbered
from tests.scenes import ChangingScene, played, scenes

SCENES = Path(__file__).with_name("desk.txt")


class DeskScene(ChangingScene):
    """A desk and its tables. Whatever is done, the log on the disk is the evening."""

    def __init__(self, folder: Path) -> None:
        self.evening = Evening(folder / "evening.jsonl", SetClock(wall=datetime(2026, 11, 24, 12).timestamp()))
        self.ends: dict[str, dict[str, Any]] = {}
        self.refusals: dict[str, dict[str, int]] = {}
        self.carried_out: list[CompetitionEvent] = []
        self.why_not, self.shown = "", list[str]()

    def facts(self) -> Iterator[tuple[str, object]]:
        evening, now = self.evening, self.evening.now
        yield "not done", self.why_not
        yield "carried out", [json.dumps(event_to_json(each), ensure_ascii=False) for each in self.carried_out]
        yield "called", [f"{table}: {bout}" for table, bout in evening.placed.items()]
        if now is not None:
            yield (
                "results",
                [
                    f"{bout.id} {' '.join(f'{score.first}:{score.second}' for score in bout.scores)}"
                    for bout in now.bouts
                    if bout.scores
                ],
            )
            yield "over", "the evening is over" if now.over else ""
        again = Evening(evening.path)
        assert (again.now, again.skipped) == (now, [])

    def does(self, line: str) -> Iterator[str]:
        self.why_not, self.carried_out, self.shown = "", [], []
        yield from super().does(line)
        yield from self.shown

    def add(self, *events: CompetitionEvent) -> None:
        for event in events:
            self.evening.add(event)
            self.carried_out.append(event)

    def do_say(self, *words: str) -> None:
        """The desk says this; ``+`` stands for a blank in a word, ``U+0663`` for that character."""
        letters = [re.sub(r"U\+(\w{4})", lambda found: chr(int(found[1], 16)), word) for word in words]
        try:
            self.add(event_of_words([word.replace("+", " ") for word in letters]))
        except (ClubError, CompetitionError) as error:
            self.why_not = str(error)

    def do_fencers(self, count: str) -> None:
        for fencer in numbered(int(count)):
            self.evening.add(Entered(fencer))

    def do_place(self, *tables: str) -> None:
        """These tables are free."""
        self.evening.place(tables)

    def do_ends(self, table: str, white: str = "3", black: str = "1") -> None:
        """The match that this table was called to ends so."""
        self.ends[table] = ended(self.evening, table, int(white), int(black))
        fenced = self.evening.result_of(self.ends[table])
        assert fenced is not None
        self.add(fenced)

    def do_all(self, table: str) -> None:
        """Whatever is still to be fenced is fenced there, and won by White."""
        while self.evening.now is not None and self.evening.now.due():
            self.evening.place([table])
            self.do_ends(table)
        self.carried_out = []

    def do_tells(self, table: str, phase: str, white: str, black: str) -> None:
        """The table tells its last match otherwise than it ended."""
        score = {"white": int(white), "black": int(black)}
        result = {"winner": "white" if score["white"] > score["black"] else "black", "reason": "said"}
        told = {**self.ends[table], "phase": phase, "score": score, "result": result if phase == "match_over" else None}
        self.add(*put_right(self.evening.log, told))
        assert put_right(self.evening.log, told) == ()

    def do_stands_again(self, table: str, bout: str, *begun: str) -> None:
        """What was fenced of the bout goes on there; those of ``begun`` are not called away."""
        self.evening.stand_again(table, bout, begun)

    def do_disbelieve(self, table: str, times: str, *why: str) -> None:
        self.refusals.setdefault(table, {})[" ".join(why)] = int(times)

    def do_show(self) -> None:
        self.shown = overview(self.evening, self.refusals)

    def do_tables(self) -> None:
        assert self.evening.now is not None
        self.shown = [
            f"{each.title}: {'; '.join(' '.join(row) for row in each.rows)}" for each in tables(self.evening.now, "en")
        ]

    def do_fencer(self, fencer: str) -> None:
        """What the page of a fencer's phone has."""
        self.shown = [json.dumps(self.evening.fencer_told(fencer), ensure_ascii=False)]


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_it_is_done_as_written(scene: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    assert played(SCENES, scene, DeskScene(tmp_path), request) == scene


def test_every_command_is_understood_as_its_usage_says() -> None:
    for word in SENTENCES:
        said = [each.strip("[]").split("|")[0] for each in usage(word).replace(" ..]", "]").split()]
        numbers = {"COUNT": "2", "TOUCHES": "5", "AGAINST": "3", "MATCH": "1", "LEGS": "2", "NUMBER": "4", "first": ""}
        assert event_of_words([each for each in (numbers.get(one, one) for one in said) if each])


def test_a_ticket_is_good_for_one_command_of_a_moment_ago() -> None:
    done: list[CompetitionEvent] = []

    def do(event: CompetitionEvent) -> int:
        done.append(event)
        return len(done)

    hall = AnsweringDesk(do, lambda: ["a line"])
    one, two = AskingDesk(Opened("Cup")), AskingDesk(Opened("Late"))
    first, later = (each.hear(hall.answer(each.first().encode(), 0.0).encode()) for each in (one, two))
    assert first is not None
    assert later is not None
    for _ in range(2):  # the broker delivers it again
        one.hear(hall.answer(first.encode(), 1.0).encode())
        assert one.answer is not None
        assert (one.answer.ok, one.answer.events, done) == (True, 1, [Opened("Cup")])
    stolen = json.dumps({**json.loads(first), "id": "0" * 32})
    assert not json.loads(hall.answer(stolen.encode(), 1.0))["ok"]
    two.hear(hall.answer(later.encode(), TICKET_S + 0.1).encode())
    assert two.answer is not None
    assert (two.answer.ok, done) == (False, [Opened("Cup")])
    for rubbish in (b"", b"[", b'{"id":"\\ud800"}', b"9" * 99, json.dumps({"id": "0" * 32, "ask": "do"}).encode()):
        assert not json.loads(hall.answer(rubbish, 2.0))["ok"]
    assert done == [Opened("Cup")]
