"""Evenings at a table as text: what people do, and all that is shown and the case then (``tests/scenes.py``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from display.view import ViewModel
from engine.rules.cards import Card
from engine.table.desk import Desk
from engine.table.observation import Doubt, DoubtReason, Sight, Why
from engine.table.presses import Button
from tests.firmware.ui.scene_table import SetTable
from tests.scenes import ChangingScene, match_facts


class Evening(ChangingScene):
    """A table; what the screen shows and how the match stands is told in each."""

    view: Any
    loop: Any
    wait: Callable[..., None]

    def common_facts(self) -> Iterator[tuple[str, object]]:
        yield from _shown(self.view)
        yield from _match(self.loop.desk)

    def do_wait(self, seconds: str) -> None:
        self.wait(float(seconds))


class SetEvening(Evening, SetTable):
    """An evening at which cards are laid, fencers moved and buttons pressed."""

    put: Callable[..., None]
    press: Callable[..., None]

    def do_press(self, *buttons: str) -> None:
        self.press(*map(Button, buttons))

    def do_put(self, white: str, black: str, *cards: str) -> None:
        self.put(int(white), int(black), " ".join(cards))

    def do_see(self, sight: str, why: str = "") -> None:
        self.sight, self.why = Sight(sight), Why(why) if why else None

    def do_shine(self, x_mm: str, y_mm: str) -> None:
        """Light hides what lies there."""
        self.unread = (Doubt(float(x_mm), float(y_mm), self.t_s, DoubtReason.BURNT),)

    def do_doubt(self, x_mm: str, y_mm: str) -> None:
        """Something that may be a card lies there."""
        self.unread = (Doubt(float(x_mm), float(y_mm), self.t_s),)

    def do_glimpse(self, *cards: str) -> None:
        self.glimpsed = tuple(map(Card.parse, cards))


def _shown(view: ViewModel | None) -> Iterator[tuple[str, object]]:
    if view is not None:
        verdict = view.verdict
        said = [each for each in (verdict.headline, verdict.detail, verdict.hint) if each]
        yield "verdict", [f"[{verdict.tag}] {said[0]}", *said[1:]]
        yield "trouble", view.trouble and view.trouble.cure
        yield "panel", view.panel and [view.panel.title, view.panel.page, *(line.text for line in view.panel.lines)]


def _match(desk: Desk) -> Iterator[tuple[str, object]]:
    yield from match_facts(desk.course)
    yield "waiting", desk.waiting and desk.waiting.button.value
    yield "note", desk.note and desk.note.kind.value
    found = desk.comparing and desk.comparing.difference
    yield "differs", found and [found.figures.white, found.figures.black, *found.cards]
