-- The scorebook, version 5. A row of events is written once and never changed; undoing and correcting are rows of
-- their own. Version 1 had no uid, and no row of kind correct; version 2 had no sums; version 3 did not tell matches at the
-- simulated table, and those kept by hand from their first turn on, from others (mode); version 4 kept rows of a damaged
-- file that no match could use, which lie in that file all the same.
-- Times are seconds: wall_s since 1970 as the machine believed (a Pi starts without a clock), t_s on the camera's clock.
-- Order is seq, never a time. A sum is a CRC-32 over the row's values and the sum before it (schema.py).

CREATE TABLE matches (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
    white  TEXT NOT NULL,
    black  TEXT NOT NULL,
    mode   TEXT NOT NULL CHECK (mode IN ('demo', 'play', 'by_hand', 'simulated')),  -- where it was played (schema.py)
    seed   INTEGER,                            -- of a demo
    wall_s REAL NOT NULL,
    uid    TEXT                                -- the same in every copy of the book: a match imported twice is one
);

CREATE TABLE events (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    seq      INTEGER NOT NULL CHECK (seq >= 1),  -- 1 is the match event
    kind     TEXT NOT NULL,
    event    TEXT NOT NULL,                      -- as engarde judge reads it, or a correction (engine/record/corrections.py)
    ruling   TEXT NOT NULL,                      -- as engarde judge answers, without the state, which follows from replay
    t_s      REAL NOT NULL,
    wall_s   REAL NOT NULL,
    sum      INTEGER NOT NULL,                   -- continues that of seq - 1; of seq 1, that of the row of matches
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX matches_uid ON matches (uid);
