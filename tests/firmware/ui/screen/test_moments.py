"""Pictures of the moments that matter, and the notice about the screen when a game begins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from display.view import Situation, ViewModel
from display.words.present import present
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.desk import Entry
from engine.table.observation import Sight
from firmware.table.loop.moment import Moment
from firmware.ui.screen.printers import MAX_OF_A_KIND, PictureWriter, kind_of, moments_that_matter
from firmware.ui.screen.screens import screen_notice


@dataclass
class Happened:
    """As much of a moment as is looked at."""

    view: ViewModel
    entries: tuple[Entry, ...]


def happened(*events: Event) -> Any:
    """The moment of the last of these events, from the opening of a match on."""
    state: PublicState | None = None
    entry = None
    for event in (MatchEvent("ferti-advanced", Side.WHITE, 2), *events):
        state, ruling = judge(state, event)
        entry = Entry(1.0, event, ruling, state)
    assert entry is not None
    return Happened(present(Situation(state, ruling=entry.ruling)), (entry,))


ADVANCE = TurnEvent((Card(3, "a"),), 4, 23)


@pytest.mark.parametrize(
    ("events", "kind"),
    [
        ((), None),
        ((RoundEvent(),), "round"),
        ((RoundEvent(), ADVANCE), "advance"),
        ((RoundEvent(), replace(ADVANCE, white=5)), "refused-wrong_distance"),
        ((RoundEvent(), ADVANCE, UndoEvent()), "undo"),
        ((RoundEvent(), YieldEvent()), "round-over-no_legal_move"),
        ((RoundEvent(), YieldEvent(), RoundEvent(), ADVANCE), "refused-opponent_moved"),
    ],
)
def test_moments_are_named_for_what_fell(events: tuple[Event, ...], kind: str | None) -> None:
    assert kind_of(happened(*events)) == kind


def test_nothing_new_is_no_moment_and_a_seen_move_is_one() -> None:
    quiet = happened(RoundEvent())
    quiet.entries = ()
    assert kind_of(quiet) is None
    eyes, piste = quiet.view.eyes, quiet.view.piste
    seen = replace(
        quiet.view, piste=replace(piste, distance_pending=True), eyes=replace(eyes, sight=Sight.STEADY, why=None)
    )
    assert seen.verdict.hint
    quiet.view = seen
    assert kind_of(quiet) == "open-turn"


def test_a_folder_holds_one_runs_pictures_and_few_of_a_kind(tmp_path: Path) -> None:
    (tmp_path / "007-advance.png").write_text("an earlier run")
    (tmp_path / "holiday.png").write_text("not ours")

    def draw(moment: Moment, path: Path) -> None:
        path.write_text("drawn")

    writer = PictureWriter(tmp_path, draw, moments_that_matter())
    for _ in range(MAX_OF_A_KIND + 2):
        writer.attend(happened(RoundEvent(), ADVANCE))
    for _ in range(MAX_OF_A_KIND + 2):
        writer.attend(happened(RoundEvent(), YieldEvent()))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[-1] == "holiday.png"
    assert [name[4:-4] for name in names[:-1]] == ["advance"] * 2 + ["round-over-no_legal_move"] * 4
    assert writer.written == 6


WINDOW: Any = SimpleNamespace(alive=True, driver="x11")


def test_missing_letters_are_told_with_their_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = screen_notice(WINDOW, pictures=False)
    assert "x11" in whole
    monkeypatch.setattr("firmware.ui.screen.screens.family", tuple)
    told = screen_notice(WINDOW, pictures=False).removeprefix(whole)
    assert "font-source-sans-pro" in told
    assert "make" in told
    assert "font" not in screen_notice(None, pictures=True)
