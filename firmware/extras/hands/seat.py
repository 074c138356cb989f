"""Between the window and the table that people play at: what lies there and in their hands is shown, what they do
there is acted.

It tells the referee nothing. What it knows of the game is what the screen shows; whose cards are whose it knows as the
dealer does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from display.i18n import words
from display.tabletop.hands import Hands
from display.tabletop.model import (
    Acted,
    Arm,
    Fan,
    Held,
    Laid,
    LetGo,
    LyingCard,
    Played,
    PointerDeed,
    Put,
    Taken,
    Target,
    TopView,
)
from display.view import Situation
from display.words.sentences import Said, hand_words, shown_name
from engine.companion.backs import DeckBacks
from engine.lessons.lesson import PracticeRound, StepStage, Telling
from engine.players.bots.strengths import STRENGTHS, rivals_in
from engine.record.course import Course
from engine.rules.cards import DECK, Card
from engine.rules.events import RoundEvent, UndoEvent
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import START, BySide, Side
from engine.table.desk import Desk
from engine.table.possible_turns import Lead, leads
from engine.table.presses import Button
from firmware.extras.hands.lesson_hands import LessonHands, TeachersHands, Told
from firmware.extras.hands.pictures import table_pictures
from firmware.extras.hands.played_table import PlayedTable, before, discarded, put_back, undos_to_own_turn
from firmware.extras.hands.rival import Holding, free_place, holding, reveal_acts, turn_acts
from firmware.extras.hands.table_top import Clear, Cover, Deal, Lay, MoveFigure, MoveTo, PressButton, TableTop, Take
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import Enter
from firmware.ui.companion.companion import Thinker
from firmware.ui.companion.opponents import companion_in
from vision.look import Look
from vision.synthetic.scene import Scene, SceneCard, SceneFigure

SNAP_MM: Final = 34.0
"""A fencer put down so near the middle of the piste stands on the nearest space."""
SLOT_MM: Final = 40.0
"""A card put down so near the middle of a slot stays face down."""
OPEN_HANDS: Final = "open"
"""The agreement to play with open hands, as the coach calls it."""
TAKE_BACK_S: Final = 1.0
"""A second press so soon is a child's double press, and takes nothing more back."""
_TOLD_S: Final = 4.0  # so long it is said that there is nothing to be taken back
_ANSWERED_S: Final = 9.0  # so long an answer to its press is waited for


@dataclass(slots=True)
class _Rival:
    """A bot at this table: with what it thinks, and what it has done about which state."""

    side: Side
    strength: str
    thinker: Thinker
    about: PublicState | None = None
    verdicts: int = -1
    tried: int = 0
    done_s: float = 0.0


class Seat(Helper):
    """Shows the table in the window's ``hands``, and does there what people and bots do.

    ``people`` say by their names who is a bot and who is the companion. ``rng`` deals the cards, but in lessons: there
    everybody has the cards that the lesson gives.
    """

    def __init__(self, table: PlayedTable, rng: Random) -> None:
        super().__init__()
        self._lesson: LessonHands | None = None
        self._teacher: TeachersHands | None = None
        self.hands = Hands(table_pictures(table.top.table), self._does)
        self._table = table
        self._rng = rng
        self._people = People(BySide("White", "Black"), "en")
        self._desk = Desk()
        self._used: tuple[Card, ...] = ()
        self._shown_to: Side | None = None
        self._rivals: dict[Side, _Rival] = {}
        self._now_s = 0.0
        self._paused = False
        self._retold = False
        self._asks_both = False
        self._taken_back_s = -TAKE_BACK_S
        self._undo_due = False
        self._nothing_until_s = 0.0

    def sit(self, people: People, told: Told | None = None) -> Seat:
        """The same seat, in a match of these people or, where a teacher has ``told`` it, in their lessons."""
        self._people, self._lesson = people, None if told is None else LessonHands(told, self._rng)
        self._teacher = None if self._lesson is None else TeachersHands(self._lesson, self._rng)
        self._shown_to = None
        return self

    def deck_of(self, letter: str) -> DeckBacks:
        """The backs of the cards at this table, which nobody has to be shown."""
        return DeckBacks(letter, dict(self._table.top.backs or {}))

    def put_back(self, before: TableTop) -> None:
        """Have everything lie and stand as it did then."""
        lying = (Lay(card.card, card.x_mm, card.y_mm, card.turn_deg, card.face_up) for card in before.cards)
        standing = (MoveFigure(side, figure.x_mm, figure.y_mm) for side, figure in before.figures.items())
        self._table.do(Clear(), *lying, *standing)

    @property
    def top(self) -> TableTop:
        """The cards and fencers there now."""
        return self._table.top

    def close(self) -> None:
        """Let go of what the bots think with."""
        for rival in self._rivals.values():
            rival.thinker.close()
        self._rivals = {}

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The situation, at a table that puts itself back. Somebody else may ask both sides, or tell a round again.

        A turn that is still seen but was taken off the table is not told.
        """
        helped, table, told, state = situation.helped, situation.table, self._teaching, desk.state
        self._retold = helped.retold
        asks = any((helped.verdict, table.comparing, table.offer)) and not helped.asked
        self._asks_both = asks if told is None else told.stage is StepStage.ASK
        tidies = told is None and self._companion is None
        if tidies and self._used and state is not None and not put_back(self._table.top, self._used, state):
            table = replace(table, open_turn=None)
        return replace(situation, table=table, devices=replace(situation.devices, tidies=tidies))

    def attend(self, moment: Moment) -> None:
        """Follow the screen: deal, have the bots act, and show the table."""
        self._desk, self._now_s, self._paused = moment.desk, moment.frame.t_s, moment.held
        state = self._desk.state
        if state is not None and self._practises and any(entry.ruling.ok for entry in moment.entries):
            self._table.do(*discarded(self._table.top, state))
        if state is not None and self._lesson is None:
            if any(isinstance(entry.event, UndoEvent) and entry.ruling.ok for entry in moment.entries):
                self._undone(state)
            elif any(entry.ruling.ok for entry in moment.entries):
                self._table.do(*discarded(self._table.top, state))
            began = any(isinstance(entry.event, RoundEvent) and entry.ruling.ok for entry in moment.entries)
            undealt = (began or state.phase is Phase.SETUP) and self._used == self._table.top.deck
            if state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
                self._used = self._table.top.deck
            if undealt and not self._table.busy:
                self._deal()
            self._sit_down()
            self._undo_due &= self._now_s < self._taken_back_s + TAKE_BACK_S
            if not moment.held and not self._undo_due:
                for rival in self._rivals.values():
                    self._play(rival, state)
        told, free = self._teaching, not self._table.busy and self._table.hold is None
        if self._teacher is not None and told is not None and told.pupil is not None and free:
            held = moment.held and told.stage is StepStage.DO
            self._table.plan(self._teacher.acts(told, self._table.top, self._now_s, held=held))
        self._show()

    # -- what people do ----------------------------------------------------------------------------------------------

    def post(self, button: Button) -> None:
        """Somebody at the screen pressed this. Nobody presses for a bot; a turn is taken back with its answer."""
        state = self._desk.state
        if self._lesson is not None or state is None or self._paused or self._asks_both:
            self._table.post(button)
        elif button is Button.UNDO and self._companion is None and state.phase is not Phase.MATCH_OVER:
            self._take_back(self._desk.course)
        elif (button.side or state.to_act) not in self._rivals and not self._sets_itself_up(state):
            self._table.post(button)

    def _sets_itself_up(self, state: PublicState) -> bool:
        """Whether everything lies and stands as a round begins, which it does once the camera has seen that."""
        before = state.phase in (Phase.SETUP, Phase.ROUND_OVER)
        stands = BySide(*(_space(self._table.top, side) for side in Side)) == START
        return before and stands and bool(self._table.top.deck) and not self._table.top.cards

    def _take_back(self, course: Course | None) -> None:
        """The turn that a person began or ended last, with what a bot answered: off the table, and out of the record.

        A second press within ``TAKE_BACK_S`` is a part of the first.
        """
        now_s = self._table.next_s
        if course is None or self._paused or now_s < self._taken_back_s + TAKE_BACK_S:
            return
        begun = course.state.to_act in self._persons and put_back(self._table.top, self._used, course.state)
        undos = 0 if begun else undos_to_own_turn(course, self._persons)
        if not begun and not undos:
            self._nothing_until_s = now_s + _TOLD_S
            return
        self._taken_back_s, self._undo_due = now_s, bool(undos)
        self._table.drop_plan()
        presses = (PressButton(Button.UNDO),) * undos
        self._table.do(*presses, *put_back(self._table.top, self._used, before(course, undos)))

    def _undone(self, state: PublicState) -> None:
        """Take cards of an undone turn off the table, and undo what a bot or hands that lie there would do again."""
        self._undo_due, course = False, self._desk.course
        if self._companion is not None or not self._used or course is None:
            return
        self._table.drop_plan()
        undos = 0 if state.to_act in self._persons else undos_to_own_turn(course, self._persons)
        self._asked += [Enter(UndoEvent())] * undos
        self._table.do(*put_back(self._table.top, self._used, before(course, undos)))

    def _does(self, deed: PointerDeed) -> None:
        table = self._table
        match deed:
            case Held(x_mm, y_mm, turn_deg, card, figure):
                table.hold = Cover(x_mm, y_mm, table.tick_s, card, figure)
            case LetGo():
                table.hold = None
            case Laid(card, x_mm, y_mm, turn_deg):
                self._laid(card, x_mm, y_mm, turn_deg)
            case Taken(card):
                if self._is_at_hand(card):
                    table.do(Take(card))
            case Put(side, x_mm, y_mm):
                table.do(self._standing(side, x_mm, y_mm))
            case Played(card, target):
                self._played(card, target)
            case Acted():
                self._acted()
        self._show()

    def _laid(self, card: Card | None, x_mm: float, y_mm: float, turn_deg: float) -> None:
        down = card is None
        if card is None:
            owed = self._owed(self._holding())
            if not owed:
                return
            card = owed[0]
        lying = self._table.top.lying(card)
        if lying is not None and not lying.face_up:  # out of its slot it is played, and so turned over
            slots = self._table.top.table.slots_mm
            down = any(abs(x - x_mm) < SLOT_MM and abs(y - y_mm) < SLOT_MM for x, y in slots)
        self._table.do(Lay(card, round(x_mm, 1), round(y_mm, 1), round(turn_deg, 1), not down))

    def _standing(self, side: Side, x_mm: float, y_mm: float) -> MoveFigure | MoveTo:
        """On the nearest space, or beside the piste where it was put."""
        spaces = self._table.top.table.spaces_mm
        nearest = min(range(len(spaces)), key=lambda number: abs(spaces[number].x - x_mm))
        place = spaces[nearest]
        if abs(place.y - y_mm) <= SNAP_MM and abs(place.x - x_mm) <= SNAP_MM:
            return MoveTo(side, nearest + 1)
        return MoveFigure(side, round(x_mm, 1), round(y_mm, 1))

    def _played(self, card: Card, target: Target) -> None:
        """Play this card of the hand, where there is room, and move the fencer to that space."""
        state = self._desk.state
        others = [(lying.x_mm, lying.y_mm) for lying in self._table.top.cards]
        own = [(lying.x_mm, lying.y_mm) for lying in self._table.top.cards if state and lying.card not in state.played]
        x_mm, y_mm = free_place(others, own)
        self._table.do(Lay(card, x_mm, y_mm))
        if target is not None and state is not None and state.to_act is not None:
            self._table.do(MoveTo(state.to_act, target))

    def _acted(self) -> None:
        """The one button: the offer, else a press of the player to act."""
        asked = None if self._lesson is None else self._lesson.to_set_up
        if asked is not None:
            self._table.do(Clear(), *(MoveTo(side, space) for side, space in asked.spaces.items()))
            return
        state = self._desk.state
        if state is None or self._paused or not self.hands.view.offer:
            self.post(Button.UNDO if self._retold else Button.ACT)
        elif state.phase is Phase.MATCH_OVER:
            self._table.post(Button.ACT)
        elif state.phase is Phase.REVEAL:
            self._show_hands()
        elif state.phase in (Phase.SETUP, Phase.ROUND_OVER):
            self._deal()
        else:
            self._shown_to = state.to_act

    def _show_hands(self) -> None:
        """Every hand at this screen, face up in its half."""
        held = self._holding()
        if held is None:
            return
        for side in self._persons:
            acts = reveal_acts(side, held.hands[side], self._now_s, self._rng)
            self._table.do(*(timed.act for timed in acts if isinstance(timed.act, Lay)))

    def _hidden_cards(self, held: Holding) -> bool:
        lying = {card.card for card in self._table.top.cards}
        return any(card not in lying for side in self._persons for card in held.hands[side])

    def _deal(self) -> None:
        self._shown_to = None
        self._table.do(Clear(), Deal(tuple(self._rng.sample(DECK, len(DECK)))))

    # -- who sits here -----------------------------------------------------------------------------------------------

    def _sit_down(self) -> None:
        wanted = rivals_in(self._people.names)
        if wanted == {side: rival.strength for side, rival in self._rivals.items()}:
            return
        self.close()
        for side, strength in wanted.items():
            self._rivals[side] = _Rival(side, strength, Thinker(STRENGTHS[strength](), meanwhile=True))

    @property
    def _companion(self) -> Side | None:
        found = companion_in(self._people.names)
        return None if found is None else found[0]

    @property
    def _persons(self) -> tuple[Side, ...]:
        """The sides whose cards people at this screen hold."""
        if self._teaching is not None and self._teaching.pupil is not None:
            return (self._teaching.pupil,)
        return tuple(side for side in Side if side not in {*rivals_in(self._people.names), self._companion})

    @property
    def _teaching(self) -> Telling | None:
        """The lesson's text; None in a match."""
        return None if self._lesson is None else self._lesson.told

    def _waits(self, state: PublicState) -> bool:
        """Whether a bot plays now, or the teacher."""
        told = self._teaching
        if told is None:
            return state.to_act in self._rivals
        others = told.pupil is not None and state.to_act is told.pupil.other
        return told.stage is StepStage.DO and (told.looks_on or others)

    def _is_at_hand(self, card: Card) -> bool:
        """Whether a person at this screen holds this card, or laid it in the turn that is open."""
        held = None if self._lesson is not None else self._holding()
        return held is None or any(card in held.hands[side] for side in self._persons)

    def _holding(self) -> Holding | None:
        """Both hands in the round being played; None while no round was dealt here."""
        state, deck = self._desk.state, self._table.top.deck
        playing = state is not None and state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL)
        return holding(deck, state) if playing and state is not None and deck else None

    def _owed(self, held: Holding | None) -> tuple[Card, ...]:
        """The cards that the companion drew and that do not lie in its slots yet."""
        if held is None or self._companion is None:
            return ()
        return tuple(card for card in held.hands[self._companion] if self._table.top.lying(card) is None)

    def _play(self, rival: _Rival, state: PublicState) -> None:
        held = self._holding()
        if held is None or self._table.busy:
            return
        if rival.about != state:
            rival.about, rival.tried, rival.done_s = state, 0, 0.0
        elif rival.tried and self._now_s < rival.done_s + _ANSWERED_S * rival.tried and not self._refused(rival):
            return
        if state.phase is Phase.REVEAL:
            acts = reveal_acts(rival.side, held.hands[rival.side], self._now_s, self._rng)
        elif state.to_act is rival.side:
            view = PlayerView(state, rival.side, held.hands[rival.side])
            chosen = rival.thinker(view, Random(f"{rival.side} {len(state.played)} {state.round}"))
            if chosen is None:
                return
            acts = turn_acts(view, chosen, self._table.top, self._now_s, self._rng)
        else:
            return
        self._table.plan(acts)
        rival.tried, rival.verdicts = rival.tried + 1, self._desk.verdicts
        rival.done_s = acts[-1].t_s if acts else self._now_s

    def _refused(self, rival: _Rival) -> bool:
        """Whether the screen has refused what it did last, once it has had time to read that."""
        ruling = self._desk.ruling
        refused = ruling is not None and not ruling.ok and self._desk.verdicts > rival.verdicts
        return refused and self._now_s > self._desk.verdict_s + 2.0 and rival.tried < 4

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        top, held = self._table.top, self._holding()
        own = self._table.hold
        scene = top.scene(self._now_s)
        arms = () if own is not None or not self._table.busy else self._arms(scene)
        in_air = {arm.card.card for arm in arms if arm.card is not None}
        cards = tuple(_lying(card) for card in scene.cards)
        if own is not None and own.card is not None:  # the pointer draws what it holds itself
            cards = tuple(card for card in cards if card.card != own.card)
        owed = self._owed(held)
        said = self._said(held, len(owed))
        state, told = self._desk.state, self._teaching
        player = None if state is None or state.to_act not in self._persons else state.to_act
        found, begun = self._leads(state, held, player)
        laid = {card.card for card in top.cards}
        settled = state.played if state is not None and (self._lesson is None or self._practises) else ()
        self.hands.view = TopView(
            cards=cards,
            figures=top.figures.map(lambda figure: (figure.x_mm, figure.y_mm)),
            arms=arms,
            fans=self._fans(held, {*(card.card for card in top.cards), *in_air}),
            pile=0 if held is None else len(held.pile),
            to_deal=len(owed),
            slots_mm=top.table.slots_mm if self._companion is not None else (),
            ask=said.ask,
            offer=said.offer,
            hint=said.hint,
            settled=settled,
            discards=tuple(card for card in settled if card not in laid),
            player=player,
            leads=found,
            stuck=player is not None and not found and not begun and (told is None or told.stage is StepStage.DO),
            answers=bool(state is not None and state.attack is not None and found),
            waits=state is not None and self._waits(state),
            both=len(self._persons) == 2 or self._asks_both,
            ended=self._ended(state),
        )

    @property
    def _practises(self) -> bool:
        """Whether a round is played in a lesson: with turns that are finished."""
        told = self._teaching
        return told is not None and told.stage is StepStage.DO and isinstance(told.step, PracticeRound)

    def _ended(self, state: PublicState | None) -> BySide[tuple[Card, ...]] | None:
        over = state is not None and state.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER) and self._lesson is None
        if not over or state is None or not self._used or self._companion is not None:
            return None
        return holding(self._used, state).hands

    def _leads(
        self, state: PublicState | None, held: Holding | None, player: Side | None
    ) -> tuple[Mapping[Card, Lead], bool]:
        """Where the cards lead that the player at this screen holds, and whether one of them lies on the table."""
        if state is None or player is None:
            return {}, False
        top = self._table.top
        lying = tuple(card.card for card in top.cards if card.card not in state.played)
        if self._lesson is not None:
            fans = self._lesson.fans({*lying}) if self._lesson.to_set_up is None else ()
            hand = (*(card for fan in fans if fan.owner is player for card in fan.cards), *lying)
        else:
            hand = () if held is None else held.hands[player]
        spaces = BySide(*(_space(top, side) for side in Side))
        laid = [card for card in lying if card in hand]
        return leads(state, hand, laid, spaces), bool(laid)

    def _arms(self, scene: Scene) -> tuple[Arm, ...]:
        arms = []
        for hand in scene.hands:
            held = hand.holds
            card = _lying(held) if isinstance(held, SceneCard) else None
            figure = held.side if isinstance(held, SceneFigure) else None
            arms.append(Arm(hand.side, hand.x_mm, hand.y_mm, card, figure))
        return tuple(arms)

    def _fans(self, held: Holding | None, lying: set[Card]) -> tuple[Fan, ...]:
        if self._lesson is not None:
            return self._lesson.fans(lying) if self._lesson.to_set_up is None else ()
        state = self._desk.state
        if held is None or state is None:
            return ()
        persons = self._persons
        if not self._all_shown(state) and len(persons) == 2 and state.to_act is not None:
            persons = (state.to_act,)
        fans = []
        for side in persons:
            hidden = len(self._persons) == 2 and not self._all_shown(state) and self._shown_to is not side
            fans.append(Fan(side, tuple(card for card in held.hands[side] if card not in lying), hidden))
        return tuple(fans)

    def _all_shown(self, state: PublicState) -> bool:
        """Whether both hands are seen by everybody: at the end of a round, and where both agreed to play so."""
        return state.phase is Phase.REVEAL or OPEN_HANDS in self._people.agreed

    def _said(self, held: Holding | None, owed: int) -> Said:
        language, state = self._people.language, self._desk.state
        if self._lesson is not None and self._lesson.to_set_up is not None:
            return hand_words(language, offer="set_up", hint="hint")
        how_to_play = hand_words(language, hint="hint")
        if self._lesson is not None or state is None:
            return how_to_play
        if state.phase is Phase.MATCH_OVER:
            return hand_words(language, offer="another")
        if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
            dealt = self._table.top.deck and self._table.top.deck != self._used
            return Said() if dealt else hand_words(language, offer="deal")
        if self._now_s < self._nothing_until_s:
            return hand_words(language, "nothing_to_take_back")
        if held is None:
            return Said()
        if state.phase is Phase.REVEAL:
            return hand_words(language, offer="show_all" if self._hidden_cards(held) else "", hint="hint_reveal")
        if owed:
            return hand_words(language, hint="hint_deal", count=owed)
        if self._all_shown(state):
            return how_to_play
        if len(self._persons) == 2 and state.to_act is not None and self._shown_to is not state.to_act:
            name = shown_name(words(language), state.to_act, self._people.names[state.to_act])
            return hand_words(language, "take", "show", name=name)
        return Said() if len(state.played) > 3 else how_to_play


def _space(top: TableTop, side: Side) -> int:
    """The space that is nearest to this fencer."""
    spaces = top.table.spaces_mm
    return 1 + min(range(len(spaces)), key=lambda number: abs(spaces[number].x - top.figures[side].x_mm))


def _lying(card: SceneCard) -> LyingCard:
    return LyingCard(card.card, card.x_mm, card.y_mm, card.turn_deg, card.face_up)
