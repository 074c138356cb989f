"""Which codes are shown at the table: the scoreboard's address before a match, its page and the play at its end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from display.screens.qr import ScanCode
from display.view import ViewModel
from display.words.review import share_text
from display.words.sentences import words_for
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.scores.sharing import MatchResult, play_link
from firmware.web.address import address_of
from vision.printed.qr import qr_rows


class Codes:
    """Gives the codes for what is shown. ``address`` gives that of the scoreboard, empty while there is none;
    ``number`` that of the match in the scorebook, None where it is in none: it has no page then."""

    def __init__(self, address: Callable[[], str] = str, number: Callable[[], int | None] = lambda: None) -> None:
        self._address = address
        self._number = number
        self._board: tuple[tuple[str, str], ScanCode] | None = None
        self._over: tuple[object, ScanCode] | None = None

    def __call__(self, view: ViewModel) -> tuple[ScanCode, ...]:
        """None while somebody is at work: the lamps have their place then."""
        if view.phase not in (None, Phase.SETUP, Phase.MATCH_OVER) or view.joy_s is not None:
            return ()
        say = words_for(view.language, view.names)
        address, over = self._address(), view.phase is Phase.MATCH_OVER
        number = self._number() if over and view.mode == "play" else None
        page, opens = ("", "scoreboard") if number is None else (address_of(number), "match")
        board = (self._scoreboard(f"{address}{page}", share_text(say, opens)),) if address else ()
        if not over or view.mode == "demo":
            return board
        return (*board, self._play(view, share_text(say, "play")))

    def _scoreboard(self, address: str, text: str) -> ScanCode:
        if self._board is None or self._board[0] != (address, text):
            self._board = (address, text), ScanCode(qr_rows(address), text)
        return self._board[1]

    def _play(self, view: ViewModel, text: str) -> ScanCode:
        mark = (view.names, view.score, text)
        if self._over is None or self._over[0] != mark:
            winner = view.ending.winner if view.ending is not None else None
            first = Side.WHITE if view.starter is None else view.starter
            starter = first if view.round % 2 else first.other
            link = play_link(MatchResult(view.names, view.score, winner, starter, datetime.now(UTC)))
            self._over = mark, ScanCode(qr_rows(link), text)
        return self._over[1]
