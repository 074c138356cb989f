"""What is said at the bottom edge of the table that people play at."""

from __future__ import annotations

from dataclasses import dataclass

from display.i18n import words


@dataclass(frozen=True, slots=True)
class Said:
    """``ask`` is said, ``offer`` is what a tap does, ``hint`` how hands are used; empty for nothing."""

    ask: str = ""
    offer: str = ""
    hint: str = ""


def hand_words(language: str, ask: str = "", offer: str = "", hint: str = "", **facts: object) -> Said:
    """The sentences under these keys of the catalogue's ``hands``; nothing for an empty one."""
    say = words(language)
    return Said(*(say.say(f"hands.{key}", **facts) if key else "" for key in (ask, offer, hint)))
