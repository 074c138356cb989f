"""An entry that SQLite said it could not write: a sync that fails last of all leaves it in the file all the same."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

from engine.record.answers import entry_to_json
from engine.record.course import JournalEntry


class InDoubt(NamedTuple):
    """Such an entry, by all that tells it from one that another program wrote in its place meanwhile.

    ``match_id`` None: it was the first of the match called ``uid``.
    """

    match_id: int | None
    uid: str
    seq: int
    entry: JournalEntry
    t_s: float
    wall_s: float

    def take_out(self, connection: sqlite3.Connection) -> None:
        """What was said not to be kept did not happen. Within a transaction."""
        if self.match_id is None:
            of_it = "match_id IN (SELECT id FROM matches WHERE uid = ?)"
            connection.execute(f"DELETE FROM events WHERE {of_it}", (self.uid,))
            connection.execute("DELETE FROM matches WHERE uid = ?", (self.uid,))
        else:
            connection.execute(
                "DELETE FROM events WHERE match_id = ? AND seq = ? AND event = ? AND t_s = ? AND wall_s = ?",
                (self.match_id, self.seq, json.dumps(entry_to_json(self.entry)), self.t_s, self.wall_s),
            )
