"""The coach at the table: a helper who adds to what is shown and hears what is pressed before the game does.

Off until both players agreed with their own buttons; either ends it at any time; a new match begins without it. The
companion agrees to hints by itself; open hands are not for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Final, Generic, TypeVar

from display.menu.model import Act
from display.view import PanelView, Situation
from display.words.advice import advice_panel, hints_panel, noticed, questioned, wrong_hand_panel
from display.words.retelling import retold_situation
from display.words.sentences import words_for
from engine.odds import options, public_hints
from engine.record.course import Course, CourseStep
from engine.record.retelling import RetoldPage, finished_round, retell
from engine.rules.cards import Card
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, Settings
from engine.table.observation import CardReading, Sight, TableObservation
from engine.table.presses import Button, Press
from engine.table.table_reading import OpenTurn, new_cards
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import RETELLING, Agree, Hold, Release
from firmware.table.loop.watched import Part
from firmware.ui.companion.opponents import companion_in
from vision.look import Look
from vision.printed.table import PlayArea


class Mode(Enum):
    """Help that both players have to agree to."""

    HINTS = "help"  # as recordings had it from the first
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Question:
    """Whether both want ``mode``; ``agreed``: the one who has said yes, None for nobody yet."""

    mode: Mode
    agreed: Side | None = None


class PlayedOn:
    """Ends a turn by a press that answers no question, while the question waits for the other player.

    Only a legal turn laid since the question, or since the yes, counts: hands laid open too early and a second press
    out of impatience do not. The eyes are waited for, up to ``patience_s``.
    """

    def __init__(self) -> None:
        self._then: OpenTurn | None = None
        self._now: OpenTurn | None = None
        self._steady = False
        self._press: Press | None = None

    def saw(self, turn: OpenTurn | None, sight: Sight) -> None:
        """Take the turn that lies on the table, and whether the eyes are sure of it."""
        self._now, self._steady = turn, sight is Sight.STEADY

    def asked(self) -> None:
        """The question was put, or half answered: what lies there by now was laid before."""
        self._then, self._press = self._now, None

    def pressed(self, press: Press) -> None:
        """This press was no answer."""
        self._press = press

    def due(self, now_s: float, patience_s: float) -> tuple[Press, ...]:
        """The press that ended a turn, once it is sure that it did."""
        press, turn = self._press, self._now
        if press is None or (not self._steady and now_s - press.t_s <= patience_s):
            return ()
        self._press = None
        if now_s - press.t_s > patience_s:
            return ()
        played = turn is not None and turn.ruling.ok and turn != self._then
        if not played or turn is None or press.button.side not in (None, turn.player):
            return ()
        return (replace(press, t_s=now_s),)


HYSTERESIS_MM: Final = 10.0
"""A card has to go so far over the line before it counts as being on the other side of it."""

NO_HANDS: Final[BySide[tuple[Card, ...]]] = BySide((), ())


class OpenHands:
    """Keeps hands and played cards apart: hands lie in the lower half of the ``area``, White's on the left.

    A card on the line stays what it was.
    """

    def __init__(self, area: PlayArea) -> None:
        self._middle_x_mm, self._line_y_mm = area.middle
        self._held: dict[Card, bool] = {}
        self._lay: set[tuple[Card, float, float, float]] = set()
        self._glimpsed: dict[Card, bool] = {}
        self.hands = NO_HANDS
        """The cards that lie in each player's part, as of the last ``sift``, in the order of the deck."""

    def forget(self) -> None:
        """No hands lie open any more."""
        self._held, self._lay, self._glimpsed = {}, set(), {}
        self.hands = NO_HANDS

    def sift(self, seen: TableObservation) -> TableObservation:
        """The table without the cards in the hands.

        Unsure cards there are left out, too: half hidden codes, and glimpses that may be a card just drawn. Glimpses
        beside the hands are asked about as in any game.
        """
        held = {reading.card: self._is_held(reading) for reading in seen.cards}
        lay = {(reading.card, reading.x_mm, reading.y_mm, reading.laid_at_s) for reading in seen.cards}
        came = {card for card, *_ in lay - self._lay}
        glimpsed = {card: self._was_in_a_hand(card, came, held) for card in seen.glimpsed}
        self._held, self._lay, self._glimpsed = held, lay, glimpsed
        found: dict[Side, list[Card]] = {side: [] for side in Side}
        for reading in seen.cards:
            if held[reading.card]:
                found[Side.WHITE if reading.x_mm < self._middle_x_mm else Side.BLACK].append(reading.card)
        self.hands = BySide(tuple(sorted(found[Side.WHITE])), tuple(sorted(found[Side.BLACK])))
        return replace(
            seen,
            cards=tuple(reading for reading in seen.cards if not held[reading.card]),
            doubts=tuple(
                doubt
                for doubt in seen.doubts
                if (not glimpsed[doubt.card] if doubt.card is not None else doubt.y_mm >= self._line_y_mm)
            ),
        )

    def _was_in_a_hand(self, card: Card, came: set[Card], held: dict[Card, bool]) -> bool:
        """True if this card was glimpsed in a hand for sure.

        A card is glimpsed once another covers it: it lies where those lie that came, or were nudged, with this look.
        """
        known = self._glimpsed.get(card)
        return known if known is not None else bool(came) and all(held[other] for other in came)

    def _is_held(self, reading: CardReading) -> bool:
        was = self._held.get(reading.card)
        over_mm = reading.y_mm - self._line_y_mm
        if was is None or abs(over_mm) > HYSTERESIS_MM:
            return over_mm < 0
        return was


NOTICE_S: Final = 4.0
"""How long it is said that something was agreed to, or ended."""
_OPEN_PHASES: Final = (Phase.TURN, Phase.FINAL)
_OVER: Final = (Phase.ROUND_OVER, Phase.MATCH_OVER)
_PAGING: Final = {Button.WHITE: -1, Button.BLACK: 1, Button.ACT: 1}

OFFERS: Final = {Mode.HINTS: (Act("hints"), Act("end_hints")), Mode.OPEN: (Act("open_hands"), Act("end_open_hands"))}
"""How each is proposed in the menu, and how it is ended."""


class Coach(Helper):
    """Helps both players as far as they agreed. ``at_hand``: a menu and keys are there to have a round told again."""

    part: Final = Part.COACH

    def __init__(self, area: PlayArea, people: People, *, at_hand: bool = False) -> None:
        super().__init__()
        self._hands = OpenHands(area)
        self._people = people
        self._at_hand = at_hand
        self._course: Course | None = None
        self._settings = Settings()
        self._busy = False
        self._match: CourseStep | None = None
        self._proposed: Mode | None = None
        self._question: Question | None = None
        self._played_on = PlayedOn()
        self._notice: tuple[str, float | None] | None = None
        self._pages: tuple[RetoldPage, ...] = ()
        self._at = 0
        self._shown: Kept[PanelView | None] = Kept()
        self._finished: Kept[tuple[CourseStep, ...]] = Kept()

    def is_on(self, mode: Mode) -> bool:
        """Whether both have agreed to it."""
        return mode.value in self._people.agreed

    @property
    def can_retell(self) -> bool:
        """Whether there is a finished round to tell."""
        return bool(self._last_round)

    @property
    def retells(self) -> bool:
        """Whether a round is being told again, which every press pages or ends."""
        return bool(self._pages)

    @property
    def _last_round(self) -> tuple[CourseStep, ...]:
        return self._finished((self._course,), lambda: finished_round(self._course))

    @property
    def offers(self) -> dict[Act, Callable[[], None]]:
        """The menu lines that ask for help or end it in this match, and what each does."""
        offers: dict[Act, Callable[[], None]] = {}
        for mode in Mode if self._match is not None else ():
            ask, end = OFFERS[mode]
            if self.is_on(mode):
                offers[end] = partial(self.end, mode)
            elif mode is not Mode.OPEN or self._companion is None:
                offers[ask] = partial(self.propose, mode)
        return offers

    def propose(self, mode: Mode) -> None:
        """Ask both whether they want this."""
        if not self.is_on(mode):
            self._put(mode)

    def _put(self, mode: Mode) -> None:
        self._question = Question(mode)
        self._played_on.asked()

    def propose_next(self, mode: Mode) -> None:
        """Ask both when the next match has begun."""
        self._proposed = mode

    def end(self, mode: Mode) -> None:
        """End it, as either of them may."""
        if self.is_on(mode):
            self._asked.append(Agree(tuple(other for other in self._people.agreed if other != mode.value)))
            self._notice = "off", None

    def retell(self) -> None:
        """Tell the last finished round again; nothing is judged meanwhile."""
        if not self._pages and self.can_retell:
            self._pages, self._at = retell(self._last_round), 0
            self._asked.append(Hold(RETELLING))

    # -- presses -------------------------------------------------------------------------------------------------------

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Take answers and page turns; return the presses of the game."""
        if self._pages:
            return self._page(presses)
        if not self._busy:
            played = self._played_on.due(now_s, self._settings.patience_s)
            presses = (*played, *(press for press in presses if not self._answered(press)))
        return presses

    def _answered(self, press: Press) -> bool:
        """Whether this press was the question's: an answer, or none that has to wait."""
        question, button = self._question, press.button
        if question is None or button is Button.MENU:
            return False
        if button is Button.UNDO:
            self._question, self._notice = None, ("no", None)
        elif button.side is None or button.side is question.agreed:  # nobody agrees for the other
            self._played_on.pressed(press)
        elif question.agreed is None:
            self._question = replace(question, agreed=button.side)
            self._played_on.asked()
        else:
            self._question, self._notice = None, (f"on_{question.mode.name.lower()}", None)
            self._asked.append(Agree((*self._people.agreed, question.mode.value)))
        return True

    def _page(self, presses: tuple[Press, ...]) -> tuple[Press, ...]:
        """Back and on through the round, until its end is passed or anything else is pressed."""
        for press in presses:
            if press.button in _PAGING and self._at + _PAGING[press.button] < len(self._pages):
                self._at = max(0, self._at + _PAGING[press.button])
            else:
                self._pages = ()
                self._asked.append(Release(RETELLING))
                break
        return ()

    # -- the table and the screen ------------------------------------------------------------------------------------

    def anew(self) -> None:
        """Without a round that was being told again, and without a question."""
        self._pages, self._question = (), None
        self._asked[:] = [Release(RETELLING)]

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The table without the hands that lie open: at the end of a round they are the referee's to see."""
        self._follow(desk)
        self._ask_companion()
        if not self.is_on(Mode.OPEN) or desk.state is None or desk.state.phase not in _OPEN_PHASES:
            self._hands.forget()
            return seen
        return self._hands.sift(seen)

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """Add a round told again, a question, hints, or what an open hand can do."""
        self._course, self._busy = desk.course, situation.paused or situation.table.comparing is not None
        if self._pages:
            return retold_situation(self._pages[self._at], situation)
        self._played_on.saw(situation.table.open_turn, look.table.sight)
        if self._busy:
            return situation
        if self._question is not None:
            return questioned(situation, self._question.mode.name.lower(), self._question.agreed)
        situation = self._noticed(situation, look.table.t_s)
        state = desk.state
        if self._at_hand and state is not None and state.phase in _OVER:
            situation = replace(situation, helped=replace(situation.helped, can_retell=self.can_retell))
        panel = self._panel(situation, state, look.table) if state is not None else None
        return situation if panel is None else replace(situation, helped=replace(situation.helped, panel=panel))

    def attend(self, moment: Moment) -> None:
        """Take how long a press waits for the eyes."""
        self._settings = moment.settings

    def _follow(self, desk: Desk) -> None:
        """A new match begins without anything agreed, but for what was proposed with it."""
        match = desk.course.steps[0] if desk.course is not None else None
        if match is self._match:
            return
        begun = self._match is not None or self._proposed is not None
        self._match = match
        if begun:
            self._question = None
            if self._proposed is not None:
                self._put(self._proposed)
            self._proposed = None

    @property
    def _companion(self) -> Side | None:
        plays = companion_in(self._people.names)
        return plays[0] if plays is not None else None

    def _ask_companion(self) -> None:
        """It has no button: it agrees to hints at once, and never to open hands."""
        side, question = self._companion, self._question
        if side is None or question is None:
            return
        if question.mode is Mode.OPEN:
            self._question, self._notice = None, ("alone", None)
        elif question.agreed is None:
            self._question = replace(question, agreed=side)

    def _noticed(self, situation: Situation, now_s: float) -> Situation:
        """Say for a while what was agreed to or ended, unless something is more urgent."""
        if self._notice is None:
            return situation
        key, until_s = self._notice
        self._notice = key, now_s + NOTICE_S if until_s is None else until_s
        if until_s is not None and now_s > until_s:
            self._notice = None
            return situation
        refused = situation.ruling is not None and not situation.ruling.ok
        if (
            refused
            or situation.table.note is not None
            or situation.table.open_turn is not None
            or situation.table.waiting
        ):
            return situation
        return noticed(situation, key)

    def _panel(self, situation: Situation, state: PublicState, seen: TableObservation) -> PanelView | None:
        """The words beside the game, of what was agreed to: the same ones until something they tell of changes."""
        on = tuple(mode for mode in Mode if self.is_on(mode))
        if not on:
            return None
        laid = tuple(reading.card for reading in new_cards(state, seen)) if self.is_on(Mode.OPEN) else ()
        made_of = (situation.language, self._people.names, state, on, self._companion, self._hands.hands, laid)
        return self._shown(made_of, lambda: self._panel_of(situation.language, state, laid))

    def _panel_of(self, language: str, state: PublicState, laid: tuple[Card, ...]) -> PanelView | None:
        told = public_hints(state)
        if told is None or told.side is self._companion:
            return None
        say = words_for(language, self._people.names)
        if self.is_on(Mode.OPEN):
            side = told.side
            held = tuple(card for card in self._hands.hands[side] if card not in state.played)
            played = tuple(card for card in self._hands.hands[side] if card in state.played)
            hand = (*held, *laid)
            if self.is_on(Mode.HINTS) and not self._hands.hands[side]:
                return hints_panel(say, told)  # the hand stays hidden: say what both may know
            wrong = wrong_hand_panel(say, side, hand, state.hands[side], played)
            if wrong is not None:
                return wrong
            view = PlayerView(state, side, hand)
            return advice_panel(say, view, options(view, self._whole_hand(state, side.other)))
        return hints_panel(say, told)

    def _whole_hand(self, state: PublicState, side: Side) -> tuple[Card, ...] | None:
        held = self._hands.hands[side]
        return held if len(held) == state.hands[side] and not set(held) & set(state.played) else None


Answer = TypeVar("Answer")


class Kept(Generic[Answer]):
    """Caches one answer: ``kept(made_of, work)`` calls ``work`` only if ``made_of`` differs from the last call.

    ``made_of`` are all values that ``work`` looks at; they are compared, the same objects at once.
    """

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], Answer] | None = None

    def __call__(self, made_of: tuple[object, ...], work: Callable[[], Answer]) -> Answer:
        if self._last is None or self._last[0] != made_of:
            self._last = made_of, work()
        return self._last[1]
