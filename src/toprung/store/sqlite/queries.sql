-- name: checkpoint
SELECT seq FROM checkpoint

-- name: set_checkpoint
UPDATE checkpoint SET seq = ?1 WHERE seq < ?1

-- name: boards
SELECT board_id, state FROM boards ORDER BY board_id

-- name: put_board
INSERT INTO boards (board_id, state) VALUES (?, ?)
ON CONFLICT (board_id) DO UPDATE SET state = excluded.state

-- name: put_version
INSERT INTO board_versions (board_id, seq, state) VALUES (?, ?, ?)
ON CONFLICT (board_id, seq) DO UPDATE SET state = excluded.state

-- name: version_at
SELECT state FROM board_versions WHERE board_id = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1

-- name: scan_versions
SELECT board_id, seq, state FROM board_versions ORDER BY board_id, seq

-- name: drop_versions
DELETE FROM board_versions WHERE board_id = ?1

-- name: seen_at
SELECT first, last, body FROM seen WHERE first <= ?1 ORDER BY first DESC LIMIT 1

-- name: seen_after
SELECT first, last, body FROM seen
WHERE first >= coalesce((SELECT max(first) FROM seen WHERE first <= ?1 + 1), 0) ORDER BY first

-- name: last_seen
SELECT last FROM seen ORDER BY first DESC LIMIT 1

-- name: put_seen
INSERT INTO seen (first, last, body) VALUES (?, ?, ?)

-- name: places
SELECT last, body, checked FROM seen_places ORDER BY last

-- name: last_place
SELECT coalesce(max(last), 0) FROM seen_places

-- name: put_places
INSERT INTO seen_places (last, body, checked) VALUES (?, ?, ?)

-- name: wipe_seen
DELETE FROM seen;
DELETE FROM seen_places;

-- name: drop_board
DELETE FROM boards WHERE board_id = ?1

-- name: add_dropped
INSERT INTO dropped (board_id, left_over) VALUES (?1, 1)
ON CONFLICT (board_id) DO UPDATE SET left_over = 1

-- name: dropped
SELECT board_id FROM dropped

-- name: left_over
SELECT board_id FROM dropped WHERE left_over LIMIT 1

-- name: all_purged
UPDATE dropped SET left_over = 0 WHERE board_id = ?1

-- name: scan_profiles
SELECT project, player_id, body FROM profiles

-- name: profiles
SELECT player_id, body FROM profiles
WHERE project = ?1 AND player_id IN (SELECT value FROM carray(?2))

-- name: put_profile
INSERT INTO profiles (project, player_id, body) VALUES (?, ?, ?)
ON CONFLICT (project, player_id) DO UPDATE SET body = excluded.body

-- name: rules
SELECT body FROM rules WHERE project = ?1

-- name: scan_rules
SELECT project, body FROM rules

-- name: put_rules
INSERT INTO rules (project, body) VALUES (?, ?)
ON CONFLICT (project) DO UPDATE SET body = excluded.body

-- name: friends
SELECT body FROM friends WHERE project = ?1 AND player_id = ?2

-- name: scan_friends
SELECT project, player_id, body FROM friends

-- name: put_friends
INSERT INTO friends (project, player_id, body) VALUES (?, ?, ?)
ON CONFLICT (project, player_id) DO UPDATE SET body = excluded.body

-- name: scan_voids
SELECT project, board_id, id FROM voids

-- name: put_void
INSERT INTO voids (project, board_id, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- name: remove_void
DELETE FROM voids WHERE project = ? AND board_id = ? AND id = ?

-- name: drop_voids
DELETE FROM voids WHERE project = '' AND board_id = ?1

-- name: scan_held
SELECT board_id, event_id, body FROM quarantine

-- name: put_held
INSERT INTO quarantine (board_id, event_id, body) VALUES (?, ?, ?)
ON CONFLICT (board_id, event_id) DO UPDATE SET body = excluded.body

-- name: remove_held
DELETE FROM quarantine WHERE board_id = ? AND event_id = ?

-- name: drop_held
DELETE FROM quarantine WHERE board_id = ?1

-- name: recounts
SELECT board_id, player_id, seq FROM recounts

-- name: put_recount
INSERT INTO recounts (board_id, player_id, seq) VALUES (?, ?, ?)
ON CONFLICT (board_id, player_id) DO UPDATE SET seq = excluded.seq

-- name: drop_recounts
DELETE FROM recounts WHERE board_id = ?1

-- name: scan_past_values
SELECT project, player_id, name, seq, value FROM past_values ORDER BY seq

-- name: put_past_value
INSERT INTO past_values (project, player_id, name, seq, value) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING

-- name: scan_players
SELECT project, player_id, body FROM player_states

-- name: put_player
INSERT INTO player_states (project, player_id, body) VALUES (?, ?, ?)
ON CONFLICT (project, player_id) DO UPDATE SET body = excluded.body

-- name: put_act
INSERT INTO acts (seq, received_at, project, kind, board, player_id, actor, result, code)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING

-- name: acts
SELECT seq, received_at, project, kind, board, player_id, actor, result, code FROM acts
WHERE project = ?1 AND seq < ?2
AND (?3 IS NULL OR kind = ?3) AND (?4 IS NULL OR board = ?4) AND (?5 IS NULL OR player_id = ?5)
AND (?6 IS NULL OR actor = ?6)
AND (?7 IS NULL OR received_at >= ?7) AND (?8 IS NULL OR received_at < ?8)
ORDER BY seq DESC LIMIT ?9

-- name: scan_acts
SELECT seq, received_at, project, kind, board, player_id, actor, result, code FROM acts

-- name: boards_of
SELECT seq FROM acts WHERE project = ?1 AND kind = 'board_put' AND result = 'created'

-- name: rename_acts
UPDATE acts SET player_id = ?3 WHERE project = ?1 AND player_id = ?2

-- name: erase_profile
DELETE FROM profiles WHERE project = ?1 AND player_id = ?2

-- name: erase_friends
DELETE FROM friends WHERE project = ?1 AND player_id = ?2

-- name: erase_player
DELETE FROM player_states WHERE project = ?1 AND player_id = ?2

-- name: erase_past_values
DELETE FROM past_values WHERE project = ?1 AND player_id = ?2

-- name: erase_recounts
DELETE FROM recounts WHERE board_id = ?1 AND player_id = ?2

-- name: change_seen
UPDATE seen SET body = ?2 WHERE first = ?1

-- name: wipe
DELETE FROM acts;
DELETE FROM profiles;
DELETE FROM rules;
DELETE FROM friends;
DELETE FROM player_states;
DELETE FROM past_values;
DELETE FROM voids;
DELETE FROM quarantine;
DELETE FROM recounts;
DELETE FROM boards;
DELETE FROM board_versions;
DELETE FROM dropped;
INSERT OR REPLACE INTO checkpoint (only, seq) VALUES (1, 0);

-- name: add_key
INSERT INTO keys (key_id, project, role, name, secret_hash, created_at, revoked_at)
VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: find_key
SELECT key_id, project, role, name, secret_hash, created_at, revoked_at
FROM keys WHERE key_id = ?

-- name: list_keys
SELECT key_id, project, role, name, secret_hash, created_at, revoked_at
FROM keys WHERE ?1 IS NULL OR project = ?1 ORDER BY created_at, key_id

-- name: revoke_key
UPDATE keys SET revoked_at = ?2 WHERE key_id = ?1 AND revoked_at IS NULL

-- name: get_fact
SELECT value FROM facts WHERE name = ?

-- name: set_fact
INSERT INTO facts (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
