-- Sends the requests of a file in order, then again from the beginning. See rawRequests in load.ts.
-- With a rate, sends that many a second, but skips those that find no free connection, and counts responses by status.
local ffi = require('ffi')
ffi.cdef('typedef struct { long s; long ns; } timespec; int clock_gettime(int, timespec *);')
local requests, at = {}, 0
local time, dueMs, everyMs = ffi.new('timespec'), 0, nil
local thread
counts = {}

function setup(only)
  thread = only
end

function init(arguments)
  if arguments[2] then
    everyMs = 1000 / tonumber(arguments[2])
    delay, response = untilDue, count
  end
  local file = assert(io.open(arguments[1], 'rb'))
  while true do
    local length = file:read('*l')
    if length == nil then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function untilDue()
  ffi.C.clock_gettime(1, time)
  local nowMs = tonumber(time.s) * 1000 + tonumber(time.ns) / 1e6
  dueMs = math.max(dueMs + everyMs, nowMs)
  -- wrk waits for whole milliseconds.
  return math.floor(dueMs - nowMs + 0.5)
end

function count(status)
  local name = tostring(status)
  counts[name] = (counts[name] or 0) + 1
end

function done(summary, latency)
  local errors = summary.errors
  local cut = errors.connect + errors.read + errors.write + errors.timeout
  local answered = thread:get('counts')
  if next(answered) == nil then
    answered = { ['200'] = summary.requests - errors.status, refused = errors.status }
  end
  if cut > 0 then answered.cut = cut end
  local parts = {}
  for status, count in pairs(answered) do
    parts[#parts + 1] = string.format('"%s":%d', status, count)
  end
  io.write(string.format(
    '{"seconds":%f,"p50Ms":%f,"p99Ms":%f,"answered":{%s}}\n',
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, table.concat(parts, ',')))
end
