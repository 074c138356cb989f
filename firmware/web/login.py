"""Login by the code on the screen: only people at the table can change anything."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The signs of codes and passwords: no two look alike."""
CODE_SIGNS: Final = 8
"""850 thousand million codes."""
VALID_S: Final = 3600.0
"""A code holds so long after it was last shown or used; as often another is shown."""
MAX_WRONG: Final = 10
"""Wrong codes of one address within ``WRONG_S``; then it is not listened to."""
WRONG_S: Final = 60.0
MAX_GUESSES: Final = 1000
"""Wrong codes from everywhere; then another is shown, and what was ruled out is worth nothing."""


class Login:
    """The code that is shown now, and those in use."""

    def __init__(self, code: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        """``code``: the first to be shown, empty for any; ``clock`` gives seconds."""
        self._clock = clock
        self._in_use: dict[str, float] = {}  # each code with when it ends
        self._wrong: dict[str, tuple[float, set[str]]] = {}  # each address with when its count begins anew
        self._show(code)

    @property
    def code(self) -> str:
        """The code that the screen has to show from now on."""
        now_s = self._clock()
        if now_s >= self._until_s:
            self._in_use[self._shown] = now_s + VALID_S  # somebody may just have photographed it
            self._show()
        return self._shown

    def refused(self, code: str, address: str) -> HTTPStatus | None:
        """None for a code that holds, else why this address is refused.

        The same wrong code counts once: a page that was left open with an old one asks again and again.
        """
        now_s, shown = self._clock(), self.code
        self._in_use = {each: end_s for each, end_s in self._in_use.items() if now_s < end_s}
        again_s, tried = self._wrong.get(address, (0.0, set()))
        if now_s >= again_s:
            again_s, tried = now_s + WRONG_S, set()
        elif len(tried) >= MAX_WRONG:
            return HTTPStatus.TOO_MANY_REQUESTS
        if [each for each in (shown, *self._in_use) if hmac.compare_digest(each.encode(), code.encode())]:
            self._in_use[code] = now_s + VALID_S
            return None
        if code and code not in tried:  # an empty one is no guess
            self._wrong[address] = again_s, {*tried, code}
            self._guesses += 1
            if self._guesses >= MAX_GUESSES:
                self._show()
        return HTTPStatus.FORBIDDEN

    def _show(self, code: str = "") -> None:
        self._wrong.clear()
        self._guesses = 0
        self._shown, self._until_s = code or new_code(), self._clock() + VALID_S


def new_code(signs: int = CODE_SIGNS) -> str:
    """A random code of so many signs."""
    return "".join(secrets.choice(LETTERS) for _ in range(signs))
