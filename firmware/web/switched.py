"""A scoreboard that is switched on and off in the menu, while the match goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from display.i18n import LANGUAGES
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.web.address import Port, WebError, reachable

if TYPE_CHECKING:  # a start without a scoreboard does without a web server
    from firmware.web.scoreboard import Scoreboard, WebServer

EVERYBODY: Final = "0.0.0.0"
Address = tuple[str, int]


class SwitchedScoreboard:
    """An audience of every moment; served while it is on. ``say`` hears where."""

    part: Final = Part.PORT

    def __init__(
        self,
        say: Callable[[str], None],
        where: Address = (EVERYBODY, Port.SCOREBOARD),
        number: Callable[[], int | None] = lambda: None,
        book: Path | None = None,
        names: Iterable[str] = (),
        language: str = LANGUAGES[0],
    ) -> None:
        """``number`` gives that of the match in the scorebook ``book``, None where it is in none; ``book``: whose
        matches have pages there, None for none; ``names`` are what it answers to besides this machine's own names;
        ``language`` is that of the screen, as far as it is known."""
        self._say, self._where, self._number, self._language = say, where, number, language
        self._book, self._names = book, tuple(names)
        self._board: Scoreboard | None = None
        self._server: WebServer | None = None
        self.reachable = ""
        """The page by this machine's number in the network, for phones that find no names; empty as ``address``."""

    @property
    def url(self) -> str:
        """The page as this machine reaches it, empty while it is off."""
        return "" if self._server is None else self._server.url

    @property
    def address(self) -> str:
        """The page as others reach it, empty while it is off or for this machine alone."""
        server = self._server
        return f"http://{server.network}:{server.port}/" if server is not None and self.is_for_others else ""

    def open(self) -> None:
        """Serve it from now on. Raises WebError where the address cannot be had."""
        if self._server is None:
            from firmware.web.scoreboard import Scoreboard, WebServer

            self._board = self._board or Scoreboard(self._number, self._language)
            self._server = WebServer(self._board, *self._where, book=self._book, names=self._names)
            self.look_up()
            self._say(f"The scoreboard is at {self.url} (for a stream: {self.url}overlay).")

    def reopen(self) -> bool:
        """Serve it from now on, if its address can be had; whether it is served."""
        with suppress(WebError):
            self.open()
        return self._server is not None

    @property
    def is_for_others(self) -> bool:
        """Whether others than this machine are to reach it."""
        return self._where[0] == EVERYBODY

    def attend(self, moment: Moment) -> None:
        """Keep what is shown, and send it to every open page."""
        if self._board is not None:
            self._board.attend(moment)

    def look_up(self) -> bool:
        """Look up again where others reach it; False while it is on and they cannot."""
        self.reachable = "" if self._server is None else reachable(self._where[0], self._server.port)
        return self._server is None or bool(self.reachable)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            self.look_up()
