"""``engarde demo`` at a screen: a welcome, and what was chosen there. Lessons at the table are their pupils' own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, cast

import pygame
import pytest

from display.menu.asking import opponents_page
from display.menu.lines import Wanted
from display.window import Request, Window
from engine.lessons.lesson import Deed, Stage, Step, Telling
from engine.rules.cards import Card
from engine.rules.state import Phase
from firmware.cli import main
from firmware.commands import teach
from firmware.lessons.progress import FILE, Progress
from firmware.screen.asking import stay
from firmware.sitting.lessons import give_lessons

Opens = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path) -> list[str]:
    return ["--scorebook", str(tmp_path / "book.sqlite")]


def chosen(me: Any, *keys: int) -> Any:
    """Press these keys, one a picture."""
    for key in keys:
        me.key(key)
        yield
        yield


def test_somebody_chooses_a_language_and_sits_down_against_a_bot(at_window: Opens, own: list[str]) -> None:
    def person(me: Any) -> Any:
        yield from chosen(me, pygame.K_DOWN, pygame.K_UP, pygame.K_RIGHT, pygame.K_RETURN)  # Deutsch
        yield from chosen(me, pygame.K_RETURN, pygame.K_RETURN)  # to play, against the first bot
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.wait(2)
        assert me.view.language == "de"
        assert me.view.names.black == "Bot (Anfänger)"
        assert len(me.hands.view.fans) == 1

    at_window(person)
    assert main(["demo", *own]) == 0


def test_a_person_or_the_companion_can_be_chosen_too(at_window: Opens, own: list[str]) -> None:
    keys = [item.key for item in opponents_page("en").items]

    def against(whom: Wanted) -> Any:
        def person(me: Any) -> Any:
            along = (pygame.K_RIGHT,) * keys.index(whom)
            yield from chosen(me, pygame.K_RETURN, pygame.K_RETURN, *along, pygame.K_RETURN)
            yield from me.until(lambda view: view.phase is Phase.TURN)
            yield from me.wait(2)
            seen.append((len(me.hands.view.slots_mm), bool(me.hands.view.offer)))

        return person

    seen: list[tuple[int, bool]] = []
    at_window(against(Wanted.PERSON))
    assert main(["demo", *own]) == 0
    at_window(against(Wanted.COMPANION))
    assert main(["demo", *own]) == 0
    assert seen == [(0, True), (5, False)]


def test_whoever_leaves_the_welcome_has_seen_enough(at_window: Opens, own: list[str], tmp_path: Path) -> None:
    def person(me: Any) -> Any:
        yield from chosen(me, pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_ESCAPE)

    at_window(person)
    assert main(["demo", *own]) == 0
    assert not (tmp_path / "book.sqlite").exists()


def test_a_match_is_watched(at_window: Opens, own: list[str]) -> None:
    def person(me: Any) -> Any:
        yield from chosen(me, pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN)
        yield from me.until(lambda view: view.phase is Phase.SETUP)
        assert me.window.hands is None

    at_window(person)
    assert main(["demo", *own]) == 0


def test_what_is_shown_last_stays_until_somebody_does_something() -> None:
    class Shown:
        alive = True
        moved = 0
        asked: ClassVar[list[tuple[Request, ...]]] = [(), (), (), (Request.ACT,)]

        def poll(self) -> tuple[Request, ...]:
            return self.asked.pop(0)

        def go_on(self) -> None:
            self.moved += 1

    shown = Shown()
    stay(cast(Window, shown), lambda _: None)
    assert shown.moved == 3
    shown.alive = False
    stay(cast(Window, shown), lambda _: None)


class Taught:
    """What the teacher told last."""

    def __init__(self) -> None:
        self.told: Telling | None = None

    def __call__(self, told: Telling, over: bool) -> None:
        self.told = told


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Taught:
    heard = Taught()

    def gives(*given: Any, **more: Any) -> Any:
        return give_lessons(*given, **{**more, "look": heard})

    monkeypatch.setattr(teach, "give_lessons", gives)
    return heard


@pytest.mark.slow
def test_a_lesson_is_learned_by_whoever_takes_it(
    at_window: Opens, own: list[str], tmp_path: Path, taught: Taught
) -> None:
    """The first lesson with a mistake in each step, by pointer alone; it is kept as theirs who took it."""
    answered: list[tuple[str, str]] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.panel is not None)
        for _ in range(60):
            if Progress(tmp_path / FILE).of("Ana").lessons:
                return
            told = taught.told
            assert told is not None
            if told.stage is Stage.SETUP:
                for side, space in told.state.spaces.items():
                    yield from me.move(side, space)
                yield from me.wait(8)
                me.key(pygame.K_SPACE)
            elif told.stage is Stage.DO and isinstance(told.step, Step):
                wrong = told.step.mistakes[0]
                deed = wrong.deed if (told.step.id, wrong.name) not in answered else told.step.deed
                yield from performed(me, told, deed)
                if deed is wrong.deed:
                    yield from me.until(lambda _: bool(taught.told and taught.told.answer))
                    assert taught.told is not None
                    assert taught.told.answer == wrong.name
                    answered.append((told.step.id, wrong.name))
                    for lying in me.hands.view.cards:
                        if lying.card not in before:
                            yield from me.take_back(lying.card)
                    for side, space in told.state.spaces.items():
                        yield from me.move(side, space)
                    yield from me.until(lambda _: bool(taught.told and taught.told.stage is Stage.DO))
            else:
                me.key(pygame.K_SPACE)
            yield from me.wait(10)
        raise AssertionError(f"not learned: {answered}")

    before: set[Card] = set()

    def performed(me: Any, told: Telling, deed: Deed) -> Any:
        side = told.state.to_act
        assert side is not None
        before.clear()
        before.update(card.card for card in me.hands.view.cards)
        for value in deed.values:
            card = next(card for card in me.cards if card.value == value)
            yield from me.lay(card, *me.free_place())
            yield from me.wait(2)
        for mover, forward in ((side, deed.forward), (side.other, deed.other)):
            if forward:
                yield from me.move(mover, told.state.spaces[mover] + mover.forward * forward)
        yield from me.wait(6)
        yield from me.press(side)

    at_window(person)
    words = ["teach", "--camera", "synthetic", "--player", "Ana", "--player", "Ben", "--lesson", "moving", "--no-game"]
    assert main([*words, *own]) == 0
    assert Progress(tmp_path / FILE).of("Ben").lessons == {"moving"}
    assert len(answered) == 3


def test_robots_are_pupils_where_nobody_can_sit(at_window: Opens, own: list[str]) -> None:
    assert main(["teach", "--camera", "synthetic", "--headless", "--pupils", "people", *own]) == 1
