"""The coach's screens worth seeing, in one language: for the contact sheet and for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from display.view import PanelView, Situation
from display.words.advice import advice_panel, hints_panel, noticed, questioned, wrong_hand_panel
from display.words.retelling import retold_situation
from display.words.sentences import words_for
from engine.odds import options, public_hints
from engine.record.course import Course, follow
from engine.record.retelling import finished_round, retell
from engine.rules.events import Event, MatchEvent, RevealEvent, YieldEvent
from engine.rules.state import PlayerView
from engine.rules.track import Side
from tests.display.showcase import CLOSE, LONG_ROUND, NAMES, SHOWN, cards, situations, turn


def coach_situations(language: str) -> Mapping[str, Situation]:
    """Hints, questions, what open hands can do, and pages of rounds told again, by name."""
    shown = {name: replace(situation, language=language) for name, situation in situations().items()}
    say = words_for(language, NAMES)
    made: dict[str, Situation] = {}
    for name in ("round", "advance", "attack_direct", "attack_indirect", "last_attack"):
        state = shown[name].state
        told = public_hints(state) if state is not None else None
        assert told is not None
        made[f"hints_{name}"] = replace(shown[name], helped=replace(shown[name].helped, panel=hints_panel(say, told)))
    for mode in ("hints", "open"):
        made[f"asked_{mode}"] = questioned(shown["round"], mode, None)
    made["asked_half"] = questioned(shown["advance"], "open", Side.WHITE)
    made["agreed"] = noticed(shown["round"], "on_open")
    for name, hand in (("round", "1a 2a 3a 4a 5a"), ("advance", "5b 5c 4d 1a 2a"), ("attack_direct", "5d 5e 3a 2b 1c")):
        made[f"open_{name}"] = replace(
            shown[name], helped=replace(shown[name].helped, panel=_advice(shown[name], hand))
        )
    short = wrong_hand_panel(say, Side.BLACK, cards("1a 2b"), 5, cards("4a"))
    made["open_short"] = replace(shown["advance"], helped=replace(shown["advance"].helped, panel=short))
    for name, events in (
        ("touch", (*CLOSE, turn("5b", 9, 14), YieldEvent(()))),
        ("hands", (*LONG_ROUND, turn("5c", 18, 22), RevealEvent(SHOWN.white, SHOWN.black))),
    ):
        pages = retell(finished_round(_course(events)))
        made[f"retold_{name}"] = retold_situation(pages[-1], shown["advance"])
    made["open_going_on"] = replace(
        shown["open_legal"], helped=replace(shown["open_legal"].helped, panel=made["open_advance"].helped.panel)
    )
    made["hints_going_on"] = replace(
        shown["open_answer"],
        helped=replace(shown["open_answer"].helped, panel=made["hints_attack_direct"].helped.panel),
    )
    made["retold_ended"] = replace(
        shown["more_cards"], helped=replace(shown["more_cards"].helped, panel=made["retold_hands"].helped.panel)
    )
    made["offered"] = replace(shown["touch"], helped=replace(shown["touch"].helped, can_retell=True))
    return made


def _advice(situation: Situation, hand: str) -> PanelView:
    state = situation.state
    assert state is not None
    assert state.to_act is not None
    view = PlayerView(state, state.to_act, cards(hand))
    return advice_panel(words_for(situation.language, NAMES), view, options(view))


def _course(events: tuple[Event, ...]) -> Course | None:
    course: Course | None = None
    for event in (MatchEvent("ferti-advanced"), *events):
        course, _ = follow(course, event)
    return course
