-- What acts made of players, on all boards of a project. Who was hidden once keeps a line: an image
-- of a view that is older than the line shows the player otherwise.
CREATE TABLE player_states (
    project TEXT NOT NULL,
    player_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (project, player_id)
) WITHOUT ROWID;
