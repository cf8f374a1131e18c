-- Entries in blocks: all of a stretch of consecutive players of a board, in the order of board, player
-- and period, so that who writes many of them in this order touches each block once.
DROP TABLE entries;
CREATE TABLE entry_blocks (
    board_id INTEGER NOT NULL,
    -- Where the block begins: no entry of it stands before, none of the block before at it or after.
    first BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (board_id, first)
) WITHOUT ROWID;

-- Without window and key: cleared, and its number not free, for blocks may still have entries of it.
DROP TABLE periods;
CREATE TABLE periods (
    period_id INTEGER PRIMARY KEY,
    board_id INTEGER NOT NULL,
    win TEXT,
    key TEXT,
    UNIQUE (board_id, win, key)
);

-- What an earlier version made from the log is made anew at the next start.
UPDATE checkpoint SET seq = 0;
DELETE FROM boards;
DELETE FROM seen;
DELETE FROM seen_places;
DELETE FROM dropped;
DELETE FROM profiles;
