-- Makes the requests that a file holds, in order and again from the beginning. See rawRequests in load.ts.
local requests, at, asked, mark = {}, 0, 0, ''

function init(arguments)
  mark = arguments[2]
  local file = assert(io.open(arguments[1], 'rb'))
  while true do
    local line = file:read('*l')
    if line == nil then break end
    local before, after = line:match('(%d+) (%d+)')
    before = file:read(tonumber(before))
    after = tonumber(after) > 0 and file:read(tonumber(after)) or nil
    requests[#requests + 1] = { before, after }
  end
  file:close()
end

function request()
  at = at % #requests + 1
  local before, after = requests[at][1], requests[at][2]
  if after == nil then return before end
  asked = asked + 1
  return before .. mark .. asked .. after
end

function done(summary, latency)
  local errors = summary.errors
  local cut = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '{"seconds":%f,"p50Ms":%f,"p99Ms":%f,"answered":{"200":%d,"refused":%d,"cut":%d}}\n',
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.requests - errors.status, errors.status, cut))
end
