"""Old faults put back, one at a time, and the state machine that finds each.

``PYTHONPATH=.:tests/faults .venv/bin/python tests/bench/old_faults.py [WORD ...]`` prints a failing example for every
fault, or those whose sentence has one of the words; status 1 where one is not found. Takes some ten minutes. What was
found last stands in ``old_faults.md``.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import INVARIANT_MARKER, run_state_machine_as_test

from engine.strict.text import MalformedError, json_of
from engine.strict.values import read
from firmware.book.scorebook.book import Row, Scorebook
from firmware.cli.first_start.answers import FirstStart
from firmware.cli.first_start.wifi import Wifi
from firmware.core.io.files import read_text
from firmware.extras.club.desk import Answer, AskingDesk
from firmware.extras.club.hall import Hall
from firmware.extras.club.messages import ClubError, event_of
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.setup import table_in_force
from firmware.table.loop.guard import Guard
from firmware.table.sound.sound import SoundAudience
from firmware.web.door import Place, Places
from firmware.web.login import Login
from tests.fakes.broker import FakeBroker
from vision.board.measure import with_measures


def _hall_dies_of_a_message(undo: pytest.MonkeyPatch) -> None:
    def alone(self: Any, message: Any, do: Callable[[], Any]) -> Any:
        try:
            return do()
        except MalformedError:
            return None

    def event(payload: bytes, table: str) -> dict[str, Any]:
        with suppress(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            json.dumps(json.loads(payload), ensure_ascii=False).encode()  # for its checksum, before it was looked at
        return event_of(payload, table)

    undo.setattr("firmware.extras.club.hall.event_of", event)
    undo.setattr(Hall, "_alone", alone)


def _half_a_surrogate_is_text(undo: pytest.MonkeyPatch) -> None:
    undo.setattr("engine.strict.text._utf8", lambda text: text.encode(errors="surrogatepass"))


def _ids_are_guessed(undo: pytest.MonkeyPatch) -> None:
    made = FakeBroker.__init__

    def make(self: Any, folder: Path) -> None:
        made(self, folder)
        self.names_by_user = False

    undo.setattr(FakeBroker, "__init__", make)


def _any_answer_is_taken(undo: pytest.MonkeyPatch) -> None:
    hear = AskingDesk.hear

    def heard(self: Any, payload: bytes) -> str | None:
        self._waits_for = read(Answer, json_of(payload)).id
        return hear(self, payload)

    undo.setattr(AskingDesk, "hear", heard)
    undo.setattr("tests.fakes.broker.FakeBroker.cut", _cut_and_held(FakeBroker.cut))


def _cut_and_held(cut: Any) -> Any:
    """What is said to a desk that has gone waits for the next one."""

    def cuts(self: Any, line: Any) -> None:
        line.passing = False
        cut(self, line)

    return cuts


def _commands_never_expire(undo: pytest.MonkeyPatch) -> None:
    undo.setattr("firmware.extras.club.desk.TICKET_S", 1e9)


def _a_bad_line_is_the_end(undo: pytest.MonkeyPatch) -> None:
    def lost(why: str) -> None:
        raise ClubError(why)

    undo.setattr("firmware.extras.club.evening.Lost", lost)


def _no_code_is_asked_for(undo: pytest.MonkeyPatch) -> None:
    undo.setattr(Login, "refused", lambda self, code, address: None)


def _numbers_have_no_bounds(undo: pytest.MonkeyPatch) -> None:
    do = FirstStart.do

    def does(self: Any, wish: Any) -> dict[str, Any]:
        if isinstance(wish, dict) and type(wish.get("level_mm")) is int:
            float(wish["level_mm"])
        return do(self, wish)

    undo.setattr("engine.strict.text._expect_plain", lambda value, levels: None)
    undo.setattr(FirstStart, "do", does)


def _what_is_measured_is_trusted(undo: pytest.MonkeyPatch) -> None:
    def text(measured: Any) -> str:
        return with_measures(read_text(table_in_force(None)), measured.table)

    undo.setattr("firmware.cli.first_start.table._text_of", text)


def _whoever_comes_is_let_in(undo: pytest.MonkeyPatch) -> None:
    undo.setattr(Places, "take", lambda self, visitor, now_s: (Place(visitor, now_s), None))


def _places_are_kept_for_ever(undo: pytest.MonkeyPatch) -> None:
    def take(self: Any, visitor: str, now_s: float) -> tuple[Place | None, None]:
        if not self._free or len(self._taken.get(visitor, ())) >= 2:
            return None, None
        self._free -= 1
        place = Place(visitor, now_s)
        self._taken.setdefault(visitor, []).append(place)
        return place, None

    undo.setattr(Places, "take", take)


def _profiles_go_by_their_name(undo: pytest.MonkeyPatch) -> None:
    join = Wifi.join

    def joins(self: Any, name: str, password: str = "") -> Any:
        outcome = join(self, name, password)
        for each in self._profiles() if outcome.fault is not None else ():
            if each.name == name:
                self._delete(each.uuid)
        return outcome

    undo.setattr(Wifi, "join", joins)


def _passwords_are_words(undo: pytest.MonkeyPatch) -> None:
    bring_up = Wifi._bring_up

    def brings_up(self: Any, uuid: str, password: str = "") -> Any:
        if password:
            self._nmcli(("connection", "modify", "uuid", uuid, "wifi-sec.psk", password))
        return bring_up(self, uuid, password)

    undo.setattr(Wifi, "_bring_up", brings_up)


def _links_are_followed(undo: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: str | bytes) -> None:
        Path(os.path.realpath(path)).write_bytes(content.encode() if isinstance(content, str) else content)

    undo.setattr("firmware.ui.menu.machine.write_whole", write)


def _silence_is_for_ever(undo: pytest.MonkeyPatch) -> None:
    undo.setattr(SoundAudience, "reopen", lambda self: False)


def _files_are_for_all(undo: pytest.MonkeyPatch) -> None:
    undo.setattr("firmware.core.io.files._PRIVATE", 0o644)


def _nothing_is_guarded(undo: pytest.MonkeyPatch) -> None:
    undo.setattr(Guard, "call", lambda self, member, doing, work, *rest, **named: work())


def _eyes_are_not_guarded(undo: pytest.MonkeyPatch) -> None:
    call = Guard.call

    def calls(self: Guard, member: Any, doing: str, work: Callable[[], Any], *rest: Any, **named: Any) -> Any:
        return work() if doing == "look" else call(self, member, doing, work, *rest, **named)

    undo.setattr(Guard, "call", calls)


def _nobody_says_for_how_long(undo: pytest.MonkeyPatch) -> None:
    def member(self: OpenCamera, name: str) -> Any:
        return (lambda match: None) if name == "agree" else object.__getattribute__(self, name)

    undo.setattr(OpenCamera, "__getattribute__", member)


def _matches_are_taken_in_one_by_one(undo: pytest.MonkeyPatch) -> None:
    add_all = Scorebook.add_all
    undo.setattr(Scorebook, "add_all", lambda self, matches: [add_all(self, [each])[0] for each in matches])


def _pictures_are_needed(undo: pytest.MonkeyPatch) -> None:
    undo.setattr("firmware.cli.commands.play._unless_lost", lambda option, opens: opens())


def _doubts_go_by_the_clock(undo: pytest.MonkeyPatch) -> None:
    def take_out(self: Scorebook, match_id: int | None, uid: str, row: Row) -> None:
        place = "match_id = ? AND seq = ? AND wall_s = ?"
        self.connection.execute(f"DELETE FROM events WHERE {place}", (match_id, row.seq, row.wall_s))

    undo.setattr(Scorebook, "_take_out", take_out)


FAULTS: Final[tuple[tuple[str, str, Callable[[pytest.MonkeyPatch], None]], ...]] = (
    ("Half a surrogate in one message ends the hall", "club.test_machines.HallMachine", _hall_dies_of_a_message),
    ("A table's state blanks every wall", "club.test_machines.HallMachine", _half_a_surrogate_is_text),
    ("A table comes in under the hall's client id", "club.test_machines.HallMachine", _ids_are_guessed),
    ("An answer is taken for another question's", "club.test_machines.DeskMachine", _any_answer_is_taken),
    ("A command that timed out is done later", "club.test_machines.DeskMachine", _commands_never_expire),
    ("A bad line in the evening's file ends the hall", "club.test_machines.DeskMachine", _a_bad_line_is_the_end),
    ("Anybody changes the first start", "first_start.test_page.Phones", _no_code_is_asked_for),
    ("A number of 400 digits gets no answer", "first_start.test_page.Phones", _numbers_have_no_bounds),
    ("A measured table is kept that the program refuses", "first_start.test_page.Phones", _what_is_measured_is_trusted),
    ("A server ends at some thousand connections", "web.test_places.Visitors", _whoever_comes_is_let_in),
    ("A few addresses lock all others out", "web.test_places.Visitors", _places_are_kept_for_ever),
    ("A wrong password deletes the profile", "first_start.test_wifi.Attempts", _profiles_go_by_their_name),
    ("A Wi-Fi password is a program's word", "first_start.test_wifi.Attempts", _passwords_are_words),
    ("A guest's stick overwrites the owner's file", "menu.test_menu_states.AtTheMenu", _links_are_followed),
    ("Started at volume 0 it stays silent", "menu.test_menu_states.AtTheMenu", _silence_is_for_ever),
    ("Files are readable for all", "menu.test_menu_states.AtTheMenu", _files_are_for_all),
    ("Eyes that fail end the match", "sitting.test_sitting_states.AtTheSitting", _eyes_are_not_guarded),
    ("Simulated people get up at five points", "sitting.test_sitting_states.AtTheSitting", _nobody_says_for_how_long),
    ("Lamps that fail end the match", "sitting.test_sitting_states.AtTheSitting", _nothing_is_guarded),
    ("A lost folder of pictures ends the match", "sitting.test_sitting_states.AtTheSitting", _pictures_are_needed),
    ("An import adds the first of two", "scorebook.test_book_states.BookStates", _matches_are_taken_in_one_by_one),
    ("A doubt takes out another program's entry", "scorebook.test_book_states.BookStates", _doubts_go_by_the_clock),
)
"""What happened, the machine that is to find it, and what puts it back."""


def found(machine: str, put_back: Callable[[pytest.MonkeyPatch], None]) -> list[str]:
    """The steps of a failing example, and what failed at their end; empty where the machine finds nothing."""
    module, _, name = machine.rpartition(".")
    kind: Any = getattr(importlib.import_module(f"tests.firmware.{module}"), name)
    tried = settings(
        max_examples=100,
        stateful_step_count=25,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    with pytest.MonkeyPatch.context() as undo:
        undo.setattr("firmware.ui.menu.errand.SOON_S", 60.0)
        put_back(undo)
        try:
            with redirect_stdout(io.StringIO()):
                run_state_machine_as_test(kind, settings=tried)
        except Exception as error:
            return [*_steps(kind, error), f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"]
    return []


def _steps(kind: Any, error: BaseException) -> Iterator[str]:
    """Of the example that hypothesis tells: its rules, without the invariants that held in between."""
    errors = (error, *getattr(error, "exceptions", ()))
    lines = [line for each in errors for note in getattr(each, "__notes__", ()) for line in note.splitlines()]
    begins = f"state = {kind.__name__}()"
    invariants = {f"state.{name}()" for name in dir(kind) if hasattr(getattr(kind, name), INVARIANT_MARKER)}
    for line in lines[lines.index(begins) + 1 :] if begins in lines else lines:
        if line == "state.teardown()":
            break
        if line not in invariants:
            yield line


def main(words: list[str]) -> int:
    missed = 0
    for sentence, machine, put_back in FAULTS:
        if words and not any(word in sentence for word in words):
            continue
        steps = found(machine, put_back)
        missed += not steps
        print(f"## {sentence}\n\n`{machine}`{'' if steps else ' finds NOTHING'}\n")
        print("\n".join(["```text", *steps, "```", ""]) if steps else "", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
