"""Has a bot choose without holding up the camera, the screen and the lamps."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from random import Random

from engine.players.players import Bot
from engine.rules.actions import GiveUp, Turn
from engine.rules.state import PlayerView


class Thinker:
    """Chooses for the companion: at once, or ``meanwhile``, so that the choice is there some looks later."""

    def __init__(self, bot: Bot, *, meanwhile: bool) -> None:
        self._bot = bot
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="companion") if meanwhile else None
        self._about: PlayerView | None = None
        self._coming: Future[Turn | GiveUp] | None = None

    def __call__(self, view: PlayerView, rng: Random) -> Turn | GiveUp | None:
        """The choice for what this player sees; None while it is still thought about."""
        if self._pool is None:
            return self._bot.choose(view, rng)
        if self._coming is None or self._about != view:
            if self._coming is not None:
                self._coming.cancel()
            self._about, self._coming = view, self._pool.submit(self._bot.choose, view, rng)
        if not self._coming.done():
            return None
        made, self._coming = self._coming, None
        return made.result()

    def close(self) -> None:
        """Think no more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
