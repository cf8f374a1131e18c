-- What acts made of players, on all boards of a project. Who was hidden once keeps a line: an image
-- of a view that is older than the line shows the player otherwise.
CREATE TABLE player_states (
    project TEXT NOT NULL,
    player_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (project, player_id)
) WITHOUT ROWID;

-- Event ids and matches that are void. Where it is about a match the board is 0, else the project is
-- empty.
CREATE TABLE voids (
    project TEXT NOT NULL,
    board_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (project, board_id, id)
) WITHOUT ROWID;

-- Players whose entries an act made anew, and the last such act: an image of a view that is older
-- shows them otherwise.
CREATE TABLE recounts (
    board_id INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (board_id, player_id)
) WITHOUT ROWID;
