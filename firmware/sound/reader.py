"""Reads the screen aloud: what is new on it, once it stands still, and nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SETTLED_S: Final = 0.5
"""What changes sooner is not read: a preview follows every card that is laid."""
_ENDS: Final = (".", "!", "?", ":", "…")


class Reader:
    """Turns what stands on the screen, sentence by sentence, into what is to be said now."""

    def __init__(self) -> None:
        self._said: tuple[str, ...] = ()
        self._now: tuple[str, ...] = ()
        self._since_s = 0.0
        self._page = ""

    def news(self, sentences: Sequence[str], now_s: float, page: str = "") -> str:
        """What is to be said of these at this time, empty for nothing: those that did not stand there before.

        On another ``page`` than the one that was read last all of it is new, and so is all after it.
        """
        shown = tuple(sentence for sentence in sentences if sentence)
        if page != self._page:
            self._said, self._page = (), page
        if shown != self._now:
            self._now, self._since_s = shown, now_s
        if shown == self._said or now_s - self._since_s < SETTLED_S:
            return ""
        fresh = [sentence for sentence in shown if sentence not in self._said]
        self._said = shown
        return " ".join(ended(sentence) for sentence in fresh)


def ended(sentence: str) -> str:
    """The sentence with a stop, so that a voice pauses after it."""
    return sentence if sentence.rstrip("\u00a0 ”»").endswith(_ENDS) else f"{sentence}."
