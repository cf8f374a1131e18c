-- The log: append-only, in order.
CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    received_at INTEGER NOT NULL,
    body BLOB NOT NULL
);

-- One row: the last record that the tables below reflect.
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

CREATE TABLE seen (
    board_id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (board_id, event_id)
) WITHOUT ROWID;

-- Dropped boards whose rows are still to be removed, a few at a time.
CREATE TABLE garbage (
    board_id INTEGER PRIMARY KEY
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
