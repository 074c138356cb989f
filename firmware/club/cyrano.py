"""A bridge to the Ethernet Fencing Protocol (Cyrano, EFP1.1): this hall's pistes as a scoring apparatus tells them.

A message is text over UDP, three zones that end with ``%``: general, right fencer, left fencer, each of fields between
bars. Fields and their order are those of the public examples of version 1.1 and of the programs that read them; what
we have none of (cards, medical stops, a stopwatch) is told as none. White stands on the left, as on our wall. What the
other side says is not obeyed: an apparatus tells, and our hall calls its own pairs.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Callable
from typing import Any, Final

from firmware.club.latin import plain

PORT: Final = 50100
"""Where result software listens."""
PROTOCOL: Final = "EFP1.1"
_STATES: Final = {
    "setup": "W",
    "turn": "F",
    "final": "F",
    "reveal": "H",
    "round_over": "H",
    "match_over": "E",
}
"""Waiting, fencing, halt, ending."""
_BOUT: Final = re.compile(r"(\d+)([A-Z])(\d+)-(.+)")
"""A bout's name: its phase, the way it is fenced in, the pool, round or size of the tableau, and which one there."""
_FORBIDDEN: Final = str.maketrans("|%\r\n", "    ")
_MOST_NAME: Final = 20


def message(event: dict[str, Any], competition: str) -> str:
    """What an apparatus at this table tells of an event of the club."""
    named = _BOUT.fullmatch(event["bout"])
    phase, way, pool, number = named.groups() if named is not None else ("", "", "", "")
    general = [
        PROTOCOL,
        "INFO",
        event["table"],
        _plain(competition, 8),
        phase,
        f"A{pool}" if way == "T" else pool,
        number if number.isdigit() else "",
        str(event["round"]),
        "",  # the time it was planned for
        "",  # a stopwatch, which our matches have none of
        "I",
        "",  # a weapon
        "N",
        _STATES[event["phase"]],
        *("", "", ""),  # a referee's id, name and nation
    ]
    return f"|{'|'.join(general)}|%|{_fencer(event, 'black')}|%|{_fencer(event, 'white')}|%|"


def _fencer(event: dict[str, Any], side: str) -> str:
    result, score = event["result"], event["score"]
    status = "U"
    if event["phase"] == "match_over" and result is not None and result["winner"] is not None:
        status = "V" if result["winner"] == side else "D"
    light = result is not None and result["winner"] == side and event["kind"] != "time"
    name = _plain(event["names"][side], _MOST_NAME) or side.capitalize()
    return "|".join(["", name, "", str(score[side]), status, "0", "0", str(int(light)), "0", "0", "N"])


def _plain(text: str, most: int) -> str:
    """Without what means something in a message, in letters that every receiver reads: of three, one takes a byte for a
    letter, one reads UTF-8, and one does neither. Empty where it cannot be spelt in them."""
    return plain(text).translate(_FORBIDDEN)[:most].strip()


class Cyrano:
    """Sends each event on as it is believed; what cannot be sent is not waited for."""

    def __init__(
        self, host: str, port: int = PORT, competition: str = "engarde", said: Callable[[str], None] = lambda _: None
    ) -> None:
        """``said`` hears of each name once that cannot be sent."""
        self._to, self._said = (host, port), said
        self._unspelt: set[str] = set()
        self._competition = competition
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def tell(self, event: dict[str, Any]) -> None:
        """One event, as one message."""
        for side, name in event["names"].items():
            if not plain(name) and name not in self._unspelt:
                self._unspelt.add(name)
                self._said(f"Cyrano has no letters for {name}: result software is told {side.capitalize()}.")
        with contextlib.suppress(OSError):  # nobody listens, or the network is away: the next one says it all again
            self._socket.sendto(message(event, self._competition).encode("ascii"), self._to)

    def close(self) -> None:
        self._socket.close()
