-- Which records are acts that somebody asked for, and what came of them: what the audit is found by.
CREATE TABLE acts (
    seq INTEGER PRIMARY KEY,
    received_at INTEGER NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    board TEXT,
    player_id TEXT,
    actor TEXT NOT NULL,
    result TEXT NOT NULL,
    code TEXT
);
CREATE INDEX acts_of_project ON acts (project, seq);

-- What came of the acts in the log is known by applying them: all is made anew at the next start.
UPDATE checkpoint SET seq = 0;
DELETE FROM boards;
DELETE FROM board_versions;
DELETE FROM dropped;
DELETE FROM entry_blocks;
DELETE FROM periods;
DELETE FROM seen;
DELETE FROM seen_places;
DELETE FROM profiles;
DELETE FROM rules;
DELETE FROM player_states;
DELETE FROM voids;
DELETE FROM recounts;
DELETE FROM snapshots;
DELETE FROM snapshot_blocks;
DELETE FROM changed_periods;
DELETE FROM past_values;
