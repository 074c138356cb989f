"""The scoreboard of a match, and the codes on the screen that lead to it and to the match's page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing

from firmware.scorebook.book import Scorebook
from firmware.sitting.codes import Codes
from firmware.sitting.sitting import Sitting
from firmware.sitting.wish import PlayWish
from firmware.web.server import DEFAULT_PORT, Scoreboard
from firmware.web.switched import EVERYBODY, SwitchedScoreboard


def open_scoreboard(
    wish: PlayWish, sitting: Sitting, book: Scorebook | None, held: ExitStack, say: Callable[[str], None]
) -> SwitchedScoreboard | None:
    """The scoreboard, served while the match lasts if that is wished or set; None where it cannot be switched on.

    ``book`` is where the match is written down, None where it is not. Raises WebError where an address that was named
    cannot be had.
    """
    window, where, table = sitting.window, wish.web, wish.table
    if window is not None:
        window.codes = Codes()
    if where is None and not sitting.camera.live:
        return None

    def number() -> int | None:
        return None if book is None else book.written

    shown = Scoreboard(number, table.settings.language)
    names = table.settings.scoreboard_names
    board = SwitchedScoreboard(say, where or (EVERYBODY, DEFAULT_PORT), shown, table.scorebook, names)
    held.enter_context(closing(board))
    if window is not None:
        window.codes = Codes(lambda: board.reachable, number)
    if where is not None:
        board.open()
    elif table.settings.scoreboard == "on":
        board.switch(True)
    return board
