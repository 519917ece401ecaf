import { BELIEVABLE_SKEW } from './sliding-log.ts'

/** How long a log is kept after its last entry expired, for processes whose clocks are behind, in milliseconds. */
export const logKeptLongerMs = 60_000

/**
 * `SlidingLog` as a script that Valkey runs atomically on a list of times. KEYS[1]: the list. ARGV: now and window in
 * milliseconds, the quota, `take` or `peek`. Returns whether a request is admitted (1 or 0), how many are counted, and the
 * oldest time ('' when none is counted).
 */
export const slidingLogScript = `
local list, nowText, act = KEYS[1], ARGV[1], ARGV[4]
local now, window, quota = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local size = redis.call('LLEN', list)

local function at(place)
  return tonumber(redis.call('LINDEX', list, place))
end

-- How many times are not later than this one.
local function countUpTo(time)
  local low, high = 0, size
  while low < high do
    local middle = math.floor((low + high) / 2)
    if at(middle) > time then high = middle else low = middle + 1 end
  end
  return low
end

if size > 0 and at(0) <= now - window then
  local past = countUpTo(now - window)
  redis.call('LTRIM', list, past, -1)
  size = size - past
end
if size > 0 and at(-1) > now + ${BELIEVABLE_SKEW} then
  for place = countUpTo(now), size - 1 do redis.call('LSET', list, place, nowText) end
end

local admitted = size < quota
if admitted and act == 'take' then
  if size == 0 or at(-1) <= now then
    redis.call('RPUSH', list, nowText)
  else
    redis.call('LINSERT', list, 'BEFORE', redis.call('LINDEX', list, countUpTo(now)), nowText)
  end
  size = size + 1
  redis.call('PEXPIRE', list, string.format('%.0f', at(-1) - now + window + ${logKeptLongerMs}))
end
return { admitted and 1 or 0, size, size > 0 and redis.call('LINDEX', list, 0) or '' }
`
