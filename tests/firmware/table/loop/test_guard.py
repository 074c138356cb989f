"""Parts of the table that raise, hang or give nonsense in the middle of a match: it is ruled as if they had not."""

from __future__ import annotations

import stat
import threading
import weakref
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from engine.rules.events import RoundEvent, UndoEvent
from engine.table.step import step
from firmware.table.loop import guard as guard_module
from firmware.table.loop import loop as loop_module
from firmware.table.loop.guard import (
    Guard,
    Worker,
    are_presses,
    are_requests,
    is_judged,
    is_look,
    is_sifted,
    is_situation,
    is_view,
)
from firmware.table.loop.loop import BookLostError
from firmware.table.loop.moment import Helper
from firmware.table.loop.requests import MENU, Enter, Hold
from firmware.table.loop.watched import EndsGameError, Part
from tests.firmware.table.loop.injected import (
    KINDS,
    NONSENSE,
    SHORT,
    Fault,
    InjectedError,
    Match,
    Script,
    be_sure,
    disturbed_matches,
    parts,
    recorded,
)
from tests.waiting import HANG_S, until
from vision.printed.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.parts_fail]


@pytest.fixture(scope="module")
def script(table: Table) -> Script:
    return recorded(table)


Begin = Callable[..., tuple[Match, list[str]]]


@pytest.fixture
def begin(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:

    guards: list[Guard] = []
    monkeypatch.setattr(guard_module, "_LEFT_S", HANG_S)

    def begun(*members: Any, journal: Any = None) -> tuple[Match, list[str]]:
        said: list[str] = []
        guard = Guard(said.append, tmp_path / "reports", SHORT)
        guards.append(guard)
        return Match(guard, script, members, journal), said

    yield begun
    for guard in guards:
        guard.close()


@pytest.fixture(scope="module")
def undisturbed(script: Script) -> Match:
    match = Match(Guard(pytest.fail), script)
    match.loop.run()
    return match


def test_every_part_of_a_whole_program_fails_in_all_that_is_asked_of_it(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in disturbed_matches(script, tmp_path, monkeypatch):
        assert len(each.before) > 10
        assert each.after == each.before, each.kind
        assert len(each.asked) > 40
        assert each.guard.todo == []
        untold = {doing for part, doing in set(each.asked) - set(each.guard.blamed)}
        assert untold <= ({"attend", "page"} if each.kind == "gives nonsense" else set()), "what nobody uses"
        assert len(each.kept) > 20


@pytest.mark.parametrize("fits", [are_requests, are_presses, is_judged, is_situation, is_view])
def test_nonsense_is_known_from_an_answer(fits: Callable[[object], bool], script: Script) -> None:
    seen = script.looks[-1][0]
    assert is_sifted(seen, seen)
    assert not any(fits(each) or is_sifted(each, seen) or is_look(each, seen.t_s) for each in NONSENSE)


@pytest.mark.parametrize("kind", KINDS)
def test_eyes_that_fail_are_blind_once_and_then_new_ones_look(
    kind: str, begin: Begin, undisturbed: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_module, "EYES_LIMITS", SHORT)
    match, said = begin()
    made: list[object] = []

    def eyes(table: Table, run: object) -> Match:
        made.append(table)
        return match

    monkeypatch.setattr(loop_module, "Eyes", eyes)
    fault = Fault(kind, after=30, times=1)
    monkeypatch.setattr(match, "look", fault.instead(match.look))
    match.loop.run()
    match.loop.guard.close()
    fault.let_go()
    assert (fault.hits, len(made)) == (1, 1)
    assert [(entry, ruling) for entry, ruling, _ in match.kept] == [(e, r) for e, r, _ in undisturbed.kept]
    assert len(said) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["present", "situation_of", "step"])
def test_words_and_judging_that_fail_cost_a_moment(
    name: str, kind: str, begin: Begin, undisturbed: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_module, "STEP_LIMITS", SHORT)
    fault = Fault(kind, after=30, times=1)
    monkeypatch.setattr(loop_module, name, fault.instead(getattr(loop_module, name)))
    match, said = begin()
    match.loop.run()
    match.loop.guard.close()
    fault.let_go()
    assert fault.hits == 1
    assert match.loop.desk.state == undisturbed.loop.desk.state
    assert len(said) == 1


def test_a_part_that_goes_on_failing_is_tried_less_and_less_often(begin: Begin, tmp_path: Path) -> None:
    class Broken(Helper):
        def __init__(self) -> None:
            super().__init__()
            self.at_s: list[float] = []

        def attend(self, moment: Any) -> None:
            self.at_s.append(moment.frame.t_s)
            raise InjectedError("again")

    broken = Broken()
    match, said = begin(broken)
    match.loop.run()
    match.loop.guard.close()
    waits = [after - before for before, after in pairwise(broken.at_s)]
    assert len(waits) >= 2
    assert all(wait >= 5.0 for wait in waits)
    assert all(later > 1.5 * earlier for earlier, later in pairwise(waits))
    (sentence,) = said  # it is told once
    assert sentence.startswith("other Broken failed (attend: InjectedError: again)")
    assert "Broken" in " ".join(match.told)
    reports = [*(tmp_path / "reports").iterdir()]
    assert {path.name.split("-", 2)[2] for path in reports} == {"other-attend.txt", "other-attend.png"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in reports} == {0o600}
    (report,) = (path.read_text() for path in reports if path.suffix == ".txt")
    assert "Broken.attend" in report
    assert "'event': 'match'" in report


def test_who_fails_while_holding_the_game_holds_it_no_longer(begin: Begin, undisturbed: Match) -> None:
    class Holding(Helper):
        def attend(self, moment: Any) -> None:
            if moment.frame.index == 1:
                self._asked.append(Hold(MENU))
            if moment.held:
                raise InjectedError("with the menu open")

    match, _ = begin(Holding())
    match.loop.run()
    assert match.loop.held == frozenset()
    assert [entry for entry, *_ in match.kept] == [entry for entry, *_ in undisturbed.kept]


def test_a_referee_who_goes_on_hanging_leaves_the_people_their_screen_and_their_corrections(
    begin: Begin, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, said = begin()
    fault = Fault("hangs", after=30, times=1000)
    be_sure(monkeypatch, lambda: fault)
    monkeypatch.setattr(loop_module, "STEP_LIMITS", SHORT)
    monkeypatch.setattr(loop_module, "step", fault.instead(step))
    kept: list[int] = []
    for frame in range(len(script.looks)):
        if frame % 40 == 39:
            match.loop.ask(Enter(UndoEvent()))
        assert match.loop.advance() is not None
        kept.append(len(match.kept))
    assert 3 < fault.hits < 30, "it is tried less and less often"
    assert kept[-1] > kept[30], "what is entered by hand is judged meanwhile"
    assert len(said) == 1


def test_a_write_is_never_broken_off(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = threading.Event()
    fault = Fault("hangs")
    be_sure(monkeypatch, lambda: fault)
    match, _ = begin()
    append = match.append

    def appends(*given: Any) -> None:
        fault.hanging.add(threading.get_native_id())
        slow.wait(0.3)
        fault.hanging.clear()
        append(*given)

    monkeypatch.setattr(match, "append", appends)
    match.loop.ask(Enter(RoundEvent()))
    match.loop.advance()
    assert len(match.kept) == 2


def test_the_scorebook_alone_ends_the_game_and_says_how_it_goes_on(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = begin()
    fault = Fault("raises", after=3)
    monkeypatch.setattr(match, "append", fault.instead(match.append))
    with pytest.raises(BookLostError, match="start it again"):
        match.loop.run()


def test_who_may_end_the_game_ends_it(begin: Begin) -> None:
    class Ends(Helper):
        def attend(self, moment: Any) -> None:
            raise EndsGameError("The camera stays away.")

    match, _ = begin(Ends())
    with pytest.raises(EndsGameError):
        match.loop.run()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_has_a_name_on_the_screen(language: str) -> None:
    assert len(parts()) > 20
    named = {getattr(part, "part", Part.OTHER) for part in parts()}
    assert all(words(language).say(f"missing.{part.value}", name="7") for part in named)


def test_a_worker_that_waits_keeps_nothing_of_what_it_was_given() -> None:
    """A frame among others: a game's last one was kept for as long as the thread lived, with all that hangs on it."""
    worker, given = Worker("test"), Guard()
    kept = weakref.ref(given)
    worker.submit(given.close).result(HANG_S)
    del given
    assert until(lambda: kept() is None)
    worker.end()
