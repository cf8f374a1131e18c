-- name: append
INSERT INTO log (seq, received_at, body) VALUES (?, ?, ?)

-- name: read
SELECT seq, received_at, body FROM log WHERE seq > ? ORDER BY seq LIMIT ?

-- name: head
SELECT seq, received_at FROM log ORDER BY seq DESC LIMIT 1
