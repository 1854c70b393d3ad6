import type { BucketCharge } from '@portcullis/contract/link';

/**
 * The same arithmetic as a gateway's own buckets (gateway/src/limits/token-buckets), by the server's clock. For each
 * key one argument of five numbers: whether a request begins with it, capacity, window, refill in seconds, whether it is
 * the last charge where it has no token. For each key three numbers come back: 1 or 0 for allowed or not, -1 for not charged;
 * parts; milliseconds since the last credit. A bucket is forgotten once it is full again.
 */
export const bucketScript = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local states = {}
local over = false
for i, key in ipairs(KEYS) do
  local first, capacity, window, refill, last = string.match(ARGV[i], '^(%d) (%d+) (%d+) (%d+) (%d)$')
  if first == '1' then over = false end
  local allowed, parts, ago = -1, 0, 0
  if not over then
    capacity, window, refill = tonumber(capacity), tonumber(window), tonumber(refill)
    local full, credit = capacity * window, capacity * refill
    local credited = now
    parts = full
    local held = redis.call('GET', key)
    if held then
      local space = string.find(held, ' ', 1, true)
      parts, credited = tonumber(string.sub(held, 1, space - 1)), tonumber(string.sub(held, space + 1))
      local intervals = math.floor((now - credited) / (refill * 1000))
      if intervals > 0 then
        credited = credited + intervals * refill * 1000
        parts = math.min(full, parts + intervals * credit)
      end
    end
    allowed = 0
    if parts >= window then
      allowed = 1
      parts = parts - window
    end
    ago = now - credited
    local left = math.ceil((full - parts) / credit) * refill * 1000 - ago
    redis.call('SET', key, string.format('%.0f %.0f', parts, credited), 'PX', math.max(1, left))
    if allowed == 0 and last == '1' then over = true end
  end
  local to = (i - 1) * 3
  states[to + 1], states[to + 2], states[to + 3] = allowed, parts, ago
end
return states`;

/** @param first whether the request begins with it. @returns the argument that stands for a charge */
export function argumentOf({ capacity, window, refillInterval, last }: BucketCharge, first: boolean): string {
  return `${first ? 1 : 0} ${capacity} ${window} ${refillInterval} ${last ? 1 : 0}`;
}
