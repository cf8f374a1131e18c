-- name: begin
INSERT INTO snapshots (seq, board_id, win, key, body, complete) VALUES (?, ?, ?, ?, ?, 0)
ON CONFLICT (seq) DO NOTHING

-- name: add
INSERT INTO snapshot_blocks (seq, first, body) VALUES (?, ?, ?)
ON CONFLICT (seq, first) DO UPDATE SET body = excluded.body

-- name: finish
UPDATE snapshots SET body = ?2, complete = 1 WHERE seq = ?1

-- name: remove_blocks
DELETE FROM snapshot_blocks WHERE seq = ?1

-- name: remove
DELETE FROM snapshots WHERE seq = ?1

-- name: all
SELECT seq, body FROM snapshots ORDER BY seq

-- name: of_period
SELECT seq, body FROM snapshots WHERE board_id = ?1 AND win = ?2 AND key = ?3 ORDER BY seq

-- name: lines
SELECT body FROM snapshot_blocks WHERE seq = ?1 ORDER BY first

-- name: mark
INSERT INTO changed_periods (board_id, win, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- name: unmark
DELETE FROM changed_periods WHERE board_id = ?1 AND win = ?2 AND key = ?3

-- name: marked
SELECT board_id, win, key FROM changed_periods

-- name: of_board
SELECT seq, win FROM snapshots WHERE board_id = ?1

-- name: forget_marks
DELETE FROM changed_periods WHERE board_id = ?1 AND (?2 IS NULL OR win = ?2)

-- name: wipe
DELETE FROM snapshots;
DELETE FROM snapshot_blocks;
DELETE FROM changed_periods;
