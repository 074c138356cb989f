"""Between matches the table asks whether the pair that the hall calls is there; both buttons begin its match.

The hall calls as soon as a match is over. Its end stays on the screen all the same, until a button is pressed or it
has been there long enough to be read: the press that ended the match is often made twice, and says nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.view import Situation
from display.words.club import Call, called
from engine.competition.bouts import EXTRA_S, Tie
from engine.record.corrections import Correction, Setting
from engine.rules.events import Limit, MatchEvent
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk
from engine.table.presses import Button, Press
from firmware.extras.club.shape import NO_HANDICAP, NextCall
from firmware.extras.club.wall import RESULT_S
from firmware.table.loop.moment import Helper
from firmware.table.loop.requests import Begin, Enter
from firmware.table.loop.watched import Part
from vision.look import Look

HANDICAP: Final = "begins with a handicap"
"""Why the score is put right at the beginning, as the journal has it."""
MIN_RESULT_S: Final = 2.0
"""A button pressed sooner after the end was pressed for the match."""
_BETWEEN: Final = (None, Phase.SETUP, Phase.MATCH_OVER)


class Called(Helper):
    """Asks, and begins the match. ``confirmed`` is told the bout and the names once both have pressed."""

    part: Final = Part.CLUB

    def __init__(
        self,
        confirmed: Callable[[str, BySide[str]], None],
        make_room: Callable[[], None] = lambda: None,
        lot: Callable[[], Side] = lambda: secrets.choice(list(Side)),
    ) -> None:
        """``make_room`` has what else is shown between matches leave the screen; ``lot`` draws who has priority."""
        super().__init__()
        self._confirmed, self._make_room, self._lot = confirmed, make_room, lot
        self._heard: NextCall | None = None
        self._asks = False
        self._ahead = NO_HANDICAP
        self._said: NextCall | None = None
        self._call: Call | None = None
        self._here: set[Side] = set()
        self._refused: tuple[str, int] | None = None
        self._begun: tuple[str, int] | None = None
        self._rules = DEFAULT_RULES.name
        self._between = self._played = False
        self._now_s = 0.0
        self._ended_s: float | None = None

    def on_next(self, said: NextCall | None) -> None:
        """Note the hall's call, from another thread: one value is put in the place of another."""
        self._said = said

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """While the question stands the presses are answers to it."""
        self._listen()
        self._now_s = now_s
        if self._call is None or not self._between:
            return presses
        if self._shows_result():
            return self._hear_at_the_end(presses)
        left: list[Press] = []
        for press in presses:
            if press.button is Button.UNDO:
                self._refused = _named(self._said)
                self._forget()
                return tuple(left)
            if press.button.side is None:
                left.append(press)
                continue
            self._here.add(press.button.side)
            if len(self._here) == 2:
                self._begin(self._call)
                return ()
        return tuple(left)

    def _hear_at_the_end(self, presses: tuple[Press, ...]) -> tuple[Press, ...]:
        """A button makes room for the next pair. To take back and the menu are what they always are."""
        others = tuple(press for press in presses if press.button in (Button.UNDO, Button.MENU))
        if len(others) < len(presses) and self._shown_s() >= MIN_RESULT_S:
            self._ended_s = None
        return others

    def _shown_s(self) -> float:
        return 0.0 if self._ended_s is None else self._now_s - self._ended_s

    def _shows_result(self) -> bool:
        """Whether a match ended here just now, and people are to read how."""
        return self._ended_s is not None and self._shown_s() < RESULT_S

    def _follow(self, state: PublicState | None) -> None:
        """Note when a match that was played here comes to its end; one taken up after it is read already."""
        if state is None or state.phase is not Phase.MATCH_OVER:
            self._played, self._ended_s = state is not None and state.round > 0, None
        elif self._played:
            self._played, self._ended_s = False, self._now_s

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The question, between matches only."""
        state = desk.state
        self._follow(state)
        self._between = (None if state is None else state.phase) in _BETWEEN and (
            state is None or state.phase is Phase.MATCH_OVER or state.round == 0
        )
        if state is not None:
            self._rules = state.rules.name
            if self._ahead != NO_HANDICAP and state.phase is Phase.TURN:  # there is a round to begin with it now
                self._asked.append(Enter(Correction((Setting(score=self._ahead),), HANDICAP)))
                self._ahead = NO_HANDICAP
        if self._call is None or not self._between or situation.helped.panel is not None:
            self._asks = False
            return situation
        if self._shows_result():
            return replace(situation, next_pair=self._call.names)
        if not self._asks:
            self._make_room()
        self._asks = True
        return called(self._before(situation, self._call), self._call, self._here)

    def _before(self, situation: Situation, call: Call) -> Situation:
        """The table before that match: these two have not fenced what the last pair did."""
        state, _ = judge(None, MatchEvent(self._rules, points=call.points, limit=call.limit))
        assert state is not None
        return replace(situation, state=state._replace(score=call.ahead), ruling=None, revealed=None)

    def _listen(self) -> None:
        said, named = self._said, _named(self._said)
        if said is not None and self._played and named == self._begun:
            self._refused = named  # taken back at its end, it is called again while it is played
        elif named != self._refused:
            self._refused = None  # whom the hall calls after that, it calls anew: a bout may be fenced again
        if said is None or named == self._refused:
            self._forget()
        elif said != self._heard:
            self._heard, self._call, self._here = said, self._drawn(said), set()

    def _drawn(self, said: NextCall) -> Call:
        """The call with how long it is and the lot drawn: before the match, and once for each."""
        limit = None
        if said.time_s is not None:
            extra_s = EXTRA_S if said.tie is Tie.EXTRA else 0
            limit = Limit(said.time_s, extra_s, None if said.tie is Tie.TOUCH else self._lot())
        return Call(said.names, said.points, said.handicap, limit)

    def _forget(self) -> None:
        self._heard, self._call, self._here = None, None, set()

    def _begin(self, call: Call) -> None:
        assert self._heard is not None
        self._confirmed(self._heard.bout, call.names)
        opening = MatchEvent(self._rules, points=call.points, limit=call.limit)
        self._asked.append(Begin(opening, call.names))
        self._ahead = call.ahead
        self._refused = self._begun = _named(self._heard)  # it is played now: the hall calls the next one
        self._forget()


def _named(said: NextCall | None) -> tuple[str, int] | None:
    """Which match is called: its bout, and its number in that."""
    return None if said is None else (said.bout, said.match)
