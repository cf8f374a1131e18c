-- What an attribute of a player was before a record changed it, where boards are sliced by it: periods
-- that were closed by then keep the player in that segment.
CREATE TABLE past_values (
    project TEXT NOT NULL,
    player_id TEXT NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    -- NULL: the player did not have it.
    value TEXT,
    PRIMARY KEY (project, player_id, name, seq)
) WITHOUT ROWID;
