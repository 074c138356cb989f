"""The companion at the table, part by part and in whole matches, seen without pictures and on rendered frames."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from display.view import NO_NAMES, Mark
from engine.companion.backs import DeckBacks
from engine.companion.companion import CompanionWish, Strange, name_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot
from engine.rules.cards import DECK
from engine.rules.events import MatchEvent, RevealEvent, TurnEvent, YieldEvent
from engine.rules.legal import GiveUp
from engine.rules.state import Phase, PlayerView
from engine.rules.track import Side
from engine.table.observation import BackReading, CardReading
from engine.table.presses import Button, NoteKind, Press
from firmware.core.errors import EngardeError
from firmware.extras.simulation.camera import backs_by_lot
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.loop.moment import Helper, Moment, NoJournal, People
from firmware.table.loop.requests import Stop
from firmware.ui.companion.companion import TableCompanion, Thinker, slots_of
from tests.tables import SMALL_TABLE, TABLE
from tests.waiting import HANG_S, until
from vision.reading.backs import slot_areas
from vision.synthetic import PRESETS

PlayMatch = Callable[..., Any]


def check(played: Any) -> None:
    """The referee's match is the true one, and every slip was noticed."""
    director, state = played.director, played.loop.desk.state
    assert state.phase is Phase.MATCH_OVER
    assert state._replace(played=()) == director.state._replace(played=())
    assert director.tally.wrong == []
    assert director.tally.unanswered == 0
    assert director.slips == director.noticed


MATCHES: list[tuple[int, Side, str, dict[str, Any]]] = [
    (1, Side.BLACK, "en", {"strength": "novice", "points": 2, "mistakes": 0.5}),
    (2, Side.WHITE, "de", {"strength": "fencer", "points": 2, "starter": Side.BLACK}),
    (11, Side.BLACK, "fr", {"strength": "club", "points": 2, "mistakes": 0.6}),
    (12, Side.WHITE, "nl", {"strength": "master", "mistakes": 0.6, "starter": Side.BLACK}),
    (21, Side.BLACK, "de", {"strength": "maestro", "rules": "ferti-classic", "mistakes": 0.2}),
    (31, Side.WHITE, "en", {"strength": "first-day", "rules": "brettspielnetz", "mistakes": 0.6}),
]
"""Every strength, language, preset, side and starter, with slips and without."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "side", "language", "options"), MATCHES)
def test_matches_are_played_to_their_end_as_the_screen_asks(
    play_match: PlayMatch, seed: int, side: Side, language: str, options: dict[str, Any]
) -> None:
    played = play_match(seed, side, language=language, **options)
    check(played)
    assert bool(played.director.slips) is ("mistakes" in options)
    asked = 0
    for moment in played.moments:
        ruling = moment.desk.ruling
        if ruling is not None and not ruling.ok:  # nothing hides what the referee refuses
            assert moment.view.verdict.tone.value in ("refused", "question", "unseen")
        said = moment.view.companion
        if said is None or said.asked.wish is not CompanionWish.TURN:
            continue
        asked += 1
        plan = said.asked.plan
        moves = [plan.spaces[side]] if _moves(plan) else []
        # What the band says in larger letters the panel need not say again.
        (line,) = [line.text for line in moment.view.panel.lines if line.mark is Mark.NOW] or [
            moment.view.verdict.headline
        ]
        assert [int(number) for number in re.findall(r"\d+", line)] == [*said.asked.slots, *moves]
        if said.progress is not None and said.progress.misplaced is not None and not said.progress.unasked:
            wrong, *_ = [line.text for line in moment.view.panel.lines if line.mark is Mark.BAD] or [
                moment.view.verdict.detail
            ]
            assert [int(number) for number in re.findall(r"\d+", wrong)] == [plan.spaces[side], said.progress.misplaced]
    assert asked > 20
    assert all(moment.view.panel is not None for moment in played.moments)
    assert len({moment.view.heard.spoken.split(" ")[0] for moment in played.moments}) > 2


def _moves(plan: Any) -> bool:
    """Whether its own fencer moves in this turn, as the referee has it."""
    return plan.choice.step is not None


@pytest.mark.slow
def test_no_back_outside_the_slots_is_ever_looked_at(play_match: PlayMatch) -> None:
    """The pile and the other hand lie there, backs up; the companion's own hand is all that is read."""
    seen: list[PlayerView] = []

    class Watched(GreedyBot):
        def choose(self, view: PlayerView, rng: Any) -> Any:
            seen.append(view)
            return super().choose(view, rng)

    truth: list[tuple[Any, ...]] = []

    def watch(played: Any) -> None:
        director = played.director
        obey = director._obey

        def obeying() -> Any:
            truth.append(tuple(sorted(director._full.hands[Side.BLACK])))
            return obey()

        director._obey = obeying

    strengths = {**STRENGTHS, "club": Watched}
    played = play_match(41, Side.BLACK, points=2, change=watch, strengths=strengths)
    check(played)
    assert [view.hand for view in seen] == truth
    assert all(view.side is Side.BLACK for view in seen)


@pytest.mark.slow
def test_it_gives_up_by_itself_and_the_round_is_the_others(play_match: PlayMatch) -> None:
    given_up = 0
    for seed in (3, 11):
        played = play_match(seed, Side.BLACK, points=2)
        check(played)
        for moment in played.moments:
            for entry in moment.entries:
                if isinstance(entry.event, YieldEvent) and entry.by_hand:
                    given_up += 1
                    assert entry.ruling.ok
                    assert entry.state.result.winner is Side.WHITE
    assert given_up


@pytest.mark.slow
def test_at_a_reveal_its_cards_count_wherever_they_were_turned(play_match: PlayMatch) -> None:
    shown = 0
    for seed in (1, 2, 4):

        def in_their_slots(played: Any) -> None:
            director, show = played.director, played.director.stage.show

            def turned(side: Side, card: Any, number: int, aside: Any = (0.0, 0.0)) -> Any:
                placed = show(side, card, number, aside)
                if side is not Side.BLACK:
                    return placed
                x_mm, y_mm = played.eyes.table.slots_mm[number]
                return type(placed)(card, x_mm, y_mm)

            director.stage.show = turned

        played = play_match(seed, Side.BLACK, change=in_their_slots)
        check(played)
        events = [entry.event for moment in played.moments for entry in moment.entries if entry.ruling.ok]
        shown += any(isinstance(event, RevealEvent) for event in events)
    assert shown


@pytest.mark.slow
def test_a_turn_played_otherwise_stands_and_is_said(play_match: PlayMatch) -> None:
    """The person plays another legal turn for the companion: it counts, and the panel says so."""
    said: list[bool] = []

    def otherwise(played: Any) -> None:
        director, obey = played.director, played.director._obey
        done: list[Any] = []

        def obeying() -> Any:
            if done:
                yield from obey()
                return
            done.append(True)
            while director._asked_turn() is None:
                yield
            yield from director._wait(0.6)
            slots, _ = director._asked_turn()
            slot, card = next((slot, card) for slot, card in director._slots.items() if slot not in slots)
            space = director.state.spaces.black - card.value
            meant = TurnEvent((card,), director.state.spaces.white, space)
            yield from director._do(meant)
            yield from director._settle(meant, press=Side.BLACK)
            director._slots.pop(slot)

        director._obey = obeying

    played = play_match(81, Side.BLACK, change=otherwise)
    check(played)
    texts = [line.text for moment in played.moments for line in moment.view.panel.lines]
    said = [text.startswith("That isn’t what I asked for") for text in texts]
    assert any(said)


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["the person's", "the companion's"])
def test_a_card_in_a_slot_is_laid_only_where_the_companion_asked_for_one(play_match: PlayMatch, whose: str) -> None:
    """Dealt face up it would be a part of the person's turn; turned over where it lies, it is the companion's."""
    judged: list[tuple[CompanionWish, bool]] = []
    asked_about: list[Any] = []

    def deal_face_up(played: Any) -> None:
        look = played.eyes.look

        def looked(frame: Any) -> Any:
            seen, state = look(frame), played.loop.desk.state
            asked = played.companion.asked
            its_own = asked is not None and asked.wish is CompanionWish.TURN
            if played.director._full is None or state.to_act is None or its_own != (whose == "the companion's"):
                return seen
            x_mm, y_mm = played.eyes.table.slots_mm[2]
            stray = CardReading(played.director._full.pile[-1], x_mm, y_mm, frame.t_s)
            return replace(seen, table=replace(seen.table, cards=(*seen.table.cards, stray)))

        class Watch:
            def attend(self, moment: Any) -> None:
                if played.director._full is None:
                    return
                stray, note = played.director._full.pile[-1], moment.desk.note
                if note is not None and note.kind is NoteKind.CARD_UNSURE:
                    asked_about.append((note.cards, stray))
                if played.companion.asked is not None:
                    judged.append(
                        (played.companion.asked.wish, stray in [seen.card for seen in moment.look.table.cards])
                    )
                if asked_about or (CompanionWish.TURN, True) in judged or len(played.moments) > 200:
                    played.loop.ask(Stop())

        played.eyes.look = looked
        played.loop.audience = (*played.loop.audience, Watch())

    played = play_match(1, Side.BLACK, change=deal_face_up)
    said = {line.text for moment in played.moments for line in moment.view.panel.lines}
    assert {wish for wish, lay in judged if lay} == ({CompanionWish.TURN} if whose == "the companion's" else set())
    if whose == "the person's":
        ((cards, stray),) = asked_about
        assert cards == (stray,)
        assert "The card in slot 3 lies face up." in said


BACKS = backs_by_lot(1)
FULL = DeckBacks("A", BACKS)


def back(token: str, x_mm: float, y_mm: float, since_s: float = 0.0) -> BackReading:
    return BackReading(token, x_mm, y_mm, since_s)


def test_backs_are_cards_only_in_their_slots() -> None:
    (x, y), (x3, y3) = TABLE.slots_mm[0], TABLE.slots_mm[2]
    one, three, other = (BACKS[card] for card in (DECK[3], DECK[7], DECK[9]))
    lying = [
        back(one, x + 8.0, y - 9.0),
        back(three, x3 - 20.0, y3),
        back(other, 308.0, -116.0),
        back(other, x3 + 39.0, y3),
    ]
    assert slots_of(lying, FULL, TABLE) == (DECK[3], None, DECK[7], None, None)
    assert slots_of([back("QQQQQQ", x, y)], FULL, TABLE)[0] is Strange.UNKNOWN
    assert slots_of([back(one, x, y), back(three, x, y + 20.0)], FULL, TABLE)[0] is Strange.TWO
    assert slots_of([], FULL, TABLE) == (None,) * 5
    face_up = [CardReading(DECK[9], x + 8.0, y, 0.0), CardReading(DECK[11], 308.0, -116.0, 0.0)]
    assert slots_of(lying, FULL, TABLE, face_up) == (Strange.FACE_UP, None, DECK[7], None, None)


def test_slots_lie_apart_and_where_the_eyes_look() -> None:
    areas = slot_areas(TABLE)
    for number, area in enumerate(areas):
        assert area.y0 > TABLE.play_area.y0 - 22.0
        assert TABLE.play_area.x0 < area.x0
        assert area.x1 < TABLE.play_area.x1
        if number:
            assert area.x0 > areas[number - 1].x1 - 2.0


def test_thinking_holds_nothing_up() -> None:
    class Slow(GreedyBot):
        def choose(self, view: PlayerView, rng: Random) -> Any:
            go_on.wait(HANG_S)
            return GiveUp()

    go_on = threading.Event()
    view = PlayerView(None, Side.BLACK, ())  # type: ignore[arg-type]
    thinker = Thinker(Slow(), meanwhile=True)
    assert thinker(view, Random(1)) is None
    go_on.set()
    assert until(lambda: thinker(view, Random(1)) == GiveUp())
    thinker.close()
    assert Thinker(Slow(), meanwhile=False)(view, Random(1)) == GiveUp()


def test_without_a_registered_deck_it_says_the_cure_and_the_game_goes_on(play_match: PlayMatch) -> None:
    played = play_match(1, Side.BLACK, deck=FULL.without(DECK[5:]), until=40)
    told = "I can’t play: I know only 5 of the 25 backs."
    bands = [moment.view.verdict for moment in played.moments]
    assert any(band.headline == told and "show me every card" in band.hint for band in bands)
    assert any(band.headline == "White advances 4" for band in bands), "the referee's verdicts are shown all the same"
    assert played.moments[-1].view.panel.lines[0].text == told
    assert played.companion.asked is None


def test_a_spoiled_deck_file_stops_nobody(play_match: PlayMatch) -> None:
    def broken(_: str) -> DeckBacks:
        raise EngardeError("the file is spoiled")

    def spoil(played: Any) -> None:
        played.companion._deck_of = broken

    played = play_match(1, Side.BLACK, change=spoil, until=20)
    assert played.moments[-1].view.verdict.headline == "I can’t play: I know only 0 of the 25 backs."


def test_two_people_never_notice_it(play_match: PlayMatch) -> None:
    def leave(played: Any) -> None:
        played.loop.people.names = NO_NAMES

    played = play_match(1, Side.BLACK, change=leave, until=30)
    assert played.eyes.back_areas == ()
    assert played.eyes.asked_of == set()
    assert all(moment.view.panel is None for moment in played.moments)


def test_one_person_ends_its_turns_with_either_button() -> None:
    companion = TableCompanion(lambda _: FULL, STRENGTHS, TABLE, People(NO_NAMES, "en"), meanwhile=False)

    def heard(button: Button) -> Button:
        (press,) = companion.hear((Press(3.0, button),), 3.0)
        return press.button

    assert heard(Button.WHITE) is Button.WHITE
    companion._plays, companion._begun = (Side.BLACK, "fencer"), True
    assert heard(Button.WHITE) is Button.ACT
    assert heard(Button.BLACK) is Button.BLACK
    assert heard(Button.UNDO) is Button.UNDO
    companion._begun = False
    assert heard(Button.WHITE) is Button.WHITE, "nothing was done yet: that was a mistake"


def test_it_advises_beside_somebody_else(play_match: PlayMatch) -> None:
    asked: list[str] = []

    class Other(Helper):
        def sift(self, seen: Any, desk: Any) -> Any:
            asked.append("sift")
            return seen

        def advise(self, situation: Any, look: Any, desk: Any) -> Any:
            asked.append("advise")
            return replace(situation, helped=replace(situation.helped, spoken="hm"))

    def beside(played: Any) -> None:
        played.loop.helpers = (Other(), *played.loop.helpers)

    played = play_match(1, Side.BLACK, change=beside, until=10)
    assert asked[:2] == ["sift", "advise"]
    assert played.moments[-1].view.panel is not None


SEED = 7  # a short one with several slips


@pytest.mark.slow
def test_one_point_against_the_companion_seen_by_a_camera() -> None:
    backs: set[str] = set()
    unread = 0

    class Watch:
        def attend(self, moment: Moment) -> None:
            nonlocal unread
            backs.update(back.token for back in moment.look.table.backs)
            unread += len(moment.look.table.unread)

    people = People(NO_NAMES.put(Side.BLACK, name_of("fencer")), "de")
    plan = MatchPlan(MatchEvent("ferti-advanced", Side.BLACK, 1), SEED, 0.5, PRESETS["typical"])
    match = SimulatedMatch(plan, SMALL_TABLE, NoJournal(), [Watch()], people, companion=Side.BLACK)
    match.loop.run()
    report = match.report()
    assert report.state.phase is Phase.MATCH_OVER
    assert report.agrees
    assert report.tally.wrong == []
    director, companion = cast(WithCompanion, match.director), match.companion
    assert companion is not None
    assert director.slips == director.noticed
    assert sum(director.slips.values()) >= 2
    held = {director._backs[card] for card in companion._companion.own | set(report.state.played)}
    assert backs <= held, "no back outside the slots was ever read"
    assert unread == 0
