"""A scoreboard that is switched on and off in the menu, while the match goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from firmware.loop.moment import Moment
from firmware.web.address import reachable
from firmware.web.names import network_name
from firmware.web.server import DEFAULT_PORT, Scoreboard, WebServer
from firmware.web.serving import WebError

EVERYBODY: Final = "0.0.0.0"
LOOKED_UP_EVERY_S: Final = 5.0
"""A table may be switched on before its network is there; asked every frame, it would cost 50 µs each."""
Address = tuple[str, int]


def scoreboard_address(port: int = DEFAULT_PORT, name: str = "") -> str:
    """Where a phone in the same network finds it: by ``name``, or the one that Avahi tells now."""
    return f"http://{name or network_name()}:{port}/"


class SwitchedScoreboard:
    """An audience of every moment; served while it is on. ``say`` hears where, and of what cannot be served."""

    def __init__(
        self,
        say: Callable[[str], None],
        where: Address = (EVERYBODY, DEFAULT_PORT),
        board: Scoreboard | None = None,
        book: Path | None = None,
        names: Iterable[str] = (),
    ) -> None:
        """``board`` is what is served; ``book`` the scorebook whose matches have pages there, None for none; ``names``
        are what it answers to besides this machine's own names."""
        self._board, self._book, self._names = board or Scoreboard(), book, tuple(names)
        self._say, self._where = say, where
        self._server: WebServer | None = None
        self._reachable = ""
        self._looked_up_s = 0.0

    @property
    def url(self) -> str:
        """The page as this machine reaches it, empty while it is off."""
        return "" if self._server is None else self._server.url

    @property
    def address(self) -> str:
        """The page as others reach it, empty while it is off or for this machine alone."""
        server = self._server
        return scoreboard_address(server.port, server.network) if server and self._where[0] == EVERYBODY else ""

    @property
    def reachable(self) -> str:
        """The page by this machine's number in the network, for phones that find no names; empty as ``address``."""
        return self._reachable

    def open(self) -> None:
        """Serve it from now on. Raises WebError where the address cannot be had."""
        if self._server is None:
            self._server = WebServer(self._board, *self._where, book=self._book, names=self._names)
            self._look_up()
            self._say(f"The scoreboard is at {self.url} (for a stream: {self.url}overlay).")

    def switch(self, on: bool) -> None:
        """Serve it, or no longer. Where it cannot be served that is said, and the match goes on."""
        if not on:
            self.close()
            return
        try:
            self.open()
        except WebError as error:
            self._say(str(error))

    def attend(self, moment: Moment) -> None:
        """Keep what is shown, and send it to whoever looks."""
        self._board.attend(moment)
        if abs(moment.frame.t_s - self._looked_up_s) >= LOOKED_UP_EVERY_S:
            self._looked_up_s = moment.frame.t_s
            self._look_up()

    def _look_up(self) -> None:
        self._reachable = "" if self._server is None else reachable(self._where[0], self._server.port)

    def close(self) -> None:
        """Let everybody go."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._look_up()
