"""What people take home from a match: a link by which BG Stats logs the play, and a picture of the result.

Nothing is sent: a link is shown as a code, and whoever scans it opens it on their own telephone. Source: the play link
that BG Stats documents for other programs (bgstatsapp.com, "push plays"): an address with the play as JSON.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from engine.rules.track import BySide, Side

BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE: Final = "En Garde Companion"
GAME: Final = "En Garde"
UNQUOTED: Final = ":,"
"""What an address may hold as it is (RFC 3986, 3.4): the code is a tenth coarser so."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that is over. ``starter`` began its first round; ``began`` is when, None where nobody knows."""

    names: BySide[str]
    score: BySide[int]
    winner: Side | None
    starter: Side | None
    began: datetime | None


def play_link(result: MatchResult) -> str:
    """The address by which BG Stats takes this match, which it shows before it keeps it."""
    began = "" if result.began is None else result.began.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    told = f"{began} {result.names.white} {result.names.black} {result.score}"
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": hashlib.sha256(told.encode()).hexdigest()[:16],
        **({"playDate": began} if began else {}),
        "game": {"name": GAME, "sourceGameId": "engarde", "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "score": result.score[side],
                "winner": result.winner is side,
                "startPlayer": result.starter is side,
            }
            for side, name in result.names.items()
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe=UNQUOTED)
