-- Events that broke a limit of their board and wait, or were rejected: their ids are spent.
CREATE TABLE quarantine (
    board_id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (board_id, event_id)
) WITHOUT ROWID;
