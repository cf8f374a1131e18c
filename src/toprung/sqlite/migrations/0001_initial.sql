-- The log: append-only, in order. Records that came together stand in one block, so that a row of
-- the table costs little for each of them.
CREATE TABLE log (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    -- Of the last record.
    received_at INTEGER NOT NULL,
    body BLOB NOT NULL
);

-- One row: every record up to it is in the tables below, later ones may be in part.
CREATE TABLE checkpoint (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    seq INTEGER NOT NULL
);
INSERT INTO checkpoint VALUES (1, 0);

CREATE TABLE boards (
    board_id INTEGER PRIMARY KEY,
    state BLOB NOT NULL
);

-- "window" is a word of SQL, so the column that names one is called win.
CREATE TABLE periods (
    period_id INTEGER PRIMARY KEY,
    board_id INTEGER NOT NULL,
    win TEXT NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (board_id, win, key)
);

-- A player's periods stand side by side, so that an event touches one page, not one a window.
CREATE TABLE entries (
    board_id INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    period_id INTEGER NOT NULL,
    c0 INTEGER NOT NULL,
    c1 INTEGER,
    c2 INTEGER,
    c3 INTEGER,
    c4 INTEGER,
    reached_at INTEGER NOT NULL,
    events INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (board_id, player_id, period_id)
) WITHOUT ROWID;

-- What became of events, in blocks in the order of the log: an id is looked up by an index in
-- memory, so that keeping one writes at the end and nowhere else.
CREATE TABLE seen (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    body BLOB NOT NULL
);

-- What that index is made from at a start: the hashes of many lines, up to the last one's seq.
CREATE TABLE seen_places (
    last INTEGER PRIMARY KEY,
    body BLOB NOT NULL,
    -- A checksum over the row and the last seq of the row before: what is lost here would be met
    -- by no other check, and an event would count twice.
    checked INTEGER NOT NULL
);

-- Boards that were dropped, for ever; "left_over": whether entries are still to be removed, a few at a
-- time.
CREATE TABLE dropped (
    board_id INTEGER PRIMARY KEY,
    left_over INTEGER NOT NULL
);

CREATE TABLE profiles (
    project TEXT NOT NULL,
    player_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (project, player_id)
) WITHOUT ROWID;

-- Not made from the log: who may use the API.
CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    secret_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) WITHOUT ROWID;

-- What the file is for: "clock" is "real" or "controlled".
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
