-- The scorebook, version 1. A row of events is written once and never changed; undoing is an event of its own.
-- Times are seconds: wall_s since 1970 as the machine believed (a Pi starts without a clock), t_s on the camera's clock.
-- Order is seq, never a time.

CREATE TABLE matches (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
    white  TEXT NOT NULL,
    black  TEXT NOT NULL,
    mode   TEXT NOT NULL CHECK (mode IN ('demo', 'play')),
    seed   INTEGER,                            -- of a demo
    wall_s REAL NOT NULL
);

CREATE TABLE events (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    seq      INTEGER NOT NULL CHECK (seq >= 1),  -- 1 is the match event
    kind     TEXT NOT NULL,
    event    TEXT NOT NULL,                      -- as engarde judge reads it
    ruling   TEXT NOT NULL,                      -- as engarde judge answers, without the state, which follows from replay
    t_s      REAL NOT NULL,
    wall_s   REAL NOT NULL,
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;
