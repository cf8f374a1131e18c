-- Lists of friends, all of a player in one row.
CREATE TABLE friends (
    project TEXT NOT NULL,
    player_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (project, player_id)
) WITHOUT ROWID;
