-- Sends the requests of a file in order, then again from the beginning. See rawRequests in load.ts.
local requests, at = {}, 0

function init(arguments)
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

function done(summary, latency)
  local errors = summary.errors
  local cut = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '{"seconds":%f,"p50Ms":%f,"p99Ms":%f,"answered":{"200":%d,"refused":%d,"cut":%d}}\n',
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.requests - errors.status, errors.status, cut))
end
