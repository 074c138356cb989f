"""Parts of the table that raise, hang or give nonsense in the middle of a match: it is ruled as if they had not."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from display.i18n import LANGUAGES, words
from firmware.loop import loop as loop_module
from firmware.loop.guard import Guard
from firmware.loop.loop import BookLostError
from firmware.loop.moment import Helper
from firmware.loop.watched import EndsGameError, Part
from tests.firmware.conftest import PerfectEyes
from tests.firmware.loop.injected import CALLED, SHORT, Fault, InjectedError, Match, parts, stand_in
from vision.printed.table import Table

pytestmark = [pytest.mark.slow, pytest.mark.parts_fail]
KINDS = ("raises", "hangs", "gives nonsense")


@pytest.fixture
def begin(
    table: Table, perfect_eyes: Callable[[Table], Any], tmp_path: Path
) -> Iterator[Callable[..., tuple[Match, list[str]]]]:
    guards: list[Guard] = []

    def begun(*members: Any) -> tuple[Match, list[str]]:
        said: list[str] = []
        guard = Guard(said.append, tmp_path / "reports", SHORT)
        guards.append(guard)
        return Match(table, perfect_eyes(table), guard, members), said

    yield begun
    for guard in guards:
        guard.close()


Begin = Callable[..., tuple[Match, list[str]]]


@pytest.fixture
def undisturbed(begin: Begin) -> Match:
    match, said = begin()
    match.loop.run()
    assert said == []
    assert len(match.kept) > 5
    return match


FRAMES = 130
"""The first turns are ruled on in these: 26 s of the match."""


@pytest.fixture(scope="module")
def ruled(table: Table) -> list[Any]:
    """What is ruled on in so many frames when nothing fails."""
    guard = Guard()
    match = Match(table, PerfectEyes(table), guard, ())
    match.play(FRAMES)
    guard.close()
    assert len(match.kept) >= 3
    return match.kept


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", parts(), ids=lambda part: part.__name__)
def test_whatever_a_part_does_the_match_is_ruled_told_and_kept(
    part: type, kind: str, begin: Begin, ruled: list[Any], tmp_path: Path
) -> None:
    screen = words("en").say(f"missing.{getattr(part, 'part', Part.OTHER).value}", name=part.__name__)
    for doing in CALLED if issubclass(part, Helper) else ("attend",):
        fault = Fault(kind, after=0 if doing == "anew" else 10, times=1)
        failing = stand_in(part, doing, fault)
        if doing == "anew":
            failing.attend = Fault("raises", times=1).instead(failing.attend)
        match, said = begin(failing)
        match.play(FRAMES)
        match.loop.guard.close()
        fault.let_go()
        assert fault.hits == 1
        assert match.kept == ruled, doing
        told = [sentence for sentence in said if f"({doing}:" in sentence]
        harmless = kind == "gives nonsense" and doing in ("attend", "anew")  # nobody asks what these give
        assert len(told) == (not harmless)
        assert harmless or any(screen in text for text in match.told), "the screen says so"
        kept = [path for path in (tmp_path / "reports").glob("*.txt") if f"-{doing}." in path.name]
        assert len(kept) == (not harmless)
        assert {stat.S_IMODE(path.stat().st_mode) for path in kept} <= {0o600}
        what = "harmless" if harmless else f"told {len(told)}, kept {len(kept)}"
        print(f"{part.__name__:20} {doing:7} {kind:15} ruled on, {what}")


def test_there_are_parts_to_try() -> None:
    assert len(parts()) > 20


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
    if name == "step" and kind != "raises":
        pytest.skip("the referee himself cannot be done without")
    fault = Fault(kind, after=30, times=1)
    monkeypatch.setattr(loop_module, name, fault.instead(getattr(loop_module, name)))
    match, said = begin()
    match.loop.run()
    match.loop.guard.close()
    fault.let_go()
    assert fault.hits == 1
    assert match.loop.desk.state == undisturbed.loop.desk.state
    assert len(said) == 1


def test_a_part_that_goes_on_failing_is_tried_less_and_less_often(begin: Begin) -> None:
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
    assert len(said) == 1, "it is told once"


def test_who_fails_while_holding_the_game_holds_it_no_longer(begin: Begin, undisturbed: Match) -> None:
    from firmware.loop.requests import MENU, Hold

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
    named = {getattr(part, "part", Part.OTHER) for part in parts()}
    assert all(words(language).say(f"missing.{part.value}", name="7") for part in named)
