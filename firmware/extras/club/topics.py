"""Names by which a club's machines find each other on its broker. Source: firmware/extras/club/README.md, "Topics"."""

from __future__ import annotations

import re
from typing import Final

from firmware.core.errors import EngardeError

VERSION: Final = 1
"""Of topics and payloads: what is said otherwise one day is said under another number, beside this one."""
ROOT: Final = f"engarde/{VERSION}"
ONLINE: Final = "online"
OFFLINE: Final = "offline"
"""The two values of a table's ``status``; the broker says the second for one that is gone without a word."""
HALL: Final = "hall"
DESK: Final = "desk"
LISTENER: Final = "listener"
"""For other programs that read along. The broker parts with one of two of the same name."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
RESERVED: Final = (HALL, DESK, LISTENER)


class ClubError(EngardeError, ValueError):
    """Something about the club's machines that cannot be used. Its text says what was expected, found, and the cure."""


def good_name(name: str, what: str) -> str:
    """A club's or a table's name, as it may stand in a topic. Raises ClubError."""
    if not _NAME.fullmatch(name) or name in RESERVED:
        raise ClubError(
            f"{what} {name[:40]!r}: expected 1 to 20 of a to z, 0 to 9 and -, beginning with none of -, and not "
            f"{' or '.join(RESERVED)}; choose another name."
        )
    return name


def topic(club: str, table: str, what: str) -> str:
    """Of a table (``status``, ``state``, ``event``, ``said``), or of the hall to it (``hall/next``, ``hall/ask``)."""
    return f"{ROOT}/{club}/{table}/{what}"


def table_and_what(club: str, name: str) -> tuple[str, str] | None:
    """The table that a topic of this club is of, and what it holds; None for any other topic."""
    parts = name.split("/", 4)
    if parts[:3] != [*ROOT.split("/"), club] or len(parts) < 5 or not _NAME.fullmatch(parts[3]):
        return None
    return parts[3], parts[4]
