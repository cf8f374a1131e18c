-- Entries in blocks: all of a stretch of consecutive players of a board, in the order of board, player
-- and period, so that who writes many of them in this order touches each block once.
CREATE TABLE entry_blocks (
    board_id INTEGER NOT NULL,
    -- Where the block begins: no entry of it stands before, none of the block before at it or after.
    first BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (board_id, first)
) WITHOUT ROWID;
