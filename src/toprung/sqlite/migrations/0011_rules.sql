-- The rules for named events, all of a project in one row.
CREATE TABLE rules (
    project TEXT PRIMARY KEY,
    body BLOB NOT NULL
) WITHOUT ROWID;
