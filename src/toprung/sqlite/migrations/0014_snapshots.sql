-- The final standings of closed periods: one row a version, named by the record that made it.
CREATE TABLE snapshots (
    seq INTEGER PRIMARY KEY,
    board_id INTEGER NOT NULL,
    win TEXT NOT NULL,
    key TEXT NOT NULL,
    body BLOB NOT NULL,
    -- Whether all its rows are there.
    complete INTEGER NOT NULL
);
CREATE INDEX snapshots_by_period ON snapshots (board_id, win, key, seq);

-- Their rows in canonical form, some at a time, packed.
CREATE TABLE snapshot_blocks (
    seq INTEGER NOT NULL,
    -- How many rows stand before this block.
    first INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (seq, first)
) WITHOUT ROWID;

-- Closed periods that changed since their last version.
CREATE TABLE changed_periods (
    board_id INTEGER NOT NULL,
    win TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (board_id, win, key)
) WITHOUT ROWID;
