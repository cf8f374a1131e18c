-- For wrk: sends the requests of a file in turn, and says in one line of JSON how it went.
-- A line of the file is a method, a path and perhaps a body. Use: wrk ... -s replay.lua URL -- FILE

local queue = {}
local threads = {}
sent = 0 -- global, so that done() can ask each thread for it

function setup(thread)
    threads[#threads + 1] = thread
end

function init(arguments)
    for line in io.lines(arguments[1]) do
        local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
        queue[#queue + 1] = wrk.format(method, path, nil, body ~= "" and body or nil)
    end
end

function request()
    sent = sent + 1
    return queue[(sent - 1) % #queue + 1]
end

function done(summary, latency)
    local errors, requests = summary.errors, 0
    for _, thread in ipairs(threads) do
        requests = requests + thread:get("sent")
    end
    io.write(string.format(
        '{"replies": %d, "sent": %d, "seconds": %f, "failed": %d, "refused": %d, "p50_ms": %f, "p99_ms": %f}\n',
        summary.requests, requests, summary.duration / 1e6,
        errors.connect + errors.read + errors.write + errors.timeout, errors.status,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
    ))
end
