-- What each board was after each act that changed it, so that it can be read as it stood.
CREATE TABLE board_versions (
    board_id INTEGER NOT NULL,
    -- Of the act.
    seq INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (board_id, seq)
) WITHOUT ROWID;

-- Of boards made before there was this table, what they were is not known.
INSERT INTO board_versions SELECT board_id, board_id, state FROM boards;
