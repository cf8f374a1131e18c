-- name: append
INSERT INTO log (first, last, received_at, body) VALUES (?, ?, ?, ?)

-- name: read
SELECT first, last, body FROM log
WHERE first >= coalesce((SELECT max(first) FROM log WHERE first <= ?1), 0) AND first <= ?2
ORDER BY first

-- name: head
SELECT last, received_at FROM log ORDER BY first DESC LIMIT 1

-- name: between
SELECT first, last, body FROM log
WHERE first >= coalesce((SELECT max(first) FROM log WHERE first <= ?1), 0) AND first <= ?2
ORDER BY first

-- name: rewrite
UPDATE log SET body = ?2 WHERE first = ?1
