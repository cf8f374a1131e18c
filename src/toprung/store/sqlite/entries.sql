-- name: period_id
SELECT period_id FROM periods WHERE board_id = ? AND win = ? AND key = ?

-- name: add_period
INSERT INTO periods (board_id, win, key) VALUES (?, ?, ?) RETURNING period_id

-- name: periods
SELECT period_id, board_id, win, key FROM periods WHERE win IS NOT NULL

-- name: board_periods
SELECT period_id, win, key FROM periods WHERE board_id = ?1 AND win IS NOT NULL ORDER BY period_id

-- name: gone_periods
SELECT period_id FROM periods WHERE board_id = ?1 AND win IS NULL ORDER BY period_id

-- name: blocks_of_keys
SELECT CAST(group_concat((
    SELECT body || first FROM entry_blocks
    WHERE board_id = ?1 AND first <= asked.value ORDER BY first DESC LIMIT 1
), '') AS BLOB) FROM carray(?2) AS asked

-- name: blocks_beside
SELECT CAST(group_concat(body || first, '') AS BLOB) FROM (
    SELECT first, body FROM entry_blocks
    WHERE board_id = ?1 AND first <= ?3 AND first >= (
        SELECT max(first) FROM entry_blocks WHERE board_id = ?1 AND first <= ?2
    )
    ORDER BY first LIMIT ?4
)

-- name: any_block
SELECT 1 FROM entry_blocks WHERE board_id = ?1 LIMIT 1

-- name: board_blocks
SELECT CAST(body || first AS BLOB) FROM entry_blocks WHERE board_id = ?1 ORDER BY first

-- name: blocks_from
SELECT first, CAST(body || first AS BLOB) FROM entry_blocks
WHERE board_id = ?1 AND first >= ?2 ORDER BY first LIMIT ?3

-- name: put_block
INSERT INTO entry_blocks (board_id, first, body) VALUES (?, ?, ?)
ON CONFLICT (board_id, first) DO UPDATE SET body = excluded.body

-- name: clear_window
UPDATE periods SET win = NULL, key = NULL WHERE board_id = ?1 AND win = ?2

-- name: clear_period
UPDATE periods SET win = NULL, key = NULL WHERE board_id = ? AND win = ? AND key = ?

-- name: cleared_board
SELECT board_id FROM periods WHERE win IS NULL LIMIT 1

-- name: forget_cleared
DELETE FROM periods WHERE board_id = ?1 AND win IS NULL

-- name: drop_periods
DELETE FROM periods WHERE board_id = ?1

-- name: purge_blocks
DELETE FROM entry_blocks WHERE board_id = ?1 AND first IN (
    SELECT first FROM entry_blocks WHERE board_id = ?1 LIMIT ?2
)

-- name: wipe_entries
DELETE FROM entry_blocks;
DELETE FROM periods;
