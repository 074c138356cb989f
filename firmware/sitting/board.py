"""The scoreboard of a match, and the codes on the screen that lead to it and to the match's page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing

from firmware.loop.watched import Part
from firmware.scorebook.book import Scorebook
from firmware.service.retry import Watch
from firmware.sitting.codes import Codes
from firmware.sitting.sitting import Sitting
from firmware.sitting.wish import PlayWish
from firmware.web.ports import Port, WebError
from firmware.web.switched import EVERYBODY, SwitchedScoreboard


def open_scoreboard(
    wish: PlayWish, sitting: Sitting, book: Scorebook | None, held: ExitStack, say: Callable[[str], None]
) -> SwitchedScoreboard | None:
    """The scoreboard, served while the match lasts if that is wished or set; None where it cannot be switched on.

    ``book`` is where the match is written down, None where it is not.
    """
    window, where, table = sitting.window, wish.web, wish.table
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
