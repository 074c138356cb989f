"""The scoreboard of a match, and the codes on the screen that lead to it and to the match's page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from display.screens.qr import ScanCode
from display.view import ViewModel
from display.words.review import share_text
from display.words.sentences import words_for
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook
from firmware.cli.sitting.cameras import TableWish
from firmware.cli.sitting.sitting import Sitting
from firmware.table.loop.watched import Part, Watch
from firmware.web.address import Port, WebError, address_of
from firmware.web.switched import EVERYBODY, SwitchedScoreboard
from vision.printed.tags import qr_rows


def open_scoreboard(
    table: TableWish,
    where: tuple[str, int] | None,
    sitting: Sitting,
    book: Scorebook | None,
    held: ExitStack,
    say: Callable[[str], None],
) -> SwitchedScoreboard | None:
    """The scoreboard, served while the match lasts if that is wished or set; None where it cannot be switched on.

    ``where`` are the address and port that were asked for. ``book`` is where the match is written down, None where it
    is not.
    """
    window = sitting.window
    if window is not None:
        window.codes = Codes()
    if where is None and not sitting.camera.live:
        return None

    def number() -> int | None:
        return None if book is None else book.written

    names, language = table.settings.scoreboard_names, table.settings.language
    board = SwitchedScoreboard(say, where or (EVERYBODY, Port.SCOREBOARD), number, table.scorebook, names, language)
    held.enter_context(closing(board))
    if window is not None:
        window.codes = Codes(lambda: board.reachable, number)
    if where is not None or table.settings.scoreboard == "on":
        switch_scoreboard(board, sitting.watch, on=True)
    return board


def switch_scoreboard(board: SwitchedScoreboard, watch: Watch, *, on: bool) -> None:
    """Serve the scoreboard, or no longer; where its port is taken or its address not there yet, it is tried again."""
    if not on:
        board.close()
        for part in (Part.PORT, Part.NETWORK):
            watch.forget(part)
        return
    try:
        board.open()
    except WebError as error:
        watch.missing(Part.PORT, board.reopen, str(error))
    if board.is_for_others:
        watch.there(Part.NETWORK, board.look_up)


@lru_cache(maxsize=2)
def _code(address: str, text: str) -> ScanCode:
    return ScanCode(qr_rows(address), text)


class Codes:
    """Gives the codes for what is shown. ``address`` gives that of the scoreboard, empty while there is none;
    ``number`` that of the match in the scorebook, None where it is in none: it has no page then."""

    def __init__(self, address: Callable[[], str] = str, number: Callable[[], int | None] = lambda: None) -> None:
        self._address = address
        self._number = number
        self._over: tuple[object, ScanCode] | None = None

    def __call__(self, view: ViewModel) -> tuple[ScanCode, ...]:
        """None while somebody is at work: the lamps have their place then."""
        if view.phase not in (None, Phase.SETUP, Phase.MATCH_OVER) or view.piste.joy_s is not None:
            return ()
        say = words_for(view.language, view.match.names)
        address, over = self._address(), view.phase is Phase.MATCH_OVER
        number = self._number() if over and view.mode == "play" else None
        page, opens = ("", "scoreboard") if number is None else (address_of(number), "match")
        board = (_code(f"{address}{page}", share_text(say, opens)),) if address else ()
        if not over or view.mode == "demo":
            return board
        return (*board, self._play(view, share_text(say, "play")))

    def _play(self, view: ViewModel, text: str) -> ScanCode:
        mark = (view.match.names, view.match.score, text)
        if self._over is None or self._over[0] != mark:
            winner = view.ending.winner if view.ending is not None else None
            first = Side.WHITE if view.match.starter is None else view.match.starter
            starter = first if view.match.round % 2 else first.other
            link = play_link(view.match.names, view.match.score, winner, starter, datetime.now(UTC))
            self._over = mark, ScanCode(qr_rows(link), text)
        return self._over[1]


BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE: Final = "En Garde Companion"
GAME: Final = "En Garde"
UNQUOTED: Final = ":,"
"""Signs that an address need not escape (RFC 3986, 3.4): the code is a tenth coarser so."""


def play_link(names: BySide[str], score: BySide[int], winner: Side | None, starter: Side, began_at: datetime) -> str:
    """The address by which BG Stats takes a match that is over, which it shows before it keeps it.

    ``starter`` began the match's first round.
    """
    began = began_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    told = f"{began} {names.white} {names.black} {score}"
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": hashlib.sha256(told.encode()).hexdigest()[:16],
        "playDate": began,
        "game": {"name": GAME, "sourceGameId": "engarde", "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "score": score[side],
                "winner": winner is side,
                "startPlayer": starter is side,
            }
            for side, name in names.items()
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe=UNQUOTED)
