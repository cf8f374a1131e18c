-- name: definition
SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1

-- name: drop_left_over
DROP TABLE IF EXISTS new_seen;
DROP TABLE IF EXISTS new_seen_places;

-- name: seen
SELECT first, last, body FROM seen WHERE first > ?1 ORDER BY first LIMIT 64

-- name: put_seen
INSERT INTO new_seen (first, last, body) VALUES (?, ?, ?)

-- name: seen_places
SELECT last, body, checked FROM seen_places WHERE last > ?1 ORDER BY last LIMIT 8

-- name: put_seen_places
INSERT INTO new_seen_places (last, body, checked) VALUES (?, ?, ?)

-- name: attach
ATTACH ?1 AS made

-- name: detach
DETACH made

-- name: replace
DELETE FROM main.entry_blocks;
INSERT INTO main.entry_blocks SELECT * FROM made.entry_blocks;
DELETE FROM main.periods;
INSERT INTO main.periods SELECT * FROM made.periods;
DELETE FROM main.profiles;
INSERT INTO main.profiles SELECT * FROM made.profiles;
DELETE FROM main.player_states;
INSERT INTO main.player_states SELECT * FROM made.player_states;
DELETE FROM main.past_values;
INSERT INTO main.past_values SELECT * FROM made.past_values;
DELETE FROM main.voids;
INSERT INTO main.voids SELECT * FROM made.voids;
DELETE FROM main.quarantine;
INSERT INTO main.quarantine SELECT * FROM made.quarantine;
DELETE FROM main.recounts;
INSERT INTO main.recounts SELECT * FROM made.recounts;
DELETE FROM main.snapshots;
INSERT INTO main.snapshots SELECT * FROM made.snapshots;
DELETE FROM main.snapshot_blocks;
INSERT INTO main.snapshot_blocks SELECT * FROM made.snapshot_blocks;
DELETE FROM main.changed_periods;
INSERT INTO main.changed_periods SELECT * FROM made.changed_periods;
DELETE FROM main.rules;
INSERT INTO main.rules SELECT * FROM made.rules;
DELETE FROM main.friends;
INSERT INTO main.friends SELECT * FROM made.friends;
DELETE FROM main.boards;
INSERT INTO main.boards SELECT * FROM made.boards;
DELETE FROM main.board_versions;
INSERT INTO main.board_versions SELECT * FROM made.board_versions;
DELETE FROM main.dropped;
INSERT INTO main.dropped SELECT * FROM made.dropped;
DELETE FROM main.acts;
INSERT INTO main.acts SELECT * FROM made.acts;
DELETE FROM main.checkpoint;
INSERT INTO main.checkpoint SELECT * FROM made.checkpoint;
DROP TABLE main.seen;
ALTER TABLE main.new_seen RENAME TO seen;
DROP TABLE main.seen_places;
ALTER TABLE main.new_seen_places RENAME TO seen_places;
